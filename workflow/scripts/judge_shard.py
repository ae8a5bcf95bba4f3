"""Verdicts on the guesses of a range of questions."""

from calscore.runner.bind import run
from calscore.answers import judging

run(snakemake, judging.judged_shard)
