"""Every figure of scores."""

from calscore.runner.bind import run
from calscore.inference import plot as inference
from calscore.scores import plot

run(snakemake, plot.score_figures, inference.comparison_figures)
