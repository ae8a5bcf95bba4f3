"""Raw packets and participation tables: what is read, what is found, what is refused."""

import copy
import json

import pandas as pd
import pytest
from calscore.core.errors import DataError
from calscore.raw import release

QUESTION = {
    "tossup_index": 7,
    "category": "British Lit",
    "question": "One two three. Four five six.",
    "answer": "seven",
    "question_buzzpoints": "One two [H1, -] three. Four five six. [H2, +] [M1, +]",
    "position": [{"1": "[H1, -]"}, {"5": "[H2, +]"}, {"5": "[M1, +]"}],
}
MERGED = {"Literature": ["Lit"], "Arts": ["Arts"]}


def parse(*questions, name="folder/packet3_buzzpoints.json"):
    content = json.dumps(list(questions)).encode()
    return release.parse_packets({name: content}, {}, MERGED)


def changed(**fields):
    return copy.deepcopy(QUESTION) | fields


def kinds(parsed):
    return [f.finding for f in parsed.findings if f.finding != "marks checked"]


def test_a_sound_packet():
    parsed = parse(QUESTION)
    (question,) = parsed.questions
    assert (question["question_id"], question["packet"], question["number"]) == ("p03-q01", 3, 1)
    assert (question["category"], question["n_words"], question["n_sentences"]) == (
        "Literature",
        6,
        2,
    )
    assert [(b["team"], b["word_index"], b["correct"]) for b in parsed.buzzes] == [
        ("H1", 1, False),
        ("H2", 5, True),
        ("M1", 5, True),
    ]
    assert parsed.buzzes[1]["source_row"] == "folder/packet3_buzzpoints.json#1/position/2"
    assert kinds(parsed) == []


def test_marks_at_the_first_and_the_last_word():
    found, words = release.marked_buzzes("One [H1, -] two three. [H2, +]")
    assert found == [(0, "[H1, -]"), (2, "[H2, +]")]
    assert words == ["One", "two", "three."]


@pytest.mark.parametrize(
    ("fields", "finding"),
    [
        (
            {"position": [{"2": "[H1, -]"}, {"5": "[H2, +]"}, {"5": "[M1, +]"}]},
            "marks differ from positions",
        ),
        ({"position": QUESTION["position"][:2]}, "marks differ from positions"),
        (
            {"question_buzzpoints": "One two [H1, -] tree. Four five six. [H2, +] [M1, +]"},
            "marked text differs",
        ),
        ({"category": "Trash"}, "category without a group"),
        (
            {
                "question_buzzpoints": "One two three. Four five six. [M1, +]",
                "position": [{"5": "[M1, +]"}],
            },
            "no human buzz",
        ),
        (
            {
                "question_buzzpoints": "One two [H1, -] three. Four [H1, +] five six.",
                "position": [{"1": "[H1, -]"}, {"3": "[H1, +]"}],
            },
            "team buzzed more than once",
        ),
    ],
)
def test_oddities_are_findings(fields, finding):
    assert kinds(parse(changed(**fields))) == [finding]


def test_a_team_right_twice_is_found_and_kept():
    parsed = parse(changed(position=[{"4": "[H1, +]"}, {"2": "[H1, +]"}, {"3": "[M1, -]"}]))
    details = {finding.finding: finding.detail for finding in parsed.findings}
    assert details["team right more than once"] == "H1 has 2 right buzzes"
    assert [buzz["word_index"] for buzz in parsed.buzzes] == [4, 2, 3]


def test_a_buzz_past_the_end_is_kept_and_found():
    parsed = parse(changed(position=[{"6": "[H1, +]"}]))
    assert "buzz past the end" in kinds(parsed)
    assert parsed.buzzes[0]["word_index"] == 6


def test_an_index_used_twice_and_varying_names():
    parsed = parse(
        QUESTION,
        changed(category="British/Other Lit"),
        changed(tossup_index=8, category="British/Lit/Other"),
    )
    assert kinds(parsed) == [
        "tossup_index used twice",
        "category names vary",
        "category names vary",
    ]
    assert "p03-q01, p03-q02" in parsed.findings[0].detail


def test_punctuation_makes_no_other_category():
    parsed = parse(
        QUESTION | {"category": "Science (Biology)"},
        changed(tossup_index=8, category="Science Biology, Other"),
        changed(tossup_index=9, category="Science"),
        changed(tossup_index=10, category="Science!"),
    )
    places = [f.place for f in parsed.findings if f.finding == "category names vary"]
    assert "Science (Biology) / Science Biology, Other" in places
    assert not {"Science / Science!", "Science! / Science"} & {*places}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"question": 5},
            r"packet3_buzzpoints.json, row question 1 \(tossup_index 7\), column question: found 5, expected the question's text",
        ),
        ({"question": "  "}, "column question: found '  '"),
        ({"tossup_index": None}, r"column tossup_index: found None, expected an index"),
        ({"position": {"1": "[H1, -]"}}, "column position: found .*, expected a list of buzzes"),
        (
            {"position": [{"1": "[H1, *]"}]},
            r"column position/0/1: found '\[H1, \*\]', expected \[H<number>",
        ),
        (
            {"position": [{"1": "[H1, -]", "2": "[H2, -]"}]},
            "column position/0: .*expected one buzz",
        ),
        ({"position": [{"-1": "[H1, -]"}]}, "expected a 0-based word index"),
        ({"position": [{"one": "[H1, -]"}]}, "expected a 0-based word index"),
        ({"answer": ""}, "expected an answer line"),
    ],
)
def test_a_bad_field_is_one_clear_error(fields, message):
    with pytest.raises(DataError, match=message) as error:
        parse(changed(**fields))
    assert len(error.value.faults) == 1


