"""Counts how often the intervals of simulated studies hold the truth, whatever the world and the quantity.

The intervals of a study are cells: (quantity, method) → (values, lows, highs) or (values, lows, highs, weights),
arrays of as many values as the quantity has at once: models, bins, teams.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

LEVEL = 0.95
COLUMNS = ("part", "world", "quantity", "method", "studies", "truth", "bias", "coverage", "below", "above", "width")  # fmt: skip
KEY = ["part", "quantity", "method"]


def taken(table, *names, weight: str | None = None) -> tuple[np.ndarray, ...]:
    """(values, lows, highs[, weights]) of a row's or a frame's columns; ``weight``: what a value is a share of."""
    names = names if weight is None else (*names, weight)
    return tuple(np.atleast_1d(np.asarray(table[name], dtype=float)) for name in names)


def means(apart: Iterable, intervals: Callable) -> dict:
    """The truth as the weighted mean of the estimate over studies drawn apart."""
    truth = {}
    for key, of in _collected(intervals(one, 2, 0) for one in apart).items():
        value = np.array([one[0] for one in of])
        weight = np.array([one[3] if len(one) > 3 else np.ones(len(one[0])) for one in of])
        weight = np.where(np.isfinite(value), weight, 0)
        total = weight.sum(axis=0)
        unknown = np.full(total.shape, np.nan)
        sums = (weight * np.nan_to_num(value)).sum(axis=0)
        truth[key] = np.divide(sums, total, out=unknown, where=total > 0)
    return truth


def pooled(pool: Callable) -> Callable:
    """The truth as the estimate on all studies drawn apart together, where it is biased on one study.

    ``pool``: studies → one study.
    """

    def truth(apart, intervals):
        return {key: of[0] for key, of in intervals(pool(list(apart)), 2, 0).items()}

    return truth


@dataclass(frozen=True)
class Part:
    """What is measured together.

    ``studies`` and ``apart`` give so many studies, the second those behind the truth. ``intervals`` (study,
    replicates, number of the study) gives its cells. ``truth`` (apart, intervals) gives the truth by (quantity,
    method), or by quantity.
    """

    world: str
    studies: Callable[[int], Iterable]
    apart: Callable[[int], Iterable]
    intervals: Callable
    count: int
    further: int
    replicates: int = 500
    truth: Callable = means

    def of(self, count: int) -> Part:
        """The same over fewer or more studies."""
        return replace(self, count=count, further=math.ceil(self.further * count / self.count))

    def cells(self) -> Iterator[dict]:
        """The cells of each study."""
        for number, one in enumerate(self.studies(self.count)):
            yield self.intervals(one, self.replicates, number)


def _collected(studies: Iterable[dict]) -> dict[tuple[str, str], list]:
    """(quantity, method) → its cells in every study that has it."""
    found: dict[tuple[str, str], list] = {}
    for one in studies:
        for key, of in one.items():
            found.setdefault(key, []).append(of)
    return found


def held(truth, low, high) -> np.ndarray:
    """Where bounds hold the truth; rounding must not decide where all studies have the same value."""
    return (low <= truth + 1e-12) & (truth - 1e-12 <= high)


def _row(quantity: str, of: list, truth) -> dict:
    """Coverage of one quantity; "at once" in its name: a study counts where all its values are held."""
    value, low, high = np.array([one[:3] for one in of]).swapaxes(0, 1)
    known = np.isfinite(value) & np.isfinite(low) & np.isfinite(truth)
    inside = held(truth, low, high)
    row = {"studies": int(known.any(axis=1).sum())}
    if "at once" in quantity:
        return row | {"coverage": inside.all(axis=1).mean()}
    if not known.any():
        return row
    return row | {
        "truth": np.nanmean(truth),
        "bias": (value - truth)[known].mean(),
        "coverage": inside[known].mean(),
        "below": (high < truth - 1e-12)[known].mean(),
        "above": (low > truth + 1e-12)[known].mean(),
        "width": np.median((high - low)[known]),
    }


def measure(name: str, part: Part) -> pd.DataFrame:
    """Every row of a part: coverage, mean truth, bias, shares of intervals below and above the truth, median width."""
    truth = part.truth(part.apart(part.further), part.intervals)
    rows = []
    for key, of in _collected(part.cells()).items():
        row = _row(key[0], of, truth[key] if key in truth else truth[key[0]])
        rows.append({"part": name, "world": part.world, **dict(zip(KEY[1:], key, strict=True)), **row})
    return pd.DataFrame(rows, columns=COLUMNS)
