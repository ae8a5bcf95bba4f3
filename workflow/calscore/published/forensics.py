"""Forensics of printed numbers: what each could be, given the released buzzes and its neighbours.

A published file (config/published/*.yaml) says in its section ``examine`` which of its numbers are
tables of scores, which should add up and which are shares of one total; see :data:`EXAMINE`. Every
printed cell is held against every reading: metric definition × h definition × segmentation × columns
as printed or exchanged. A printed number enters as the thing examined, or by name as a condition
(column ``given``); released data enter by name too (column ``data``).

Checks: ``range`` (any model at all, given the human curve), ``joint`` (given other printed scores of
the same row), ``rounding`` (is it a rounded k / n), ``rank`` (printed ranks and printed values),
``mean`` (parts against their total), ``sum`` and ``shares`` (counts). Two more stand beside them and
enter no verdict over readings: ``common_n`` (a total that all cells of a column allow) and
``last_clue`` (accuracy against ECE and Brier where these are over last clues). Verdicts:
``impossible`` and ``possible`` where the data decide, ``inconsistent`` and ``consistent`` where
printed numbers are held against each other, ``cannot be tested``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core.config import _fault, _meant
from ..core.errors import DataError, Fault
from ..core.package import FOLDER
from ..scores import tables
from ..scores.metrics import DEFINITIONS
from . import bounds, ranges

EXAMINE = FOLDER / "published" / "examine.json"
AXES = ("elicitation", "model", "category", "share")
HEAD = ["table", "cell", *AXES, "metric"]
COLUMNS = [
    *HEAD,
    "check",
    "definition",
    "h_definition",
    "segmentation",
    "state",
    "columns",
    "read_as",
    "data",
    "given",
    "n",
    "printed",
    "printed_low",
    "printed_high",
    "low",
    "high",
    "slack",
    "verdict",
    "proof",
]
CELL_COLUMNS = [
    *HEAD,
    "printed",
    "verdict",
    "readings",
    "readings_allowed",
    "excluded_by",
    "verdict_exchanged",
    "proof",
]
READING_COLUMNS = [
    "table",
    "definition",
    "h_definition",
    "segmentation",
    "state",
    "columns",
    "cells",
    "impossible",
    "inconsistent",
    "allowed",
]
READING = ["definition", "h_definition", "segmentation", "state"]
"""Metric definition, h definition, segmentation, and how the clue at a share is found (tables.READINGS
or ``declared``: a number of answers that the published file names). Blank holds under any."""
SIDE = ("common_n", "last_clue")

POSSIBLE, IMPOSSIBLE = "possible", "impossible"
CONSISTENT, INCONSISTENT = "consistent", "inconsistent"
UNTESTED = "cannot be tested"
BAD = (IMPOSSIBLE, INCONSISTENT)
AS_PRINTED, EXCHANGED = "as_printed", "exchanged"
WHOLE = ("ece", "brier", "mce", "accuracy")
MOST = 1000
"""Greatest total that is searched for shares whose total nobody printed."""


# --- the published file ----------------------------------------------------------------------


class Cell(NamedTuple):
    """One printed number. ``keys``: axis → key as printed; ``low`` and ``high``: its rounding, as a share."""

    table: str
    keys: dict[str, str]
    metric: str
    text: str
    low: float
    high: float
    rank: int | None
    spec: dict

    @property
    def name(self) -> str:
        shown = [f"{k}%" if axis == "share" else k for axis, k in self.keys.items()]
        return " · ".join(shown if "metric" in self.keys else [*shown, self.metric])

    @property
    def row(self) -> tuple:
        return tuple((a, k) for a, k in self.keys.items() if a != "metric")

    @property
    def interval(self) -> bounds.Interval:
        return self.low, self.high


@cache
def schema() -> dict:
    """JSON Schema of the section ``examine``."""
    return json.loads(EXAMINE.read_text(encoding="utf-8"))


def _file(published: dict) -> str:
    return str(published.get("file", "published file"))


def _at(published: dict, path: str, place: str, column: str):
    """The value at a dotted path; ``DataError`` that names the first key which is not there."""
    found = published
    for key in str(path).split("."):
        options = {str(k): k for k in found} if isinstance(found, dict) else {}
        if key not in options:
            meant = _meant(key, options) or f"one of {', '.join(options) or 'no keys'}"
            raise DataError(
                Fault(_file(published), place, column, path, f"a path; no key {key!r}, {meant}")
            )
        found = found[options[key]]
    return found


def _number(published, value, place, column) -> float:
    """A number, or the number at a path."""
    found = _at(published, value, place, column) if isinstance(value, str) else value
    try:
        return float(found)
    except (TypeError, ValueError):
        raise DataError(
            Fault(_file(published), place, column, found, "a number, or the path of one")
        ) from None


def _flat(value) -> list:
    if isinstance(value, dict):
        return [one for part in value.values() for one in _flat(part)]
    return [one for part in value for one in _flat(part)] if isinstance(value, list) else [value]


def _rounding(text, decimals: int, unit: str, file: str, place: str) -> tuple[float, float]:
    """What a printed number may have been before it was rounded, as a share (percent / 100)."""
    try:
        value = Decimal(str(text))
        digits = -int(value.as_tuple().exponent)
    except (InvalidOperation, ValueError, TypeError):
        raise DataError(Fault(file, place, "", text, "a number")) from None
    if digits > decimals:
        expected = f"at most {decimals} digits after the point, as declared"
        raise DataError(Fault(file, place, "", text, expected))
    half = Decimal(1).scaleb(-decimals) / 2
    scale = 100 if unit == "percent" else 1
    return float((value - half) / scale), float((value + half) / scale)


def examined(published: dict) -> dict:
    """The validated section ``examine``; empty lists where it is missing. Raises ``DataError``."""
    import jsonschema

    section = published.get("examine", {})
    validator = jsonschema.Draft202012Validator(schema())
    found = sorted(validator.iter_errors(section), key=lambda e: list(map(str, e.absolute_path)))
    if found:
        file = f"{_file(published)}, examine"
        raise DataError([fault for error in found for fault in _fault(error, file)])
    return {"tables": [], "sums": [], "shares": []} | section


def cells(published: dict) -> list[Cell]:
    """Every printed score of the declared tables, in the order in which they are printed."""
    found, seen, file = [], set(), _file(published)
    for number, spec in enumerate(examined(published)["tables"]):
        place = f"examine/tables/{number}"
        if spec["table"] in seen:
            raise DataError(Fault(file, place, "table", spec["table"], "a name used once"))
        seen.add(spec["table"])
        axes = spec["axes"]
        if ("metric" in axes) == ("metric" in spec):
            raise DataError(
                Fault(
                    file, place, "metric", spec.get("metric"), "either an axis metric or this key"
                )
            )
        for axis in spec.get("where", {}):
            if axis not in axes:
                raise DataError(Fault(file, place, "where", axis, f"one of {', '.join(axes)}"))
        if "total" in spec and "category" not in axes:
            raise DataError(Fault(file, place, "axes", axes, "an axis category, as total is given"))
        decimals = int(_number(published, spec["decimals"], place, "decimals"))
        values = _at(published, spec["values"], place, "values")
        ranks = _at(published, spec["ranks"], place, "ranks") if "ranks" in spec else None
        for keys, text in _leaves(values, axes, file, spec["values"]):
            where = ".".join([spec["values"], *map(str, keys)])
            low, high = _rounding(text, decimals, spec.get("unit", "share"), file, where)
            named = dict(zip(axes, map(str, keys), strict=True))
            rank = ranks
            for key in keys if ranks is not None else ():
                rank = rank.get(key) if isinstance(rank, dict) else None
            if ranks is not None and not isinstance(rank, int):
                at = ".".join([spec["ranks"], *map(str, keys)])
                raise DataError(Fault(file, at, "", rank, "a whole number, the printed rank"))
            metric = named.get("metric", spec.get("metric"))
            found.append(Cell(spec["table"], named, metric, str(text), low, high, rank, spec))
    names = [(cell.table, cell.name) for cell in found]
    for number, spec in enumerate(examined(published)["tables"]):
        if "total" in spec and spec["total"] not in seen:
            expected = f"a declared table: {', '.join(sorted(seen))}"
            raise DataError(
                Fault(file, f"examine/tables/{number}", "total", spec["total"], expected)
            )
    assert len(set(names)) == len(names)
    return found


def _leaves(values, axes, file, path, keys=()) -> Iterator[tuple[tuple, object]]:
    if not axes:
        if isinstance(values, dict | list):
            place = ".".join(map(str, (path, *keys)))
            raise DataError(Fault(file, place, "", values, "a number: axes has too few levels"))
        yield keys, values
        return
    if not isinstance(values, dict) or not values:
        place = ".".join(map(str, (path, *keys)))
        raise DataError(Fault(file, place, "", values, f"a mapping whose keys are {axes[0]}"))
    for key, inner in values.items():
        yield from _leaves(inner, axes[1:], file, path, (*keys, key))


# --- rows ------------------------------------------------------------------------------------


def _verdict(cell_low, cell_high, low, high, words=(POSSIBLE, IMPOSSIBLE)) -> str:
    return words[0] if low <= cell_high and cell_low <= high else words[1]


def _row(cell: Cell, check: str, verdict: str, proof: str, **more) -> dict:
    row = dict.fromkeys(COLUMNS, "") | {
        "table": cell.table,
        "cell": cell.name,
        **{axis: cell.keys.get(axis, "") for axis in AXES},
        "metric": cell.metric,
        "read_as": cell.metric,
        "check": check,
        "printed": cell.text,
        "printed_low": cell.low,
        "printed_high": cell.high,
        "low": math.nan,
        "high": math.nan,
        "slack": math.nan,
        "verdict": verdict,
        "proof": proof,
    }
    return row | more


def _span(low: float, high: float) -> str:
    return f"[{low:.4f}, {high:.4f}]"


class _Curve:
    """One human curve, with the frontiers that are asked of it more than once."""

    def __init__(self, rows: pd.DataFrame):
        rows = rows.sort_values(["question_id", "clue"], kind="stable")
        question = rows["question_id"].to_numpy()
        self.rows = rows
        self.h = rows["h"].to_numpy(dtype=float)
        self.starts = np.flatnonzero(np.r_[True, question[1:] != question[:-1]])
        self.sizes = np.diff(np.append(self.starts, len(rows)))
        self._frontiers = {}

    def frontier(self, definition: str) -> bounds.Frontier:
        if definition not in self._frontiers:
            found = bounds.adjusted_frontier(self.h, self.starts, definition)
            self._frontiers[definition] = found
        return self._frontiers[definition]


def _curves(human_curve: pd.DataFrame) -> dict[tuple[str, str], _Curve]:
    """(segmentation, h definition) → its curve; ``DataError`` where one is not a curve."""
    found = {}
    for segmentation, rows in human_curve.groupby("segmentation", sort=True):
        for h_definition in dict.fromkeys(h for r in ranges.H_READINGS.values() for h in r):
            found[segmentation, h_definition] = _Curve(ranges._one_curve(rows, h_definition))
    return found


def _readings(curves) -> Iterator[tuple[str, str, str]]:
    for segmentation in dict.fromkeys(s for s, _ in curves):
        for definition, names in ranges.H_READINGS.items():
            for h_definition in names:
                yield definition, h_definition, segmentation


def _as_read(cell: Cell) -> list[tuple[str, str]]:
    """(columns, metric) that the cell is read as."""
    pair = cell.spec.get("exchange", [])
    if cell.metric not in pair or "metric" not in cell.keys:
        return [("", cell.metric)]
    return [(AS_PRINTED, cell.metric), (EXCHANGED, pair[1 - pair.index(cell.metric)])]


def _own_data(cell: Cell) -> bool:
    return all(cell.keys.get(axis) == key for axis, key in cell.spec.get("where", {}).items())


def _in_category(rows, questions, category):
    keep = questions.loc[questions["category"].astype(str) == category, "question_id"]
    return rows[rows["question_id"].isin(keep)]


# --- checks ----------------------------------------------------------------------------------


def check_range(cell: Cell, curves, questions) -> Iterator[dict]:
    """Could any model at all have this score?"""
    for columns, metric in _as_read(cell):
        place = {"columns": columns, "read_as": metric}
        if metric in WHOLE:
            verdict = _verdict(cell.low, cell.high, 0.0, 1.0)
            proof = f"any model's {metric} lies in [0, 1] and reaches both ends; printed {_span(*cell.interval)}"
            yield _row(cell, "range", verdict, proof, low=0.0, high=1.0, slack=0.0, **place)
            continue
        if metric != "calscore":
            proof = f"no bound is known for the metric {metric}"
            yield _row(cell, "range", UNTESTED, proof, **place)
            continue
        category = cell.keys.get("category")
        for definition, h_definition, segmentation in _readings(curves):
            rows = curves[segmentation, h_definition].rows
            data = "human_curve"
            if category is not None:
                rows, data = _in_category(rows, questions, category), "human_curve, questions"
            reading = place | {
                "definition": definition,
                "h_definition": h_definition,
                "segmentation": segmentation,
                "data": data,
            }
            if rows.empty:
                proof = f"the study has no question of category {category}"
                yield _row(cell, "range", UNTESTED, proof, **reading)
                continue
            low, high = ranges.attainable(rows, definition, h_definition)
            count = rows["question_id"].nunique()
            verdict = _verdict(cell.low, cell.high, low, high)
            ends = (
                "always right, or always wrong, at confidence 1"
                if definition == "paper"
                else "always right at confidence 1, or never right"
            )
            if verdict == POSSIBLE:
                proof = f"{cell.text} lies in {_span(low, high)}, whose ends a model has that is {ends} on all {count} questions"
            elif cell.low > high:
                proof = f"printed {cell.text} means at least {cell.low:.5f}, but no model exceeds {high:.4f}, the score of one that is never right{' and always sure' if definition == 'paper' else ''} on all {count} questions"
            else:
                proof = f"printed {cell.text} means at most {cell.high:.5f}, but no model is below {low:.4f}, the score of one that is always right and always sure on all {count} questions"
            more = {"low": low, "high": high, "slack": 0.0, "n": count}
            yield _row(cell, "range", verdict, proof, **reading, **more)


def _neighbours(cell: Cell, by_row, columns: str) -> dict[str, Cell]:
    """Metric as read → the printed cells of the same row."""
    found = {}
    for other in by_row[cell.table, cell.row]:
        for name, metric in _as_read(other):
            if name in ("", columns):
                found[metric] = other
    return found


def _names(conditions: dict[str, Cell]) -> str:
    return "; ".join(f"{m} {c.text} ({c.name})" for m, c in conditions.items())


def check_joint(cell: Cell, by_row, curves) -> Iterator[dict]:
    """Could a model with the other printed scores of the row have this one?"""
    if "metric" not in cell.keys or "category" in cell.keys or "share" in cell.keys:
        return
    ways = {columns for c in by_row[cell.table, cell.row] for columns, _ in _as_read(c)}
    for columns in sorted(ways - {""}) or [""]:
        near = _neighbours(cell, by_row, columns)
        metric = next(m for m, c in near.items() if c is cell)
        if metric in ("calscore", "mce"):
            other = {"calscore": "mce", "mce": "calscore"}[metric]
            if other not in near:
                continue
            given = {other: near[other]}
            for definition, h_definition, segmentation in _readings(curves):
                frontier = curves[segmentation, h_definition].frontier(definition)
                bound = (
                    bounds.calscore_given_mce if metric == "calscore" else bounds.mce_given_calscore
                )
                low, high = bound(frontier, given[other].interval)
                verdict = _verdict(cell.low, cell.high, low, high, (CONSISTENT, INCONSISTENT))
                yield _row(
                    cell,
                    "joint",
                    verdict,
                    _joint_proof(cell, metric, other, given[other], definition, low, high),
                    definition=definition,
                    h_definition=h_definition,
                    segmentation=segmentation,
                    columns=columns,
                    read_as=metric,
                    data="human_curve",
                    given=_names(given),
                    low=low,
                    high=high,
                    # The gap is one of CalScore; exact where it is zero, else unknown for MCE.
                    slack=frontier.gap if metric == "calscore" or not frontier.gap else math.nan,
                )
        elif metric in ("ece", "brier"):
            partner = {"ece": "brier", "brier": "ece"}[metric]
            given = {m: near[m] for m in (partner, "mce") if m in near}
            yield from _score_pair(cell, metric, given, curves, columns)


def _joint_proof(cell, metric, other, near, definition, low, high) -> str:
    if not low <= high:
        return f"no model has the printed {other} {near.text} at all"
    if definition == "release":
        why = "CalScore − MCE is the mean of h·g·c with g·c in [0, 1]"
    else:
        why = "with g·c in [−1, 1] on every clue"
    verb = "lies in" if low <= cell.high and cell.low <= high else "lies outside"
    return f"{why}: {other} {near.text} leaves {metric} {_span(low, high)}, and the printed {cell.text} {verb} it"


def _score_pair(cell, metric, given, curves, columns) -> Iterator[dict]:
    """ECE and Brier given each other and MCE: they bound each other by themselves (Brier ≥ ECE²)."""
    segmentations = dict.fromkeys(s for s, _ in curves)
    for definition in DEFINITIONS:
        partner = {m: c.interval for m, c in given.items() if m != "mce"}
        if partner and columns in ("", AS_PRINTED):
            yield _linear(cell, metric, definition, partner, given, "", "", "")
        if "mce" not in given:
            continue
        for segmentation in segmentations:
            sizes = curves[segmentation, DEFINITIONS[definition]].sizes
            signed = bounds.signed_given_mce(sizes, definition, given["mce"].interval)
            limits = partner | {"signed": signed}
            yield _linear(
                cell, metric, definition, limits, given, columns, segmentation, "human_curve"
            )


def _linear(cell, metric, definition, limits, given, columns, segmentation, data) -> dict:
    low, high = bounds.joint_range(metric, definition, tuple(sorted(limits.items())))
    used = {m: c for m, c in given.items() if m != "mce" or "signed" in limits}
    scope = "every clue" if definition == "paper" else "the last clue of each question"
    verdict = _verdict(cell.low, cell.high, low, high, (CONSISTENT, INCONSISTENT))
    if low <= high:
        verb = "lies in" if verdict == CONSISTENT else "lies outside"
        proof = f"over {scope}, {_names(used)} leave {metric} {_span(low, high)} for any model, and the printed {cell.text} {verb} it"
        if metric == "brier" and "ece" in limits and "signed" not in limits:
            proof += " (Brier ≥ ECE²)"
    else:
        proof = f"over {scope}, no model has {_names(used)} together"
    return _row(
        cell,
        "joint",
        verdict,
        proof,
        definition=definition,
        segmentation=segmentation,
        columns=columns,
        data=data,
        given=_names(used),
        low=low,
        high=high,
    )


def check_accuracy(cell: Cell, all_cells: list[Cell]) -> Iterator[dict]:
    """Accuracy after the last clue, given ECE and Brier that the released code takes there."""
    if cell.metric != "accuracy" or cell.keys.get("share") != "100" or not _own_data(cell):
        return
    rows: dict[tuple, dict[str, Cell]] = {}
    for other in all_cells:
        if other.metric in ("ece", "brier") and "category" not in other.keys and _own_data(other):
            if other.keys.get("model") != cell.keys.get("model"):
                continue
            if cell.keys.get("elicitation", other.keys.get("elicitation")) != other.keys.get(
                "elicitation"
            ):
                continue
            rows.setdefault((other.table, other.row), {})[other.metric] = other
    for given in rows.values():
        limits = {m: c.interval for m, c in given.items()}
        row = _linear(cell, "accuracy", "release", limits, given, "", "", "")
        yield row | {"check": "last_clue"}


def known_counts(clues: pd.DataFrame, share: float) -> dict[tuple[str, str], int]:
    """(segmentation, reading of the share) → answers that an accuracy at that share is over."""
    found = {}
    for segmentation, rows in clues.groupby("segmentation", sort=True):
        total = rows.groupby("question_id")["clue"].transform("size")
        rows = rows[["question_id", "clue"]].assign(n_clues=total)
        for reading in tables.READINGS:
            states = tables.state_at(rows, (share,), reading)
            found[segmentation, reading] = int((states["revealed"] == share).sum())
    return found


def _count(cell: Cell, n: int, words=(POSSIBLE, IMPOSSIBLE)) -> dict:
    """Verdict, proof, n, and the nearest k / n as low and high."""
    least, most = bounds.counts_within(cell.interval, n)
    scale = 100 if cell.spec.get("unit") == "percent" else 1
    if least <= most:
        verdict = words[0]
        proof = f"{least} of {n} is {scale * least / n:.4f}, printed {cell.text}"
        low, high = least / n, most / n
    else:
        verdict = words[1]
        near = [k for k in (most, least) if k >= 0]
        shown = ", ".join(f"{k} of {n} is {scale * k / n:.4f}" for k in near)
        proof = f"no k of {n} rounds to {cell.text}: {shown}"
        middle = (cell.low + cell.high) / 2
        low = high = min((k / n for k in near), key=lambda share: abs(share - middle))
    return {"verdict": verdict, "proof": proof, "n": n, "low": low, "high": high, "slack": 0.0}


def check_rounding(cell: Cell, clues, published, columns_of) -> Iterator[dict]:
    """Is it a rounded k / n, for the n that are known?"""
    if cell.metric != "accuracy":
        proof = "a mean of unpublished real-valued confidences: any decimal can be its rounding"
        yield _row(cell, "rounding", UNTESTED, proof)
        return
    if not _own_data(cell):
        proof = "not of this study's data: the number of answers is not known"
        yield _row(cell, "rounding", UNTESTED, proof)
        return
    tenths = float(cell.keys["share"]) / 10 if "share" in cell.keys else 10.0
    if tenths == round(tenths):
        for (segmentation, reading), n in known_counts(clues, tenths / 10).items():
            untested = {"verdict": UNTESTED, "proof": "no clue falls at this share", "n": 0}
            more = {"state": reading, "segmentation": segmentation, "data": "clues"}
            yield _row(cell, "rounding", **(_count(cell, n) if n else untested), **more)
    for value in cell.spec.get("n", []):
        n = int(_number(published, value, f"table {cell.table}", "n"))
        given = f"n = {n} ({value})" if isinstance(value, str) else f"n = {n}"
        found = _count(cell, n, (CONSISTENT, INCONSISTENT))
        yield _row(cell, "rounding", **found, state="declared", given=given)
    together = [other.interval for other in columns_of]
    smallest = bounds.smallest_total(together, MOST)
    words = (
        f"the smallest common number of answers for the {len(together)} printed cells of this column is {smallest}"
        if smallest
        else f"no common number of answers up to {MOST} gives the {len(together)} printed cells of this column"
    )
    given = "; ".join(f"{other.text} ({other.name})" for other in columns_of if other is not cell)
    verdict = CONSISTENT if smallest else INCONSISTENT
    n = smallest or ""
    yield _row(cell, "common_n", verdict, words, given=given, n=n)


def check_rank(cell: Cell, column: list[Cell]) -> Iterator[dict]:
    """Do the printed ranks follow from the printed values of the column?"""
    if cell.rank is None:
        return
    others = [other for other in column if other is not cell]
    low, high = bounds.rank_range(cell.interval, [other.interval for other in others])
    verdict = CONSISTENT if low <= cell.rank <= high else INCONSISTENT
    below = ", ".join(
        f"{o.text} ({o.keys.get('model', o.name)})" for o in others if o.low < cell.high
    )
    allowed = f"rank {low}" if low == high else f"rank {low} to {high}"
    proof = (
        f"lower or equal in the column: {below or 'none'}, so {allowed}; printed rank {cell.rank}"
    )
    given = f"{len(others)} other printed values of the column"
    yield _row(cell, "rank", verdict, proof, given=given, low=low, high=high)


def check_mean(cell: Cell, all_cells: list[Cell], questions) -> Iterator[dict]:
    """Is the mean over categories, weighted by the study's questions, the printed total?"""
    if "total" not in cell.spec:
        return
    counts = questions["category"].astype(str).value_counts()
    same = {a: k for a, k in cell.keys.items() if a not in ("category", "metric")}
    family = [
        c
        for c in all_cells
        if c.table == cell.table
        and c.metric == cell.metric
        and all(c.keys.get(a) == k for a, k in same.items())
    ]
    totals = [
        (columns, c)
        for c in all_cells
        if c.table == cell.spec["total"] and all(c.keys.get(a) == k for a, k in same.items())
        for columns, metric in _as_read(c)
        if metric == cell.metric
    ]
    absent = sorted({c.keys["category"] for c in family} ^ set(counts.index))
    if not totals or absent:
        why = (
            f"categories of the table and of the study differ: {', '.join(absent)}"
            if absent
            else f"table {cell.spec['total']} prints no such total"
        )
        yield _row(cell, "mean", UNTESTED, why, data="questions")
        return
    n = int(counts[cell.keys["category"]])
    parts = [
        (int(counts[c.keys["category"]]), c.interval)
        for c in family
        if c.keys["category"] != cell.keys["category"]
    ]
    everything = [(n, cell.interval), *parts]
    items = sum(size for size, _ in everything)
    mean = [sum(size * span[i] for size, span in everything) / items for i in (0, 1)]
    for columns, total in totals:
        low, high = bounds.part_given_total(total.interval, parts, n)
        verdict = _verdict(cell.low, cell.high, low, high, (CONSISTENT, INCONSISTENT))
        proof = f"weighted by {n} of {items} questions and the others' numbers, the categories' mean lies in {_span(*mean)}; table {total.table} prints {total.text} ({total.name})"
        given = f"{total.text} (table {total.table}: {total.name}); {len(parts)} other categories"
        more = {"data": "questions", "given": given, "n": n, "low": low, "high": high}
        yield _row(cell, "mean", verdict, proof, columns=columns, slack=0.0, **more)


