"""Reliability diagrams, and CalScore by category."""

from calscore.rule import guard

with guard(snakemake):
    import pandas as pd
    from calscore import plots, store, tables, theme

    theme.apply()
    options, names = snakemake.params.options, snakemake.params.names
    simulated, given, out = snakemake.params.simulated, snakemake.input, snakemake.output
    definition = options["primary_definition"]
    scores = pd.read_csv(given.table1)
    styles = theme.model_styles(names, scores["model"])
    bins = store.read(given.reliability)
    bins = bins[bins["definition"] == definition]
    bins = tables.primary(bins, options["primary_segmentation"], options["reductions"])
    scores = scores[scores["definition"] == definition]
    figure = plots.reliability(bins, scores, styles, names)
    theme.save(figure, out.reliability_svg, out.reliability_png, simulated)
    figure = plots.calscore_by_category(pd.read_csv(given.table5), styles, names, definition)
    theme.save(figure, out.calscore_by_category_svg, out.calscore_by_category_png, simulated)
