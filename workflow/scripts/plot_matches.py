"""Margins of the replayed matches."""

from calscore.rule import guard

with guard(snakemake):
    import pandas as pd
    from calscore import plots_buzzing, theme

    theme.apply()
    table = pd.read_csv(snakemake.input.matches, keep_default_na=False, dtype={"team": "str"})
    out = snakemake.output
    theme.save(
        plots_buzzing.matches(table, snakemake.params.own),
        out.matches_svg,
        out.matches_png,
        snakemake.params.simulated,
    )
