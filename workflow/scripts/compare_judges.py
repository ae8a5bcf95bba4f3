"""Agreement of judges."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import store
    from calscore.options_study import agreement

    options, given = snakemake.params.options, snakemake.input
    results = store.read(given.results)
    people = store.read(given.annotations) if given.get("annotations") else None
    table = agreement.agreement(
        results, people, options["replicates"], options["seed"], options["level"]
    )
    store.write_csv(table, snakemake.output.agreement)
    store.write_csv(agreement.confusion(results), snakemake.output.verdicts)
