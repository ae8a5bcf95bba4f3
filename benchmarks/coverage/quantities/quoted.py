"""What the ledger quotes and no table has, read from its own words, and the differences that its verdicts rest on."""

from __future__ import annotations

import re

import numpy as np
from calscore.human import curves
from calscore.ledger import quantities, quantity_intervals
from calscore.stats import resample
from calscore.stats.bootstrap import Bootstrap

from ..engine import LEVEL
from ..worlds.models import QUESTIONS
from ..worlds.tournament import MODEL, SEGMENTATION

NAMES = {"tally", "by_category", "early_wrong", "accuracy"}
"""One quantity of each source that is looked at."""
_CELLS = re.compile(r"(-?\d+\.\d+) \[(-?\d+\.\d+), (-?\d+\.\d+)\]")


def _cells(said: list[str]) -> tuple[np.ndarray, ...]:
    """(values, lows, highs) of the first number with bounds in each text, to three digits."""
    found = [_CELLS.search(one) for one in said]
    return tuple(np.array([[float(x) for x in one.groups()] for one in found]).T)


def _quoted(cited: dict, wanted: dict[tuple, tuple]) -> dict:
    """``wanted``: (quantity, method) → the places of the ledger's quantities that it has at once."""
    return {key: _cells([cited[place] for place in places]) for key, places in wanted.items()}


def ledger(study, replicates: int, number: int, anew: bool) -> dict:
    """Quartiles, places of buzzes, early wrong buzzes, single teams, answers of models; and differences."""
    drawn = "teams anew" if anew else "same teams"
    tables = {
        "questions": study.questions.assign(category=_sized()),
        "teams": curves.rank_teams(study.clues, study.buzzes, study.exposures),
        **dict(zip(("clues", "buzzes", "exposures"), study.humans, strict=True)),
        "responses": study.responses,
    }
    given = SEGMENTATION, Bootstrap(replicates, number, LEVEL)
    found = quantities.quantities(tables, *given, wanted=NAMES)
    cited = quantity_intervals.intervals(found, tables, *given)
    how = f"two-way; {drawn}"
    wanted = {
        ("mean share heard at a buzz, humans", how): [("buzz_revealed", "H")],
        ("wrong buzzes in the first quarter per question, humans", how): [
            ("early_wrong", "quarter_clues", "H")
        ],
        ("wrong buzzes in the first quarter per match, humans", how): [
            ("early_counts", "quarter_clues", "H")
        ],
    }
    if anew:
        fifths = [("model_buzz", "a", given) for given in ("right", "wrong")]
        wanted |= {
            ("mean share heard at a buzz, a live model", "questions"): [("buzz_revealed", MODEL)],
            ("share right at a share of the clues, a model", "Wilson, questions"): [
                ("accuracy", "a", percent) for percent in (10, 30, 50, 70, 100)
            ],
            ("P(buzz | right or wrong), mean of the fifths, a model", "questions"): fifths,
        }
    return _quoted(cited, wanted) | _differences(found, drawn)


SIZES = {"6 questions": 6, "12 questions": 12, "24 questions": 24, "48 questions": 48}
"""Categories of few questions, taken at even steps; the others are one more."""


def _sized() -> np.ndarray:
    """Category of each question."""
    found = np.full(QUESTIONS, "150 questions", dtype=object)
    place = np.argsort(np.arange(QUESTIONS) * 89 % QUESTIONS)
    for name, size in SIZES.items():
        mine, place = place[:size], place[size:]
        found[mine] = name
    return found


def _differences(found, drawn: str) -> dict:
    """Differences behind verdicts, from drawn studies, with the bounds of the ledger."""
    whole, of = (
        {name: getattr(one, field) for name, one in found.items()} for field in ("value", "replicates")
    )
    pools = MODEL, "H"
    places = {
        "P(correct | buzz), a live model minus humans": (*pools, "tally"),
        "P(correct | buzz), Q4 minus Q1": ("Q4", "Q1", "quartile_tally", "total-correct"),
        "mean share heard, a live model minus humans": (*pools, "buzz_revealed"),
    } | {
        f"P(correct | buzz), a live model minus humans, {size}": (*pools, "by_category", size)
        for size in SIZES
    }
    tallies = [one["quartile_tally"]["total-correct"] for one in (whole, of)]
    values, drawn_of = ([one[f"Q{n}"]["accuracy"] for n in range(1, 5)] for one in tallies)
    ends = [resample.finite_percentile_interval(each, LEVEL) for each in drawn_of]
    cells = np.array(values), *np.array(ends, dtype=float).T
    found = {("P(correct | buzz) of a quartile", f"two-way; {drawn}"): cells}
    for quantity, place in places.items():
        (value, *_), each = (np.atleast_1d(_gap(one, *place)) for one in (whole, of))
        ends = resample.finite_percentile_interval(each, LEVEL)
        cells = tuple(np.array([x], dtype=float) for x in (value, *ends))
        how = "two-way, Student" if quantity.endswith("questions") else "two-way"
        found[f"verdict on {quantity}", f"{how}; {drawn}"] = cells
    return found


def _gap(one, first: str, second: str, name: str, key: str = ""):
    """The number of one group less that of another, of values or of draws."""
    of = one[name][key] if name == "quartile_tally" else one[name]
    sides = [of[group] for group in (first, second)]
    if name == "by_category":
        sides = [side.get(key) for side in sides]
    if any(side is None for side in sides):
        return np.nan
    a, b = (side["accuracy"] if isinstance(side, dict) else side for side in sides)
    return a - b
