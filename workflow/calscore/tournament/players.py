"""Players by category, and how often each was the first of all rooms to be right on a tossup, or among the first three.

Within a tournament; right buzzes at one word share a place, and the next word has the next one.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core import store
from .bonuses import ALL
from .standings import SHOWN, kinds, left_out

TOP = 3
_KEY = ["tournament", "team", "player", "category"]


def counted(games, exclude: list) -> pd.Series:
    """Game → tournament, of games whose round counts for individuals."""
    out = left_out(games["round"], {str(one).casefold() for one in exclude})
    rows = games[~out & games["individual"].ne(False).fillna(True)]
    return rows.set_index("game")["tournament"]


def by_category(plays, games, questions, exclude: list) -> pd.DataFrame:
    """tables/player_categories: buzzes of each player by category and in all, rounds of ``exclude`` left out."""
    of = counted(games, exclude)
    value = plays["value"].to_numpy(dtype=float, na_value=np.nan)
    negs = plays.assign(neg=value < 0)
    # A rebound comes after a neg on the same tossup of the game.
    negs["after"] = negs.groupby(["game", "cycle", "tossup"])["neg"].transform("any")
    rows = negs.assign(**kinds(value), points=value)
    rows = rows[rows["player"].notna() & rows["game"].isin(of.index)]
    if not len(rows):
        return store.empty("player_categories")
    category = {} if questions is None else questions.set_index("question_id")["category"]
    right = rows["correct"].astype(bool)
    rows = rows.assign(
        tournament=rows["game"].map(of),
        category=rows["question_id"].map(category).astype(object).fillna("Unknown"),
        rebounds=right & rows["after"] & (rows["points"] > 0),
        heard=(rows["word_index"].astype("Float64") + 1).where(right),
    )
    place = rows[right].groupby(["tournament", "question_id"])["word_index"].rank("dense")
    place = place.reindex(rows.index).astype(float)
    rows = rows.assign(first_buzzes=place == 1, top_three=place <= TOP)
    rows = pd.concat([rows, rows.assign(category=ALL)], ignore_index=True)
    by = rows.groupby(_KEY, sort=True)
    table = by[[*SHOWN, "rebounds", "first_buzzes", "top_three"]].sum().astype("int64")
    table["points"] = by["points"].sum().where(by["points"].count() == by.size())
    table["earliest_word"] = by["heard"].min().astype(float)
    table["average_word"] = by["heard"].mean().astype(float)
    table = table.reset_index()
    if questions is None:
        table[["first_buzzes", "top_three"]] = pd.NA
    return store.frame(table, "player_categories")