def check_sums(published: dict) -> Iterator[dict]:
    """Printed totals against their printed parts."""
    for number, spec in enumerate(examined(published)["sums"]):
        place, unit = f"examine/sums/{number}", spec.get("rounded", 0)
        total = _number(published, spec["total"], place, "total")
        values, shown = [], []
        for part in spec["parts"]:
            factors = part if isinstance(part, list) else [part]
            product, words = 1.0, []
            for factor in factors:
                found = (
                    _at(published, factor, place, "parts") if isinstance(factor, str) else factor
                )
                numbers = [_number(published, one, place, "parts") for one in _flat(found)]
                if len(factors) == 1:
                    values += numbers
                    shown += [f"{one:g}" for one in numbers]
                    break
                product *= sum(numbers)
                words.append(f"{sum(numbers):g}")
            else:
                values.append(product)
                shown.append(" × ".join(words))
        slack = unit * len(values) / 2
        low, high = sum(values) - slack, sum(values) + slack
        verdict = CONSISTENT if low - 1e-9 <= total <= high + 1e-9 else INCONSISTENT
        relation = "=" if abs(sum(values) - total) < 1e-9 else "≠"
        proof = f"{' + '.join(shown)} = {sum(values):g} {relation} {total:g} printed"
        if slack:
            proof += f"; parts rounded to {unit:g} allow {low:g} to {high:g}"
        one = Cell("sums", {"metric": spec["id"]}, spec["id"], f"{total:g}", total, total, None, {})
        given = ", ".join(map(str, _flat(spec["parts"])))
        yield _row(one, "sum", verdict, proof, given=given, low=low, high=high, slack=0.0)


