"""Every final table has bounds beside what it estimates, or its declaration says why not.

A number is taken for an estimate where it has fractions, is a rank, or has the unit of a measurement
(:data:`MEASURED`); so a new column without bounds fails until it is declared with bounds or a reason.
"""

import re
from pathlib import Path

import pandas as pd
import pytest
from calscore.core import catalog, store

END = re.compile(r"(^|_)(low|high)$")
ERROR = re.compile(r"(^|_)se(_|$)|standard_error$|^n_effective$")
"""How sure a number is, in other words than two bounds."""
PROBABILITY = re.compile(r"^p$|^p_|_p(_|$)|(^|_)rank_\d+$|(^|_)draws_a_better$")
"""What a test or resampling says of a comparison: it says itself how sure that is."""
COORDINATE = re.compile(r"^(revealed|coverage|threshold|predicted)$")
"""Where on a curve the row lies."""
RANK = re.compile(r"^rank$|_rank$")
MEASURED = re.compile(r"share|ratio|to 1|most 1|logits|nats| per |(score|ECE) points|is best|better")
"""Units of measurements; other units count."""

FINAL = [one.name for one in catalog.products() if one.kind == "table" and one.file.startswith("tables/")]


def estimates(name: str, table: pd.DataFrame) -> set[str]:
    """Columns that are taken for estimates."""
    found, declared = set(), catalog.table(name)
    for column, values in table.items():
        number = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
        # A column without values may be one of numbers: its unit tells.
        if not number and values.notna().any():
            continue
        if any(kind.search(column) for kind in (END, ERROR, PROBABILITY, COORDINATE)):
            continue
        unit = (catalog.column_of(column, declared) or {}).get("unit", "")
        fractions = number and (values.dropna() % 1 != 0).any()
        if fractions or RANK.search(column) or MEASURED.search(unit):
            found.add(column)
    return found


def faults(name: str, table: pd.DataFrame) -> list[str]:
    """Estimates without bounds, values whose bounds are empty, bounds in the wrong order."""
    if table.empty:
        return []
    declared, found = catalog.table(name), []
    for column in sorted(estimates(name, table)):
        spec = catalog.column_of(column, declared) or {}
        if not (spec.get("bounds") or spec.get("unbounded") or declared.get("unbounded")):
            found.append(f"{name}.{column}: no bounds")
    for column, spec in declared["columns"].items():
        bounded = pd.Series(False, index=table.index)
        for low, high in spec.get("bounds", []):
            if not {low, high} <= set(table):
                found.append(f"{name}.{column}: no columns {low}, {high}")
                continue
            both = table[[low, high]].notna().all(axis=1)
            bounded |= both
            if (table.loc[both, low] > table.loc[both, high]).any():
                found.append(f"{name}.{low}: above {high}")
        values = table[column].notna() if column in table else bounded
        if spec.get("bounds") and (values & ~bounded).any() and "bounds_missing" not in spec:
            found.append(f"{name}.{column}: values with empty bounds")
    return found


def of_study(folder: Path) -> dict[str, pd.DataFrame]:
    """Final tables of a study, by name."""
    paths = {name: folder / catalog.product(name, "table").file for name in FINAL}
    return {name: store.load(path, name) for name, path in paths.items() if path.exists()}


@pytest.mark.parametrize("study", ["demo", "grace", "demo_options"])
def test_every_estimate_of_a_study_has_bounds(request, study):
    tables = of_study(request.getfixturevalue(study))
    assert len(tables) > 8
    assert [fault for name, table in tables.items() for fault in faults(name, table)] == []


def test_what_lacks_bounds_is_named(monkeypatch):
    number = {"type": "number", "unit": "share"}
    columns = {"model": {"type": "string"}, "n": {"type": "integer"}, "rank": {"type": "integer"}}
    columns["accuracy"] = number | {"bounds": [["low", "high"]]}
    declared = {"columns": columns | dict.fromkeys(("low", "high", "gain"), number)}
    monkeypatch.setattr(catalog, "table", lambda name: declared)
    whole = pd.DataFrame({"model": ["a", "b"], "n": [3, 4], "accuracy": [0.5, 0.25], "low": [0.1, 0.1], "high": [0.9, 0.8]})  # fmt: skip
    assert faults("new", whole) == []
    assert faults("new", whole.drop(columns="low")) == [
        "new.accuracy: no columns low, high",
        "new.accuracy: values with empty bounds",
    ]
    assert faults("new", whole.assign(gain=[0.1, 0.2])) == ["new.gain: no bounds"]
    # Whole by chance, but the declaration knows the unit.
    assert faults("new", whole.assign(gain=1)) == ["new.gain: no bounds"]
    assert faults("new", whole.assign(rank=[1, 2])) == ["new.rank: no bounds"]
    empty = whole.assign(high=[0.9, None])
    assert faults("new", empty) == ["new.accuracy: values with empty bounds"]
    assert faults("new", whole.assign(high=[0.9, 0.05])) == ["new.low: above high"]
    declared["unbounded"] = "counts"
    assert faults("new", whole.assign(gain=1)) == []


@pytest.mark.parametrize("name", FINAL)
def test_bounds_are_columns_and_no_reason_stands_beside_them(name):
    columns = catalog.table(name)["columns"]
    for column, spec in columns.items():
        assert {one for pair in spec.get("bounds", []) for one in pair} <= set(columns)
        assert not (spec.get("bounds") and spec.get("unbounded")), column
