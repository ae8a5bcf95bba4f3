"""Forensics of printed numbers: what each could be, given the released buzzes and its neighbours.

A published file (config/published/*.yaml) says in its section ``examine`` which of its numbers are
tables of scores, which should add up and which are shares of one total; see :mod:`.printed`. Every
printed cell is held against every reading: metric definition × h definition × segmentation × columns
as printed or exchanged. A printed number enters as the thing examined, or by name as a condition
(column ``given``); released data enter by name too (column ``data``).

Checks: ``range`` (any model at all, given the human curve), ``joint`` (given other printed scores of
the same row), ``rounding`` (is it a rounded k / n), ``rank`` (printed ranks and printed values),
``mean`` (parts against their total), ``sum`` and ``shares`` (counts). Verdicts:
``impossible`` and ``possible`` where the data decide, ``inconsistent`` and ``consistent`` where
printed numbers are held against each other, ``cannot be tested``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from ..clues.segment import GUESSED
from ..core import store
from ..scores.metrics import DEFINITIONS
from . import attainable_scores, bounds, consistency_checks, verdicts
from .printed_cells import (
    AS_PRINTED,
    CONSISTENT,
    INCONSISTENT,
    POSSIBLE,
    UNTESTED,
    Cell,
    cells,
    row_of,
    span,
    verdict_of,
)

ANY_MODEL_REACHES = ("ece", "brier", "mce", "accuracy")


class _Curve:
    """One human curve, with the frontiers and ranges that are asked of it more than once."""

    def __init__(self, rows: pd.DataFrame):
        rows = rows.sort_values(["question_id", "clue"], kind="stable")
        question = rows["question_id"].to_numpy()
        self.rows = rows
        self.h = rows["h"].to_numpy(dtype=float)
        self.starts = np.flatnonzero(np.r_[True, question[1:] != question[:-1]])
        self.sizes = np.diff(np.append(self.starts, len(rows)))
        self._frontiers = {}
        self._ranges = {}

    def frontier(self, definition: str) -> bounds.Frontier:
        if definition not in self._frontiers:
            frontier = bounds.adjusted_frontier(self.h, self.starts, definition)
            self._frontiers[definition] = frontier
        return self._frontiers[definition]

    def range(self, definition: str, h_definition: str, category, questions):
        """(questions, least and greatest CalScore) of a category, None for all; no range without questions."""
        key = definition, h_definition, category
        if key not in self._ranges:
            rows = self.rows if category is None else _in_category(self.rows, questions, category)
            ends = (
                (None, None)
                if rows.empty
                else attainable_scores.attainable_calscore(rows, definition, h_definition)
            )
            self._ranges[key] = rows["question_id"].nunique(), *ends
        return self._ranges[key]


def _curves(human_curve: pd.DataFrame) -> dict[tuple[str, str], _Curve]:
    """(segmentation, h definition) → its curve; ``DataError`` where one is not a curve."""
    curves = {}
    for segmentation, rows in human_curve.groupby("segmentation", sort=True):
        for h_definition in dict.fromkeys(
            h for r in attainable_scores.H_READINGS.values() for h in r
        ):
            curves[segmentation, h_definition] = _Curve(
                attainable_scores.curve_of_definition(rows, h_definition)
            )
    return curves


def _readings(curves) -> Iterator[tuple[dict, _Curve]]:
    """Every reading of a printed CalScore, with its curve."""
    for segmentation in dict.fromkeys(s for s, _ in curves):
        for definition, names in attainable_scores.H_READINGS.items():
            for name in names:
                reading = {"definition": definition, "h_definition": name}
                yield reading | {"segmentation": segmentation}, curves[segmentation, name]


def _in_category(rows, questions, category):
    keep = questions.loc[questions["category"].astype(str) == category, "question_id"]
    return rows[rows["question_id"].isin(keep)]


# --- checks ----------------------------------------------------------------------------------


def check_range(cell: Cell, curves, questions) -> Iterator[dict]:
    """Could any model at all have this score?"""
    for columns, metric in cell.readings:
        place = {"columns": columns, "read_as": metric}
        if metric in ANY_MODEL_REACHES:
            verdict = verdict_of(cell.low, cell.high, 0.0, 1.0)
            proof = f"any model's {metric} lies in [0, 1] and reaches both ends; printed {span(*cell.interval)}"
            yield row_of(cell, "range", verdict, proof, low=0.0, high=1.0, slack=0.0, **place)
            continue
        if metric != "calscore":
            proof = f"no bound is known for the metric {metric}"
            yield row_of(cell, "range", UNTESTED, proof, **place)
            continue
        category = cell.keys.get("category")
        data = "human_curve" if category is None else "human_curve, questions"
        for reading, curve in _readings(curves):
            definition, h_definition = reading["definition"], reading["h_definition"]
            count, low, high = curve.range(definition, h_definition, category, questions)
            reading |= place | {"data": data}
            if not count:
                proof = f"the study has no question of category {category}"
                yield row_of(cell, "range", UNTESTED, proof, **reading)
                continue
            verdict = verdict_of(cell.low, cell.high, low, high)
            ends = (
                "always right, or always wrong, at confidence 1"
                if definition == "paper"
                else "always right at confidence 1, or never right"
            )
            if verdict == POSSIBLE:
                proof = f"{cell.text} lies in {span(low, high)}, whose ends a model has that is {ends} on all {count} questions"
            elif cell.low > high:
                proof = f"printed {cell.text} means at least {cell.low:.5f}, but no model exceeds {high:.4f}, the score of one that is never right{' and always sure' if definition == 'paper' else ''} on all {count} questions"
            else:
                proof = f"printed {cell.text} means at most {cell.high:.5f}, but no model is below {low:.4f}, the score of one that is always right and always sure on all {count} questions"
            context = {"low": low, "high": high, "slack": 0.0, "n": count}
            yield row_of(cell, "range", verdict, proof, **reading, **context)


def _neighbours(cell: Cell, by_row, columns: str) -> dict[str, Cell]:
    """Metric as read → the printed cells of the same row."""
    neighbours = {}
    for peer in by_row[cell.table, cell.row]:
        for name, metric in peer.readings:
            if name in ("", columns):
                neighbours[metric] = peer
    return neighbours


def _names(conditions: dict[str, Cell]) -> str:
    return "; ".join(f"{m} {c.text} ({c.name})" for m, c in conditions.items())


def check_joint(cell: Cell, by_row, curves) -> Iterator[dict]:
    """Could a model with the other printed scores of the row have this one?"""
    if "metric" not in cell.keys or "category" in cell.keys or "share" in cell.keys:
        return
    ways = {columns for c in by_row[cell.table, cell.row] for columns, _ in c.readings}
    for columns in sorted(ways - {""}) or [""]:
        near = _neighbours(cell, by_row, columns)
        metric = next(m for m, c in near.items() if c is cell)
        if metric in ("calscore", "mce"):
            partner_metric = {"calscore": "mce", "mce": "calscore"}[metric]
            if partner_metric not in near:
                continue
            conditions = {partner_metric: near[partner_metric]}
            of_calscore = metric == "calscore"
            bound = bounds.calscore_given_mce if of_calscore else bounds.mce_given_calscore
            for reading, curve in _readings(curves):
                frontier = curve.frontier(reading["definition"])
                low, high = bound(frontier, conditions[partner_metric].interval)
                verdict = verdict_of(cell.low, cell.high, low, high, (CONSISTENT, INCONSISTENT))
                ends = reading["definition"], low, high
                reading |= {"columns": columns, "read_as": metric, "data": "human_curve"}
                reading |= {"given": _names(conditions), "low": low, "high": high}
                # The gap is one of CalScore; exact where it is zero, else unknown for MCE.
                reading["slack"] = frontier.gap if of_calscore or not frontier.gap else math.nan
                proof = _joint_proof(
                    cell, metric, partner_metric, conditions[partner_metric], *ends
                )
                yield row_of(cell, "joint", verdict, proof, **reading)
        elif metric in ("ece", "brier"):
            partner = {"ece": "brier", "brier": "ece"}[metric]
            conditions = {m: near[m] for m in (partner, "mce") if m in near}
            yield from _score_pair(cell, metric, conditions, curves, columns)


def _joint_proof(cell, metric, partner_metric, near, definition, low, high) -> str:
    if not low <= high:
        return f"no model has the printed {partner_metric} {near.text} at all"
    if definition == "release":
        reason = "CalScore − MCE is the mean of h·g·c with g·c in [0, 1]"
    else:
        reason = "with g·c in [−1, 1] on every clue"
    verb = "lies in" if low <= cell.high and cell.low <= high else "lies outside"
    return f"{reason}: {partner_metric} {near.text} leaves {metric} {span(low, high)}, and the printed {cell.text} {verb} it"


def _score_pair(cell, metric, conditions, curves, columns) -> Iterator[dict]:
    """ECE and Brier given each other and MCE: they bound each other by themselves (Brier ≥ ECE²)."""
    segmentations = dict.fromkeys(s for s, _ in curves)
    for definition in DEFINITIONS:
        partner = {m: c.interval for m, c in conditions.items() if m != "mce"}
        if partner and columns in ("", AS_PRINTED):
            yield _linear(cell, metric, definition, partner, conditions, "", "", "")
        if "mce" not in conditions:
            continue
        for segmentation in segmentations:
            sizes = curves[segmentation, DEFINITIONS[definition]].sizes
            signed = bounds.signed_given_mce(sizes, definition, conditions["mce"].interval)
            limits = partner | {"signed": signed}
            yield _linear(
                cell, metric, definition, limits, conditions, columns, segmentation, "human_curve"
            )


def _linear(cell, metric, definition, limits, conditions, columns, segmentation, data) -> dict:
    low, high = bounds.joint_range(metric, definition, tuple(sorted(limits.items())))
    used = {m: c for m, c in conditions.items() if m != "mce" or "signed" in limits}
    scope = "every clue" if definition == "paper" else "the last clue of each question"
    verdict = verdict_of(cell.low, cell.high, low, high, (CONSISTENT, INCONSISTENT))
    if low <= high:
        verb = "lies in" if verdict == CONSISTENT else "lies outside"
        proof = f"over {scope}, {_names(used)} leave {metric} {span(low, high)} for any model, and the printed {cell.text} {verb} it"
        if metric == "brier" and "ece" in limits and "signed" not in limits:
            proof += " (Brier ≥ ECE²)"
    else:
        proof = f"over {scope}, no model has {_names(used)} together"
    reading = {"definition": definition, "segmentation": segmentation, "columns": columns}
    context = {"data": data, "given": _names(used), "low": low, "high": high}
    return row_of(cell, "joint", verdict, proof, **reading, **context)


# --- the tables ------------------------------------------------------------------------------


def examine(
    published: dict,
    human_curve: pd.DataFrame,
    clues: pd.DataFrame,
    questions: pd.DataFrame,
    simulated: bool = False,
) -> pd.DataFrame:
    """forensics.csv: one row per printed cell, check and reading.

    Where the buzzes are ``simulated``, what rests on them says nothing about the printed number: the
    range is given, and the verdict is ``cannot be tested``.
    """
    all_cells = cells(published)
    curves = _curves(human_curve)
    by_row, by_column = {}, {}
    for cell in all_cells:
        by_row.setdefault((cell.table, cell.row), []).append(cell)
        column = tuple((a, k) for a, k in cell.keys.items() if a != "model")
        by_column.setdefault((cell.table, column), []).append(cell)
    rows = []
    for cell in all_cells:
        column = by_column[cell.table, tuple((a, k) for a, k in cell.keys.items() if a != "model")]
        if cell.of_the_study:
            rows += check_range(cell, curves, questions)
            rows += check_joint(cell, by_row, curves)
        rows += consistency_checks.check_rounding(cell, clues, published)
        rows += consistency_checks.check_rank(cell, column)
        rows += consistency_checks.check_mean(cell, all_cells, questions)
    rows += consistency_checks.check_sums(published)
    rows += consistency_checks.check_shares(published)
    if simulated:
        for row in rows:
            if row["data"] and row["verdict"] != UNTESTED:
                row["proof"] = f"simulated buzzes ({row['verdict']} for them): {row['proof']}"
                row["verdict"] = UNTESTED
    return pd.DataFrame(rows, columns=store.columns("forensics"))


def forensic_tables(
    published: dict, human_curve, clues, questions, simulated: bool, guesses=None
) -> dict:
    """The three tables of forensics: every check, one verdict a cell, and counts of each reading.

    ``guesses``: where none is of a model of the paper, clues that end at guesses are left out.
    """
    if guesses is None or not guesses["model"].isin(list(published["models"])).any():
        human_curve, clues = (
            table[~table["segmentation"].isin(GUESSED)] for table in (human_curve, clues)
        )
    checks = examine(published, human_curve, clues, questions, simulated)
    return {
        "forensics": checks,
        "forensics_cells": verdicts.verdicts(checks),
        "forensics_readings": verdicts.readings(checks, published),
    }
