"""Replayed matches and the win matrix."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.buzzing import matches
    from calscore.core import store

    given, options = snakemake.input, snakemake.params.options
    questions = store.read(given.questions)
    buzzes, exposures = store.read(given.buzzes), store.read(given.exposures)
    points_of = [matches.live_points(buzzes, exposures)]
    if given.buzzpoints:
        buzzpoints = store.read(given.buzzpoints)
        points_of.append(
            matches.replayed_points(buzzpoints, matches.shown(buzzpoints, options["opponents"]))
        )
    table = matches.pairs(pd.concat(points_of, ignore_index=True), buzzes, exposures, questions)
    played = matches.replay(table, options["match_points"])
    resampling = {name: options[name] for name in ("replicates", "seed", "level")}
    found = matches.matches(played, snakemake.params.names, **resampling)
    store.write_csv(found, snakemake.output.matches)
    store.write_csv(matches.win_matrix(found, options["level"]), snakemake.output.win_matrix)
