"""Intervals from resampling questions, without a loop over replicates."""

from __future__ import annotations

import numpy as np


def bootstrap_weights(n_questions: int, replicates: int, seed: int) -> np.ndarray:
    """How often each question is drawn in each replicate: shape (replicates, n_questions)."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(
        n_questions, np.full(n_questions, 1 / n_questions), size=replicates
    ).astype(float)


def percentile_interval(draws: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper percentile bounds over the first axis."""
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def ratio_draws(weights: np.ndarray, numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Σ w·numerator / Σ w·denominator for each replicate; nan where the denominator is 0.

    ``numerator`` and ``denominator`` are per-question sums, shape (Q,) or (Q, k).
    """
    total = weights @ denominator
    return np.divide(weights @ numerator, total, out=np.full(total.shape, np.nan), where=total > 0)


def wilson(successes, totals, level: float = 0.95):
    """Wilson interval of a proportion (statsmodels), nan where the total is 0."""
    from statsmodels.stats.proportion import proportion_confint

    successes, totals = np.asarray(successes, dtype=float), np.asarray(totals, dtype=float)
    low = np.full(totals.shape, np.nan)
    high = np.full(totals.shape, np.nan)
    some = totals > 0
    if some.any():
        low[some], high[some] = proportion_confint(
            successes[some], totals[some], 1 - level, "wilson"
        )
    return low, high
