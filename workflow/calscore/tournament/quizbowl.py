"""What quizbowl counts: conversion, powers, negs, buzz-point area, rebounds, dead tossups.

Terms. A *get* is a right buzz, a *power* one of more than 10 points up to 15, a *superpower* one of more, a
*neg* a wrong one that costs points, a wrong one of 0 points costs nothing. A *room* is one match reading one
tossup; for records without a match, one team hearing one tossup. x is the share of the question heard at a
buzz, (word_index + 1) / n_words, at most 1.
"""

import numpy as np
import pandas as pd

from ..core import store
from ..stats import proportions
from . import standings
from .categoricals import repeats, row_codes, share_categories

GRID = np.arange(0, 101) / 100
"""Shares of the question at which buzz-point curves are tabulated."""
_ROOM = ["game", "cycle", "tossup"]
_NAMES = ("game", "team", "player", "question_id")
MEASURES = ["gets", "superpowers", "powers", "negs", "wrong_free", "rebounds"]
"""Columns of :func:`measure_buzzes` that a summary counts."""


def question_categories(rows: pd.DataFrame, questions: pd.DataFrame) -> pd.Categorical:
    """Categorical of the category of each row's question (``question_id`` is a categorical); "Unknown" where it has none."""
    group = questions.set_index("question_id")["category"].astype(object)
    group = group.reindex(rows["question_id"].cat.categories)
    names = sorted({*group.dropna(), "Unknown"})
    codes = pd.Index(names).get_indexer(group.fillna("Unknown"))
    place = np.append(codes, names.index("Unknown"))[rows["question_id"].cat.codes]
    return pd.Categorical.from_codes(place, names)


