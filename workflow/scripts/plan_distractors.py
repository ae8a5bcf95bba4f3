"""Requests for three wrong answers to each question."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.choices import asking, reading

    given = snakemake.input
    questions, _ = reading.read_questions(Path(given.raw) / snakemake.params.questions)
    template = Path(given.generation).read_text(encoding="utf-8")
    asking.write_lines(asking.plan_distractors(questions, template), snakemake.output.requests)
