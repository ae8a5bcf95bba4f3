"""Scores per question and per study, from responses and human curves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..human import curves
from ..stats import proportions, resample
from . import metrics

SERIES = ["model", "elicitation", "reduction", "marks"]
"""What names one set of confidences: a model, how it was asked, how log-probabilities were reduced."""


def scored_rows(responses, human_curve):
    """Responses with a confidence, sorted by series, question and clue, with h under each definition.

    Clues whose reply could not be parsed have no confidence and are left out; they are listed in
    the findings.
    """
    rows = responses[responses["confidence"].notna()]
    wide = human_curve.pivot(
        index=["segmentation", "question_id", "clue"], columns="h_definition", values="h"
    )
    rows = rows.merge(
        wide.reset_index(),
        on=["segmentation", "question_id", "clue"],
        how="left",
        validate="many_to_one",
    )
    return rows.sort_values(
        ["segmentation", *SERIES, "question_id", "clue"], kind="stable", ignore_index=True
    )


def _starts(rows) -> np.ndarray:
    """First row of each series × question in sorted rows."""
    key = rows[["segmentation", *SERIES, "question_id"]]
    change = (key != key.shift()).any(axis=1).to_numpy()
    return np.flatnonzero(change)


def question_scores(rows):
    """scores/question_scores from :func:`scored_rows`: MCE and CalScore under both definitions."""
    asked = [one for one in metrics.shown("scores") if one.over == "questions" and not one.curve]
    starts = _starts(rows)
    g = rows["correct"].to_numpy(dtype=bool)
    c = rows["confidence"].to_numpy(dtype=float)
    base = rows.iloc[starts][["segmentation", *SERIES, "question_id"]].reset_index(drop=True)
    base["n_clues"] = np.diff(np.append(starts, len(rows)))
    parts = []
    for definition, h_definition in metrics.DEFINITIONS.items():
        h = rows[h_definition].to_numpy()
        found = metrics.per_question(asked, g, c, h, starts, definition)
        # Rounding can leave a bound by one unit in the last place.
        clipped = {one.name: np.clip(found[one.name], one.least, one.greatest) for one in asked}
        parts.append(base.assign(definition=definition, **clipped))
    return pd.concat(parts, ignore_index=True)[store.columns("question_scores")]


def sh_scores(rows):
    """scores/sh_scores from :func:`scored_rows`: SH of Appendix H in its two forms."""
    starts = _starts(rows)
    g = rows["correct"].to_numpy(dtype=float)
    c = rows["confidence"].to_numpy(dtype=float)
    h = rows["heard"].to_numpy(dtype=float)
    base = rows.iloc[starts][["segmentation", *SERIES, "question_id"]].reset_index(drop=True)
    parts = [
        base.assign(form=form, sh=metrics.sh(g, c, h, starts, form)) for form in metrics.SH_FORMS
    ]
    return pd.concat(parts, ignore_index=True)[store.columns("sh_scores")]


def in_scope(rows, definition: str):
    """The rows that ECE, Brier and accuracy run over: every clue, or each question's last one."""
    if definition == "paper":
        return rows
    return rows.drop_duplicates(["segmentation", *SERIES, "question_id"], keep="last")


def edges(definition: str) -> str:
    """Bin edges of the ECE under a metric definition."""
    return "released" if definition == "release" else "exact"


def reliability(rows, level: float):
    """scores/reliability: the bins behind each ECE, with intervals of the share right.

    Clues of a question hang together: Wilson's interval is taken on the number of independent
    answers that they are worth (:func:`calscore.stats.proportions.effective_number`).
    """
    parts = []
    for definition in metrics.DEFINITIONS:
        for key, one in in_scope(rows, definition).groupby(["segmentation", *SERIES], sort=True):
            g, c = one["correct"].to_numpy(dtype=float), one["confidence"].to_numpy(dtype=float)
            question = pd.factorize(one["question_id"])[0]
            place = question * metrics.N_BINS + metrics.bins(c, edges(definition))
            size = (question.max() + 1) * metrics.N_BINS
            n, confidence, right = (
                np.bincount(place, weights, size).reshape(-1, metrics.N_BINS)
                for weights in (None, c, g)
            )
            worth = proportions.effective_number(right, n)
            n, confidence, right = (values.sum(axis=0) for values in (n, confidence, right))
            some = n > 0
            accuracy = np.divide(right, n, out=np.full(len(n), np.nan), where=some)
            low, high = proportions.wilson(np.where(some, accuracy, 0) * worth, worth, level)
            part = pd.DataFrame(
                {
                    "bin": np.arange(metrics.N_BINS),
                    "low": metrics.DECIMAL_EDGES[:-1],
                    "high": metrics.DECIMAL_EDGES[1:],
                    "n": n.astype("int64"),
                    "n_effective": worth,
                    "confidence": np.divide(confidence, n, out=np.full(len(n), np.nan), where=some),
                    "accuracy": accuracy,
                    "accuracy_low": low,
                    "accuracy_high": high,
                }
            )
            part[["segmentation", *SERIES]] = key
            parts.append(part.assign(definition=definition))
    table = pd.concat(parts, ignore_index=True)
    # A mean of equal numbers can exceed them by one unit in the last place.
    table["confidence"] = table["confidence"].clip(0, 1)
    return table[store.columns("reliability")]


