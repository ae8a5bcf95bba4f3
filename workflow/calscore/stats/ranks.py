"""Ranks: of draws, correlations of them, order statistics, p values in their order."""

from __future__ import annotations

import numpy as np


def rank_draws(drawn: np.ndarray, high_is_best: bool) -> np.ndarray:
    """Rank of each series (S, R) in each replicate, 1 best, ties share the better rank.

    Shape (S, R) or less: where a series has no value nobody's rank is known, and the replicate is left out.
    """
    from scipy.stats import rankdata

    drawn = drawn[:, np.isfinite(drawn).all(axis=0)]
    value = np.round(-drawn if high_is_best else drawn, 12)
    return rankdata(value, method="min", axis=0).astype(int)


def pearson(pair: np.ndarray) -> np.ndarray:
    """Correlation of two sides along the last axis: (2, …, n) → (…); nan where one does not vary."""
    x, y = pair - pair.mean(axis=-1, keepdims=True)
    size = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    together = (x * y).sum(axis=-1)
    return np.divide(together, size, out=np.full(np.shape(size), np.nan), where=size > 1e-12)


def spearman(pair: np.ndarray) -> np.ndarray:
    """As :func:`pearson`, of ranks; ties at mean ranks."""
    from scipy.stats import rankdata

    return pearson(rankdata(pair, axis=-1))


def median_interval(values, level: float) -> tuple[float, float]:
    """Distribution-free interval of a median: the order statistics between which it lies with at least
    probability ``level``, nan where there are too few values for any."""
    from scipy.stats import binom

    ordered = np.sort(np.asarray(values, dtype=float))
    # So many values lie below the median with at most half of 1 − level.
    below = int(binom.ppf((1 - level) / 2, len(ordered), 0.5))
    if binom.cdf(below, len(ordered), 0.5) > (1 - level) / 2:
        below -= 1
    return (np.nan, np.nan) if below < 0 else (ordered[below], ordered[-1 - below])


def holm(p: np.ndarray) -> np.ndarray:
    """Holm's step-down p values, nan where p is nan."""
    p = np.asarray(p, dtype=float)
    adjusted = np.full(p.shape, np.nan)
    order = np.argsort(p)[: np.isfinite(p).sum()]
    stepped = np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
