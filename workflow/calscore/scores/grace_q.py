"""The released scorer's two functions, for dictionaries in the released format.

A question is ``{"position": [{"55": "[H17, -]"}, …], "M1": [run, …], …}`` and a run is ``{"conf": float,
"correctness": bool, "position_items": {"H9": "+"}}`` with the buzzes that fell in that run (absent where there were
none). ``conf`` is a natural logarithm for ``logit`` and a probability for ``verb`` and ``raw``, which are read alike.
"""

import math
from collections.abc import Iterator

from ..core.errors import DataError, Fault

ELICITATIONS = ("logit", "verb", "raw")


def _confidence(run: dict, elicit: str, place: str) -> float:
    """Confidence of a ``run`` as a probability; ``DataError``, naming ``place``, where ``conf`` is none of ``elicit``."""
    conf = run.get("conf")
    if not isinstance(conf, int | float) or isinstance(conf, bool) or math.isnan(conf):
        raise DataError(Fault("question", place, "conf", conf, "a number"))
    value = math.exp(conf) if elicit == "logit" else float(conf)
    if not 0 <= value <= 1:
        words = "a natural logarithm, at most 0" if elicit == "logit" else "a probability from 0 to 1"
        raise DataError(Fault("question", place, "conf", conf, words))
    return value


def _runs(question: dict, elicit: str) -> Iterator[tuple]:
    """Yields (model, right, confidence, human marks), each a list over runs, for each model M<n> of a question.

    ``DataError`` as :func:`calculate_Grace_q_non_adjusted` has it.
    """
    if elicit not in ELICITATIONS:
        raise DataError(f"elicit is {elicit!r}, expected one of {', '.join(ELICITATIONS)}")
    for model, runs in question.items():
        if not (model.startswith("M") and model[1:].isdigit()):
            continue
        if not runs:
            raise DataError(Fault("question", model, "", runs, "at least one run"))
        for number, run in enumerate(runs, start=1):
            if "correctness" not in run:
                raise DataError(
                    Fault("question", f"{model} run {number}", "correctness", None, "true or false")
                )
        yield (
            model,
            [bool(run["correctness"]) for run in runs],
            [_confidence(run, elicit, f"{model} run {n}") for n, run in enumerate(runs, start=1)],
            [run.get("position_items") or {} for run in runs],
        )


def human_buzzes(question: dict) -> int:
    """Number of buzzes by human teams (``H…``) in the ``position`` list of a question, 0 without one."""
    marks = [mark for entry in question.get("position", []) for mark in entry.values()]
    return sum(mark.strip("[] ").startswith("H") for mark in marks)


def calculate_Grace_q_non_adjusted(question: dict, elicit: str) -> dict[str, float]:  # noqa: N802
    """Model M<n> → MCE as released, 1 − mean(g·c) over its runs; g: 1 right, 0 wrong; c: confidence.

    ``question``: M<n> → runs, each with ``correctness`` and ``conf``. ``elicit``: "logit" (``conf`` is a
    natural logarithm), "verb" or "raw" (a probability). ``DataError`` for another ``elicit``, a model without
    runs, and a run without ``correctness`` or with a ``conf`` that is no such confidence.
    """
    return {
        model: 1 - sum(c for g, c in zip(right, conf, strict=True) if g) / len(conf)
        for model, right, conf, _ in _runs(question, elicit)
    }


def calculate_Grace_q_adjusted(question: dict, elicit: str) -> dict[str, float]:  # noqa: N802
    """Model → CalScore as released, 1 − mean((1−h)·g·c) over its runs of the question.

    h is the number of human teams whose last buzz so far is correct over all human buzzes on it, 0 without one.
    ``elicit`` and errors as in :func:`calculate_Grace_q_non_adjusted`.
    """
    total = human_buzzes(question)
    scores = {}
    for model, right, conf, buzzes in _runs(question, elicit):
        marks: dict[str, str] = {}
        terms = 0.0
        for g, c, items in zip(right, conf, buzzes, strict=True):
            marks.update({team: sign for team, sign in items.items() if team.startswith("H")})
            h = sum(sign == "+" for sign in marks.values()) / total if total else 0.0
            terms += (1 - h) * g * c
        scores[model] = 1 - terms / len(conf)
    return scores
