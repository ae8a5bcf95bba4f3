"""A study's results folder as tables: read once, by short name, with the schema that each has."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ..audit.provenance import STAGES
from .errors import DataError, Fault


class Table(NamedTuple):
    """One table on disk. ``path`` is relative to the study; ``schema`` is None for final tables."""

    name: str
    path: str
    schema: str | None


class Ran(NamedTuple):
    """A rule as it ran: name → paths of inputs, and of outputs, where they lie now; its parameters."""

    input: dict[str, list[Path]]
    output: dict[str, Path]
    params: dict


def read_csv(path):
    """A final table: numbers exactly as written, empty cells missing, nothing else taken for missing."""
    import pandas as pd

    # Later versions read floats exactly by themselves and warn of the option.
    old = tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1)
    exact = {"float_precision": "round_trip"} if old else {}
    return pd.read_csv(path, keep_default_na=False, na_values=[""], **exact)


def schema_of(path) -> str | None:
    """Name of the schema that a Parquet file carries."""
    import pyarrow.parquet as pq

    found = (pq.read_schema(path).metadata or {}).get(b"table")
    return found.decode() if found else None


def stage(path: str) -> str:
    """Folder of the flow that a file belongs to."""
    return path.split("/")[0] if "/" in path else ""


class Study:
    """The folder results/<study> with its tables, options and provenance.

    ``tables`` lists what lies there, ``study["questions"]`` reads a table (kept in memory). Names are
    file names without suffix; where two files share one, the path without suffix.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        if not (self.folder / "audit" / "provenance.json").exists():
            raise DataError(
                Fault(str(folder), "", "", None, "a results folder with audit/provenance.json")
            )
        self._frames: dict[str, object] = {}

    @cached_property
    def provenance(self) -> dict:
        """audit/provenance.json."""
        text = (self.folder / "audit" / "provenance.json").read_text(encoding="utf-8")
        return json.loads(text)

    @property
    def options(self) -> dict:
        """Options of the study as the configuration has them, defaults filled in."""
        return self.provenance["study"]["options"]

    def place(self, path: str) -> Path:
        """Where a path of the record lies now: in this folder, else beside results/ or in the project."""
        prefix = self.provenance["folder"]
        if path.startswith(prefix):
            return self.folder / path.removeprefix(prefix)
        beside = self.folder.parent.parent / path
        return beside if beside.exists() else Path(__file__).resolve().parents[3] / path

    def ran(self, rule: str) -> Ran | None:
        """A rule of the record; None where it is not there, or one of its inputs is not."""
        entry = self.provenance["rules"].get(rule)
        if entry is None:
            return None
        inputs = {key: [self.place(p) for p in paths] for key, paths in entry["input"].items()}
        if not all(path.exists() for paths in inputs.values() for path in paths):
            return None
        outputs = {key: self.place(path) for key, path in entry["names"].items()}
        return Ran(inputs, outputs, entry["params"])

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Short name → table, in the order of the flow."""
        paths = [p for p in self.provenance["titles"] if p.endswith((".parquet", ".csv"))]
        rank = {name: at for at, name in enumerate(STAGES)}
        paths.sort(key=lambda p: (rank.get(stage(p), len(STAGES)), p))
        stems = [Path(p).stem for p in paths]
        found = {}
        for path, stem in zip(paths, stems, strict=True):
            if not (self.folder / path).exists():
                continue
            name = stem if stems.count(stem) == 1 else path.rsplit(".", 1)[0]
            kind = schema_of(self.folder / path) if path.endswith(".parquet") else None
            found[name] = Table(name, path, kind)
        return found

    def __contains__(self, name: str) -> bool:
        return name in self.tables

    def __getitem__(self, name: str):
        from . import store

        if name not in self._frames:
            if name not in self.tables:
                raise DataError(
                    Fault(str(self.folder), "", "table", name, f"one of {', '.join(self.tables)}")
                )
            table = self.tables[name]
            read = store.read if table.path.endswith(".parquet") else read_csv
            self._frames[name] = read(self.folder / table.path)
        return self._frames[name]

    def get(self, name: str):
        """The table, None where the study has none of that name."""
        try:
            return self[name]
        except DataError:
            return None
