"""Quizbowl statistics and buzz-point curves."""

from calscore.core.step import run
from calscore.tournament import stats

run(snakemake, stats.tables)
