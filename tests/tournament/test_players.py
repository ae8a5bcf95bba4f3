"""Players by category, first buzzes and the first three: the definitions of the public buzzpoint sites, by hand."""

import pandas as pd
import pytest
from calscore.core import store
from calscore.tournament import players

GAMES = pd.DataFrame(
    {"game": ["g1", "g2", "g3", "g4"], "round": ["1", "1", "2", "1"], "tournament": ["Cup", "Cup", "Cup", "Mirror"], "individual": True}
)  # fmt: skip
QUESTIONS = pd.DataFrame({"question_id": ["q1", "q2"], "category": ["Arts", "History"]})
#: game, question, team, player, word, points
BUZZES = [
    ("g1", "q1", "A", "a", 5, 20), ("g2", "q1", "B", "b", 5, 15), ("g3", "q1", "C", "c", 3, 10),
    ("g4", "q1", "D", "d", 9, 10), ("g1", "q2", "A", "a", 2, -5), ("g1", "q2", "B", "b", 8, 10),
    ("g2", "q2", "C", "c", 9, 10), ("g3", "q2", "A", "a", 10, 10), ("g2", "q2", "C", "c2", 1, -5),
]  # fmt: skip


def _table(exclude="", questions=QUESTIONS, more=()):
    rows = pd.DataFrame([*BUZZES, *more], columns=["game", "question_id", "team", "player", "word_index", "value"])  # fmt: skip
    rows = rows.assign(cycle=rows["question_id"].str[1].astype(int), correct=rows["value"] > 0)
    rows = rows.assign(tossup=rows["cycle"]).astype({"word_index": "Int64", "value": float})
    games = GAMES.assign(individual=GAMES["round"] != exclude)
    found = players.player_categories(rows, games, questions)
    assert not store.validation_errors(found, "player_categories")
    return found.set_index(["player", "category"])


# (player, category) → superpowers, powers, tens, negs, rebounds, first buzzes, top three, points
COUNTED = {
    ("a", "all"): [1, 0, 1, 1, 0, 0, 2, 25],
    ("a", "Arts"): [1, 0, 0, 0, 0, 0, 1, 20],
    ("b", "Arts"): [0, 1, 0, 0, 0, 0, 1, 15],
    ("b", "History"): [0, 0, 1, 0, 1, 1, 1, 10],
    ("c", "History"): [0, 0, 1, 0, 1, 0, 1, 10],
    ("c", "Arts"): [0, 0, 1, 0, 0, 1, 1, 10],
    ("d", "Arts"): [0, 0, 1, 0, 0, 1, 1, 10],
    ("c2", "History"): [0, 0, 0, 1, 0, 0, 0, -5],
}
COLUMNS = ["superpowers", "powers", "tens", "negs", "rebounds", "first_buzzes", "top_three", "points"]  # fmt: skip


@pytest.mark.parametrize("key", COUNTED)
def test_buzzes_by_category(key):
    assert _table().loc[key, COLUMNS].tolist() == COUNTED[key]


def test_rounds_left_out_leave_first_buzzes_to_the_next():
    found = _table(exclude="2")
    assert found.loc[("a", "Arts"), "first_buzzes"] == found.loc[("b", "Arts"), "first_buzzes"] == 1
    assert ("c", "Arts") not in found.index
    assert found.loc[("a", "all"), "points"] == 15


def test_who_is_not_named_was_first_all_the_same():
    found = _table(more=[("g3", "q1", "B", None, 1, 10)])
    row = found.loc[("c", "Arts"), ["first_buzzes", "top_three"]]
    assert row.tolist() == [0, 1] and found.loc[("a", "Arts"), "top_three"] == 1


def test_words_are_counts_of_words_heard():
    row = _table().loc[("a", "all")]
    assert row[["earliest_word", "average_word"]].tolist() == [6, 8.5]


def test_without_texts_nobody_is_known_to_be_first():
    found = _table(questions=None)
    assert found["first_buzzes"].isna().all() and set(found.reset_index()["category"]) == {"all", "Unknown"}  # fmt: skip
