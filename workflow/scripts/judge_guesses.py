"""Verdicts on model guesses, and what each model believed at each clue."""

from calscore.answers import judging
from calscore.core.step import run

run(snakemake, judging.judged_guesses)
