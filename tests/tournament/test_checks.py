"""Invariants hold where a log leaves things open, and a contradiction is found."""

import inspect

import pytest
from calscore.simulate import tournament
from calscore.tournament import checks
from matches import buzz, csv, match, question, read, tidied

CHECKS = (checks.ordered_buzzes, checks.listed_buzzers, checks.bonuses_of_right_teams)


def failures(check, tables) -> int:
    return check(**{name: tables[name] for name in inspect.signature(check).parameters}).failures


@pytest.fixture(scope="module", params=[[], [2]], ids=["all rounds", "a round left out"])
def small(request):
    """Tables of a small simulated tournament, with bouncebacks and odd matches."""
    members = tournament.tournament_files(3, teams=8, rounds=4, tossups=8)
    return tidied(members, exclude=request.param)[0]


BROKEN = [
    (checks.ordered_buzzes, "plays", "order", 7),
    (checks.ordered_buzzes, "plays", "correct", False),
    (checks.listed_buzzers, "plays", "team", "Nobody"),
    (checks.listed_buzzers, "games", "tossups_read", 0),
    (checks.bonuses_of_right_teams, "bonus_plays", "team", "Nobody"),
]


@pytest.mark.parametrize(("check", "table", "column", "value"), BROKEN)
def test_a_contradiction_is_found(small, check, table, column, value):
    assert failures(check, small) == 0
    rows = small[table].astype({column: object})
    place = rows.index[rows["correct"].astype(bool)][0] if "correct" in rows else rows.index[0]
    rows.loc[place, column] = value
    assert failures(check, small | {table: rows}) > 0


def test_invariants_hold_where_little_is_told(tmp_path):
    plain = {"tossups": [{"question": "One two three four five.", "answer": "x"}] * 2}
    played = match(question(1, [buzz("Alpha", 1, 10)]), question(2, [buzz("Beta", 2, -5)]))
    for tables, _ in (
        read(played, packet=plain),
        csv(tmp_path, "T,1,g,1,A,P,2,10\nT,1,g,2,B,Q,3,-5\n"),
    ):
        assert [failures(check, tables) for check in CHECKS] == [0, 0, 0]
