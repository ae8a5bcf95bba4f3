"""Replayed matches, the win matrix and the margins."""

from calscore.runner.bind import run
from calscore.buzz_policy import matches, plot

run(snakemake, matches.match_tables, plot.margins)
