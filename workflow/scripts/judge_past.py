"""Guesses on past questions, judged and scored."""

from calscore.runner.bind import run
from calscore.guessers import training_runs

run(snakemake, training_runs.training_run_tables)
