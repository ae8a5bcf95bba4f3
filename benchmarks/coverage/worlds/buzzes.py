"""Buzz rows with random effects of questions and of human teams: 240 questions, 17 teams, 3 models."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

EFFECTS = {"none": (0.0, 0.0), "questions": (0.8, 0.0), "questions and teams": (0.8, 0.5)}
"""Standard deviations of the random effects of questions and of teams."""


def studies(count: int, effects: str) -> Iterator[pd.DataFrame]:
    """So many studies, in which each team buzzes on half of the questions."""
    models = (("M1", -0.4), ("M2", 0.8), ("M3", -0.7))
    for seed in range(count):
        rng = np.random.default_rng([20250219, seed])
        rows = simulated(rng, 240, 17, 1.2, models, *EFFECTS[effects])
        rows = rows[rng.random(len(rows)) < 0.5].reset_index(drop=True)
        # The reference must be the same in each study.
        yield rows.assign(category=np.where(rows["category"] == "B", "B", "A"))


def simulated(rng, n_questions=120, n_teams=17, slope=2.0, models=(("M1", -0.7), ("M2", 0.8)), question_sd=0.0, team_sd=0.0):  # fmt: skip
    """Buzz rows: log-odds −0.3 + slope·position + model + category B 0.5 (+ question, team effects)."""
    questions = [f"q{i:03d}" for i in range(n_questions)]
    category = dict(zip(questions, rng.choice(["A", "B"], n_questions, p=[0.6, 0.4]), strict=True))
    effect = dict(zip(questions, question_sd * rng.standard_normal(n_questions), strict=True))
    teams = [(f"H{i}", "human", team_sd * rng.standard_normal()) for i in range(n_teams)]
    teams += [(name, name, shift) for name, shift in models]
    rows = [
        (q, team, group, category[q], position, shift + effect[q])
        for team, group, shift in teams
        for q, position in zip(questions, rng.uniform(0.05, 1, n_questions), strict=True)
    ]
    table = pd.DataFrame(rows, columns=["question_id", "team", "group", "category", "position", "at"])  # fmt: skip
    eta = -0.3 + slope * table["position"] + table["at"] + 0.5 * (table["category"] == "B")
    table["correct"] = rng.random(len(table)) < 1 / (1 + np.exp(-eta))
    return table.drop(columns="at")
