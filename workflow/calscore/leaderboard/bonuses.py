"""Bonus metrics of the QANTA leaderboard: effect on a player, accuracy, calibration, adoption.

A submission (the helper) shows its guess, confidence and explanation to a player who has answered first
and may answer anew. Effect and adoption need the record of both answers or of the decision; without it
they are not computed, and the table says so."""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..core.data_issues import Finding
from ..core.errors import DataError
from ..stats.bootstrap import Bootstrap
from . import bonus_files, ranks, submissions, tossups
from .submissions import data_issue

KEEP = "keep"


def same_answer(a: object, b: object) -> bool:
    """Whether two answers are equal but for case, punctuation and articles beside other words; False if either is no text."""
    if not isinstance(a, str) or not isinstance(b, str):
        return False

    def normal(text) -> list[str]:
        """Words of ``text`` without case, punctuation and articles (unless it has only articles)."""
        words = re.sub(r"[\W_]+", " ", text.casefold()).split()
        return [word for word in words if word not in ("a", "an", "the")] or words

    return normal(a) == normal(b)


COUNTED_WRONG = ("question_accuracy", "part_accuracy", "calibrated_accuracy")
"""Metrics to which a bonus that a submission leaves out counts as wrong, where missing questions count."""


class _Metric(NamedTuple):
    """A metric under one reading: ``values`` and ``mask`` (whether it counts) for each part of a submission. ``missing``:
    what a part that does not count lacks, in words."""

    name: str
    reading: str
    values: np.ndarray
    mask: np.ndarray
    missing: str


def _bonus_metrics(parts: pd.DataFrame) -> list[_Metric]:
    """Every metric of one submission under each reading it has; ``parts``: its tidy/bonus_parts.
    question_accuracy counts once a bonus, at its first part."""
    right = parts["correct"].to_numpy(dtype=float)
    answered = (parts["first_correct"].notna() & parts["final_correct"].notna()).to_numpy(dtype=bool)
    stated = parts["confidence"].notna().to_numpy(dtype=bool)
    has_final = parts["final_guess"].notna().to_numpy(dtype=bool)
    decided = parts["decision"].notna().to_numpy(dtype=bool)
    before, after = (parts[f"{name}_correct"].astype("Float64").fillna(0) for name in ("first", "final"))
    gap = np.abs(right - parts["confidence"].fillna(0).to_numpy(dtype=float))
    adopted = [same_answer(a, b) for a, b in zip(parts["final_guess"], parts["guess"], strict=True)]
    moved = ~parts["decision"].fillna("").str.strip().str.lower().eq(KEEP).to_numpy(dtype=bool)
    first_part = ~parts.duplicated("question_id").to_numpy()
    total = parts.groupby("question_id")["correct"].transform("all").to_numpy(dtype=float)
    records = "decision records (first_correct and final_correct)"
    universe = np.ones(len(parts), dtype=bool)
    metrics = [
        _Metric(*row)
        for reading in ("manual", "code")
        for row in (
            ("effect", reading, (after - before).to_numpy(dtype=float), answered, records),
            ("question_accuracy", reading, total, first_part, "verdicts"),
            ("part_accuracy", reading, right, universe, "verdicts"),
            ("calibration", reading, gap if reading == "manual" else 1 - gap, stated, "confidences"),
        )
    ]
    metrics.append(_Metric("calibrated_accuracy", "code", right * (1 - gap), stated, "confidences"))
    metrics.append(_Metric("adoption", "manual", np.array(adopted), has_final, "final answers (final_guess)"))
    return [*metrics, _Metric("adoption", "code", moved, decided, "decisions")]


def _bonus_terms(parts, metrics: list[_Metric], sizes, counts_missing: bool) -> list[tossups.Term]:
    """A term for each metric, with sums for each bonus of ``sizes`` (bonus → its number of parts). With ``counts_missing``
    bonuses that the submission lacks count as wrong in :data:`COUNTED_WRONG`."""
    codes = sizes.index.get_indexer(parts["question_id"])
    lacking = ~sizes.index.isin(parts["question_id"])
    terms = []
    for metric in metrics:
        top = np.bincount(codes, np.where(metric.mask, metric.values, 0.0), len(sizes))
        bottom = np.bincount(codes, metric.mask.astype(float), len(sizes))
        if counts_missing and metric.name in COUNTED_WRONG and bottom.any():
            silent = 1.0 if metric.name == "question_accuracy" else sizes.to_numpy(dtype=float)
            bottom = np.where(lacking, silent, bottom)
        terms.append(tossups.Term(metric.name, metric.reading, top, bottom))
    return terms


