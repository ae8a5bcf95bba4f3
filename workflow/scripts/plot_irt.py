"""Figures of item response models."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import theme
    from calscore.irt import plot

    theme.apply()
    given, out, settings = snakemake.input, snakemake.output, snakemake.params.settings

    def table(name):
        return pd.read_csv(given[name])

    figures = {
        "loss": plot.loss(table("loss"), settings["dimensions"]),
        "skills": plot.skills(table("skills")),
        "cluster_accuracy": plot.cluster_accuracy(table("cluster_accuracy")),
        "clusters": plot.clusters(table("clusters")),
        "relevance": plot.relevance(table("relevance")),
        "complementarity": plot.complementarity(table("complementarity"), table("pairs")),
        "diagnostics": plot.diagnostics(table("calibration"), table("q3"), table("agent_fit")),
    }
    for name, figure in figures.items():
        theme.save(figure, out[f"{name}_svg"], out[f"{name}_png"], snakemake.params.simulated)
