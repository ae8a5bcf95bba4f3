"""Sums over answers in the data and in resamples of the questions, and what is read off them.

``results`` is the table option_results.
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..stats import proportions, resample
from . import RIGHT, SETTINGS, WRONG, scoring

MEAN = "mean"
PAIR = ["judging", "model"]
CELL = [*PAIR, "setting"]
PAIRED = ("n", "right_before", "gained", "lost", "helped", "harmed")
"""Counts over questions that have both settings."""


def pair_verdicts(
    results: pd.DataFrame, index: list[str], column: str, pair: Collection[str]
) -> pd.DataFrame:
    """One row per ``index`` × row with a verdict under both values ``pair`` of ``column``. Columns: ``index``, row, and
    verdicts (1, 0, −1) named as the two values. ``results``: option_results."""
    wide = results.pivot(index=[*index, "row"], columns=column, values="output")
    return wide.reindex(columns=list(pair)).dropna().astype(int).reset_index()


def pair_settings(results: pd.DataFrame) -> pd.DataFrame:
    """One row per judging × model × row that has both settings: ``before`` (without options), ``after`` (verdicts 1, 0, −1)."""
    names = dict(zip(SETTINGS, ("before", "after"), strict=True))
    return pair_verdicts(results, PAIR, "setting", SETTINGS).rename(columns=names)


def _moves(pairs: pd.DataFrame) -> np.ndarray:
    """Which of the paired questions (:func:`pair_settings`) count for each of :data:`PAIRED`: 0 or 1, shape (questions, 6)."""
    before, after = pairs["before"].to_numpy(), pairs["after"].to_numpy()
    was_right, is_right = before == RIGHT, after == RIGHT
    columns = [
        np.ones(len(pairs)),
        was_right,
        ~was_right & is_right,
        was_right & ~is_right,
        (before == WRONG) & is_right,
        was_right & (after == WRONG),
    ]
    return np.column_stack(columns).astype(float)


class Totals(NamedTuple):
    """Sums over the answers to some questions, in the data (first row) and in each resample, and what they give. Column
    ``columns[key]`` of ``sums`` (1 + replicates, statistics) is the statistic ``key``. Of a (judging, model, setting) and
    reading: the signed residuals of the ten bins ``0``…``9``, ``n`` answers that count, ``brier`` (sum of squared differences)
    and ``right`` answers. Of a (judging, model): the counts :data:`PAIRED`.

    ``key``: (judging, model, setting); ``reading``: of :data:`.scoring.READINGS`; ``KeyError`` for one without answers.
    Where no answer counts, numbers and bins are 0, errors and shares nan.
    """

    sums: np.ndarray
    columns: dict[tuple, int]

    def n_counted(self, key: tuple, reading: str) -> np.ndarray:
        """Number (1 + replicates,) of answers of ``key`` that count under the reading."""
        return self.sums[:, self.columns[(*key, reading, "n")]]

    def bins(self, key: tuple, reading: str) -> np.ndarray:
        """Signed sums (label − confidence) of the ten bins, shape (1 + replicates, 10)."""
        start = self.columns[(*key, reading, 0)]
        return self.sums[:, start : start + scoring.N_BINS]

    def ece(self, key: tuple, reading: str) -> np.ndarray:
        """Expected calibration error: absolute signed sums of the bins over answers that count, (1 + replicates,)."""
        gap = np.abs(self.bins(key, reading)).sum(axis=1)
        return proportions.ratio(gap, self.n_counted(key, reading))

    def mean(self, key: tuple, reading: str, name: str) -> np.ndarray:
        """Brier score (``name`` "brier"; −1 as 0) or share right ("right") of the answers that count, (1 + replicates,)."""
        total = self.sums[:, self.columns[(*key, reading, name)]]
        return proportions.ratio(total, self.n_counted(key, reading))

    def right(self, key: tuple) -> np.ndarray:
        """Share right (1 + replicates,) of all answers of ``key``, those not attempted included."""
        return self.mean(key, "as_wrong", "right")

    def none(self, key: tuple) -> np.ndarray:
        """Share (1 + replicates,) of all answers of ``key`` that were not attempted."""
        n = self.n_counted(key, "as_wrong")
        return proportions.ratio(n - self.n_counted(key, "attempted"), n)

    def moves(self) -> dict[tuple, dict[str, np.ndarray]]:
        """(judging, model) → :data:`PAIRED` count → array (1 + replicates,), for each model that has both settings, sorted."""
        pairs = sorted({key[:2] for key in self.columns if key[2:] == ("harmed",)})
        return {pair: {name: self.sums[:, self.columns[(*pair, name)]] for name in PAIRED} for pair in pairs}


class Resamples:
    """Statistics of every answer of every model, and ``replicates`` resamples of the questions that were asked. ``rows``: these
    questions, sorted; ``totals``: :class:`Totals` over all of them. Questions are drawn with replacement."""

    def __init__(self, results: pd.DataFrame, replicates: int, seed: int) -> None:
        # what was never asked is no part of the sample
        self.rows = np.unique(results["row"].to_numpy())
        self._weights = resample.bootstrap_weights(len(self.rows), replicates, seed)
        self._columns: dict[tuple, int] = {}
        parts = []
        for key, group in results.groupby(CELL, sort=True):
            c, output = group["confidence"].to_numpy(), group["output"].to_numpy()
            for reading, (labels, edges) in scoring.READINGS.items():
                keep = scoring.is_counted(output, labels).astype(float)
                right = output == RIGHT
                brier = keep * (right - c) ** 2
                bins = scoring.residuals(c, output, labels, edges)
                names = (*range(scoring.N_BINS), "n", "brier", "right")
                statistics = np.column_stack([bins, keep, brier, right])
                parts.append(self._pad_rows(group["row"], statistics, (*key, reading), names))
        for key, group in pair_settings(results).groupby(PAIR, sort=True):
            parts.append(self._pad_rows(group["row"], _moves(group), key, PAIRED))
        self._statistics = np.hstack(parts)
        self.totals = self.totals_of(self.rows)

    def _pad_rows(self, rows: pd.Series, statistics: np.ndarray, key: tuple, names: Collection) -> np.ndarray:
        """``statistics`` (rows, names) as an array over all questions, zero elsewhere; registers columns ``(*key, name)``."""
        for name in names:
            self._columns[(*key, name)] = len(self._columns)
        padded = np.zeros((len(self.rows), statistics.shape[1]))
        padded[np.searchsorted(self.rows, rows)] = statistics
        return padded

    def totals_of(self, rows: ArrayLike) -> Totals:
        """Totals over those of the questions ``rows`` that were asked, in the data and in each resample of all questions."""
        inside = np.isin(self.rows, rows)
        statistics, weights = self._statistics[inside], self._weights[:, inside]
        return Totals(np.vstack([statistics.sum(axis=0), weights @ statistics]), self._columns)

    def sums(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Sums of ``columns`` (answers, k), of answers to the questions ``rows``, in data and resamples: (1 + replicates, k)."""
        # a question that adds nothing need not be weighed
        nonzero = columns.any(axis=1)
        weights = self._weights[:, np.searchsorted(self.rows, rows[nonzero])]
        return np.vstack([columns.sum(axis=0), weights @ columns[nonzero]])


def bounds(draws: np.ndarray, level: float) -> tuple[float, float, float]:
    """(value, low, high) of ``draws`` (1 + replicates,), of which the first is the value in the data: percentile interval, at
    ``level``, of the others that are not nan. The bounds are nan where the value is, or no draw is left."""
    resampled = draws[1:][~np.isnan(draws[1:])]
    if np.isnan(draws[0]) or not len(resampled):
        return float(draws[0]), float("nan"), float("nan")
    low, high = resample.percentile_interval(resampled, level)
    return float(draws[0]), float(low), float(high)


def nondegenerate_interval(draws: np.ndarray, level: float) -> tuple[float, float, float]:
    """As :func:`bounds`, but nan for bounds that coincide. Equal resamples say nothing of how sure the value is: no answer of
    the sample moved, which does not mean that none would. Returns (value, low, high)."""
    value, low, high = bounds(draws, level)
    return (value, low, high) if low < high else (value, float("nan"), float("nan"))


def set_estimate(row: dict, name: str, three: tuple[float, float, float]) -> None:
    """Set ``row[name]``, ``row[name_low]`` and ``row[name_high]`` in place to ``three``: value, low, high."""
    row[name], row[f"{name}_low"], row[f"{name}_high"] = three
