"""Accuracy and P(b | g) by share of the clues revealed, by hand."""

import pandas as pd
from calscore.stats import shares_revealed
from calscore.stats.bootstrap import Bootstrap


def test_accuracy_by_share_under_both_readings():
    rows = pd.DataFrame(
        {
            "question_id": "a",
            "clue": [1, 2, 3, 4],
            "n_clues": 4,
            "correct": [False, False, True, True],
            "model": "m",
        }
    )
    rows["correct"] = rows["correct"].astype("boolean")
    table = shares_revealed.accuracy_by_share(rows, ["model"], 0.95, ["question_id"])
    table = table.set_index(["reading", "revealed"])["accuracy"]
    # 20 % of four clues is before the first one; 30 % is clue 1, 50 % clue 2, 80 % clue 3.
    wrong, right = dict.fromkeys([0.3, 0.4, 0.5, 0.6, 0.7], 0), dict.fromkeys([0.8, 0.9, 1.0], 1)
    assert table["at"].to_dict() == wrong | right
    # The released plot has clue 1 at 20 %, 2 at 50 %, 3 at 70 %, 4 at 100 %.
    assert table["released"].to_dict() == {0.2: 0, 0.5: 0, 0.7: 1, 1.0: 1}


def test_buzz_given_stops_at_the_first_buzz_and_averages_players():
    rows = pd.DataFrame(
        [
            # A: right from clue 1, buzzes at 2; clue 3 must not count.
            ("A", "q1", 1, True, False),
            ("A", "q1", 2, True, True),
            ("A", "q1", 3, True, True),
            # B: wrong at 1, right at 2 and 3, never buzzes.
            ("B", "q1", 1, False, False),
            ("B", "q1", 2, True, False),
            ("B", "q1", 3, True, False),
        ],
        columns=["agent", "question_id", "clue", "correct", "buzz"],
    ).assign(n_clues=3, half="top")
    rows["correct"] = rows["correct"].astype("boolean")
    table = shares_revealed.buzz_rate_by_share(rows, ["half"], Bootstrap(200, 1, 0.95)).set_index(
        ["given", "revealed"]
    )
    assert table["p"].to_dict() == {
        ("correct", 0.4): 0.0,
        ("correct", 0.7): 0.5,
        ("correct", 1.0): 0.0,
        ("incorrect", 0.4): 0.0,
    }
    assert table.loc[("correct", 1.0), ["agents", "n"]].tolist() == [1, 1]
    # Two players, one at 0 and one at 1: resampling them reaches both ends.
    assert table.loc[("correct", 0.7), ["agents", "low", "high"]].tolist() == [2, 0, 1]


def test_no_rows_make_a_table_without_rows():
    rows = pd.DataFrame({"model": [], "question_id": [], "clue": [], "n_clues": [], "correct": []})
    assert shares_revealed.accuracy_by_share(rows, ["model"], 0.95, ["question_id"]).empty
