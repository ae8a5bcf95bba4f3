"""Printed scores against what any model could reach."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import theme
    from calscore.published import plot

    theme.apply()
    params, out = snakemake.params, snakemake.output
    table = pd.read_csv(snakemake.input.forensics, dtype={"table": str}, keep_default_na=False)
    figure = plot.attainable(table, params.segmentation, params.names)
    theme.save(figure, out.svg, out.png, params.simulated)
