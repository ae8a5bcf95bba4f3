"""Figures of live buzzes."""

from calscore.runner.bind import run
from calscore.human import plot

run(snakemake, plot.buzz_figures, plot.quartile_figures, plot.precision_figures)
