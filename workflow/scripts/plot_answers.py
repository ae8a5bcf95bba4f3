"""Figures 5 and 6: players where there is a survey, models where there are guesses."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import theme
    from calscore.scores import plot

    theme.apply()
    options, names = snakemake.params.options, snakemake.params.names
    given, out = snakemake.input, snakemake.output

    def table(name):
        return pd.read_csv(given[name]) if given.get(name) else None

    accuracy, buzz_given = table("accuracy"), table("buzz_given")
    styles = theme.model_styles(names, [] if accuracy is None else accuracy["model"])
    figure = plot.figure5(accuracy, table("survey_accuracy"), styles, names, options["min_n"])
    theme.save(figure, out.figure5_svg, out.figure5_png, snakemake.params.simulated)
    figure = plot.figure6(buzz_given, table("survey_buzz_given"), styles, names, options["min_n"])
    theme.save(figure, out.figure6_svg, out.figure6_png, snakemake.params.simulated)
