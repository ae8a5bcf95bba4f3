"""QBJ: what is read, what is found odd, what is refused, whatever was done to a file."""

import copy
import json
import random
from collections import Counter

import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.tournament import match_log, qbj
from matches import PACKET, buzz, csv, match, question, read


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


def test_matches_of_two_tournaments_in_a_file_bear_the_name_of_their_own():
    objects = [{"type": "Match", "id": key, **match(question(1))} for key in ("M1", "M2", "M3")]
    for key, name in (("M1", "Cup"), ("M2", "Open")):
        rounds = [{"name": "1", "matches": [{"$ref": key}]}]
        objects.append({"type": "Tournament", "name": name, "phases": [{"rounds": rounds}]})
    result, _ = read(**{"two.qbj": json.dumps({"version": "2.1", "objects": objects}).encode()})
    # No round names the third match: it may be of either.
    named = result["games"].set_index("game")["tournament"].to_dict()
    assert named == {"M1": "Cup", "M2": "Open", "M3": "two"}


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


FULL = match(question(1, [buzz("Alpha", 3, 10)], tossup=1, replacement=2), tossups_read=1)
FULL["match_teams"][0] |= {
    "points": 20, "bonus_points": 10,
    "match_players": [{"player": {"name": "P"}, "tossups_heard": 1, "answer_counts": [{"number": 1, "answer": {"value": 10}}]}],
    "lineups": [{"first_question": 1, "players": [{"name": "P"}]}],
}  # fmt: skip
FULL["match_questions"][0] |= {
    "bonus": {"question": {"question_number": 1}, "parts": [{"controlled_points": 10, "bounceback_points": 0}]},
    "replacement_bonus": None,
}  # fmt: skip
ROUNDS = {"name": "Cup", "phases": [{"name": "A", "rounds": [{"name": "1", "matches": [{"$ref": "M1"}]}]}]}  # fmt: skip


def written(key, how):
    at = next(n for n in range(1, len(key)) if key[n] != key[n + 1])
    return {
        "two letters exchanged": key[:at] + key[at + 1] + key[at] + key[at + 2 :],
        "a letter missing": key[:-2] + key[-1:],
        "capitals": key.title().replace("_", ""),
        "a blank": key + " ",
    }[how]


@pytest.mark.parametrize("how", ["two letters exchanged", "a letter missing", "capitals", "a blank"])
def test_a_key_that_is_mistyped_is_named(how):
    tried = set()
    for document in (
        FULL,
        {
            "version": "2.1",
            "objects": [{"type": "Tournament", **ROUNDS}, {"type": "Match", "id": "M1", **FULL}],
        },
    ):
        assert read(**{"t.qbj": json.dumps(document).encode()})[0]["buzzes"].shape[0] == 1
        for *path, key in filter(None, places(document)):
            if not isinstance(key, str) or len(key) < 5 or key in ("objects", "version"):
                continue
            changed = copy.deepcopy(document)
            parent = changed
            for name in path:
                parent = parent[name]
            new = written(key, how)
            parent[new] = parent.pop(key)
            with pytest.raises(DataError) as error:
                read(**{"t.qbj": json.dumps(changed).encode()})
            assert f"{new}: found {new!r}, expected the key {key!r}, which is not there" in str(error.value)
            tried.add(key)
    assert {
        "buzzes",
        "tossups_read",
        "word_index",
        "replacement_tossup_question",
        "rounds",
    } <= tried


def test_keys_of_other_software_are_passed_over():
    one = copy.deepcopy(FULL)
    one |= {"type": "Match", "id": "M", "location": "Room 3", "moderator": "M. Od", "round": 3}
    one |= {"scorekeeper": "S", "serial": "7", "note": "-"}
    one["match_teams"][0] |= {"total_points": 20, "tossup_points": 10, "correct_tossups": 1}
    one["match_questions"][0] |= {"bonus_question": None, "tossup_text": "", "time": 3}
    one["match_questions"][0]["buzzes"][0] |= {"teams": [], "character_index": 12}
    assert read(one)[0]["buzzes"].shape[0] == 1


