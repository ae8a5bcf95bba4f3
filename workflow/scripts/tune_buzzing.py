"""Thresholds, buzzpoints and expected wins."""

from calscore.core.step import run
from calscore.buzzing import plot, thresholds

run(snakemake, thresholds.tuned, plot.thresholds)
