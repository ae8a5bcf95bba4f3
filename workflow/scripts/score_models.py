"""Scores per question and per model."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import human, scores, store

    given = snakemake.input
    crowds = human.crowds(*(store.read(given[name]) for name in ("clues", "buzzes", "exposures")))
    tables = scores.score_all(
        store.read(given.responses),
        store.read(given.human_curve),
        **snakemake.params.options,
        crowds=crowds,
    )
    for name, table in tables.items():
        store.write(table, name, snakemake.output[name])
