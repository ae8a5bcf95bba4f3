"""Reliability diagrams, and CalScore by category."""

from calscore.core.step import run
from calscore.scores import plot

run(snakemake, plot.models)
