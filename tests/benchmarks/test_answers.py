"""The comparison of matchers: what is counted, by whom, and that what is absent is said."""

import json
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest

from benchmarks.answers import __main__ as command
from benchmarks.answers import peers, sets
from benchmarks.answers.sets import Case

PEDANT = Path(peers.__file__).parent / "pedant.py"


def case(guess: str, expected: str, group: str = "a") -> Case:
    return Case(("x [or y; prompt on z]",), ("x", "y"), guess, expected, group)


CASES = [case("x", "accept"), case("y", "accept"), case("z", "prompt"), case("w", "reject")]


@pytest.mark.parametrize(
    ("found", "right", "three_way", "false_accepts", "false_rejects"),
    [
        (["accept", "accept", "prompt", "reject"], 1.0, 1.0, 0, 0),
        (["accept", "accept", "reject", "reject"], 1.0, 0.75, 0, 0),
        (["accept", "prompt", "accept", "reject"], 0.5, 0.5, 1, 1),
        (["reject"] * 4, 0.5, 0.25, 0, 2),
    ],
)
def test_what_is_counted(found, right, three_way, false_accepts, false_rejects):
    said = command.figures(CASES, found, np.array([True, False, False, False]))
    assert (said["right"], said["three_way"]) == (right, three_way)
    assert (said["false_accepts"], said["false_rejects"]) == (false_accepts, false_rejects)
    assert said["cases"] == 4


def test_a_threshold_never_comes_from_its_own_fold():
    """In each group the right ones are more alike than the wrong ones, and one group is the other way round."""
    groups = [f"g{i % 20}" for i in range(200)]
    right = np.array([i // 20 % 2 == 0 for i in range(200)])
    odd = np.array([group == "g0" for group in groups])
    likeness = np.where(right ^ odd, 90.0, 30.0).tolist()
    accepted = command.by_folds(likeness, right, groups)
    assert (accepted[~odd] == right[~odd]).all()
    assert (accepted[odd] != right[odd]).all()


def test_the_peers_of_the_project_on_four_cases():
    assert peers.engine(CASES).found == ["accept", "accept", "prompt", "reject"]
    assert peers.exact(CASES).found == ["accept", "accept", "reject", "reject"]
    assert peers.PEERS["RapidFuzz ratio"](CASES).found == [100.0, 100.0, 0.0, 0.0]


def pedant(cases, place=None, code: str = "", **variables: str) -> dict:
    """What the process of PEDANT answers, with a stand-in for qa-metrics of that code."""
    options = ["-I"] if place is None else []
    if place is not None:
        (place / "qa_metrics").mkdir()
        (place / "qa_metrics" / "__init__.py").touch()
        (place / "qa_metrics" / "pedant.py").write_text(code)
    run = subprocess.run(
        [sys.executable, *options, str(PEDANT)],
        input=json.dumps({"cases": cases, "passes": 1}),
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(place), **variables},
        check=True,
    )
    return json.loads(run.stdout)


def test_pedant_takes_weights_from_a_folder_and_is_given_what_is_accepted(tmp_path):
    code = (
        "import joblib\n"
        "def download_link(*_): raise SystemExit('fetched')\n"
        "class PEDANT:\n"
        "    def __init__(self):\n"
        "        download_link()\n"
        "        self.asked = joblib.load('/nowhere/clf.pkl')\n"
        "        print('loading')\n"
        "    def evaluate(self, references, guess, question):\n"
        "        return question in self.asked and guess in references\n"
        "    def get_score(self, reference, guess, question): return 0.25 * (guess == reference)\n"
    )
    weights = tmp_path / "weights"
    weights.mkdir()
    joblib.dump(["who"], weights / "clf.pkl")
    cases = [[["line"], ["x", "y"], "y", "who"], [["line"], ["x"], "line", "who"]]
    said = pedant(cases, tmp_path, code, PEDANT_WEIGHTS=str(weights))
    assert said["found"] == ["accept", "reject"]
    assert said["likeness"] == [25.0, 0.0] and len(said["seconds"]) == 1


@pytest.mark.parametrize(
    ("line", "tagged"),
    [
        ("_Apollo_ Mission", "<u>Apollo</u> Mission"),
        ("**Ada** __Love lace__ [or _A. L._]", "<u>Ada</u> <u>Love lace</u> [or <u>A. L.</u>]"),
        ("<u>Apollo</u> * and **", "<u>Apollo</u> * and **"),
    ],
)
def test_markdown_becomes_tags_for_the_checker(line, tagged):
    assert peers.with_tags(line) == tagged


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (None, "qa-metrics cannot be imported"),
        ("class PEDANT:\n    def __init__(self): open('/nowhere/clf.pkl')", "weights (clf.pkl)"),
    ],
)
def test_pedant_says_why_it_is_absent(tmp_path, code, said):
    found = pedant([], *((tmp_path, code) if code else ()))
    assert said in found["absent"]


def test_what_is_absent_is_named_and_left_out(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(sets, "DATA", tmp_path)
    monkeypatch.setattr(sets, "suites", lambda: ["answer_pairs.csv"])
    monkeypatch.setattr(peers, "FOLDER", tmp_path)
    table, absent = command.compare()
    said = capsys.readouterr().out
    for title in ("qbreader", "EVOUNA NQ", "EVOUNA TQ", "GRACE, adjudicated"):
        assert f"{title} is left out: " in said
    assert set(absent) == {"PEDANT", "qb-answer-checker"}
    for name, why in absent.items():
        assert why and f"{name} is left out: {why}" in said
    assert set(table["matcher"]) == set(peers.PEERS) - {"PEDANT", "qb-answer-checker"}
    rows = command.cells(table, "set", command.right_text, command.COLUMNS)
    assert rows[2].count(f"| {command.LEFT_OUT} ") == 3


def test_hits_are_counted_by_rule():
    known = {"qbreader": CASES, command.MARKED: CASES, "GRACE, adjudicated": CASES[2:3]}
    rows = command.rule_hits(known | {"own: x": [case("x", "reject")]})
    assert rows[2:] == [
        "| exact | 1 | 0 | 1 | 1 |",
        "| prompt | 2 | 0 | 0 | 0 |",
        "| alias | 1 | 0 | 0 | 0 |",
        "| no match | 1 | 0 | 0 | 0 |",
    ]


def test_a_table_is_written_between_its_comments():
    page = "a\n<!-- speed -->\nold\n<!-- end of speed -->\nb"
    assert command.written(page, "speed", ["| new |"]) == (
        "a\n<!-- speed -->\n| new |\n<!-- end of speed -->\nb"
    )
    with pytest.raises(SystemExit, match="no one place for accuracy"):
        command.written(page, "accuracy", [])


def test_the_guesses_on_grace_each_have_one_verdict():
    try:
        cases = sets.grace()
    except sets.Absent as error:
        pytest.skip(str(error))
    keys = [(one.group, one.guess, one.condition) for one in cases]
    assert len(set(keys)) == len(keys) > 5000
    assert {one.expected for one in cases} == {"accept", "prompt", "reject"}
