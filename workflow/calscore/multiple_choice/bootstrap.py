"""Sums over answers in the data and in resamples of the questions, and what is read off them.

``results`` is the table option_results.
"""

from __future__ import annotations

import numpy as np

from ..stats import proportions, resample
from . import RIGHT, SETTINGS, WRONG, scoring

MEAN = "mean"
PAIR = ["judging", "model"]
PAIRED = ("n", "right_before", "gained", "lost", "helped", "harmed")
"""Counts over questions that have both settings, the columns of :func:`_moves`."""


def pair_settings(results):
    """One row per judging × model × row that has both settings: ``before``, ``after`` (verdicts)."""
    wide = results.pivot(index=[*PAIR, "row"], columns="setting", values="output")
    wide = wide.reindex(columns=list(SETTINGS)).dropna().astype(int)
    return wide.rename(columns={"normal": "before", "distractor": "after"}).reset_index()


def _moves(pairs) -> np.ndarray:
    """Which of the paired questions count for each of :data:`PAIRED`: shape (questions, 6)."""
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


class Resamples:
    """Sums over answers of every model, in the data (first row) and in each resample of questions.

    One column a statistic, ``(judging, model, setting, reading, name)``: ten signed bin residuals
    ``0``…``9``, ``n`` answers that count, ``brier`` (sum of squared differences) and ``right``
    answers; and ``(judging, model, name)`` for the counts :data:`PAIRED` of both settings together.
    """

    def __init__(self, results, replicates: int, seed: int):
        self.columns: dict[tuple, int] = {}
        # what was never asked is no part of the sample
        self.rows = np.unique(results["row"].to_numpy())
        self._weights = resample.bootstrap_weights(len(self.rows), replicates, seed)
        parts = []
        for key, group in results.groupby([*PAIR, "setting"], sort=True):
            rows = np.searchsorted(self.rows, group["row"].to_numpy())
            c, output = group["confidence"].to_numpy(), group["output"].to_numpy()
            for reading, (labels, edges) in scoring.READINGS.items():
                keep = scoring.is_counted(output, labels).astype(float)
                right = output == RIGHT
                brier = keep * (right - c) ** 2
                bins = scoring.residuals(c, output, labels, edges)
                names = (*range(scoring.N_BINS), "n", "brier", "right")
                statistics = np.column_stack([bins, keep, brier, right])
                parts.append(self._pad_rows(rows, statistics, (*key, reading), names))
        for key, group in pair_settings(results).groupby(PAIR, sort=True):
            rows = np.searchsorted(self.rows, group["row"].to_numpy())
            parts.append(self._pad_rows(rows, _moves(group), key, PAIRED))
        self._sums = np.hstack(parts)
        self._all = None

    def _pad_rows(self, rows, sums, key: tuple, names) -> np.ndarray:
        """``sums`` of the questions at ``rows`` among all questions; their columns get their names."""
        for name in names:
            self.columns[(*key, name)] = len(self.columns)
        padded = np.zeros((len(self.rows), sums.shape[1]))
        padded[rows] = sums
        return padded

    def totals(self, rows=None) -> np.ndarray:
        """Sums over the questions ``rows`` (all of them): shape (1 + replicates, columns)."""
        if rows is None:
            if self._all is None:
                self._all = np.vstack([self._sums.sum(axis=0), self._weights @ self._sums])
            return self._all
        mask = np.isin(self.rows, rows)
        sums, weights = self._sums[mask], self._weights[:, mask]
        return np.vstack([sums.sum(axis=0), weights @ sums])

    def sums(self, rows, columns) -> np.ndarray:
        """Column sums over answers to the questions ``rows``: shape (1 + replicates, columns)."""
        # a question that adds nothing need not be weighed
        nonzero = columns.any(axis=1)
        weights = self._weights[:, np.searchsorted(self.rows, rows[nonzero])]
        return np.vstack([columns.sum(axis=0), weights @ columns[nonzero]])

    def moves(self) -> dict[tuple, dict[str, np.ndarray]]:
        """(judging, model) that has both settings → the counts :data:`PAIRED`, each of shape (1 + replicates,)."""
        keys = sorted({key[:2] for key in self.columns if key[2:] == ("harmed",)})
        totals = self.totals()
        return {
            key: {name: totals[:, self.columns[(*key, name)]] for name in PAIRED} for key in keys
        }

    def _column(self, totals, key: tuple, reading: str, name):
        return totals[:, self.columns[(*key, reading, name)]]

    def n_counted(self, totals, key: tuple, reading: str) -> np.ndarray:
        """Answers of a (judging, model, setting) that count, shape (1 + replicates,)."""
        return self._column(totals, key, reading, "n")

    def bins(self, totals, key: tuple, reading: str) -> np.ndarray:
        """Signed sums of the ten bins of a (judging, model, setting), shape (1 + replicates, 10)."""
        start = self.columns[(*key, reading, 0)]
        return totals[:, start : start + scoring.N_BINS]

    def ece(self, totals, key: tuple, reading: str) -> np.ndarray:
        """ECE in the data and in each resample, shape (1 + replicates,); nan where none counts."""
        gap = np.abs(self.bins(totals, key, reading)).sum(axis=1)
        return proportions.ratio(gap, self.n_counted(totals, key, reading))

    def brier(self, totals, key: tuple, reading: str) -> np.ndarray:
        """Brier score likewise."""
        total = self._column(totals, key, reading, "brier")
        return proportions.ratio(total, self.n_counted(totals, key, reading))

    def right(self, totals, key: tuple) -> np.ndarray:
        """Share right of all answers likewise."""
        right = self._column(totals, key, "as_wrong", "right")
        return proportions.ratio(right, self.n_counted(totals, key, "as_wrong"))

    def none(self, totals, key: tuple) -> np.ndarray:
        """Share not attempted of all answers likewise."""
        n = self.n_counted(totals, key, "as_wrong")
        return proportions.ratio(n - self.n_counted(totals, key, "attempted"), n)


def bounds(draws, level: float) -> tuple[float, float, float]:
    """(value, low, high) of a statistic's draws, the first of them the value in the data."""
    resampled = draws[1:][~np.isnan(draws[1:])]
    if np.isnan(draws[0]) or not len(resampled):
        return float(draws[0]), float("nan"), float("nan")
    low, high = resample.percentile_interval(resampled, level)
    return float(draws[0]), float(low), float(high)


def nondegenerate_interval(draws, level: float) -> tuple[float, float, float]:
    """As :func:`bounds`, without bounds where all resamples agree: they then say nothing of how sure
    the value is (no answer of the sample moved, which does not mean that none would)."""
    value, low, high = bounds(draws, level)
    return (value, low, high) if low < high else (value, float("nan"), float("nan"))


def set_estimate(row: dict, name: str, three) -> None:
    """A value and the ends of its interval, as three cells of a row."""
    row[name], row[f"{name}_low"], row[f"{name}_high"] = three
