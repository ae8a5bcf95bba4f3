"""P(correct | buzz), resampled the long way."""

import numpy as np
import pandas as pd
import pytest
from calscore.human import precision
from calscore.stats.bootstrap import Bootstrap


def test_errors_are_those_of_the_weights_and_bounds_by_category_as_wide_as_students():
    """Six questions a category; the model is right on four of A and on all of B, teams on every other question, U of B alone."""
    ids = [f"q{n:02d}" for n in range(12)]
    questions = pd.DataFrame({"question_id": ids, "category": ["A"] * 6 + ["B"] * 6})
    right = [True] * 4 + [False] * 2 + [True] * 6
    rows = [(q, "M", "model", good) for q, good in zip(ids, right, strict=True)]
    known_by_t = [n % 2 == 0 for n in range(12)]
    known_by_u = [False] * 6 + known_by_t[6:]
    rows += [(q, "T", "human", good) for q, good in zip(ids, known_by_t, strict=True)]
    rows += [(q, "U", "human", good) for q, good in zip(ids, known_by_u, strict=True)]
    buzzes = pd.DataFrame(rows, columns=["question_id", "team", "kind", "correct"])
    table = precision.buzz_precision(questions, buzzes, {}, Bootstrap(400, 3, 0.95))
    at = table.set_index(["category", "group"])
    weights, teams = Bootstrap(400, 3, 0.95).two_way_weights(12, 2)
    of_a = weights[weights[:, :6].any(axis=1), :6]
    drawn = of_a @ np.array(right[:6], dtype=float) / of_a.sum(axis=1)
    wider = 2.570582 / 1.959964 * (6 / 5) ** 0.5
    expected = np.clip(np.quantile(4 / 6 + wider * (drawn - 4 / 6), [0.025, 0.975]), 0, 1)
    assert at.loc[("A", "M"), ["low", "high"]].tolist() == pytest.approx(expected.tolist(), rel=1e-5)
    # Ten of twelve buzzes, worth eleven: Wilson's interval, by its formula.
    z, p = 1.959964, 10 / 12
    middle, half = p + z**2 / 22, z * (p * (1 - p) / 11 + z**2 / 484) ** 0.5
    expected = [(middle + sign * half) / (1 + z**2 / 11) for sign in (-1, 1)]
    assert at.loc[("all", "M"), ["low", "high"]].tolist() == pytest.approx(expected)
    # Humans: each standard error from its own weights.
    human, known = at.loc[("all", "human")], np.array([known_by_t, known_by_u]).T
    assert human["se_naive"] == pytest.approx((0.375 * 0.625 / 24) ** 0.5)
    shares = {
        "question": weights @ known.mean(axis=1) / weights.sum(axis=1),
        "team": teams @ known.mean(axis=0) / teams.sum(axis=1),
        "two_way": np.einsum("rq,qt,rt->r", weights, known, teams) / weights.sum(axis=1) / teams.sum(axis=1),
    }
    for name, of in shares.items():
        assert human[f"se_{name}"] == pytest.approx(np.std(of, ddof=1)), name
    ends = ["low", "high", "difference_low", "difference_high"]
    assert at.loc[("B", "M"), ends].isna().all()
    assert at.loc[("B", "M"), "difference"] == pytest.approx(0.5)


def test_models_alone_have_no_difference_from_humans():
    questions = pd.DataFrame({"question_id": ["q1", "q2"], "category": "A"})
    buzzes = questions[["question_id"]].assign(team="M", kind="model", correct=[True, False])
    table = precision.buzz_precision(questions, buzzes, {}, Bootstrap(50, 3, 0.95))
    assert table["group"].tolist() == ["M", "model"] * 2
    assert (table["value"] == 0.5).all() and table["difference"].isna().all()
