"""QBJ, packets and buzz CSV: what is read, what is found odd, what comes back, what is counted."""

import copy
import json
import random
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.raw import archive, release, safe_pickle
from calscore.simulate import tournament
from calscore.tournament import buzz_csv, checks, export, log, lookup, names, packets, qbj, stats
from hypothesis import given, settings
from hypothesis import strategies as st

PACKET = {
    "tossups": [
        {"question": f"<b>Words</b> of tossup {n} (*) go (“goh”) on to the end.", "answer": f"<u>A{n}</u>", "metadata": "Arts"}
        for n in range(1, 6)
    ]
}  # fmt: skip
WORDS = 9


def buzz(team, word, value, player="P"):
    return {
        "team": {"name": team}, "player": {"name": player},
        "buzz_position": {"word_index": word}, "result": {"value": value},
    }  # fmt: skip


def question(cycle, buzzes=(), tossup=None, replacement=None):
    one = {"question_number": cycle, "tossup_question": {"question_number": tossup or cycle}}
    if replacement:
        one["replacement_tossup_question"] = {"question_number": replacement}
    return one | {"buzzes": list(buzzes)}


def match(*questions, teams=("Alpha", "Beta"), **fields):
    sides = [{"team": {"name": name}, "match_players": []} for name in teams]
    read = len(questions)
    return {
        "tossups_read": read,
        "match_teams": sides,
        "match_questions": list(questions),
        "packets": "Packet 1",
    } | fields


def read(*matches, packet=PACKET, **files):
    members = {"Packet 01.json": json.dumps(packet).encode()} if packet else {}
    members |= {f"m{i}.qbj": json.dumps(one).encode() for i, one in enumerate(matches)}
    found = qbj.read_members(members | files, "Cup")
    return log.resolve(found, {}, {}), {f.finding: f for f in found.findings}


# --- packets -----------------------------------------------------------------------------------


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
    one = packets.spoken(raw)
    assert (one.text, one.power_word, one.note_words) == (text, power, note)


def test_a_note_without_an_end_stays_and_is_found():
    packet = {"tossups": [{"question": "Note to players: all one line.", "answer": "x"}]}
    rows, findings = packets.parse(packet, "p.json", "p")
    assert rows[0]["text"].startswith("Note")
    assert "moderator note without an end" in {f.finding for f in findings}


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
    assert {"buzz at the END mark", "buzz past the end", "moderator note before the text"} <= set(
        found
    )
    x = stats.enrich(result["plays"], result["questions"]).set_index(["question_id", "team"])["x"]
    assert x["p01-q02", "Alpha"] == 1 / WORDS
    assert x["p01-q04", "Beta"] == x["p01-q01", "Beta"] == x["p01-q03", "Beta"] == 1


# --- containers and hazards --------------------------------------------------------------------


def test_a_whole_tournament_with_references_and_dangling_ones():
    one = match(question(1, [buzz("Alpha", 3, 10)]))
    one["match_teams"] = [{"team": {"$ref": "T1"}}, {"team": {"$ref": "Lost"}}]
    one["match_questions"][0]["buzzes"][0]["team"] = {"$ref": "T1"}
    document = {
        "version": "2.1",
        "objects": [
            {"type": "Tournament", "name": "Cup", "phases": [{"rounds": [{"name": "Round 1", "matches": [{"$ref": "M1"}, {"$ref": "M9"}]}]}]},
            {"type": "Team", "id": "T1", "name": "Alpha"}, {"type": "Match", "id": "M1", **one},
        ],
    }  # fmt: skip
    result, found = read(**{"t.json": json.dumps(document).encode()})
    assert set(result["exposures"]["team"]) == {"Alpha", "Lost"}
    assert result["games"][["game", "round", "packet"]].to_numpy().tolist() == [
        ["M1", "1" and "Round 1", "Packet 01"]
    ]
    assert "reference that leads nowhere" in found
    document["objects"][1]["name"] = {"$ref": "T1"}
    with pytest.raises(DataError, match="no circle"):
        read(**{"t.json": json.dumps(document).encode()})


@pytest.mark.parametrize("spelling", ["answer", "answer_type"])
def test_both_spellings_of_answer_counts(spelling):
    one = match(question(1, [buzz("Alpha", 3, 10)]))
    counts = [{"number": 1, spelling: {"value": 10}}]
    one["match_teams"][0]["match_players"] = [
        {"player": {"name": "P"}, "tossups_heard": 1, "answer_counts": counts}
    ]
    assert "answer counts differ from the buzzes" not in read(one)[1]
    counts[0][spelling]["value"] = 15
    assert "answer counts differ from the buzzes" in read(one)[1]


