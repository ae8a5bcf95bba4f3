"""Figures with and without options; which ones, the outputs of the rule say."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.choices import plot
    from calscore.core import theme

    theme.apply()
    given, out, level = snakemake.input, snakemake.output, snakemake.params.options["level"]
    reading, judging = snakemake.params.options["not_attempted"], snakemake.params.judging

    def table(name):
        rows = pd.read_csv(given[name])
        rows = rows[rows["judging"] == judging]
        if "reading" in rows:
            rows = rows[rows["reading"] == reading]
        return rows[rows["model"] != "mean"]

    figures = {
        "reliability": lambda: plot.reliability(
            table("reliability"), table("scores"), snakemake.params.options["min_n"]
        ),
        "types": lambda: plot.types(table("types"), level),
        "topics": lambda: plot.topics(table("topics"), level),
        "transitions": lambda: plot.transitions(table("transitions"), table("comparisons")),
        "harm": lambda: plot.harm(table("comparisons"), level),
    }
    for name, draw in figures.items():
        if hasattr(out, f"{name}_svg"):
            svg, png = out[f"{name}_svg"], out[f"{name}_png"]
            theme.save(draw(), svg, png, snakemake.params.simulated)
