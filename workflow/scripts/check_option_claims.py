"""The ledger of a study of answer options."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    import yaml
    from calscore.choices import ledger
    from calscore.core import store

    given = snakemake.input
    with open(given.published, encoding="utf-8") as handle:
        published = yaml.load(handle, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    names = ("scores", "types", "comparisons", "distraction", "contrasts", "agreement")
    tables = {name: pd.read_csv(given[name]) for name in names if given.get(name)}
    found, partial, intervals = ledger.quantities(
        store.read(given.questions), tables, published["facts"]["shared_judge"]
    )
    table = ledger.evaluate(published, found, partial, intervals, snakemake.params.simulated)
    store.write_csv(table, snakemake.output.claims)
