"""Verdicts on model guesses, what each model believed at each clue, and marks against the engine."""

from calscore.runner.bind import run
from calscore.judging import guess_verdicts, mark_audit

run(snakemake, guess_verdicts.judgement_tables, mark_audit.mark_disagreements)
