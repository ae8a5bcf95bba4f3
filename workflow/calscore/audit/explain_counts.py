"""Counts and shares of live buzzes: the rows that each is counted from, and the number once more from those.

A row of a table names a group of teams and, where it has them, a category, an outcome and a last clue
(:func:`selection`); a column says what is done with the buzzes and the questions heard that these leave
(:data:`MEASURES`). The audit page has the same two in its script.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

PAIRS = "leaderboard_pairs"
TABLES = ("category_margins", "team_summary", "cumulative_buzzes", PAIRS)
"""Tables that are explained here; of pairs the rows of head_to_head in which both played live."""
RULES = ("paper", "release", "rate")
LEVELS = {"merged": "category", "fine": "category_fine"}
RIGHT, WRONG = "correct", "incorrect"


class Selection(NamedTuple):
    """Which buzzes a row of a table is about. ``group``: a key of :func:`team_groups`; ``level`` and ``category``: a key of
    :data:`LEVELS` and its value; ``outcome``: :data:`RIGHT` or :data:`WRONG`; ``clue``: the last, from 1. Empty, 0: all."""

    group: str
    level: str = ""
    category: str = ""
    outcome: str = ""
    clue: int = 0


class Measure(NamedTuple):
    """What a column is of its rows. ``of(b, e)``: its value from buzzes and questions heard, the frames of :func:`select_rows`;
    ``words``: the same in words. ``outcome``: the buzzes that it counts, all where empty. ``heard``, ``buzzes``: its needs."""

    words: str
    of: Callable[[pd.DataFrame, pd.DataFrame], float]
    outcome: str = ""
    heard: bool = False
    buzzes: bool = True


def _share(count: float, total: float) -> float:
    """count / total, nan where the total is 0."""
    return count / total if total else float("nan")


MEASURES = {
    "correct": Measure("right buzzes", lambda b, e: len(b), RIGHT),
    "incorrect": Measure("wrong buzzes", lambda b, e: len(b), WRONG),
    "buzzes": Measure("buzzes", lambda b, e: len(b)),
    "margin": Measure("right − wrong buzzes", lambda b, e: 2 * int(b["correct"].sum()) - len(b)),
    "ratio": Measure(
        "right / wrong buzzes",
        lambda b, e: _share(int(b["correct"].sum()), int((~b["correct"]).sum())),
    ),
    "precision": Measure("right / all buzzes", lambda b, e: _share(b["correct"].sum(), len(b))),
    "cumulative": Measure("buzzes up to the clue", lambda b, e: len(b)),
    "per_question": Measure(
        "buzzes up to the clue / questions heard, summed over teams",
        lambda b, e: len(b) / max(len(e), 1),
        heard=True,
    ),
    "per_match": Measure(
        "buzzes up to the clue / team × packet pairs",
        lambda b, e: len(b) / max(len(e[["team", "packet"]].drop_duplicates()), 1),
        heard=True,
    ),
    "per_clue": Measure(
        "buzzes up to the clue / clues heard up to it, summed over teams and questions",
        lambda b, e: len(b) / max(int(e["clues"].sum()), 1),
        heard=True,
    ),
    "questions_heard": Measure(
        "questions heard, summed over teams", lambda b, e: len(e), heard=True, buzzes=False
    ),
    "matches": Measure(
        "team × packet pairs",
        lambda b, e: len(e[["team", "packet"]].drop_duplicates()),
        heard=True,
        buzzes=False,
    ),
    "packets": Measure("packets heard", lambda b, e: e["packet"].nunique(), heard=True, buzzes=False),
    "score_paper": Measure("right buzzes", lambda b, e: len(b), RIGHT),
    "score_release": Measure(
        "sum over clue numbers of right buzzes up to each", lambda b, e: int(b["from_last"].sum()), RIGHT
    ),
    "score_rate": Measure(
        "right buzzes / questions heard", lambda b, e: _share(len(b), len(e)), RIGHT, heard=True
    ),
    "median_revealed": Measure(
        "median over buzzes of words heard / words of the question",
        lambda b, e: float(b["revealed"].median()),
    ),
}
"""Column → what it is; n_teams is counted from the group alone."""
ENDS = {
    "low": "precision", "high": "precision", "n_effective": "precision",
    "rate_low": "score_rate", "rate_high": "score_rate",
    "quartile_paper": "score_paper", "quartile_release": "score_release", "quartile_rate": "score_rate",
}  # fmt: skip
"""Columns that rest on another one by more than counting → that one; interval ends else by their name."""


class Step(NamedTuple):
    """One link of the chain: its title, rows of a table, and a note on what is done with them (or "")."""

    title: str
    rows: pd.DataFrame
    note: str = ""


class Counted(NamedTuple):
    """``value``: the number once more, None where counting cannot give it; ``formula``: in words; ``steps``: rows behind it."""

    value: float | int | None
    formula: str
    steps: list[Step]


def team_groups(buzzes: pd.DataFrame, teams: pd.DataFrame) -> dict[str, list[str]]:
    """kind/name → its ``teams``: ``team/…``, ``pool/…`` of a kind, ``all/human``, ``model/…``, quartiles (``paper/Q1``) of humans."""
    teams_by_group = {f"team/{team}": [team] for team in teams["team"]}
    for kind, members in teams.groupby("kind"):
        teams_by_group[f"pool/{kind}"] = members["team"].to_list()
    humans = teams[teams["kind"] == "human"]
    teams_by_group["all/human"] = humans["team"].to_list()
    for team in teams.loc[teams["kind"] == "model", "team"]:
        teams_by_group[f"model/{team}"] = [team]
    for rule in RULES:
        for quartile, members in humans.groupby(f"quartile_{rule}"):
            teams_by_group[f"{rule}/Q{int(quartile)}"] = members["team"].to_list()
    return teams_by_group


def selection(table: str, row: Mapping) -> Selection:
    """The :class:`Selection` of a ``row`` (by column) of ``table``, one of :data:`TABLES` but pairs."""
    if table == "category_margins":
        return Selection(f"{row['group_kind']}/{row['group']}", row["level"], row["category"])
    if table == "cumulative_buzzes":
        group = f"{row['rule']}/{row['group']}"
        return Selection(group, outcome=row["outcome"], clue=int(row["clue"]))
    return Selection(f"team/{row['team']}")


def live_rows(tables: Mapping[str, pd.DataFrame], segmentation: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(buzzes sorted by question and word, questions heard by question and team) of ``tables``, clues by ``segmentation``. Buzzes
    have category, category_fine, clue (from 1), ``revealed`` (share heard) and ``from_last``; questions heard have n_clues.
    ``from_last``: clue numbers from theirs to the highest of any question, both counted."""
    questions = tables["questions"].set_index("question_id")
    clues = tables["clues"]
    clues = clues[clues["segmentation"] == segmentation]
    ends = {
        q: np.sort(clue_rows["end_word"].to_numpy())
        for q, clue_rows in clues.groupby("question_id", sort=False)
    }
    b = tables["buzzes"].sort_values(["question_id", "word_index"], kind="stable")
    clue_numbers = [
        min(int((ends[q] <= word).sum()), len(ends[q]) - 1) + 1
        for q, word in zip(b["question_id"], b["word_index"], strict=True)
    ]
    b = b.assign(
        clue=clue_numbers,
        from_last=int(clues["clue"].max()) + 1 - np.array(clue_numbers, dtype=int),
        revealed=(b["word_index"] + 1) / b["question_id"].map(questions["n_words"]),
        correct=b["correct"].astype(bool),
        **{name: b["question_id"].map(questions[name]) for name in LEVELS.values()},
    )
    e = tables["exposures"]
    e = e.assign(n_clues=e["question_id"].map({q: len(clue_rows) for q, clue_rows in ends.items()}))
    return b, e.sort_values(["question_id", "team"], kind="stable")


