"""Standings, scores, individuals and rounds, each number by hand from small matches."""

import json

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.tournament import quizbowl, report, standings
from matches import buzz, match, question, read, tidied


def _match(one, other, number, buzzes=(), read=20, sides=({}, {}), **fields):
    """A match of two teams; ``buzzes``: (team, player, points), one a tossup, the rest of ``read`` dead."""
    buzzed = [[buzz(team, 1, value, player)] for team, player, value in buzzes]
    questions = (question(n, *buzzed[n - 1 : n]) for n in range(1, read + 1))
    made = match(*questions, teams=(one, other), _round=number, **fields)
    for side, more in zip(made["match_teams"], sides, strict=True):
        side |= more
    return made


def _tables(*matches, exclude=(), **options):
    members = {f"m{n}.qbj": json.dumps(m).encode() for n, m in enumerate(matches, start=1)}
    made, findings = tidied(members, exclude=list(exclude), **options)
    for name in ("games", "sides", "box_scores"):
        assert not store.validation_errors(made[name], name, parents=made), name
    names = ("games", "sides", "box_scores", "bonus_plays", "plays")
    found = report.report_tables(*(made[name] for name in names), None)
    for name, table in found.items():
        assert not store.validation_errors(table, name), name
    return made | {"findings": findings}, found


DIFFER = "declared points differ from their parts"
# Points of a buzz → the column that counts it.
KINDS = {20: "superpowers", 16: "superpowers", 15: "powers", 11: "powers", 10: "tens", 5: "tens", -5: "negs", 0: "wrong_free"}  # fmt: skip


@pytest.mark.parametrize("value", [*KINDS, np.nan])
def test_each_buzz_is_of_one_kind(value):
    found = {name for name, mask in standings.buzz_kinds([value]).items() if mask[0]}
    assert found == ({KINDS[value]} if value in KINDS else set())


# What a match says of a side → tossup, bonus and total points, bonuses heard; its buzzes are of 15, 10 and −5.
SIDES = {
    "buzzes alone": ({}, (20, None, 20, None)),
    "declared bonus points": ({"bonus_points": 30}, (20, 30, 50, 2)),
    "overtime without bonus": ({"bonus_points": 30, "correct_tossups_without_bonuses": 1}, (20, 30, 50, 1)),
    "bouncebacks": ({"bonus_points": 30, "bonus_bounceback_points": 10}, (20, 30, 60, 2)),
    "declared score": ({"points": 400}, (20, None, 400, None)),
}  # fmt: skip


@pytest.mark.parametrize("name", SIDES)
def test_a_side_scores_what_the_match_says(name):
    said, wanted = SIDES[name]
    buzzes = [("A", "a", 15), ("A", "a", 10), ("A", "b", -5)]
    made, _ = _tables(_match("A", "B", 1, buzzes, sides=(said, {})))
    row = made["sides"].set_index("team").loc["A"]
    found = [row[c] for c in ("tossup_points", "bonus_points", "points", "bonuses")]
    assert [None if pd.isna(one) else one for one in found] == list(wanted)


def test_a_match_of_answer_counts_alone_has_its_score_and_individuals():
    counts = [{"number": 3, "answer_type": {"value": 15}}, {"number": 2, "answer_type": {"value": 10}}, {"number": 1, "answer_type": {"value": -5}}]  # fmt: skip
    player = {"player": {"name": "a"}, "tossups_heard": 18, "answer_counts": counts}
    sides = ({"match_players": [player], "bonus_points": 90}, {"bonus_points": 0})
    match = _match("A", "B", 1, sides=sides) | {"match_questions": None}
    made, found = _tables(match)
    assert made["sides"].set_index("team")["points"].to_dict() == {"A": 60 + 90, "B": 0}
    assert made["sides"].set_index("team").loc["A", "bonuses"] == 5
    one = found["individuals"].iloc[0]
    assert one[["powers", "tens", "negs", "tossups", "points"]].tolist() == [3, 2, 1, 18, 60]
    assert one["games"] == 18 / 20 and one["points_per_20"] == 20 * 60 / 18


def _won(one, other, number, points=(300, 200), **fields):
    return _match(one, other, number, sides=({"points": points[0]}, {"points": points[1]}), **fields)  # fmt: skip


