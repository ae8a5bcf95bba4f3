"""Bring a tournament's files in, listed with their checksums."""

import shutil
from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import store
    from calscore.core.errors import DataError, Fault
    from calscore.raw import fetch

    folder = Path(snakemake.output.folder)
    folder.mkdir(parents=True)
    rows = []
    for role, source in snakemake.params.sources.items():
        path = Path(source)
        suffixes = {"qbj": (".qbj", ".json"), "packets": (".json",)}.get(role)
        if suffixes:
            files = sorted(p for p in path.rglob("*") if p.suffix.lower() in suffixes)
            names = [p.relative_to(path).as_posix() for p in files]
        else:
            files, names = [path], [f"{role}.csv"]
        if not files:
            raise DataError(
                Fault(str(path), "", "", None, f"files that end in {', '.join(suffixes)}")
            )
        for file, name in zip(files, names, strict=True):
            target = folder / role / name if suffixes else folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            rows.append(
                {
                    "role": role,
                    "file": name,
                    "source": file.name,
                    "bytes": target.stat().st_size,
                    "sha256": fetch.sha256(target),
                    "checked": False,
                }
            )
    store.write_csv(pd.DataFrame(rows), snakemake.output.manifest)
