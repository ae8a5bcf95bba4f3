"""Buzzes as CSV, with who heard what and rosters beside them."""

import json

import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.tournament import buzz_csv, files, match_log, quizbowl
from matches import HEAD, PACKET, WORDS, csv


def test_csv_with_a_heard_file_counts_dead_tossups(tmp_path):
    heard = "".join(f"Cup,1,1,{n},{team}\n" for n in (1, 2, 3) for team in ("A", "B"))
    result, found = csv(tmp_path, "Cup,1,1,1,A,Ann,4,-5\nCup,1,1,1,B,Bo,6,10\nCup,1,1,3,A,,8,15\n", heard)
    by = quizbowl.quizbowl_tables(
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
    found = buzz_csv.read_buzz_csv(tmp_path / "b.csv", rosters=tmp_path / "r.csv")
    rosters = match_log.tidy_tables(found, {}, {})["rosters"].set_index("player")["tossups_heard"]
    assert rosters.where(rosters.notna(), -1).to_dict() == {
        "P": 2,
        "Silent": 1,
        "Other": -1,
        "Q": -1,
    }


def test_csv_without_one_says_what_it_does_not_know(tmp_path):
    result, found = csv(tmp_path, "Cup,1,1,1,A,Ann,4,10\nCup,1,1,3,B,Bo,6,10\n")
    assert "no heard file" in found
    assert len(result["exposures"]) == 4


def test_csv_reads_packets_of_one_file_name_in_two_folders(tmp_path):
    for name in ("Early", "Late"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "packet.json").write_text(json.dumps(PACKET | {"name": name}))
    (tmp_path / "b.csv").write_text(HEAD + "Cup,1,g,1,A,Ann,4,10\n")
    log = buzz_csv.read_buzz_csv(tmp_path / "b.csv")
    assert {row["packet"] for row in log.tossups} == {"Early", "Late"}


def test_csv_positions_of_both_conventions(tmp_path):
    """The first and the last word under each."""
    zero, _ = csv(tmp_path, f"Cup,1,1,1,A,Ann,0,10\nCup,1,1,2,A,Ann,{WORDS - 1},10\n", base=0)
    one, _ = csv(tmp_path, f"Cup,1,1,1,A,Ann,1,10\nCup,1,1,2,A,Ann,{WORDS},10\n", base=1)
    assert zero["buzzes"]["word_index"].to_list() == one["buzzes"]["word_index"].to_list() == [0, WORDS - 1]
    with pytest.raises(DataError, match="column buzz_position: found '0', expected a whole number from 1"):
        csv(tmp_path, "Cup,1,1,1,A,Ann,0,10\n", base=1)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("Cup,1,1,1,A,Ann,4,10\nCup,1,1,x,A,Ann,4,10\n", "b.csv, row 3, column tossup: found 'x'"),
        ("Cup,1,1,1,,Ann,4,10\n", "b.csv, row 2, column team: found '', expected a value"),
        ("Cup,1,1,1,A,Ann,4,ten\n", "column value: found 'ten', expected a number"),
        ("Cup,1,1,1,A,Ann,4.5,10\n", "column buzz_position: found '4.5'"),
        ("Cup,1,1,1,A,Ann,4,nan\n", "column value: found 'nan'"),
        ("Cup,1,1,1,A,Ann,1_0,10\n", "column buzz_position: found '1_0'"),
        ("Cup,1,1,1,A,Ann,4\n", "expected a CSV table"),
        ("", "at least one buzz"),
    ],
)
def test_bad_csv_is_one_clear_error(tmp_path, body, message):
    with pytest.raises(DataError) as error:
        csv(tmp_path, body)
    assert message in str(error.value)


def test_csv_lacking_a_column(tmp_path):
    with pytest.raises(DataError, match="column team: found None, expected the column to be present"):
        csv(tmp_path, "Cup,1,1,1,Ann,4,10\n", head=HEAD.replace("team,", ""))


def test_csv_bonuses_are_of_teams_that_were_right(tmp_path):
    csv(tmp_path, "T,1,g,1,A,P,2,10\nT,1,g,2,B,Q,3,-5\nT,2,g,1,B,Q,3,10\n")
    head = "tournament,round,game,cycle,team,part,points,bounceback\n"
    scored = tmp_path / "bonuses.csv"
    scored.write_text(head + "T,1,g,1,A,1,10,\nT,1,g,1,A,2,0,10\n")
    found = match_log.tidy_tables(buzz_csv.read_buzz_csv(tmp_path / "b.csv", scored=scored), {}, {})
    sides = found["sides"].set_index(["game", "team"])
    assert sides.loc[("T / 1 / g", "A"), ["bonus_points", "bonuses", "points"]].to_list() == [
        10,
        1,
        20,
    ]
    assert sides.loc[("T / 1 / g", "B"), "bounceback_points"] == 10


