"""Replayed matches: who is heard first, what it costs, and the real release."""

import numpy as np
import pandas as pd
import pytest
from calscore.buzz_policy import matches, plot
from calscore.stats.bootstrap import Bootstrap
from hypothesis import given, settings
from hypothesis import strategies as st

POINTS = {"right": 10, "wrong": -5}
NO = None


def play(model, team, last=99, ties="human"):
    """Points of (model, team) on one question; a buzz is (word, right) or None."""
    (mw, mr), (tw, tr) = (one if one else (np.nan, False) for one in (model, team))
    table = pd.DataFrame(
        {"word": [float(mw)], "right": [mr], "team_word": [float(tw)], "team_right": [tr], "last": [float(last)]}
    )  # fmt: skip
    row = matches.replay(table, POINTS).set_index("ties").loc[ties]
    return row["model_points"], row["team_points"]


@pytest.mark.parametrize(
    ("model", "team", "points"),
    [
        ((3, True), (9, True), (10, 0)),
        ((9, True), (3, True), (0, 10)),
        ((3, False), (9, True), (-5, 10)),
        ((3, False), (9, False), (-5, 0)),
        ((9, True), (3, False), (10, -5)),
        ((9, False), (3, False), (0, -5)),
        ((3, False), NO, (-5, 0)),
        (NO, (3, True), (0, 10)),
        (NO, NO, (0, 0)),
        ((99, False), NO, (0, 0)),
        (NO, (99, False), (0, 0)),
        ((99, False), (99, True), (0, 10)),
    ],
)
def test_one_question(model, team, points):
    assert play(model, team) == points


def test_ties_are_played_both_ways():
    assert play((5, True), (5, True), ties="human") == (0, 10)
    assert play((5, True), (5, True), ties="model") == (10, 0)
    assert play((5, False), (5, True), ties="human") == (0, 10)
    assert play((5, False), (5, True), ties="model") == (-5, 10)
    assert play((5, True), (5, False), ties="human") == (10, -5)


buzz = st.one_of(st.none(), st.tuples(st.integers(0, 6), st.booleans()))


def told(model, team, last, human_first):
    """One question told as a story, one word at a time."""
    points, open_to = {"model": 0, "team": 0}, ["model", "team"]
    wrong_before = False
    for word in range(last + 1):
        for side in ("team", "model") if human_first else ("model", "team"):
            one = {"model": model, "team": team}[side]
            if side not in open_to or not one or one[0] != word:
                continue
            if one[1]:
                points[side] += 10
                return points["model"], points["team"]
            if not wrong_before and word < last:
                points[side] -= 5
            wrong_before = True
            open_to.remove(side)
    return points["model"], points["team"]


@settings(max_examples=150, deadline=None)
@given(buzz, buzz, st.sampled_from(matches.TIES))
def test_points_are_those_of_the_story(model, team, ties):
    assert play(model, team, last=6, ties=ties) == told(model, team, 6, ties == "human")


def tables():
    questions = pd.DataFrame({"question_id": ["a", "b"], "n_words": [10, 10]})
    buzzes = pd.DataFrame(
        [
            ("a", "H1", "human", 4, True),
            ("a", "H1", "human", 8, False),
            ("b", "H1", "human", 4, False),
            ("a", "M1", "model", 2, False),
        ],
        columns=["question_id", "team", "kind", "word_index", "correct"],
    )
    exposures = pd.DataFrame(
        [("a", "H1", "human"), ("b", "H1", "human"), ("a", "H2", "human"), ("a", "M1", "model"), ("b", "M1", "model")],
        columns=["question_id", "team", "kind"],
    )  # fmt: skip
    return questions, buzzes, exposures


@pytest.mark.filterwarnings("error")
def test_live_and_replayed_side_by_side():
    questions, buzzes, exposures = tables()
    points = pd.DataFrame(
        {
            "set": ["study", "study", "past", "study"],
            "model": "M1",
            "elicitation": "logit",
            "rule": ["tuned", "tuned", "tuned", "given -0.05 (sum)"],
            "opponents": ["protobowl", "protobowl", "protobowl", "any"],
            "question_id": ["a", "b", "a", "a"],
            "position": pd.array([3, None, 1, 1], "Int64"),
            "correct": pd.array([True, None, True, True], "boolean"),
        }
    )
    rules = matches.playable_rules(points, "protobowl")
    assert rules == [("tuned", "protobowl")]
    both = pd.concat([matches.live_points(buzzes, exposures), matches.replayed_points(points, rules)])
    # A position of 3 words is the word with index 2: the very word of the live buzz.
    assert both.loc[both["question_id"] == "a", "word"].tolist() == [2.0, 2.0]
    played = matches.replay(matches.team_model_rows(both, buzzes, exposures, questions), POINTS)
    for names in ({}, {"M1": "Mine"}):
        table = matches.match_results(played, names, Bootstrap(200, 1, 0.95))
        assert set(table["name"]) == {names.get("M1", "M1")}
    human = table[table["ties"] == "human"].set_index(["rule", "team"])
    assert human.loc[("live", "H1"), "model_points"] == -5
    assert human.loc[("live", "H1"), "team_points"] == 10 - 5
    assert human.loc[("live", "H1"), "result"] == "loss"
    assert human.loc[("tuned", "H1"), "model_points"] == 10
    assert human.loc[("tuned", "H1"), "team_points"] == -5
    assert human.loc[("tuned", "H1"), "margin"] == 20 * 15 / 2
    assert human.loc[("tuned", "H2"), "silent"] == 1
    wide = matches.win_matrix(table).set_index(["ties", "rule"])
    assert wide.loc[("human", "tuned"), "wins"] == 2
    assert wide.loc[("human", "live"), "H2"] == "loss"
    assert wide.loc[("human", "live"), "losses"] == 2


MARGINS = pd.DataFrame(
    [("H1", 40.0, 5.0, 80.0, "win"), ("H2", 30.0, -1.0, 60.0, "win"), ("H3", -9.0, -20.0, -1.0, "loss"), ("H4", 0.0, -5.0, 5.0, "draw")],
    columns=["team", "margin", "low", "high", "result"],
).assign(ties="human", rule="live", model="M1", elicitation="", name="M1")  # fmt: skip


def test_wins_are_sure_where_the_interval_says_so():
    one = matches.win_matrix(MARGINS).iloc[0]
    assert one[["wins", "wins_low", "wins_high"]].tolist() == [2, 1, 3]
    assert one[["losses", "losses_low", "losses_high", "draws"]].tolist() == [1, 1, 3, 1]


def test_letters_of_the_matches_are_in_brackets_where_the_interval_holds_0():
    figure = plot.margins(MARGINS, {})["matches"]
    order = [one.get_text() for one in figure.axes[0].get_xticklabels()]
    letters = dict(zip(order, (one.get_text() for one in figure.axes[0].texts), strict=True))
    assert letters == {"H1": "W", "H2": "(W)", "H3": "L", "H4": "(D)"}
