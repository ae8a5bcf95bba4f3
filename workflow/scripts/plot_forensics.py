"""Printed scores against what any model could reach."""

from calscore.rule import guard

with guard(snakemake):
    import pandas as pd
    from calscore import forensics_plot, theme

    theme.apply()
    params, out = snakemake.params, snakemake.output
    table = pd.read_csv(snakemake.input.forensics, dtype={"table": str}, keep_default_na=False)
    figure = forensics_plot.attainable(table, params.segmentation, params.names)
    theme.save(figure, out.svg, out.png, params.simulated)