def check_shares(published: dict) -> Iterator[dict]:
    """Printed shares of one total: is there an n of which all are rounded k / n?"""
    file = _file(published)
    for number, spec in enumerate(examined(published)["shares"]):
        place, unit = f"examine/shares/{number}", spec.get("unit", "share")
        found = []
        for entry in spec["values"]:
            for i, text in enumerate(_flat(_at(published, entry["path"], place, "values"))):
                low, high = _rounding(text, entry["decimals"], unit, file, entry["path"])
                keys = {"metric": f"{spec['id']} {entry['path']}[{i}]"}
                found.append(
                    Cell("shares", keys, spec["id"], str(text), low, high, None, {"unit": unit})
                )
        if "n" in spec:
            n = int(_number(published, spec["n"], place, "n"))
            for cell in found:
                row = _count(cell, n, (CONSISTENT, INCONSISTENT))
                yield _row(cell, "shares", **row, given=f"n = {n} ({spec['n']})")
            continue
        most = spec.get("most", MOST)
        n = bounds.smallest_total([cell.interval for cell in found], most)
        for cell in found:
            if n:
                proof = f"{_count(cell, n)['proof']}; {n} is the smallest total that fits all {len(found)} printed shares"
            else:
                proof = f"no total up to {most} fits all {len(found)} printed shares"
            given = f"{len(found) - 1} other printed shares"
            verdict = CONSISTENT if n else INCONSISTENT
            yield _row(cell, "shares", verdict, proof, given=given, n=n or "")


