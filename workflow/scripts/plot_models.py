"""Reliability diagrams, and CalScore by category."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import store, theme
    from calscore.scores import plot, tables

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
    figure = plot.reliability(bins, scores, styles, names)
    theme.save(figure, out.reliability_svg, out.reliability_png, simulated)
    figure = plot.calscore_by_category(pd.read_csv(given.table5), styles, names, definition)
    theme.save(figure, out.calscore_by_category_svg, out.calscore_by_category_png, simulated)
