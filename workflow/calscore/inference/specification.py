"""The specification curve: every headline number under every defensible choice (Simonsohn et al. 2020).

A specification is one way through the choices that the paper and its code make differently or leave
open. Choices that a metric does not depend on are empty in its rows. The paper's definition and that of the released
code are two quantities: each has a curve of its own.
"""

from __future__ import annotations

from itertools import permutations as permutations_of

import numpy as np
import pandas as pd

from ..core import store
from ..human.curves import H_DEFINITIONS
from ..scores import metrics, score
from ..scores.judges import MARKS
from ..stats import resample
from .comparisons import first_shown

CHOICES = ("segmentation", "h_definition", "form", "scope", "edges", "reduction", "matcher")
"""What varies: where clues end; h; g and its normalisation; clues that ECE and Brier run over; bin
edges of the ECE; from log-probabilities to a confidence; who judges."""

EDGES = ("exact", "released")
SCOPES = {"every clue": "paper", "last clue": "release"}
EXCHANGES = 200
"""Exchanges of the joint test, at most: its least p is 1 / 201."""
SERIES = ["model", "elicitation", "reduction"]
"""The judge is one of the choices."""


def _series(rows):
    """Number of each row's series × question, the series of each, sizes; rows are sorted by them."""
    key = rows[[*SERIES, "question_id"]]
    starts = np.flatnonzero((key != key.shift()).any(axis=1).to_numpy())
    return starts, np.diff(np.append(starts, len(rows)))


def _one(rows, right, h: dict, questions) -> list[tuple[dict, resample.Sums]]:
    """All metrics of all series for one segmentation and one judge: metric and choices, and sums by question.

    ``right`` correctness and ``h`` definition → h, aligned with ``rows``; ``questions``: the order of the sums.
    """
    starts, sizes = _series(rows)
    series = rows[SERIES].drop_duplicates()
    order = pd.MultiIndex.from_frame(series)
    row_number = order.get_indexer(pd.MultiIndex.from_frame(rows[SERIES]))
    place = row_number * len(questions) + questions.get_indexer(rows["question_id"])
    shape = len(series), len(questions)
    c = rows["confidence"].to_numpy(dtype=float)
    g = right.astype(float)
    found = []

    def add(metric, terms, at, bins=None, **choices):
        k = 1 if bins is None else metrics.N_BINS
        cell = at * k + (0 if bins is None else bins)
        top = np.bincount(cell, terms, np.prod(shape) * k).reshape(*shape, k)
        under = np.bincount(at, minlength=np.prod(shape)).reshape(shape).astype(float)
        found.append(({"metric": metric} | choices, resample.Sums(top, under)))

    asked = metrics.shown("specifications")
    for form in metrics.DEFINITIONS:
        here = [one for one in asked if one.over == "questions" and form in one.definitions]
        for number, (definition, curve) in enumerate(h.items()):
            scores = metrics.per_question(here, right, c, curve, starts, form)
            for one in here:
                if one.human:
                    add(
                        one.name,
                        scores[one.name],
                        place[starts],
                        form=form,
                        h_definition=definition,
                    )
                elif not number:
                    # these do not look at h: any will do
                    add(one.name, scores[one.name], place[starts], form=form)
    last = np.zeros(len(rows), dtype=bool)
    last[starts + sizes - 1] = True
    for scope, keep in (("every clue", slice(None)), ("last clue", last)):
        at, form = place[keep], SCOPES[scope]
        for one in asked:
            if form not in one.definitions or one.over not in ("clues", "bins"):
                continue
            terms = one.of(g[keep], c[keep])
            if one.over == "clues":
                add(one.name, terms, at, form=form, scope=scope)
                continue
            for edges in EDGES:
                bins = metrics.bins(c[keep], edges)
                add(one.name, terms, at, bins, form=form, scope=scope, edges=edges)
    return found


def informedness(right, reference) -> float:
    """Sensitivity + specificity − 1 of a judge's verdicts against a better founded judge's, at least 0 (Youden 1950)."""
    right, reference = np.asarray(right, dtype=bool), np.asarray(reference, dtype=bool)
    if reference.all() or not reference.any():
        return 1.0
    return max(0.0, float(right[reference].mean() - right[~reference].mean()))


