"""Simulation-based calibration of the model of buzzes: ranks are uniform, and would not be of another posterior."""

import numpy as np
import pandas as pd
import pytest
from calscore.inference import mixed_model

from benchmarks import calibration

TABLE = pd.read_csv(calibration.TABLE)
EVEN = np.arange(300) / 300


def test_ranks_of_the_truth_are_uniform_in_300_studies():
    assert TABLE["rate"].tolist() == list(calibration.RATES)
    assert (TABLE["studies"] == calibration.STUDIES).all()
    counts = TABLE.filter(like="tenth_")
    assert counts.shape[1] == calibration.BINS
    assert (counts.sum(axis=1) == calibration.STUDIES).all()
    # at once for all rates (Bonferroni)
    assert (TABLE[["p_chi_square", "p_farthest"]] > 0.05 / len(TABLE)).all(axis=None)


@pytest.mark.parametrize(
    ("ranks", "uniform"),
    [(EVEN, True), (EVEN / 2 + 0.25, False), (EVEN**0.7, False)],
    ids=["even", "intervals too wide", "estimates too low"],
)
def test_what_is_not_uniform_is_seen(ranks, uniform):
    one = calibration.uniformity(pd.DataFrame({"rate": ranks})).iloc[0]
    assert (one["p_chi_square"] > 0.01) == (one["p_farthest"] > 0.01) == uniform


@pytest.mark.full
def test_another_posterior_fails(monkeypatch):
    """Effects drawn with half their spread, of 60 studies: the truth lies too often beyond the draws."""
    whole = mixed_model.share_draws

    def narrow(layout, drawn, seed):
        middle = [of.mean(axis=0) for of in drawn[:2]]
        less = (m + 0.5 * (of - m) for m, of in zip(middle, drawn[:2], strict=True))
        return whole(layout, mixed_model.Draws(*less, drawn.spread), seed)

    monkeypatch.setattr(mixed_model, "share_draws", narrow)
    found = calibration.uniformity(calibration.ranks(60))
    assert (found.set_index("rate").loc[["team", "mean team", "model"], "p_farthest"] < 0.01).any()
