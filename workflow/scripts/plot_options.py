"""Figures with and without options."""

from calscore.runner.bind import run
from calscore.multiple_choice import plot

run(snakemake, plot.figures)