@pytest.mark.parametrize(
    ("listed", "lineups", "heard", "said"),
    [
        ([("P", 4)], None, 4, None),
        ([("P", 4)], [(1, "P"), (3, "Q")], 4, None),
        ([("P", 0), ("P", 4), ("P", 4)], [(1, "PQ"), (2, "Q"), (4, "PQ")], 2, "0, 4, 4 tossups; 2 by"),
        ([("P", 0), ("P", 4)], [(1, "Q"), (3, "PQ")], 2, "0, 4 tossups; 2 by the line-ups"),
        ([("P", 0), ("P", 3)], None, 3, "0, 3 tossups; the largest"),
        ([("P", 0), ("P", 3)], [], 3, "0, 3 tossups; the largest"),
        ([("P", 0), ("P", 3)], [(1, "Q")], 3, "0, 3 tossups; the largest"),
        ([("P", None), ("P", 3)], None, 3, "no number, 3 tossups; the largest"),
        ([("P", 4), ("P", 4)], None, 4, "4, 4 tossups; the largest"),
    ],
)  # fmt: skip
def test_a_player_who_comes_back_heard_what_the_line_ups_say(listed, lineups, heard, said):
    one = match(*(question(n) for n in range(1, 5)))
    side = one["match_teams"][0]
    side["match_players"] = [
        {"player": {"name": name}} | ({} if n is None else {"tossups_heard": n})
        for name, n in [*listed, ("Q", 4)]
    ]
    if lineups is not None:
        side["lineups"] = [
            {"first_question": first, "players": [{"name": name} for name in players]}
            for first, players in lineups
        ]
    result, found = read(one)
    rosters = result["rosters"].set_index("player")["tossups_heard"]
    assert rosters.to_dict() == {"P": heard, "Q": 4}
    told = found.get("player listed more than once")
    assert (told is None) if said is None else (said in told.detail)
    if lineups is not None:
        side["lineups"].append({"first_question": "three", "players": []})
        with pytest.raises(DataError, match=r"lineups/\d+/first_question"):
            read(one)


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
    by = stats.tables(
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
        assert not store.faults(table, name, parents=result), name


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
            match(question(1), teams=("Chicagoo A", "Y"), _round=3),
        )[1]
    )


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
def test_a_packet_is_found_by_its_name_all_numbers_in_it_or_the_round(
    written, round_name, known, expected
):
    games = pd.DataFrame(
        {"game": ["g"], "file": ["g.qbj"], "packet": [written], "round": [round_name]}
    )
    notes = []
    found = lookup.named(games, known, {}, lambda *note: notes.append(note))
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


def test_a_match_that_names_another_rounds_packet_is_reported_and_not_moved():
    found = qbj.read_members(season(), "Cup")
    result = log.resolve(found, {}, {})
    games = result["games"].set_index("game")["packet"]
    assert games["Round_2_room_6"] == "Packet 1"
    told = [one for one in found.findings if one.finding == "match may have read another packet"]
    assert [one.place for one in told] == ["Round_2_room_6"]
    assert told[0].detail == (
        "names 'Packet 1' (2 of 2 buzzes past the end, by up to 6 words; 0 of 2 tossups not in it); "
        "2 of 2 other games of round 2 read 'Packet 2' (0 past the end; 0 not in it)"
    )


@pytest.mark.parametrize("key", ["Round_2_room_6.qbj", "Round_2_room_6"])
def test_the_configuration_says_which_packet_a_match_read(key):
    found = qbj.read_members(season(), "Cup")
    result = log.resolve(found, {}, {}, packets={key: "packet 02"})
    games = result["games"].set_index("game")["packet"]
    assert games.to_list() == ["Packet 1"] * 3 + ["Packet 2"] * 3
    kinds = [one.finding for one in found.findings]
    assert "match may have read another packet" not in kinds and "buzz past the end" not in kinds
    told = next(one for one in found.findings if one.finding == "packet as the configuration says")
    assert (told.place, told.detail) == (key, "1 match, which names 'Packet 1', is of 'Packet 2'")


def test_a_packet_as_written_or_a_round_can_be_mapped_too():
    for key in ("Packet 1", "round 1"):
        found = qbj.read_members(season(), "Cup")
        games = log.resolve(found, {}, {}, packets={key: "Packet 2"})["games"].set_index("game")
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
        log.resolve(qbj.read_members(season(), "Cup"), {}, {}, packets=given)
    assert "options/packets" in str(error.value)


def test_faults_name_file_place_and_what_was_expected():
    one = match(question(1, [buzz("Alpha", -1, 10), buzz("Alpha", 2, "ten")]))
    del one["match_teams"][1]["team"]["name"]
    with pytest.raises(DataError) as error:
        read(one)
    text = str(error.value)
    assert (
        "m0.qbj, column match_questions/0/buzzes/0/buzz_position/word_index: found -1, expected a 0-based word index"
        in text
    )
    assert (
        "m0.qbj, column match_teams/1/team/name: found None, expected the field to be present"
        in text
    )
    assert "found 'ten', expected points" in text


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"{", "JSON"), (b"[" * 100_000, "JSON of fewer levels"), (b'{"match_teams": NaN}', "row match_teams: found 'NaN', expected JSON without NaN"), (b"\xff", "UTF-8"),
        (b'{"match_teams": [{"team": {"name": "\\ud800"}}]}', "row match_teams/0/team/name: .*whole characters"), (b'{"objects": 3}', "a list of objects"),
    ],
)  # fmt: skip
def test_what_is_no_qbj_is_one_clear_error(content, expected):
    with pytest.raises(DataError, match=expected):
        qbj.read_members({"x.qbj": content}, "Cup")


