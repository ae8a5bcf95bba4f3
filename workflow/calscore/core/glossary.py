"""What the columns of final tables mean, where no schema of their own says it."""

from __future__ import annotations

from functools import cache

from .package import FOLDER

FILE = FOLDER / "tables" / "glossary.yaml"
ENDS = {
    "_low": "Lower end of the interval of {}.",
    "_high": "Upper end of the interval of {}.",
    "_rank": "Rank by {}, 1 is best.",
    "_n": "Answers that {} rests on.",
}


@cache
def _words() -> dict:
    import yaml

    from . import store

    found = {}
    for path in sorted(store.SCHEMAS.glob("*.yaml")):
        for name, spec in store.schema(path.stem)["columns"].items():
            found.setdefault(name, spec)
    return found | yaml.safe_load(FILE.read_text(encoding="utf-8"))


def column(name: str) -> dict:
    """Description and unit of a column by its name; the description is empty where none is known.

    Words of workflow/schemas/glossary.yaml first, then those of the table schemas, then names that end
    in _low, _high, _rank or _n by what comes before.
    """
    words = _words()
    if name in words:
        return words[name]
    for end, sentence in ENDS.items():
        if name.endswith(end) and column(name.removesuffix(end))["description"]:
            return {"description": sentence.format(name.removesuffix(end))}
    return {"description": ""}
