"""Standings, scores of matches, individuals and rounds, as the community's statistics reports have them.

Teams are in the order of their share of wins (a tie counts half), then of points per 20 regulation tossups; those of
one share have one rank. A side's score is the one that the file declares, else its tossups, bonuses and bouncebacks.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..core import store
from ..stats import proportions
from . import bonuses
from .categoricals import floats, share_categories
from .packets import Note

UNNAMED = "(not named)"
"""Player of a buzz that names none."""
POWER, SUPERPOWER = 10, 15
"""Points above which a right buzz is a power and a superpower."""
COUNTS = ("superpowers", "powers", "tens", "negs", "wrong_free")
"""Kinds of answers by their points (:func:`buzz_kinds`)."""
LISTED_KINDS = COUNTS[:4]
PER = 20
"""Tossups of a game that rates are given for."""
_PLACE = ["tournament", "phase", "bracket"]


def buzz_kinds(value: ArrayLike) -> dict[str, np.ndarray]:
    """Kind of :data:`COUNTS` → mask of the buzzes of that kind by their points ``value``; a buzz of nan points is of none."""
    value = np.asarray(value, dtype=float)
    return {
        "superpowers": value > SUPERPOWER,
        "powers": (value > POWER) & (value <= SUPERPOWER),
        "tens": (value > 0) & (value <= POWER),
        "negs": value < 0,
        "wrong_free": value == 0,
    }


def tidy_box_scores(plays: pd.DataFrame, rosters: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """tidy/box_scores: a row for each game, team and player of ``plays``, ``answers`` (declared counts of games without
    tossups) or ``rosters``. Counts by kind and points, null where a buzz has none; a missing player is :data:`UNNAMED`."""
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
    for name, mask in buzz_kinds(value).items():
        table[name] = np.bincount(place, number * mask, len(size)).astype("int64")
    # Not known where one of them is not.
    table["points"] = np.bincount(place, np.where(number > 0, value * number, 0.0), len(size))
    if len(listed):
        heard = pd.array(listed["tossups_heard"], dtype="Int64")
        most = listed.assign(heard=heard).groupby(key, observed=True)["heard"].max()
        table["tossups_heard"] = most.reindex(size.index).array
    return store.frame(table, "box_scores")


def tidy_sides(sides: pd.DataFrame, box: pd.DataFrame, bonus_plays: pd.DataFrame, note: Note) -> pd.DataFrame:
    """tidy/sides: a row for each of ``sides`` (game, team, kind and :data:`.qbj.DECLARED`), with points and their parts. ``box``:
    :func:`tidy_box_scores`. Points are those declared, else tossups, and bonuses and bouncebacks (null as 0), summed. Bonus
    points are the sum over parts if the game lists any, else as declared. Games where declared and summed points differ are
    noted."""
    key = ["game", "team"]
    index = pd.MultiIndex.from_frame(sides[key])
    groups = box.groupby(key, observed=True)["points"]
    tossups = groups.sum().where(groups.count() == groups.size()).reindex(index)
    tossups = tossups.to_numpy(dtype=float, copy=True)
    # Of text each name of the set would be looked at by itself.
    game = sides["game"].astype(object)
    has_buzzes = game.isin(box["game"]).to_numpy()
    tossups[has_buzzes & ~index.isin(groups.size().index)] = 0.0
    listed = game.isin(bonus_plays["game"]).to_numpy()
    bonus = floats(sides["bonus_points"])
    back = floats(sides["bounceback_points"])
    if listed.any():
        summed = bonus_plays.groupby(key)["points"].sum().reindex(index).fillna(0).to_numpy(float)
        bonus = np.where(listed, summed, bonus)
        whose = bonus_plays[bonus_plays["bounceback"].notna()]
        pairs = sides[key].merge(whose[["game", "team", "bounceback"]], on="game", suffixes=("", "_of"))
        pairs = pairs[pairs["team"] != pairs["team_of"]]
        rival = pairs.groupby(key)["bounceback"].sum().reindex(index).fillna(0).to_numpy(float)
        back = np.where(listed & game.isin(whose["game"]), rival, back)
    heard = _bonuses_heard(sides, box, bonus_plays, listed)
    total = tossups + np.nan_to_num(bonus) + np.nan_to_num(back)
    declared, declared_bonus = floats(sides["declared"]), floats(sides["bonus_points"])
    _compare_declared(sides, declared, np.where(has_buzzes, total, np.nan), "points", note)
    _compare_declared(sides, declared_bonus, np.where(listed, bonus, np.nan), "bonus points", note)
    if np.isnan(declared).all() and not (listed & ~np.isnan(declared_bonus)).any():
        detail = "no file declares points that the sums of buzzes and bonus parts could be held against"
        note("points are not declared", f"{sides['game'].nunique()} matches", detail)
    points = {"tossup_points": tossups, "bonus_points": bonus, "bounceback_points": back}
    points |= {"declared": declared, "points": np.where(np.isnan(declared), total, declared)}
    return store.frame(sides.assign(**points, bonuses=heard), "sides")


def _compare_declared(
    sides: pd.DataFrame, declared: np.ndarray, total: np.ndarray, name: str, note: Note
) -> None:
    """Note each game in which ``declared`` and ``total`` (a number per row) differ; nan never does. ``name``: what they count."""
    gap = np.abs(declared - total) > 1e-9
    for game, rows in sides.assign(declared=declared, total=total)[gap].groupby("game", sort=True):
        pairs = (f"{r.team} {r.declared:g} declared, {r.total:g} summed" for r in rows.itertuples())
        note("declared points differ from their parts", str(game), f"{name}: {'; '.join(pairs)}")


def _bonuses_heard(
    sides: pd.DataFrame, box: pd.DataFrame, bonus_plays: pd.DataFrame, listed: np.ndarray
) -> np.ndarray:
    """Bonuses that each row's team heard: those listed (where the mask ``listed`` says so), else ``bonuses`` as declared, else
    right buzzes less ``without_bonus``; nan for the last unless bonus points above 0 are declared."""
    index = pd.MultiIndex.from_frame(sides[["game", "team"]])
    groups = bonus_plays.drop_duplicates(["game", "cycle"]).groupby(["game", "team"]).size()
    own = groups.reindex(index).fillna(0).to_numpy(float)
    right = box.assign(right=box["superpowers"] + box["powers"] + box["tens"])
    right = right.groupby(["game", "team"], observed=True)["right"].sum().reindex(index)
    right = right.fillna(0).to_numpy(float) - np.nan_to_num(floats(sides["without_bonus"]))
    right = np.where(floats(sides["bonus_points"]) > 0, right, np.nan)
    stated = floats(sides["bonuses"])
    return np.where(listed, own, np.where(np.isnan(stated), right, stated))


def scoreboard(games: pd.DataFrame, sides: pd.DataFrame, box_scores: pd.DataFrame) -> pd.DataFrame:
    """tables/scoreboard: a row for each team of a game, with opponent, result (W, L, T), margin and counts. Games without
    exactly two teams or with unknown points are left out. By tournament, phase, round, game, team."""
    key = ["game", "team"]
    counts = box_scores.groupby(key, observed=True)[list(COUNTS)].sum().reset_index()
    rows = sides.merge(games, on="game").merge(counts, "left", on=key)
    rows[list(COUNTS)] = rows[list(COUNTS)].fillna(0).astype("int64")
    rows = rows[rows.groupby("game")["team"].transform("size") == 2]
    opponent = rows[["game", "team", "points"]].set_axis(["game", "opponent", "opponent_points"], axis=1)
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
def round_sort_key(name: object) -> tuple[int, int, str]:
    """Sort key (0, first number, name) of a round's name; (1, 0, name) without a number or for no text."""
    result = re.findall(r"\d+", str(name)) if isinstance(name, str) else []
    return (0, int(result[0]), str(name)) if result else (1, 0, str(name))


