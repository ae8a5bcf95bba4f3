"""Means over what is there, and Student's interval."""

import numpy as np

from .proportions import ratio


def finite_mean(values: np.ndarray, axis: int | tuple[int, ...]) -> np.ndarray:
    """Mean of the finite ``values`` along ``axis``, which is dropped; nan where there are none."""
    finite = np.isfinite(values)
    return ratio(np.where(finite, values, 0).sum(axis=axis), finite.sum(axis=axis))


def student_interval(values: np.ndarray, level: float) -> tuple[float, float]:
    """(low, high) of Student's interval of the mean of independent ``values`` (n,).

    ``level``: of confidence, in (0, 1). Both are nan with fewer than two values, or where any is nan.

    Examples
    --------
    >>> low, high = student_interval(np.array([1.0, 2.0, 3.0]), 0.95)
    >>> round(float(low), 2), round(float(high), 2)
    (-0.48, 4.48)
    """
    from scipy.special import stdtrit

    if len(values) < 2:
        return np.nan, np.nan
    half = stdtrit(len(values) - 1, (1 + level) / 2) * values.std(ddof=1) / np.sqrt(len(values))
    return values.mean() - half, values.mean() + half
