"""A study of answer options as numbers, without its texts (``resources/confidence-gap``): written, and read again."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from numpy.typing import ArrayLike

from ..core import store
from ..core.data_issues import Finding, data_issue
from ..core.errors import DataError, Faults
from ..core.extract_files import SUMS, guess_id
from . import plain

QUESTIONS = ("row", "topic", "answer_type", "wrong")
ANSWERS = ("row", "answer", "confidence", "output")
WRONG = ("wrong_1", "wrong_2", "wrong_3")
EMPTY, ANSWER = "-", "="
"""Signs of a wrong answer that is empty, and of one that is the right answer; others are letters, equal ones the same."""
VERDICT = "1 (right), 0 (wrong) or -1 (not attempted)"
"""What a verdict is, as errors say it."""


def _signs(question: NamedTuple) -> str:
    """A sign per wrong answer of a question: "abc", equal letters for equal ones, or :data:`EMPTY`, :data:`ANSWER`."""
    letters: dict[str, str] = {}
    signs = []
    for name in WRONG:
        text = getattr(question, name)
        if not isinstance(text, str):
            signs.append(EMPTY)
        elif plain(text) == plain(question.answer):
            signs.append(ANSWER)
        else:
            signs.append(letters.setdefault(plain(text), "abc"[len(letters)]))
    return "".join(signs)


def write_numbers(option_questions: pd.DataFrame, option_results: pd.DataFrame, folder: Path) -> None:
    """Write questions.csv, <model>_<judging>_<setting>.csv (confidence in per cent, 9 decimals) and SHA-256 sums to ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    wrong = [_signs(question) for question in option_questions.itertuples(index=False)]
    tables = {"questions": option_questions.assign(wrong=wrong)[list(QUESTIONS)]}
    for (model, judging, setting), rows in option_results.groupby(["model", "judging", "setting"]):
        answers = [
            guess_id(f"row {row}", text)
            for row, text in zip(rows["row"], rows["predicted_answer"], strict=True)
        ]
        percent = (100 * rows["confidence"]).round(9)
        numbers = rows.assign(answer=answers, confidence=percent)
        tables[f"{model}_{judging}_{setting}"] = numbers[list(ANSWERS)]
    sums = []
    for name, table in tables.items():
        content = table.to_csv(index=False, lineterminator="\n").encode()
        (folder / f"{name}.csv").write_bytes(content)
        sums.append(f"{hashlib.sha256(content).hexdigest()}  {name}.csv\n")
    (folder / SUMS).write_text("".join(sums), encoding="utf-8")


def hold_numbers(path: str | Path) -> bool:
    """Whether a question file is that of an extract: its first line is :data:`QUESTIONS`, with commas."""
    with Path(path).open("rb") as handle:
        return handle.readline().strip() == ",".join(QUESTIONS).encode()


def read_question_numbers(path: str | Path) -> pd.DataFrame:
    """option_questions of an extract, in order, with ids in place of texts: "q7", "a7", wrong answers "w7a" (equal ones the
    same), "a7" if right, null if empty. ``DataError`` for no such CSV, no row, and with every faulty cell."""
    file = Path(path).name
    raw = store.read_raw_csv(path, QUESTIONS)
    faults = Faults(file)
    for row, (cell, signs) in enumerate(zip(raw["row"], raw["wrong"], strict=True)):
        if len(signs) != 3 or set(signs) - {*"abc", EMPTY, ANSWER}:
            faults.add(row, "wrong", signs, f"three signs: a, b, c, {EMPTY} or {ANSWER}")
        if cell != str(row):
            faults.add(row, "row", cell, f"{row}, as rows count from 0")
    if not len(raw):
        faults.add("", "row", None, "at least one question")
    faults.refuse()
    table = pd.DataFrame({"row": range(len(raw))})
    table = table.assign(question="q" + raw["row"], answer="a" + raw["row"])
    for name in ("topic", "answer_type"):
        table[name] = raw[name].where(raw[name] != "", None)
    for number, name in enumerate(WRONG):
        table[name] = [
            {EMPTY: None, ANSWER: f"a{row}"}.get(signs[number], f"w{row}{signs[number]}")
            for row, signs in zip(raw["row"], raw["wrong"], strict=True)
        ]
    table[["topic", "answer_type", *WRONG]] = table[["topic", "answer_type", *WRONG]].astype(object)
    return table


def answer_table(
    cell: tuple[str, str, str],
    rows: ArrayLike,
    answers: ArrayLike,
    confidence: ArrayLike,
    output: ArrayLike,
    file: str,
) -> tuple[pd.DataFrame, list[Finding]]:
    """(option_results of one ``cell`` (model, judging, setting), sorted by row; [a finding on ``file``: how many
    confidences are exactly 1] or []).

    The arrays, unchecked, have a value for each answer: row, text, confidence from 0 to 1, verdict 1, 0 or −1.
    """
    table = pd.DataFrame(
        {
            **dict(zip(("model", "judging", "setting"), cell, strict=True)),
            "row": rows,
            "predicted_answer": answers,
            "confidence": confidence,
            "output": output,
        }
    ).sort_values("row", ignore_index=True)
    full = int((table["confidence"] == 1).sum())
    detail = f"{full} answers"
    return table, [data_issue("options", "confidence of exactly 100", file, detail)] if full else []


def read_answer_numbers(
    path: str | Path, questions: pd.DataFrame, model: str, judging: str, setting: str
) -> tuple[pd.DataFrame, list[Finding]]:
    """(option_results of one CSV of an extract, by row, ``confidence`` 0 to 1; findings). ``DataError`` with all faulty cells, or for no row."""
    file = Path(path).name
    raw = store.read_raw_csv(path, ANSWERS)
    if not len(raw):
        raise DataError.at(file, "", "row", None, "at least one answer")
    numbers = raw[["row", "confidence", "output"]].apply(pd.to_numeric, errors="coerce")
    row = numbers["row"].isin(range(len(questions))) & ~numbers["row"].duplicated()
    faults = Faults(file)
    for name, is_valid, expected in (
        ("row", row, f"a row of the question file, 0 to {len(questions) - 1}"),
        ("output", numbers["output"].isin((1, 0, -1)), VERDICT),
        ("confidence", numbers["confidence"].between(0, 100), "a number from 0 to 100"),
    ):
        faults.add_cells(raw[name], ~is_valid, expected)
    faults.refuse()
    count = f"{len(raw)} answers as numbers; an answer is an id"
    table, findings = answer_table(
        (model, judging, setting),
        numbers["row"].astype(int),
        raw["answer"],
        numbers["confidence"] / 100.0,
        numbers["output"].astype(int),
        file,
    )
    return table, [data_issue("options", "read from an extract", file, count), *findings]
