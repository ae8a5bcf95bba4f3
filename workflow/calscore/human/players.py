"""The offline survey: the ranking of players (Appendix F.3) and tables by quartile and half."""

import numpy as np
import pandas as pd

from ..stats import shares_revealed
from ..stats.bootstrap import Bootstrap
from .curves import quartile


def first_buzzes(responses: pd.DataFrame) -> pd.DataFrame:
    """A row for each player's first buzz on a question: player, question_id, clue, n_clues and correct (bool).

    ``responses``: table survey_responses. A buzz without an answer counts as wrong, as it would at the table.
    """
    buzzed = responses[responses["buzz"]].sort_values("clue", kind="stable")
    first_rows = buzzed.drop_duplicates(["player", "question_id"]).copy()
    first_rows["correct"] = first_rows["observed"].fillna(False).astype(bool)
    return first_rows[["player", "question_id", "clue", "n_clues", "correct"]]


def rank_players(responses: pd.DataFrame) -> pd.DataFrame:
    """Table players: points (Appendix F.3), and by points quartile (4 best) and half (top, bottom); without a buzz 0 points.

    ``responses``: table survey_responses. A first buzz is worth 20 − 20c points if right (c: its clue over the question's
    clues), −5 if wrong. Quartiles are cut at the 25/50/75 percentiles, halves at the median; a value at a cut goes below.
    """
    first_rows = first_buzzes(responses)
    share = first_rows["clue"] / first_rows["n_clues"]
    first_rows["points"] = np.where(first_rows["correct"], 20 - 20 * share, -5.0)
    table = pd.DataFrame({"questions": responses.groupby("player")["question_id"].nunique()})
    grouped = first_rows.groupby("player")
    table["buzzes"] = grouped.size()
    table["correct"] = grouped["correct"].sum()
    table["points"] = grouped["points"].sum()
    table = table.fillna(0).astype({"buzzes": "int64", "correct": "int64"}).reset_index()
    table["quartile"] = quartile(table["points"])
    table["half"] = np.where(table["points"] <= table["points"].median(), "bottom", "top")
    return table


def survey_tables(survey_responses, replicates: int, seed: int, level: float) -> dict:
    """By name: tables players, survey_accuracy (by quartile, backfilled answers), survey_buzz_given (by half, observed ones).

    ``replicates`` and ``seed``: of the bounds of the last, which resample players; ``level``: of all bounds.
    """
    players = rank_players(survey_responses)
    ranked = survey_responses.merge(players[["player", "quartile", "half"]], on="player")
    ranked["group"] = "Q" + ranked["quartile"].astype(str)
    # Figure 6 rests on what players did, not on what was filled in for them.
    did = ranked.assign(agent=ranked["player"], correct=ranked["observed"])
    return {
        "players": players,
        "survey_accuracy": shares_revealed.accuracy_by_share(
            ranked, ["group"], level, ["player", "question_id"]
        ),
        "survey_buzz_given": shares_revealed.buzz_rate_by_share(
            did, ["half"], Bootstrap(replicates, seed, level)
        ),
    }
