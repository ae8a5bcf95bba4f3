"""Who judges: each takes cases and gives a verdict, or a likeness (0–100), for each, and how long a pass took.

PEDANT and qb-answer-checker are not part of the project: ``make bench-answers`` puts them into the folder
``.venv-bench-answers``, and each runs in a process of its own.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from calscore.answers import hybrid_judge
from calscore.answers.parse import line_of, parse
from calscore.answers.rules import Judgement
from calscore.judging import matchers
from rapidfuzz import fuzz

from .. import ROOT
from .sets import Absent, Case

FOLDER = ROOT / ".venv-bench-answers"
HERE = Path(__file__).parent


class Said(NamedTuple):
    """``found``: verdicts or likenesses; CPU ``seconds`` of each pass over the cases.

    ``likeness``: of a matcher that decides by one, what it decided by (0–100).
    """

    found: list
    seconds: list[float]
    likeness: list | None = None


def _timed(one: Callable[[Case], object], cases: Sequence[Case], passes: int) -> Said:
    seconds = []
    for _ in range(passes):
        begin = time.process_time()
        found = [one(case) for case in cases]
        seconds.append(time.process_time() - begin)
    return Said(found, seconds)


def _judged(case: Case) -> Judgement:
    line = parse(case.lines[0]) if len(case.lines) == 1 else line_of(case.lines)
    if case.tossup:
        return hybrid_judge.judge(line, case.guess, case.condition, tossup=case.tossup)
    return hybrid_judge.judge(line, case.guess, case.condition, case.question)


def engine_judgements(cases: Sequence[Case]) -> list[Judgement]:
    """What the engine says of each case, with the rule that decided."""
    return [_judged(case) for case in cases]


def engine(cases: Sequence[Case], passes: int = 1) -> Said:
    return _timed(lambda case: _judged(case).verdict, cases, passes)


def exact(cases: Sequence[Case], passes: int = 1) -> Said:
    def one(case: Case) -> str:
        return "accept" if matchers.exact_match(case.accepted, case.guess) else "reject"

    return _timed(one, cases, passes)


def _likeness(ratio: Callable[..., float]) -> Callable[..., Said]:
    normal = matchers.squad_normal

    def one(case: Case) -> float:
        guess = normal(case.guess)
        return max((ratio(normal(text), guess) for text in case.accepted), default=0.0)

    return lambda cases, passes=1: _timed(one, cases, passes)


def _elsewhere(command: list, cases: Sequence[Case], passes: int) -> Said:
    """What another process says: JSON in; out JSON with the fields of :class:`Said`, or with ``absent``."""
    rows = [[case.lines, case.accepted, case.guess, case.question] for case in cases]
    sent = json.dumps({"cases": rows, "passes": passes})
    run = subprocess.run(command, input=sent, capture_output=True, text=True, cwd=FOLDER)
    if run.returncode:
        last = (run.stderr.strip().splitlines() or ["no message"])[-1]
        raise Absent(last)
    said = json.loads(run.stdout)
    if "absent" in said:
        raise Absent(said["absent"])
    return Said(**said)


def with_tags(line: str) -> str:
    """The line with the required words in ``<u>``, where they are marked as Markdown does it."""
    return re.sub(r"(\*\*|__|_)(?=\S)(.+?)(?<=\S)\1", r"<u>\2</u>", line)


def checker(cases: Sequence[Case], passes: int = 1) -> Said:
    """Reads the line itself, marks as tags; knows no conditions. Of several references the one that it likes best."""
    node = shutil.which("node")
    if not node:
        raise Absent("node is not installed")
    if not (FOLDER / "node_modules" / "qb-answer-checker").is_dir():
        raise Absent(f"it is not in {FOLDER.name}: make bench-answers")
    tagged = [case._replace(lines=tuple(map(with_tags, case.lines))) for case in cases]
    return _elsewhere([node, HERE / "checker.mjs"], tagged, passes)


def pedant(cases: Sequence[Case], passes: int = 1) -> Said:
    python = FOLDER / "bin" / "python"
    if not python.exists():
        raise Absent(f"no environment in {FOLDER.name}: make bench-answers")
    return _elsewhere([python, HERE / "pedant.py"], cases, passes)


PEERS: dict[str, Callable[..., Said]] = {
    "engine": engine,
    "qb-answer-checker": checker,
    "PEDANT": pedant,
    "RapidFuzz ratio": _likeness(fuzz.ratio),
    "RapidFuzz token set": _likeness(fuzz.token_set_ratio),
    "exact match": exact,
}


def judged_by(name: str, cases: Sequence[Case], passes: int = 1) -> Said:
    """What one of :data:`PEERS` says."""
    return PEERS[name](cases, passes)
