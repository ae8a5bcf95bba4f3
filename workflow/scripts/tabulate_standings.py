"""Standings, scores, individuals, rounds and bonuses of a tournament."""

from calscore.runner.bind import run
from calscore.tournament import report

run(snakemake, report.tables)
