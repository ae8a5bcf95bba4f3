"""Reliability where each model judges itself."""

from calscore.choices import plot
from calscore.core.step import run

run(snakemake, plot.own_figures)
