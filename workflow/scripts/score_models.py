"""Scores per question and per model."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.human import curves
    from calscore.scores import score

    given = snakemake.input
    crowds = curves.crowds_from(store.read(given.crowd), store.read(given.clues))
    tables = score.score_all(
        store.read(given.responses),
        store.read(given.human_curve),
        **snakemake.params.options,
        crowds=crowds,
    )
    for name, table in tables.items():
        store.write(table, name, snakemake.output[name])