def test_teams_are_in_the_order_of_wins_and_then_of_points_a_tossup():
    # A and B win two of three and share a rank; B scores more per tossup of regulation, A more per match.
    matches = [
        _won("A", "C", 1, (400, 100)), _won("B", "D", 1, (390, 100)), _won("A", "D", 2, (400, 100)),
        _won("B", "C", 2, (390, 100)), _won("C", "A", 3, (330, 320), read=22, overtime_tossups_read=0),
        _won("D", "B", 3, (330, 330)),
    ]  # fmt: skip
    _, found = _tables(*matches)
    t = found["standings"]
    assert t[["team", "wins", "losses", "ties"]].to_numpy().tolist() == [
        ["B", 2, 0, 1], ["A", 2, 1, 0], ["C", 1, 2, 0], ["D", 0, 2, 1],
    ]  # fmt: skip
    assert t["win_share"].tolist() == [2.5 / 3, 2 / 3, 1 / 3, 0.5 / 3]
    assert t["rank"].tolist() == [1, 2, 3, 4] and not t["tied"].any()
    a = t.set_index("team").loc["A"]
    assert [a["points_per_game"], a["opponent_points_per_game"]] == [1120 / 3, 530 / 3]
    assert a["margin"] == pytest.approx(590 / 3) and a["points_per_20"] == 20 * 1120 / 62
    _, found = _tables(*matches[:5], _won("D", "B", 3, (331, 330)))
    assert found["standings"][["rank", "tied", "team"]].to_numpy().tolist() == [
        [1, True, "B"], [1, True, "A"], [3, True, "D"], [3, True, "C"],
    ]  # fmt: skip


def test_overtime_counts_for_the_score_and_not_for_the_rate():
    _, found = _tables(_won("A", "B", 1, read=23, overtime_tossups_read=3))
    row = found["standings"].set_index("team").loc["A"]
    assert row["tossups"] == 23 and row["points_per_20"] == 300


def test_a_forfeited_match_and_lightning_points_are_reported_and_not_counted():
    forfeit = _won("A", "B", 2)
    forfeit["match_teams"][0]["forfeit_loss"] = True
    lightning = _match("A", "B", 1, [("A", "a", 10)], sides=({"lightning_points": 80}, {}))
    made, found = _tables(lightning, forfeit)
    assert {"match was forfeited", "lightning points"} <= {one.finding for one in made["findings"]}
    assert found["standings"][["team", "wins", "points_per_game"]].to_numpy().tolist() == [
        ["A", 1, 10], ["B", 0, 0],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sides", "parts", "said"),
    [
        (({}, {}), (10, 0), {"points are not declared": "no file declares points"}),
        (({"points": 30}, {"points": 0}), (20, 0), {}),
        (({"bonus_points": 20}, {}), (20, 0), {}),
        (({"points": 40}, {"points": 0}), (20, 0), {DIFFER: "points: A 40 declared, 30 summed"}),
        (({"bonus_points": 10}, {}), (20, 0), {DIFFER: "bonus points: A 10 declared, 20 summed"}),
    ],
)  # fmt: skip
def test_declared_points_are_held_against_the_sum_of_their_parts(sides, parts, said):
    """A's right buzz of 10 and its bonus of two parts."""
    match = _match("A", "B", 1, [("A", "a", 10)], sides=sides)
    match["match_questions"][0] |= _bonus(*parts)
    made, _ = _tables(match)
    found = {one.finding: one.detail for one in made["findings"]}
    assert {k: v for k, v in found.items() if k in (DIFFER, "points are not declared")}.keys() == said.keys()  # fmt: skip
    assert all(text in found[kind] for kind, text in said.items())


def test_phases_have_standings_by_bracket():
    """Prelims of all, then two brackets that never meet; the one that scores more is A."""
    matches = [
        _won("A", "C", 1), _won("B", "D", 1), _won("A", "D", 2), _won("C", "B", 2),
        _won("A", "C", 3, (500, 400)), _won("D", "B", 3, (150, 100)),
    ]  # fmt: skip
    _, found = _tables(*matches, phases={"Prelims": [1, 2], "Playoffs": ["3"]})
    t = found["standings"].set_index(["phase", "bracket", "team"])["rank"]
    assert t["all", "all"].to_dict() == {"A": 1, "C": 2, "B": 2, "D": 2}
    assert t["Prelims", "all"].to_dict() == {"A": 1, "C": 2, "B": 2, "D": 4}
    assert t["Playoffs", "A"].to_dict() == {"A": 1, "C": 2}
    assert t["Playoffs", "B"].to_dict() == {"D": 1, "B": 2}


