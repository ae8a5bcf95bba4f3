"""The offline survey to a tidy table."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import store, survey

    questions = store.read(snakemake.input.questions)
    table = survey.parse_survey(snakemake.input.survey, questions)
    store.write(table, "survey", snakemake.output.survey, {"questions": questions})