class Tally(NamedTuple):
    """The per-question sums of every metric for all series of one segmentation and definition.

    ``series``: a frame of :data:`SERIES`, one row per series; ``questions``: the Q question ids;
    ``sums``: metric → :class:`calscore.stats.resample.Sums`; ``n_rows``: rows of each series.
    """

    segmentation: str
    definition: str
    series: pd.DataFrame
    questions: pd.Index
    sums: dict[str, resample.Sums]
    n_rows: np.ndarray


def tallies(rows, question_scores, sh_scores):
    """Yield a :class:`Tally` for each segmentation and metric definition.

    ``rows`` from :func:`scored_rows`. ECE, Brier and accuracy are ratios of sums over the rows that
    the definition takes (:func:`in_scope`); MCE, CalScore and SH are means over questions.
    """
    for segmentation, of in rows.groupby("segmentation", sort=True):
        series = of[SERIES].drop_duplicates().sort_values(SERIES, ignore_index=True)
        order = pd.MultiIndex.from_frame(series)
        questions = pd.Index(sorted(of["question_id"].unique()))
        shape = (len(series), len(questions))

        def cells(frame, order=order, questions=questions):
            number = order.get_indexer(pd.MultiIndex.from_frame(frame[SERIES]))
            return number * len(questions) + questions.get_indexer(frame["question_id"])

        def spread(frame, column, shape=shape, cells=cells):
            out = np.zeros(shape)
            out.ravel()[cells(frame)] = frame[column]
            return out[..., None]

        scored = question_scores[question_scores["segmentation"] == segmentation]
        sh = sh_scores[sh_scores["segmentation"] == segmentation]
        for definition in metrics.DEFINITIONS:
            one = in_scope(of, definition)
            cell = cells(one)
            size = shape[0] * shape[1]
            c = one["confidence"].to_numpy(dtype=float)
            g = one["correct"].to_numpy(dtype=float)
            count = np.bincount(cell, minlength=size).reshape(shape).astype(float)
            present = (count > 0).astype(float)
            mine = scored[scored["definition"] == definition]
            forms = {f"sh_{form}": of_form for form, of_form in sh.groupby("form")}
            sums = {}
            for metric in metrics.shown("scores"):
                if definition not in metric.definitions:
                    continue
                if metric.name in forms:
                    sums[metric.name] = (spread(forms[metric.name], "sh"), present)
                elif metric.over == "questions":
                    sums[metric.name] = (spread(mine, metric.name), present)
                else:
                    place, n = cell, 1
                    if metric.over == "bins":
                        n = metrics.N_BINS
                        place = cell * n + metrics.bins(c, edges(definition))
                    total = np.bincount(place, metric.of(g, c), size * n)
                    sums[metric.name] = (total.reshape(*shape, n), count)
            yield Tally(
                segmentation,
                definition,
                series,
                questions,
                {name: resample.Sums(*pair) for name, pair in sums.items()},
                count.sum(axis=1).astype("int64"),
            )


RESCALED = tuple(one.name for one in metrics.METRICS.values() if one.human and not one.linear)
"""What of scores/proper rests on human behaviour."""
_BLOCK = 500_000
"""Numbers in a block of two-way draws: small enough for the processor's cache."""


