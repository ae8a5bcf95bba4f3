"""Cumulative incidence beside figure 4's ratio, and fair quartiles."""

from calscore.core.step import run
from calscore.human import plot

run(snakemake, plot.of_quartiles)