def test_one_name_in_several_rounds_is_one_game_in_every_file(tmp_path):
    """Told apart where any of the files has the name twice."""
    heard = "".join(f"T,{r},g,1,{team}\n" for r in (1, 2) for team in "AB")
    result, _ = csv(tmp_path, "T,1,g,1,A,P,2,10\n", heard)
    assert sorted(result["games"]["game"]) == ["T / 1 / g", "T / 2 / g"]
    assert result["plays"]["game"].to_list() == ["T / 1 / g"]


GAME = HEAD + "Cup,1,g,1,Alpha,Ann,5,10\nCup,1,g,2,Beta,Bo,5,-5\n"
LISTED = "tournament,round,game,tossup,team\n" + "".join(
    f"Cup,1,g,{n},{team}\n" for n in (1, 2, 3) for team in ("Alpha", "Beta")
)
ROSTER = "tournament,round,game,team,player,tossups_heard\n"
SCORED = "tournament,round,game,cycle,team,part,points,bonus,bounceback\n"
BONUS = {"leadin": "L", "parts": ["p", "q"], "answers": ["a", "b"]}


@pytest.mark.parametrize("name", ["buzzes", "heard"])
def test_a_model_is_one_where_either_file_says_so(tmp_path, name):
    text = {"buzzes": GAME, "heard": LISTED}[name].splitlines()
    kinds = ["kind", *("model" if ",Alpha" in row else "human" for row in text[1:])]
    made = _files(
        tmp_path, **{name: "".join(f"{row},{kind}\n" for row, kind in zip(text, kinds, strict=True))}
    )
    for table in ("heard", "plays"):
        kinds = made[table].drop_duplicates("team").set_index("team")["kind"]
        assert kinds.to_dict() == {"Alpha": "model", "Beta": "human"}


def _packet(**changed):
    return json.dumps(PACKET | {"bonuses": [BONUS]} | changed)


REFUSED = [
    ("rosters", "", "rosters.csv, row 1: found 'nothing', expected columns tournament, round, game, team, player$"),
    ("rosters", ROSTER.replace("player,", ""), "column player"),
    ("rosters", ROSTER.encode("utf-16"), "expected a CSV table"),
    ("rosters", ROSTER + "Cup,1,x,Alpha,Ann,3\n", "row 2, column team: found 'Alpha', expected a game and a team"),
    ("rosters", ROSTER + "Cup,1,g,Gamma,Ann,3\n", "row 2, column team: found 'Gamma'"),
    ("rosters", ROSTER + "Cup,1,g,Alpha,,3\n", "row 2, column player: found '', expected a value"),
    ("rosters", ROSTER + "Cup,1,g,Alpha,Ann,3\n" * 2, "row 3, column player: found 'Ann', expected a player who stands once"),
    *(("rosters", ROSTER + f"Cup,1,g,Alpha,Ann,{n}\n", f"row 2, column tossups_heard: found '{n}', expected a whole number from 0") for n in ("-3", "nan", "inf", "x", "2.5")),
    ("rosters", ROSTER + "Cup,1,g\n", "Expected 6 columns, got 3"),
    ("heard", LISTED + "Cup,1,g,x,Alpha\n", "heard.csv, row 8, column tossup: found 'x'"),
    ("heard", LISTED + "Cup,1,g,0,Alpha\n", "heard.csv, row 8, column tossup: found '0'"),
    ("heard", LISTED + "Cup,1,,1,Alpha\n", "row 8, column game: found ''"),
    ("heard", LISTED.replace("\n", ",human\n").replace("team,human", "team,kind") + "Cup,1,g,4,Alpha,model\n", "heard.csv, row 8, column kind: found 'model', expected one kind for all of a team"),
    ("buzzes", GAME.replace("\n", ",human\n").replace("value,human", "value,kind") + "Cup,1,g,3,Alpha,Ann,5,-5,model\n", "buzzes.csv, row 4, column kind: found 'model', expected one kind for all of a team"),
    ("bonuses", SCORED + "Cup,1,g,1,Beta,1,10,1,\n", "row 2, column team: found 'Beta', expected a team that was right"),
    ("bonuses", SCORED + "Cup,1,x,1,Alpha,1,10,1,\n", "row 2, column team"),
    ("bonuses", SCORED + "Cup,1,g,9,Alpha,1,10,1,\n", "row 2, column team"),
    ("bonuses", SCORED + "Cup,1,g,1,Alpha,1,10,1,\n" * 2, "row 3, column part: found '1', expected a part that stands once"),
    ("bonuses", SCORED + "Cup,1,g,1,Alpha,0,10,1,\nCup,1,g,1,Alpha,1,10,1,\n", "row 3, column part: found '1', expected a part that stands once"),
    ("bonuses", SCORED + "Cup,1,g,1,Alpha,1,10,1,\nCup,1,g,1,Alpha,2,10,2,\n", "row 3, column bonus: found '2', expected one bonus for each cycle"),
    *(("bonuses", SCORED + f"Cup,1,g,1,Alpha,1,{n},1,\n", f"row 2, column points: found '{n}', expected a number from 0") for n in ("nan", "inf", "-10", "", "ten")),
    *(("bonuses", SCORED + f"Cup,1,g,1,Alpha,{n},10,1,\n", f"row 2, column part: found '{n}', expected a whole number from 0") for n in ("-1", "x")),
    ("bonuses", SCORED + "Cup,1,g,1,Alpha,1,10,0,\n", "row 2, column bonus: found '0', expected a whole number from 1"),
    ("bonuses", SCORED + "Cup,1,g,1,Alpha,1,0,1,x\n", "row 2, column bounceback: found 'x'"),
    ("packet", "", "Packet 1.json: found 'an empty file', expected JSON"),
    ("packet", "{", "expected JSON"),
    ("packet", _packet().encode("utf-16"), "expected UTF-8 text"),
    ("packet", _packet(tossups=[]), "column tossups: found .., expected a list of tossups"),
    ("packet", _packet(tossups={}), "column tossups"),
    ("packet", _packet(tossups=[None]), "row tossup 1: found None, expected a JSON object"),
    ("packet", _packet(tossups=[{"question": None, "answer": "a"}]), "row tossup 1, column question: found None, expected text"),
    ("packet", _packet(bonuses={}), "column bonuses: found {}, expected a list of bonuses"),
    ("packet", _packet(bonuses=[None]), "row bonus 1: found None"),
    ("packet", _packet(bonuses=[BONUS | {"leadin": 5}]), "row bonus 1, column leadin: found 5, expected text"),
    ("packet", _packet(bonuses=[BONUS | {"parts": ["p"]}]), "row bonus 1, column answers: found 2, expected as many as parts"),
    ("packet", _packet(bonuses=[BONUS | {"answers": "ab"}]), "row bonus 1, column answers: found 'ab', expected a list of texts"),
]  # fmt: skip


