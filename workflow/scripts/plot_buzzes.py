"""Figures that rest on live buzzes alone."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import theme
    from calscore.scores import plot

    theme.apply()
    options, names = snakemake.params.options, snakemake.params.names
    simulated, out = snakemake.params.simulated, snakemake.output
    cumulative = pd.read_csv(snakemake.input.cumulative_buzzes)
    styles = theme.model_styles(names, cumulative.loc[cumulative["rule"] == "model", "group"])
    figure = plot.figure4(
        cumulative, styles, names, options["quartile_rule"], options["normalisation"]
    )
    theme.save(figure, out.figure4_svg, out.figure4_png, simulated)
    positions = pd.read_csv(snakemake.input.buzz_positions)
    figure = plot.buzz_positions(positions, names)
    theme.save(figure, out.buzz_positions_svg, out.buzz_positions_png, simulated)
    margins = pd.read_csv(snakemake.input.category_margins)
    figure = plot.category_precision(margins, styles, names)
    theme.save(figure, out.category_precision_svg, out.category_precision_png, simulated)
