"""Bonus submissions: JSON Lines with one bonus a line.

``{"qid", "parts" or "part_outputs": [{"guess", "confidence", "explanation", "correct", …}], "scores": [{"decision",
"orig_correct", "final_correct", …}]}``; ``scores``, where there are any, have a record of each part, in order or by
``number``."""

from pathlib import Path

import pandas as pd

from ..core import store
from ..core.errors import Faults
from .submissions import read_records

_PART = [
    *("guess", "confidence", "explanation", "correct", "decision"),
    *("first_guess", "first_correct", "final_guess", "final_correct"),
]
_AS = {"orig_guess": "first_guess", "orig_correct": "first_correct"}
"""Other names of fields."""


def _part_fields(part: dict, record: dict, row: str, faults: Faults) -> dict:
    """Fields of :data:`_PART` that a part or its score record states, other names translated (:data:`_AS`), nulls left out.
    Contradictions and a missing ``correct`` are added to ``faults``."""
    result: dict = {}
    both = [*part.items(), *record.items()]
    for name, value in sorted(both, key=lambda pair: pair[0] in _AS):
        own = _AS.get(name, name)
        if own in _PART and value is not None and result.setdefault(own, value) != value:
            faults.add(row, name, value, f"{result[own]!r}, as {own} says")
    if "correct" not in result:
        faults.add(row, "correct", None, "true or false, or 0 or 1")
    return result


def _sort_by_number(items: list[dict], row: int, faults: Faults) -> list[dict]:
    """``items`` by their ``number`` if all have one, else as they are; a number that occurs twice is added to ``faults``."""
    places = [item.get("number") for item in items]
    if not all(type(place) is int for place in places):
        return items
    for place in sorted(place for place in set(places) if places.count(place) > 1):
        faults.add(row, "number", place, "a number that occurs once")
    return sorted(items, key=lambda item: item["number"])


def read_bonus_parts(path: Path, name: str) -> pd.DataFrame:
    """tidy/bonus_parts, a row for each part, of one file of the submission ``name``. ``DataError`` with all
    faults of lines or, without any of these, of parts."""
    file, rows = Path(path).name, []
    faults = Faults(file)
    for number, qid, record in read_records(path, "bonus_submission", "part", once=True):
        parts = record.get("parts", record.get("part_outputs"))
        scores = record.get("scores") or [{}] * len(parts)
        if len(scores) != len(parts):
            expected = f"a list of {len(parts)} records, one for each part"
            faults.add(number, "scores", scores, expected)
            continue
        both = (_sort_by_number(items, number, faults) for items in (parts, scores))
        for place, (part, score) in enumerate(zip(*both, strict=True), start=1):
            fields = _part_fields(part, score, f"{number}, part {place}", faults)
            source = f"{file}#{number}/part {place}"
            rows.append(fields | {"question_id": qid, "part": place, "source_row": source})
    faults.refuse()
    table = pd.DataFrame(rows, columns=[*_PART, "question_id", "part", "source_row"])
    table = table.astype(object).where(table.notna(), None)
    kinds = dict.fromkeys(("first_correct", "final_correct"), "boolean")
    kinds |= {"correct": bool, "confidence": float}
    return store.frame(table.assign(submission=name).astype(kinds), "bonus_parts")
