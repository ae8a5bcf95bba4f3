"""The packet that a match read."""

import json
import re

import pandas as pd
import pytest
from calscore.core.errors import DataError
from calscore.tournament import packet_matching
from matches import PACKET, buzz, match, question, read, tidied


def test_the_packet_of_a_match_is_named_or_found_by_number():
    other = {"name": "Editors 2", "tossups": PACKET["tossups"]}
    by_name = match(question(1), packets="editors-2.docx")
    by_number, by_round = (
        match(question(1), packets="Set X packet 2"),
        match(question(1), packets=None, _round=2),
    )
    result, found = read(
        by_name, by_number, by_round, match(question(1)), **{"e.json": json.dumps(other).encode()}
    )
    assert result["games"]["packet"].to_list() == ["Editors 2"] * 3 + ["Packet 01"]
    assert "packet found by number" in found


NASAT = [f"packet{n}" for n in range(1, 18)]


@pytest.mark.parametrize(
    ("written", "round_name", "known", "expected"),
    [
        ("packet7", "3", NASAT, "packet7"),
        ("2022 NASAT Round 07", None, NASAT, "packet7"),
        ("2022 NASAT Round 17", None, NASAT, "packet17"),
        ("Packet 7", None, ["2022 NASAT 07", "2022 NASAT 17"], "2022 NASAT 07"),
        ("Round 7 (editors 2)", None, NASAT, None),
        ("Round 7 (editors 2)", "7", NASAT, "packet7"),
        ("packet 7 of set 2", None, ["Set 2 packet 6", "Set 2 packet 7"], "Set 2 packet 7"),
        ("Set 2, packet 8", None, ["Set 2 packet 6", "Set 2 packet 7"], None),
        ("Set 2, packet 8", "6", ["Set 2 packet 6", "Set 2 packet 7"], None),
        ("2022", None, ["2022 packet 1"], None),
        ("Prelims", "3", NASAT, "packet3"),
        (None, "3", NASAT, "packet3"),
        (None, None, NASAT, None),
    ],
)
def test_a_packet_is_found_by_its_name_all_numbers_in_it_or_the_round(written, round_name, known, expected):
    games = pd.DataFrame({"game": ["g"], "file": ["g.qbj"], "packet": [written], "round": [round_name]})
    notes = []
    found = packet_matching.match_packets(games, known, {}, lambda *note: notes.append(note))
    assert found.to_list() == [expected]
    kinds = [kind for kind, *_ in notes]
    exact = written and written == expected
    assert kinds == ([] if exact else ["packet found by number" if expected else "packet missing"])


def season():
    """Two packets, the second's tossups longer, and a round of each; one game of round 2 names Packet 1."""
    long = "One two three four five six seven eight nine ten eleven twelve to the end."
    packs = {
        f"Packet {n}.json": {"tossups": [{"question": text, "answer": "x"} for _ in range(4)]}
        for n, text in ((1, "One two three four five."), (2, long))
    }
    games = {}
    for number, name, word in (
        (1, 1, 3), (1, 1, 4), (1, 1, 5), (2, 2, 12), (2, 2, 9), (2, 1, 11),
    ):  # fmt: skip
        asked = [question(i, [buzz("Alpha", word, 10)]) for i in (1, 2)]
        key = f"Round_{number}_room_{len(games) + 1}.qbj"
        games[key] = match(*asked, packets=f"Packet {name}")
    return {name: json.dumps(one).encode() for name, one in (packs | games).items()}


def test_a_packet_that_is_found_by_its_number_is_one_line_whatever_the_rounds():
    games = {f"Round_{n}.qbj": match(question(1), packets="Set 2") for n in (1, 2, 3)}
    members = {name: json.dumps(one).encode() for name, one in games.items()}
    packs = {name: one for name, one in season().items() if name.startswith("Packet")}
    _, findings = tidied(packs | members)
    (told,) = [one for one in findings if one.finding == "packet found by number"]
    assert told.place == "packet 'Set 2'" and told.detail.endswith("matches that name it: 3")


