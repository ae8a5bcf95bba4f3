"""Printed numbers of a published file, as its section ``examine`` declares them; see :data:`EXAMINE`."""

import json
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from functools import cache, partial
from typing import Any, NamedTuple

from ..core.errors import DataError
from ..core.package import FOLDER
from ..core.schema import schema_faults, suggestion

EXAMINE = FOLDER / "ledger" / "examine.json"
AS_PRINTED, EXCHANGED = "as_printed", "exchanged"
ErrorFactory = Callable[..., Exception]


class Cell(NamedTuple):
    """One printed number. ``keys``: axis → key as printed; ``low`` and ``high``: the range that rounds to it,
    percent divided by 100; ``spec``: its table's entry in ``examine``."""

    table: str
    keys: dict[str, str]
    metric: str
    text: str
    low: float
    high: float
    spec: dict

    @property
    def name(self) -> str:
        """Keys joined by `` · ``, shares with %, and the metric where it is no axis."""
        labels = [f"{k}%" if axis == "share" else k for axis, k in self.keys.items()]
        return " · ".join(labels if "metric" in self.keys else [*labels, self.metric])

    @property
    def of_the_study(self) -> bool:
        """Whether its keys are those that ``where`` of its table names; true without ``where``."""
        return all(self.keys.get(axis) == key for axis, key in self.spec.get("where", {}).items())


@cache
def schema() -> dict:
    """JSON Schema of the section ``examine``."""
    return json.loads(EXAMINE.read_text(encoding="utf-8"))


def value_at(published: dict, path: str, fault: ErrorFactory, column: str) -> Any:
    """The value at a dotted path; raises ``fault(column, path, expectation)`` where a key is missing."""
    value = published
    for key in str(path).split("."):
        options = {str(k): k for k in value} if isinstance(value, dict) else {}
        if key not in options:
            meant = suggestion(key, options) or f"one of {', '.join(options) or 'no keys'}"
            raise fault(column, path, f"a path; no key {key!r}, {meant}")
        value = value[options[key]]
    return value


def rounding(text: object, decimals: int, unit: str, fault: ErrorFactory) -> tuple[float, float]:
    """(low, high) of the numbers that are printed as ``text`` with ``decimals``; divided by 100 if ``unit``
    is percent. Raises ``fault`` for what is no number or has more decimals."""
    try:
        value = Decimal(str(text))
        digits = -int(value.as_tuple().exponent)
    except (InvalidOperation, ValueError, TypeError):
        raise fault("", text, "a number") from None
    if digits > decimals:
        raise fault("", text, f"at most {decimals} digits after the point, as declared")
    half = Decimal(1).scaleb(-decimals) / 2
    scale = 100 if unit == "percent" else 1
    return float((value - half) / scale), float((value + half) / scale)


def cells(published: dict) -> list[Cell]:
    """Every printed number of the tables that ``examine`` declares, in order; [] without that section. Raises
    ``DataError`` for a wrong declaration or number."""
    parsed, names, file = [], set(), str(published.get("file", "published file"))
    section = published.get("examine", {})
    if faults := schema_faults(section, schema(), f"{file}, examine"):
        raise DataError(faults)
    for number, spec in enumerate(section.get("tables", [])):
        fault, axes = partial(DataError.at, file, f"examine/tables/{number}"), spec["axes"]
        if spec["table"] in names:
            raise fault("table", spec["table"], "a name used once")
        names.add(spec["table"])
        if ("metric" in axes) == ("metric" in spec):
            raise fault("metric", spec.get("metric"), "either an axis metric or this key")
        for axis in spec.get("where", {}):
            if axis not in axes:
                raise fault("where", axis, f"one of {', '.join(axes)}")
        decimals = spec["decimals"]
        if isinstance(decimals, str):
            decimals = value_at(published, decimals, fault, "decimals")
        if not isinstance(decimals, int):
            raise fault("decimals", decimals, "a number, or the path of one")
        values = value_at(published, spec["values"], fault, "values")
        for keys, text in _leaves(values, axes, file, spec["values"]):
            path = ".".join([spec["values"], *map(str, keys)])
            of_cell = partial(DataError.at, file, path)
            low, high = rounding(text, decimals, spec.get("unit", "share"), of_cell)
            named = dict(zip(axes, map(str, keys), strict=True))
            metric = named.get("metric", spec.get("metric"))
            parsed.append(Cell(spec["table"], named, metric, str(text), low, high, spec))
    return parsed


def _leaves(
    values: object, axes: list[str], file: str, path: str, keys: tuple = ()
) -> Iterator[tuple[tuple, object]]:
    """Yields (keys, number) of a nested printed table, one level for each of ``axes``; ``DataError`` for another depth."""
    place = ".".join(map(str, (path, *keys)))
    if axes and (not isinstance(values, dict) or not values):
        raise DataError.at(file, place, "", values, f"a mapping whose keys are {axes[0]}")
    if not axes and isinstance(values, dict | list):
        raise DataError.at(file, place, "", values, "a number: axes has too few levels")
    if not axes:
        yield keys, values
    for key in values if axes else ():
        yield from _leaves(values[key], axes[1:], file, path, (*keys, key))
