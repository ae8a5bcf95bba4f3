"""Requests to a judge model."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.choices import asking, reading

    given = snakemake.input
    questions, _ = reading.read_questions(Path(given.raw) / snakemake.params.questions)
    requests = asking.read_lines(given.requests, asking.REQUEST_KEYS)
    known = {one["id"] for one in requests}
    replies = asking.read_lines(given.replies, asking.REPLY_KEYS, known)
    answers, _ = asking.parse(requests, replies, snakemake.wildcards.model)
    template = Path(given.judge).read_text(encoding="utf-8")
    lines = asking.plan_verdicts(answers, questions, template)
    asking.write_lines(lines, snakemake.output.requests)
