"""Figures of live buzzes."""

from calscore.runner.bind import run
from calscore.human import plot

run(snakemake, plot.of_buzzes, plot.of_quartiles, plot.of_precision)
