"""The ledger of a study of answer options."""

from calscore.rule import guard

with guard(snakemake):
    import pandas as pd
    import yaml
    from calscore import store
    from calscore.options_study import ledger

    given = snakemake.input
    with open(given.published, encoding="utf-8") as handle:
        published = yaml.load(handle, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    agreement = pd.read_csv(given.agreement) if given.get("agreement") else None
    found, partial = ledger.quantities(
        store.read(given.questions),
        pd.read_csv(given.scores),
        pd.read_csv(given.types),
        agreement,
        published["facts"]["shared_judge"],
    )
    table = ledger.evaluate(published, found, partial, snakemake.params.simulated)
    store.write_csv(table, snakemake.output.claims)
