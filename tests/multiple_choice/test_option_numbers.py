"""The numbers in resources/confidence-gap: written from the originals, and read as they are."""

import hashlib

import pytest
from calscore.core.errors import DataError
from calscore.multiple_choice import ledger, option_files, option_numbers, tables
from option_rows import FILES
from support import ROOT, configuration

FOLDER = ROOT / "resources" / "confidence-gap"
TEXTS = ["question", "answer", "wrong_1", "wrong_2", "wrong_3"]
STUDY = configuration("config")["studies"]["confidence-gap"]["inputs"]


@pytest.fixture(scope="module")
def numbers():
    questions, _ = option_files.read_questions(FOLDER / "questions.csv", with_texts=False)
    who = "gpt-4o-mini", "shared"
    files = [(FOLDER / f"{'_'.join(who)}_{setting}.csv", *who, setting) for setting in FILES]
    return questions, option_files.read_result_files(files, questions)


def test_the_committed_files_are_written_from_the_originals(questions, real, tmp_path):
    option_numbers.write_numbers(questions[0], real, tmp_path)
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    committed = {p.name: p.read_bytes() for p in FOLDER.iterdir() if p.name != "README.md"}
    assert written == committed


def test_every_table_is_that_of_the_originals(questions, real, numbers):
    mine, (results, _) = numbers
    assert mine.drop(columns=TEXTS).equals(questions[0].drop(columns=TEXTS))
    assert results.drop(columns="predicted_answer").equals(real.drop(columns="predicted_answer"))
    assert ledger._distractors(mine) == ledger._distractors(questions[0])
    made = [
        tables.tabulate_options(of, answers, {}, replicates=50, seed=1, level=0.95)
        for of, answers in ((mine, results), (questions[0], real))
    ]
    assert made[0].keys() == made[1].keys()
    for name, table in made[0].items():
        same = table == made[1][name] if isinstance(table, str) else table.equals(made[1][name])
        assert same, name


def test_equal_answers_have_one_id(questions, real, numbers):
    _, (results, _) = numbers
    counts = real.groupby("row")["predicted_answer"].nunique()
    assert results.groupby("row")["predicted_answer"].nunique().equals(counts)


def test_the_configuration_names_these_bytes():
    entries = [STUDY["option_questions"]]
    entries += [STUDY["option_results"][0][setting] for setting in FILES]
    sums = dict(line.split("  ")[::-1] for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    assert {entry["name"]: entry["sha256"] for entry in entries} == sums
    for name, digest in sums.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest


def test_a_model_cannot_be_asked_without_texts():
    with pytest.raises(DataError, match=r"column problem: .*make confidence-gap FETCH=1"):
        option_files.read_questions(FOLDER / "questions.csv")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0,Art,Person,abd"], "row 0, column wrong: found 'abd'"),
        (["0,Art,Person,ab"], "row 0, column wrong: found 'ab'"),
        (["1,Art,Person,abc"], "row 0, column row: found '1'"),
        ([], "at least one question"),
    ],
)
def test_a_malformed_question_is_refused(tmp_path, lines, message):
    path = tmp_path / "questions.csv"
    path.write_text("\n".join(["row,topic,answer_type,wrong", *lines]) + "\n")
    with pytest.raises(DataError, match=message):
        option_files.read_questions(path, with_texts=False)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("9999999,g1,50,1", "row 2, column row: found '9999999'"),
        ("0,g1,101,1", "row 2, column confidence: found '101'"),
        ("0,g1,,1", "row 2, column confidence: found ''"),
        ("0,g1,50,2", "row 2, column output: found '2'"),
        ("0,g1,50,1\n0,g1,50,1", "row 3, column row: found '0'"),
        ("", "answers.csv, column row: found None, expected at least one answer"),
    ],
)
def test_a_malformed_answer_is_refused(numbers, tmp_path, line, message):
    path = tmp_path / "answers.csv"
    path.write_text(f"row,answer,confidence,output\n{line}\n")
    with pytest.raises(DataError, match=message):
        option_numbers.read_answer_numbers(path, numbers[0], "m", "shared", "normal")
