"""Ranks: of draws, correlations of them, order statistics, p values in their order."""

from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike


def rank_draws(drawn: np.ndarray, high_is_best: bool) -> np.ndarray:
    """Rank of each series in each replicate, integers (S, R) or fewer columns; 1 is best, ties share the better rank.

    ``drawn`` (S, R): value of each series in each replicate; values equal to 12 places tie. A replicate in which a series
    has no finite value is left out. ``high_is_best``: whether rank 1 is the highest value; else it is the lowest.

    Examples
    --------
    >>> rank_draws(np.array([[0.9, 0.2], [0.5, 0.4]]), high_is_best=True).tolist()
    [[1, 2], [2, 1]]
    """
    drawn = drawn[:, np.isfinite(drawn).all(axis=0)]
    value = np.round(-drawn if high_is_best else drawn, 12)
    return pd.DataFrame(value).rank(method="min").to_numpy(dtype=int)


def spearman(pair: np.ndarray) -> np.ndarray:
    """Rank correlation of the two sides of ``pair`` (2, …, n) along the last axis: shape (…).

    In [-1, 1], ties at mean ranks; nan where one side does not vary or holds a nan, or n is 0.

    Examples
    --------
    >>> round(float(spearman(np.array([[1, 2, 3], [1, 3, 2]]))), 3)
    0.5
    """
    if not pair.shape[-1]:
        return np.full(pair.shape[1:-1], np.nan)
    rows = pair.reshape(-1, pair.shape[-1])
    ranked = pd.DataFrame(rows.T).rank().to_numpy().T.reshape(pair.shape)
    x, y = ranked - ranked.mean(axis=-1, keepdims=True)
    size = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    product = (x * y).sum(axis=-1)
    return np.divide(product, size, out=np.full(np.shape(size), np.nan), where=size > 1e-12)


def median_interval(values: ArrayLike, level: float) -> tuple[float, float]:
    """(low, high): distribution-free interval of the median of ``values`` (n,), none of them nan.

    These are the order statistics between which the median lies with probability ``level`` or more. Both are nan where
    there are too few values for that.

    Examples
    --------
    >>> low, high = median_interval(range(1, 11), 0.95)
    >>> float(low), float(high)
    (2.0, 9.0)
    """
    ordered = np.sort(np.asarray(values, dtype=float))
    # More values than ``below`` lie below the median with at least half of 1 − level: binomial, in whole numbers.
    n, below, ways = len(ordered), -1, 1
    remaining = Fraction((1 - level) / 2) * 2**n - ways
    while remaining >= 0:
        below += 1
        ways = ways * (n - below) // (below + 1)
        remaining -= ways
    return (np.nan, np.nan) if below < 0 else (ordered[below], ordered[-1 - below])


def holm_adjust(p: ArrayLike) -> np.ndarray:
    """Holm's step-down adjusted p values of ``p`` (P,), in its order; nan where p is nan, which counts as no test.

    Examples
    --------
    >>> holm_adjust([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    from statsmodels.stats.multitest import multipletests

    p = np.asarray(p, dtype=float)
    adjusted, finite = np.full(p.shape, np.nan), np.isfinite(p)
    if finite.any():
        adjusted[finite] = multipletests(p[finite], method="holm")[1]
    return adjusted
