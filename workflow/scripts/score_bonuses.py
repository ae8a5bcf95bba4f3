"""Bonus submissions, parsed and scored."""

from calscore.core.step import run
from calscore.leaderboard import bonuses

run(snakemake, bonuses.scored)
