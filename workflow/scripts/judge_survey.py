"""Survey answers judged and backfilled, and the players ranked."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.answers import judging
    from calscore.core import findings, store

    given, output = snakemake.input, snakemake.output
    questions = store.read(given.questions)
    made = judging.judged_survey(
        questions,
        store.read(given.survey),
        given.overrides or None,
        given.model,
        snakemake.params.matcher,
    )
    parents = {"questions": questions}
    store.write(made["survey_judgements"], "judgements", output.judgements, parents)
    store.write(made["survey_responses"], "survey_responses", output.responses, parents)
    store.write(made["players"], "players", output.players)
    store.write_csv(findings.frame(made["findings"]), output.findings)
