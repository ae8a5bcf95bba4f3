"""What of a tossup is spoken, and packets and matches in folders as their owners keep them."""

import json

import pytest
from calscore.core.errors import DataError
from calscore.tournament import match_log, packets, qbj
from matches import PACKET, buzz, match, question


@pytest.mark.parametrize(
    ("raw", "text", "power", "note"),
    [
        ("One <b>two</b> (*) three.", "One two three.", 2, 0),
        ("One two(*) three.", "One two three.", 2, 0),
        ('Pierre (“pee-AIR”) ("x") goes.', "Pierre goes.", None, 0),
        ("A (1914) year &amp; more", "A (1914) year & more", None, 0),
        ("<i>Note to moderator: read slowly.</i> One two.", "One two.", None, 5),
        ("[Moderator note: two words] One two.", "One two.", None, 4),
        ("Note to players: two answers required.<br>One two.", "One two.", None, 6),
        ("x < y and  two spaces ", "x < y and  two spaces ", None, 0),
    ],
)
def test_only_spoken_words_count(raw, text, power, note):
    one = packets.spoken_tossup(raw)
    assert (one.text, one.power_word, one.note_words) == (text, power, note)


def test_a_note_without_an_end_stays_and_is_found():
    packet = {"tossups": [{"question": "Note to players: all one line.", "answer": "x"}]}
    rows, findings = packets.parse_packet(packet, "p.json", "p")
    assert rows[0]["text"].startswith("Note")
    assert "moderator note without an end" in {f.finding for f in findings}


@pytest.mark.parametrize(
    ("folder", "tournament", "round_name", "phase"),
    [
        ("", "Cup", "4", None),
        ("matches", "Cup", "4", None),
        ("North site", "North site", "4", None),
        ("Round 2", "Cup", "2", None),
        ("Rd. 02", "Cup", "2", None),
        ("2", "Cup", "2", None),
        ("North site/Round 2", "North site", "2", None),
        ("Prelims", "Cup", "4", "Prelims"),
        ("Playoffs/Round 2", "Cup", "2", "Playoffs"),
        ("North site/Finals", "North site", "4", "Finals"),
    ],
)
def test_folders_are_sites_rounds_or_phases_by_their_names(folder, tournament, round_name, phase):
    one = match(question(1, [buzz("Alpha", 3, 10)]), packets="Packet 1")
    path = f"{folder}/Round_4_Alpha_Beta.qbj" if folder else "Round_4_Alpha_Beta.qbj"
    members = {path: json.dumps(one).encode(), "packets/Packet 1.json": json.dumps(PACKET).encode()}
    found = qbj.read_qbj_files(members, "Cup").games[0]
    assert [found[key] for key in ("tournament", "round", "phase")] == [
        tournament,
        round_name,
        phase,
    ]


def test_the_same_packet_in_two_folders_is_one_and_two_of_one_name_are_refused():
    one = json.dumps(match(question(1, [buzz("Alpha", 3, 10)]), packets="Packet 1")).encode()
    members = {"North/Round_1.qbj": one, "North/Packet 1.json": json.dumps(PACKET).encode()}
    again = qbj.read_qbj_files(members | {"South/Packet 1.json": json.dumps(PACKET).encode()}, "Cup")
    assert len(again.tossups) == len(PACKET["tossups"])
    assert again.findings[-1][1:4:2] == ("packet in several files", "Packet 1")
    assert len(match_log.tidy_tables(again, {}, {})["buzzes"]) == 1
    other = {"tossups": [*PACKET["tossups"][:-1], {"question": "Other words.", "answer": "x"}]}
    members |= {"South/Packet 1.json": json.dumps(other).encode()}
    with pytest.raises(DataError, match="South/Packet 1.json, column name: found 'Packet 1', expected"):
        qbj.read_qbj_files(members, "Cup")
