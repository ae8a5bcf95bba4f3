"""The specification curve: every headline number under every defensible choice (Simonsohn et al. 2020).

A specification is one way through the choices that the paper and its code make differently or leave
open. Choices that a metric does not depend on are empty in its rows.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..answers import judging
from ..answers.judges import MARKS
from ..human.curves import H_DEFINITIONS
from ..scores import metrics, score
from .comparisons import first_shown

CHOICES = ("segmentation", "h_definition", "form", "scope", "edges", "reduction", "matcher")
"""What varies: where clues end; h; g and its normalisation; clues that ECE and Brier run over; bin
edges of the ECE; from log-probabilities to a confidence; who judges."""

EDGES = ("exact", "released")
SCOPES = {"every clue": "paper", "last clue": "release"}
SERIES = ["model", "elicitation", "reduction"]
"""The judge is one of the choices."""


def _series(rows):
    """Number of each row's series × question, the series of each, sizes; rows are sorted by them."""
    key = rows[[*SERIES, "question_id"]]
    starts = np.flatnonzero((key != key.shift()).any(axis=1).to_numpy())
    return starts, np.diff(np.append(starts, len(rows)))


def _means(values, number, n_series) -> np.ndarray:
    return np.bincount(number, values, n_series) / np.bincount(number, minlength=n_series)


def _one(rows, right, h: dict) -> list[dict]:
    """All metrics of all series for one segmentation and one judge: a list of columns by choice.

    ``right`` correctness and ``h`` definition → h, aligned with ``rows``.
    """
    starts, sizes = _series(rows)
    series = rows[SERIES].drop_duplicates().reset_index(drop=True)
    order = pd.MultiIndex.from_frame(series)
    row_number = order.get_indexer(pd.MultiIndex.from_frame(rows[SERIES]))
    number, count = row_number[starts], len(series)
    c = rows["confidence"].to_numpy(dtype=float)
    g = right.astype(float)
    found = []

    def add(metric, value, **choices):
        found.append(series.assign(metric=metric, value=value, **choices))

    asked = metrics.shown("specifications")
    for form in metrics.DEFINITIONS:
        here = [one for one in asked if one.over == "questions" and form in one.definitions]
        for definition, curve in h.items():
            scores = metrics.per_question(here, right, c, curve, starts, form)
            for one in here:
                if one.human:
                    value = _means(scores[one.name], number, count)
                    add(one.name, value, form=form, h_definition=definition)
        # The others do not look at h: any will do.
        for one in here:
            if not one.human:
                add(one.name, _means(scores[one.name], number, count), form=form)
    last = np.zeros(len(rows), dtype=bool)
    last[starts + sizes - 1] = True
    for scope, keep in (("every clue", slice(None)), ("last clue", last)):
        at = row_number[keep]
        here = [one for one in asked if SCOPES[scope] in one.definitions]
        for one in here:
            if one.over == "clues":
                add(one.name, _means(one.of(g[keep], c[keep]), at, count), scope=scope)
        for edges in EDGES:
            place = at * metrics.N_BINS + metrics.bins(c[keep], edges)
            for one in here:
                if one.over == "bins":
                    terms = one.of(g[keep], c[keep])
                    sums = np.bincount(place, terms, count * metrics.N_BINS).reshape(count, -1)
                    value = np.abs(sums).sum(axis=1) / np.bincount(at, minlength=count)
                    add(one.name, value, scope=scope, edges=edges)
    return found


def curve(rows, verdicts):
    """tables/specifications: metric × choices × model × elicitation → value.

    ``rows`` from :func:`calscore.scores.scored_rows` with ``condition``; ``verdicts`` has question_id,
    guess, condition, matcher and right, of the text as read; other marks
    (:data:`calscore.answers.judges.MARKS`) stand beside the matchers. Guesses exist only where they were made: under each
    segmentation a clue carries the last one, so segmentation moves h, the number of clues and how
    often a guess counts, and never a guess itself.
    """
    parts = []

    def add(of, right, segmentation, matcher):
        h = {name: of[name].to_numpy() for name in H_DEFINITIONS}
        found = pd.concat(_one(of, right, h), ignore_index=True)
        parts.append(found.assign(segmentation=segmentation, matcher=matcher))

    order = [*SERIES, "question_id", "clue"]
    for segmentation, every in rows.groupby("segmentation", sort=True):
        for name, of in every[every["marks"] != "engine"].groupby("marks", sort=True):
            of = of.sort_values(order, kind="stable", ignore_index=True)
            add(of, of["correct"].to_numpy(dtype=bool), segmentation, name)
        of = every[every["marks"] == "engine"]
        of = of.sort_values(order, kind="stable", ignore_index=True)
        for matcher, judged in verdicts.groupby("matcher", sort=True):
            key = ["question_id", "guess", "condition"]
            right = of[key].merge(judged[[*key, "right"]], on=key, how="left")["right"]
            right = right.astype("boolean").fillna(False).to_numpy(dtype=bool)
            add(of, right, segmentation, matcher)
    table = pd.concat(parts, ignore_index=True)
    for name in CHOICES:
        table[name] = table[name].fillna("")
    order = ["metric", "elicitation", *CHOICES, "model"]
    return table[[*order, "value"]].sort_values(order, ignore_index=True)


