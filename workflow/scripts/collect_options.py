"""Bring the question file and the results in, checked, under their original names."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import store
    from calscore.raw import fetch

    folder = Path(snakemake.output.folder)
    folder.mkdir(parents=True)
    rows = [
        {"role": role, **fetch.bring(entry, snakemake.params.folder, folder / entry["name"])}
        for role, entry in snakemake.params.files.items()
    ]
    store.write_csv(pd.DataFrame(rows), snakemake.output.manifest)
