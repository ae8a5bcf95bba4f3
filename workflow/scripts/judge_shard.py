"""Verdicts on the guesses of a range of questions."""

from calscore.answers import judging
from calscore.core.step import run

run(snakemake, judging.judged_shard)
