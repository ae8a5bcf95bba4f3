"""Replayed matches, the win matrix and the margins."""

from calscore.core.step import run
from calscore.buzzing import matches, plot

run(snakemake, matches.replayed, plot.margins)