def measure_buzzes(plays: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """A row for each of ``plays`` (with n_words), sorted by room and order: game, team, player, question_id, cycle, tossup,
    category, x (share heard, 0–1), heard_words (at most all), value. Masks tell :data:`MEASURES` and kinds. x is nan without
    a known text or position. ``rebounds``: right after an opponent was wrong on the same tossup in the same room."""
    rows = plays.reset_index(drop=True)
    share_categories(_NAMES, rows)
    (place,) = row_codes([*_ROOM, "order"], rows)
    if (place[1:] < place[:-1]).any():
        rows = rows.iloc[np.argsort(place, kind="stable")].reset_index(drop=True)
    del place
    value = rows["value"].to_numpy(dtype=float, na_value=np.nan)
    right = rows["correct"].to_numpy(dtype=bool)
    words = rows["n_words"].to_numpy(dtype=float, na_value=np.nan)
    index = rows["word_index"].to_numpy(dtype=float, na_value=np.nan)
    (room,) = row_codes(_ROOM, rows)
    team, paths = rows["team"].cat.codes.to_numpy(), np.arange(len(rows))
    earliest = _earliest_rows(room, ~right, room)
    opponent = np.append(team, -1)[earliest] != team
    chance = (opponent & (paths > earliest)) | (paths > _earliest_rows(room, ~right & opponent, room))
    return rows[[*_NAMES, "cycle", "tossup"]].assign(
        category=question_categories(rows, questions),
        x=np.minimum((index + 1) / words, 1.0),
        heard_words=np.minimum(index + 1, words),
        value=value,
        gets=right,
        rebounds=right & chance,
        **standings.buzz_kinds(value),
    )


def _earliest_rows(room: np.ndarray, mask: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """For each room code of ``wanted``, the index of the first row in ``mask`` with that ``room``; ``len(room)`` where there
    is none. ``room``: code of each row's room; ``mask``: a boolean for each row."""
    index = np.flatnonzero(mask)
    rooms, earliest = np.unique(room[index], return_index=True)
    place = np.searchsorted(rooms, wanted)
    present = np.append(rooms, -1)[place] == wanted
    return np.where(present, np.append(index[earliest], 0)[place], len(room))


def rebound_chances(rows: pd.DataFrame, heard: pd.DataFrame) -> pd.DataFrame:
    """Rows of ``heard`` whose team is not the one that buzzed wrong first in the room; none in rooms without a wrong buzz. It
    does not look at right buzzes before. ``rows``: :func:`measure_buzzes`, sharing categories with ``heard``."""
    room, questions = row_codes(_ROOM, rows, heard)
    earliest = _earliest_rows(room, ~rows["gets"].to_numpy(), questions)
    team = np.append(rows["team"].cat.codes, -1)[earliest]
    return heard[(earliest < len(rows)) & (team != heard["team"].cat.codes)]


def summarise_buzzes(
    rows: pd.DataFrame,
    heard_counts: pd.Series,
    lengths: pd.Series,
    group: list[str],
    level: float,
    chances: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """A row for each group of ``heard_counts``: counts, rates, positions, BPA and points of ``rows``
    (:func:`measure_buzzes`), with columns as tables/quizbowl_teams. ``heard_counts``: group → tossups heard (or rooms);
    ``lengths``: group → those of them with a known text, the denominator of BPA. ``chances``: :func:`rebound_chances`, for
    rebound_rate. Rates are nan where nothing was heard, points where a buzz has none. Conversion has its Wilson interval
    (``level``; nan if gets exceed heard); BPA = 100 · ∫ gets(x) / heard dx over 0…1 = 100 · Σ (1 − x) / heard."""
    grouped = rows.groupby(group, observed=True, sort=True)
    table = grouped[MEASURES].sum()
    table.insert(0, "buzzes", grouped.size())
    table = table.reindex(heard_counts.index).fillna(0).astype("int64")
    table.insert(0, "heard", heard_counts.astype("int64"))
    table["wrong"] = table["buzzes"] - table["gets"]
    if chances is not None:
        table["rebound_chances"] = chances.groupby(group, observed=True).size()
        table["rebound_chances"] = table["rebound_chances"].fillna(0).astype("int64")
        table["rebound_rate"] = proportions.ratio(table["rebounds"], table["rebound_chances"])
    table["points"] = grouped["value"].sum().where(grouped["value"].count() == grouped.size())
    table.loc[table["buzzes"] == 0, "points"] = 0.0
    for name, column in (("conversion", "gets"), ("power_rate", "powers"), ("neg_rate", "negs")):
        table[name] = proportions.ratio(table[column], table["heard"])
    # A player's own count of tossups heard may be below the buzzes; an interval then has no meaning.
    valid = table["gets"] <= table["heard"]
    counts = (table[name].where(valid, 0) for name in ("gets", "heard"))
    table["conversion_low"], table["conversion_high"] = proportions.wilson(*counts, level)
    table["precision"] = proportions.ratio(table["gets"], table["buzzes"])
    table["points_per_20"] = 20 * table["points"] / table["heard"].where(table["heard"] > 0)
    present = rows["gets"] & rows["x"].notna()
    right = rows.loc[present, [*group, "x", "heard_words"]].assign(area=lambda t: 1 - t["x"])
    groups = right.groupby(group, observed=True)
    table["first_correct"] = groups["x"].min()
    table["average_correct"] = groups["x"].mean()
    table["first_correct_word"] = groups["heard_words"].min()
    table["average_correct_word"] = groups["heard_words"].mean()
    members = pd.Series(lengths, dtype=float).reindex(table.index).fillna(0)
    table["bpa"] = 100 * groups["area"].sum().reindex(table.index).fillna(0) / members.where(members > 0)
    return table.reset_index()


def quizbowl_tables(
    plays: pd.DataFrame,
    heard: pd.DataFrame,
    rosters: pd.DataFrame,
    questions: pd.DataFrame | None,
    level: float,
    games: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """Tables quizbowl_teams, _players, _categories, _team_categories and _questions, and buzzpoint_curves, by name. Teams and
    players count tossups heard; categories and questions count rooms. A player's tossups heard are the match's number, else the
    team's. A chance to rebound is a team's, so players have rebounds and no chances. ``questions``: None without packets;
    ``games``: says which count for players (None: all). ``level``: of the Wilson intervals."""
    questions = store.empty("questions") if questions is None else questions
    plays = plays.drop(columns=["kind", "source_row"], errors="ignore")
    rosters = rosters.copy(deep=False)
    kind = heard.drop_duplicates("team").set_index("team")["kind"]
    heard = heard[[*_ROOM, "team", "question_id"]]
    share_categories(_NAMES, plays, heard, rosters)
    rows = measure_buzzes(plays, questions)
    del plays
    heard = heard.assign(category=question_categories(heard, questions))
    chances = rebound_chances(rows, heard)
    names = ["team", "category", "question_id"]
    rooms = heard.loc[~repeats(*row_codes(_ROOM, heard)), names[1:]]
    heard, chances = heard[["game", *names]], chances[names]

    def summarise_by(group, heard: pd.DataFrame) -> pd.DataFrame:
        """:func:`summarise_buzzes` by the columns ``group``, counting the rows of ``heard``."""
        members = heard.groupby(group, observed=True, sort=True)
        return summarise_buzzes(rows, members.size(), members["question_id"].count(), group, level, chances)

    teams = summarise_by(["team"], heard)
    teams.insert(1, "kind", teams["team"].map(kind))
    teams.insert(2, "games", teams["team"].map(heard.groupby("team")["game"].nunique()))
    by_category = summarise_by(["category"], rooms)
    _add_dead_tossups(by_category)
    team_categories = summarise_by(["team", "category"], heard)
    members = summarise_by(["question_id"], rooms)
    _add_dead_tossups(members)
    members["difficulty"] = 1 - members["conversion"]
    rank = members["difficulty"].rank(method="min", ascending=False)
    members["difficulty_rank"] = rank.astype("Int64")
    levels = ("question", "question_id", rooms), ("team", "team", heard)
    parts = [
        buzzpoint_curves(rows, group, column).rename(columns={column: "item"}).assign(level=level)
        for level, column, group in levels
    ]
    listed = questions[["question_id", "category", "answerline", "n_words"]]
    members = listed.merge(members, on="question_id")
    return {
        "quizbowl_teams": _best_first(teams, ["team"]),
        "quizbowl_players": player_statistics(rows, heard, rosters, level, games),
        "quizbowl_categories": by_category,
        "quizbowl_team_categories": team_categories,
        "quizbowl_questions": members,
        "buzzpoint_curves": store.frame(pd.concat(parts, ignore_index=True), "buzzpoint_curves"),
    }


def _best_first(table: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Sort a summary by points per 20 tossups, then conversion, both falling, then ``names``."""
    order, falling = ["points_per_20", "conversion", *names], [False, False, *[True] * len(names)]
    return table.sort_values(order, ascending=falling, ignore_index=True)


def _add_dead_tossups(table: pd.DataFrame) -> None:
    """Insert, in place before conversion, dead (rooms in which nobody was right) and dead_rate."""
    place = table.columns.get_loc("conversion")
    table.insert(place, "dead", (table["heard"] - table["gets"]).clip(lower=0))
    table.insert(place + 1, "dead_rate", table["dead"] / table["heard"].where(table["heard"] > 0))


def player_statistics(
    rows: pd.DataFrame, heard: pd.DataFrame, rosters: pd.DataFrame, level: float, games: pd.DataFrame | None
) -> pd.DataFrame:
    """A summary (:func:`summarise_buzzes`) row for each team and player that ``rosters`` or a buzz names, in ``games`` that
    count for individuals (None: all), with games played; best first. ``level``: of its intervals."""
    if games is not None and not games["individual"].all():
        counting = set(games.loc[games["individual"], "game"])
        rows, heard, rosters = (group[group["game"].isin(counting)] for group in (rows, heard, rosters))
    pair = ["team", "player"]
    people = pd.concat([part[["game", *pair]] for part in (rosters, rows)], ignore_index=True)
    people = people[~repeats(*row_codes(["game", *pair], people)) & people["player"].notna()]
    stated = rosters.drop_duplicates(["game", *pair]).set_index(["game", *pair])["tossups_heard"]
    index = pd.MultiIndex.from_frame(people[["game", *pair]])
    own = stated.reindex(index).to_numpy(dtype=float, na_value=np.nan)
    counts = heard.groupby(["game", "team"], observed=True)["question_id"].agg(["size", "count"])
    place = pd.MultiIndex.from_frame(people[["game", "team"]])
    complete, part = counts.reindex(place).fillna(0).to_numpy(dtype=float).T
    count = np.where(np.isnan(own), complete, own)
    people = people.assign(
        n=count,
        known=np.divide(count * part, complete, out=np.zeros(len(people)), where=complete > 0),
    )
    total = people.groupby(pair, observed=True)[["n", "known"]].sum()
    table = summarise_buzzes(rows, total["n"], total["known"], pair, level)
    table.insert(2, "games", people.groupby(pair, observed=True)["game"].nunique().to_numpy())
    return _best_first(table, pair)


def buzzpoint_curves(rows: pd.DataFrame, heard: pd.DataFrame, group: str) -> pd.DataFrame:
    """Cumulative gets, wrong buzzes and negs by share of the question heard, in total and per tossup heard. ``rows``:
    :func:`measure_buzzes`; ``group``: question_id (``heard``: a row for each room) or team. Returns, for each group at x = 0,
    .01, …, 1: group, x, heard, gets, wrong, negs and each per heard. Only questions with a known text count."""
    count = heard.groupby(group, observed=True, sort=True)["question_id"].count()
    count = count[count > 0]
    place = count.index.get_indexer(rows[group].cat.categories)
    place = np.append(place, -1)[rows[group].cat.codes]
    present = (place >= 0) & rows["x"].notna().to_numpy()
    place, rows = place[present], rows.loc[present, ["x", "gets", "negs"]]
    cell = np.ceil(np.round(rows["x"].to_numpy(dtype=float) * 100, 9)).astype("int32")
    parts = {"x": np.tile(GRID, len(count)), "heard": np.repeat(count.to_numpy(), len(GRID))}
    masks = {"gets": rows["gets"], "wrong": ~rows["gets"], "negs": rows["negs"]}
    for name, mask in masks.items():
        mask = mask.to_numpy()
        grid = np.bincount(place[mask] * len(GRID) + cell[mask], minlength=len(count) * len(GRID))
        parts[name] = grid.reshape(len(count), len(GRID)).cumsum(axis=1).ravel()
        parts[f"{name}_per_heard"] = parts[name] / parts["heard"]
    return pd.DataFrame({group: np.repeat(count.index.to_numpy(), len(GRID)), **parts})


def h_by_share(
    human_curve: pd.DataFrame, clues: pd.DataFrame, questions: pd.DataFrame, segmentation: str
) -> pd.DataFrame:
    """h at each clue end (definition "heard") with x, its share of the question's words: question_id, clue, x, h. Each question
    starts with clue 0 at (0, 0). Rows by question and clue."""
    key = ["segmentation", "question_id", "clue"]
    rows = human_curve.query("segmentation == @segmentation and h_definition == 'heard'")
    rows = rows.merge(clues[[*key, "end_word"]], on=key)
    words = questions.set_index("question_id")["n_words"]
    rows = rows.assign(x=rows["end_word"] / rows["question_id"].map(words))
    start = rows.drop_duplicates("question_id").assign(clue=0, x=0.0, h=0.0)
    rows = pd.concat([start, rows]).sort_values(key[1:], ignore_index=True)
    return rows[["question_id", "clue", "x", "h"]]


def figure_questions(questions: pd.DataFrame) -> list[str]:
    """Ids of the easiest, middle and hardest question of those read in at least half the rooms of the question that most read;
    fewer where they coincide. ``questions``: quizbowl_questions; ``IndexError`` if empty."""
    order = questions[questions["heard"] >= questions["heard"].max() / 2]
    order = order.sort_values(["difficulty", "bpa", "question_id"], ascending=[True, False, True])
    return _ends_and_middle(order["question_id"].to_list())


def figure_teams(teams: pd.DataFrame) -> list[str]:
    """Best, middle and worst team of quizbowl_teams by BPA where known, each once; ``IndexError`` without any."""
    order = teams.dropna(subset="bpa").sort_values(["bpa", "team"], ascending=[False, True])
    return _ends_and_middle(order["team"].to_list())


def _ends_and_middle(order: list[str]) -> list[str]:
    """First, middle and last of ``order``, each once."""
    return list(dict.fromkeys([order[0], order[len(order) // 2], order[-1]]))


def team_h_curves(h: pd.DataFrame, heard: pd.DataFrame, teams: list[str]) -> pd.DataFrame:
    """A row for each team and x (0, .01, …, 1) with h, the mean over the questions of ``h`` that it heard; 0 for none. ``h``:
    :func:`h_by_share`, taken at the last clue that has ended. Teams in the order given."""
    values = {
        question: item["h"].to_numpy()[np.searchsorted(item["x"], GRID + 1e-12, side="right") - 1]
        for question, item in h.groupby("question_id")
    }
    parts = []
    for team in teams:
        questions = heard.loc[heard["team"] == team, "question_id"].dropna().unique()
        total = [values[question] for question in sorted(questions) if question in values]
        mean = sum(total, np.zeros(len(GRID))) / max(1, len(total))
        parts.append(pd.DataFrame({"team": team, "x": GRID, "h": mean}))
    return pd.concat(parts, ignore_index=True)
