"""Proper and fuller scores of every model, and the numbers of the risk–coverage curve."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import fuller_tables, scores, store

    options, names = snakemake.params.options, snakemake.params.names
    given, out = snakemake.input, snakemake.output
    segmentation, reductions = options["primary_segmentation"], options["reductions"]
    resampling = {name: options[name] for name in ("replicates", "seed", "level")}
    rows = scores.scored_rows(store.read(given.responses), store.read(given.human_curve))

    table = fuller_tables.fuller_scores(rows, **resampling)
    curve = fuller_tables.risk_coverage(rows, segmentation, reductions, **resampling)
    store.write(table, "fuller_scores", out.fuller_scores)
    store.write_csv(fuller_tables.wide(table, segmentation, reductions, names), out.table)
    store.write_csv(curve, out.risk_coverage)
