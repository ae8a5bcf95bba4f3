"""A tournament's files: brought in under their roles, and read as tidy tables."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core import checksums
from ..core.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

FILES = {"database": "database.db"}
"""Role of a file → its name in raw/tournament; the others are <role>.csv."""
SUFFIXES = {"qbj": (".qbj", ".json"), "packets": (".json",)}
"""Role of a folder → endings of its files; the other roles are files."""

NAMES = "names.json"
"""What numbered files of raw/tournament were called: role and number → path."""


def _read_members(folder: Path, role: str) -> tuple[dict[str, bytes], dict[str, str]]:
    """(path as the user had it → content, the same path → path below ``folder/role``) of a role's files. The two paths differ
    where :func:`copy_sources` numbered them."""
    record = folder / NAMES
    lookup = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    paths = {}
    for path in source_files(role, folder / role):
        name = path.relative_to(folder / role).as_posix()
        paths[lookup.get(f"{role}/{name}", name)] = name
    return {came: (folder / role / name).read_bytes() for came, name in sorted(paths.items())}, paths


def source_files(role: str, source: str | Path) -> list[Path]:
    """Files of a source, sorted: of a folder (roles qbj and packets) those at any depth with the role's endings, [] if none.
    For other roles [``source``] as a path, whether it exists or not."""
    if role not in SUFFIXES:
        return [Path(source)]
    endings = SUFFIXES[role]
    return sorted(p for p in Path(source).rglob("*") if p.is_file() and p.suffix.lower() in endings)


def copy_sources(
    folder: Path, sources: dict[str, str], names: str, simulated: Path | None = None
) -> dict[str, pd.DataFrame]:
    """Copy the files of ``sources`` (role → folder or file) to the new ``folder``: {"manifest": table}, a row for each file.
    ``simulated``: folder of match files that the workflow wrote, copied in place of ``sources``. Unless ``names`` is "keep",
    files of folders get numbers for names and :data:`NAMES` records the old ones. ``DataError`` for a folder without such files
    and a database with an unwritten log; ``FileExistsError`` if ``folder`` exists, ``FileNotFoundError`` for a missing file."""
    import pandas as pd

    folder.mkdir(parents=True)
    rows, hidden = [], {}
    for role, source in ({"qbj": simulated} if simulated else sources).items():
        files = source_files(role, source)
        if not files:
            expected = f"files that end in {', '.join(SUFFIXES[role])}"
            raise DataError.at(str(source), "", "", None, expected)
        log = Path(f"{source}-wal")
        if role == "database" and log.exists() and log.stat().st_size:
            expected = "none beside a database: it holds rows that the database lacks until it is closed"
            raise DataError.at(log.name, "", "", f"{log.stat().st_size} bytes", expected)
        if role in SUFFIXES:
            target = folder / role
            called = {file.relative_to(source).as_posix(): file for file in files}
            if names != "keep":
                originals = _neutral_names(called)
                hidden |= {f"{role}/{name}": path for name, path in originals.items()}
                called = {name: called[path] for name, path in originals.items()}
        else:
            target, called = folder, {FILES.get(role, f"{role}.csv"): files[0]}
        for name, file in sorted(called.items()):
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, path)
            source_name = file.name if names == "keep" else path.name
            size, sha256 = path.stat().st_size, checksums.sha256(path)
            rows.append((role, name, source_name, size, sha256, False))
    if hidden:
        text = json.dumps(hidden, ensure_ascii=False, indent=1, sort_keys=True)
        (folder / NAMES).write_text(text + "\n", encoding="utf-8")
    columns = ["role", "file", "source", "bytes", "sha256", "checked"]
    return {"manifest": pd.DataFrame(rows, columns=columns)}


def _neutral_names(files: dict[str, Path]) -> dict[str, str]:
    """ "file NN" with the old ending → key of ``files`` (name → path), numbered in the order of their checksums."""
    order = sorted(files, key=lambda name: (checksums.sha256(files[name]), name))
    width = max(2, len(str(len(order))))
    return {
        f"file {number:0{width}d}{files[name].suffix.lower()}": name
        for number, name in enumerate(order, start=1)
    }


def tidy_tournament(
    folder: Path,
    category_aliases: dict[str, str],
    categories: dict[str, list[str]],
    models: Collection[str],
    packets: dict[str, str],
    names: str,
    buzz_position_base: int,
    phases: dict[str, list[str]],
    exclude_from_individual: list[str],
    title: str = "qbj",
) -> dict[str, Any]:
    """All tables of :func:`.match_log.tidy_tables`, with its options (``exclude_from_individual``:
    ``exclude``), and ``findings`` (list), from a folder of :func:`copy_sources`. It reads qbj/ if there
    (``title``: as :func:`.qbj.read_qbj_files`), else the database, else the buzz CSV (``buzz_position_base``:
    ``base`` of :func:`.buzz_csv.read_buzz_csv`). Unless ``names`` is "keep", names become pseudonyms."""
    # The rules read this module too, and no table.
    from . import buzz_csv, match_log, qbj, sqlite
    from .names import conceal, secret_key

    paths = {}
    if (folder / "qbj").is_dir():
        members, paths = _read_members(folder, "qbj")
        result = qbj.read_qbj_files(members, title)
    elif (folder / FILES["database"]).exists():
        result = sqlite.read_database(folder / FILES["database"])
    else:
        heard, rosters, scored = (
            path if path.exists() else None
            for path in (folder / f"{role}.csv" for role in ("heard", "rosters", "bonuses"))
        )
        packs = _read_members(folder, "packets")[0]
        buzzes = folder / "buzzes.csv"
        result = buzz_csv.read_buzz_csv(buzzes, heard, packs, buzz_position_base, rosters, scored)
    result.paths = paths
    declared = phases, exclude_from_individual
    tables = match_log.tidy_tables(result, category_aliases, categories, models, packets, *declared)
    if names != "keep":
        tables, result.findings = conceal(tables, result, secret_key())
    return {**tables, "findings": result.findings}
