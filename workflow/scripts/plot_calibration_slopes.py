"""Slopes and offsets of the calibration regressions."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store, theme
    from calscore.inference import regression_plot

    theme.apply()
    options, names = snakemake.params.options, snakemake.params.names
    table = store.read(snakemake.input.calibration_slopes)
    styles = theme.model_styles(names, table["model"])
    figure = regression_plot.calibration_slopes(table, styles, names, options["reductions"])
    theme.save(figure, snakemake.output.svg, snakemake.output.png, snakemake.params.simulated)
