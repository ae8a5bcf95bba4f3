"""Whether a statement about differences is sure: their intervals over drawn studies against the border."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

BY = ("all", "any", "most")


class MarginTest(NamedTuple):
    """``verdict``: true, false, or None where the interval of what decides has 0 inside.

    ``part``: name of the margin that decides, the ``difference`` and its interval; ``stays``: share of the drawn studies
    in which the statement is as true or false as in the data.
    """

    verdict: bool | None
    part: str
    difference: float
    low: float
    high: float
    stays: float


def _truth(above: np.ndarray, by: str) -> np.ndarray:
    """Truth from which parts are ``above`` 0 (second axis)."""
    if by == "most":
        return 2 * above.sum(axis=1) > above.shape[1]
    return above.all(axis=1) if by == "all" else above.any(axis=1)


def test_margins(
    margins: list[dict[str, float]], drawn: list[dict[str, np.ndarray]], by: str, level: float
) -> list[MarginTest]:
    """Is it sure that ``by`` (all, any or most) of ``margins`` are above 0? ``drawn``: margin → its draws (R,).

    One answer for each possibility; all have the same margins, of which many have the same draws. That all are is sure
    where each interval lies above 0 by itself (intersection-union test), that not all are where
    one of the intervals does not reach above it that hold for all margins at once (Bonferroni). ``any`` is the mirror of it;
    ``most`` counts margins by themselves. Draws without a value are left out.
    """
    names = list(margins[0])
    value = np.array([[one[name] for name in names] for one in margins], dtype=float)
    rows: dict[bytes, int] = {}
    numbers = [
        [rows.setdefault(np.asarray(one[name], dtype=float).tobytes(), len(rows)) for name in names]
        for one in drawn
    ]
    cells = np.stack([np.frombuffer(row) for row in rows])
    whole = np.isfinite(cells).all(axis=0)
    if len(margins) > 1 and not whole.all():
        return [
            test_margins([one], [of], by, level)[0] for one, of in zip(margins, drawn, strict=True)
        ]
    known = cells[:, whole]
    if not known.shape[1]:
        return [MarginTest(None, names[0], float(value[0, 0]), np.nan, np.nan, np.nan)]

    levels = level, 1 - (1 - level) / len(names)
    tails = [(1 + side * at) / 2 for at in levels for side in (-1, 1)]
    row = np.array(numbers)
    low, high, low_all, high_all = np.quantile(known, tails, axis=1)[:, row]
    if by == "all":
        holds, fails = (low > 0).all(axis=1), (high_all <= 0).any(axis=1)
    elif by == "any":
        holds, fails = (low_all > 0).any(axis=1), (high <= 0).all(axis=1)
    else:
        holds = 2 * (low > 0).sum(axis=1) > len(names)
        fails = 2 * (high <= 0).sum(axis=1) >= len(names)
    # what decides: the margin nearest to failing, to holding, or in the middle, in units of its spread
    spread = np.maximum(known.std(axis=1), 1e-12)[row]
    order = np.argsort(value / spread, axis=1, kind="stable")
    places = order[:, {"all": 0, "any": -1, "most": (len(names) - 1) // 2}[by]]
    stays = (_truth((known > 0)[row], by) == _truth(value > 0, by)[:, None]).mean(axis=1)
    found = []
    for at, place in enumerate(places):
        verdict = True if holds[at] else False if fails[at] else None
        alone = verdict is (by != "any") or by == "most"
        ends = (low, high) if alone else (low_all, high_all)
        interval = (float(end[at, place]) for end in ends)
        difference = float(value[at, place])
        found.append(MarginTest(verdict, names[place], difference, *interval, float(stays[at])))
    return found
