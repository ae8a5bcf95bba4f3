"""A model's replies, parsed and judged, as results files in the published schema."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.choices import asking, reading
    from calscore.core import findings, store

    given, out, model = snakemake.input, snakemake.output, snakemake.wildcards.model
    questions, _ = reading.read_questions(Path(given.raw) / snakemake.params.questions)
    requests = asking.read_lines(given.requests, asking.REQUEST_KEYS)
    known = {one["id"] for one in requests}
    replies = asking.read_lines(given.replies, asking.REPLY_KEYS, known)
    answers, found = asking.parse(requests, replies, model)
    verdicts = None
    if given.get("verdicts"):
        verdicts = asking.read_lines(given.verdicts, asking.REPLY_KEYS, known)
    judged, more = asking.judge(answers, questions, model, verdicts)
    texts = {s: asking.results_text(judged, questions, s) for s in ("normal", "distractor")}
    for setting, text in texts.items():
        Path(out[setting]).write_text(text, encoding="utf-8")
    store.write_csv(findings.frame(found + more), out.findings)
