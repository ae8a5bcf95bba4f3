"""Reliability, CalScore by category, risk–coverage."""

from calscore.core.step import run
from calscore.scores import plot

run(snakemake, plot.models, plot.proper)