@pytest.mark.parametrize("value", [99999, -1000.5])
def test_points_that_no_buzz_scores_are_refused(tmp_path, value):
    one = copy.deepcopy(FULL)
    one["match_questions"][0]["buzzes"][0]["result"]["value"] = value
    one["match_teams"][0]["match_players"][0]["answer_counts"][0]["answer"]["value"] = value
    with pytest.raises(DataError) as error:
        read(one)
    assert str(error.value).count(f"value: found {value}, expected points from -1000 to 1000") == 2
    with pytest.raises(
        DataError,
        match=rf"b.csv, row 2, column value: found '{value}', expected a number from -1000 to 1000",
    ):
        csv(tmp_path, f"Cup,1,g1,1,Alpha,P,3,{value}\n")


BONUS = "match_questions", 0, "bonus", "question"


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (BONUS, {"question_number": 0}, "bonus without a number"),
        (BONUS, {"question_number": None}, "bonus without a number"),
        (BONUS, {"parts": 3}, "bonus without a number"),
        (BONUS, None, "bonus without a number"),
        (("match_questions", 0, "replacement_tossup_question"), {"parts": 1}, "no tossup number"),
        (("match_questions", 0, "bonus", "question", "question_number"), 99, "bonus is not in the packet"),
        (("match_teams", 0, "lineups", 0, "first_question"), -4, None),
    ],
)  # fmt: skip
def test_what_changes_no_number_is_read_and_reported(place, value, said):
    one = copy.deepcopy(FULL)
    parent = one
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = value
    packet = PACKET | {"bonuses": [{"parts": ["p"], "answers": ["a"]}]}
    made, found = read(one, packet=packet)
    assert made["sides"]["points"].tolist() == [20, 0] and made["bonus_plays"]["points"].sum() == 10
    assert said is None or said in found


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
    assert "m0.qbj, column match_teams/1/team/name: found None, expected the field to be present" in text
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
        qbj.read_qbj_files({"x.qbj": content}, "Cup")


ODD = [
    None, True, -1, 0, 1, 3, 2.5, 1e308, 10**30, "", " ", "x", "Alpha", "\ud800", [], {}, [[]], [None], {"$ref": "Match_1"},
    {"$ref": 1}, {"$ref": "nowhere"}, {"name": None}, {"name": "Alpha"}, float("inf"), "9" * 5000, {"question_number": 2},
]  # fmt: skip


SEED = match(
    question(1, [buzz("Alpha", 3, -5), buzz("Beta", 6, 10)]), question(2, [buzz("Beta", 2, 15)], tossup=3, replacement=4),
    _round=1,
)  # fmt: skip
SEED["match_teams"][0]["match_players"] = [
    {"player": {"name": "P"}, "tossups_heard": 2, "answer_counts": [{"number": 1, "answer": {"value": -5}}]}
]  # fmt: skip


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


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 25), marks=pytest.mark.full)])
def test_mutated_files_give_an_error_or_a_result(seeds):
    """Some times a hundred files; those that can be read make one folder."""
    outcomes = Counter()
    for seed in seeds:
        a_hundred_mutated(seed, outcomes)
    assert outcomes["file refused"] > 10 * len(seeds)
    assert outcomes["folder read"] > 0.48 * len(seeds)


def a_hundred_mutated(seed, outcomes):
    rng = random.Random(seed)
    readable = {"Packet 01.json": json.dumps(PACKET).encode()}
    for number in range(100):
        file, content = f"m{number}.qbj", mutated(rng)
        try:
            qbj.read_qbj_files({file: content}, "Cup")
        except DataError as error:
            assert str(error)
            if error.faults[0].expected != "at least one file with a match":
                outcomes["file refused"] += 1
                continue
        readable[file] = content
    try:
        found = qbj.read_qbj_files(readable, "Cup")
        result = match_log.tidy_tables(found, {}, {})
    except DataError as error:
        assert str(error)
        return
    outcomes["folder read"] += 1
    for name, table in result.items():
        assert not store.validation_errors(table, name, parents=result), name
