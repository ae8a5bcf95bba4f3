"""Standings, scores of matches, individuals and rounds, as the community's statistics reports have them.

Teams are in the order of their share of wins (a tie counts half), then of points per 20 regulation tossups; those of
one share have one rank. A side's score is the one that the file declares, else its tossups, bonuses and bouncebacks.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
import pandas as pd

from ..core import store
from ..stats import proportions
from . import bonuses
from .categoricals import floats, share_categories

UNNAMED = "(not named)"
"""Player of a buzz that names none."""
POWER, SUPERPOWER = 10, 15
"""Points above which a right buzz is a power and a superpower."""
USUAL = {"superpowers": 20, "powers": 15, "tens": 10, "negs": -5, "wrong_free": 0}
"""Points of each kind of answer, where kinds alone are told."""
COUNTS = tuple(USUAL)
SHOWN = COUNTS[:4]
PER = 20
"""Tossups of a game that rates are given for."""
_PLACE = ["tournament", "phase", "bracket"]


def kinds(value) -> dict[str, np.ndarray]:
    """Each of :data:`COUNTS` → whether a buzz of ``value`` points (nan: not known) is one."""
    value = np.asarray(value, dtype=float)
    return {
        "superpowers": value > SUPERPOWER,
        "powers": (value > POWER) & (value <= SUPERPOWER),
        "tens": (value > 0) & (value <= POWER),
        "negs": value < 0,
        "wrong_free": value == 0,
    }


def boxes(plays, rosters, answers) -> pd.DataFrame:
    """tidy/box_scores: a row for each player of a game, from buzzes, or from answer counts where no tossup is listed."""
    key = ["game", "team", "player"]
    own = plays[[*key, "value"]].assign(number=1)
    # Who is listed and has no answer has a row that counts nothing.
    listed = rosters[[*key, "tossups_heard"]].assign(number=0, value=0.0)
    parts = [part for part in (own, answers, listed) if len(part)] or [own]
    share_categories(key, *parts)
    both = pd.concat(parts, ignore_index=True)
    if both["player"].isna().any():
        names = both["player"].cat.categories.union([UNNAMED])
        both["player"] = both["player"].cat.set_categories(names.astype(object)).fillna(UNNAMED)
    value = floats(both["value"])
    number = both["number"].to_numpy(dtype="int64")
    groups = both.groupby(key, sort=True, observed=True)
    place, size = groups.ngroup().to_numpy(), groups.size()
    table = size.index.to_frame(index=False).astype(dict.fromkeys(key, object))
    for name, mask in kinds(value).items():
        table[name] = np.bincount(place, number * mask, len(size)).astype("int64")
    # Not known where one of them is not.
    table["points"] = np.bincount(place, np.where(number > 0, value * number, 0.0), len(size))
    if len(listed):
        heard = pd.array(listed["tossups_heard"], dtype="Int64")
        most = listed.assign(heard=heard).groupby(key, observed=True)["heard"].max()
        table["tossups_heard"] = most.reindex(size.index).array
    return store.frame(table, "box_scores")


def sides(told, box, bonus_plays, note) -> pd.DataFrame:
    """tidy/sides: the score of each team of a game and its parts.

    ``told``: what files declare (:data:`.qbj.DECLARED`), with game, team and kind. Bonus points are those of the parts
    where a game lists any, else as declared. ``note`` takes what declared points and their parts disagree about.
    """
    key = ["game", "team"]
    index = pd.MultiIndex.from_frame(told[key])
    groups = box.groupby(key, observed=True)["points"]
    tossups = groups.sum().where(groups.count() == groups.size()).reindex(index)
    tossups = tossups.to_numpy(dtype=float, copy=True)
    # Of text each name of the set would be looked at by itself.
    game = told["game"].astype(object)
    has_buzzes = game.isin(box["game"]).to_numpy()
    tossups[has_buzzes & ~index.isin(groups.size().index)] = 0.0
    listed = game.isin(bonus_plays["game"]).to_numpy()
    bonus = floats(told["bonus_points"])
    back = floats(told["bounceback_points"])
    if listed.any():
        own = bonus_plays.groupby(key)["points"].sum().reindex(index).fillna(0).to_numpy(float)
        bonus = np.where(listed, own, bonus)
        whose = bonus_plays[bonus_plays["bounceback"].notna()]
        pairs = told[key].merge(
            whose[["game", "team", "bounceback"]], on="game", suffixes=("", "_of")
        )
        pairs = pairs[pairs["team"] != pairs["team_of"]]
        rival = pairs.groupby(key)["bounceback"].sum().reindex(index).fillna(0).to_numpy(float)
        back = np.where(listed & game.isin(whose["game"]), rival, back)
    heard = _bonuses_heard(told, box, bonus_plays, listed)
    total = tossups + np.nan_to_num(bonus) + np.nan_to_num(back)
    declared, declared_bonus = floats(told["declared"]), floats(told["bonus_points"])
    _compare_declared(told, declared, np.where(has_buzzes, total, np.nan), "points", note)
    _compare_declared(told, declared_bonus, np.where(listed, bonus, np.nan), "bonus points", note)
    if np.isnan(declared).all() and not (listed & ~np.isnan(declared_bonus)).any():
        detail = (
            "no file declares points that the sums of buzzes and bonus parts could be held against"
        )
        note("points are not declared", f"{told['game'].nunique()} matches", detail)
    points = {"tossup_points": tossups, "bonus_points": bonus, "bounceback_points": back}
    points |= {"declared": declared, "points": np.where(np.isnan(declared), total, declared)}
    return store.frame(told.assign(**points, bonuses=heard), "sides")


def _compare_declared(told, declared, total, name: str, note) -> None:
    """Report each game where declared points differ from the sum of their parts."""
    gap = np.abs(declared - total) > 1e-9
    for game, rows in told.assign(declared=declared, total=total)[gap].groupby("game", sort=True):
        pairs = (f"{r.team} {r.declared:g} declared, {r.total:g} summed" for r in rows.itertuples())
        note("declared points differ from their parts", str(game), f"{name}: {'; '.join(pairs)}")


def _bonuses_heard(told, box, bonus_plays, listed) -> np.ndarray:
    """Bonuses of each side: those that the game lists or tells, else right tossups less those without; nan without any points."""
    index = pd.MultiIndex.from_frame(told[["game", "team"]])
    groups = bonus_plays.drop_duplicates(["game", "cycle"]).groupby(["game", "team"]).size()
    own = groups.reindex(index).fillna(0).to_numpy(float)
    right = box.assign(right=box["superpowers"] + box["powers"] + box["tens"])
    right = right.groupby(["game", "team"], observed=True)["right"].sum().reindex(index)
    right = right.fillna(0).to_numpy(float) - np.nan_to_num(floats(told["without_bonus"]))
    right = np.where(floats(told["bonus_points"]) > 0, right, np.nan)
    stated = floats(told["bonuses"])
    return np.where(listed, own, np.where(np.isnan(stated), right, stated))


def scoreboard(games, sides, box_scores) -> pd.DataFrame:
    """tables/scoreboard: a row for each team of each game of two, with its opponent, result and counts."""
    key = ["game", "team"]
    counts = box_scores.groupby(key, observed=True)[list(COUNTS)].sum().reset_index()
    rows = sides.merge(games, on="game").merge(counts, "left", on=key)
    rows[list(COUNTS)] = rows[list(COUNTS)].fillna(0).astype("int64")
    rows = rows[rows.groupby("game")["team"].transform("size") == 2]
    opponent = rows[["game", "team", "points"]].set_axis(
        ["game", "opponent", "opponent_points"], axis=1
    )
    rows = rows.merge(opponent, on="game").query("team != opponent")
    margin = rows["points"] - rows["opponent_points"]
    rows["result"] = margin.map(np.sign, na_action="ignore").map({1: "W", -1: "L", 0: "T"})
    rows["margin"], rows["tossups"] = margin, rows["tossups_read"]
    rows["regulation"] = rows["tossups"] - rows["overtime"].fillna(0)
    rows["points_per_bonus"] = proportions.ratio(rows["bonus_points"], rows["bonuses"])
    rows["phase"] = rows["phase"].astype(object).where(rows["phase"].notna(), bonuses.ALL)
    order = ["tournament", "phase", "round", "game", "team"]
    rows = rows[rows["result"].notna()].sort_values(order, key=_by_round)
    return store.frame(rows, "scoreboard").reset_index(drop=True)


@lru_cache
def natural(name) -> tuple:
    """Order of names of rounds: by the numbers in them, those without a number last."""
    result = re.findall(r"\d+", str(name)) if isinstance(name, str) else []
    return (0, int(result[0]), str(name)) if result else (1, 0, str(name))


def _by_round(column):
    """A column for sorting, rounds by :func:`natural`."""
    return column.map(natural) if column.name == "round" else column


def _brackets(rows) -> dict[str, str]:
    """Team → bracket of one phase: teams that meet, or meet those that they meet, from the strongest on A, B, …"""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    teams = pd.Index(sorted(rows["team"].unique()))
    met = tuple(teams.get_indexer(rows[name]) for name in ("team", "opponent"))
    graph = coo_array((np.ones(len(rows)), met), shape=(len(teams), len(teams)))
    count, group = connected_components(graph, directed=False)
    if count == 1:
        return dict.fromkeys(teams, bonuses.ALL)
    mean = rows.groupby(group[met[0]])["points"].mean()
    order = mean.sort_values(ascending=False, kind="stable").index
    names = {
        top: f"{chr(65 + place)}" if place < 26 else str(place + 1)
        for place, top in enumerate(order)
    }
    return dict(zip(teams, map(names.get, group), strict=True))


def table(scoreboard) -> pd.DataFrame:
    """tables/standings: of each tournament as a whole, and of each of its phases by bracket."""
    parts = []
    for (_, phase), rows in scoreboard.groupby(["tournament", "phase"], sort=True):
        if phase != bonuses.ALL:
            parts.append(rows.assign(bracket=rows["team"].map(_brackets(rows))))
    parts.append(scoreboard.assign(phase=bonuses.ALL, bracket=bonuses.ALL))
    rows = pd.concat(parts, ignore_index=True)
    if not len(rows):
        return store.empty("standings")
    groups = rows.groupby([*_PLACE, "team"], sort=True)
    results = rows["result"].to_numpy()
    for name, letter in (("wins", "W"), ("losses", "L"), ("ties", "T")):
        rows[name] = (results == letter).astype("int64")
    rows["played"] = rows["points"].notna().astype("int64")
    summed = ["wins", "losses", "ties", "played", "tossups", "regulation", *SHOWN]
    total = groups[summed].sum().infer_objects()
    for name in ("points", "opponent_points", "bonuses", "bonus_points", "bounceback_points"):
        total[name] = groups[name].sum(min_count=1)
    games = total[["wins", "losses", "ties"]].sum(axis=1)
    total["games"] = games
    total["win_share"] = (total["wins"] + total["ties"] / 2) / games
    rates = {
        "points_per_game": ("points", "played"),
        "opponent_points_per_game": ("opponent_points", "played"),
        "points_per_20": ("points", "regulation"),
        "points_per_bonus": ("bonus_points", "bonuses"),
    }
    for name, pair in rates.items():
        total[name] = proportions.ratio(*(total[column].fillna(0) for column in pair))
    total["points_per_20"] *= PER
    total["margin"] = total["points_per_game"] - total["opponent_points_per_game"]
    total = total.reset_index()
    group = total.groupby(_PLACE)["win_share"]
    total["rank"] = group.rank(method="min", ascending=False).astype("int64")
    total["tied"] = total.duplicated([*_PLACE, "rank"], keep=False)
    order = [*_PLACE, "rank", "points_per_20", "team"]
    total = total.sort_values(order, ascending=[True] * 4 + [False, True], ignore_index=True)
    return store.frame(total, "standings")


def rounds(scoreboard) -> pd.DataFrame:
    """tables/round_report: what teams scored in each round."""
    rows = scoreboard[scoreboard["points"].notna()]
    rows = rows.assign(round=rows["round"].astype(object).where(rows["round"].notna(), "–"))
    groups = rows.groupby(["tournament", "round"], sort=False)
    total = groups[["points", *SHOWN, "tossups", "bonus_points", "bonuses"]].sum()
    total["games"] = groups["game"].nunique()
    total["tossups"] = total["tossups"] / 2
    total["points_per_game"] = proportions.ratio(total["points"], 2 * total["games"])
    total["points_per_20"] = PER * proportions.ratio(total["points"], 2 * total["tossups"])
    powers = total["superpowers"] + total["powers"]
    counts = {"conversion": powers + total["tens"], "power_rate": powers, "neg_rate": total["negs"]}
    for name, count in counts.items():
        total[name] = proportions.ratio(count, total["tossups"])
    total["points_per_bonus"] = proportions.ratio(total["bonus_points"], total["bonuses"])
    total = total.reset_index()
    total = total.sort_values(["tournament", "round"], key=_by_round, ignore_index=True)
    return store.frame(total, "round_report")


def individuals(games, box_scores) -> pd.DataFrame:
    """tables/individuals: players by points per 20 tossups heard, in games that count for them."""
    games = games[games["individual"].astype(bool)]
    rows = box_scores.merge(games[["game", "tournament", "tossups_read"]], on="game")
    read = rows["tossups_read"].astype("Int64")
    rows["tossups"] = rows["tossups_heard"].astype("Int64").fillna(read)
    rows = rows[(rows["tossups"] > 0) & (rows["player"] != UNNAMED)]
    # A game of which a player heard half is half a game.
    rows = rows.assign(
        part=proportions.ratio(floats(rows["tossups"]), floats(rows["tossups_read"]))
    )
    groups = rows.groupby(["tournament", "team", "player"], sort=True, observed=True)
    total = groups[[*SHOWN, "tossups"]].sum()
    total["games"] = groups["part"].sum()
    mask = groups["points"].count() == groups.size()
    total["points"] = groups["points"].sum().where(mask)
    total["points_per_20"] = PER * total["points"] / total["tossups"].astype(float)
    total = total.reset_index()
    rank = total.groupby("tournament")["points_per_20"].rank(method="min", ascending=False)
    total["rank"] = rank.astype("Int64")
    total = total.sort_values(["tournament", "rank", "team", "player"], ignore_index=True)
    return store.frame(total, "individuals")


def of_rounds(names, rounds) -> pd.Series:
    """Whether each name of a round is one of ``rounds``, as a whole or by its number."""
    wanted = {str(item).casefold() for item in rounds}
    total = names.map(lambda item: str(item).casefold() if isinstance(item, str) else None)
    number = names.map(lambda item: None if natural(item)[0] else str(natural(item)[1]))
    return total.isin(wanted) | number.isin(wanted)
