"""Tables with and without options."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.choices import render, tables
    from calscore.core import render as printing
    from calscore.core import store

    options, names, out = snakemake.params.options, snakemake.params.names, snakemake.output
    replicates, seed, level = options["replicates"], options["seed"], options["level"]
    questions = store.read(snakemake.input.questions)
    results = store.read(snakemake.input.results)
    resamples = tables.Resamples(results, replicates, seed)

    scores = tables.scores(results, resamples, names, level)
    given = results, questions
    more = resamples, names, replicates, seed, level
    types, type_draws = tables.by_group_with_draws(*given, "answer_type", *more)
    store.write_csv(scores, out.scores)
    store.write_csv(tables.readings(results, resamples, names, level), out.readings)
    store.write_csv(types, out.types)
    store.write_csv(tables.by_group(*given, "topic", *more), out.topics)
    store.write_csv(tables.by_group(*given, "all", *more), out.overall)
    store.write_csv(tables.reliability(results, names, level), out.reliability)
    store.write_csv(tables.transitions(results, names, level), out.transitions)
    store.write_csv(tables.comparisons(results, resamples, names, level), out.comparisons)
    store.write_csv(tables.distraction(resamples, level), out.distraction)
    store.write_csv(tables.contrasts(resamples, type_draws, names, level), out.contrasts)
    printing.write(render.scores(scores, level), out.scores_md, out.scores_tex)
    printing.write(render.types(types, level), out.types_md, out.types_tex)
