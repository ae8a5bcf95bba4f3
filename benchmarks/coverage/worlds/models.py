"""Two models and 17 human teams on 240 questions of 8 clues in 12 packets, as many as GRACE has."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from calscore.scores import metrics

QUESTIONS, CLUES, TEAMS, PACKETS = 240, 8, 17, 12
HEARD = 0.55
"""Share of the packets that a team hears."""


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def skills(seed: int) -> np.ndarray:
    """Skills of teams that are the same in every study."""
    return np.random.default_rng(seed).normal(0, 0.7, TEAMS)


def packets(seed: int) -> np.ndarray:
    """Which packets teams hear, (PACKETS, TEAMS), where they hear the same in every study."""
    return np.random.default_rng(seed).random((PACKETS, TEAMS)) < HEARD


def study(
    rng, skills=None, calibrated: bool = False, there=None, late: bool = False, teams: int = TEAMS
) -> dict[str, np.ndarray]:
    """One simulated study.

    ``skills``: those of the teams, ``there``: the packets that they hear; drawn where None. Models share the difficulty of a question, and
    each knows it from some clue on. ``calibrated``: confidence is the probability of being right.
    ``late``: teams buzz late and less, as in GRACE, so that h of §4.1 is often 0 for want of buzzes. ``teams``: how many.
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
        skills = rng.normal(0, 0.7, teams)
    if there is None:
        there = rng.random((PACKETS, teams)) < HEARD
    heard = np.repeat(there, QUESTIONS // PACKETS, axis=0)
    # Each team would buzz after some clue; it is right with a chance that grows with the clue.
    when = rng.integers(0, CLUES + 3, (QUESTIONS, teams))
    if late:
        when = np.floor((CLUES + 4) * rng.random(when.shape) ** (1 / 3)).astype(int)
    chance = sigmoid(skills[None, :] - 0.6 * difficulty[:, None] + 2.0 * when / CLUES)
    correct = rng.random((QUESTIONS, teams)) < chance
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


def studies(count: int, seed: int, **options) -> Iterator[dict]:
    """So many studies of one stream of random numbers."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield study(rng, **options)


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
    mce, calscore = metrics.question_errors(g.ravel().astype(bool), c.ravel(), h.ravel(), starts, "paper")
    index = metrics.confidence_bins(c.ravel())
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


def sums(count: int, seed: int, skills=None, calibrated: bool = False) -> Iterator[dict]:
    """The per-question sums of so many studies."""
    return map(question_sums, studies(count, seed, skills=skills, calibrated=calibrated))


def pooled_sums(found: list[dict]) -> dict[str, np.ndarray]:
    """The questions of all studies as one study."""
    return {name: np.concatenate([one[name] for one in found], axis=1) for name in found[0]}


def answers(count: int, seed: int, kind: str) -> Iterator[pd.DataFrame]:
    """Responses of the first model of so many studies; its confidences as they are, calibrated, or in tenths."""
    for one in studies(count, seed, calibrated=kind == "calibrated"):
        c = one["c"][0].ravel()
        yield pd.DataFrame(
            {
                "segmentation": "given",
                "model": "a",
                "elicitation": "logit",
                "reduction": "mean_prob",
                "marks": "engine",
                "question_id": np.repeat(np.arange(QUESTIONS), CLUES),
                "clue": np.tile(np.arange(1, CLUES + 1), QUESTIONS),
                "confidence": np.round(c, 1) if kind == "tenths" else c,
                "correct": one["g"][0].ravel() > 0,
            }
        )


def pooled_answers(found: list[pd.DataFrame]) -> pd.DataFrame:
    """The questions of all studies as one study."""
    apart = [
        rows.assign(question_id=rows["question_id"] + QUESTIONS * number) for number, rows in enumerate(found)
    ]
    return pd.concat(apart, ignore_index=True)
