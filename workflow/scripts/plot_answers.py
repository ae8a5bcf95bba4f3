"""Figures 5 and 6: players where there is a survey, models where there are guesses."""

from calscore.core.step import run
from calscore.scores import plot

run(snakemake, plot.answers)