def test_a_phase_without_a_match_is_found():
    members = {"m1.qbj": json.dumps(_won("A", "B", 1)).encode()}
    _, findings = tidied(members, phases={"Finals": [9]})
    assert "phase without a match" in {f.finding for f in findings}


@pytest.mark.parametrize(("names", "exclude", "points", "unknown"), [
    ([1, 2], [], 30, []), ([1, 2], [2], 10, []), ([1, 2], ["2"], 10, []), ([1, 2], ["Round 2", 12], 30, ["Round 2", "12"]),
    (["Round 1", "Round 02"], [2], 10, []), (["Round 1", "Finals"], ["finals"], 10, []), (["Round 0", "1"], [0], 20, []), (["Finals", "1"], [0], 30, ["0"]),
])  # fmt: skip
def test_rounds_that_do_not_count_for_individuals_are_left_out(names, exclude, points, unknown):
    matches = [_match("A", "B", name, [("A", "a", 10 * n)]) for n, name in enumerate(names, 1)]
    made, found = _tables(*matches, exclude=exclude)
    assert found["individuals"]["points"].tolist() == [points]
    assert found["player_categories"]["points"].tolist() == [points] * 2
    named = made["findings"]
    assert [one.place for one in named if one.finding == "round without a match"] == unknown
    parts = (made[name] for name in ("plays", "heard", "rosters"))
    of = quizbowl.quizbowl_tables(*parts, None, 0.95, made["games"])
    players, teams = of["quizbowl_players"], of["quizbowl_teams"].set_index("team")
    counting = int(made["games"]["individual"].sum())
    assert players[["player", "heard", "points", "games"]].to_numpy().tolist() == [["a", 20 * counting, points, counting]]  # fmt: skip
    assert teams.loc["A", "points"] == 30


def test_a_round_is_counted_over_its_matches():
    buzzes = [("A", "a", 15), ("B", "b", 10), ("A", "a", -5), ("B", "b", 20)]
    made, found = _tables(_match("A", "B", 7, buzzes, sides=({"bonus_points": 20}, {"bonus_points": 40})))
    row = found["round_report"].iloc[0]
    assert row[["round", "games", "tossups", "points_per_game"]].tolist() == ["7", 1, 20, 50]
    assert row[["conversion", "power_rate", "neg_rate"]].tolist() == [3 / 20, 2 / 20, 1 / 20]
    assert row["points_per_bonus"] == 60 / 3
    # A buzz that names nobody is the team's.
    match = _match("A", "B", 1, buzzes)
    del match["match_questions"][0]["buzzes"][0]["player"]
    made, found = _tables(match)
    assert standings.UNNAMED in set(made["box_scores"]["player"])
    assert found["individuals"]["player"].tolist() == ["b", "a"]
    assert made["sides"].set_index("team").loc["A", "points"] == 10


@pytest.mark.parametrize(("names", "phases"), [(["Prelims"], [None]), (["Prelims", "Finals"], ["Finals", "Prelims"])])  # fmt: skip
def test_phases_of_a_whole_tournament_are_told_where_there_are_several(names, phases):
    rounds = [{"name": f"Round {n}", "matches": [{"$ref": f"M{n}"}]} for n in range(1, 3)]
    parts = [{"name": name, "rounds": rounds[n : n + 1]} for n, name in enumerate(names)]
    games = [{"type": "Match", "id": f"M{n}"} | _won("A", "B", None) for n in range(1, len(names) + 1)]  # fmt: skip
    document = {"version": "2.1", "objects": [{"type": "Tournament", "name": "Cup", "phases": parts}, *games]}  # fmt: skip
    made, _ = tidied({"t.qbj": json.dumps(document).encode()})
    assert sorted({None if pd.isna(one) else one for one in made["games"]["phase"]}, key=str) == phases  # fmt: skip


def _bonus(*parts, back=None):
    back = back or [None] * len(parts)
    listed = [
        {"controlled_points": own} | ({} if other is None else {"bounceback_points": other})
        for own, other in zip(parts, back, strict=True)
    ]
    return {"bonus": {"question": {"question_number": 1}, "parts": listed}}


