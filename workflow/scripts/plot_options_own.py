"""Reliability where each model judges itself."""

from calscore.runner.bind import run
from calscore.multiple_choice import plot

run(snakemake, plot.own_figures)
