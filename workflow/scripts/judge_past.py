"""Guesses on past questions, judged and scored."""

from calscore.runner.bind import run
from calscore.guessers import past_runs

run(snakemake, past_runs.training_run_tables)
