"""P(correct | buzz) of the release, resampled the long way."""

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.human import precision
from calscore.stats.bootstrap import Bootstrap


def test_bounds_by_category_are_as_wide_as_students_and_none_where_all_buzzes_are_alike():
    """Six questions a category; the model is right on four of A and on all of B, two teams on every other question."""
    ids = [f"q{n:02d}" for n in range(12)]
    questions = pd.DataFrame({"question_id": ids, "category": ["A"] * 6 + ["B"] * 6})
    right = [True] * 4 + [False] * 2 + [True] * 6
    rows = [(q, "M", "model", good) for q, good in zip(ids, right, strict=True)]
    rows += [(q, team, "human", n % 2 == 0) for team in "TU" for n, q in enumerate(ids)]
    buzzes = pd.DataFrame(rows, columns=["question_id", "team", "kind", "correct"])
    table = precision.precision(questions, buzzes, {}, Bootstrap(400, 3, 0.95))
    at = table.set_index(["category", "group"])
    weights, _ = Bootstrap(400, 3, 0.95).two_way_weights(12, 2)
    top = weights[:, :6] @ np.array(right[:6], dtype=float)
    drawn = (top / weights[:, :6].sum(axis=1))[weights[:, :6].sum(axis=1) > 0]
    wider = 2.570582 / 1.959964 * (6 / 5) ** 0.5
    expected = np.clip(np.quantile(4 / 6 + wider * (drawn - 4 / 6), [0.025, 0.975]), 0, 1)
    assert at.loc[("A", "M"), ["low", "high"]].tolist() == pytest.approx(
        expected.tolist(), rel=1e-5
    )
    # Ten of twelve buzzes, worth eleven: Wilson's interval, by its formula.
    z, p = 1.959964, 10 / 12
    middle, half = p + z**2 / 22, z * (p * (1 - p) / 11 + z**2 / 484) ** 0.5
    expected = [(middle + sign * half) / (1 + z**2 / 11) for sign in (-1, 1)]
    assert at.loc[("all", "M"), ["low", "high"]].tolist() == pytest.approx(expected)
    ends = ["low", "high", "difference_low", "difference_high"]
    assert at.loc[("B", "M"), ends].isna().all()
    assert at.loc[("B", "M"), "difference"] == pytest.approx(0.5)


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
