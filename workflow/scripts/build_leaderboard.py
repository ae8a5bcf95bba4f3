"""The leaderboard as a page."""

from calscore.core.step import run
from calscore.pages import leaderboard

run(snakemake, leaderboard.page)
