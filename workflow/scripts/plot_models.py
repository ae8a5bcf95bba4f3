"""Figures that rest on per-clue model guesses, with humans where there is a survey."""

from calscore.rule import guard

with guard(snakemake):
    import pandas as pd
    from calscore import plots, store, tables, theme

    theme.apply()
    options, names = snakemake.params.options, snakemake.params.names
    simulated, given, out = snakemake.params.simulated, snakemake.input, snakemake.output
    styles = theme.model_styles(names)
    definition = options["primary_definition"]
    survey = pd.read_csv(given.survey_accuracy) if given.survey_accuracy else None
    survey_buzz = pd.read_csv(given.survey_buzz_given) if given.survey_buzz_given else None

    figure = plots.figure5(pd.read_csv(given.accuracy), survey, styles, names, options["min_n"])
    theme.save(figure, out.figure5_svg, out.figure5_png, simulated)
    figure = plots.figure6(
        pd.read_csv(given.buzz_given), survey_buzz, styles, names, options["min_n"]
    )
    theme.save(figure, out.figure6_svg, out.figure6_png, simulated)
    bins = store.read(given.reliability)
    bins = bins[bins["definition"] == definition]
    bins = tables.primary(bins, options["primary_segmentation"], options["reductions"])
    scores = pd.read_csv(given.table1)
    scores = scores[scores["definition"] == definition]
    figure = plots.reliability(bins, scores, styles, names)
    theme.save(figure, out.reliability_svg, out.reliability_png, simulated)
    figure = plots.calscore_by_category(pd.read_csv(given.table5), styles, names, definition)
    theme.save(figure, out.calscore_by_category_svg, out.calscore_by_category_png, simulated)
