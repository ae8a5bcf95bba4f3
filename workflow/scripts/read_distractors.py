"""Wrong answers that a model wrote, validated, as a question file."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.choices import asking, reading
    from calscore.core import findings, store
    from calscore.core.errors import DataError, Fault

    given, out = snakemake.input, snakemake.output
    if not given.get("replies"):
        expected = "a file of replies to asked/distractor_requests.jsonl"
        raise DataError(Fault("config", "inputs", "distractor_replies", None, expected))
    questions, _ = reading.read_questions(Path(given.raw) / snakemake.params.questions)
    known = {str(row) for row in questions["row"]}
    replies = asking.read_lines(given.replies, asking.REPLY_KEYS, known)
    table, found = asking.read_distractors(questions, replies)
    store.write_csv(asking.question_file(table), out.questions)
    store.write_csv(findings.frame(found), out.findings)
