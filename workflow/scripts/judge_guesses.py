"""Verdicts on model guesses, and what each model believed at each clue."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.answers import judging
    from calscore.core import findings, store

    given, params = snakemake.input, snakemake.params
    questions, clues = store.read(given.questions), store.read(given.clues)
    made = judging.judged_guesses(
        questions,
        clues,
        store.read(given.guesses),
        given.overrides or None,
        given.model,
        params.matcher,
        params.judging,
        params.thresholds,
    )
    parents = {"questions": questions, "clues": clues}
    for name in ("judgements", "responses"):
        store.write(made[name], name, snakemake.output[name], parents)
    store.write_csv(findings.frame(made["findings"]), snakemake.output.findings)
