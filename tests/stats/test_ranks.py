"""Ranks against their definitions, counted out."""

import math

import numpy as np
import pytest
from calscore.stats import ranks
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_a_step_down_and_never_lowers(values):
    first, *adjusted = ranks.holm_adjust(np.array([np.nan, *values]))
    assert np.isnan(first)
    order = np.argsort(values, kind="stable")
    running, size = 0.0, len(values)
    for place, index in enumerate(order):
        running = max(running, min(1.0, (size - place) * values[index]))
        assert adjusted[index] == pytest.approx(running)


def test_rank_draws_share_the_better_rank():
    drawn = np.array([[0.1, 0.5], [0.1, 0.4], [0.3, 0.6]])
    assert ranks.rank_draws(drawn, False).tolist() == [[1, 2], [1, 1], [3, 3]]
    assert ranks.rank_draws(drawn, True).tolist() == [[2, 2], [2, 3], [1, 1]]


def test_replicates_in_which_a_series_has_no_value_have_no_ranks():
    drawn = np.array([[0.1, 0.5, np.nan], [0.2, np.nan, 0.3], [0.3, 0.1, 0.2]])
    assert ranks.rank_draws(drawn, False).tolist() == [[1], [2], [3]]
    assert ranks.rank_draws(drawn[:, 1:], False).shape == (3, 0)


def median_ends(n: int, level: float) -> tuple[float, float]:
    """Order statistics around the median of 0, 1, …, n − 1, by counting coin flips."""
    ways, below = 0, -1
    while below < n and ways + math.comb(n, below + 1) <= (1 - level) / 2 * 2**n:
        below += 1
        ways += math.comb(n, below)
    return (math.nan, math.nan) if below < 0 else (below, n - 1 - below)


def test_median_interval_is_the_narrowest_of_order_statistics():
    values = np.random.default_rng(2).permutation(np.arange(10.0))
    # 1 − 2 (1 + 10) / 1024 = 97.9 % lies between the second and the ninth, 89 % between third and eighth.
    assert ranks.median_interval(values, 0.95) == (1, 8)
    assert ranks.median_interval(values, 0.99) == (0, 9)
    assert ranks.median_interval(values, 0.89) == (2, 7)
    assert np.isnan(ranks.median_interval(values[:5], 0.95)).all()
    assert ranks.median_interval(np.arange(6.0), 0.95) == (0, 5)
    for n in range(1, 60):
        for level in (0.5, 0.9, 0.95):
            one, two = ranks.median_interval(np.arange(n), level), median_ends(n, level)  # fmt: skip
            assert one == pytest.approx(two, nan_ok=True), (n, level)


def test_rank_correlations_are_those_of_scipy_and_nan_where_nothing_varies():
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 5, (2, 20, 9))
    for row, one in enumerate(ranks.spearman(np.stack([x, y]))):
        assert one == pytest.approx(stats.spearmanr(x[row], y[row])[0])
    assert np.isnan(ranks.spearman(np.array([[1, 1, 1], [1, 2, 3]])))
