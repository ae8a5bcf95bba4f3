"""Figures 5 and 6 of a survey's players."""

from calscore.runner.bind import run
from calscore.scores import plot

run(snakemake, plot.answer_figures)
