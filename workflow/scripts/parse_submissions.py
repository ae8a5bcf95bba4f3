"""Tossup submissions, live models and human plays to tidy tables."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import findings, store
    from calscore.leaderboard import submissions

    found = []
    if snakemake.input.human_plays:
        plays, questions = submissions.read_plays(snakemake.input.human_plays)
    if snakemake.input.questions:
        questions = store.read(snakemake.input.questions)
        buzzes = store.read(snakemake.input.buzzes)
        exposures = store.read(snakemake.input.exposures)
        if not snakemake.input.human_plays:
            plays = submissions.plays(buzzes, questions)
    parts = [
        submissions.read(source["path"], source["name"]) for source in snakemake.params.sources
    ]
    runs = store.empty("runs")
    if parts:
        runs = submissions.identify(pd.concat(parts, ignore_index=True), questions, found)
        runs = submissions.finish(runs, questions, found, submissions.judge_runs)
        found += submissions.missing(runs, questions)
    if snakemake.input.questions:
        live = submissions.live_runs(buzzes, exposures, questions)
        runs = submissions.joined(runs, live)
    found += submissions.unplayed(plays, questions)
    store.write(runs, "runs", snakemake.output.runs)
    store.write(plays, "human_plays", snakemake.output.human_plays)
    store.write_csv(findings.frame(found), snakemake.output.findings)