def two_way_draws(
    rows,
    crowd,
    definition: str,
    question_weights,
    team_weights,
    wanted=None,
    parts=None,
    curve: str | None = None,
):
    """Scores of each series when questions and human teams are resampled.

    ``rows``: those of one segmentation, sorted as by :func:`scored_rows`; ``wanted``: of the
    metrics with two-way intervals, those of scores/model_scores (the default) and :data:`RESCALED`. h is estimated again from each replicate's teams; a question
    that none of them heard is left out of that replicate. A score of a question is a function of
    Σ_t h_t·coefficient_t (``linear`` in the registry). Yields (metric, draws of shape (S, R)). With
    ``parts``, pairs of a mask of questions (Q,) and positions of series, it yields a list instead, for
    each part the draws of its series over its questions, all in the same replicates. ``curve``: another
    h definition than the one that goes with ``definition``.
    """
    if wanted is None:
        wanted = [one.name for one in metrics.shown("scores") if one.human]
    series = rows[SERIES].drop_duplicates().sort_values(SERIES, ignore_index=True)
    order = pd.MultiIndex.from_frame(series)
    questions = pd.Index(sorted(rows["question_id"].unique()))
    starts = _starts(rows)
    sizes = np.diff(np.append(starts, len(rows)))
    g, c = rows["correct"].to_numpy(dtype=float), rows["confidence"].to_numpy(dtype=float)
    number = order.get_indexer(pd.MultiIndex.from_frame(rows[SERIES]))
    question = questions.get_indexer(rows["question_id"])
    clue = rows["clue"].to_numpy() - 1
    shape = (len(questions), len(series), int(crowd.rows["clue"].max()))
    present = np.zeros(shape[:2])
    present[question, number] = 1
    where = crowd.rows["question_id"].isin(questions).to_numpy()
    crowd_at = (
        questions.get_indexer(crowd.rows.loc[where, "question_id"]),
        crowd.rows.loc[where, "clue"].to_numpy() - 1,
    )

    def grid(coefficient, value):
        weights, constant = np.zeros(shape), np.zeros(shape[:2])
        weights[question, number, clue] = coefficient
        constant[question[starts], number[starts]] = value
        return weights, constant

    def linear(weights, constant):
        return lambda h: weights @ h + constant[:, :, None]

    def of_metric(metric):
        coefficient, value, then = metric.linear(g, c, starts, definition)
        sums = linear(*grid(coefficient, value))
        return lambda h: then(sums(h))

    def rescaled():
        coefficient, value, error = metrics.METRICS["calscore"].linear(g, c, starts, definition)
        gain = linear(*grid(coefficient, value))
        # Mean 1 − h over the clues of a question: one for all series that answered the same clues.
        weights, constant = grid(-1 / np.repeat(sizes, sizes), np.ones(len(starts)))
        flat = weights.swapaxes(0, 1).reshape(len(series), -1)
        _, first, like = np.unique(flat, axis=0, return_index=True, return_inverse=True)
        like = like.ravel()
        left = linear(weights[:, first], constant[:, first])

        def normalised(h):
            under = left(h)[:, like]
            # Where h is 1 throughout, rounding may leave a little more or less than 0.
            some = under > 1e-12
            share = np.divide(gain(h), under, out=np.full(under.shape, np.nan), where=some)
            return np.clip(error(share), 0, 1)

        def greatest(h):
            rest = left(h)
            return error(-rest if definition == "paper" else np.zeros_like(rest))

        yield "calscore_normalised", normalised, alone
        yield "calscore_least", lambda h: error(left(h)), (first, like)
        yield "calscore_greatest", greatest, (first, like)

    # Metric → h definition, score of each question from h, and of which series: (those that differ,
    # which of them each series is like).
    own = curve or metrics.DEFINITIONS[definition]
    alone = np.arange(shape[1]), np.arange(shape[1])
    forms = {
        one.name: (one.curve or own, of_metric(one), alone)
        for one in metrics.METRICS.values()
        if one.name in wanted and one.linear and definition in one.definitions
    }
    if set(RESCALED) & set(wanted):
        forms |= {name: (own, *score) for name, *score in rescaled() if name in wanted}
    every = [(np.ones(shape[0], dtype=bool), alone[0])]
    replicates = len(team_weights)
    block = max(1, _BLOCK // (shape[0] * max(shape[1:])))
    for metric, (h_definition, score, (differ, like)) in forms.items():
        of = [(mask, *np.unique(like[who], return_inverse=True)) for mask, who in parts or every]
        drawn = [np.empty((len(columns), replicates)) for _, columns, _ in of]
        has = present[:, differ]
        for first in range(0, replicates, block):
            part = slice(first, first + block)
            h = np.zeros((shape[0], shape[2], len(team_weights[part])))
            h[crowd_at] = crowd.h(h_definition, team_weights[part])[where]
            value = score(h)
            known = has[:, :, None]
            if metric == "calscore_normalised":
                known = known * np.isfinite(value)
                value[known == 0] = 0
            value *= known
            seen = np.zeros((shape[0], len(team_weights[part])), dtype=bool)
            seen[crowd_at[0]] = crowd.heard(team_weights[part])[where]
            w = question_weights[part].T * seen
            for (mask, columns, _), found in zip(of, drawn, strict=True):
                whole = mask.all() and len(columns) == len(differ)
                at = ... if whole else np.ix_(mask, columns)
                times = w[mask]
                if metric == "calscore_normalised":
                    under = np.einsum("qsr,qr->sr", known[at], times)
                else:
                    under = has[at].T @ times
                found[:, part] = np.divide(
                    np.einsum("qsr,qr->sr", value[at], times),
                    under,
                    out=np.full(under.shape, np.nan),
                    where=under > 0,
                )
        drawn = [found[which.ravel()] for found, (*_, which) in zip(drawn, of, strict=True)]
        yield metric, drawn if parts else drawn[0]


def two_way_scores(rows, crowds, replicates: int, seed: int, level: float):
    """Two-way standard errors and percentile intervals of the scores that rest on human behaviour.

    ``crowds`` from :func:`calscore.human.crowds`. Returns segmentation, definition, series, metric
    and two_way_se, two_way_low, two_way_high.
    """
    parts = []
    for segmentation, of in rows.groupby("segmentation", sort=True):
        of = of.reset_index(drop=True)
        crowd = crowds[segmentation]
        series = of[SERIES].drop_duplicates().sort_values(SERIES, ignore_index=True)
        weights = resample.two_way_weights(
            of["question_id"].nunique(), len(crowd.teams), replicates, seed
        )
        for definition in metrics.DEFINITIONS:
            for metric, drawn in two_way_draws(of, crowd, definition, *weights):
                low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=1)
                parts.append(
                    series.assign(
                        segmentation=segmentation,
                        definition=definition,
                        metric=metric,
                        two_way_se=np.nanstd(drawn, axis=1, ddof=1),
                        two_way_low=low,
                        two_way_high=high,
                    )
                )
    return pd.concat(parts, ignore_index=True)