def test_the_simulated_folder_has_every_hazard_and_each_is_found():
    members = tournament.tournament(7)
    found = qbj.read_members(members, "Cup")
    result = log.resolve(found, {}, {})
    assert set(tournament.HAZARDS) <= {f.finding for f in found.findings}
    games = result["games"]
    sizes = tournament.SIZES
    assert len(games) == sizes["teams"] // 2 * sizes["rounds"]
    assert games["packet"].isna().sum() == sizes["teams"] // 2
    for name, table in result.items():
        assert not store.faults(table, name, parents=result), name


@pytest.mark.parametrize("seed", range(3))
def test_a_small_simulated_folder_has_every_hazard_too(seed, tmp_path):
    sizes = {"teams": 8, "rounds": 9, "tossups": 8, "bonuses": 5}
    tournament.write(tmp_path, seed, sizes)
    members = {
        path.relative_to(tmp_path / "tournament").as_posix(): path.read_bytes()
        for path in sorted((tmp_path / "tournament").rglob("*.*"))
    }
    found = qbj.read_members(members, "Cup")
    games = log.resolve(found, {}, {})["games"]
    assert set(tournament.HAZARDS) <= {f.finding for f in found.findings}
    assert len(games) == 4 * 9
    assert json.loads((tmp_path / "truth.json").read_text())["parameters"] == sizes
    bonuses = (tmp_path / "submissions" / "bonuses-alone.jsonl").read_text().splitlines()
    assert len(bonuses) == 5


@pytest.mark.parametrize("bad", [{"teams": 10}, {"rounds": 8}, {"tossups": 100}, {"round": 14}])
def test_sizes_that_leave_no_room_for_a_hazard_are_refused(bad):
    with pytest.raises(DataError, match=next(iter(bad))):
        tournament.checked(bad)


def hazards_counted(members):
    """How often each hazard stands in the files, by a plain look at their JSON."""
    packs, matches, dangling = {}, [], 0
    for name, content in members.items():
        document = json.loads(content)
        if name.startswith("packets/"):
            packs[int(name[-7:-5])] = document["tossups"]
        elif "objects" in document:
            ids = {one["id"]: one for one in document["objects"] if "id" in one}
            (title,) = (one for one in document["objects"] if one["type"] == "Tournament")
            (only,) = (r["name"] for phase in title["phases"] for r in phase["rounds"])
            for one in document["objects"]:
                if one["type"] == "Match":
                    dangling += one["location"]["$ref"] not in ids
                    matches.append((int(re.sub(r"\D", "", only)), one))
        else:
            matches.append((document["_round"], document))
    counts = dict.fromkeys(tournament.HAZARDS, 0) | {"reference that leads nowhere": dangling}
    for number, match in matches:
        counts["packet missing"] += number not in packs
        told = [
            (q.get("replacement_tossup_question") or q["tossup_question"])["question_number"]
            for q in match["match_questions"]
        ]
        counts["tossup replaced"] += sum(
            "replacement_tossup_question" in q for q in match["match_questions"]
        )
        counts["cycle is not the tossup number"] += told != list(range(1, len(told) + 1))
        doubled = {n for n in told if told.count(n) > 1}
        counts["two tossups with one number"] += len(doubled)
        counts["tossups_read shorter than the packet"] += number in packs and len(told) < len(
            packs[number]
        )
        for question, tossup in zip(match["match_questions"], told, strict=True):
            for buzz in question["buzzes"]:
                counts["wrong without penalty"] += buzz["result"]["value"] == 0
                if number in packs and tossup not in doubled:
                    raw = packs[number][tossup - 1]["question"]
                    spoken = re.sub(r'\s*\("[^"]*"\)|\s*\(\*\)|<[^>]*>', "", raw)
                    past = buzz["buzz_position"]["word_index"] - len(spoken.split())
                    counts["buzz past the end"] += past > 0
                    counts["buzz at the END mark"] += past == 0
    for tossups in packs.values():
        counts["moderator note before the text"] += sum(
            "Note to mod" in t["question"] for t in tossups
        )
        counts["pronunciation guides"] += sum(t["question"].count('("') for t in tossups)
    return counts | {"mirrors of one set": 1, "one team under two spellings?": 1}


@pytest.mark.parametrize("seed", [7, 8])
def test_each_hazard_is_found_as_often_as_it_occurs(seed):
    members = tournament.tournament(seed)
    reading = qbj.read_members(members, "Cup")
    log.resolve(reading, {}, {})
    # Some findings are one row an occurrence; others are one row that says how many.
    number = {
        "packet missing": lambda f: int(f.detail.rpartition(": ")[2]),
        "wrong without penalty": lambda f: int(f.place.split()[0]),
        "buzz at the END mark": lambda f: int(f.place.split()[0]),
        "pronunciation guides": lambda f: int(f.detail.split()[0]),
        "tossups_read shorter than the packet": lambda f: int(f.detail.split()[0]),
        "reference that leads nowhere": lambda f: int(f.detail.split("occurs ")[1].split()[0]),
    }
    found = dict.fromkeys(tournament.HAZARDS, 0)
    for finding in reading.findings:
        if finding.finding in found:
            found[finding.finding] += number.get(finding.finding, lambda f: 1)(finding)
    assert found == hazards_counted(members)
    assert min(found.values()) > 0
    (pair,) = (f.place for f in reading.findings if f.finding == "one team under two spellings?")
    one, other = pair.split(" / ")
    assert one != other and re.sub(r"\W", "", one.lower()) == re.sub(r"\W", "", other.lower())


