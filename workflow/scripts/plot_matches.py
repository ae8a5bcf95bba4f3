"""Margins of the replayed matches."""

from calscore.buzzing import plot
from calscore.core.step import run

run(snakemake, plot.margins)
