"""A tournament's files: brought in under their roles, and read as tidy tables."""

from __future__ import annotations

import shutil
from pathlib import Path

from ..core import digest
from ..core.errors import DataError
from . import buzz_csv, log, qbj
from .names import conceal

SUFFIXES = {"qbj": (".qbj", ".json"), "packets": (".json",)}
"""Role of a folder → endings of its files; the other roles are files."""


def within(role: str, source) -> list[Path]:
    """Files of a source: those of the folder's, or the file itself."""
    if role not in SUFFIXES:
        return [Path(source)]
    return sorted(p for p in Path(source).rglob("*") if p.suffix.lower() in SUFFIXES[role])


def collected(folder: Path, sources: dict[str, str], simulated: Path | None = None) -> dict:
    """Files of ``sources`` (role → folder or file) copied to ``folder``, and raw/manifest.

    The folder ``simulated`` is that of the match files where the workflow made them.
    """
    import pandas as pd

    folder.mkdir(parents=True)
    rows = []
    for role, source in ({"qbj": simulated} if simulated else sources).items():
        files = within(role, source)
        if not files:
            expected = f"files that end in {', '.join(SUFFIXES[role])}"
            raise DataError.at(str(source), "", "", None, expected)
        for file in files:
            of_folder = role in SUFFIXES
            name = file.relative_to(source).as_posix() if of_folder else f"{role}.csv"
            target = folder / role / name if of_folder else folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            size, sha256 = target.stat().st_size, digest.sha256(target)
            rows.append((role, name, file.name, size, sha256, False))
    columns = ["role", "file", "source", "bytes", "sha256", "checked"]
    return {"manifest": pd.DataFrame(rows, columns=columns)}


def tidy(
    folder: Path,
    category_aliases: dict,
    categories: dict,
    models: dict,
    packets: dict[str, str],
    names: str,
    buzz_position_base: int,
    seed: int,
) -> dict:
    """Tables of a folder of :func:`collected` and what is odd in its files; names as ``names`` says."""
    if (folder / "qbj").is_dir():
        found = qbj.read_folder(folder / "qbj")
    else:
        heard = folder / "heard.csv"
        heard = heard if heard.exists() else None
        place = folder / "buzzes.csv", heard, folder / "packets"
        found = buzz_csv.read(*place, buzz_position_base)
    tables = log.resolve(found, category_aliases, categories, models, packets)
    tables, odd = conceal(tables, found, names, seed)
    return {**tables, "findings": odd}
