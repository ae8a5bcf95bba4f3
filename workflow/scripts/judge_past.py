"""Guesses on past questions, judged and scored."""

from calscore.core.step import guard

with guard(snakemake):
    from pathlib import Path

    from calscore.answers.score import read_model
    from calscore.core import findings, store
    from calscore.guess import corpus, past

    given, options = snakemake.input, snakemake.params.options
    questions = corpus.parse_questions(given.corpus)
    model = read_model(Path(given.model) if given.model else None)
    runs, found = past.collect(questions, snakemake.params.runs, given.guesses)
    runs = past.judge(runs, questions, options.pop("matcher"), model)
    store.write(questions, "past_questions", snakemake.output.questions)
    store.write(runs, "past_runs", snakemake.output.runs, {"past_questions": questions})
    table = past.scores(runs, questions, snakemake.params.names, **options)
    store.write_csv(table, snakemake.output.scores)
    store.write_csv(findings.frame(found), snakemake.output.findings)