def test_every_fault_is_reported_at_once():
    without = {k: v for k, v in QUESTION.items() if k != "category"}
    with pytest.raises(DataError) as error:
        parse(changed(question=1), without)
    assert [(f.row, f.column) for f in error.value.faults] == [
        ("question 1 (tossup_index 7)", "question"),
        ("question 2 (tossup_index 7)", "category"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[{", r"line 1 column 3"),
        (b"\xff\xfe", "UTF-8 text"),
        (b"{}", "expected a list of questions"),
        (b"[]", "expected a list of questions"),
        (b"[1]", "expected a question"),
    ],
)
def test_a_file_that_is_no_packet(content, message):
    with pytest.raises(DataError, match=message):
        release.parse_packets({"packet1.json": content}, {}, MERGED)


def test_packet_numbers():
    content = json.dumps([QUESTION]).encode()
    with pytest.raises(DataError, match="a name with packet<number>"):
        release.parse_packets({"first.json": content}, {}, MERGED)
    with pytest.raises(DataError, match=r"other than that of a/packet1\.json"):
        release.parse_packets({"a/packet1.json": content, "b/packet01.json": content}, {}, MERGED)


@pytest.fixture
def questions():
    return pd.DataFrame(parse(QUESTION, changed(tossup_index=7), changed(tossup_index=9)).questions)


def entry(index, teams, packet=3):
    return {"tossup_index": index, "packet": packet, "total_human_teams": teams}


FILES = {"per_packet": "per.pkl", "combined": "combined.pkl"}


def test_participation_by_order(questions):
    rows, findings = release.parse_participation(
        {"per_packet": [entry(7, ["H1", "A"]), entry(7, ["H2"])]}, questions, ["H1", "H2"], FILES
    )
    assert [(r["question_id"], r["team"], r["is_team"]) for r in rows] == [
        ("p03-q01", "A", False),
        ("p03-q01", "H1", True),
        ("p03-q02", "H2", True),
    ]
    assert [(f.finding, f.place) for f in findings] == [
        ("question without participation", "p03-q03"),
        ("identifier is no team", "per_packet: A"),
    ]
    _, findings = release.parse_participation({"per_packet": [entry(7, ["A"])]}, questions, None, FILES)
    assert findings[-1].detail == "'A' in 1 rows is not H or M and a number"


def test_a_table_keyed_by_an_index_used_twice_loses_a_question(questions):
    table = {7: {"tossup_index": 7, "packet": 4, "seen": ["H1"]}}
    rows, findings = release.parse_participation({"combined": table}, questions, ["H1"], FILES)
    assert [r["question_id"] for r in rows] == ["p03-q01", "p03-q02"]
    assert [f.finding for f in findings] == [
        "table loses a question",
        "table loses a question",
        "question without participation",
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([entry(8, ["H1"])], r"per.pkl, row 1, column tossup_index: found 8, expected '7'"),
        ([entry(7, "H1")], "column total_human_teams: found 'H1', expected a list of teams"),
        (["H1"], "expected a mapping"),
    ],
)
def test_bad_participation(questions, table, message):
    with pytest.raises(DataError, match=message):
        release.parse_participation({"per_packet": table}, questions, ["H1"], FILES)


def test_exposures_say_where_they_are_known_from(questions):
    parsed = parse(QUESTION)
    buzzes = pd.DataFrame(parsed.buzzes)
    rows, _ = release.parse_participation(
        {"per_packet": [entry(7, ["H1", "H3", "A"]), entry(7, []), entry(9, [])]},
        questions,
        ["H1", "H3"],
        FILES,
    )
    # Of H2 and M1 nothing is declared in the packet.
    declared, buzzed = {"H1", "H3"}, {"H2", "M1"}
    cases = {
        ("per_packet", "seen"): {(1, "declared"): declared, (1, "buzzed"): buzzed},
        ("per_packet", "packets"): {
            (1, "declared"): declared,
            (1, "buzzed"): buzzed,
            (2, "packet"): buzzed,
            (3, "packet"): buzzed,
        },
        (None, "seen"): {(1, "buzzed"): {"H1", *buzzed}},
        (None, "packets"): {
            (1, "buzzed"): {"H1", *buzzed},
            (2, "packet"): {"H1", *buzzed},
            (3, "packet"): {"H1", *buzzed},
        },
    }
    for (table, heard), expected in cases.items():
        found = release.tidy_exposures(questions, buzzes, pd.DataFrame(rows), table, heard)
        number = found["question_id"].str[-1].astype(int)
        assert found.groupby([number, "source"])["team"].agg(set).to_dict() == expected
