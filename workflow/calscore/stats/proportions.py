"""Shares and their intervals: ratios of counts, Wilson, exact odds, clustered answers."""

import numpy as np
from numpy.typing import ArrayLike


def ratio(numerator: ArrayLike, denominator: ArrayLike, empty: float = np.nan) -> np.ndarray:
    """numerator / denominator elementwise, broadcast; ``empty`` where the denominator is not positive (or nan)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator > 0, np.divide(numerator, denominator), empty)


def wilson(successes: ArrayLike, totals: ArrayLike, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """(low, high) of Wilson's (1927) interval of a proportion, elementwise, in [0, 1] up to rounding; nan for a total of 0.

    ``successes`` and ``totals``: counts, or effective counts, of the same shape; ``level``: of confidence, in (0, 1).

    Examples
    --------
    >>> low, high = wilson(8, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.49, 0.943)
    """
    from statsmodels.stats.proportion import proportion_confint

    with np.errstate(divide="ignore", invalid="ignore"):
        return proportion_confint(
            np.asarray(successes, dtype=float), np.asarray(totals, dtype=float), 1 - level, "wilson"
        )


def chance_above_half(successes: float, total: float) -> float:
    """Chance that the proportion of ``successes`` in ``total`` trials is above one half: its posterior under Jeffreys's prior.

    Examples
    --------
    >>> round(chance_above_half(8, 10), 3)
    0.974
    >>> chance_above_half(5, 10)
    0.5
    """
    from scipy.stats import beta

    return float(beta.sf(0.5, successes + 0.5, total - successes + 0.5))


def effective_sample_size(right: np.ndarray, total: np.ndarray, second=None, both=None) -> np.ndarray:
    """Number of independent answers that clustered ones are worth, in each of k groups, (k,); 0 without answers.

    The number of answers over the design effect, the variance between clusters over the binomial one; at most
    the number of answers. Where clusters do not vary: how many have answers, of two kinds the smaller number.
    ``right`` and ``total`` (Q, k): right answers and answers in each of Q clusters. ``second``: the same pair
    over clusters of a second kind; ``both``: over pairs of the two. The variance is then V_first + V_second −
    V_both, but at least either of the first two.

    References
    ----------
    Korn and Graubard (1998); Cameron, Gelbach and Miller (2011).

    Examples
    --------
    Two questions, two answers each, alike within a question:

    >>> effective_sample_size(np.array([[2], [0]]), np.array([[2], [2]])).tolist()
    [1.0]
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
        spread = np.maximum(spread + second_part - variance(*both)[0], np.maximum(spread, second_part))
        clusters = np.minimum(clusters, second_count)
    worth = np.divide(p * (1 - p) * n, spread, out=np.zeros(n.shape), where=spread > 1e-12) * n
    return np.minimum(np.where(spread > 1e-12, worth, clusters), n)


def clustered_wilson(
    correct: ArrayLike, clusters: list[ArrayLike], level: float
) -> tuple[float, float, float]:
    """(effective number of answers, low, high): Wilson's interval of the share of right answers, three numbers.

    ``correct`` (N,): 0/1 or bool, at least one. ``clusters``: one or two arrays (N,) of labels; answers with the same
    label are correlated (:func:`effective_sample_size`).
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
    """(odds, low, high): ``gained`` / ``lost``, McNemar's paired odds ratio, with its exact interval.

    ``gained`` and ``lost`` count discordant pairs of either kind. Given their sum, ``gained`` is binomial;
    the ends are the odds of the Clopper–Pearson bounds of its share. All are nan without a discordant pair.
    With none lost, odds and high are nan; with none gained, odds and low are 0.

    Examples
    --------
    >>> odds, low, high = mcnemar_odds_ratio(6, 3, 0.95)
    >>> odds, round(low, 2), round(high, 2)
    (2.0, 0.43, 12.36)
    """
    from statsmodels.stats.proportion import proportion_confint

    nan = float("nan")
    if not gained + lost:
        return nan, nan, nan
    low, high = proportion_confint(gained, gained + lost, 1 - level, "beta")
    if not lost:
        return nan, low / (1 - low), nan
    return gained / lost, low / (1 - low), high / (1 - high)
