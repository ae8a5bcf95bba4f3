"""Expected wins by threshold, and opponent curves."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.buzzing import plot
    from calscore.core import theme

    theme.apply()
    options, names = snakemake.params.options, snakemake.params.names
    given, out, simulated = snakemake.input, snakemake.output, snakemake.params.simulated
    curve = pd.read_csv(given.expected_wins)
    styles = theme.model_styles(names, curve["model"])
    rules = pd.read_csv(given.thresholds)
    figure = plot.expected_wins(
        curve, rules, styles, options["opponents"], snakemake.params.thresholds
    )
    theme.save(figure, out.expected_wins_svg, out.expected_wins_png, simulated)
    figure = plot.opponents(pd.read_csv(given.opponents))
    theme.save(figure, out.opponents_svg, out.opponents_png, simulated)
