"""Tossup submissions, live models and human plays as tidy tables."""

from calscore.runner.bind import run
from calscore.leaderboard import submissions

run(snakemake, submissions.tidy_submissions)
