"""Guesses on past questions, judged and scored."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.answers import equivalence
    from calscore.core import findings, store
    from calscore.guess import corpus, past

    given, options = snakemake.input, snakemake.params.options
    questions = corpus.parse_questions(given.corpus)
    model = equivalence.Model.from_json(Path(given.model).read_text(encoding="utf-8"))
    runs, found = past.collect(questions, snakemake.params.runs, given.guesses)
    runs = past.judge(runs, questions, options.pop("matcher"), model)
    store.write(questions, "past_questions", snakemake.output.questions)
    store.write(runs, "past_runs", snakemake.output.runs, {"past_questions": questions})
    table = past.scores(runs, questions, snakemake.params.names, **options)
    store.write_csv(table, snakemake.output.scores)
    store.write_csv(findings.frame(found), snakemake.output.findings)
