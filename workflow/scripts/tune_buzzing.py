"""Thresholds, buzzpoints and expected wins."""

from calscore.buzzing import plot, thresholds
from calscore.core.step import run

run(snakemake, thresholds.tuned, plot.thresholds)