# --- the tables ------------------------------------------------------------------------------


def examine(
    published: dict,
    human_curve: pd.DataFrame,
    clues: pd.DataFrame,
    questions: pd.DataFrame,
    simulated: bool = False,
) -> pd.DataFrame:
    """forensics.csv: one row per printed cell, check and reading (:data:`COLUMNS`).

    Where the buzzes are ``simulated``, what rests on them says nothing about the printed number: the
    range is given, and the verdict is ``cannot be tested``.
    """
    found = cells(published)
    curves = _curves(human_curve)
    by_row, by_column = {}, {}
    for cell in found:
        by_row.setdefault((cell.table, cell.row), []).append(cell)
        column = tuple((a, k) for a, k in cell.keys.items() if a != "model")
        by_column.setdefault((cell.table, column), []).append(cell)
    rows = []
    for cell in found:
        column = by_column[cell.table, tuple((a, k) for a, k in cell.keys.items() if a != "model")]
        if _own_data(cell):
            rows += check_range(cell, curves, questions)
            rows += check_joint(cell, by_row, curves)
            rows += check_accuracy(cell, found)
        rows += check_rounding(cell, clues, published, column)
        rows += check_rank(cell, column)
        rows += check_mean(cell, found, questions)
    rows += check_sums(published)
    rows += check_shares(published)
    if simulated:
        for row in rows:
            if row["data"] and row["verdict"] != UNTESTED:
                row["proof"] = f"simulated buzzes ({row['verdict']} for them): {row['proof']}"
                row["verdict"] = UNTESTED
    return pd.DataFrame(rows, columns=COLUMNS)


