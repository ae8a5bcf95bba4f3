"""MCE, CalScore, Brier score, accuracy and ECE of models, and P(correct | buzz) of all humans."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
from calscore.scores import metrics
from calscore.stats import proportions, resample
from calscore.stats.bootstrap import Bootstrap

from ..engine import LEVEL
from ..worlds.models import CLUES, QUESTIONS, TEAMS, curve

_weights = cache(resample.bootstrap_weights)


def by_question(one, replicates: int, number: int, calibrated: bool = False) -> dict:
    """Intervals that resample questions, of the sums of a study: the first model, and model minus model."""
    found = {}
    # Scores that are means over questions are series of one product; ECE has a sum per bin.
    for names in [("ece",)] if calibrated else [("mce", "calscore", "brier", "accuracy"), ("ece",)]:
        top = np.concatenate([one[name] for name in names])
        sums = resample.Sums(top, np.ones(top.shape[:2]))
        weights = _weights(top.shape[1], replicates, 1)
        each = (
            resample.bootstrap_replicates(sums, weights),
            resample.estimate(sums),
            resample.jackknife(sums),
        )
        for at, metric in enumerate(names):
            a, b = 2 * at, 2 * at + 1
            cases = {
                metric: [of[a:b] for of in each],
                f"{metric}, model minus model": [of[a:b] - of[b : b + 1] for of in each],
            }
            for quantity, (drawn, value, left) in cases.items():
                if calibrated:
                    quantity += ", calibrated models"
                bounds = resample.intervals(drawn, value, left, LEVEL)
                found[quantity, "percentile, questions"] = value, bounds.low, bounds.high
                found[quantity, "BCa, questions"] = value, bounds.bca_low, bounds.bca_high
    return found


calibrated_by_question = partial(by_question, calibrated=True)


def calscores(one, w=None, v=None):
    """CalScore of both models, (2,), or its replicates (2, R) by weights of questions w and of teams v."""
    gc = (2 * one["g"] - 1) * one["c"] / CLUES
    h = curve(one, v)
    if v is None:
        return 1 - metrics.renormalise((gc * (1 - h)).sum(axis=2)).mean(axis=1)
    error = 1 - metrics.renormalise(gc.sum(axis=2)[..., None] - np.einsum("mqc,qcr->mqr", gc, h))
    return np.einsum("mqr,rq->mr", error, w) / QUESTIONS


def _percentiles(drawn) -> np.ndarray:
    return np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=-1)


def of_a_crowd(one, replicates: int, number: int) -> dict:
    """CalScore and a difference: bounds by questions, and by questions and teams, as they come and about the estimate."""
    w, v = Bootstrap(replicates, number, 0.95).two_way_weights(QUESTIONS, one["heard"].shape[1])
    value = calscores(one)
    found = {}
    for method, teams in (("questions", np.ones_like(v)), ("two-way", v)):
        drawn = calscores(one, w, teams)
        for name, x, of in (
            ("calscore", value[0], drawn[0]),
            ("calscore, model minus model", value[0] - value[1], drawn[0] - drawn[1]),
        ):
            ends = _percentiles(of)
            found[name, f"{method}, percentile"] = tuple(np.array([y]) for y in (x, *ends))
            if method == "two-way":
                ends = Bootstrap(replicates, number, LEVEL).two_way_interval(x, *ends, QUESTIONS, v.shape[1])
                found[name, f"{method}, centred"] = tuple(np.array([y]) for y in (x, *ends))
    return found


SIZES = (5, 8, 12, 20, 40)
"""Questions of a group."""


def of_few_questions(one, replicates: int, number: int) -> dict:
    """MCE and CalScore of small groups of questions, and differences: percentiles, Student's t, two-way bounds."""
    gc = (2 * one["g"] - 1) * one["c"] / CLUES
    _, v = Bootstrap(replicates, number, 0.95).two_way_weights(2, one["heard"].shape[1])
    errors = {
        "mce": 1 - metrics.renormalise(gc.sum(axis=2)),
        "calscore": 1 - metrics.renormalise((gc * (1 - curve(one))).sum(axis=2)),
    }
    h = curve(one, v)
    both = 1 - metrics.renormalise(gc.sum(axis=2)[..., None] - np.einsum("mqc,qcr->mqr", gc, h))
    found, bootstrap = {}, Bootstrap(replicates, number, LEVEL)
    for n in SIZES:
        w = resample.bootstrap_weights(n, replicates, number)
        for metric, each in errors.items():
            for words, of in (("", lambda x: x[0]), (", model minus model", lambda x: x[0] - x[1])):
                x = of(each)[:n]
                name, value = f"{metric}{words}, {n} questions", x.mean()
                left = resample.jackknife(resample.Sums(x[None, :, None], np.ones((1, n))))
                ends = {
                    "percentile": _percentiles(w @ x / n),
                    "Student": resample.t_interval_jackknife(value, left, LEVEL),
                }
                if metric == "calscore":
                    drawn = np.einsum("qr,rq->r", of(both)[:n], w) / n
                    ends["two-way, centred"] = bootstrap.two_way_interval(
                        value, *_percentiles(drawn), n, v.shape[1]
                    )
                for method, (low, high) in ends.items():
                    found[name, method] = tuple(np.atleast_1d(y) for y in (value, low, high))
    return found


def precision(one, w=None, v=None):
    """P(correct | buzz) of all humans, or its replicates by weights of questions w and of teams v."""
    right, every = one["correct"][:, -1], one["total"][:, -1]
    if w is None and v is None:
        return right.sum() / every.sum()
    return resample.two_way_replicates(right, w, v) / resample.two_way_replicates(every, w, v)


def by_question_and_team(one, replicates: int, number: int) -> dict:
    """One-way and two-way intervals where the teams of each study are drawn anew."""
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    bootstrap = Bootstrap(replicates, number, LEVEL)
    w, v = bootstrap.two_way_weights(QUESTIONS, TEAMS)
    both, drawn = calscores(one), calscores(one, w, v)
    human = "human P(correct | buzz)"
    cases = {
        ("calscore", "two-way"): (both[0], drawn[0]),
        ("calscore, model minus model", "two-way"): (both[0] - both[1], drawn[0] - drawn[1]),
        (human, "questions"): (precision(one), precision(one, w=w)),
        (human, "teams"): (precision(one), precision(one, v=v)),
        (human, "two-way"): (precision(one), precision(one, w=w, v=v)),
    }
    found = {}
    for key, (value, replicates) in cases.items():
        ends = np.quantile(replicates, tails)
        if key[0] != human and key[1] == "two-way":
            ends = bootstrap.two_way_interval(value, *ends, QUESTIONS, TEAMS)
        found[key] = tuple(np.array([x]) for x in (value, *ends))
    right, every = one["correct"][:, -1].sum(), one["total"][:, -1].sum()
    bounds = proportions.wilson([right], [every], LEVEL)
    found[human, "Wilson, buzzes as independent"] = np.array([right / every]), *bounds
    return found
