"""P(correct | buzz) of the release, resampled the long way."""

import numpy as np
import pytest
from calscore.core import store


def test_human_precision_on_the_release(grace):
    """Standard errors of P(correct | buzz), each against a loop over 2,000 replicates."""
    table, questions, buzzes = (
        store.read(grace / f"{name}.parquet")
        for name in ("inference/precision", "tidy/questions", "tidy/buzzes")
    )
    one = table.set_index(["category", "group"]).loc[("all", "human")]
    people = buzzes[buzzes["kind"] == "human"]
    assert one["buzzes"] == len(people) == 1371
    p = people["correct"].mean()
    assert one["value"] == pytest.approx(p)
    assert one["se_naive"] == pytest.approx((p * (1 - p) / len(people)) ** 0.5)
    rng = np.random.default_rng(0)
    right = people.pivot_table("correct", "question_id", "team", "sum", fill_value=0)
    right = right.reindex(questions["question_id"], fill_value=0)
    every = people.pivot_table("correct", "question_id", "team", "size", fill_value=0)
    every = every.reindex(questions["question_id"], fill_value=0)
    found = {"question": [], "team": [], "two_way": []}
    for _ in range(2000):
        q = rng.integers(0, len(right), len(right))
        t = rng.integers(0, right.shape[1], right.shape[1])
        for name, rows_, columns in (
            ("question", q, slice(None)),
            ("team", slice(None), t),
            ("two_way", q, t),
        ):
            a, b = right.to_numpy()[rows_][:, columns], every.to_numpy()[rows_][:, columns]
            found[name].append(a.sum() / b.sum())
    for name, draws in found.items():
        assert one[f"se_{name}"] == pytest.approx(np.std(draws, ddof=1), rel=0.08), name
    assert one["se_naive"] < one["se_question"] < one["se_team"] < one["se_two_way"]
    models = table[(table["category"] == "all") & (table["kind"] == "model")].set_index("group")
    assert models.loc["M1", "difference"] == pytest.approx(models.loc["M1", "value"] - p)
    assert models.loc["M1", "difference_high"] < 0 < models.loc["M2", "difference"]