# --- mutated files -----------------------------------------------------------------------------

ODD = [
    None, True, -1, 0, 1, 3, 2.5, 1e308, 10**30, "", " ", "x", "Alpha", "\ud800", [], {}, [[]], [None], {"$ref": "Match_1"},
    {"$ref": 1}, {"$ref": "nowhere"}, {"name": None}, {"name": "Alpha"}, float("inf"), "9" * 5000, {"question_number": 2},
]  # fmt: skip
SEED = match(
    question(1, [buzz("Alpha", 3, -5), buzz("Beta", 6, 10)]), question(2, [buzz("Beta", 2, 15)], tossup=3, replacement=4),
    _round=1,
)  # fmt: skip
SEED["match_teams"][0]["match_players"] = [
    {
        "player": {"name": "P"},
        "tossups_heard": 2,
        "answer_counts": [{"number": 1, "answer": {"value": -5}}],
    }
]
WHOLE = {
    "version": "2.1",
    "objects": [
        {"type": "Tournament", "name": "Cup", "phases": [{"rounds": [{"name": "1", "matches": [{"$ref": "Match_1"}]}]}]},
        {"type": "Match", "id": "Match_1", **SEED}, {"type": "Team", "id": "T", "name": "Alpha"},
    ],
}  # fmt: skip


def places(document, path=()):
    yield path
    items = (
        document.items()
        if isinstance(document, dict)
        else enumerate(document)
        if isinstance(document, list)
        else ()
    )
    for key, value in items:
        yield from places(value, (*path, key))


def mutated(rng: random.Random) -> bytes:
    """A match, a whole tournament or a packet with a few values replaced, dropped or doubled, or bytes damaged."""
    document = copy.deepcopy(rng.choice([SEED, WHOLE, PACKET]))
    for _ in range(rng.randint(1, 3)):
        path = rng.choice(list(places(document)))
        if not path:
            continue
        parent = document
        for key in path[:-1]:
            parent = parent[key]
        kind = rng.random()
        if kind < 0.25:
            del parent[path[-1]]
        elif kind < 0.4 and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[path[-1]]))
        else:
            parent[path[-1]] = copy.deepcopy(rng.choice(ODD))
    content = json.dumps(document).encode()
    if rng.random() < 0.1:
        at = rng.randrange(len(content))
        content = content[:at] + bytes([rng.randrange(256)]) + content[at + rng.randint(0, 3) :]
    return content


def test_mutated_files_give_an_error_or_a_result():
    """Each example is a hundred files, 10,000 in all; those that can be read make one folder."""
    outcomes = Counter()

    @settings(max_examples=100, deadline=None, derandomize=True, database=None)
    @given(st.integers(0, 2**32 - 1))
    def run(seed):
        a_hundred_mutated(seed, outcomes)

    run()
    assert outcomes["file refused"] > 1000
    assert outcomes["folder read"] > 50


def a_hundred_mutated(seed, outcomes):
    rng = random.Random(seed)
    readable = {"Packet 01.json": json.dumps(PACKET).encode()}
    for number in range(100):
        file, content = f"m{number}.qbj", mutated(rng)
        try:
            qbj.read_members({file: content}, "Cup")
        except DataError as error:
            assert str(error)
            if error.faults[0].expected != "at least one file with a match":
                outcomes["file refused"] += 1
                continue
        readable[file] = content
    try:
        found = qbj.read_members(readable, "Cup")
        result = log.resolve(found, {}, {})
    except DataError as error:
        assert str(error)
        return
    outcomes["folder read"] += 1
    for name, table in result.items():
        assert not store.faults(table, name, parents=result), name


# --- there and back ----------------------------------------------------------------------------


def plain(table, key, drop=()):
    table = table.drop(columns=list(drop)).sort_values(key, ignore_index=True)
    return table.astype(object).where(table.notna(), None)


def same(one, other, key, drop=()):
    one, other = plain(one, key, drop), plain(other, key, drop)
    pd.testing.assert_frame_equal(one, other[one.columns], check_dtype=False)


def returned(questions, matches, folder):
    """A study exported and read again: as match files, as one tournament, as CSV."""
    files, tables, _ = export.documents(questions, matches, "Cup")
    members = {name.removeprefix("qbj/"): export.dump(d).encode() for name, d in files.items()}
    packs = {name: content for name, content in members.items() if name.startswith("packets/")}
    whole = export.dump(export.whole_tournament(files, "Cup")).encode()
    (folder / "packets").mkdir()
    for name, content in packs.items():
        (folder / name).write_bytes(content)
    for name, table in tables.items():
        store.write_csv(table, folder / f"{name}.csv")
    place = folder / "buzzes.csv", folder / "heard.csv"
    return {
        "matches": log.resolve(qbj.read_members(members, "Cup"), {}, {}),
        "tournament": log.resolve(qbj.read_members(packs | {"t.qbj": whole}, "Cup"), {}, {}),
        "csv": log.resolve(buzz_csv.read(*place, rosters=folder / "rosters.csv"), {}, {}),
    }


