"""Tables that rest on per-clue model guesses."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import render, store
    from calscore.human import curves
    from calscore.scores import metrics, score, tables

    options, names = snakemake.params.options, snakemake.params.names
    segmentation, reductions = options["primary_segmentation"], options["reductions"]
    level = options["level"]
    questions = store.read(snakemake.input.questions)
    clues = store.read(snakemake.input.clues)
    responses = store.read(snakemake.input.responses)
    question_scores = store.read(snakemake.input.question_scores)
    model_scores = store.read(snakemake.input.model_scores)
    out = snakemake.output

    table1 = tables.table1(model_scores, segmentation, reductions, names)
    states = tables.model_states(responses, clues, segmentation, reductions)
    accuracy = tables.accuracy_by_share(
        states, ["elicitation", "model"], tables.DECILES, level, ["question_id"]
    )
    table2 = tables.table2(accuracy, names)
    here = [
        table[table["segmentation"] == segmentation]
        for table in (responses, store.read(snakemake.input.human_curve))
    ]
    shown = clues[clues["segmentation"] == segmentation]
    crowd = curves.crowds_from(store.read(snakemake.input.crowd), shown)[segmentation]
    resampling = {name: options[name] for name in ("replicates", "seed", "level")}
    two_way = tables.category_two_way(
        score.scored_rows(*here), crowd, questions, reductions, **resampling
    )
    table5 = tables.calscore_by_category(
        question_scores,
        questions,
        segmentation,
        reductions,
        names,
        **resampling,
        two_way=two_way,
    )
    extremes = tables.extreme_questions(
        question_scores, questions, segmentation, reductions, options["extreme_questions"]
    )
    buzz_given = tables.buzz_given(
        tables.as_agents(states),
        ["model", "elicitation"],
        **resampling,
    )

    store.write_csv(table1, out.table1)
    store.write_csv(table2, out.table2)
    store.write_csv(table5, out.table5)
    store.write_csv(extremes, out.extreme_questions)
    store.write_csv(accuracy, out.accuracy_by_share)
    store.write_csv(buzz_given, out.buzz_given)
    for name, table in (
        (
            "table1",
            render.table1(table1, {one.name: one.label for one in metrics.shown("table1")}, level),
        ),
        ("table2", render.table2(table2, level)),
        ("table5", render.table5(table5)),
    ):
        render.write(table, out[f"{name}_md"], out[f"{name}_tex"])
