"""Players by category, and how often each was the first of all rooms to be right on a tossup, or among the first three.

Within a tournament; right buzzes at one word share a place, and the next word has the next one.
"""

import numpy as np
import pandas as pd

from ..core import store
from .bonuses import ALL
from .categoricals import broadcast, share_categories
from .quizbowl import question_categories
from .standings import LISTED_KINDS, buzz_kinds

TOP = 3
_READ = [
    *("game", "cycle", "tossup", "team", "player", "question_id"),
    *("word_index", "value", "correct"),
]
_KEY = ["tournament", "team", "player", "category"]


def _sum_by(rows: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """A row for each ``key``: sums of counts and points (null where a buzz has none), least and mean words heard when right."""
    groups = rows.groupby(key, sort=True, observed=True)
    table = groups[[*LISTED_KINDS, "rebounds", "first_buzzes", "top_three"]].sum().astype("int64")
    table["points"] = groups["points"].sum().where(groups["points"].count() == groups.size())
    table["earliest_word"] = groups["heard"].min().astype(float)
    table["average_word"] = groups["heard"].mean().astype(float)
    return table.reset_index().astype(dict.fromkeys(key, object))


def player_categories(
    plays: pd.DataFrame, games: pd.DataFrame, questions: pd.DataFrame | None
) -> pd.DataFrame:
    """tables/player_categories: a row for each tournament, team, player and category, and one for all categories
    (:data:`.bonuses.ALL`). Only games that count for individuals are used; empty without named players. Buzzes of nobody named
    take places among the first too. ``questions`` None: no first places (null). ``rebounds``: right where the room had a neg."""
    group = games[games["individual"].astype(bool)].set_index("game")["tournament"]
    plays = plays[_READ].copy(deep=False)
    share_categories(("game", "team", "player", "question_id"), plays)
    # A rebound comes after a neg on the same tossup of the game.
    plays["value"] = plays["value"].to_numpy(dtype=float, na_value=np.nan)
    room = [plays[name] for name in ("game", "cycle", "tossup")]
    rows = plays.assign(after=(plays["value"] < 0).groupby(room).transform("any"))
    rows = rows[rows["game"].isin(group.index)]
    if not rows["player"].notna().any():
        return store.empty("player_categories")
    listed = store.empty("questions") if questions is None else questions
    right = rows["correct"].astype(bool)
    rows = rows.assign(
        **buzz_kinds(rows["value"]),
        points=rows["value"],
        tournament=broadcast(rows["game"], group.astype("category")),
        category=question_categories(rows, listed),
        rebounds=right & rows["after"] & (rows["value"] > 0),
        heard=(rows["word_index"].astype("Float64") + 1).where(right),
    )
    place = rows[right].groupby(["tournament", "question_id"])["word_index"].rank("dense")
    place = place.reindex(rows.index).astype(float)
    # Who is not named has no row and was there before the others all the same.
    rows = rows.assign(first_buzzes=place == 1, top_three=place <= TOP)[rows["player"].notna()]
    parts = [_sum_by(rows, _KEY), _sum_by(rows, _KEY[:3]).assign(category=ALL)]
    table = pd.concat(parts).sort_values(_KEY, ignore_index=True)
    if questions is None:
        table[["first_buzzes", "top_three"]] = pd.NA
    return store.frame(table, "player_categories")
