"""Models and humans on their common questions, in one table of pairs."""

import pandas as pd
import pytest
from calscore.core import store
from calscore.leaderboard import pairs
from calscore.leaderboard.pairs import CROWD
from calscore.pages import opponents
from calscore.stats.bootstrap import Bootstrap
from scipy.stats import beta, binomtest

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


def rows(names, **more):
    found = [
        {"submission": name, "question_id": q, "position": at, "right": right}
        for name in names
        for q, (at, right) in PLAYED[name].items()
    ]
    table = pd.DataFrame(found).astype({"position": "Int64", "right": "boolean"})
    return table.assign(**more)


def table(scored=None, teams=(), compared=(), kind="live"):
    scored = rows(["a", "b"]) if scored is None else scored
    teams = rows(["H2", "H10"]) if teams is not None and len(teams) == 0 else teams
    kinds, names = {"a": kind, "b": "replayed"}, {"b": "Bee"}
    met = pairs.meeting_rows(scored, teams, Bootstrap(400, 1, 0.9))
    return pairs.pairs_table([*met, *compared], kinds, names, {"b"})


def test_shares_are_those_counted_by_hand():
    found = table().set_index(["a", "b"])
    assert list(found.index) == list(SHARES)
    for pair, (questions, decided, share) in SHARES.items():
        row = found.loc[pair]
        assert (row["questions"], row["decided"]) == (questions, decided), pair
        assert (row["a_value"], row["b_value"]) == pytest.approx((share, 1 - share)), pair
        assert row["difference"] == pytest.approx(2 * share - 1), pair
        assert row["low"] <= row["difference"] <= row["high"], pair


SCORE = {
    "a": "a", "b": "b", "metric": "expected_score", "reading": "manual", "questions": 3, "a_value": 0.2,
    "b_value": 0.5, "difference": -0.3, "low": -0.6, "high": 0.1, "resampled": "questions and teams",
}  # fmt: skip


def test_a_meeting_and_a_difference_of_scores_are_rows_of_one_table():
    found = table(compared=[SCORE])
    store.check(found, "leaderboard_pairs")
    row = found[found["metric"] == "expected_score"].iloc[0]
    assert (row["a_kind"], row["b_kind"], row["b_name"], row["b_yours"]) == ("live", "replayed", "Bee", True)  # fmt: skip
    assert row[["decided", "a_wins", "b_wins", "ties", "p_better"]].isna().all()
    met = opponents.meetings(found)
    assert len(met) == len(SHARES)
    row = met.set_index(["a", "b"]).loc["a", "b"]
    assert row["share"] == 1.5 / 4
    assert 0 < row["low"] < row["share"] < row["high"] < 1


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
        store.check(one, "leaderboard_pairs")


def test_a_model_by_itself_meets_nobody(tmp_path):
    alone = table(rows(["a"]), None)
    store.save(alone, "leaderboard_pairs", tmp_path / "x.csv")
    read = store.read_csv(tmp_path / "x.csv", "leaderboard_pairs")
    assert len(read) == 0 and opponents.against_teams(opponents.meetings(read)) == []


def test_an_interval_is_wilsons_of_the_decided_questions():
    """Forty of sixty, and five of five, where replicates would all agree: 5 / (5 + z²) to 1."""
    for won, total in ((40, 60), (5, 5)):
        right = [n < won for n in range(total)]
        frame = pd.DataFrame({"submission": ["a"] * total + ["b"] * total, "position": 1})
        frame = frame.assign(question_id=[*range(total)] * 2, right=right + [not one for one in right])  # fmt: skip
        frame = frame.astype({"position": "Int64", "right": "boolean", "question_id": str})
        row = opponents.meetings(table(frame, None)).iloc[0]
        ends = binomtest(won, total).proportion_ci(0.9, "wilson")
        assert row["share"] == won / total
        assert (row["low"], row["high"]) == pytest.approx((ends.low, ends.high))
        assert row["p_better"] == pytest.approx(beta.sf(0.5, won + 0.5, total - won + 0.5))


def test_against_all_teams_questions_and_teams_are_resampled():
    row = table().set_index(["a", "b"]).loc["b", CROWD]
    assert 0 < row["p_better"] < 1
    again = table().set_index(["a", "b"]).loc["b", CROWD]
    assert row["resampled"] == "questions and teams" and row["low"] < row["difference"] < row["high"]  # fmt: skip
    pd.testing.assert_series_equal(row, again)
