"""Proper and fuller scores of every model, their differences, and the numbers of the risk–coverage curve."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import fuller_tables, human, scores, store

    options, names = snakemake.params.options, snakemake.params.names
    given, out = snakemake.input, snakemake.output
    segmentation, reductions = options["primary_segmentation"], options["reductions"]
    resampling = {name: options[name] for name in ("replicates", "seed", "level")}
    rows = scores.scored_rows(store.read(given.responses), store.read(given.human_curve))

    live = [store.read(given[name]) for name in ("clues", "buzzes", "exposures")]
    live[0] = live[0][live[0]["segmentation"] == segmentation]
    crowd = human.crowds(*live)[segmentation]
    table, compared = fuller_tables.score(
        rows, crowd, segmentation, options["primary_definition"], reductions, names, **resampling
    )
    curve = fuller_tables.risk_coverage(rows, segmentation, reductions, **resampling)
    store.write(table, "fuller_scores", out.fuller_scores)
    store.write_csv(fuller_tables.wide(table, segmentation, reductions, names), out.table)
    store.write_csv(compared, out.comparisons)
    store.write_csv(curve, out.risk_coverage)