def _by_round(column: pd.Series) -> pd.Series:
    """``column`` as a sort key: rounds by :func:`round_sort_key`, others as they are."""
    return column.map(round_sort_key) if column.name == "round" else column


def _brackets(rows: pd.DataFrame) -> dict[str, str]:
    """Team → bracket within one phase: A, B, … by mean points per game, a bracket being teams linked by meetings.
    :data:`.bonuses.ALL` if all are linked."""
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
    names = {top: f"{chr(65 + place)}" if place < 26 else str(place + 1) for place, top in enumerate(order)}
    return dict(zip(teams, map(names.get, group), strict=True))


def standings_table(scoreboard: pd.DataFrame) -> pd.DataFrame:
    """tables/standings: a row for each team over all of a tournament (phase and bracket "all"), and over each phase, ranked
    within its bracket. Ranks are by share of wins, a tie counting half; equal shares share one."""
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
    summed = ["wins", "losses", "ties", "tossups", "regulation", *LISTED_KINDS]
    total = groups[summed].sum().infer_objects()
    for name in ("points", "opponent_points", "bonuses", "bonus_points", "bounceback_points"):
        total[name] = groups[name].sum(min_count=1)
    total["games"] = total[["wins", "losses", "ties"]].sum(axis=1)
    total["win_share"] = (total["wins"] + total["ties"] / 2) / total["games"]
    rates = {
        "points_per_game": ("points", "games"),
        "opponent_points_per_game": ("opponent_points", "games"),
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


def round_report(scoreboard: pd.DataFrame) -> pd.DataFrame:
    """tables/round_report: a row for each tournament and round. Points per game and per 20 are per team; conversion, power and
    neg rates per tossup read in a room. A missing round is "–". Numbered rounds come first."""
    names = scoreboard["round"].astype(object).where(scoreboard["round"].notna(), "–")
    rows = scoreboard.assign(round=names)
    groups = rows.groupby(["tournament", "round"], sort=False)
    total = groups[["points", *LISTED_KINDS, "tossups", "bonus_points", "bonuses"]].sum()
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


def individual_standings(games: pd.DataFrame, box_scores: pd.DataFrame) -> pd.DataFrame:
    """tables/individuals: a row for each player who heard a tossup in games that count for individuals, ranked within the
    tournament by points per 20 tossups heard. Tossups heard are those read in the game where the roster gives no number;
    games are counted in parts accordingly. Points are null where those of a buzz are unknown."""
    games = games[games["individual"].astype(bool)]
    rows = box_scores.merge(games[["game", "tournament", "tossups_read"]], on="game")
    read = rows["tossups_read"].astype("Int64")
    rows["tossups"] = rows["tossups_heard"].astype("Int64").fillna(read)
    rows = rows[(rows["tossups"] > 0) & (rows["player"] != UNNAMED)]
    # A game of which a player heard half is half a game.
    rows = rows.assign(part=proportions.ratio(floats(rows["tossups"]), floats(rows["tossups_read"])))
    groups = rows.groupby(["tournament", "team", "player"], sort=True, observed=True)
    total = groups[[*LISTED_KINDS, "tossups"]].sum()
    total["games"] = groups["part"].sum()
    mask = groups["points"].count() == groups.size()
    total["points"] = groups["points"].sum().where(mask)
    total["points_per_20"] = PER * total["points"] / total["tossups"].astype(float)
    total = total.reset_index()
    rank = total.groupby("tournament")["points_per_20"].rank(method="min", ascending=False)
    total["rank"] = rank.astype("Int64")
    total = total.sort_values(["tournament", "rank", "team", "player"], ignore_index=True)
    return store.frame(total, "individuals")


def in_rounds(names: pd.Series, rounds: Iterable[object]) -> pd.Series:
    """Mask of ``names`` (rounds) that equal one of ``rounds``, ignoring case, or whose first number does; False for null."""
    wanted = {str(item).casefold() for item in rounds}
    full_names = names.map(lambda item: str(item).casefold() if isinstance(item, str) else None)
    number = names.map(lambda item: None if round_sort_key(item)[0] else str(round_sort_key(item)[1]))
    return full_names.isin(wanted) | number.isin(wanted)
