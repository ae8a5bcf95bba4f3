"""Figures of item response models."""

from calscore.core.step import run
from calscore.irt import plot

run(snakemake, plot.figures)
