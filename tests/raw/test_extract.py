"""The numbers of a release in resources/grace: what they are, what a reader makes of them, and no text among them."""

import csv
import gzip
import hashlib
import json
import re
import subprocess
from pathlib import Path

import grace_release
import pandas as pd
import pytest
from calscore.core.errors import DataError
from calscore.judging import guess_verdicts
from calscore.raw import clean_guess, extract, guess_sources, model_output_files
from support import ROOT, configuration, data_folder

FOLDER = ROOT / "resources" / "grace"


@pytest.fixture(scope="module")
def tables():
    categories = ({}, {}, "per_packet", "packets", "release")
    return extract.extract_tables(FOLDER, *categories)


def test_the_files_are_those_of_the_sums_and_small():
    lines = (FOLDER / extract.SUMS).read_text(encoding="utf-8").splitlines()
    sums = dict(reversed(line.split("  ")) for line in lines)
    assert sums == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.csv")}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_000_000


def test_the_numbers_of_the_runs_are_those_of_the_outputs():
    """Their digest is the one that the configuration of the outputs names."""
    config = configuration("grace-outputs")
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
    assert model_output_files.numbers_digest(parsed) == expected


def test_counts(tables):
    sizes = {name: len(tables[name]) for name in ("questions", "buzzes", "output_buzzes")}
    assert sizes == {"questions": 240, "buzzes": 1749, "output_buzzes": 1121}
    rows, _ = extract.parse_extract_runs(FOLDER)
    assert len(rows) == 11274
    assert sum(row["correct_given"] for row in rows) == 1895
    assert tables["questions"][["text", "answerline"]].isna().all(axis=None)
    row = tables["buzzes"].iloc[0]
    file = "[public]ALL_final_buzzpoints/packet1_buzzpoints.json"
    assert row["source_row"] == f"buzzes.csv#2 = {file}#1/position/1"


def test_marks_follow_from_the_verdicts(tables):
    """Engine and strict by the verdicts on guesses as read and as sent, adjudicated by those by hand."""
    questions = tables["questions"]
    guesses = guess_sources.tidy_guesses(questions, [], extract=FOLDER)["guesses"]
    overrides = ROOT / "config" / "adjudications" / "grace.csv"
    table, _ = guess_verdicts.verdicts_of_extract(questions, guesses, FOLDER)
    guesses, judged, findings = guess_verdicts.judge_rows(
        guesses, questions, overrides, None, "engine", table
    )
    assert not [one for one in findings if one.finding == "override without a guess"]
    marks, _ = guess_verdicts.marks_by_judge(guesses, judged)
    runs = pd.DataFrame([row.cells for row in extract.read_table(FOLDER, "runs")])
    for name in ("authors", "strict", "engine", "adjudicated"):
        assert marks[name].astype(int).tolist() == runs[name].tolist(), name


def test_guesses_of_a_user_need_marks(tables, tmp_path):
    line = {"model": "mine", "elicitation": "logit", "question_id": "p01-q01", "position": 9, "guess": "a b", "mean_logprob": -0.1}  # fmt: skip

    def tidy(**more):
        path = tmp_path / "mine.jsonl"
        path.write_text(json.dumps(line | more), encoding="utf-8")
        source = {"path": str(path), "format": "jsonl"}
        return guess_sources.tidy_guesses(tables["questions"], [source], extract=FOLDER)["guesses"]

    with pytest.raises(DataError, match="row 1, column correct: .*make grace FETCH=1 GUESSES="):
        tidy()
    guesses = tidy(correct=True)
    judged, findings = guess_verdicts.verdicts_of_extract(tables["questions"], guesses, FOLDER)
    mine = judged[judged["guess"] == "a b"].iloc[0]
    assert (mine["verdict"], mine["source"]) == ("accept", "given")
    assert "mine" in [one.place for one in findings]


def test_a_faulty_cell_is_named(tmp_path):
    text = (FOLDER / "buzzes.csv").read_text(encoding="utf-8")
    (tmp_path / "buzzes.csv").write_text(text.replace(",69,", ",x,", 1), encoding="utf-8")
    with pytest.raises(DataError, match=r"buzzes.csv, row 2, column word: found 'x'"):
        extract.read_table(tmp_path, "buzzes")


WORDS = 6
TITLES = """
listed: an inquiry into the nature and causes of
listed: proust s in search of lost time
listed: twenty love poems and a song of despair
listed: because i could not stop for death
listed: the old man and the sea
listed: kant s critique of pure reason
listed: the waste land by t s eliot
listed: the lion the witch and the wardrobe
listed: who s afraid of virginia woolf
listed: go tell it on the mountain
listed: author of the portrait of a lady
listed: the u s state of georgia
listed: the war of the spanish succession
listed: the first battle of bull run
listed: the wife of bath s tale
listed: the supreme court of the united states
listed: united provinces of agra and oudh
listed: n times n plus 1 over 2
listed: for 10 points name this battle
"""
"""Names of works and offices in our own lists, which tell no question."""


def sequences(text: str):
    """Every six words in a row, signs, escapes and case aside."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"\\[nrt]", " ", text.lower()))
    return {" ".join(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1)}


def tracked_files() -> dict[str, set[str]]:
    """Name of each file that git tracks → its sequences."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    names = filter(None, listed.stdout.decode().split("\0"))
    return {n: sequences((ROOT / n).read_text(encoding="utf-8", errors="ignore")) for n in names}


def test_no_six_words_of_the_texts_are_in_a_tracked_file():
    """Questions and answer lines of GRACE, which its authors encrypted: none, not even a common phrase."""
    texts = set()
    for _, question in grace_release.questions():
        texts |= sequences(question["question"]) | sequences(question["answer"])
    hits = {name: sorted(words & texts) for name, words in tracked_files().items() if words & texts}
    assert hits == {}


def other_texts():
    """(question, text) of guesses in GRACE, and of questions in the other real data."""
    folder = data_folder("grace-model-runs/model_runs.csv.gz")
    with gzip.open(folder / "grace-model-runs" / "model_runs.csv.gz", "rt", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            yield (row["packet"], row["question"]), row["guess"]
    with (folder / "confidence-gap" / "simpleQA_with_distractors.csv").open(encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            yield row["problem"], row["problem"]
    with gzip.open(folder / "quizbowl" / "qanta.buzzdev.json.gz", "rt", encoding="utf-8") as handle:
        document = json.load(handle)
    for question in document["questions"] if isinstance(document, dict) else document:
        yield question["text"], question["text"]
    with (folder / "answers" / "evouna_dev.jsonl").open(encoding="utf-8") as handle:
        for line in handle:
            question = json.loads(line)["question"]
            yield question, question


def test_no_six_words_of_other_real_texts_are_in_a_tracked_file():
    """Guesses and other questions: what occurs in three questions is a phrase, what wraps a guess is nobody's."""
    questions: dict[str, set] = {}
    for question, text in other_texts():
        for words in sequences(text):
            questions.setdefault(words, set()).add(question)
    wrapping = set(re.findall(r"[a-z0-9]+", Path(clean_guess.__file__).read_text(encoding="utf-8").lower()))
    texts = {words for words, at in questions.items() if len(at) < 3 and set(words.split()) - wrapping}
    texts -= {words for title in TITLES.splitlines() for words in sequences(title.removeprefix("listed: "))}
    hits = {name: sorted(words & texts) for name, words in tracked_files().items() if words & texts}
    assert hits == {}
