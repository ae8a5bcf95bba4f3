"""Cumulative incidence beside figure 4's ratio, fair quartiles."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import store, theme
    from calscore.inference import regression_plot

    theme.apply()
    options, names = snakemake.params.options, snakemake.params.names
    simulated, out = snakemake.params.simulated, snakemake.output
    incidence = store.read(snakemake.input.incidence)
    cumulative = pd.read_csv(snakemake.input.cumulative_buzzes)
    styles = theme.model_styles(names, cumulative.loc[cumulative["rule"] == "model", "group"])
    figure = regression_plot.incidence(
        incidence, cumulative, styles, names, options["quartile_rule"]
    )
    theme.save(figure, out.incidence_svg, out.incidence_png, simulated)
    curves = pd.read_csv(snakemake.input.fair_quartiles)
    shrinkage = pd.read_csv(snakemake.input.quartile_shrinkage)
    figure = regression_plot.fair_quartiles(curves, shrinkage)
    theme.save(figure, out.fair_quartiles_svg, out.fair_quartiles_png, simulated)
