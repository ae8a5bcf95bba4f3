"""Differences, ranks, the specification curve, slopes of calibration."""

from calscore.core.step import run
from calscore.inference import plot

run(snakemake, plot.compared, plot.calibration_slopes)