def _covers(general: tuple, special: tuple) -> bool:
    """Whether a row of reading ``general``, where a blank is any, holds under ``special``."""
    return all(g in ("", s) for g, s in zip(general, special, strict=True))


def _by_reading(rows: list[dict]) -> dict[tuple, list[dict]]:
    """Each reading that is named most fully → all tested rows that hold under it."""
    tested = [row for row in rows if row["verdict"] != UNTESTED and row["check"] not in SIDE]
    keyed: dict[tuple, list[dict]] = {}
    for row in tested:
        keyed.setdefault(tuple(row[name] for name in READING), []).append(row)
    full = [k for k in keyed if not any(k != other and _covers(k, other) for other in keyed)]
    return {
        key: [row for k, some in keyed.items() if _covers(k, key) for row in some] for key in full
    }


def _place(key: tuple) -> str:
    return " / ".join(filter(None, key))


def _miss(row: dict) -> float:
    """How far the printed number lies outside the row's range; infinite where it has none."""
    miss = max(row["low"] - row["printed_high"], row["printed_low"] - row["high"])
    return math.inf if math.isnan(miss) else miss


def _judge(rows: list[dict]) -> tuple[str, dict, dict]:
    """Verdict over all readings, and of each reading that allows and that excludes its rows."""
    parts = _by_reading(rows)
    against = {k: [r for r in part if r["verdict"] in BAD] for k, part in parts.items()}
    against = {k: part for k, part in against.items() if part}
    allowing = {k: part for k, part in parts.items() if k not in against}
    if not parts:
        return UNTESTED, {}, {}
    if allowing:
        made = {row["verdict"] for part in allowing.values() for row in part}
        return CONSISTENT if CONSISTENT in made else POSSIBLE, allowing, against
    alone = all(any(r["verdict"] == IMPOSSIBLE for r in part) for part in against.values())
    return IMPOSSIBLE if alone else INCONSISTENT, allowing, against


