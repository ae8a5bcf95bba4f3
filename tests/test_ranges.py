"""What CalScore can be at all: bounds, the models that attain them, and Table 1."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from calscore import metrics, ranges
from calscore.errors import DataError
from hypothesis import given, settings
from hypothesis import strategies as st
from test_claims import published, release_tables

LENGTHS = st.lists(st.integers(1, 7), min_size=1, max_size=6)


def curve(lengths, rng, segmentation="sentence-100") -> pd.DataFrame:
    """A human curve with values at both ends now and then, and both definitions."""
    rows = []
    for name in ranges.DEFINITIONS.values():
        for question, length in enumerate(lengths):
            h = rng.choice([0.0, 1.0, 0.5], length) if rng.random() < 0.3 else rng.random(length)
            for clue, value in enumerate(h, start=1):
                rows.append((segmentation, name, f"q{question:02d}", clue, value))
    names = ["segmentation", "h_definition", "question_id", "clue", "h"]
    return pd.DataFrame(rows, columns=names)


def score(rows, definition, g, c) -> float:
    """Benchmark CalScore of a model by the package's own metric."""
    rows = rows[rows["h_definition"] == ranges.DEFINITIONS[definition]]
    starts = np.flatnonzero(rows["clue"].to_numpy() == 1)
    h = rows["h"].to_numpy()
    return float(metrics.question_errors(g, c, h, starts, definition)[1].mean())


@settings(max_examples=60, deadline=None)
@given(LENGTHS, st.integers(0, 2**32 - 1), st.sampled_from(sorted(ranges.DEFINITIONS)))
def test_no_model_leaves_the_range_and_the_extremes_attain_it(lengths, seed, definition):
    rng = np.random.default_rng(seed)
    rows, n = curve(lengths, rng), sum(lengths)
    low, high = ranges.attainable(rows, definition)
    for _ in range(5):
        value = score(rows, definition, rng.random(n) < rng.random(), rng.random(n))
        assert low - 1e-12 <= value <= high + 1e-12
    sure = np.ones(n)
    assert score(rows, definition, np.ones(n, bool), sure) == pytest.approx(low, abs=1e-12)
    assert score(rows, definition, np.zeros(n, bool), sure) == pytest.approx(high, abs=1e-12)


def test_bounds_by_hand():
    """One question, h = 0 and 0.5: a = 0.75."""
    rows = pd.DataFrame({"question_id": "q", "clue": [1, 2], "h": [0.0, 0.5]})
    low, high = ranges.attainable(rows, "paper")
    sigmoid = 1 / (1 + np.exp(-np.array([0.75, 1.0])))
    assert low == pytest.approx(1 - (sigmoid[0] + sigmoid[1] - 1) / (2 * sigmoid[1] - 1))
    assert low + high == pytest.approx(1)
    assert ranges.attainable(rows, "release") == (0.25, 1.0)


def test_humans_who_never_answer_leave_all_of_it_open():
    rows = pd.DataFrame({"question_id": "q", "clue": [1, 2], "h": 0.0})
    assert ranges.attainable(rows, "paper") == pytest.approx((0.0, 1.0))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows.drop(columns="h"), "column h"),
        (lambda rows: rows.assign(h=1.5), "a number from 0 to 1"),
        (lambda rows: rows.iloc[:0], "rows with buzzed_so_far"),
        (lambda rows: pd.concat([rows, rows]), "rows of one segmentation"),
    ],
)
def test_unusable_curve_is_refused(change, words):
    with pytest.raises(DataError, match=words):
        ranges.attainable(change(curve([2, 3], np.random.default_rng(1))), "paper")


def test_unknown_definition_is_refused():
    with pytest.raises(DataError, match="one of paper, release"):
        ranges.attainable(curve([2], np.random.default_rng(1)), "papre")


def test_table_has_every_reading():
    rng = np.random.default_rng(3)
    rows = pd.concat([curve([3, 2], rng), curve([5, 4], rng, "sentence-35")])
    table = ranges.table(published(), rows)
    assert list(table.columns) == ranges.COLUMNS
    assert len(table) == 2 * 2 * 2 * 12
    keys = ["segmentation", "definition", "columns", "elicitation", "model"]
    assert not table.duplicated(keys).any()
    row = table.set_index(keys).loc[("sentence-35", "paper", "exchanged", "logit", "M4")]
    assert row["printed"] == 0.825
    part = rows[rows["segmentation"] == "sentence-35"]
    assert (row["low"], row["high"]) == ranges.attainable(part, "paper")


def test_printed_scores_against_the_release():
    table = ranges.table(published(), release_tables()["human_curve"])
    paper = table[table["definition"] == "paper"]
    printed = paper[(paper["columns"] == "as_printed") & (paper["printed"] == 0.921)]
    assert len(printed) == 2 and not printed["inside"].any()
    assert (printed["printed"] > printed["high"] + 0.1).all()
    outside = paper[(paper["columns"] == "exchanged") & ~paper["inside"]]
    assert set(zip(outside["elicitation"], outside["model"], strict=True)) == {
        ("logit", "M4"),
        ("verbalized", "M3"),
    }
    assert table.loc[table["definition"] == "release", "inside"].all()
