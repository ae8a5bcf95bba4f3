"""Held-out loss and calibration of every response model."""

from calscore.core.step import run
from calscore.irt import steps

run(snakemake, steps.evaluated)
