"""Figures of the model of item responses."""

from calscore.runner.bind import run
from calscore.irt import plot

run(snakemake, plot.figures)
