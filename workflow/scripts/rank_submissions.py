"""Tossup submissions scored and ranked; the leaderboard as tables, chart and page."""

from pathlib import Path

from calscore.rule import guard

with guard(snakemake):
    import pandas as pd
    from calscore import store, theme
    from calscore.leaderboard import page, plots, submissions, tossups

    options, out = snakemake.params.options, snakemake.output
    names, simulated = snakemake.params.names, snakemake.params.simulated
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
    firsts = tossups.first_buzzes(runs, asked)
    scored = tossups.against_humans(firsts, plays)
    stopped = tossups.early_stopped(runs)
    board = tossups.leaderboard(
        scored,
        tossups.calibration_sums(runs, plays),
        stopped,
        options["replicates"],
        options["seed"],
        options["level"],
        options["score_early_stopped"],
    )
    live = sorted(set(runs.loc[runs["live"], "submission"]))
    classes = tossups.classes(firsts[~firsts["submission"].isin(live)])
    pairs = tossups.head_to_head(firsts, others, options["level"])
    ranks = tossups.ranks(board)
    store.write_csv(tossups.described(board, scored, stopped), out.leaderboard)
    store.write_csv(classes, out.classes)
    store.write_csv(ranks, out.ranks)
    store.write_csv(pairs, out.head_to_head)
    theme.apply()
    figure = plots.bump(
        board, theme.model_styles(names, board["submission"]), names, plots.READINGS
    )
    theme.save(figure, out.ranks_svg, out.ranks_png, simulated)
    bonuses = None
    if snakemake.input.bonuses:
        bonuses = pd.read_csv(snakemake.input.bonuses).fillna({"note": ""})
    text = page.render(
        snakemake.params.title,
        board,
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
