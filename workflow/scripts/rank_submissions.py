"""Tossup submissions scored and ranked; the leaderboard as tables, chart and page."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import store, theme
    from calscore.leaderboard import plot, ranks, replayed, submissions, tossups
    from calscore.pages import leaderboard
    from calscore.scores import tables

    options, out = snakemake.params.options, snakemake.output
    names, simulated = dict(snakemake.params.names), snakemake.params.simulated
    resampling = [options[name] for name in ("replicates", "seed", "level")]
    runs, plays = (store.read(snakemake.input[name]) for name in ("runs", "human_plays"))
    asked = runs.loc[~runs["live"], ["submission", "question_id"]]
    others = pd.DataFrame(columns=["submission", "question_id", "position", "right"])
    if snakemake.input.questions:
        questions, buzzes, exposures = (
            store.read(snakemake.input[name]) for name in ("questions", "buzzes", "exposures")
        )
        asked = pd.concat([asked, submissions.heard_live(exposures)], ignore_index=True)
        others = tossups.team_firsts(buzzes, exposures, questions)
    asked = submissions.asked(asked, runs, plays, options["missing_questions"])
    replayed.refuse(runs["submission"])
    entered = tossups.field(runs, asked, plays)
    fields = [entered]
    styles = theme.model_styles(names, runs["submission"].unique())
    if snakemake.input.buzzpoints:
        buzzpoints = store.read(snakemake.input.buzzpoints)
        rules = replayed.chosen(buzzpoints, snakemake.params.own, options["opponents"])
        responses, clues = (store.read(snakemake.input[name]) for name in ("responses", "clues"))
        shown = tables.primary(responses, options["primary_segmentation"], options["reductions"])
        beliefs = replayed.beliefs(shown, clues)
        fields.append(
            replayed.field(buzzpoints, rules, plays, options["missing_questions"], beliefs)
        )
        names |= replayed.shown_names(rules, names)
        of = dict(zip(rules["submission"], rules["model"], strict=True))
        known = theme.model_styles(snakemake.params.names, {*styles, *of.values()})
        styles = known | {submission: known[model] for submission, model in of.items()}
    fields = [one for one in fields if len(one.scored)]
    board = tossups.boards(fields, *resampling, score_stopped=options["score_early_stopped"])
    live = sorted(set(runs.loc[runs["live"], "submission"]))
    scored = pd.concat([one.scored for one in fields], ignore_index=True)
    stopped = pd.concat([one.stopped for one in fields], ignore_index=True)
    classes = tossups.classes(scored[~scored["submission"].isin(live)], options["level"])
    # Those replayed meet human teams in tables/matches.csv.
    pairs = tossups.head_to_head(entered.firsts, others, options["level"])
    terms = {}
    for one in fields:
        terms |= one.terms(options["score_early_stopped"])
    rank_table = ranks.sure(
        ranks.ranks(board), scored, plays, terms, tossups.among(fields), *resampling
    )
    store.write_csv(tossups.described(board, scored, stopped), out.leaderboard)
    store.write_csv(classes, out.classes)
    store.write_csv(rank_table, out.ranks)
    store.write_csv(pairs, out.head_to_head)
    theme.apply()
    figure = plot.ranks(rank_table, styles, names, plot.READINGS)
    theme.save(figure, out.ranks_svg, out.ranks_png, simulated)
    bonuses = None
    if snakemake.input.bonuses:
        bonuses = pd.read_csv(snakemake.input.bonuses).fillna({"note": ""})
    text = leaderboard.render(
        snakemake.params.title,
        board,
        rank_table,
        classes,
        pairs,
        stopped,
        live,
        names,
        Path(out.ranks_svg).read_text(encoding="utf-8"),
        options["level"],
        options["replicates"],
        simulated,
        bonuses,
    )
    Path(out.page).write_text(text, encoding="utf-8")
