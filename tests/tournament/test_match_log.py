"""What was played, of which question, and what is odd in it."""

import copy
import json

from calscore.core import store
from calscore.tournament import quizbowl
from matches import PACKET, WORDS, buzz, match, question, read


def test_positions_move_back_by_the_note_and_end_is_the_number_of_words():
    packet = copy.deepcopy(PACKET)
    packet["tossups"][0]["question"] = (
        "<i>Note to moderator: two words</i> " + packet["tossups"][0]["question"]
    )
    played = match(
        question(1, [buzz("Alpha", 5, -5), buzz("Beta", 5 + WORDS, 10)]), question(2, [buzz("Alpha", 0, 15)]),
        question(3, [buzz("Beta", WORDS + 1, 10)]), question(4, [buzz("Beta", WORDS - 1, 10)]),
    )  # fmt: skip
    result, found = read(played, packet=packet)
    at = dict(
        zip(
            zip(result["buzzes"]["question_id"], result["buzzes"]["team"], strict=True),
            result["buzzes"]["word_index"],
            strict=True,
        )
    )
    assert set(result["questions"]["n_words"]) == {WORDS}
    assert at == {
        ("p01-q01", "Alpha"): 0, ("p01-q01", "Beta"): WORDS, ("p01-q02", "Alpha"): 0,
        ("p01-q03", "Beta"): WORDS + 1, ("p01-q04", "Beta"): WORDS - 1,
    }  # fmt: skip
    assert {"buzz at the END mark", "buzz past the end", "moderator note before the text"} <= set(found)
    x = quizbowl.measure_buzzes(result["plays"], result["questions"]).set_index(["question_id", "team"])["x"]
    assert x["p01-q02", "Alpha"] == 1 / WORDS
    assert x["p01-q04", "Beta"] == x["p01-q01", "Beta"] == x["p01-q03", "Beta"] == 1


def test_the_replacement_is_what_was_played():
    result, found = read(
        match(question(1, [buzz("Alpha", 3, 10)], tossup=2, replacement=2), question(2, tossup=3))
    )
    assert set(result["buzzes"]["question_id"]) == {"p01-q02"}
    assert set(result["exposures"]["question_id"]) == {"p01-q02", "p01-q03"}
    assert {"tossup replaced", "cycle is not the tossup number"} <= set(found)
    assert "in place of 1" in found["tossup replaced"].detail


def test_two_cycles_with_one_number_belong_to_no_question():
    result, found = read(
        match(
            question(1, [buzz("Alpha", 3, 10)], replacement=2),
            question(2, [buzz("Beta", 3, 10)]),
            question(3),
        )
    )
    assert "two tossups with one number" in found
    assert result["buzzes"].empty
    assert set(result["exposures"]["question_id"]) == {"p01-q03"}
    by = quizbowl.quizbowl_tables(
        result["plays"], result["heard"], result["rosters"], result["questions"], 0.95
    )["quizbowl_teams"]
    assert by.set_index("team")["points"].to_dict() == {"Alpha": 10, "Beta": 10}
    assert set(by["heard"]) == {3}


def test_other_hazards_are_found_and_none_stops():
    odd = match(
        question(1, [buzz("Alpha", 3, 0), buzz("Gamma", 4, 10)]), question(2, [buzz("Beta", 3, 7)]), question(9),
        question(10), packets="Finals", tossups_read=3,
    )  # fmt: skip
    good = match(question(1, [buzz("Alpha", 3, 10)]), _round=2)
    alike = match(question(1, [buzz("al-pha", 3, 10)]), teams=("al-pha", "Beta"), _round=3)
    bare = match(question(1, [{"team": {"name": "Beta"}, "result": {"value": 10}}]), _round=4)
    del bare["packets"]
    shots = {"notes.json": b"{}", "m9.qbj": json.dumps(good).encode()}
    result, found = read(odd, good, alike, bare, match(_round=1, tossups_read=20), **shots)
    assert set(found) >= {
        "packet missing", "buzz by a team that is not in the match", "wrong without penalty", "unusual points",
        "question beyond tossups_read", "one team under two spellings?", "file is no match and no packet",
        "buzz without a position", "tossups_read shorter than the packet", "game recorded twice",
        "match without questions",
    }  # fmt: skip
    assert {"Alpha", "al-pha"} <= set(result["exposures"]["team"])
    assert result["plays"].loc[result["plays"]["value"] == 0, "correct"].eq(False).all()
    for name, table in result.items():
        assert not store.validation_errors(table, name, parents=result), name


def test_teams_that_meet_or_differ_by_letter_are_not_suggested():
    one = match(question(1), teams=("Chicago A", "Chicago B"), _round=1)
    two = match(question(1), teams=("Chicago A", "ChicagoA"), _round=2)
    assert "one team under two spellings?" not in read(one, two)[1]
    apart = match(question(1), teams=("Chicago B", "Team 11"), _round=3)
    assert (
        "one team under two spellings?"
        not in read(match(question(1), teams=("Chicago A", "Team 12")), apart)[1]
    )
    assert (
        "one team under two spellings?"
        in read(
            match(question(1), teams=("Chicago A", "X")),
            match(question(1), teams=("ChicagoA", "Y"), _round=3),
        )[1]
    )


def test_a_team_is_right_on_a_question_once_and_hears_it_in_one_match():
    """Else a team has more right answers than it heard questions; points of every match count."""
    first = match(
        question(1, [buzz("Alpha", 3, -5), buzz("Alpha", 5, 10), buzz("Alpha", 7, 10)]),
        question(2, [buzz("Beta", 3, 10)]),
    )
    again = match(
        question(1, [buzz("Alpha", 2, 10), buzz("Gamma", 4, 10)]), teams=("Alpha", "Gamma"), _round=2
    )  # fmt: skip
    result, found = read(first, again)
    kept = sorted(zip(result["buzzes"]["question_id"], result["buzzes"]["team"], result["buzzes"]["word_index"], strict=True))  # fmt: skip
    assert kept == [
        ("p01-q01", "Alpha", 3), ("p01-q01", "Alpha", 5), ("p01-q01", "Gamma", 4), ("p01-q02", "Beta", 3),
    ]  # fmt: skip
    assert found["team had been done with a tossup"].detail.startswith("2 buzzes")
    lost = found["buzz left out of comparisons"]
    assert lost.place == "2 of 6 buzzes"
    assert lost.detail == "2 after another buzz of the team"
    assert len(result["plays"]) == 6
    games = result["games"]
    assert games["tossups_read"].to_list() == [2, 1] and games["round"].to_list()[1:] == ["2"]


def test_two_right_answers_on_one_tossup_are_found():
    _, found = read(match(question(1, [buzz("Alpha", 3, 10), buzz("Beta", 5, 10)]), question(2, [buzz("Beta", 3, 10)])))  # fmt: skip
    assert found["tossup answered right twice"].detail.startswith("1 right answers")
