"""Shares and their intervals: ratios of counts, Wilson, exact odds, clustered answers."""

from __future__ import annotations

import numpy as np


def ratio(numerator, denominator, empty: float = np.nan) -> np.ndarray:
    """numerator / denominator elementwise, ``empty`` where the denominator is not positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator > 0, np.divide(numerator, denominator), empty)


def wilson(successes, totals, level: float = 0.95):
    """Wilson interval of a proportion, elementwise; nan where the total is 0."""
    from statsmodels.stats.proportion import proportion_confint

    with np.errstate(divide="ignore", invalid="ignore"):
        return proportion_confint(
            np.asarray(successes, dtype=float), np.asarray(totals, dtype=float), 1 - level, "wilson"
        )


def effective_sample_size(right, total, second=None, both=None) -> np.ndarray:
    """Independent answers that clustered ones are worth, shape (k,) (Korn and Graubard 1998).

    ``right`` and ``total`` are sums per cluster, (Q, k). The number of answers over the design
    effect, the variance between clusters over the binomial one; at most the number of answers, and
    the number of clusters where all answers are alike and no variance can be seen. With ``second``
    (sums per cluster of a second kind, a pair of arrays) and ``both`` (sums per pair of the two) the
    variance is the two-way one, V_first + V_second − V_both (Cameron, Gelbach and Miller 2011).
    """
    n = total.sum(axis=0)
    p = np.divide(right.sum(axis=0), n, out=np.zeros(n.shape), where=n > 0)

    def variance(right, total):
        clusters = (total > 0).sum(axis=0)
        factor = np.divide(clusters, clusters - 1.0, out=np.ones(n.shape), where=clusters > 1)
        return factor * ((right - p * total) ** 2).sum(axis=0), clusters

    spread, clusters = variance(right, total)
    if second is not None:
        second_part, second_count = variance(*second)
        spread = np.maximum(
            spread + second_part - variance(*both)[0], np.maximum(spread, second_part)
        )
        clusters = np.minimum(clusters, second_count)
    worth = np.divide(p * (1 - p) * n, spread, out=np.zeros(n.shape), where=spread > 1e-12) * n
    return np.minimum(np.where(spread > 1e-12, worth, clusters), n)


def clustered_wilson(correct, clusters: list, level: float):
    """Wilson's interval of a share right on :func:`effective_sample_size`, clusters of one or two kinds.

    ``correct`` (N,), ``clusters`` one or two arrays (N,) of labels. Returns (effective number, low,
    high).
    """
    correct = np.asarray(correct, dtype=float)

    def sums(labels):
        code = np.unique(labels, return_inverse=True)[1]
        return np.bincount(code, correct)[:, None], np.bincount(code)[:, None].astype(float)

    codes = [np.unique(np.asarray(labels), return_inverse=True)[1] for labels in clusters]
    first_sums, *second = map(sums, codes)
    if second:
        second.append(sums(codes[0] * (codes[1].max() + 1) + codes[1]))
    worth = effective_sample_size(*first_sums, *second)
    low, high = wilson(correct.mean() * worth, worth, level)
    return worth[0], low[0], high[0]


def mcnemar_odds_ratio(gained: int, lost: int, level: float) -> tuple[float, float, float]:
    """Gained over lost, McNemar's paired odds ratio, with its exact interval.

    Given the discordant pairs, gained is binomial; the ends are the odds of the Clopper-Pearson
    bounds of its share. Without a lost answer there is neither a value nor an upper bound.
    """
    from statsmodels.stats.proportion import proportion_confint

    nan = float("nan")
    if not gained + lost:
        return nan, nan, nan
    low, high = proportion_confint(gained, gained + lost, 1 - level, "beta")
    if not lost:
        return nan, low / (1 - low), nan
    return gained / lost, low / (1 - low), high / (1 - high)