KEYS = {name: store.schema(name)["key"] for name in ("games", "heard", "plays", "rosters")}
#: Files, and names of packets and tournaments, are the export's own.
OWN = {"games": ["file", "tournament", "packet"], "plays": ["source_row"]}


@pytest.mark.parametrize("seed", [3, 7])
def test_a_tournament_comes_back_as_it_was(tmp_path, seed):
    size = {} if seed == 7 else {"teams": 8, "rounds": 4, "tossups": 8}
    first = log.resolve(qbj.read_members(tournament.tournament(seed, **size), "Cup"), {}, {})
    assert first["games"]["packet"].isna().any() and first["plays"]["question_id"].isna().any()
    again = returned(first["questions"], first, tmp_path)
    counts = stats.tables(*(first[n] for n in ("plays", "heard", "rosters", "questions")), 0.95)
    for form, one in again.items():
        same(first["questions"], one["questions"], ["question_id"], ["source_id"])
        same(first["tossups"], one["tossups"], ["question_id"], ["packet", "note_words"])
        same(first["buzzes"], one["buzzes"], ["question_id", "team", "word_index"], ["source_row"])
        same(first["exposures"], one["exposures"], ["question_id", "team"])
        for name, key in KEYS.items():
            # Buzz CSV has no count of tossups but those that were heard.
            drop = OWN.get(name, []) + ["tossups_read"] * (form == "csv" and name == "games")
            same(first[name], one[name], key, drop)
        found = stats.tables(*(one[n] for n in ("plays", "heard", "rosters", "questions")), 0.95)
        for name, table in counts.items():
            pd.testing.assert_frame_equal(table, found[name], obj=f"{name} from {form}")


def test_what_a_simple_format_cannot_say_comes_back_too(tmp_path):
    """A team that heard part of a match, an unknown value, no position, no round, a power mark in odd text."""
    questions = pd.DataFrame(
        {"question_id": ["p01-q01", "p01-q02"], "packet": 1, "number": [1, 2], "text": ['a ("b") c d', "e f g"],
         "answerline": ["x", "y"], "category_raw": "Hist"}
    )  # fmt: skip
    game = {"game": "g", "known": True, "round": None, "number": 1, "tossups_read": 2}
    heard = [(1, "A", "match"), (2, "A", "match"), (1, "B", "declared"), (2, "C", "buzzed")]
    plays = [(1, 1, "B", None, None, False), (1, 2, "A", 9, None, True), (2, 1, "C", 1, 10.0, True)]
    matches = {
        "games": pd.DataFrame([game]),
        "heard": pd.DataFrame(
            [{"game": "g", "cycle": c, "tossup": c, "team": t, "kind": "human", "source": s} for c, t, s in heard]
        ),
        "plays": pd.DataFrame(
            [{"game": "g", "cycle": c, "tossup": c, "order": o, "team": t, "kind": "human", "player": None,
              "word_index": w, "value": v, "correct": r} for c, o, t, w, v, r in plays]
        ),
        "rosters": pd.DataFrame([{"game": "g", "team": "A", "player": "P", "tossups_heard": 2}]),
        "tossups": pd.DataFrame({"question_id": ["p01-q01", "p01-q02"], "power_word": pd.array([2, 3], "Int64")}),
    }  # fmt: skip
    for form, one in returned(questions, matches, tmp_path).items():
        assert one["games"]["round"].isna().all()
        assert one["tossups"]["power_word"].to_list() == [2, 3]
        assert one["questions"]["text"].to_list() == questions["text"].to_list()
        for name in ("heard", "plays"):
            columns = list(matches[name])
            same(matches[name], one[name][columns], KEYS[name])
        assert one["rosters"][["player", "tossups_heard"]].to_numpy().tolist() == [["P", 2]], form


@pytest.fixture(scope="module")
def grace_tables(release_dir):
    members = archive.read_members(release_dir / "[public]ALL_final_buzzpoints_enc.zip", "buzzbuzz")
    parsed = release.parse_packets(members, {}, {})
    questions, buzzes = pd.DataFrame(parsed.questions), pd.DataFrame(parsed.buzzes)
    file = {"per_packet": "human_team_per_question.pkl"}
    rows, _ = release.parse_participation(
        {"per_packet": safe_pickle.load_plain(release_dir / file["per_packet"])}, questions,
        safe_pickle.load_plain(release_dir / "all_teams.pkl"), file,
    )  # fmt: skip
    return questions, buzzes, release.exposures(questions, buzzes, pd.DataFrame(rows), "per_packet")


def test_grace_comes_back_as_it_was(grace_tables, tmp_path):
    questions, buzzes, exposures = grace_tables
    matches = export.records(questions, buzzes, exposures)
    for one in returned(questions, matches, tmp_path).values():
        same(
            questions, one["questions"], ["question_id"], ["source_id", "category", "category_fine"]
        )
        same(buzzes, one["buzzes"], ["question_id", "team", "word_index"], ["source_row"])
        same(exposures, one["exposures"], ["question_id", "team"])


