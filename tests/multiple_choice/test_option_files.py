"""Question files, results and annotations: bad input is one clear error."""

import json

import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.multiple_choice import option_files, tables
from calscore.runner import config
from calscore.simulate import choices
from option_rows import FILES


def changed(key, value):
    def change(document):
        document["3"][key] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda d: d["3"].pop("confidence"),
            "row 3, column confidence: found None, expected the key to be present",
        ),
        (changed("confidence", "85%"), "column confidence: found '85%', expected a number from 0"),
        (changed("confidence", 850), "column confidence: found 850, expected a number from 0"),
        (changed("confidence", None), "column confidence: found None, expected a number from 0"),
        (changed("confidence", float("nan")), "column confidence: found nan"),
        (changed("confidence", True), "column confidence: found True"),
        (changed("output", 2), "column output: found 2, expected 1"),
        (changed("output", None), "column output: found None"),
        (changed("predicted_answer", None), "column predicted_answer: found None"),
        (changed("question", "Another?"), "column question: found 'Another?', expected the"),
        (changed("gold_answer", "x"), "column gold_answer: found 'x', expected the question"),
        (lambda d: d.update({"99": d["3"]}), "row 99: found '99', expected a row of the question"),
        (lambda d: d.update({"03": d["3"]}), "row 03: found '03', expected a row of the question"),
        (lambda d: d.update({"3": []}), "row 3: found [], expected an object with"),
    ],
)
def test_a_malformed_row_is_one_clear_error(written, change, message):
    questions, path = written
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DataError) as error:
        option_files.read_results(path, questions, "gpt-4o", "shared", "normal")
    assert len(error.value.faults) == 1
    assert message in str(error.value) and path.name in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"3": {}, "3": {}}', "row 3: found '3 twice', expected every key once"),
        ("[]", "found 'list', expected an object of rows"),
        ("{}", "expected an object of rows"),
        ('{"0": ', "line 1 column 7: .*expected JSON"),
    ],
)
def test_a_malformed_file_is_one_clear_error(written, text, message):
    questions, path = written
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message) as error:
        option_files.read_results(path, questions, "gpt-4o", "shared", "normal")
    assert len(error.value.faults) == 1


def test_a_good_file_passes(written):
    questions, path = written
    table, _ = option_files.read_results(path, questions, "gpt-4o", "shared", "normal")
    parents = {"option_questions": questions}
    assert not store.validation_errors(table, "option_results", parents=parents)
    assert len(table) == 30


HEAD = "metadata,problem,answer,wrong_answer_1,wrong_answer_2,wrong_answer_3\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('"{broken",q,a,x,y,z', "row 0, column metadata"),
        ("{[1]: 2},q,a,x,y,z", r"row 0, column metadata: found '{\[1\]: 2}', expected a dict"),
        ("-" * 100_000 + "1,q,a,x,y,z", "row 0, column metadata"),
        ("{},,a,x,y,z", "row 0, column problem"),
        ("{},q, ,x,y,z", "row 0, column answer"),
    ],
)
def test_a_malformed_question_file_is_one_clear_error(tmp_path, line, message):
    path = tmp_path / "q.csv"
    path.write_text(HEAD + line)
    with pytest.raises(DataError, match=message):
        option_files.read_questions(path)


def test_missing_fields_are_listed(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text(HEAD + "{'topic': 'Art'},q,None,x,x,\n")
    table, found = option_files.read_questions(path)
    kinds = ["missing field", "empty distractor", "distractors repeat"]
    assert [one.finding for one in found] == [*kinds, "answer that reads as missing"]
    assert table["answer_type"].isna().all()


def test_no_results_are_one_clear_error():
    with pytest.raises(DataError, match="column option_results: found None, expected at least one results"):
        option_files.read_result_files([], None)


def test_rows_in_one_setting_only_are_listed(real):
    less = real[(real["setting"] == "normal") | (real["row"] > 4)]
    found = option_files.pairing_findings(less)
    assert [one.detail for one in found] == ["5 rows, first 0"]
    table = tables.scores(less, tables.Resamples(less, 200, 0), {}, 0.95)
    assert table["n_paired"].unique().tolist() == [15]


def test_annotations_are_checked(small, written, tmp_path):
    questions, _ = written
    files = [
        (tmp_path / "options" / choices.result_file_name(m, "shared", s), m, "shared", s)
        for m in small["truth"]["models"]
        for s in FILES
    ]
    results, _ = option_files.read_result_files(files, questions)
    path = tmp_path / "annotations.csv"
    good = option_files.read_annotations(results, path)
    assert good["option_annotations"]["annotator"].nunique() == 3
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines[:3], lines[2], lines[3].rsplit(",", 1)[0] + ",YES"]) + "\n")
    with pytest.raises(DataError) as error:
        option_files.read_annotations(results, path)
    assert [fault.column for fault in error.value.faults] == ["annotator", "verdict"]


@pytest.mark.parametrize(
    ("study", "message"),
    [
        ({"analyses": ["options"], "inputs": {}}, "option_questions, and option_results"),
        ({"analyses": ["options"], "inputs": {"option_result": []}}, "did you mean 'option_results'"),
        ({"analyses": ["buzz", "options"], "simulate": {"seed": 1}}, "two studies"),
    ],
)  # fmt: skip
def test_configuration(study, message):
    with pytest.raises(DataError, match=message):
        config.load({"studies": {"mine": study}})
