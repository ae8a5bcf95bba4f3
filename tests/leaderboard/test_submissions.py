"""Formats of submissions and plays, and what is wrong with them."""

import json

import pandas as pd
import pytest
from boards import human_plays
from calscore.core import store
from calscore.core.errors import DataError
from calscore.leaderboard import submissions, tossups
from calscore.runner import config
from leaderboard.test_tossups import duel


def test_the_end_mark_counts_as_the_last_word():
    """A human at the END mark and one past it have heard all ten words, as a run over all of them has."""
    for index in (9, 10, 11):
        assert duel(index, 10).h == 0
        assert duel(index, 10).win_code_strict == 1
    assert submissions.words_heard([0, 9, 10], [10, 10, 10]).tolist() == [1, 10, 10]


RUNS = [
    {"guess": "A", "confidence": 0.2, "buzz": False, "run_idx": 0, "correct": False, "token_position": 3},
    {"guess": "B", "confidence": 0.9, "buzz": True, "run_idx": 1, "correct": 1, "token_position": 6},
]  # fmt: skip


def test_errors_are_counted_apart_and_missing_verdicts_judged(tmp_path):
    path = tmp_path / "n.jsonl"
    runs = [
        {"guess": "ERROR", "confidence": 1.0, "buzz": True, "correct": True, "token_position": 2},
        {"guess": "Silas Marner", "confidence": 0.9, "buzz": True, "token_position": 4},
    ]
    path.write_text(
        json.dumps({"qid": "q1", "run_outputs": runs}) + "\n" + json.dumps({"qid": "zz", "run_outputs": runs})
    )
    questions = pd.DataFrame({"question_id": ["q1"], "source_id": "s", "n_words": 3, "text": "one two three", "answerline": "Silas Marner"})  # fmt: skip
    findings = []
    table = submissions.match_questions(submissions.read_runs(path, "m"), questions, findings)
    table = submissions.tidy_runs(table, questions, findings, submissions.judge_runs)
    assert table["correct"].to_list() == [False, True]
    assert table["judged"].to_list() == ["given", "engine"]
    assert {f.finding for f in findings} == {
        "question not in the study", "token position past the end", "ERROR in place of a guess", "judged by the engine",
    }  # fmt: skip
    firsts = tossups.first_buzzes(table, table[["submission", "question_id"]])
    assert firsts.loc[0, ["errors", "error_buzz", "right"]].to_list() == [1, True, False]
    sums = tossups.calibration_sums(table, human_plays([], 1))
    assert sums["paper", "m"]["n"].to_list() == [1]
    with pytest.raises(DataError, match="without answer lines"):
        submissions.tidy_runs(
            submissions.match_questions(submissions.read_runs(path, "m"), questions, []),
            questions,
            [],
        )


@pytest.mark.parametrize(
    ("confidence", "hint"),
    [("85%", r" \(85 % is 0.85\)"), (85, r" \(85 % is 0.85\)"), ("0.85", r" \(a number, not text: 0.85\)")],
)  # fmt: skip
def test_a_percentage_is_refused_with_the_probability_meant(confidence, hint, tmp_path):
    path = tmp_path / "n.jsonl"
    runs = [RUNS[0] | {"confidence": confidence}]
    path.write_text(json.dumps({"qid": "q1", "run_outputs": runs}))
    with pytest.raises(DataError, match="a probability from 0 to 1" + hint):
        submissions.read_runs(path, "m")


def test_a_question_without_outputs_is_silence(tmp_path):
    path = tmp_path / "n.jsonl"
    lines = [{"qid": "q1", "run_outputs": RUNS}, {"qid": "q2", "run_outputs": []}]
    path.write_text("\n".join(map(json.dumps, lines)))
    questions = pd.DataFrame({"question_id": ["q1", "q2"], "source_id": ["s", "t"], "n_words": 6})
    findings = []
    runs = submissions.match_questions(submissions.read_runs(path, "m"), questions, findings)
    runs = submissions.tidy_runs(runs, questions, findings)
    assert not store.validation_errors(runs, "runs")
    assert [one.finding for one in findings] == ["question without outputs"]
    asked = runs[["submission", "question_id"]].drop_duplicates()
    firsts = tossups.first_buzzes(runs, asked)
    assert firsts["buzzed"].tolist() == [True, False]
    assert tossups.tossup_points(firsts, "code").tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("given", "numbers"), [((3, None), [0, 1]), ((None, 3), [0, 1]), ((3, 5), [3, 5]), ((None, None), [0, 1])]
)
def test_a_question_with_a_run_without_number_is_counted_from_0(tmp_path, given, numbers):
    path = tmp_path / "n.jsonl"
    runs = [run | {"run_idx": number} for run, number in zip(RUNS, given, strict=True)]
    path.write_text(json.dumps({"qid": "q1", "run_outputs": runs}))
    questions = pd.DataFrame({"question_id": ["q1"], "source_id": "s", "n_words": 6})
    rows = submissions.match_questions(submissions.read_runs(path, "m"), questions, [])
    assert submissions.tidy_runs(rows, questions, [])["run"].tolist() == numbers


