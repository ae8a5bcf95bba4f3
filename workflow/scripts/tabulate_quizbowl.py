"""Quizbowl statistics and buzz-point curves."""

from calscore.runner.bind import run
from calscore.tournament import stats

run(snakemake, stats.tables)
