"""The model of all responses, what it says, and the figures of it."""

from calscore.core.step import run
from calscore.irt import plot, steps

run(snakemake, steps.fitted, plot.figures)
