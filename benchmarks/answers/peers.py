"""Who judges: each takes cases and gives a verdict, or a likeness (0–100), for each, and how long it took.

PEDANT and qb-answer-checker are not part of the project: ``make bench-answers`` puts them into the folder
``.venv-bench-answers``, and each runs in a process of its own.
"""

from __future__ import annotations

import json
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
    """``found``: verdicts or likenesses; CPU seconds of the first pass over the cases and of a second."""

    found: list
    cold: float
    warm: float


def _twice(one: Callable[[Case], object], cases: Sequence[Case]) -> Said:
    passes = []
    for _ in range(2):
        begin = time.process_time()
        found = [one(case) for case in cases]
        passes.append(time.process_time() - begin)
    return Said(found, *passes)


def _judged(case: Case) -> Judgement:
    line = parse(case.lines[0]) if len(case.lines) == 1 else line_of(case.lines)
    if case.tossup:
        return hybrid_judge.judge(line, case.guess, case.condition, tossup=case.tossup)
    return hybrid_judge.judge(line, case.guess, case.condition, case.question)


def engine_judgements(cases: Sequence[Case]) -> list[Judgement]:
    """What the engine says of each case, with the rule that decided."""
    return [_judged(case) for case in cases]


def engine(cases: Sequence[Case]) -> Said:
    return _twice(lambda case: _judged(case).verdict, cases)


def exact(cases: Sequence[Case]) -> Said:
    def one(case: Case) -> str:
        return "accept" if matchers.exact_match(case.accepted, case.guess) else "reject"

    return _twice(one, cases)


def _likeness(ratio: Callable[..., float]) -> Callable[[Sequence[Case]], Said]:
    normal = matchers.squad_normal

    def one(case: Case) -> float:
        guess = normal(case.guess)
        return max((ratio(normal(text), guess) for text in case.accepted), default=0.0)

    return lambda cases: _twice(one, cases)


def _elsewhere(command: list, cases: Sequence[Case]) -> Said:
    """What another process says: JSON in, JSON with ``found``, ``cold`` and ``warm`` or ``absent`` out."""
    sent = json.dumps([[case.lines, case.accepted, case.guess, case.question] for case in cases])
    run = subprocess.run(command, input=sent, capture_output=True, text=True, cwd=FOLDER)
    if run.returncode:
        last = (run.stderr.strip().splitlines() or ["no message"])[-1]
        raise Absent(last)
    said = json.loads(run.stdout)
    if "absent" in said:
        raise Absent(said["absent"])
    return Said(said["found"], said["cold"], said["warm"])


def checker(cases: Sequence[Case]) -> Said:
    """Reads the line itself; knows no conditions. Of several references the one that it likes best."""
    node = shutil.which("node")
    if not node:
        raise Absent("node is not installed")
    if not (FOLDER / "node_modules" / "qb-answer-checker").is_dir():
        raise Absent(f"it is not in {FOLDER.name}: make bench-answers")
    return _elsewhere([node, HERE / "checker.mjs"], cases)


def pedant(cases: Sequence[Case]) -> Said:
    python = FOLDER / "bin" / "python"
    if not python.exists():
        raise Absent(f"no environment in {FOLDER.name}: make bench-answers")
    return _elsewhere([python, HERE / "pedant.py"], cases)


PEERS: dict[str, Callable[[Sequence[Case]], Said]] = {
    "engine": engine,
    "qb-answer-checker": checker,
    "PEDANT": pedant,
    "RapidFuzz ratio": _likeness(fuzz.ratio),
    "RapidFuzz token set": _likeness(fuzz.token_set_ratio),
    "exact match": exact,
}


def judged_by(name: str, cases: Sequence[Case]) -> Said:
    """What one of :data:`PEERS` says."""
    return PEERS[name](cases)
