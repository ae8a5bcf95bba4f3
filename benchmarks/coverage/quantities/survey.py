"""Shares right of quartiles of players, and their buzzing when right and wrong."""

from __future__ import annotations

from calscore.stats import shares_revealed
from calscore.stats.bootstrap import Bootstrap

from ..engine import LEVEL, taken
from .tables import on_grid


def answers(ranked, replicates: int, number: int) -> dict:
    """Intervals of one survey."""
    ranked = ranked.assign(group="Q" + ranked["quartile"].astype(str))
    accuracy = shares_revealed.accuracy_by_share(ranked, ["group"], LEVEL, ["player", "question_id"])
    found = {}
    for group in ("Q1", "Q4"):
        of = on_grid(
            accuracy[accuracy["group"] == group],
            reading=shares_revealed.READINGS,
            revealed=shares_revealed.DECILES,
        )
        cells = taken(of, "accuracy", "low", "high", weight="n")
        name = f"share right by share of clues, {group} of players"
        found[name, "Wilson, players and questions"] = cells
    halves = ranked.assign(agent=ranked["player"], correct=ranked["observed"])
    given = shares_revealed.buzz_rate_by_share(halves, ["half"], Bootstrap(replicates, number, LEVEL))
    given = on_grid(
        given,
        half=["bottom", "top"],
        given=["correct", "incorrect"],
        revealed=shares_revealed.DECILES,
    )
    cells = taken(given, "p", "low", "high")
    found["P(buzz | right or wrong), half of the players", "players"] = cells
    return found
