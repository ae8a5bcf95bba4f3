"""P(correct | buzz) by category."""

from calscore.rule import guard

with guard(snakemake):
    import pandas as pd
    from calscore import plots_inference, theme

    theme.apply()
    names, out = snakemake.params.names, snakemake.output
    table = pd.read_csv(snakemake.input.precision)
    live = table.loc[(table["kind"] == "model") & (table["group"] != "model"), "group"]
    styles = theme.model_styles(names, live)
    figure = plots_inference.precision(table, styles)
    theme.save(figure, out.precision_svg, out.precision_png, snakemake.params.simulated)
