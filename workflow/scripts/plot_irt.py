"""Figures of item response models."""

from calscore.rule import guard

with guard(snakemake):
    import pandas as pd
    from calscore import theme
    from calscore.irt import plots

    theme.apply()
    given, out, settings = snakemake.input, snakemake.output, snakemake.params.settings

    def table(name):
        return pd.read_csv(given[name])

    figures = {
        "loss": plots.loss(table("loss"), settings["dimensions"]),
        "skills": plots.skills(table("skills")),
        "cluster_accuracy": plots.cluster_accuracy(table("cluster_accuracy")),
        "clusters": plots.clusters(table("clusters")),
        "relevance": plots.relevance(table("relevance")),
        "complementarity": plots.complementarity(table("complementarity"), table("pairs")),
        "diagnostics": plots.diagnostics(table("calibration"), table("q3"), table("agent_fit")),
    }
    for name, figure in figures.items():
        theme.save(figure, out[f"{name}_svg"], out[f"{name}_png"], snakemake.params.simulated)
