"""Shares of clustered answers, and their intervals where nothing was counted."""

from statistics import NormalDist

import numpy as np
import pytest
from calscore.stats import proportions


def test_effective_number_of_clustered_answers():
    # Ten clusters of four equal answers are worth ten answers but for the factor K / (K − 1).
    right = np.array([4, 0, 4, 4, 0, 4, 0, 4, 4, 0.0])[:, None]
    worth = proportions.effective_sample_size(right, np.full((10, 1), 4.0))
    assert worth == pytest.approx([9.0])
    # Independent answers are worth about their number.
    rng = np.random.default_rng(0)
    single = (rng.random((4000, 1)) < 0.3).astype(float)
    assert proportions.effective_sample_size(single, np.ones((4000, 1)))[0] == pytest.approx(4000, rel=1e-3)
    # All alike: no variance can be seen, the clusters count.
    assert proportions.effective_sample_size(np.full((7, 1), 3.0), np.full((7, 1), 3.0)) == pytest.approx([7])


def test_two_way_clusters_are_worth_less_than_either():
    rng = np.random.default_rng(1)
    player, question = np.repeat(np.arange(15), 40), np.tile(np.arange(40), 15)
    chance = 0.5 + 0.25 * rng.choice([-1, 1], 15)[player] + 0.2 * rng.choice([-1, 1], 40)[question]
    correct = rng.random(600) < chance
    both = proportions.clustered_wilson(correct, [player, question], 0.95)
    players = proportions.clustered_wilson(correct, [player], 0.95)
    questions = proportions.clustered_wilson(correct, [question], 0.95)
    assert both[0] < min(players[0], questions[0]) < 600
    assert both[1] < players[1] < correct.mean() < players[2] < both[2]


def test_nothing_counted_has_no_ratio_and_no_interval():
    assert proportions.ratio(np.array([1, 2, 0]), np.array([2, 0, 0])) == pytest.approx(
        [0.5, np.nan, np.nan], nan_ok=True
    )
    assert proportions.ratio(np.ones((2, 1)), np.array([4.0, 0.0]), 9.0).tolist() == [[0.25, 9.0]] * 2
    low, high = proportions.wilson([0, 5], [0, 10])
    assert np.isnan([low[0], high[0]]).all() and low[1] < 0.5 < high[1]


def test_wilson_solves_its_equation():
    """The bounds are the two shares q at which (p − q)² = z² q (1 − q) / n (Wilson 1927)."""
    totals = np.array([1, 2, 7.5, 40, 1e6])
    for share in (0, 0.1, 0.5, 1):
        for level in (0.5, 0.9, 0.95):
            square = NormalDist().inv_cdf((1 + level) / 2) ** 2
            for bound in proportions.wilson(share * totals, totals, level):
                distance = (share - bound) ** 2 * totals
                np.testing.assert_allclose(distance, square * bound * (1 - bound), atol=1e-9)
