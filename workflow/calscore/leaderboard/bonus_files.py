"""Bonus submissions: JSON Lines with one bonus a line.

``{"qid", "parts" or "part_outputs": [{"guess", "confidence", "explanation", "correct", …}], "scores": [{"decision",
"orig_correct", "final_correct", …}]}``; ``scores``, where there are any, have a record of each part, in order or by
``number``.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ..core import store
from ..core.errors import Fault, Faults
from .submissions import faults_of, identifier, lines, rows_of_file

_TRUTH = ((bool, int, type(None)), "true or false")
_TEXT = ((str, type(None)), "text")
_PART = {
    "guess": _TEXT,
    "confidence": ((int, float, type(None)), "a probability from 0 to 1"),
    "explanation": _TEXT,
    "correct": ((bool, int), "true or false, or 0 or 1"),
    "first_guess": _TEXT,
    "first_correct": _TRUTH,
    "final_guess": _TEXT,
    "final_correct": _TRUTH,
    "decision": _TEXT,
}
_RIGHT = ("correct", "first_correct", "final_correct")
_AS = {"orig_guess": "first_guess", "orig_correct": "first_correct"}
"""Other names of fields."""


def _fields(record: dict, file: str, row: str) -> tuple[dict, list[Fault]]:
    """The known fields of a part or record that have a value, under our names; faults where two names of one differ."""
    result: dict = {}
    faults = []
    for name, value in sorted(record.items(), key=lambda pair: pair[0] in _AS):
        own = _AS.get(name, name)
        if own in _PART and value is not None and result.setdefault(own, value) != value:
            faults.append(Fault(file, row, name, value, f"{result[own]!r}, as {own} says"))
    return result, faults


def _ordered(records: list, file: str, row: str) -> tuple[list, list[Fault]]:
    """Records in the order of their numbers, where all have one, else as they stand."""
    places = [record.get("number") if isinstance(record, dict) else None for record in records]
    if not all(type(place) is int for place in places):
        return records, []
    order = sorted(range(len(records)), key=places.__getitem__)
    twice = sorted(place for place in set(places) if places.count(place) > 1)
    expected = "a number that occurs once"
    faults = [Fault(file, row, "number", place, expected) for place in twice]
    return [records[i] for i in order], faults


def _joined(part, record, file: str, row: str):
    """(a part with what its record says, faults)."""
    for item in (part, record):
        if not isinstance(item, dict):
            return {}, [Fault(file, row, "", item, "a JSON object")]
    (part, faults), (record, extra) = (_fields(item, file, row) for item in (part, record))
    faults += extra
    faults += [
        Fault(file, row, name, record[name], f"{part[name]!r}, as the part itself says")
        for name in part
        if name in record and record[name] != part[name]
    ]
    total = part | record
    return total, faults or faults_of(total, _PART, file, row)


def _parts(path: Path, faults: Faults):
    """(question id, part, fields, row) of each part."""
    visited = set()
    for number, record in lines(path):
        qid = identifier(record)
        parts = record.get("parts", record.get("part_outputs"))
        if qid is None or qid in visited:
            faults.add(number, "qid", qid, "a bonus's id that occurs once")
            continue
        visited.add(qid)
        if not isinstance(parts, list) or not parts:
            faults.add(number, "parts", parts, "a list of parts")
            continue
        scores = record.get("scores")
        scores = [{}] * len(parts) if scores is None else scores
        if not isinstance(scores, list) or len(scores) != len(parts):
            expected = f"a list of {len(parts)} records, one for each part"
            faults.add(number, "scores", scores, expected)
            continue
        (parts, bad), (scores, extra) = (
            _ordered(group, path.name, str(number)) for group in (parts, scores)
        )
        faults += bad + extra
        both = zip(parts, scores, strict=True)
        for place, (part, score) in enumerate(both, start=1):
            fields, bad = _joined(part, score, path.name, f"{number}, part {place}")
            faults += bad
            yield qid, place, fields, f"{path.name}#{number}/part {place}"


def read(path, name: str) -> pd.DataFrame:
    """tidy/bonus_parts of one submission file; ``DataError`` names each faulty line, part and field."""
    path = Path(path)
    rows = rows_of_file(path, _parts, "part")
    table = pd.DataFrame([fields for _, _, fields, _ in rows], columns=list(_PART))
    table["question_id"], table["part"], _, table["source_row"] = zip(*rows, strict=True)
    table = table.astype(object).where(table.notna(), None)
    kinds = dict.fromkeys(_RIGHT[1:], "boolean") | {"correct": bool, "confidence": float}
    return store.frame(table.assign(submission=name).astype(kinds), "bonus_parts")
