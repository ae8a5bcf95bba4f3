"""Runs that marks and engine call right, together and alone."""

from calscore.answers import plot
from calscore.core.step import run

run(snakemake, plot.of_marks)