def orders(specifications, printed, comparisons, segmentation, definition, reductions):
    """tables/conclusions: each pairwise order of models, and the share of specifications it holds in.

    One row per metric × elicitation × pair: in how many specifications a has the lower (better)
    score, the range of the difference, the difference in the specification shown first with its
    interval and corrected p value (from ``comparisons``), and, where ``printed`` (elicitation →
    model → metric → printed text) has both models, the printed order and the share of
    specifications that it holds in. Scores are compared without rounding; a printed tie holds where
    the scores differ by less than half a unit of its last place.
    """
    wide = specifications.pivot(
        index=["metric", "elicitation", *CHOICES], columns="model", values="value"
    )
    shown = first_shown(comparisons, segmentation, reductions)
    shown = shown[(shown["category"] == "all") & (shown["kind"] == "models")]
    shown = shown[shown["definition"] == definition].sort_values(
        "marks_a", key=lambda judge: judge.map(MARKS.index), kind="stable"
    )
    shown = shown.drop_duplicates(["metric", "elicitation_a", "model_a", "model_b"])
    shown = shown.set_index(["metric", "elicitation_a", "model_a", "model_b"])
    rows = []
    for (metric, elicitation), of in wide.groupby(level=["metric", "elicitation"], sort=False):
        models = [name for name in of.columns if of[name].notna().any()]
        for i, a in enumerate(models):
            for b in models[i + 1 :]:
                difference = (of[a] - of[b]).dropna()
                if difference.empty:
                    continue
                row = {
                    "metric": metric,
                    "elicitation": elicitation,
                    "model_a": a,
                    "model_b": b,
                    "specifications": len(difference),
                    "share_a_better": float((difference < -1e-12).mean()),
                    "lowest_difference": difference.min(),
                    "median_difference": difference.median(),
                    "highest_difference": difference.max(),
                }
                key = (metric, elicitation, a, b)
                if key in shown.index:
                    first = shown.loc[key]
                    row |= {
                        "shown_difference": first["difference"],
                        "shown_low": first["low"],
                        "shown_high": first["high"],
                        "draws_a_better": first["draws_a_better"],
                        "p_adjusted": first["p_adjusted"],
                        "family": first["family"],
                    }
                row |= _published(printed, elicitation, metric, a, b, difference)
                rows.append(row)
    columns = [
        "metric", "elicitation", "model_a", "model_b", "specifications", "share_a_better",
        "lowest_difference", "median_difference", "highest_difference", "shown_difference",
        "shown_low", "shown_high", "draws_a_better", "p_adjusted", "family",
        "published_a", "published_b", "published_order", "share_holding",
    ]  # fmt: skip
    return pd.DataFrame(rows).reindex(columns=columns)


def _published(printed, elicitation, metric, a, b, difference) -> dict:
    """The printed order of two models and the share of specifications in which it holds."""
    of = (printed or {}).get(elicitation, {})
    if metric not in of.get(a, {}) or metric not in of.get(b, {}):
        return {}
    first, second = of[a][metric], of[b][metric]
    gap = float(first) - float(second)
    if gap:
        holds = np.sign(difference) == np.sign(gap)
        order = f"{a} < {b}" if gap < 0 else f"{b} < {a}"
    else:
        places = len(first.partition(".")[2])
        holds = difference.abs() < 0.5 * 10.0**-places
        order = f"{a} = {b}"
    return {
        "published_a": first,
        "published_b": second,
        "published_order": order,
        "share_holding": float(holds.mean()),
    }


def traced(
    questions,
    responses,
    human_curve,
    matcher_verdicts,
    differences,
    published: dict | None,
    primary_segmentation: str,
    primary_definition: str,
    reductions,
) -> dict:
    """Scores under every specification, and in which share of them each order of models holds."""
    rows = score.scored_rows(responses, human_curve)
    rows["condition"] = judging.conditions(rows, questions)
    table = curve(rows, matcher_verdicts)
    printed = (published or {}).get("table1", {}).get("scores")
    shown = primary_segmentation, primary_definition, reductions
    return {
        "specifications": table,
        "conclusions": orders(table, printed, differences, *shown),
    }