def bonus_table(
    parts, bootstrap: Bootstrap, rank_coverage: float, missing_questions: str, groups=None
) -> pd.DataFrame:
    """tables/bonuses: every metric of every submission in tidy/bonus_parts under its readings, with intervals and ranks.

    effect: mean(final right) − mean(first right) over parts with a decision record. calibration: mean |correct − confidence|
    (``manual``, lower is better), 1 − that (``code``). calibrated_accuracy (``code``): mean of right · (1 − |correct −
    confidence|). adoption: share of parts whose final answer is the helper's, also where the player had it before (``manual``),
    or whose decision is not "keep" (``code``). Intervals resample bonuses. Ranks need answers to the share ``rank_coverage`` of
    bonuses; ``groups`` (submission → group) are ranked apart. Unless ``missing_questions`` is "leave_out", bonuses left out count
    as wrong (:data:`COUNTED_WRONG`), and effect and calibration rank only full answers. Without data: nan and a note why."""
    sizes = parts.groupby(["submission", "question_id"]).size().groupby("question_id").max()
    counts_missing = missing_questions != "leave_out"
    rows, terms, scored = [], {}, []
    for name, own in parts.groupby("submission", sort=True):
        own = own.sort_values(["question_id", "part"], ignore_index=True)
        answered = own["question_id"].nunique()
        counted = sizes if counts_missing else sizes[sizes.index.isin(own["question_id"])]
        n = len(counted)
        weights = np.vstack([np.ones(n), bootstrap.question_weights(n)])
        metrics = _bonus_metrics(own)
        terms[name] = _bonus_terms(own, metrics, counted, counts_missing)
        scored.append(pd.DataFrame({"submission": name, "question_id": counted.index, "n_plays": 0}))
        values = tossups.value_rows(terms[name], weights, bootstrap)
        for metric, value in zip(metrics, values, strict=True):
            used = int(metric.mask.sum())
            total = answered if metric.name == "question_accuracy" else len(own)
            note = f"{used} of {total} parts have {metric.missing}" if used < total else ""
            note = note if used else f"not computed: no {metric.missing}"
            row = {"submission": name, "bonuses": answered, "parts": len(own)} | value
            rows.append(row | {"parts_used": used, "note": note})
    answers = parts[["submission", "question_id"]].drop_duplicates()
    scored = pd.concat(scored, ignore_index=True)
    entered = ranks.Entrants(terms, scored, sorted(terms), answers, counts_missing, "bonuses")
    entry = pd.DataFrame(rows), entered, groups or {}, answers.iloc[:0], rank_coverage, bootstrap
    _, table, _ = ranks.rank_within_groups(*entry, bounded=lambda table: table)
    return table[store.columns("bonuses")]


def missing_record_findings(table: pd.DataFrame) -> list[Finding]:
    """A finding for each submission, metric and note of tables/bonuses whose note says that records are missing."""
    rows = table[table["note"].str.contains(" have | no ")]
    rows = rows.drop_duplicates(["submission", "metric", "note"])
    return [
        data_issue("bonus metric without its records", f"{row.submission}, {row.metric}", row.note)
        for row in rows.itertuples()
    ]


def score_submissions(
    files: list[Path] | None,
    names: list[str],
    simulated: Path | None,
    replicates: int,
    seed: int,
    level: float,
    rank_coverage: float,
    missing_questions: str,
    groups: dict[str, str],
) -> dict[str, pd.DataFrame | list[Finding]]:
    """Tables bonus_parts and bonuses (a row for each metric and reading of a submission), and findings.
    ``files`` with ``names``, or ``simulated``: as :func:`.submissions.submission_files`.
    Options: see :func:`bonus_table`. ``DataError`` for no or faulty files, or a bonus in two of a submission."""
    source = submissions.submission_files(files, names, simulated, "bonuses")
    if not source:
        raise DataError.at("config", "inputs", "bonus_submissions", None, "at least one file of bonuses")
    parts = [bonus_files.read_bonus_parts(path, name) for path, name in source]
    submissions.refuse_repeated_questions(parts, "question_id")
    parts = pd.concat(parts, ignore_index=True)
    table = bonus_table(parts, Bootstrap(replicates, seed, level), rank_coverage, missing_questions, groups)
    return {"bonus_parts": parts, "bonuses": table, "findings": missing_record_findings(table)}
