"""Bring the past questions in, checked."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import store
    from calscore.raw import fetch

    entry = snakemake.params.corpus
    given = Path(entry["path"]) if entry["path"] else None
    if given:
        entry = entry | {"name": given.name}
    row = fetch.bring(entry, given.parent if given else None, Path(snakemake.output.corpus))
    store.write_csv(pd.DataFrame([{"role": "corpus", **row}]), snakemake.output.manifest)
