"""Thresholds, buzzpoints and expected wins."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.answers import judging
    from calscore.buzzing import thresholds
    from calscore.core import store

    given, options = snakemake.input, snakemake.params.options
    questions = store.read(given.questions)
    sets = []
    if given.guesses:
        guesses = store.read(given.guesses)
        guesses["condition"] = judging.conditions(guesses, questions)
        right = judging.verdicts(guesses, store.read(given.judgements), snakemake.params.judging)
        sets.append(thresholds.states(guesses, right, questions, "study"))
    if given.past_runs:
        runs = store.read(given.past_runs)
        past_questions = store.read(given.past_questions)
        sets.append(thresholds.states(runs, runs["correct"], past_questions, "past"))
    resampling = {name: options[name] for name in ("replicates", "seed", "level")}
    crowd = questions, store.read(given.buzzes), store.read(given.exposures)
    points = thresholds.opponent_points(*crowd)
    curves = thresholds.curves(points)
    found = thresholds.analyse(
        pd.concat(sets, ignore_index=True),
        curves,
        options["thresholds"],
        options["folds"],
        **resampling,
    )
    store.write(found["buzzpoints"], "buzzpoints", snakemake.output.buzzpoints)
    for name in ("thresholds", "expected_wins"):
        table = found[name]
        names = table["model"].map(snakemake.params.names).fillna(table["model"])
        table.insert(2, "name", names)
        store.write_csv(table, snakemake.output[name])
    bounds = thresholds.opponent_bounds(*crowd, **resampling)
    store.write_csv(thresholds.opponents_table(points, curves, bounds), snakemake.output.opponents)
