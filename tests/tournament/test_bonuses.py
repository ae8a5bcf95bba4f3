"""Bonuses: parts of packets and of matches, bouncebacks, conversion, answers for item response models."""

import json

import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.tournament import bonuses
from matches import buzz, match, question, tidied

PACKET = {
    "name": "Packet 1",
    "tossups": [{"question": f"A question {n}.", "answer": "x", "metadata": "Arts"} for n in (1, 2, 3)],
    "bonuses": [
        {
            "leadin": "For 10 points each:", "parts": ["[10m] Name <i>this</i>.", "Name that.", "[10h] Name it."],
            "answers": ["<b><u>one</u></b>", "two", "three"], "values": [10, 10, 10],
            "difficultyModifiers": ["m", "e", "h"], "metadata": "History",
        },
        {"leadin": "", "parts": ["[10] A.", "[10E] B.", "[10] C."], "answers": ["a", "b", "c"],
         "difficultyModifiers": ["x", "?", None], "category": "Arts"},
    ],
}  # fmt: skip


def _question(cycle, team, **bonus):
    return question(cycle, [buzz(team, 1, 10)] if team else []) | bonus


def _parts(number, *points, back=None):
    parts = [{"controlled_points": value} for value in points]
    for part, value in zip(parts, back or [], strict=False):
        part["bounceback_points"] = value
    return {"question": {"question_number": number}, "parts": parts}


def _match(*questions):
    return match(*questions, teams=("A", "B"))


def _read(*matches, packet=PACKET):
    members = {"Packet 1.json": json.dumps(packet).encode()}
    members |= {f"Round_{n}.qbj": json.dumps(m).encode() for n, m in enumerate(matches, start=1)}
    return tidied(members, merged={"Past": ["History"]})


PLAYED = _match(
    _question(1, "A", bonus=_parts(1, 10, 0, 0, back=[0, 10, 0])),
    _question(2, "B", bonus=_parts(2, 10, 10, 10, back=[0, 0, 0])),
    _question(3, None),
)


def test_parts_of_packets_have_value_difficulty_and_category():
    made, _ = _read(PLAYED)
    table = made["bonus_items"]
    assert not store.validation_errors(table, "bonus_items")
    wanted = ["bonus_id", "part", "text", "answerline", "category", "difficulty", "value"]
    assert table[wanted].astype(object).where(table[wanted].notna(), None).to_numpy().tolist() == [
        ["p01-b01", 1, "Name this.", "one", "Past", "medium", 10.0],
        ["p01-b01", 2, "Name that.", "two", "Past", "easy", 10.0],
        ["p01-b01", 3, "Name it.", "three", "Past", "hard", 10.0],
        ["p01-b02", 1, "A.", "a", "Arts", None, 10.0],
        ["p01-b02", 2, "B.", "b", "Arts", "easy", 10.0],
        ["p01-b02", 3, "C.", "c", "Arts", None, 10.0],
    ]


@pytest.mark.parametrize(
    ("bonus", "column"),
    [
        ("x", "found 'x'"),
        ({"parts": ["a"], "answers": "b"}, "column answers"),
        ({"parts": ["a"], "answers": ["b", "c"]}, r"as many as parts \(1\)"),
        ({"parts": [1], "answers": ["b"]}, "column parts"),
    ],
)
def test_a_packet_with_a_bonus_that_is_none_is_one_clear_error(bonus, column):
    with pytest.raises(DataError, match=f"Packet 1.json, row bonus 1.*{column}"):
        _read(PLAYED, packet=PACKET | {"bonuses": [bonus]})


# What a match says of a bonus → (part, team, points, bounceback) that are read.
SAID = {
    "parts": ({"bonus": _parts(1, 10, 0, 0)}, [(1, "A", 10, None), (2, "A", 0, None), (3, "A", 0, None)]),
    "bounced": ({"bonus": _parts(1, 0, 10, back=[10, 0])}, [(1, "A", 0, 10), (2, "A", 10, 0)]),
    "replaced": ({"bonus": _parts(1, 0), "replacement_bonus": _parts(2, 10)}, [(1, "A", 10, None)]),
    "sum alone": ({"bonus_points": 20, "bonus_bounceback_points": 10}, [(0, "A", 20, 10)]),
    "null": ({"bonus": None}, []),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_a_match_says_of_a_bonus(name):
    said, wanted = SAID[name]
    made, findings = _read(_match(_question(1, "A", **said)))
    assert not store.validation_errors(made["bonus_plays"], "bonus_plays", parents=made)
    rows = made["bonus_plays"][["part", "team", "points", "bounceback"]].astype(object)
    rows = rows.where(rows.notna(), None).itertuples(index=False, name=None)
    assert list(rows) == wanted
    assert not [f for f in findings if "bonus" in f.finding]


def test_a_bonus_of_nobody_is_found_and_left_out():
    made, findings = _read(_match(_question(1, None, bonus=_parts(1, 10))))
    assert not len(made["bonus_plays"])
    assert [f.finding for f in findings if "bonus" in f.finding] == ["bonus without a right buzz"]


def test_conversion_of_teams_categories_parts_and_bouncebacks():
    made, _ = _read(PLAYED, _match(_question(1, "A", bonus=_parts(1, 10, 10, 10))))
    table = bonuses.bonus_conversion(made["bonus_plays"], made["sides"])
    assert not store.validation_errors(table, "bonus_conversion")
    t = table.set_index(["team", "category", "bonus"])
    # A: 10 of 30, then 30 of 30 on p01-b01; B: 30 on p01-b02, and 10 of A's two missed parts.
    names = ["heard", "points", "points_per_bonus", "easy", "medium", "hard", "part_1"]
    assert t.loc[("all", "all", "all"), names].tolist() == [3, 70, 70 / 3, 2 / 3, 1, 0.5, 1]
    assert t.loc[("A", "all", "all"), names].tolist() == [2, 40, 20, 0.5, 1, 0.5, 1]
    assert t.loc[("all", "Past", "all"), "heard"] == t.loc[("all", "all", "p01-b01"), "heard"] == 2
    assert t.loc[("A", "Past", "all"), "points"] == 40 and ("A", "Arts", "all") not in t.index
    back = ["bounceback_heard", "bounceback_points", "bounceback_rate"]
    assert t.loc[("B", "all", "all"), back].tolist() == [2, 10, 0.5]
    assert t.loc[("A", "all", "all"), "bounceback_heard"] == 0
    # B heard no bonus of Past itself.
    assert t.loc[("B", "Past", "all"), ["heard", "points", *back]].tolist() == [0, 0, 2, 10, 0.5]
    sides = made["sides"].set_index(["game", "team"])
    assert sides.loc[("Round_1", "A"), ["tossup_points", "bonus_points", "bounceback_points", "points"]].tolist() == [10, 10, 0, 20]  # fmt: skip
    assert sides.loc[("Round_1", "B"), ["tossup_points", "bonus_points", "bounceback_points", "points"]].tolist() == [10, 30, 10, 50]  # fmt: skip
