"""Simulators: each module gives any number of studies of one world."""
