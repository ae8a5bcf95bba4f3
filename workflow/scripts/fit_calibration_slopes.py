"""Calibration regressions of every model, elicitation and reduction."""

from calscore.core.step import run
from calscore.inference import regressions

run(snakemake, regressions.calibration_slopes)
