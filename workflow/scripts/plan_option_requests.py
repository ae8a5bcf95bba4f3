"""Requests without and with options."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.choices import asking, reading

    given, params = snakemake.input, snakemake.params
    questions, _ = reading.read_questions(Path(given.raw) / params.questions)
    templates = {
        setting: Path(given[setting]).read_text(encoding="utf-8")
        for setting in ("normal", "distractor")
    }
    requests = asking.plan(questions, templates, params.seed)
    asking.write_lines(requests, snakemake.output.requests)
