"""Scores per question and per model."""

from calscore.core.step import run
from calscore.scores import batches

run(snakemake, batches.scores)
