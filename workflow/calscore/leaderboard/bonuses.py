"""Bonus metrics of the QANTA leaderboard: effect on a player, accuracy, calibration, adoption.

A submission (the helper) shows its guess, confidence and explanation to a player who has answered first
and may answer anew. Effect and adoption need the record of both answers or of the decision; without it
they are not computed, and the table says so.
"""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from ..core.data_issues import Finding
from ..stats import resample
from . import bonus_files, submissions
from .submissions import data_issue

KEEP = "keep"


def same_answer(one, other) -> bool:
    """Whether two answers are the same but for case, punctuation and articles; a missing one is not."""
    if not isinstance(one, str) or not isinstance(other, str):
        return False

    def normal(text):
        words = re.sub(r"[\W_]+", " ", text.casefold()).split()
        return [word for word in words if word not in ("a", "an", "the")] or words

    return normal(one) == normal(other)


def _sums(parts, values, mask):
    """Per bonus, sorted by id: Σ values and count where ``mask``."""
    codes, ids = pd.factorize(parts["question_id"], sort=True)
    values = np.where(mask, np.asarray(values, dtype=float), 0.0)
    return (
        np.bincount(codes, weights=values, minlength=len(ids)),
        np.bincount(codes, weights=np.asarray(mask, dtype=float), minlength=len(ids)),
    )


def board(parts, replicates: int, seed: int, level: float):
    """tables/bonuses: every metric of every submission under both readings, with intervals and ranks.

    effect: mean(final right) − mean(first right) over parts with a decision record. calibration:
    mean |correct − confidence| (``manual``, lower is better), 1 − that (``code``). adoption: share of
    parts whose final answer is the helper's (``manual``), or whose decision is not "keep" (``code``).
    Intervals resample bonuses. ``parts_used`` counts the parts a value rests on; what cannot be computed
    has value nan and a note.
    """
    rows = []
    for name, of in parts.groupby("submission", sort=True):
        of = of.sort_values(["question_id", "part"], ignore_index=True)
        n = of["question_id"].nunique()
        weights = np.vstack([np.ones(n), resample.bootstrap_weights(n, replicates, seed)])
        right = of["correct"].to_numpy(dtype=float)
        every = np.ones(len(of), dtype=bool)
        told = (of["first_correct"].notna() & of["final_correct"].notna()).to_numpy(dtype=bool)
        stated = of["confidence"].notna().to_numpy(dtype=bool)
        answered = of["final_guess"].notna().to_numpy(dtype=bool)
        decided = of["decision"].notna().to_numpy(dtype=bool)
        first, final = (of[f"{name}_correct"].astype("Float64") for name in ("first", "final"))
        change = (final.fillna(0) - first.fillna(0)).to_numpy(dtype=float)
        gap = np.abs(right - of["confidence"].fillna(0).to_numpy(dtype=float))
        taken = np.array(
            [same_answer(a, b) for a, b in zip(of["final_guess"], of["guess"], strict=True)]
        )
        moved = ~of["decision"].fillna("").str.strip().str.lower().eq(KEEP).to_numpy(dtype=bool)
        whole = of.groupby("question_id", sort=True)["correct"].all().to_numpy(dtype=float)

        told_of = {
            "effect": (
                _sums(of, change, told),
                "decision records (first_correct and final_correct)",
            ),
            "question_accuracy": ((whole, np.ones(n)), "verdicts"),
            "part_accuracy": (_sums(of, right, every), "verdicts"),
            "calibration": (_sums(of, gap, stated), "confidences"),
        }
        sums = [
            (metric, reading, *of_metric)
            for reading in ("manual", "code")
            for metric, of_metric in told_of.items()
        ]
        taken = _sums(of, taken, answered), "final answers (final_guess)"
        sums += [("adoption", "manual", *taken)]
        sums += [("adoption", "code", _sums(of, moved, decided), "decisions")]
        for metric, reading, (top, bottom), missing in sums:
            draws = resample.ratio_draws(weights, top, bottom)
            draws = 1 - draws if (metric, reading) == ("calibration", "code") else draws
            low, high = resample.finite_percentile_interval(draws[1:], level)
            used, total = int(bottom.sum()), n if metric == "question_accuracy" else len(of)
            note = (
                f"{used} of {total} parts have {missing}" if used else f"not computed: no {missing}"
            )
            row = {"submission": name, "bonuses": n, "parts": len(of), "metric": metric}
            row |= {"reading": reading, "value": draws[0], "low": low, "high": high}
            rows.append(row | {"parts_used": used, "note": "" if used == total else note})
    table = pd.DataFrame(rows)
    lower = (table["metric"] == "calibration") & (table["reading"] == "manual")
    signed = table["value"].round(12) * np.where(lower, 1.0, -1.0)
    ranked = (
        signed.where(table["metric"] != "adoption")
        .groupby([table["metric"], table["reading"]])
        .rank(method="min")
    )
    table["rank"] = ranked.astype("Int64")
    return table


def findings(table) -> list[Finding]:
    """One finding for each metric that a submission's records do not allow, in full or at all."""
    rows = table[table["note"] != ""].drop_duplicates(["submission", "metric", "note"])
    return [
        data_issue("bonus metric without its records", f"{row.submission}, {row.metric}", row.note)
        for row in rows.itertuples()
    ]


def scored(files, names, simulated, replicates: int, seed: int, level: float) -> dict:
    """bonus_parts, bonuses and findings of submissions (:func:`submissions.sources`)."""
    given = submissions.sources(files, names, simulated, "bonuses")
    parts = [bonus_files.read(path, name) for path, name in given]
    parts = pd.concat(parts, ignore_index=True)
    table = board(parts, replicates, seed, level)
    return {"bonus_parts": parts, "bonuses": table, "findings": findings(table)}
