"""Proper scores of every model, their differences, and the numbers of the risk–coverage curve."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.human import curves
    from calscore.scores import proper_tables, score

    options, names = snakemake.params.options, snakemake.params.names
    given, out = snakemake.input, snakemake.output
    segmentation, reductions = options["primary_segmentation"], options["reductions"]
    resampling = {name: options[name] for name in ("replicates", "seed", "level")}
    rows = score.scored_rows(store.read(given.responses), store.read(given.human_curve))

    clues = store.read(given.clues)
    clues = clues[clues["segmentation"] == segmentation]
    crowd = curves.crowds_from(store.read(given.crowd), clues)[segmentation]
    table, compared = proper_tables.score(
        rows, crowd, segmentation, options["primary_definition"], reductions, names, **resampling
    )
    curve = proper_tables.risk_coverage(rows, segmentation, reductions, **resampling)
    store.write(table, "proper", out.proper_scores)
    store.write_csv(proper_tables.wide(table, segmentation, reductions, names), out.table)
    store.write_csv(compared, out.comparisons)
    store.write_csv(curve, out.risk_coverage)
