"""Verdicts on model guesses, what each model believed at each clue, and marks against the engine."""

from calscore.runner.bind import run
from calscore.answers import judging, mark_audit

run(snakemake, judging.judged_guesses, mark_audit.mark_disagreements)
