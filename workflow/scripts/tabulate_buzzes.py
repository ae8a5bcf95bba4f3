"""Tables that rest on live buzzes alone."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.human import cumulative
    from calscore.scores import tables

    options, names = snakemake.params.options, snakemake.params.names
    questions = store.read(snakemake.input.questions)
    clues = store.read(snakemake.input.clues)
    buzzes = store.read(snakemake.input.buzzes)
    exposures = store.read(snakemake.input.exposures)
    teams = store.read(snakemake.input.teams)
    shown = clues[clues["segmentation"] == options["primary_segmentation"]]
    resampling = {key: options[key] for key in ("replicates", "seed", "level")}
    out = snakemake.output
    store.write_csv(tables.dataset(questions, clues, buzzes, exposures), out.dataset)
    store.write_csv(
        tables.category_margins(questions, buzzes, names, options["level"]), out.category_margins
    )
    store.write_csv(
        tables.team_summary(teams, buzzes, questions, names, options["level"]), out.team_summary
    )
    store.write_csv(
        cumulative.cumulative_buzzes(shown, buzzes, exposures, teams, **resampling),
        out.cumulative_buzzes,
    )
    store.write_csv(
        tables.buzz_positions(questions, buzzes, names, **resampling), out.buzz_positions
    )
