"""Verdicts on the guesses of a range of questions."""

from calscore.runner.bind import run
from calscore.judging import guess_verdicts

run(snakemake, guess_verdicts.judge_shard)
