"""Agreement of judges."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.choices import agreement
    from calscore.core import store

    options, given = snakemake.params.options, snakemake.input
    results = store.read(given.results)
    people = store.read(given.annotations) if given.get("annotations") else None
    table = agreement.agreement(
        results, people, options["replicates"], options["seed"], options["level"]
    )
    store.write_csv(table, snakemake.output.agreement)
    store.write_csv(agreement.confusion(results), snakemake.output.verdicts)
