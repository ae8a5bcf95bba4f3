"""Tiny studies drawn from the priors of the model of buzzes: 8 human teams, 2 models, 60 questions in 4 categories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from calscore.inference import mixed_model

QUESTIONS, TEAMS, MODELS, CATEGORIES, HEARD = 60, 8, 2, 4, 2 / 3


class Study(NamedTuple):
    """Rows as the workflow has them, and the true rate of each (kind, unit, category)."""

    rows: pd.DataFrame
    truth: dict[tuple[str, str, str], float]


def studies(count: int, seed: int) -> Iterator[Study]:
    """So many studies; simulation-based calibration, as the truth is drawn from the prior (Talts et al. 2018)."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        yield drawn(rng)


def drawn(rng) -> Study:
    """Standard deviations, means and effects from the prior, answers from these."""
    normal = rng.standard_normal
    means = mixed_model.MEAN_SD * normal(2)
    team_sd, part_sd, question_sd = np.exp(mixed_model.SPREAD[0] + mixed_model.SPREAD[1] * normal(3))
    unit = team_sd * normal(TEAMS + MODELS + 1)
    part = part_sd * normal((MODELS + 1, CATEGORIES))
    question = question_sd * normal(QUESTIONS)
    category = np.arange(QUESTIONS) % CATEGORIES
    group = np.r_[np.zeros(TEAMS, int), np.arange(MODELS) + 1, 0]
    kind = (group > 0).astype(int)
    eta = means[kind][:, None] + unit[:, None] + part[group][:, category] + question
    p = 1 / (1 + np.exp(-eta))
    names = [
        *(f"H{n}" for n in range(TEAMS)),
        *(f"M{n}" for n in range(MODELS)),
        mixed_model.NEW_TEAM,
    ]
    kinds = ["human" if not k else "model" for k in kind]
    truth = {(kinds[u], name, "all"): p[u].mean() for u, name in enumerate(names)}
    for c in range(CATEGORIES):
        mine = category == c
        for m in range(MODELS):
            truth["model", f"M{m}", f"C{c}"] = p[TEAMS + m, mine].mean()
        truth["human", mixed_model.ALL_TEAMS, f"C{c}"] = p[:TEAMS, mine].mean()
    truth["human", mixed_model.ALL_TEAMS, "all"] = p[:TEAMS].mean()
    u, q = np.nonzero(rng.random((TEAMS + MODELS, QUESTIONS)) < HEARD)
    rows = pd.DataFrame(
        {
            "question_id": [f"q{n:03d}" for n in q],
            "team": np.array(names)[u],
            "group": np.array(["human", "M0", "M1"])[group[u]],
            "category": [f"C{n}" for n in category[q]],
            "right": rng.random(len(u)) < p[u, q],
        }
    )
    return Study(rows, truth)
