"""P(correct | buzz) by category."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import theme
    from calscore.inference import plot

    theme.apply()
    names, out = snakemake.params.names, snakemake.output
    table = pd.read_csv(snakemake.input.precision)
    live = table.loc[(table["kind"] == "model") & (table["group"] != "model"), "group"]
    styles = theme.model_styles(names, live)
    figure = plot.precision(table, styles)
    theme.save(figure, out.precision_svg, out.precision_png, snakemake.params.simulated)
