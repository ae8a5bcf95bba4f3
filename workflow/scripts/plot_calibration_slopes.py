"""Slopes and offsets of the calibration regressions."""

from calscore.core.step import run
from calscore.inference import plot

run(snakemake, plot.calibration_slopes)
