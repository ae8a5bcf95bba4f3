"""A program that uses answers and metrics, as a type checker sees it: ``make lint`` runs mypy on it.

Each ignored line is an error of a user; mypy complains where it would not be found.
"""

from typing import assert_type

import numpy as np
from calscore.answers import (
    Alternative,
    Answerline,
    Explanation,
    Judgement,
    condition_met,
    explain,
    from_dict,
    judge,
    parse,
    to_dict,
)
from calscore.human.curves import quartile
from calscore.scores.metrics import ece, question_errors


def use(line: str, guess: str | None) -> str:
    tree = parse(line)
    assert_type(tree, Answerline)
    assert_type(tree.alternatives, tuple[Alternative, ...])
    assert_type(judge(tree, guess, condition_met(tree, "read so far")), Judgement)
    assert_type(judge(line, guess, question="who"), Judgement)
    assert_type(explain(line, guess), Explanation)
    assert_type(explain(line, guess).alternative, Alternative | None)
    assert_type(from_dict(to_dict(tree)), Answerline)
    assert_type(ece([1, 0], [0.9, 0.1]), float)
    assert_type(question_errors([1], [0.9], [0], [0], "paper"), tuple[np.ndarray, np.ndarray])
    assert_type(quartile([1, 2, 3, 4]), np.ndarray)
    return judge(line, guess).verdict


def misuse() -> None:
    parse(1)  # type: ignore[arg-type]
    judge("line", 1)  # type: ignore[arg-type]
    _ = judge("line", "guess").verdikt  # type: ignore[attr-defined]
    condition_met("line")  # type: ignore[call-arg]
    ece([1], [0.9], edges=10)  # type: ignore[arg-type]
    question_errors([1], [0.9], "paper")  # type: ignore[call-arg]
