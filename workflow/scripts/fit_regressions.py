"""Cumulative incidence, and fair quartiles."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.human import incidence, quartiles
    from calscore.human.cumulative import group_members

    options, out = snakemake.params.options, snakemake.output
    questions = store.read(snakemake.input.questions)
    clues = store.read(snakemake.input.clues)
    clues = clues[clues["segmentation"] == options["primary_segmentation"]]
    buzzes = store.read(snakemake.input.buzzes)
    exposures = store.read(snakemake.input.exposures)
    teams = store.read(snakemake.input.teams)
    resampling = {key: options[key] for key in ("replicates", "seed", "level")}
    opponents = incidence.opponents(questions, buzzes, exposures)
    store.write(opponents, "pairings", out.opponents)
    data = questions, clues, buzzes, exposures
    table = incidence.incidence(*data, opponents, group_members(teams), **resampling)
    store.write(table, "incidence", out.incidence)
    curves, shrinkage = quartiles.fair_quartiles(
        quartiles.play(*data), options["halves"], **resampling
    )
    store.write_csv(curves, out.fair_quartiles)
    store.write_csv(shrinkage, out.quartile_shrinkage)
    table = quartiles.exposure_correlations(teams, exposures, questions, **resampling)
    store.write_csv(table, out.exposure_correlation)