def select_rows(
    selected: Selection, members: list[str], b: pd.DataFrame, e: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(buzzes, questions heard in any category) of a selection and its ``members`` (teams), out of the two frames of
    :func:`live_rows`. A column ``clues`` counts, for each question heard, those up to the selection's clue."""
    b, e = b[b["team"].isin(members)], e[e["team"].isin(members)]
    if selected.category:
        b = b[b[LEVELS[selected.level]] == selected.category]
    if selected.outcome:
        b = b[b["correct"] == (selected.outcome == RIGHT)]
    if selected.clue:
        b = b[b["clue"] <= selected.clue]
    reached = e["n_clues"].clip(upper=selected.clue) if selected.clue else e["n_clues"]
    return b, e.assign(clues=reached)


def base_column(column: str) -> str:
    """The column of :data:`MEASURES` that ``column`` is, or whose interval, rank or quartile it is; else its stem."""
    if column in MEASURES:
        return column
    stem = column
    for end in ("_low", "_high", "_two_way"):
        stem = stem.removesuffix(end)
    return ENDS.get(column, stem)


OUTCOMES = {"a_wins": "a", "b_wins": "b", "ties": "tie"}
WON = "the earlier buzz plays first, if it is wrong the other's own counts; at one word the right one wins"


def common_questions(tables: Mapping[str, pd.DataFrame], a: str, b: str) -> pd.DataFrame | None:
    """A row for each question that teams ``a`` and ``b`` heard live. Columns: a_word, b_word (words heard at its first buzz,
    null without one), a_right, b_right, a_row, b_row (source rows), ``wins`` (a, b, tie or neither). None if one heard none."""
    heard = tables["exposures"].groupby("team")["question_id"].apply(set)
    if a not in heard or b not in heard:
        return None
    questions = tables["questions"].set_index("question_id")[["category", "n_words"]]
    common = questions.loc[sorted(heard[a] & heard[b])].reset_index()
    buzzes = tables["buzzes"].sort_values("word_index", kind="stable")
    for side, team in (("a", a), ("b", b)):
        first_buzzes = buzzes[buzzes["team"] == team].drop_duplicates("question_id")
        first_buzzes = first_buzzes.set_index("question_id").reindex(common["question_id"])
        word = np.minimum(first_buzzes["word_index"].to_numpy(dtype=float) + 1, common["n_words"])
        right = first_buzzes["correct"].map(lambda v: v is True or v == 1).to_numpy(dtype=bool)
        common = common.assign(**{f"{side}_word": word, f"{side}_right": right})
        common[f"{side}_row"] = first_buzzes["source_row"].to_numpy()
    both = common["a_right"] & common["b_right"]
    wins = np.select(
        [
            both & (common["a_word"] == common["b_word"]),
            common["a_right"] & (~common["b_right"] | (common["a_word"] < common["b_word"])),
            common["b_right"],
        ],
        ["tie", "a", "b"],
        "neither",
    )
    words = {"a_word": "Int64", "b_word": "Int64"}
    return common.drop(columns="n_words").astype(words).assign(wins=wins)


def _explain_pair(tables: Mapping[str, pd.DataFrame], row: Mapping, column: str) -> Counted | None:
    """A cell of leaderboard_pairs; None for another metric than head_to_head, or without live questions of both."""
    met = common_questions(tables, row["a"], row["b"]) if row["metric"] == "head_to_head" else None
    if met is None:
        return None
    n = {name: int((met["wins"] == winner).sum()) for name, winner in OUTCOMES.items()}
    values = n | {"questions": len(met), "decided": sum(n.values())}
    values["a_value"] = _share(n["a_wins"] + n["ties"] / 2, values["decided"])
    values["b_value"] = 1 - values["a_value"]
    values["difference"] = values["a_value"] - values["b_value"]
    formula = {"questions": "questions that both heard", "a_value": f"(a_wins + ties / 2) / decided; {WON}"}
    words = formula.get(column, WON)
    if column not in values:
        words = f"{column}, which belongs to a_value: {formula['a_value']}"
    won = met[met["wins"] == OUTCOMES[column]] if column in OUTCOMES else met
    return Counted(values.get(column), words, [Step("Common questions", won, f"{len(won)} questions")])


def explain_count(
    tables: Mapping[str, pd.DataFrame], segmentation: str, table: str, row: Mapping, column: str
) -> Counted | None:
    """The cell in ``column`` of ``row`` of ``table`` (one of :data:`TABLES`) counted again: value (None for bounds and ranks),
    formula, steps. ``tables``: of the study, or itself. None for pairs of which one heard no question live, and for other
    metrics of pairs than head_to_head."""
    if table == PAIRS:
        return _explain_pair(tables, row, column)
    selected = selection(table, row)
    teams = tables["teams"]
    members = team_groups(tables["buzzes"], teams)[selected.group]
    if column == "n_teams":
        listed = teams[teams["team"].isin(members)]
        return Counted(len(listed), "teams of the group", [Step("Teams", listed)])
    measure = MEASURES[base_column(column)]
    b, e = select_rows(selected, members, *live_rows(tables, segmentation))
    if measure.outcome:
        b = b[b["correct"] == (measure.outcome == RIGHT)]
    value, formula = measure.of(b, e), measure.words
    if column != base_column(column):
        value, formula = None, f"{column}, which belongs to {base_column(column)}: {formula}"
    columns = ["question_id", "category", "team", "word_index", "clue", "correct", "source_row"]
    note = f"{len(b)} buzzes, {int(b['correct'].sum())} right"
    steps = [Step("Buzzes", b[columns], note)] if measure.buzzes else []
    if measure.heard:
        listed = e[["question_id", "packet", "team", "source", "clues"]]
        note = f"{len(e)} questions heard in {len(e[['team', 'packet']].drop_duplicates())} packets"
        steps.append(Step("Questions heard", listed, note))
    return Counted(value, formula, steps)