def test_a_submission_may_have_a_file_for_each_packet(tmp_path):
    paths = [tmp_path / f"packet{n}.jsonl" for n in (1, 2)]
    for number, path in enumerate(paths, start=1):
        path.write_text(json.dumps({"qid": f"q{number}", "run_outputs": RUNS}))
    plays = tmp_path / "plays.jsonl"
    lines = [{"qid": q, "human_buzz_positions": [[3, 10]], "n_words": 6} for q in ("q1", "q2")]
    plays.write_text("\n".join(map(json.dumps, lines)))
    found = submissions.tidy_submissions(paths, ["m", "m"], None, plays, None, None, 1)
    assert found["runs"].groupby("submission")["question_id"].nunique().to_dict() == {"m": 2}
    with pytest.raises(DataError, match="packet1.jsonl, column qid: found 'q1', expected a question that occurs in one file"):  # fmt: skip
        submissions.tidy_submissions([paths[0]] * 2, ["m", "m"], None, plays, None, None, 1)


def findings_of(tmp_path, *submitted):
    """{(kind, place): detail} of submissions, each a list of JSON lines, without buzz logs."""
    plays = [{"qid": f"q{i}", "human_buzz_positions": [[9, 10]]} for i in range(3)]
    path = tmp_path / "plays.jsonl"
    path.write_text("\n".join(map(json.dumps, plays)))
    files = []
    for i, records in enumerate(submitted):
        files.append(tmp_path / f"m{i}.jsonl")
        files[-1].write_text("\n".join(map(json.dumps, records)))
    names = [path.stem for path in files]
    found = submissions.tidy_submissions(files, names, None, path, None, None, 1)["findings"]
    return {(one.finding, one.place): one.detail for one in found}


def shifted(by):
    return [{**run, "token_position": run["token_position"] + by} for run in RUNS]


def test_a_question_that_a_file_has_twice_is_found(tmp_path):
    once = [{"qid": f"q{i}", "run_outputs": RUNS} for i in range(3)]
    assert findings_of(tmp_path, once) == {}
    lacking = {("submission lacks questions", "m0"): "1 of 3 questions have no run"}
    assert findings_of(tmp_path, once[:2]) == lacking
    twice = findings_of(tmp_path, [*once, {"qid": "q1", "run_outputs": shifted(1)}])
    assert twice == {("question twice in a submission", "m0"): "1 of 3 questions, first q1 in lines 2 and 4"}


def test_a_submission_without_any_of_the_questions_is_an_error(tmp_path):
    known = [{"qid": f"q{i}", "run_outputs": RUNS} for i in range(3)]
    with pytest.raises(DataError, match="m1") as error:
        findings_of(tmp_path, known, [{"qid": "zz", "run_outputs": RUNS}])
    assert "found 'zz', expected at least one question of the study" in str(error.value)


@pytest.mark.parametrize(
    ("gone", "said"), [(6, "no run has a confidence"), (2, "2 of 6 runs have no confidence")]
)
def test_missing_confidences_are_found(tmp_path, gone, said):
    runs = [run for _ in range(3) for run in RUNS]
    runs = [{**run, "confidence": None} if i < gone else run for i, run in enumerate(runs)]
    records = [{"qid": f"q{i}", "run_outputs": runs[2 * i : 2 * i + 2]} for i in range(3)]
    assert findings_of(tmp_path, records) == {("runs without a confidence", "m0"): said}


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_named_by_line_and_field(tmp_path, value):
    path = tmp_path / "n.jsonl"
    record = json.dumps({"qid": "q1", "run_outputs": RUNS}).replace("0.9", value)
    path.write_text(json.dumps({"qid": "q0", "run_outputs": RUNS}) + "\n" + record)
    with pytest.raises(DataError) as error:
        submissions.read_runs(path, "m")
    assert str(error.value) == (
        f"n.jsonl, row 2, column run_outputs/1/confidence: found {value!r}, "
        "expected JSON without NaN and Infinity"
    )


def test_plays_given_as_pairs(tmp_path):
    path = tmp_path / "h.jsonl"
    path.write_text(
        '{"qid": "q1", "human_buzz_positions": [[12, 10], {"position": 5, "points": -5}, [7, 0]], "n_words": 20}\n'
        '{"qid": "q2", "human_buzz_positions": []}'
    )
    plays, questions = submissions.read_human_plays(path)
    assert plays[["position", "correct", "neg"]].to_numpy().tolist() == [
        [5, False, True],
        [7, False, False],
        [12, True, False],
    ]
    assert questions["n_words"].to_list() == [20, pd.NA]
    assert not store.validation_errors(plays, "human_plays")
    path.write_text('{"qid": "q1", "human_buzz_positions": [[-1, 10]]}')
    with pytest.raises(DataError, match="row 1, play 1"):
        submissions.read_human_plays(path)


