"""The specification curve: every headline number under every defensible choice (Simonsohn et al. 2020).

A specification is one way through the choices that the paper and its code make differently or leave
open. Choices that a metric does not depend on are empty in its rows. The paper's definition and that of the released
code are two quantities: each has a curve of its own.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..core import store
from ..core.mark_sources import MARKS
from ..human.curves import H_DEFINITIONS
from ..scores import metrics, score
from ..stats import resample
from .comparisons import primary_comparisons

CHOICES = ("segmentation", "h_definition", "form", "scope", "edges", "reduction", "matcher")
"""What varies: where clues end; h; g and its normalisation; clues that ECE and Brier run over; bin
edges of the ECE; from log-probabilities to a confidence; who judges."""

EDGES = ("exact", "released")
SCOPES = {"every clue": "paper", "last clue": "release"}
EXCHANGES = 200
"""Exchanges of the joint test, at most: its least p is 1 / 201."""
SERIES = ["model", "elicitation", "reduction"]
"""The judge is one of the choices."""
PAIR = ["metric", "form", "elicitation", "model_a", "model_b"]
"""What is concluded of, a row each."""
Specification = tuple[dict, pd.DataFrame, resample.Sums]
"""choices (with metric and trust), series (S rows), sums by question"""


class _Answers(NamedTuple):
    """Answers of one segmentation under one judge, in order of :data:`SERIES`, question and clue (length N).

    ``series``: the S of them; ``starts``: first row of each question of each series; ``place``: cell of each row in
    ``shape`` (S, Q), flat; ``c``: confidence; ``h``: h definition → h.
    """

    rows: pd.DataFrame
    series: pd.DataFrame
    starts: np.ndarray
    place: np.ndarray
    shape: tuple[int, int]
    c: np.ndarray
    h: dict[str, np.ndarray]

    @classmethod
    def from_rows(cls, rows: pd.DataFrame, questions: pd.Index) -> _Answers:
        """Arrays of sorted ``rows``; ``questions``: index of the Q ids, in the order of sums."""
        series = rows[SERIES].drop_duplicates()
        number = pd.MultiIndex.from_frame(series).get_indexer(pd.MultiIndex.from_frame(rows[SERIES]))
        place = number * len(questions) + questions.get_indexer(rows["question_id"])
        starts = np.flatnonzero(np.diff(place, prepend=-1))
        c = rows["confidence"].to_numpy(dtype=float)
        h = {name: rows[name].to_numpy() for name in H_DEFINITIONS}
        return cls(rows, series, starts, place, (len(series), len(questions)), c, h)


def _metric_sums(laid: _Answers, right: np.ndarray) -> list[tuple[dict[str, str], resample.Sums]]:
    """(metric and choices, sums by question) of each metric and choice, for one segmentation and judge.

    ``right`` (N,): whether each row is right.
    """
    _, _, starts, place, shape, c, h = laid
    g = right.astype(float)
    entries = []

    def add(metric, terms, cell_index, bins=None, **choices):
        k = 1 if bins is None else metrics.N_BINS
        cell = cell_index * k + (0 if bins is None else bins)
        top = np.bincount(cell, terms, np.prod(shape) * k).reshape(*shape, k)
        under = np.bincount(cell_index, minlength=np.prod(shape)).reshape(shape).astype(float)
        entries.append(({"metric": metric} | choices, resample.Sums(top, under)))

    def defined(form, *over):
        return [
            metric
            for metric in metrics.metrics_for("specifications")
            if form in metric.definitions and metric.over in over
        ]

    for form in metrics.DEFINITIONS:
        own_metrics = defined(form, "questions")
        for number, (definition, curve) in enumerate(h.items()):
            scores = metrics.per_question(own_metrics, right, c, curve, starts, form)
            for metric in own_metrics:
                # those that do not look at h are the same for all
                if metric.human or not number:
                    choices = {"h_definition": definition} if metric.human else {}
                    add(metric.name, scores[metric.name], place[starts], form=form, **choices)
    last_rows = np.append(starts[1:], len(c)) - 1
    for (scope, form), keep in zip(SCOPES.items(), (slice(None), last_rows), strict=True):
        for metric in defined(form, "clues", "bins"):
            terms, choices = metric.function(g[keep], c[keep]), {"form": form, "scope": scope}
            if metric.over == "clues":
                add(metric.name, terms, place[keep], **choices)
                continue
            for edges in EDGES:
                bins = metrics.confidence_bins(c[keep], edges)
                add(metric.name, terms, place[keep], bins, edges=edges, **choices)
    return entries


def informedness(right: ArrayLike, reference: ArrayLike) -> float:
    """Sensitivity + specificity − 1 (Youden 1950) of verdicts ``right`` against ``reference``, both (n,);
    below 0 it is 0, and 1 if ``reference`` has one value only or none."""
    right, reference = np.asarray(right, dtype=bool), np.asarray(reference, dtype=bool)
    if reference.all() or not reference.any():
        return 1.0
    return max(0.0, float(right[reference].mean() - right[~reference].mean()))


def specification_curve(
    rows: pd.DataFrame, verdicts: pd.DataFrame
) -> tuple[pd.DataFrame, list[Specification]]:
    """(table specifications, [:data:`Specification`, …] behind it); the table has a row per specification and series.

    ``rows``: :func:`calscore.scores.score.scored_rows` with ``condition``, under the engine at least;
    ``verdicts``: table matcher_verdicts. ``trust``: :func:`informedness` of a specification's judge against the
    best founded one. Segmentation moves h, the number of clues and how often a guess counts, never a guess.
    """
    sums = []
    questions = pd.Index(sorted(rows["question_id"].unique()))
    key = ["question_id", "guess", "condition"]
    verdict_table = verdicts.pivot(index=key, columns="matcher", values="right").astype("boolean")
    for segmentation, segment_rows in rows.groupby("segmentation", sort=True):
        judged = {
            name: _Answers.from_rows(answers.reset_index(drop=True), questions)
            for name, answers in segment_rows.groupby("marks", sort=True)
        }
        answers = judged["engine"].rows
        right = {name: item.rows["correct"].to_numpy(dtype=bool) for name, item in judged.items()}
        own_verdicts = verdict_table.reindex(pd.MultiIndex.from_frame(answers[key])).fillna(False)
        right |= {matcher: own_verdicts[matcher].to_numpy(dtype=bool) for matcher in own_verdicts}
        best = next(name for name in (*MARKS[:1], *MARKS[:0:-1], "engine") if name in judged)
        for matcher in sorted(right):
            laid = judged.get(matcher, judged["engine"])
            trust = _judge_trust(laid.rows, right[matcher], judged[best].rows, right[best])
            about = {"segmentation": segmentation, "matcher": matcher, "trust": trust}
            sums += [
                (choices | about, laid.series, item) for choices, item in _metric_sums(laid, right[matcher])
            ]
    table = pd.concat([series for _, series, _ in sums], ignore_index=True)
    names = ["metric", *(name for name in CHOICES if name not in SERIES)]
    choices = pd.DataFrame([choices for choices, *_ in sums], columns=[*names, "trust"])
    choices = choices.fillna(dict.fromkeys(names, ""))
    times = np.repeat(np.arange(len(sums)), [len(series) for _, series, _ in sums])
    table[choices.columns] = choices.iloc[times].reset_index(drop=True)
    table["value"] = np.concatenate([resample.estimate(item) for *_, item in sums])
    order = ["metric", "elicitation", *CHOICES, "model"]
    table = table[[*order, "trust", "value"]].sort_values(order, ignore_index=True)
    return table, sums


def _judge_trust(rows: pd.DataFrame, right: np.ndarray, best: pd.DataFrame, reference: np.ndarray) -> float:
    """:func:`informedness` of ``right`` against ``reference``, over the answers that ``rows`` and ``best`` share."""
    key = [*SERIES, "question_id", "clue"]
    if rows is best or rows[key].equals(best[key]):
        return informedness(right, reference)
    both = rows[key].assign(right=right).merge(best[key].assign(best=reference), on=key)
    return informedness(both["right"], both["best"])


def weighted_median(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Over the first axis, the least of ``values`` (S, …) with half of the ``weights`` (S,) at or below it: (…)."""
    order = np.argsort(values, axis=0, kind="stable")
    reached = np.cumsum(weights[order], axis=0) >= weights.sum() / 2 - 1e-12
    place = reached.argmax(axis=0)
    return np.take_along_axis(np.take_along_axis(values, order, axis=0), place[None], axis=0)[0]


