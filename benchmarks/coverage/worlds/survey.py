"""A survey of 15 players on 37 questions, all drawn anew in each study."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from calscore.human import players
from calscore.judging import survey

from .models import CLUES, sigmoid
from .tournament import IDS

PLAYERS, ASKED = 15, 37


def studies(count: int, seed: int) -> Iterator[pd.DataFrame]:
    """The ranked responses of so many surveys."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield surveyed(rng)


def surveyed(rng) -> pd.DataFrame:
    """Survey responses with quartile and half of each player, all drawn anew.

    A player knows a question from some clue on, stops after the first buzz in half of the cases, and
    sometimes writes nothing.
    """
    shape = (PLAYERS, ASKED, CLUES)
    shown = np.linspace(0, 1, CLUES)
    skill, difficulty = rng.normal(0, 0.7, PLAYERS), rng.normal(0, 1, ASKED)
    probability = sigmoid(skill[:, None, None] - difficulty[:, None] + 3.0 * shown - 1.2)
    right = rng.random((*shape[:2], 1)) < probability
    noise = rng.normal(0, 0.7, (*shape[:2], 1)) + rng.normal(0, 0.4, shape)
    confidence = sigmoid(1.4 * (probability - 0.4) * 3 + noise + 0.3)
    buzz = confidence >= sigmoid(rng.normal(0.4, 0.4, PLAYERS))[:, None, None]
    stops = np.arange(PLAYERS) % 2 == 0
    after = (np.cumsum(buzz, axis=2) - buzz > 0) & stops[:, None, None]
    buzz &= ~after
    empty = after | (~buzz & ~right & (rng.random(shape) < 0.3))
    player, question, clue = (index.ravel() for index in np.indices(shape))
    table = pd.DataFrame(
        {
            "player": np.char.add("P", player.astype(str)),
            "question_id": IDS[question],
            "clue": clue + 1,
            "guess": np.where(empty.ravel(), None, "this"),
            "buzz": buzz.ravel(),
        }
    )
    verdicts = pd.Series(right.ravel(), dtype="boolean").mask(empty.ravel())
    filled, _ = survey.survey_responses(table, verdicts)
    return filled.merge(players.rank_players(filled)[["player", "quartile", "half"]], on="player")
