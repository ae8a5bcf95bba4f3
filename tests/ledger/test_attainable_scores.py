"""What CalScore can be at all: bounds, and the models that attain them."""

import numpy as np
import pandas as pd
import pytest
from calscore.ledger import attainable_scores
from calscore.scores import metrics
from hypothesis import given, settings
from hypothesis import strategies as st

READINGS = [(name, h) for name, readings in attainable_scores.H_READINGS.items() for h in readings]
LENGTHS = st.lists(st.integers(1, 7), min_size=1, max_size=6)


def curve(lengths, rng, segmentation="sentence-100") -> pd.DataFrame:
    """A human curve with values at both ends now and then, under every reading of h."""
    rows = []
    for name in attainable_scores.H_READINGS["paper"]:
        for question, length in enumerate(lengths):
            h = rng.choice([0.0, 1.0, 0.5], length) if rng.random() < 0.3 else rng.random(length)
            for clue, value in enumerate(h, start=1):
                rows.append((segmentation, name, f"q{question:02d}", clue, value))
    names = ["segmentation", "h_definition", "question_id", "clue", "h"]
    return pd.DataFrame(rows, columns=names)


def score(rows, definition, h_definition, g, c) -> float:
    """Benchmark CalScore of a model by the package's own metric."""
    rows = rows[rows["h_definition"] == h_definition]
    starts = np.flatnonzero(rows["clue"].to_numpy() == 1)
    h = rows["h"].to_numpy()
    return float(metrics.question_errors(g, c, h, starts, definition)[1].mean())


@settings(max_examples=60, deadline=None)
@given(LENGTHS, st.integers(0, 2**32 - 1), st.sampled_from(READINGS))
def test_no_model_leaves_the_range_and_the_extremes_attain_it(lengths, seed, reading):
    rng = np.random.default_rng(seed)
    rows, n = curve(lengths, rng), sum(lengths)
    low, high = attainable_scores.attainable_calscore(rows, *reading)
    for _ in range(5):
        value = score(rows, *reading, rng.random(n) < rng.random(), rng.random(n))
        assert low - 1e-12 <= value <= high + 1e-12
    sure = np.ones(n)
    assert score(rows, *reading, np.ones(n, bool), sure) == pytest.approx(low, abs=1e-12)
    assert score(rows, *reading, np.zeros(n, bool), sure) == pytest.approx(high, abs=1e-12)


def test_bounds_by_hand():
    """One question, h = 0 and 0.5: a = 0.75."""
    rows = pd.DataFrame({"question_id": "q", "clue": [1, 2], "h": [0.0, 0.5]})
    low, high = attainable_scores.attainable_calscore(rows, "paper")
    sigmoid = 1 / (1 + np.exp(-np.array([0.75, 1.0])))
    assert low == pytest.approx(1 - (sigmoid[0] + sigmoid[1] - 1) / (2 * sigmoid[1] - 1))
    assert low + high == pytest.approx(1)
    assert attainable_scores.attainable_calscore(rows, "release") == (0.25, 1.0)
