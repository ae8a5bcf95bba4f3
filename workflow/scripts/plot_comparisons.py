"""Differences with intervals, ranks, and the specification curve."""

from calscore.core.step import run
from calscore.inference import plot

run(snakemake, plot.compared)
