"""Figures with and without options."""

from calscore.choices import plot
from calscore.core.step import run

run(snakemake, plot.figures)
