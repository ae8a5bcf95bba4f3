"""Whether a statement about differences is sure: their intervals over drawn studies against the border."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

BY = ("all", "any", "most")


class Sure(NamedTuple):
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


def _truth(margins: np.ndarray, by: str) -> np.ndarray:
    """Truth over the parts (first axis)."""
    above = margins > 0
    if by == "most":
        return 2 * above.sum(axis=0) > len(margins)
    return above.all(axis=0) if by == "all" else above.any(axis=0)


def sure(margins: dict[str, float], drawn: dict[str, np.ndarray], by: str, level: float) -> Sure:
    """Is it sure that ``by`` (all, any or most) of ``margins`` are above 0? ``drawn``: margin → its draws (R,).

    That all are is sure where each interval lies above 0 by itself (intersection-union test), that not all are where
    one of the intervals does not reach above it that hold for all margins at once (Bonferroni). ``any`` is the mirror of it;
    ``most`` counts margins by themselves. Draws without a value are left out.
    """
    names = list(margins)
    value = np.array([margins[name] for name in names], dtype=float)
    cells = np.stack([np.asarray(drawn[name], dtype=float) for name in names])
    known = cells[:, np.isfinite(cells).all(axis=0)]
    if not known.shape[1]:
        return Sure(None, names[0], float(value[0]), np.nan, np.nan, np.nan)

    levels = level, 1 - (1 - level) / len(names)
    tails = [(1 + side * at) / 2 for at in levels for side in (-1, 1)]
    low, high, low_all, high_all = np.quantile(known, tails, axis=1)
    if by == "all":
        holds, fails = (low > 0).all(), (high_all <= 0).any()
    elif by == "any":
        holds, fails = (low_all > 0).any(), (high <= 0).all()
    else:
        holds = 2 * (low > 0).sum() > len(names)
        fails = 2 * (high <= 0).sum() >= len(names)
    verdict = True if holds else False if fails else None
    # what decides: the margin nearest to failing, to holding, or in the middle, in units of its spread
    spread = np.maximum(known.std(axis=1), 1e-12)
    order = np.argsort(value / spread, kind="stable")
    place = {"all": order[0], "any": order[-1], "most": order[(len(names) - 1) // 2]}[by]
    alone = verdict is (by != "any") or by == "most"
    interval = (low, high) if alone else (low_all, high_all)
    same = _truth(known, by) == _truth(value[:, None], by)
    return Sure(
        verdict,
        names[place],
        float(value[place]),
        float(interval[0][place]),
        float(interval[1][place]),
        float(same.mean()),
    )
