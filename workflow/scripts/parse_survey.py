"""The offline survey to a tidy table."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.human import players

    questions = store.read(snakemake.input.questions)
    table = players.parse_survey(snakemake.input.survey, questions)
    store.write(table, "survey", snakemake.output.survey, {"questions": questions})
