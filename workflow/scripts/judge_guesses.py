"""Verdicts on model guesses, what each model believed at each clue, and marks against the engine."""

from calscore.core.step import run
from calscore.answers import judging, marks

run(snakemake, judging.judged_guesses, marks.compared)