def test_exports_hide_names_unless_told_otherwise(tmp_path):
    first = log.resolve(
        qbj.read_members(tournament.tournament(3, teams=4, rounds=2, tossups=5), "Cup"), {}, {}
    )
    tables = {name: first[name] for name in ("games", "heard", "plays", "rosters")}
    people = {*first["heard"]["team"], *first["rosters"]["player"], *first["games"]["game"]}
    for how, hidden in (("keep", False), ("pseudonymise", True), ("exclude", True)):
        parts = names.hide(tables, how, 1)
        files, written, _ = export.documents(first["questions"], parts, "Cup")
        csv = written["buzzes"]
        text = json.dumps(files, ensure_ascii=False)
        text += "".join(one.to_csv() for one in written.values())
        assert any(f'"{name}"' in text for name in people) != hidden
        assert csv["player"].notna().any() == (how != "exclude")
        assert csv["team"].nunique() == first["plays"]["team"].nunique()


def test_a_rebound_is_after_an_opponent_not_after_oneself():
    result, _ = read(match(
        question(1, [buzz("Alpha", 2, -5), buzz("Alpha", 4, 10)]),
        question(2, [buzz("Alpha", 2, -5), buzz("Beta", 4, 10)]), question(3, [buzz("Beta", 2, 0)]),
    ))  # fmt: skip
    by = stats.tables(
        result["plays"], result["heard"], result["rosters"], result["questions"], 0.95
    )
    rows = by["quizbowl_teams"].set_index("team")
    assert rows["rebounds"].to_dict() == {"Alpha": 0, "Beta": 1}
    assert rows["rebound_chances"].to_dict() == {"Alpha": 1, "Beta": 2}
    assert rows["wrong_free"].to_dict() == {"Alpha": 0, "Beta": 1}


def test_concealed_writtenand_findings_hold_no_name():
    found = qbj.read_members(tournament.tournament(7), "Cup")
    first = log.resolve(found, {}, {})
    hidden, findings = names.conceal(first, found, "pseudonymise", 1)
    people = {*first["heard"]["team"], *first["rosters"]["player"]}
    text = "\n".join(
        [hidden[n].to_csv() for n in ("buzzes", "exposures", "plays", "heard", "rosters", "games")]
        + [f"{f.place} {f.detail}" for f in findings]
    )
    assert not [name for name in {*people, *first["games"]["file"]} if name in text]
    for name in ("buzzes", "plays", "heard", "rosters", "exposures"):
        assert not store.faults(hidden[name], name, parents=hidden), name
        assert len(hidden[name]) == len(first[name])


# --- CSV ---------------------------------------------------------------------------------------

HEAD = "tournament,round,game,tossup,team,player,buzz_position,value\n"


def csv(tmp_path, body, heard=None, base=0, head=HEAD):
    (tmp_path / "Packet 1.json").write_text(json.dumps(PACKET))
    (tmp_path / "b.csv").write_text(head + body)
    if heard:
        (tmp_path / "h.csv").write_text("tournament,round,game,tossup,team\n" + heard)
    found = buzz_csv.read(tmp_path / "b.csv", tmp_path / "h.csv" if heard else None, base=base)
    return log.resolve(found, {}, {}), {f.finding for f in found.findings}


def test_csv_with_a_heard_file_counts_dead_tossups(tmp_path):
    heard = "".join(f"Cup,1,1,{n},{team}\n" for n in (1, 2, 3) for team in ("A", "B"))
    result, found = csv(
        tmp_path, "Cup,1,1,1,A,Ann,4,-5\nCup,1,1,1,B,Bo,6,10\nCup,1,1,3,A,,8,15\n", heard
    )
    by = stats.tables(
        result["plays"], result["heard"], result["rosters"], result["questions"], 0.95
    )
    rows = by["quizbowl_questions"].set_index("question_id")
    assert rows["dead"].to_dict() == {"p01-q01": 0, "p01-q02": 1, "p01-q03": 0}
    team = by["quizbowl_teams"].set_index("team")
    assert team.loc["B", ["gets", "rebounds", "rebound_chances", "points"]].to_list() == [
        1,
        1,
        1,
        10,
    ]
    assert team.loc["A", ["powers", "negs", "points"]].to_list() == [1, 1, 10]
    assert "no heard file" not in found


ROSTER = "tournament,round,game,team,player,tossups_heard\n"


def test_csv_rosters_name_players_without_a_buzz(tmp_path):
    csv(tmp_path, "T,1,g,1,A,P,2,10\nT,1,g,2,B,Q,3,-5\n")
    (tmp_path / "r.csv").write_text(ROSTER + "T,1,g,A,P,2\nT,1,g,A,Silent,1\nT,1,g,B,Other,\n")
    found = buzz_csv.read(tmp_path / "b.csv", rosters=tmp_path / "r.csv")
    rosters = log.resolve(found, {}, {})["rosters"].set_index("player")["tossups_heard"]
    assert rosters.where(rosters.notna(), -1).to_dict() == {
        "P": 2,
        "Silent": 1,
        "Other": -1,
        "Q": -1,
    }
    for line, message in (
        ("T,1,g,C,P,2", "row 2, column team: found 'C', expected a game and a team of the buzzes"),
        ("T,1,h,A,P,2", "row 2, column team: found 'A', expected a game and a team of the buzzes"),
        (
            "T,1,g,A,P,2\nT,1,g,A,P,2",
            "row 3, column player: found 'P', expected a player who stands once",
        ),
        ("T,1,g,A,,2", "row 2, column player"),
        ("T,1,g,A,P,two", "row 2, column tossups_heard: found 'two'"),
    ):
        (tmp_path / "r.csv").write_text(ROSTER + line + "\n")
        with pytest.raises(DataError, match=message):
            buzz_csv.read(tmp_path / "b.csv", rosters=tmp_path / "r.csv")


