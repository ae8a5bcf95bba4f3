"""Verdicts on model guesses, and what each model believed at each clue."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.answers import equivalence, judging
    from calscore.core import findings, store

    questions = store.read(snakemake.input.questions)
    model = equivalence.Model.from_json(Path(snakemake.input.model).read_text(encoding="utf-8"))
    clues = store.read(snakemake.input.clues)
    guesses = store.read(snakemake.input.guesses)
    overrides = None
    if snakemake.input.overrides:
        overrides = judging.read_overrides(snakemake.input.overrides, questions)
    guesses["condition"] = judging.conditions(guesses, questions)
    judgements, found = judging.judge(
        guesses[guesses["guess"].notna()], questions, overrides, snakemake.params.matcher, model
    )
    right = judging.verdicts(guesses, judgements, snakemake.params.judging)
    responses = judging.responses(clues, guesses, right, snakemake.params.thresholds)

    parents = {"questions": questions, "clues": clues}
    store.write(judgements, "judgements", snakemake.output.judgements, parents)
    store.write(responses, "responses", snakemake.output.responses, parents)
    store.write_csv(findings.frame(found), snakemake.output.findings)
