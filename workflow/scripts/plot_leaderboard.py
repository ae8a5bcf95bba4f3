"""Ranks under each metric."""

from calscore.core.step import run
from calscore.leaderboard import plot

run(snakemake, plot.figure)
