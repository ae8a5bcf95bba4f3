"""Figures with and without options; which ones, the outputs of the rule say."""

from calscore.rule import guard

with guard(snakemake):
    import pandas as pd
    from calscore import theme
    from calscore.options_study import plots

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
        "reliability": lambda: plots.reliability(
            table("reliability"), table("scores"), snakemake.params.options["min_n"]
        ),
        "types": lambda: plots.types(table("types"), level),
        "topics": lambda: plots.topics(table("topics"), level),
        "transitions": lambda: plots.transitions(table("transitions"), table("comparisons")),
        "harm": lambda: plots.harm(table("comparisons"), level),
    }
    for name, draw in figures.items():
        if hasattr(out, f"{name}_svg"):
            svg, png = out[f"{name}_svg"], out[f"{name}_png"]
            theme.save(draw(), svg, png, snakemake.params.simulated)
