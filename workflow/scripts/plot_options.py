"""Figures with and without options."""

from calscore.core.step import run
from calscore.choices import plot

run(snakemake, plot.figures)
