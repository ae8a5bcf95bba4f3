"""Recompute human-versus-model calibration studies on quizbowl questions.

Pure functions over tables. Nothing in this package reads a path or a configuration by itself,
except the modules that parse raw formats, which are given the path.
"""
