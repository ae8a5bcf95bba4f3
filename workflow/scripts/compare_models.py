"""Differences between models, elicitations and humans."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.human import curves, precision
    from calscore.inference import comparisons
    from calscore.scores import score

    given, out, options = snakemake.input, snakemake.output, snakemake.params.options
    names = snakemake.params.names
    questions = store.read(given.questions)
    crowds = curves.crowds(*(store.read(given[name]) for name in ("clues", "buzzes", "exposures")))
    rows = score.scored_rows(store.read(given.responses), store.read(given.human_curve))
    compared, ranks = comparisons.compare(
        rows,
        store.read(given.question_scores),
        store.read(given.sh_scores),
        questions,
        crowds,
        **options,
    )
    store.write(compared, "differences", out.comparisons)
    store.write(ranks, "ranks", out.rank_probabilities)
    segmentation = options["primary_segmentation"]
    shown = rows[rows["segmentation"] == segmentation].reset_index(drop=True)
    resampling = {key: options[key] for key in ("replicates", "seed", "level")}
    human_table = precision.answers(shown, crowds[segmentation], **resampling)
    store.write(human_table, "model_minus_human", out.model_minus_human)
    store.write_csv(human_table, out.human_table)
    shown = comparisons.shown(compared, segmentation, options["reductions"], names)
    store.write_csv(shown, out.comparisons_table)
    store.write_csv(
        comparisons.ranks_shown(ranks, segmentation, options["reductions"], names), out.ranks_table
    )
