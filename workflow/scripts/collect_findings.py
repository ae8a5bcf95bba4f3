"""Findings of all stages in one table, and what the inputs do not allow."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import catalog, findings, store

    parts = [
        pd.read_csv(path, dtype="str", keep_default_na=False)
        for name, path in snakemake.input.items()
        if name != "code" and path
    ]
    table = pd.concat(parts, ignore_index=True)
    store.check(table, "findings")
    store.write_csv(findings.ordered(table), snakemake.output.findings)
    rows = catalog.unavailable(set(snakemake.params.features))
    columns = ["product", "title", "missing"]
    store.write_csv(pd.DataFrame(rows, columns=columns), snakemake.output.unavailable)
