"""Tossup submissions, scored and ranked."""

from calscore.core.step import run
from calscore.leaderboard import board

run(snakemake, board.tables)
