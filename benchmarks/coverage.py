"""How often 95 % intervals hold the truth, over simulated studies of the size of GRACE.

``python benchmarks/coverage.py --write`` measures 1,000 studies and writes workflow/calscore/coverage.csv, which
docs/inference.md quotes; without it the table is printed. The truth of a quantity is its expectation
under the simulator: the mean of its estimate over further studies, drawn apart.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

import numpy as np
import pandas as pd
from calscore.scores import metrics
from calscore.stats import resample

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "benchmarks" / "coverage" / "coverage.csv"
QUESTIONS, CLUES, TEAMS, PACKETS = 240, 8, 17, 12
LEVEL = 0.95


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def study(rng, skills=None, calibrated: bool = False) -> dict[str, np.ndarray]:
    """One simulated study: two models and 17 teams on 240 questions of 8 clues.

    ``skills``: those of the teams; drawn where None. Models share the difficulty of a question, and
    each knows it from some clue on. ``calibrated``: confidence is the probability of being right.
    Returns g and c (2, Q, C), the teams' right and all buzzes so far (Q, C, T), and what these come
    from (Q, T): whether a team heard a question, the clue it would buzz after (from C on: none) and
    whether it would be right.
    """
    difficulty = rng.normal(0, 1, QUESTIONS)
    shown = np.linspace(0, 1, CLUES)
    luck = rng.random((2, QUESTIONS, 1))
    ability = np.array([-0.2, -0.5])[:, None, None]
    probability = sigmoid(ability - difficulty[None, :, None] + 3.0 * shown - 1.2)
    right = luck < probability
    if calibrated:
        confidence = probability
    else:
        noise = rng.normal(0, 0.7, (2, QUESTIONS, 1)) + rng.normal(0, 0.4, (2, QUESTIONS, CLUES))
        confidence = sigmoid(1.4 * (probability - 0.4) * 3 + noise + 0.3)
    if skills is None:
        skills = rng.normal(0, 0.7, TEAMS)
    heard = np.repeat(rng.random((PACKETS, TEAMS)) < 0.55, QUESTIONS // PACKETS, axis=0)
    # Each team would buzz after some clue; it is right with a chance that grows with the clue.
    when = rng.integers(0, CLUES + 3, (QUESTIONS, TEAMS))
    chance = sigmoid(skills[None, :] - 0.6 * difficulty[:, None] + 2.0 * when / CLUES)
    correct = rng.random((QUESTIONS, TEAMS)) < chance
    buzzes = heard & (when < CLUES)
    by = when[:, None, :] <= np.arange(CLUES)[None, :, None]
    so_far = by & buzzes[:, None, :]
    return {
        "g": right.astype(float),
        "c": confidence,
        "correct": (so_far & correct[:, None, :]).astype(float),
        "total": so_far.astype(float),
        "heard": heard,
        "when": when,
        "knows": correct,
    }


def curve(one, team_weights=None) -> np.ndarray:
    """h (buzzed so far), shape (Q, C), or (Q, C, R) with team weights (R, T)."""
    if team_weights is None:
        correct, total = one["correct"].sum(axis=-1), one["total"].sum(axis=-1)
    else:
        correct, total = one["correct"] @ team_weights.T, one["total"] @ team_weights.T
    return np.divide(correct, total, out=np.zeros(total.shape), where=total > 0)


def question_sums(one) -> dict[str, np.ndarray]:
    """Per-question sums (2, Q, k) by metric, divided so that the denominator is one per question."""
    g, c = one["g"], one["c"]
    starts = np.arange(0, 2 * QUESTIONS * CLUES, CLUES)
    h = np.broadcast_to(curve(one), g.shape)
    mce, calscore = metrics.question_errors(
        g.ravel().astype(bool), c.ravel(), h.ravel(), starts, "paper"
    )
    index = metrics.bins(c.ravel())
    place = np.repeat(np.arange(2 * QUESTIONS), CLUES) * metrics.N_BINS + index
    gap = np.bincount(place, (g - c).ravel(), 2 * QUESTIONS * metrics.N_BINS)
    shape = (2, QUESTIONS, 1)
    return {
        "mce": mce.reshape(shape),
        "calscore": calscore.reshape(shape),
        "brier": ((c - g) ** 2).mean(axis=2)[..., None],
        "accuracy": g.mean(axis=2)[..., None],
        "ece": gap.reshape(2, QUESTIONS, metrics.N_BINS) / CLUES,
    }


def collect(count: int, seed: int, skills=None, calibrated: bool = False):
    """Sums of ``count`` studies: metric → (count · 2, Q, k), the models of a study side by side."""
    rng = np.random.default_rng(seed)
    found = [question_sums(study(rng, skills, calibrated)) for _ in range(count)]
    return {name: np.concatenate([one[name] for one in found]) for name in found[0]}


def _covered(truth, low, high) -> float:
    return float(((low <= truth) & (truth <= high)).mean())


def by_question(
    count: int, replicates: int, seed: int = 1, calibrated: bool = False
) -> pd.DataFrame:
    """Coverage of intervals that resample questions, teams being the same in every study.

    The truth of ECE is that of all further studies pooled: a sum of absolute values is not free of
    bias on one study.
    """
    skills = np.random.default_rng(seed).normal(0, 0.7, TEAMS)
    measured = collect(count, seed + 1, skills, calibrated)
    further = collect(2 * count, seed + 2, skills, calibrated)
    weights = resample.bootstrap_weights(QUESTIONS, replicates, seed)
    rows = []
    for metric, top in measured.items():
        sums = resample.Sums(top, np.ones(top.shape[:2]))
        value, drawn, left = (
            resample.estimate(sums),
            resample.draws(sums, weights),
            resample.jackknife(sums),
        )
        # The studies of each model in one row of questions.
        pooled = further[metric].reshape(-1, 2, QUESTIONS, top.shape[2]).swapaxes(0, 1)
        pooled = pooled.reshape(2, -1, top.shape[2])
        apart = resample.estimate(resample.Sums(pooled, np.ones(pooled.shape[:2])))
        cases = {
            metric: (value[::2], drawn[::2], left[::2], apart[0]),
            f"{metric}, model minus model": (
                value[::2] - value[1::2],
                drawn[::2] - drawn[1::2],
                left[::2] - left[1::2],
                apart[0] - apart[1],
            ),
        }
        for quantity, (v, d, j, truth) in cases.items():
            bounds = resample.intervals(d, v, j, LEVEL)
            for method, low, high in (
                ("percentile, questions", bounds.low, bounds.high),
                ("BCa, questions", bounds.bca_low, bounds.bca_high),
            ):
                rows.append(
                    {
                        "quantity": f"{quantity}, calibrated models" if calibrated else quantity,
                        "method": method,
                        "studies": count,
                        "truth": truth,
                        "bias": v.mean() - truth,
                        "coverage": _covered(truth, low, high),
                    }
                )
    return pd.DataFrame(rows)


def by_question_and_team(count: int, replicates: int, seed: int = 11) -> pd.DataFrame:
    """Coverage where the 17 teams of each study are drawn anew: one-way and two-way intervals."""
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]

    def calscores(one, w=None, v=None):
        gc = (2 * one["g"] - 1) * one["c"] / CLUES
        h = curve(one, v)
        if v is None:
            return 1 - metrics.renormalise((gc * (1 - h)).sum(axis=2)).mean(axis=1)
        error = 1 - metrics.renormalise(
            gc.sum(axis=2)[..., None] - np.einsum("mqc,qcr->mqr", gc, h)
        )
        return np.einsum("mqr,rq->mr", error, w) / QUESTIONS

    def precision(one, w=None, v=None):
        right, every = one["correct"][:, -1], one["total"][:, -1]
        if w is None and v is None:
            return right.sum() / every.sum()
        return resample.crossed_draws(right, w, v) / resample.crossed_draws(every, w, v)

    rng = np.random.default_rng(seed + 1)
    truth = {"calscore": [], "calscore, model minus model": [], "human P(correct | buzz)": []}
    for _ in range(2 * count):
        one = study(rng)
        both = calscores(one)
        truth["calscore"].append(both[0])
        truth["calscore, model minus model"].append(both[0] - both[1])
        truth["human P(correct | buzz)"].append(precision(one))
    truth = {name: float(np.mean(values)) for name, values in truth.items()}
    rng = np.random.default_rng(seed)
    hits: dict[tuple[str, str], list[bool]] = {}

    def note(quantity, method, drawn):
        low, high = np.quantile(drawn, tails)
        hits.setdefault((quantity, method), []).append(low <= truth[quantity] <= high)

    for number in range(count):
        one = study(rng)
        w, v = resample.two_way_weights(QUESTIONS, TEAMS, replicates, number)
        drawn = calscores(one, w, v)
        note("calscore", "two-way", drawn[0])
        note("calscore, model minus model", "two-way", drawn[0] - drawn[1])
        name = "human P(correct | buzz)"
        note(name, "questions", precision(one, w=w))
        note(name, "teams", precision(one, v=v))
        note(name, "two-way", precision(one, w=w, v=v))
        right, every = one["correct"][:, -1].sum(), one["total"][:, -1].sum()
        low, high = resample.wilson([right], [every], LEVEL)
        hits.setdefault((name, "Wilson, buzzes as independent"), []).append(
            low[0] <= truth[name] <= high[0]
        )
    return pd.DataFrame(
        [
            {
                "quantity": quantity,
                "method": method,
                "studies": count,
                "truth": truth[quantity],
                "bias": np.nan,
                "coverage": float(np.mean(found)),
            }
            for (quantity, method), found in hits.items()
        ]
    )


def show(found: pd.DataFrame, path) -> None:
    """Print measured coverage; with ``--write`` replace the committed table."""
    print(found.round(4).to_string())
    if "--write" in sys.argv:
        found.round(6).to_csv(path, index=False, lineterminator="\n")


if __name__ == "__main__":
    table = pd.concat(
        [
            by_question(1000, 1000),
            by_question(1000, 1000, calibrated=True).query("quantity.str.startswith('ece')"),
            by_question_and_team(1000, 400),
        ],
        ignore_index=True,
    )
    show(table, TABLE)