def joint_test(sums: list[Specification], permutations: int, seed: int | list[int]) -> pd.DataFrame:
    """Simonsohn's joint test: are two models alike on each question under all specifications at once?

    ``sums``: from :func:`specification_curve`. Answers to random questions are exchanged, ``permutations`` times,
    the same under each specification with exact bin edges. A row per metric, form, elicitation and pair of models
    a, b with one reduction: ``weight_a_better`` (share of weight with a < b), ``weighted_median`` of a − b, and
    ``p_joint``, the share of exchanges, the data as one more, at least as far from 0. Weights are ``trust``.
    """
    signs, draws_of_pair = None, {}
    for choices, series, sums_of_choice in sums:
        if choices.get("edges") == EDGES[1]:
            continue
        if signs is None:
            signs = resample.random_signs(sums_of_choice.denominator.shape[1], permutations, seed)
        rows = list(series[SERIES].itertuples(index=False, name=None))
        # each pair once: rows are sorted by model
        pairs = [(i, j) for i, j in combinations(range(len(rows)), 2) if rows[i][1:] == rows[j][1:]]
        if not pairs:
            continue
        observed, permuted = resample.sign_flips(sums_of_choice, np.array(pairs), signs)
        for (i, j), value, drawn in zip(pairs, observed, permuted, strict=True):
            key = choices["metric"], choices["form"], rows[i][1], rows[i][0], rows[j][0]
            draws_of_pair.setdefault(key, []).append((choices["trust"], value, drawn))
    rows = []
    for key, draws in draws_of_pair.items():
        weights, values, drawn = map(np.array, zip(*draws, strict=True))
        usable = np.isfinite(values) & (weights > 0)
        if not usable.any():
            continue
        weights, values, drawn = weights[usable], values[usable], drawn[usable]
        median = float(weighted_median(values, weights))
        far = np.abs(weighted_median(drawn, weights)) >= abs(median) - 1e-12
        lower = weights[values < -1e-12].sum() / weights.sum()
        rows.append((*key, float(lower), median, (1 + far.sum()) / (1 + permutations)))
    return pd.DataFrame(rows, columns=[*PAIR, "weight_a_better", "weighted_median", "p_joint"])


