"""Margins of the replayed matches."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.buzzing import plot
    from calscore.core import theme

    theme.apply()
    table = pd.read_csv(snakemake.input.matches, keep_default_na=False, dtype={"team": "str"})
    out = snakemake.output
    theme.save(
        plot.matches(table, snakemake.params.own),
        out.matches_svg,
        out.matches_png,
        snakemake.params.simulated,
    )
