"""What the choice of judge moves, and what an editor should look at first."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.answers import equivalence, judging, verification
    from calscore.core import store
    from calscore.scores import score

    given, options = snakemake.input, snakemake.params.options
    segmentation, reductions = options["primary_segmentation"], options["reductions"]
    questions = store.read(given.questions)
    model = equivalence.Model.from_json(Path(given.model).read_text(encoding="utf-8"))
    clues = store.read(given.clues)
    clues = clues[clues["segmentation"] == segmentation]
    guesses = store.read(given.guesses)
    used = store.read(given.judgements)
    human_curve = store.read(given.human_curve)
    human_curve = human_curve[human_curve["segmentation"] == segmentation]
    resampling = {key: options[key] for key in ("replicates", "seed", "level")}

    guesses["condition"] = judging.conditions(guesses, questions)
    distinct = guesses[guesses["guess"].notna()]

    def headline(judgements, mode="engine"):
        right = judging.verdicts(guesses, judgements, mode)
        responses = judging.responses(clues, guesses, right, {})
        # Intervals are those of table 1; here only the values are wanted.
        rows = score.scored_rows(responses, human_curve)
        per_question, sh = score.question_scores(rows), score.sh_scores(rows)
        table = score.model_scores(rows, per_question, sh, replicates=100, seed=0, level=0.95)
        return (
            verification.headline(table, segmentation, reductions),
            list(score.studies(rows, per_question, sh)),
        )

    by_judge = {"as used": headline(used, options["judging"])}
    judged = {
        name: judging.judge(distinct, questions, matcher=name, model=model)[0]
        for name in equivalence.MATCHERS
    }
    by_judge |= {name: headline(table) for name, table in judged.items()}
    verdicts = verification.by_matcher(judged)
    store.write(verdicts, "matcher_verdicts", snakemake.output.verdicts)
    if guesses["correct_given"].notna().any():
        by_judge["given"] = headline(judged["engine"], "given")
    bounds = verification.bounds(
        {name: found for name, (_, found) in by_judge.items()}, "as used", **resampling
    )
    by_judge = {name: table for name, (table, _) in by_judge.items()}
    store.write_csv(
        verification.differences(by_judge, "as used", bounds), snakemake.output.matchers
    )

    responses = store.read(given.responses)
    shown = responses[(responses["segmentation"] == segmentation) & responses["guess"].notna()]
    shown = shown.drop_duplicates(["model", "elicitation", "question_id", "clue"])
    shown = shown.assign(condition=judging.conditions(shown, questions))
    store.write_csv(verification.to_verify(used, shown, questions), snakemake.output.to_verify)

    engine_right = judging.verdicts(guesses, judged["engine"])
    store.write_csv(
        verification.disagreements(guesses, engine_right), snakemake.output.disagreements
    )
    rows = verification.agreements(used, judged["engine"], guesses, engine_right, **resampling)
    rows += verification.moved(by_judge["as used"], by_judge["engine"])
    store.write_csv(pd.DataFrame(rows), snakemake.output.verification)
