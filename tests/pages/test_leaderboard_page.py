"""What the leaderboard's page makes of its tables."""

import pandas as pd
import pytest
from calscore.leaderboard.board import named
from calscore.pages.leaderboard import _pairs

COMMON = pd.DataFrame(
    [
        ("m", "Mine", "replayed", True, "g", "GPT", "live", False, 10, 8, 0.25, 0.1, 0.4),
        ("g", "GPT", "live", False, "H1", "H1", "human team", False, 5, 4, 0.75, 0.6, 0.9),
        ("g", "GPT", "live", False, "H2", "H2", "human team", False, 5, 4, 0.5, 0.3, 0.7),
        ("g", "GPT", "live", False, "all human teams", "all human teams", "human teams", False, 9, 8, 0.6, 0.4, 0.8),
        ("m", "Mine", "replayed", True, "H1", "H1", "human team", False, 3, 3, 0.1, 0.0, 0.3),
    ],
    columns=["a", "a_name", "a_kind", "a_yours", "b", "b_name", "b_kind", "b_yours", "questions", "decided", "share", "low", "high"],
)  # fmt: skip
COUNTS = pd.DataFrame(
    [("g", "H1", 3, 1, 0)],
    columns=["a", "b", "a_wins", "b_wins", "ties"],
)


def test_a_pair_is_told_from_both_sides_and_the_users_own_model_comes_first():
    mine, theirs = _pairs(COMMON, COUNTS)
    assert (mine["name"], mine["yours"], theirs["name"]) == ("Mine", True, "GPT")
    assert [row["name"] for row in theirs["rows"]] == ["all human teams", "Mine", "H1", "H2"]
    across = theirs["rows"][1]
    assert (across["share"], across["low"], across["high"]) == pytest.approx((0.75, 0.6, 0.9))
    assert [row["counted"] for row in theirs["rows"]] == ["", "", "3–1–0", ""]
    assert (theirs["below"], theirs["above"], theirs["teams"]) == (1, 0, 2)
    assert (mine["below"], mine["above"], mine["teams"]) == (0, 1, 1)


def test_tables_bear_the_names_that_pages_show():
    board = pd.DataFrame({"submission": ["M1", "x"], "value": [1.0, 2.0]})
    assert named(board, {"M1": "GPT-4"})["name"].tolist() == ["GPT-4", "x"]
    pairs = named(
        pd.DataFrame({"a": ["M1"], "b": ["H1"], "b_kind": [""]}), {"M1": "GPT-4"}, "a", "b"
    )
    assert list(pairs) == ["a", "a_name", "b", "b_name", "b_kind"]
    empty = pd.DataFrame(columns=["submission", "name", "value"])
    assert list(named(empty, {})) == ["submission", "name", "value"]
