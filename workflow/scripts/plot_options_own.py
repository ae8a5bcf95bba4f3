"""Reliability where each model judges itself."""

from calscore.core.step import run
from calscore.choices import plot

run(snakemake, plot.own_figures)