def curve(rows, verdicts):
    """tables/specifications: metric × choices × model × elicitation → value; and the sums by question of each.

    ``rows`` from :func:`calscore.scores.scored_rows` with ``condition``; ``verdicts`` has question_id,
    guess, condition, matcher and right, of the text as read; other marks
    (:data:`calscore.answers.judges.MARKS`) stand beside the matchers. Guesses exist only where they were made: under each
    segmentation a clue carries the last one, so segmentation moves h, the number of clues and how
    often a guess counts, and never a guess itself. ``trust``: how far the judge of a specification can be trusted
    (:func:`informedness`), against the best founded one that the study has.
    """
    parts, sums = [], []
    questions = pd.Index(sorted(rows["question_id"].unique()))
    order = [*SERIES, "question_id", "clue"]
    for segmentation, every in rows.groupby("segmentation", sort=True):
        judged = {
            name: of.sort_values(order, kind="stable", ignore_index=True)
            for name, of in every.groupby("marks", sort=True)
        }
        of = judged["engine"]
        right = {name: one["correct"].to_numpy(dtype=bool) for name, one in judged.items()}
        for matcher, said in verdicts.groupby("matcher", sort=True):
            key = ["question_id", "guess", "condition"]
            found = of[key].merge(said[[*key, "right"]], on=key, how="left")["right"]
            right[matcher] = found.astype("boolean").fillna(False).to_numpy(dtype=bool)
        best = next(name for name in (*MARKS[:1], *MARKS[:0:-1], "engine") if name in judged)
        for matcher in sorted(right):
            mine = judged.get(matcher, of)
            h = {name: mine[name].to_numpy() for name in H_DEFINITIONS}
            series = mine[SERIES].drop_duplicates()
            trust = _trust(mine, right[matcher], judged[best], right[best])
            for choices, one in _one(mine, right[matcher], h, questions):
                choices |= {"segmentation": segmentation, "matcher": matcher, "trust": trust}
                parts.append(series.assign(value=resample.estimate(one), **choices))
                sums.append((choices, series, one))
    table = pd.concat(parts, ignore_index=True)
    for name in CHOICES:
        table[name] = table[name].fillna("") if name in table else ""
    order = ["metric", "elicitation", *CHOICES, "model"]
    table = table[[*order, "trust", "value"]].sort_values(order, ignore_index=True)
    return table, sums


def _trust(rows, right, best, reference) -> float:
    """:func:`informedness` over the answers that both judges have."""
    if rows is best:
        return informedness(right, reference)
    key = [*SERIES, "question_id", "clue"]
    if len(rows) == len(best) and (rows[key].to_numpy() == best[key].to_numpy()).all():
        return informedness(right, reference)
    both = rows[key].assign(right=right).merge(best[key].assign(best=reference), on=key)
    return informedness(both["right"], both["best"])