def test_csv_without_one_says_what_it_does_not_know(tmp_path):
    result, found = csv(tmp_path, "Cup,1,1,1,A,Ann,4,10\nCup,1,1,3,B,Bo,6,10\n")
    assert "no heard file" in found
    assert len(result["exposures"]) == 4


def test_checks_hold_where_players_and_power_marks_are_not_told(tmp_path):
    plain = {"tossups": [{"question": "One two three four five.", "answer": "x"}] * 2}
    played = match(question(1, [buzz("Alpha", 1, 10)]), question(2, [buzz("Beta", 2, -5)]))
    for result, _ in (
        read(played, packet=plain),
        csv(tmp_path, "T,1,g,1,A,P,2,10\nT,1,g,2,B,Q,3,-5\n"),
    ):
        parts = [result[name] for name in ("plays", "heard", "rosters", "questions")]
        plays, heard, rosters, questions = parts
        players = stats.tables(*parts, 0.95)["quizbowl_players"]
        assert set(rosters["player"]) == set(plays["player"])
        for outcome in (
            checks.played(rosters, plays, result["games"]),
            checks.of_the_packets(result["tossups"], questions),
            checks.counts_of_players(players, plays, rosters, heard, {"level": 0.95}),
        ):
            assert outcome.failures == 0, outcome


def test_csv_positions_of_both_conventions(tmp_path):
    """The first and the last word under each."""
    zero, _ = csv(tmp_path, f"Cup,1,1,1,A,Ann,0,10\nCup,1,1,2,A,Ann,{WORDS - 1},10\n", base=0)
    one, _ = csv(tmp_path, f"Cup,1,1,1,A,Ann,1,10\nCup,1,1,2,A,Ann,{WORDS},10\n", base=1)
    assert (
        zero["buzzes"]["word_index"].to_list()
        == one["buzzes"]["word_index"].to_list()
        == [0, WORDS - 1]
    )
    with pytest.raises(
        DataError, match="column buzz_position: found '0', expected a whole number from 1"
    ):
        csv(tmp_path, "Cup,1,1,1,A,Ann,0,10\n", base=1)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("Cup,1,1,1,A,Ann,4,10\nCup,1,1,x,A,Ann,4,10\n", "b.csv, row 3, column tossup: found 'x'"),
        ("Cup,1,1,1,,Ann,4,10\n", "b.csv, row 2, column team: found '', expected a value"),
        ("Cup,1,1,1,A,Ann,4,ten\n", "column value: found 'ten', expected a number"),
        ("Cup,1,1,1,A,Ann,4.5,10\n", "column buzz_position: found '4.5'"),
        ("Cup,1,1,1,A,Ann,4,nan\n", "column value: found 'nan'"),
        ("Cup,1,1,1,A,Ann,4\n", "expected a CSV table"),
        ("", "at least one buzz"),
    ],
)
def test_bad_csv_is_one_clear_error(tmp_path, body, message):
    with pytest.raises(DataError) as error:
        csv(tmp_path, body)
    assert message in str(error.value)


def test_csv_lacking_a_column(tmp_path):
    with pytest.raises(
        DataError, match="column team: found None, expected the column to be present"
    ):
        csv(tmp_path, "Cup,1,1,1,Ann,4,10\n", head=HEAD.replace("team,", ""))


# --- statistics against a slow count -----------------------------------------------------------


