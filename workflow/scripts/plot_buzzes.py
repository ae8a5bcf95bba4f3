"""Figures that rest on live buzzes alone."""

from calscore.core.step import run
from calscore.human import plot

run(snakemake, plot.of_buzzes)
