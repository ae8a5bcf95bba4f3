"""Differences with intervals, ranks, and the specification curve."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import store, theme
    from calscore.inference import comparisons, plot

    theme.apply()
    options, names = snakemake.params.options, snakemake.params.names
    simulated, given, out = snakemake.params.simulated, snakemake.input, snakemake.output
    segmentation, definition = options["primary_segmentation"], options["primary_definition"]
    scores = pd.read_csv(given.table1)
    scores = scores[scores["definition"] == definition]
    styles = theme.model_styles(names, scores["model"])
    compared = comparisons.shown(
        store.read(given.comparisons), segmentation, options["reductions"], names
    )
    compared = compared[compared["definition"] == definition]
    figure = plot.differences(compared, options["level"])
    theme.save(figure, out.differences_svg, out.differences_png, simulated)
    ranks = comparisons.ranks_shown(
        store.read(given.ranks), segmentation, options["reductions"], names
    )
    figure = plot.ranks(ranks[ranks["definition"] == definition])
    theme.save(figure, out.ranks_svg, out.ranks_png, simulated)
    table = pd.read_csv(given.specifications, keep_default_na=False)
    figure = plot.specification_curve(table.astype({"value": float}), scores, styles, names)
    theme.save(figure, out.specification_curve_svg, out.specification_curve_png, simulated)
