"""Bonus submissions, parsed and scored."""

from calscore.runner.bind import run
from calscore.leaderboard import bonuses

run(snakemake, bonuses.score_submissions)