def test_a_whole_tournament_by_hand():
    """Four teams, three rounds: a superpower, bouncebacks, two ties, two teams of one record.

    Round 1, A–B: A 20 + 10 and bonuses of 10, 0, 10 and 0, 0, 0, of whose missed parts B has two; B −5 + 15, a bonus
    of 30: 50 to 60. C–D: 10 to 10. Round 2: A 5, C 0; D 10 and a bonus of 20, B a wrong answer of 0: 30 to 0.
    Round 3: A 15 and a bonus of 0, D 10 and one of 0: 15 to 10. B–C: 10 to 10.
    """

    def game(number, one, other, tossups, bonuses=(), **fields):
        made = _match(one, other, number, read=4, **fields)
        for asked, buzzes in zip(made["match_questions"], tossups, strict=False):
            asked["buzzes"] = [buzz(player[0].upper(), 1, value, player) for player, value in buzzes]
        for at, bonus in dict(bonuses).items():
            made["match_questions"][at] |= bonus
        return made

    first = game(
        1, "A", "B", [[("a1", 20)], [("b1", -5), ("a2", 10)], [("b1", 15)]],
        {0: _bonus(10, 0, 10, back=[0, 10, 0]), 1: _bonus(0, 0, 0, back=[0, 10, 0]), 2: _bonus(10, 10, 10, back=[0, 0, 0])},
    )  # fmt: skip
    games = [
        first,
        game(1, "C", "D", [[("c1", 10)], [("d1", 10)]]),
        game(2, "A", "C", [[("a2", 5)]]),
        game(2, "B", "D", [[("d1", 10)], [("b1", 0)]], {0: _bonus(10, 10, 0)}),
        game(3, "A", "D", [[("a1", 15)], [("d1", 10)]], {0: _bonus(0, 0), 1: _bonus(0, 0)}),
        game(3, "B", "C", [[("c1", 10)], [("b2", 10)]]),
    ]
    _, found = _tables(*games)
    table = found["standings"]
    names = [
        "team",
        "rank",
        "tied",
        "wins",
        "losses",
        "ties",
        "tossups",
    ]
    assert table[names].to_numpy().tolist() == [
        ["A", 1, False, 2, 1, 0, 12],
        ["B", 2, True, 1, 1, 1, 12],
        ["D", 2, True, 1, 1, 1, 12],
        ["C", 4, False, 0, 1, 2, 12],
    ]
    rates = table.set_index("team")[["points_per_game", "margin", "points_per_20", "points_per_bonus"]]
    wanted = [[70 / 3, 0, 350 / 3, 20 / 3], [70 / 3, -20 / 3, 350 / 3, 30], [50 / 3, 25 / 3, 250 / 3, 10], [20 / 3, -5 / 3, 100 / 3, np.nan]]  # fmt: skip
    np.testing.assert_allclose(rates.to_numpy(), wanted)
    bonus = found["bonus_conversion"]
    of = bonus[(bonus["category"] == "all") & (bonus["bonus"] == "all")].set_index("team")
    back = of.loc[["A", "B", "D"], ["heard", "points", "bounceback_heard", "bounceback_points"]]
    assert back.to_numpy().tolist() == [[3, 20, 0, 0], [1, 30, 4, 20], [2, 20, 0, 0]]
    assert of.loc["B", "bounceback_rate"] == 0.5
    # No roster is listed: who buzzes in a game heard it.
    people = found["individuals"].set_index("player")
    assert people["points_per_20"].round(6).to_dict() == {
        "a1": 87.5, "a2": 37.5, "b1": 25.0, "b2": 50.0, "c1": 50.0, "d1": 50.0,
    }  # fmt: skip
    assert people["superpowers"].to_dict() == {"a1": 1, "a2": 0, "b1": 0, "b2": 0, "c1": 0, "d1": 0}
    _, less = _tables(*games, exclude=[3])
    assert less["individuals"].set_index("player").loc["a1", ["tossups", "points"]].to_list() == [
        4,
        20,
    ]
    pd.testing.assert_frame_equal(less["standings"], table)


def test_a_misspelt_team_does_not_take_a_match_out_of_the_standings():
    played = match(question(1, [buzz("Alhpa", 3, 10)]), question(2, [buzz("Beta", 3, 10)]))
    alone = match(question(1, [buzz("Gamma", 3, 10)]), teams=("Gamma",), _round=2)
    result, found = read(played, alone)
    assert standings.scoreboard(result["games"], result["sides"], result["box_scores"])["team"].to_list() == ["Alpha", "Beta"]  # fmt: skip
    assert "buzz by a team that is not in the match" in found
    assert found["match not of two teams"].detail == "1 matches; the first lists 1"
