"""Risk–coverage curves."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import theme
    from calscore.scores import proper_plot

    theme.apply()
    names, given, out = snakemake.params.names, snakemake.input, snakemake.output
    definition = snakemake.params.options["primary_definition"]
    curve, scores = (pd.read_csv(path) for path in (given.risk_coverage, given.proper_scores))
    styles = theme.model_styles(names, curve["model"])
    figure = proper_plot.risk_coverage(
        curve[curve["definition"] == definition],
        scores[scores["definition"] == definition],
        styles,
        names,
    )
    theme.save(figure, out.risk_coverage_svg, out.risk_coverage_png, snakemake.params.simulated)