def weighted_median(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The least value that has half of the weight at or below it, over the first axis: (S, …), (S,) → (…)."""
    order = np.argsort(values, axis=0, kind="stable")
    reached = np.cumsum(weights[order], axis=0) >= weights.sum() / 2 - 1e-12
    place = reached.argmax(axis=0)
    return np.take_along_axis(np.take_along_axis(values, order, axis=0), place[None], axis=0)[0]


def joint(sums, permutations: int, seed) -> pd.DataFrame:
    """Simonsohn's joint test: are two models alike on each question under all specifications at once?

    Answers to random questions are exchanged, the same questions under every specification (of the edges of bins, which
    hardly matter, under exact ones alone), and the weighted median of
    the differences a − b is computed anew. One row per metric × form × elicitation × pair: weight of the
    specifications that put a below b, weighted median, and the share of exchanges with a median at least as far from 0.
    """
    signs, found = None, {}
    for choices, series, one in sums:
        if choices.get("edges") == EDGES[1]:
            continue
        signs = (
            resample.random_signs(one.denominator.shape[1], permutations, seed)
            if signs is None
            else signs
        )
        rows = list(series[SERIES].itertuples(index=False, name=None))
        # each pair once, the model first by name first
        which = [
            (i, j)
            for i, j in permutations_of(range(len(rows)), 2)
            if rows[i][1:] == rows[j][1:] and rows[i][0] < rows[j][0]
        ]
        if not which:
            continue
        observed, permuted = resample.sign_flips(one, np.array(which), signs)
        for (i, j), value, drawn in zip(which, observed, permuted, strict=True):
            key = choices["metric"], choices["form"], rows[i][1], rows[i][0], rows[j][0]
            found.setdefault(key, []).append((choices["trust"], value, drawn))
    rows = []
    for key, of in found.items():
        weights = np.array([one[0] for one in of])
        values = np.array([one[1] for one in of])
        known = np.isfinite(values) & (weights > 0)
        if not known.any():
            continue
        weights, values = weights[known], values[known]
        drawn = np.stack([one[2] for one in of])[known]
        median = float(weighted_median(values, weights))
        far = np.abs(weighted_median(drawn, weights)) >= abs(median) - 1e-12
        lower = weights[values < -1e-12].sum() / weights.sum()
        rows.append((*key, float(lower), median, (1 + far.sum()) / (1 + permutations)))
    names = ["metric", "form", "elicitation", "model_a", "model_b"]
    return pd.DataFrame(rows, columns=[*names, "weight_a_better", "weighted_median", "p_joint"])


def orders(specifications, tested, printed, comparisons, segmentation, reductions):
    """tables/conclusions: each pairwise order of models, and the share of specifications it holds in.

    One row per metric × form × elicitation × pair, with what :func:`joint` says of it (``tested``): in how many specifications a has the lower (better)
    score, the range of the difference, the difference in the specification shown first with its
    interval and corrected p value (from ``comparisons``), and, where ``printed`` (elicitation →
    model → metric → printed text) has both models, the printed order and the share of
    specifications that it holds in. Scores are compared without rounding; a printed tie holds where
    the scores differ by less than half a unit of its last place.
    """
    wide = specifications.pivot(
        index=["metric", "form", "elicitation", *(c for c in CHOICES if c != "form")],
        columns="model",
        values="value",
    )
    shown = first_shown(comparisons, segmentation, reductions)
    shown = shown[(shown["category"] == "all") & (shown["kind"] == "models")]
    shown = shown.sort_values("marks_a", key=lambda judge: judge.map(MARKS.index), kind="stable")
    pair = ["metric", "definition", "elicitation_a", "model_a", "model_b"]
    shown = shown.drop_duplicates(pair).set_index(pair)
    tested = tested.set_index(["metric", "form", "elicitation", "model_a", "model_b"])
    rows = []
    for (metric, form, elicitation), of in wide.groupby(
        level=["metric", "form", "elicitation"], sort=False
    ):
        models = [name for name in of.columns if of[name].notna().any()]
        for i, a in enumerate(models):
            for b in models[i + 1 :]:
                difference = (of[a] - of[b]).dropna()
                if difference.empty:
                    continue
                row = {
                    "metric": metric,
                    "form": form,
                    "elicitation": elicitation,
                    "model_a": a,
                    "model_b": b,
                    "specifications": len(difference),
                    "share_a_better": float((difference < -1e-12).mean()),
                    "lowest_difference": difference.min(),
                    "median_difference": difference.median(),
                    "highest_difference": difference.max(),
                }
                key = (metric, form, elicitation, a, b)
                if key in tested.index:
                    row |= tested.loc[key].to_dict()
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
    return store.frame(rows, "conclusions")


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
    reductions,
    permutations: int,
    seed: int,
) -> dict:
    """Scores under every specification, and in which share of them each order of models holds."""
    from ..answers import judging

    rows = score.scored_rows(responses, human_curve)
    rows["condition"] = judging.conditions(rows, questions)
    table, sums = curve(rows, matcher_verdicts)
    tested = joint(sums, min(permutations, EXCHANGES), seed)
    printed = (published or {}).get("table1", {}).get("scores")
    shown = primary_segmentation, reductions
    return {
        "specifications": table,
        "conclusions": orders(table, tested, printed, differences, *shown),
    }
