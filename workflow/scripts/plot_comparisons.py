"""Differences with intervals, ranks, and the specification curve."""

from calscore.rule import guard

with guard(snakemake):
    import pandas as pd
    from calscore import comparisons, plots_inference, store, theme

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
    figure = plots_inference.differences(compared, options["level"])
    theme.save(figure, out.differences_svg, out.differences_png, simulated)
    ranks = comparisons.ranks_shown(
        store.read(given.ranks), segmentation, options["reductions"], names
    )
    figure = plots_inference.ranks(ranks[ranks["definition"] == definition])
    theme.save(figure, out.ranks_svg, out.ranks_png, simulated)
    table = pd.read_csv(given.specifications, keep_default_na=False)
    figure = plots_inference.specification_curve(
        table.astype({"value": float}), scores, styles, names
    )
    theme.save(figure, out.specification_curve_svg, out.specification_curve_png, simulated)
