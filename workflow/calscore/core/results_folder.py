"""A study's results folder as tables: read once, by short name, as declared."""

import json
from functools import cached_property
from pathlib import Path

from . import catalog, store
from .errors import DataError


class Study:
    """The folder results/<study>: tables, options and provenance; ``DataError`` without its
    audit/provenance.json. ``tables`` lists its tables, ``study["questions"]`` reads a table (kept in
    memory)."""

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        if not (self.folder / "audit" / "provenance.json").exists():
            raise DataError.at(str(folder), "", "", None, "a results folder with audit/provenance.json")
        self._frames: dict[str, object] = {}

    @cached_property
    def provenance(self) -> dict:
        """Content of audit/provenance.json, read from the folder once; a property."""
        text = (self.folder / "audit" / "provenance.json").read_text(encoding="utf-8")
        return json.loads(text)

    @property
    def options(self) -> dict:
        """Options of the study as the configuration has them, defaults filled in."""
        return self.provenance["study"]["options"]

    @property
    def names(self) -> dict[str, str]:
        """Key of a model → the name that readers see."""
        return {key: model["name"] for key, model in self.options["models"].items()}

    @cached_property
    def tables(self) -> dict[str, catalog.Product]:
        """Name → declaration of each table of the provenance that lies there, in the order of
        :func:`.catalog.products`."""
        return {
            item.name: item
            for item in catalog.products()
            if item.kind == "table" and item.file in self.provenance["titles"] and self.has(item.file)
        }

    def has(self, path: str) -> bool:
        """Whether the folder has a file or folder at this relative path."""
        return (self.folder / path).exists()

    def __contains__(self, name: str) -> bool:
        return name in self.tables

    def __getitem__(self, name: str):
        if name not in self._frames:
            if name not in self.tables:
                raise DataError.at(str(self.folder), "", "table", name, f"one of {', '.join(self.tables)}")
            self._frames[name] = store.load(self.folder / self.tables[name].file, name)
        return self._frames[name]

    def get(self, name: str):
        """The table as a frame; None if the study has none of that name (``study[name]`` raises ``DataError``)."""
        return self[name] if name in self.tables else None