def pairwise_conclusions(
    specifications: pd.DataFrame,
    tested: pd.DataFrame,
    printed: dict | None,
    comparisons: pd.DataFrame,
    segmentation: str,
    reductions: list[str],
) -> pd.DataFrame:
    """Table conclusions: a row per metric, form, elicitation and pair of models a, b that share a specification.

    ``share_a_better``: share of specifications in which a scores lower, without rounding; ``shown_…``: of ``comparisons``
    (table differences), under ``segmentation`` and the first of ``reductions``; nan without. ``tested``: from
    :func:`joint_test`. ``printed`` (elicitation → model → metric → text, or None): its order, and the share it holds in.
    """
    wide = specifications.pivot(
        index=[*PAIR[:3], *(c for c in CHOICES if c != "form")],
        columns="model",
        values="value",
    )
    primary_rows = primary_comparisons(comparisons, segmentation, reductions)
    primary_rows = primary_rows.query("category == 'all' and kind == 'models'").sort_values(
        "marks_a", key=lambda judge: judge.map(MARKS.index), kind="stable"
    )
    estimates = ["difference", "low", "high"]
    columns = [*estimates, "draws_a_better", "p_adjusted", "family"]
    pair = ["metric", "definition", "elicitation_a", "model_a", "model_b"]
    primary_rows = primary_rows.drop_duplicates(pair).set_index(pair)[columns]
    primary_rows = primary_rows.rename(columns={name: f"shown_{name}" for name in estimates})
    about_pair = primary_rows.to_dict("index"), tested.set_index(PAIR).to_dict("index")
    rows = []
    for (metric, form, elicitation), columns_of_models in wide.groupby(level=PAIR[:3], sort=False):
        values = {
            name: column.to_numpy() for name, column in columns_of_models.items() if column.notna().any()
        }
        for a, b in combinations(values, 2):
            difference = values[a] - values[b]
            difference = difference[~np.isnan(difference)]
            if not len(difference):
                continue
            key = metric, form, elicitation, a, b
            row = dict(zip(PAIR, key, strict=True)) | {
                "specifications": len(difference),
                "share_a_better": float((difference < -1e-12).mean()),
                "lowest_difference": difference.min(),
                "median_difference": np.median(difference),
                "highest_difference": difference.max(),
            }
            for details in about_pair:
                row |= details.get(key, {})
            row |= _published_columns(printed, elicitation, metric, a, b, difference)
            rows.append(row)
    return store.frame(rows, "conclusions")


def _published_columns(
    printed: dict | None, elicitation: str, metric: str, a: str, b: str, difference: np.ndarray
) -> dict[str, object]:
    """Printed scores and order of two models, and the share of ``difference`` in agreement; {} unless both are printed.

    A printed tie holds where scores differ by less than half a unit of its last place.
    """
    printed_scores = (printed or {}).get(elicitation, {})
    if metric not in printed_scores.get(a, {}) or metric not in printed_scores.get(b, {}):
        return {}
    printed_a, printed_b = printed_scores[a][metric], printed_scores[b][metric]
    gap = float(printed_a) - float(printed_b)
    if gap:
        holds = np.sign(difference) == np.sign(gap)
        order = f"{a} < {b}" if gap < 0 else f"{b} < {a}"
    else:
        places = len(printed_a.partition(".")[2])
        holds = np.abs(difference) < 0.5 * 10.0**-places
        order = f"{a} = {b}"
    return {
        "published_a": printed_a,
        "published_b": printed_b,
        "published_order": order,
        "share_holding": float(holds.mean()),
    }


def specification_tables(
    questions: pd.DataFrame,
    responses: pd.DataFrame,
    human_curve: pd.DataFrame,
    matcher_verdicts: pd.DataFrame,
    differences: pd.DataFrame,
    published: dict | None,
    primary_segmentation: str,
    reductions: list[str],
    permutations: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Tables specifications and conclusions, by name. ``permutations``: number of exchanges, at most :data:`EXCHANGES`;
    ``published``: record of the paper, whose table 1 is compared, or None."""
    from ..judging import guess_verdicts

    rows = score.scored_rows(responses, human_curve)
    rows["condition"] = guess_verdicts.met_conditions(rows, questions)
    table, sums = specification_curve(rows, matcher_verdicts)
    tested = joint_test(sums, min(permutations, EXCHANGES), seed)
    printed = (published or {}).get("table1", {}).get("scores")
    primary_choice = primary_segmentation, reductions
    return {
        "specifications": table,
        "conclusions": pairwise_conclusions(table, tested, printed, differences, *primary_choice),
    }