def _files(folder, **changed):
    contents = {"buzzes": GAME, "heard": LISTED, "packet": _packet()} | changed
    for name, content in contents.items():
        path = folder / ("packets/Packet 1.json" if name == "packet" else f"{name}.csv")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return files.tidy_tournament(folder, {}, {}, {}, {}, "keep", 0, {}, [])


@pytest.mark.parametrize(("name", "content", "message"), REFUSED)
def test_a_file_beside_the_buzzes_is_refused_by_row_and_column(tmp_path, name, content, message):
    with pytest.raises(DataError, match=message):
        _files(tmp_path, **{name: content})


@pytest.mark.parametrize(
    ("name", "content", "said", "rows"),
    [
        ("rosters", ROSTER, None, (2, 0)),
        ("rosters", "\ufeff" + ROSTER.replace("\n", "\r\n") + "Cup,1,g,Alpha,Al,3\r\n", None, (3, 0)),
        ("rosters", ROSTER + "Cup,1,g,Alpha,Ann,\n", None, (2, 0)),
        ("rosters", ROSTER + "Cup,1,g,Alpha,Ann,9\n", "player heard more than was read", (2, 0)),
        ("rosters", ROSTER + "Cup,1,g,Alpha,Ann,0\n", "player buzzed on more than they heard", (2, 0)),
        ("rosters", ROSTER + "Cup,1,g,Alpha,Ann,1\n", None, (2, 0)),
        ("heard", LISTED + "Cup,1,g,3,Beta\n", "heard row repeated", (2, 0)),
        ("heard", LISTED.replace("Cup,1,g,2,Beta\n", ""), "buzz by a team that the heard file leaves out", (2, 0)),
        ("bonuses", SCORED + "Cup,1,g,1,Alpha,1,10,1,\nCup,1,g,1,Alpha,2,0,1,10\n", None, (2, 2)),
        ("bonuses", SCORED + "Cup,1,g,1,Alpha,1,10,7,\n", "bonus is not in the packet", (2, 1)),
        ("packet", "[]", "file is no match and no packet", (2, 0)),
        ("packet", _packet(bonuses=[BONUS | {"values": ["x"], "difficultyModifiers": [7]}]), None, (2, 0)),
    ],
)  # fmt: skip
def test_what_is_odd_beside_the_buzzes_is_read_and_listed(tmp_path, name, content, said, rows):
    made = _files(tmp_path, **{name: content})
    for table in ("rosters", "bonus_plays", "bonus_items", "sides"):
        assert not store.validation_errors(made[table], table, parents=made), table
    assert (len(made["rosters"]), len(made["bonus_plays"])) == rows
    usual = {"packet found by number", "tossups_read shorter than the packet", "tossup never read", "pronunciation guides", "points are not declared"}  # fmt: skip
    assert {one.finding for one in made["findings"]} - usual - {"no packet"} == {said} - {None}