def _proof(verdict: str, rows: list[dict], allowing: dict, against: dict) -> str:
    """One sentence for the verdict over all readings; of exclusions the nearest to being allowed."""
    if verdict == UNTESTED:
        return rows[0]["proof"]
    count = len(allowing) + len(against)
    if verdict in BAD:
        # A reading fails by its worst row; the reading that fails least is the strongest proof.
        worst = {key: max(part, key=_miss) for key, part in against.items()}
        key, row = min(worst.items(), key=lambda item: _miss(item[1]))
        if not _place(key):
            return row["proof"]
        return (
            f"excluded under {count} of {count} readings, least under {_place(key)}: {row['proof']}"
        )
    key, part = next(iter(allowing.items()))
    best = next(row for row in part if row["verdict"] == verdict)
    if not _place(key):
        return best["proof"]
    return (
        f"allowed under {len(allowing)} of {count} readings, such as {_place(key)}: {best['proof']}"
    )


def verdicts(table: pd.DataFrame) -> pd.DataFrame:
    """forensics_cells.csv: one verdict per printed cell over all its readings, with its proof.

    ``impossible``: under every reading the released data exclude it. ``inconsistent``: under every
    reading they or other printed numbers do. Otherwise ``consistent`` where some printed number was
    held against it, or ``possible``; ``excluded_by`` then names the readings that do exclude it.
    ``verdict_exchanged``: the same where the columns declared under ``exchange`` are exchanged.
    """
    found = []
    cells_of: dict[tuple, list[dict]] = {}
    for row in table.to_dict("records"):
        cells_of.setdefault((row["table"], row["cell"]), []).append(row)
    for rows in cells_of.values():
        printed = [row for row in rows if row["columns"] != EXCHANGED]
        verdict, allowing, against = _judge(printed)
        swapped = [row for row in rows if row["columns"] != AS_PRINTED]
        both = any(row["columns"] == EXCHANGED for row in rows)
        found.append(
            {name: rows[0][name] for name in [*HEAD, "printed"]}
            | {
                "verdict": verdict,
                "readings": len(allowing) + len(against),
                "readings_allowed": len(allowing),
                "excluded_by": "; ".join(_place(key) or "any reading" for key in against),
                "verdict_exchanged": _judge(swapped)[0] if both else "",
                "proof": _proof(verdict, printed, allowing, against),
            }
        )
    return pd.DataFrame(found, columns=CELL_COLUMNS)


