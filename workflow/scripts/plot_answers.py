"""Figures 5 and 6, of models and of the players of a survey."""

from calscore.runner.bind import run
from calscore.scores import plot

run(snakemake, plot.answer_figures)