def model_scores(
    rows, question_scores, sh_scores, replicates: int, seed: int, level: float, crowds=None
):
    """scores/model_scores: every metric of every series, with intervals and ranks.

    Intervals (percentile and BCa) resample questions; all series of a segmentation share the draws.
    With ``crowds`` (:func:`calscore.human.crowds`), scores that rest on human behaviour also get
    :func:`two_way_scores`. Ranks are within segmentation, definition, elicitation, reduction and marks, ties share the better
    rank; which end is better stands in the registry.
    """
    parts = []
    for tally in tallies(rows, question_scores, sh_scores):
        weights = resample.bootstrap_weights(len(tally.questions), replicates, seed)
        for metric, sums in tally.sums.items():
            value = resample.estimate(sums)
            bounds = resample.intervals(
                resample.draws(sums, weights), value, resample.jackknife(sums), level
            )
            parts.append(
                tally.series.assign(
                    segmentation=tally.segmentation,
                    definition=tally.definition,
                    metric=metric,
                    value=value,
                    **bounds._asdict(),
                    n_questions=sums.present.sum(axis=1),
                    n_rows=tally.n_rows,
                )
            )
    table = pd.concat(parts, ignore_index=True)
    # Equal scores must share a rank even where summation order differs in the last bits.
    value = table["value"].round(12)
    ordered = value.where(~table["metric"].map(lambda name: metrics.METRICS[name].higher), -value)
    group = [
        table[name]
        for name in ("segmentation", "definition", "elicitation", "reduction", "marks", "metric")
    ]
    table["rank"] = ordered.groupby(group).rank(method="min").astype("int64")
    columns = ["two_way_se", "two_way_low", "two_way_high"]
    if crowds:
        both = two_way_scores(rows, crowds, replicates, seed, level)
        table = table.merge(both, on=["segmentation", "definition", *SERIES, "metric"], how="left")
    else:
        table[columns] = np.nan
    return table[store.columns("model_scores")]


def score_all(
    responses, human_curve, replicates: int, seed: int, level: float, crowds=None
) -> dict:
    """All score tables by name: question_scores, sh_scores, model_scores, reliability."""
    rows = scored_rows(responses, human_curve)
    per_question = question_scores(rows)
    sh = sh_scores(rows)
    return {
        "question_scores": per_question,
        "sh_scores": sh,
        "model_scores": model_scores(rows, per_question, sh, replicates, seed, level, crowds),
        "reliability": reliability(rows, level),
    }


def scored(responses, human_curve, crowd, clues, replicates: int, seed: int, level: float) -> dict:
    """:func:`score_all` with the human teams behind h resampled too."""
    crowds = curves.crowds_from(crowd, clues)
    return score_all(responses, human_curve, replicates, seed, level, crowds)
