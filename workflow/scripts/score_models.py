"""Scores per question and per model."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import scores, store

    responses = store.read(snakemake.input.responses)
    human_curve = store.read(snakemake.input.human_curve)
    for name, table in scores.score_all(responses, human_curve, **snakemake.params.options).items():
        store.write(table, name, snakemake.output[name])
