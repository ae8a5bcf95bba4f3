"""Quizbowl statistics, and the buzz-point figures."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store, theme
    from calscore.tournament import plot, stats

    options, out = snakemake.params.options, snakemake.output
    names = ("questions", "plays", "heard", "rosters", "clues", "human_curve")
    tables = {name: store.read(snakemake.input[name]) for name in names}
    played = [tables[name] for name in ("plays", "heard", "rosters", "questions")]
    found = stats.tables(*played, options["level"])
    for name in ("teams", "players", "categories", "team_categories"):
        store.write_csv(found[name], out[name])
    store.write_csv(found["questions"], out.per_question)
    curves = stats.all_curves(*(tables[name] for name in ("plays", "heard", "questions")))
    store.write_csv(curves, out.curves)

    h = stats.mean_h(
        tables["human_curve"], tables["clues"], tables["questions"], options["primary_segmentation"]
    )
    theme.apply()
    shown = stats.shown_questions(found["questions"], options["buzzpoint_questions"])
    figure = plot.buzzpoints_questions(curves, h, found["questions"], shown)
    theme.save(figure, out.questions_svg, out.questions_png, snakemake.params.simulated)
    shown = stats.shown_teams(found["teams"], options["buzzpoint_teams"])
    field = stats.field_curve(h, tables["heard"], shown)
    figure = plot.buzzpoints_teams(curves, field, found["teams"], shown, snakemake.params.names)
    theme.save(figure, out.teams_svg, out.teams_png, snakemake.params.simulated)
