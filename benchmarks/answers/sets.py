"""Cases with a verdict: public sets in the folder that CALSCORE_DATA names, and the suites of tests/data.

A set whose file is not there is an :class:`Absent`, with the path.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from typing import NamedTuple

from answer_lines import classes
from calscore.answers import condition_met, parse
from calscore.answers.hybrid_judge import standing
from calscore.clues.sentences import sentence_spans
from calscore.judging.guess_verdicts import read_overrides
from calscore.judging.training import read_pairs
from calscore.raw import archive, clean_guess, release

from .. import DATA, ROOT

SUITES = ROOT / "tests" / "data"
RELEASE = "grace/[public]ALL_final_buzzpoints_enc.zip"
RUNS = "grace-model-runs/model_runs.csv.gz"
ADJUDICATED = ROOT / "config" / "adjudications" / "grace.csv"


class Absent(Exception):
    """A file of a set is not there."""


class Case(NamedTuple):
    """One guess at one answer.

    ``lines`` is the answer line, or the references of a short-answer question. ``accepted`` are the
    texts that a matcher compares with which reads no answer lines: those that this project's parser
    finds accepted under ``condition``. ``group`` keeps the cases of a question in one fold.
    """

    lines: tuple[str, ...]
    accepted: tuple[str, ...]
    guess: str
    expected: str
    group: str
    condition: str = ""
    question: str = ""
    tossup: str = ""
    system: str = ""


def there(name: str):
    path = DATA / name
    if not path.exists():
        raise Absent(f"{name} is not in the folder that CALSCORE_DATA names")
    return path


def of_line(line: str, guess: str, expected: str, heard: str = "", **more) -> Case:
    condition = condition_met(line, heard)
    accepted, _ = standing(parse(line), condition)
    return Case((line,), accepted, guess, expected, more.pop("group", line), condition, **more)


def qbreader() -> list[Case]:
    rows = json.loads(there("answers/qbreader_2023_cases.json").read_text(encoding="utf-8"))
    return [of_line(row["answerline"], row["given"], row["expected"]) for row in rows]


def evouna(source: str) -> list[Case]:
    """Answers to short questions; the label says right or wrong."""
    return [
        Case(
            tuple(row["refs"]),
            tuple(row["refs"]),
            row["candidate"],
            "accept" if row["human_label"] else "reject",
            row["question"].casefold(),
            question=row["question"],
            system=row["system"],
        )
        for row in read_pairs(there("answers/evouna_dev.jsonl"))
        if row["source"] == source
    ]


def grace(adjudicated: bool = True) -> list[Case]:
    """Distinct guesses of six models on GRACE, as read, each once for its question and condition.

    The verdict is the authors' mark (what most of the runs got, where marks of one guess differ). ``adjudicated``: where
    engine and authors had disagreed, the verdict of the reader who settled it.
    """
    members = archive.read_members(there(RELEASE), password="buzzbuzz")
    questions = release.parse_packets(members, {}, {}).questions
    of = {row["question_id"]: row for row in questions}
    marks: dict[tuple, Counter] = {}
    with gzip.open(there(RUNS), "rt", encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            key = f"p{int(row['packet']):02d}-q{int(row['question']):02d}"
            guess = clean_guess.clean(row["guess"].replace(r"\n", "\n")).guess or ""
            heard = " ".join(of[key]["text"].split()[: int(row["word_end"]) + 1])
            met = condition_met(of[key]["answerline"], heard)
            counts = marks.setdefault((key, guess, met), Counter())
            counts["accept" if row["correct"] == "1" else "reject"] += 1
    import pandas as pd

    by_hand = read_overrides(ADJUDICATED, pd.DataFrame(questions))
    cases = []
    for (key, guess, met), counts in marks.items():
        one = of[key]
        decided, _ = by_hand.find(key, guess, met) if adjudicated else (None, None)
        mark = decided.verdict if decided else counts.most_common(1)[0][0]
        line = one["answerline"]
        accepted, _ = standing(parse(line), met)
        begin, end = sentence_spans(one["text"])[-1]
        cases.append(Case((line,), accepted, guess, mark, key, met, one["text"][begin:end], one["text"]))
    return cases


def suite(name: str) -> list[Case]:
    path = SUITES / name
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as handle:
            return [
                of_line(row["answerline"], row["guess"], row["verdict"], row["text_read"])
                for row in csv.DictReader(handle)
            ]
    if path.name.startswith(("answer_lines", "answer_new")):  # doubtful rulings are left out
        from answer_suite import read

        found = [case for case in read(path) if not case.doubt]
        asked = [case.question or "" for case in found]
        return [
            of_line(case.line, case.guess, case.verdict, question=question, tossup=question)
            for case, question in zip(found, asked, strict=True)
        ]
    rows = [row for rows in classes(path).values() for row in rows]
    return [of_line(line, guess, verdict) for line, guess, verdict in rows]


def suites() -> list[str]:
    return sorted(path.name for path in SUITES.glob("answer_*.*"))


def gpr() -> list[Case]:
    """Guesses without a verdict, for speed: a model's on past quizbowl questions."""
    with gzip.open(there("quizbowl/qanta.buzzdev.json.gz"), "rt", encoding="utf-8") as handle:
        lines = {row["qanta_id"]: row["answer"] for row in json.load(handle)}
    with gzip.open(there("quizbowl/gpr_runs.jsonl.gz"), "rt", encoding="utf-8") as handle:
        rows = [json.loads(row) for row in handle]
    return [of_line(lines[row["qanta_id"]], row["guess"], "") for row in rows]
