"""Thresholds, buzzpoints and expected wins."""

from calscore.runner.bind import run
from calscore.buzz_policy import plot, thresholds

run(snakemake, thresholds.tune_tables, plot.thresholds)
