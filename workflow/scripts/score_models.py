"""Scores per question and per model."""

from calscore.runner.bind import run
from calscore.scores import streaming

run(snakemake, streaming.scores)
