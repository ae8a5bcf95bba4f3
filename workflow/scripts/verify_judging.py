"""What the choice of judge moves, and what an editor should look at first."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.answers import verification
    from calscore.core import store

    given, output = snakemake.input, snakemake.output
    names = ("questions", "clues", "guesses", "judgements", "responses", "human_curve")
    tables = {name: store.read(given[name]) for name in names}
    made = verification.verified(**tables, model=given.model, **snakemake.params.options)
    store.write(made["matcher_verdicts"], "matcher_verdicts", output.verdicts)
    store.write_csv(made["matchers"], output.matchers)
    store.write_csv(made["to_verify"], output.to_verify)
    store.write_csv(made["judging_disagreements"], output.disagreements)
    store.write_csv(made["verification"], output.verification)