@pytest.mark.parametrize(("base", "positions"), [(1, [5, 12]), (0, [6, 13])])
def test_positions_of_plays_count_from_0_or_1(tmp_path, base, positions):
    path = tmp_path / "h.jsonl"
    path.write_text('{"qid": "q1", "human_buzz_positions": [[12, 10], [5, null]]}')
    plays, _ = submissions.read_human_plays(path, base)
    assert plays["position"].tolist() == positions
    assert plays["censored"].tolist() == [True, False] and plays["points"].isna().tolist() == [True, False]  # fmt: skip
    path.write_text('{"qid": "q1", "human_buzz_positions": [[0, 10]]}')
    early, _ = submissions.read_human_plays(path, base)
    assert early["position"].tolist() == [1 - base]
    assert not store.validation_errors(early, "human_plays")


ONE = {"guess": "x", "confidence": 0.5, "buzz": True, "run_idx": 0, "correct": True, "token_position": 3}  # fmt: skip


def _line(qid="q1", **changed):
    """A line of a submission with one run, some fields of which are changed."""
    return json.dumps({"qid": qid, "run_outputs": [ONE | changed]}, ensure_ascii=False)


LINES = [
    ("", "found 0, expected at least one line"),
    (" \n\n", "found 0, expected at least one line"),
    (f"[{_line()}]", "row 1: found .*expected a JSON object"),
    (_line().replace(" ", "\n"), "row 1, .*expected a JSON object"),
    (_line().encode("utf-16"), "expected UTF-8 text"),
    (_line(guess="é").encode("latin-1"), "row 1, column byte .*expected UTF-8 text"),
    (b"\x1f\x8bxx", "expected a file that can be read"),
    (_line()[:-1], "row 1"),
    (json.dumps({"qid": "q1", "run_outputs": None}), "row 1, column run_outputs: found None, expected a list"),
    (json.dumps({"qid": "q1", "run_outputs": [None]}), "row 1, run 1: found None, expected a JSON object"),
    (_line() + "\n" + _line(), "row 2/run 1, column token_position: found 3, expected a position that occurs once on q1"),
    *((_line(qid), "row 1, column qid: found .*expected a question's id") for qid in (None, " ", True, ["q1"], {})),
    *((_line(confidence=value), "row 1, run 1, column confidence: found .*expected a probability from 0 to 1") for value in ("0.5", 50, -0.1, True, [0.5])),
    *((_line().replace("0.5", word), "row 1, column run_outputs/0/confidence") for word in ("NaN", "Infinity", "1e999")),
    *((_line(token_position=value), "row 1, run 1, column token_position: found .*expected words heard, a whole number from 1") for value in (0, -1, 3.5, "3", None, True, 10**9)),
    *((_line(buzz=value), "row 1, run 1, column buzz: found .*expected true or false") for value in ("true", 1, None)),
    *((_line(correct=value), "row 1, run 1, column correct") for value in (2, "yes", 0.5)),
    *((_line(run_idx=value), "row 1, run 1, column run_idx") for value in (-1, "a")),
    (_line().replace('"buzz": true, ', ""), "row 1, run 1, column buzz: found None, expected the field"),
]  # fmt: skip
"""Content of a JSON Lines file and what is said of it."""


@pytest.mark.parametrize(("content", "message"), LINES)
def test_a_faulty_submission_is_named_by_row_and_field(tmp_path, content, message):
    path = tmp_path / "m.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataError, match=rf"^m\.jsonl.*{message}"):
        submissions.read_runs(path, "m")


@pytest.mark.parametrize("content", ["\ufeff" + _line(), _line() + "\r\n\r\n"])
def test_marks_and_line_ends_of_a_submission(tmp_path, content):
    path = tmp_path / "m.jsonl"
    path.write_bytes(content.encode())
    row = submissions.read_runs(path, "m").iloc[0]
    names = ["qid", "position", "guess", "confidence", "buzz", "correct"]
    assert row[names].to_list() == ["q1", 3, "x", 0.5, True, True]


def test_a_folder_is_no_submission(tmp_path):
    (tmp_path / "m.jsonl").mkdir()
    with pytest.raises(DataError, match=r"expected a .jsonl file"):
        submissions.read_runs(tmp_path / "m.jsonl", "m")


def test_files_of_one_submission_have_one_group():
    files = [{"path": f"packet{n}.jsonl", "name": "Ada", "group": "School"} for n in (1, 2)]
    study = {"inputs": {"submissions": files, "bonus_submissions": []}}
    config._check_submissions(study, "cup", "cup.yaml")
    files[1]["group"] = "Open"
    with pytest.raises(DataError, match="column group: found 'Open', expected 'School'"):
        config._check_submissions(study, "cup", "cup.yaml")
