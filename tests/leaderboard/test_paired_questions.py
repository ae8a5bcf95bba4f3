"""Models and humans on their common questions."""

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.leaderboard import checks
from calscore.leaderboard.paired_questions import CROWD, common_questions
from calscore.pages import opponents

# question, position and right of each: None is no buzz. By hand, the earlier buzz first, then the other's own.
PLAYED = {
    "a": {"q1": (5, True), "q2": (5, False), "q3": (None, None), "q4": (7, True), "q5": (9, False)},
    "b": {"q1": (6, True), "q2": (8, True), "q3": (3, True), "q4": (7, True), "q5": (2, False)},
    "H2": {"q1": (4, True), "q2": (9, False), "q4": (7, False)},
    "H10": {"q5": (1, True)},
}
# a against b: q1 won, q2 and q3 lost, q4 a tie, q5 neither: 1.5 of 4.
# a against H2: q1 lost, q2 neither, q4 won: 1 of 2. a against H10: q5 lost: 0 of 1. All: 1 of 3.
# b against H2: q1 lost, q2 and q4 won: 2 of 3. b against H10: 0 of 1. All: 2 of 4.
SHARES = {
    ("a", "b"): (5, 4, 1.5 / 4),
    ("a", "H2"): (3, 2, 0.5),
    ("a", "H10"): (1, 1, 0.0),
    ("a", CROWD): (4, 3, 1 / 3),
    ("b", "H2"): (3, 3, 2 / 3),
    ("b", "H10"): (1, 1, 0.0),
    ("b", CROWD): (4, 4, 0.5),
}


# Means of the scores that table() gives them, on all five questions.
def rows(names, **more):
    found = [
        {"submission": name, "question_id": q, "position": at, "right": right}
        for name in names
        for q, (at, right) in PLAYED[name].items()
    ]
    table = pd.DataFrame(found).astype({"position": "Int64", "right": "boolean"})
    return table.assign(**more)


def table(**changed):
    scored = rows(["a", "b"], score=[1.0, -0.5, 0.0, 0.5, -0.5, 0.8, 0.6, 1.0, 0.5, -0.5])
    given = {"scored": scored, "teams": rows(["H2", "H10"])} | changed
    kinds, names = {"a": "live", "b": "replayed"}, {"b": "Bee"}
    return common_questions(**given, kinds=kinds, names=names, yours={"b"}, replicates=400, seed=1, level=0.9)  # fmt: skip


def test_shares_are_those_counted_by_hand():
    found = table().set_index(["a", "b"])
    assert list(found.index) == list(SHARES)
    for pair, (questions, decided, share) in SHARES.items():
        row = found.loc[pair]
        assert (row["questions"], row["decided"]) == (questions, decided), pair
        assert row["share"] == pytest.approx(share), pair
        assert row["low"] <= row["share"] <= row["high"], pair


def test_scores_of_models_are_compared_on_common_questions_alone():
    fewer = rows(["a", "b"], score=[1.0, -0.5, 0.0, 0.5, -0.5, 0.8, 0.6, 1.0, 0.5, -0.5])
    fewer = fewer[~((fewer["submission"] == "b") & fewer["question_id"].isin(["q3", "q5"]))]
    row = table(scored=fewer).set_index(["a", "b"]).loc["a", "b"]
    assert row["questions"] == 3
    assert (row["a_score"], row["b_score"]) == pytest.approx((1 / 3, 1.9 / 3))
    assert row["difference"] == pytest.approx(-0.3)
    assert row["difference_low"] < row["difference"] < row["difference_high"]


def test_names_kinds_and_whose_model_it_is():
    found = table().set_index(["a", "b"])
    row = found.loc["a", "b"]
    said = ["a_name", "a_kind", "a_yours", "b_name", "b_kind", "b_yours"]
    assert row[said].tolist() == ["a", "live", False, "Bee", "replayed", True]
    assert found.loc[("b", "H2"), said].tolist() == ["Bee", "replayed", True, "H2", "human team", False]  # fmt: skip
    assert found["b_kind"].value_counts().to_dict() == {"human team": 4, "human teams": 2, "replayed": 1}  # fmt: skip


def test_without_teams_models_alone_meet_and_the_table_is_as_declared():
    alone = table(teams=None)
    assert alone[["a", "b"]].values.tolist() == [["a", "b"]]
    for one in (alone, table()):
        store.check(one, "common_questions")


def test_a_model_by_itself_meets_nobody(tmp_path):
    alone = common_questions(
        rows(["a"], score=1.0),
        None,
        {"a": "submitted"},
        {},
        set(),
        replicates=100,
        seed=1,
        level=0.9,
    )
    store.save(alone, "common_questions", tmp_path / "x.csv")
    read = store.read_csv(tmp_path / "x.csv", "common_questions")
    assert len(read) == 0 and opponents.against_teams(read) == []
    assert not checks.differences_of_pairs(read).failures


def test_intervals_resample_questions_as_a_whole():
    """Sixty questions, a wins 40 of b: the interval is the binomial one, and the same on every run."""
    many = [f"q{i:02d}" for i in range(60)]
    frame = pd.DataFrame(
        {"submission": ["a"] * 60 + ["b"] * 60, "question_id": many * 2, "position": 1}
    )
    right = [True] * 40 + [False] * 20
    frame["right"] = right + [not one for one in right]
    frame = frame.assign(score=frame["right"].astype(float)).astype({"position": "Int64", "right": "boolean"})  # fmt: skip
    one = table(scored=frame, teams=None).iloc[0]
    half = 1.645 * np.sqrt(2 / 3 * 1 / 3 / 60)
    assert (one["low"], one["high"]) == pytest.approx((2 / 3 - half, 2 / 3 + half), abs=0.03)
    pd.testing.assert_series_equal(one, table(scored=frame, teams=None).iloc[0])


def test_five_wins_in_five_are_not_certain():
    """Wilson's interval of 5 in 5: 5 / (5 + z²) to 1."""
    frame = pd.DataFrame(
        {"submission": ["a"] * 5 + ["b"] * 5, "question_id": [f"q{i}" for i in range(5)] * 2}
    )
    frame = frame.assign(position=1, right=[True] * 5 + [False] * 5, score=0.0)
    one = table(scored=frame.astype({"position": "Int64", "right": "boolean"}), teams=None).iloc[0]
    assert one["share"] == 1
    assert (one["low"], one["high"]) == pytest.approx((5 / (5 + 1.6448536**2), 1), abs=1e-6)


def test_a_difference_that_is_not_of_its_scores_is_found():
    found = table()
    assert not checks.differences_of_pairs(found).failures
    for change in ({"difference": 0.4}, {"a_score": 0.2}, {"difference_low": 2.0}, {"b": "a"}):
        wrong = found.copy()
        wrong.loc[0, list(change)] = list(change.values())
        assert checks.differences_of_pairs(wrong).failures == 1, change