def test_a_match_that_names_another_rounds_packet_is_reported_and_not_moved():
    result, findings = tidied(season())
    games = result["games"].set_index("game")["packet"]
    assert games["Round_2_room_6"] == "Packet 1"
    told = [one for one in findings if one.finding == "match may have read another packet"]
    assert [one.place for one in told] == ["Round_2_room_6"]
    assert told[0].detail == (
        "names 'Packet 1' (2 of 2 buzzes past the end, by up to 6 words; 0 of 2 tossups not in it); "
        "2 of 2 other games of round 2 read 'Packet 2' (0 past the end; 0 not in it); "
        'line for options.packets: "Round_2_room_6.qbj": "Packet 2"'
    )


@pytest.mark.parametrize("key", ["Round_2_room_6.qbj", "Round_2_room_6"])
def test_the_configuration_says_which_packet_a_match_read(key):
    result, findings = tidied(season(), packets={key: "packet 02"})
    games = result["games"].set_index("game")["packet"]
    assert games.to_list() == ["Packet 1"] * 3 + ["Packet 2"] * 3
    kinds = [one.finding for one in findings]
    assert "match may have read another packet" not in kinds and "buzz past the end" not in kinds
    told = next(one for one in findings if one.finding == "packet as the configuration says")
    assert (told.place, told.detail) == (key, "1 match, which names 'Packet 1', is of 'Packet 2'")


def test_a_packet_as_written_or_a_round_can_be_mapped_too():
    for key in ("Packet 1", "round 1"):
        games = tidied(season(), packets={key: "Packet 2"})[0]["games"].set_index("game")
        moved = games.index[games["packet"] == "Packet 2"].to_list()
        here = [f"Round_1_room_{n}" for n in (1, 2, 3)]
        assert moved == [*here, "Round_2_room_4", "Round_2_room_5"] + (
            ["Round_2_room_6"] if key == "Packet 1" else []
        )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"Round_9": "Packet 1"}, "a match's file, a packet that matches name, or a round"),
        ({"Packet 1": "Packet 3"}, "one of Packet 1, Packet 2"),
    ],
)
def test_a_map_that_names_nothing_is_one_clear_error(given, expected):
    with pytest.raises(DataError, match=re.escape(expected)) as error:
        tidied(season(), packets=given)
    assert "options/packets" in str(error.value)


def _swapped(first: dict, second: dict, words=(3, 12)):
    """Findings of two rounds of three matches, whose buzzes fall at ``words``; the fields are those of their matches."""
    packs = {name: one for name, one in season().items() if name.startswith("Packet")}
    for number, (fields, word) in enumerate(zip((first, second), words, strict=True), start=1):
        for room in range(3):
            asked = [question(i, [buzz("Alpha", word - room, 10)]) for i in (1, 2)]
            packs[f"Round_{number}_{room}.qbj"] = json.dumps(match(*asked, **fields)).encode()
    _, findings = tidied(packs)
    kinds = ("round may have read another packet", "rounds may be swapped")
    return [(one.finding, one.place, one.detail) for one in findings if one.finding in kinds]


def test_a_round_whose_buzzes_fit_another_packet_is_reported():
    """Of the round that reads the long packet nothing can be seen: its buzzes fit both."""
    told = _swapped({"packets": None}, {"packets": None}, words=(12, 3))
    assert told == [
        ("round may have read another packet", "round 1",
         "3 matches read 'Packet 1' (6 of 6 buzzes past the end); 'Packet 2' fits better (0 past the end)"
         '; line for options.packets: "round 1": "Packet 2"')
    ]  # fmt: skip
    assert not _swapped({"packets": None}, {"packets": None})


def test_rounds_that_read_the_packets_of_each_others_number_are_reported():
    told = _swapped({"packets": "Packet 2"}, {"packets": "Packet 1"}, words=(12, 3))
    assert told == [
        ("rounds may be swapped", "round 1 and round 2",
         "they read 'Packet 2' and 'Packet 1', whose numbers are the other way round")
    ]  # fmt: skip
    assert not _swapped({"packets": "Packet 2"}, {"packets": "Packet 2"})


def test_without_packets_the_names_in_a_round_are_not_compared():
    """The lengths of tossups, by which they would be, are not known."""
    one = match(question(1), packets="A", _round=1)
    result, found = read(one, one | {"packets": "B"}, packet=None)
    assert result["games"]["packet"].to_list() == ["A", "B"]
    assert set(found) == {"no packet", "points are not declared"}
