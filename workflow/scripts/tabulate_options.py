"""Tables with and without options."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import render as printing
    from calscore import store
    from calscore.options_study import render, tables

    options, names, out = snakemake.params.options, snakemake.params.names, snakemake.output
    replicates, seed, level = options["replicates"], options["seed"], options["level"]
    questions = store.read(snakemake.input.questions)
    results = store.read(snakemake.input.results)
    resamples = tables.Resamples(results, replicates, seed)

    scores = tables.scores(results, resamples, names, level)
    groups = {
        column: tables.by_group(
            results, questions, column, resamples, names, replicates, seed, level
        )
        for column in ("answer_type", "topic", "all")
    }
    store.write_csv(scores, out.scores)
    store.write_csv(tables.readings(results, names), out.readings)
    store.write_csv(groups["answer_type"], out.types)
    store.write_csv(groups["topic"], out.topics)
    store.write_csv(groups["all"], out.overall)
    store.write_csv(tables.reliability(results, names, level), out.reliability)
    store.write_csv(tables.transitions(results, names, level), out.transitions)
    store.write_csv(tables.comparisons(results, resamples, names, level), out.comparisons)
    store.write_csv(tables.distraction(results, resamples, level), out.distraction)
    printing.write(render.scores(scores, level), out.scores_md, out.scores_tex)
    printing.write(render.types(groups["answer_type"]), out.types_md, out.types_tex)