def _groups(rows: list[dict], totals: dict[str, str]) -> dict[str, list[dict]]:
    """Table → its rows; a table with a total also together with the table of that total."""
    found: dict[str, list[dict]] = {}
    for row in rows:
        if row["table"] not in ("sums", "shares"):
            found.setdefault(row["table"], []).append(row)
    both = {
        f"{total} with {name}": found[total] + found[name]
        for name, total in totals.items()
        if name in found and total in found
    }
    return found | both


def readings(table: pd.DataFrame, published: dict) -> pd.DataFrame:
    """forensics_readings.csv: under each reading, how many cells of each table are excluded.

    A table with a total is also taken together with the table of the total: a reading must allow
    both.
    """
    found = []
    specs = examined(published)["tables"]
    totals = {spec["table"]: spec["total"] for spec in specs if "total" in spec}
    for name, rows in _groups(table.to_dict("records"), totals).items():
        ways = {row["columns"] for row in rows} - {""}
        for columns in sorted(ways) or [""]:
            of = [row for row in rows if row["columns"] in ("", columns)]
            for key, part in _by_reading(of).items():
                words: dict[tuple, set[str]] = {}
                for row in part:
                    words.setdefault((row["table"], row["cell"]), set()).add(row["verdict"])
                impossible = sum(IMPOSSIBLE in some for some in words.values())
                bad = sum(bool(some & set(BAD)) for some in words.values())
                place = (name, *key, columns)
                found.append((*place, len(words), impossible, bad - impossible, len(words) - bad))
    return pd.DataFrame(found, columns=READING_COLUMNS)
