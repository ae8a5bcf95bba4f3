"""The numbers of a release in resources/grace: what they are, what a reader makes of them, and no text among them."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess

import grace_release
import pandas as pd
import pytest
import yaml
from calscore.answers import judging
from calscore.core.errors import DataError
from calscore.raw import extract, formats, model_output_files
from support import ROOT

FOLDER = ROOT / "resources" / "grace"


@pytest.fixture(scope="module")
def tables():
    categories = ({}, {}, "per_packet", "packets", "release")
    return extract.extract_tables(FOLDER, *categories)


def test_the_files_are_those_of_the_sums_and_small():
    lines = (FOLDER / extract.SUMS).read_text(encoding="utf-8").splitlines()
    sums = dict(reversed(line.split("  ")) for line in lines)
    assert sums == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.csv")
    }
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_000_000


def test_the_numbers_of_the_runs_are_those_of_the_outputs():
    """Their digest is the one that the configuration of the outputs names."""
    config = yaml.safe_load((ROOT / "config" / "grace-outputs.yaml").read_text(encoding="utf-8"))
    sources = {extract.question_id(row): row["source_id"] for row in extract.read_table(FOLDER, "questions")}  # fmt: skip
    documents: dict[int, dict] = {}
    for row in extract.read_table(FOLDER, "runs"):
        packet = documents.setdefault(row["packet"], {})
        index = sources[extract.question_id(row)]
        question = packet.setdefault(row["number"], {"tossup_index": index})
        output = {"conf": float(row["log_confidence"]), "correctness": bool(row["authors"])}
        question.setdefault(row["model"], []).append(output)
    parsed = [("", packet, list(questions.values())) for packet, questions in documents.items()]
    expected = config["studies"]["grace"]["inputs"]["guesses"][0]["numbers_sha256"]
    assert model_output_files.digest(parsed) == expected


def test_counts(tables):
    sizes = {name: len(tables[name]) for name in ("questions", "buzzes", "output_buzzes")}
    assert sizes == {"questions": 240, "buzzes": 1749, "output_buzzes": 1121}
    rows, _ = extract.parse_runs(FOLDER)
    assert len(rows) == 11274
    assert sum(row["correct_given"] for row in rows) == 1895
    assert tables["questions"][["text", "answerline"]].isna().all(axis=None)
    row = tables["buzzes"].iloc[0]
    file = "[public]ALL_final_buzzpoints/packet1_buzzpoints.json"
    assert row["source_row"] == f"buzzes.csv#2 = {file}#1/position/1"


def test_marks_follow_from_the_verdicts(tables):
    """Engine and strict by the verdicts on guesses as read and as sent, adjudicated by those by hand."""
    questions = tables["questions"]
    guesses = formats.tidy_guesses(questions, [], extract=FOLDER)["guesses"]
    overrides = ROOT / "config" / "adjudications" / "grace.csv"
    table, _ = judging.verdicts_of_extract(questions, guesses, FOLDER)
    guesses, judged, findings = judging.judge_rows(
        guesses, questions, overrides, None, "engine", table
    )
    assert not [one for one in findings if one.finding == "override without a guess"]
    marks, _ = judging.marks_by_judge(guesses, judged)
    runs = pd.DataFrame([row.cells for row in extract.read_table(FOLDER, "runs")])
    for name in ("authors", "strict", "engine", "adjudicated"):
        assert marks[name].astype(int).tolist() == runs[name].tolist(), name


def test_guesses_of_a_user_need_marks(tables, tmp_path):
    line = {"model": "mine", "elicitation": "logit", "question_id": "p01-q01", "position": 9, "guess": "a b", "mean_logprob": -0.1}  # fmt: skip

    def tidy(**more):
        path = tmp_path / "mine.jsonl"
        path.write_text(json.dumps(line | more), encoding="utf-8")
        source = {"path": str(path), "format": "jsonl"}
        return formats.tidy_guesses(tables["questions"], [source], extract=FOLDER)["guesses"]

    with pytest.raises(DataError, match="row 1, column correct: .*make grace FETCH=1 GUESSES="):
        tidy()
    guesses = tidy(correct=True)
    judged, findings = judging.verdicts_of_extract(tables["questions"], guesses, FOLDER)
    mine = judged[judged["guess"] == "a b"].iloc[0]
    assert (mine["verdict"], mine["source"]) == ("accept", "given")
    assert "mine" in [one.place for one in findings]


def test_a_faulty_cell_is_named(tmp_path):
    text = (FOLDER / "buzzes.csv").read_text(encoding="utf-8")
    (tmp_path / "buzzes.csv").write_text(text.replace(",69,", ",x,", 1), encoding="utf-8")
    with pytest.raises(DataError, match=r"buzzes.csv, row 2, column word: found 'x'"):
        extract.read_table(tmp_path, "buzzes")


WORDS = 6


def sequences(text: str):
    """Every six words in a row, signs and case aside."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {" ".join(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1)}


def test_no_six_words_of_the_texts_are_in_a_tracked_file():
    """Questions and answer lines of GRACE, which its authors encrypted."""
    texts = set()
    for _, question in grace_release.questions():
        texts |= sequences(question["question"]) | sequences(question["answer"])
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    hits = {}
    for name in filter(None, listed.stdout.decode().split("\0")):
        content = (ROOT / name).read_text(encoding="utf-8", errors="ignore")
        if found := sequences(content) & texts:
            hits[name] = sorted(found)
    assert hits == {}
