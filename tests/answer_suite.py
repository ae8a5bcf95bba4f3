"""Suites of answer lines with guesses and rulings: a reader, and how far a judge agrees."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

VERDICTS = {"+": "accept", "?": "prompt", "-": "reject"}


class Case(NamedTuple):
    line: str
    guess: str
    verdict: str
    question: str | None
    kinds: tuple[str, ...]
    doubt: str  # why the ruling is not counted, '' where it is


def read(path: Path) -> list[Case]:
    """The cases of a file: blocks with ``line:``, ``kind:``, ``question:`` and rulings ``+ ? -``.

    ``! reason`` behind a ruling says why it goes against the rules of the file, and takes it out.
    """
    cases: list[Case] = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        line, question, kinds = "", None, ("",)
        for number, row in enumerate(block.splitlines(), 1):
            head, _, rest = row.partition(" ")
            if head == "line:":
                line = rest.strip()
            elif head == "kind:":
                kinds = tuple(rest.replace(",", " ").split())
            elif head == "question:":
                question = rest.strip() or None
            elif head in VERDICTS and line:
                guess, _, doubt = rest.partition(" ! ")
                cases.append(Case(line, guess.strip(), VERDICTS[head], question, kinds, doubt))
            elif head and not head.startswith("#"):
                raise ValueError(f"{path.name}: row {number} of {line or block[:40]!r}: {row!r}")
    return cases


class Agreement(NamedTuple):
    cases: int
    agree: float  # share of the three-way verdicts that are the moderator's
    false_accepts: float  # share of all cases accepted where the moderator does not
    wrong: list[tuple]


def agreement(cases: Iterable[Case], judge: Callable) -> Agreement:
    """``judge(line, guess, question)`` gives a judgement with ``verdict`` and ``rule``."""
    cases = [case for case in cases if not case.doubt]
    found = [judge(case.line, case.guess, case.question) for case in cases]
    wrong = [
        (case.verdict, one.verdict, one.rule, case.guess, case.line, case.kinds[0])
        for case, one in zip(cases, found, strict=True)
        if case.verdict != one.verdict
    ]
    false = sum(row[1] == "accept" for row in wrong)
    return Agreement(len(cases), 1 - len(wrong) / len(cases), false / len(cases), wrong)