def slow(plays, heard, questions, whose, rooms_only=True, said=None):
    """Statistics of one group by loops; BPA by adding up a staircase of 10,000 steps.

    ``whose``: column → value. Tossups heard are rooms, team × room for teams, for a player
    ``said``: game → tossups.
    """
    words = dict(zip(questions["question_id"], questions["n_words"], strict=True))
    category = dict(zip(questions["question_id"], questions["category"], strict=True))

    def ours(row, buzz):
        for column, value in whose.items():
            if column == "category":
                if category.get(row.question_id, "Unknown") != value:
                    return False
            elif column == "player":
                if buzz and row.player != value:
                    return False
            elif getattr(row, column) != value:
                return False
        return True

    rooms, everybody = {}, {}
    for row in heard.itertuples():
        room = (row.game, row.cycle, row.tossup)
        everybody.setdefault(room, set()).add(row.team)
        if ours(row, False):
            rooms[room if rooms_only else (*room, row.team)] = row.question_id
    names = ("buzzes", "gets", "powers", "negs", "wrong_free", "wrong", "rebounds", "points")
    counts = dict.fromkeys(names, 0)
    shares, positions, first_wrong, done = [], [], {}, set()
    earlier_by = {}
    for row in plays.sort_values(["game", "cycle", "tossup", "order"]).itertuples():
        room = (row.game, row.cycle, row.tossup)
        earlier = earlier_by.setdefault(room, [])
        if ours(row, True):
            counts["buzzes"] += 1
            counts["points"] += row.value
            counts["gets"] += row.correct
            counts["wrong"] += not row.correct
            counts["powers"] += row.correct and row.value > 10
            counts["negs"] += row.value < 0
            counts["wrong_free"] += row.value == 0
            counts["rebounds"] += row.correct and any(team != row.team for team in earlier)
            if row.correct and isinstance(row.question_id, str):
                of = words[row.question_id]
                shares.append(min(1.0, (row.word_index + 1) / of))
                positions.append(min(row.word_index + 1, of))
        if row.correct:
            done.add(room)
        else:
            earlier.append(row.team)
            if room not in done:
                first_wrong.setdefault(room, row.team)
    chances = 0
    for room, team in first_wrong.items():
        for other in everybody[room] - {team}:
            whole = room if rooms_only else (*room, other)
            chances += whole in rooms and whose.get("team", other) == other
    known = sum(isinstance(q, str) for q in rooms.values())
    count = len(rooms)
    if said is not None:
        # The player heard as large a share of the known texts of a game as the team did.
        of = {
            game: [isinstance(q, str) for room, q in rooms.items() if room[0] == game]
            for game in said
        }
        known = sum(n * sum(of[game]) / len(of[game]) for game, n in said.items() if of[game])
        count = sum(said.values())
    grid = (np.arange(10_000) + 0.5) / 10_000
    gets = np.zeros(len(grid))
    for share in shares:
        gets += grid > share

    def over(top, bottom):
        return top / bottom if bottom else np.nan

    found = counts | {
        "heard": count, "bpa": over(100 * gets.mean(), known),
        "first_correct": min(shares, default=np.nan), "first_correct_word": min(positions, default=np.nan),
        "average_correct": over(sum(shares), len(shares)), "average_correct_word": over(sum(positions), len(shares)),
        "conversion": over(counts["gets"], count), "power_rate": over(counts["powers"], count),
        "neg_rate": over(counts["negs"], count), "precision": over(counts["gets"], counts["buzzes"]),
        "points_per_20": over(20 * counts["points"], count),
    }  # fmt: skip
    if "player" in whose:
        return found
    found |= {"rebound_chances": chances, "rebound_rate": over(counts["rebounds"], chances)}
    if rooms_only:
        dead = max(0, count - counts["gets"])
        found |= {"dead": dead, "dead_rate": over(dead, count)}
    if "question_id" in whose:
        found["difficulty"] = 1 - found["conversion"]
    return found


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_statistics_agree_with_a_slow_count(seed):
    result = log.resolve(
        qbj.read_members(tournament.tournament(seed, teams=8, rounds=4, tossups=8), "Cup"), {}, {}
    )
    plays, heard, rosters = result["plays"], result["heard"], result["rosters"]
    by = stats.tables(plays, heard, rosters, result["questions"], 0.95)
    keys = {"teams": ["team"], "players": ["team", "player"], "categories": ["category"],
            "team_categories": ["team", "category"], "questions": ["question_id"]}  # fmt: skip
    for name, key in keys.items():
        table = by[f"quizbowl_{name}"]
        for row in table.to_dict("records"):
            whose = {column: row[column] for column in key}
            said = None
            if name == "players":
                mine = rosters[
                    (rosters["team"] == row["team"]) & (rosters["player"] == row["player"])
                ]
                said = dict(zip(mine["game"], mine["tossups_heard"], strict=True))
            expected = slow(plays, heard, result["questions"], whose, "team" not in whose, said)
            for column, value in expected.items():
                assert row[column] == pytest.approx(
                    value, abs=0.011 if column == "bpa" else 1e-12, nan_ok=True
                ), (name, whose, column)
        # Nothing that stands in the table goes unchecked but names, intervals and ranks.
        unchecked = set(table) - set(expected) - set(key)
        assert unchecked <= {"kind", "games", "conversion_low", "conversion_high", "category",
                             "answerline", "n_words", "difficulty_rank"}, name  # fmt: skip
    assert by["quizbowl_teams"]["rebound_chances"].sum() > 0
    games = heard.groupby("team")["game"].nunique()
    assert by["quizbowl_teams"].set_index("team")["games"].to_dict() == games.to_dict()
    order = by["quizbowl_questions"].sort_values("conversion")["difficulty_rank"]
    assert order.is_monotonic_increasing and order.iloc[0] == 1


def test_curves_end_at_the_counts_and_bpa_is_the_area_under_them():
    result = log.resolve(
        qbj.read_members(tournament.tournament(11, teams=8, rounds=3, tossups=8), "Cup"), {}, {}
    )
    curves = stats.all_curves(result["plays"], result["heard"], result["questions"])
    by = stats.tables(
        result["plays"], result["heard"], result["rosters"], result["questions"], 0.95
    )["quizbowl_questions"]
    last = curves[(curves["level"] == "question") & (curves["x"] == 1)].set_index("item")
    assert last["gets"].reindex(by["question_id"]).to_list() == by["gets"].to_list()
    mean = curves[curves["level"] == "question"].groupby("item")["gets_per_heard"].mean()
    # The curve counts a buzz from the hundredth at or above it, so its mean is at most that much off.
    assert (
        mean.reindex(by["question_id"]).to_numpy() * 100 - by["bpa"].to_numpy()
    ).__abs__().max() < 2
