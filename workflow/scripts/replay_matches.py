"""Replayed matches, the win matrix and the margins."""

from calscore.buzzing import matches, plot
from calscore.core.step import run

run(snakemake, matches.replayed, plot.margins)
