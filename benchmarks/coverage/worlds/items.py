"""Answers of 20 humans and 8 systems to 60 questions of four clues, and what two fitted models say of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from .models import sigmoid

QUESTIONS, CLUES = 60, 4
HUMANS, SYSTEMS = 20, 8
KNOWN = 0.6
"""Standard deviation of what an agent knows about a question, which no fitted model has."""


class Study(NamedTuple):
    """``p``: what a model with skills and difficulties says, ``other``: one by clues alone, both (items, agents).

    ``signs`` (items, agents): 1 right, −1 wrong, 0 not asked. ``table``: question_id, clue, category, cluster, and a feature
    of each item; ``relevance`` and ``difficulty`` (items, 1).
    """

    p: np.ndarray
    other: np.ndarray
    signs: np.ndarray
    agents: pd.DataFrame
    table: pd.DataFrame
    relevance: np.ndarray
    difficulty: np.ndarray


def skills(seed: int) -> np.ndarray:
    """Skills of agents that are the same in every study."""
    return np.random.default_rng(seed).normal(0, 0.8, HUMANS + SYSTEMS)


def studies(count: int, seed: int, skill=None) -> Iterator[Study]:
    """So many studies; ``skill`` of the agents, drawn anew where None."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield study(rng, skill)


def study(rng, skill=None) -> Study:
    agents = HUMANS + SYSTEMS
    skill = rng.normal(0, 0.8, agents) if skill is None else skill
    clue = np.tile(np.arange(1, CLUES + 1), QUESTIONS)
    question = np.repeat(np.arange(QUESTIONS), CLUES)
    hard = rng.normal(0, 1, QUESTIONS)[question]
    feature = rng.normal(0, 1, QUESTIONS)[question] + rng.normal(0, 1, len(question))
    known = rng.normal(0, KNOWN, (QUESTIONS, agents))[question]
    at = skill - (hard + 0.4 * feature)[:, None] + 0.7 * (clue[:, None] - 2.5)
    right = rng.random(at.shape) < sigmoid(at + known)
    asked = np.repeat(rng.random((QUESTIONS, agents)) < 0.7, CLUES, axis=0)
    noise = rng.normal(0, 0.7, QUESTIONS)[question] + rng.normal(0, 0.5, len(question))
    table = pd.DataFrame(
        {
            "item_id": np.arange(len(question)),
            "question_id": question,
            "clue": clue,
            "end_word": 10 * clue,
            "category": np.array(["A", "B", "C"])[question % 3],
            "cluster": question % 2 + 1,
            "feature": feature,
        }
    )
    kind = np.where(np.arange(agents) < HUMANS, "human", "ai")
    return Study(
        # A fitted model says the chance of an answer without what the agent knows; it is a little too sure of it.
        p=sigmoid(at),
        other=np.broadcast_to(sigmoid(0.7 * (clue[:, None] - 2.5)), at.shape),
        signs=np.where(asked, np.where(right, 1.0, -1.0), 0.0),
        agents=pd.DataFrame({"agent": [f"{n:02d}" for n in range(agents)], "kind": kind, "agent_type": kind}),
        table=table,
        relevance=sigmoid(0.5 * feature + noise)[:, None],
        difficulty=(hard + 0.4 * feature)[:, None],
    )
