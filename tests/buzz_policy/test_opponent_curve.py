"""Shares of opponents who have not yet answered, and the cubic fitted to them."""

import numpy as np
import pandas as pd
import pytest
from calscore.buzz_policy import opponent_curve
from calscore.stats.bootstrap import Bootstrap

PROTOBOWL = opponent_curve.Opponents("protobowl", opponent_curve.PROTOBOWL)


def test_pi():
    assert PROTOBOWL(0.0) == pytest.approx(0.9930799808912602)
    assert PROTOBOWL(1.0) == pytest.approx(0.380375, abs=1e-6)
    falls = PROTOBOWL(np.linspace(0.1, 1, 50))
    assert (np.diff(falls) < 0).all()
    table = opponent_curve.opponent_table(pd.DataFrame({"revealed": [], "share": []}), [PROTOBOWL])
    printed = table[table["opponents"] == "as printed"]["pi"]
    # Eq. 3 without its constant: hardly above 0 anywhere.
    assert 0.001 < printed.max() < 0.0012


def test_opponents_are_the_humans_who_are_not_yet_right():
    questions = pd.DataFrame({"question_id": ["a", "b"], "n_words": [10, 20]})
    buzzes = pd.DataFrame(
        [
            ("a", "H1", "human", 4, True),
            ("a", "H2", "human", 4, False),
            ("a", "M1", "model", 0, True),
            ("b", "H1", "human", 19, True),
            ("b", "H2", "human", 21, True),  # past the end: h counts it in the last clue
        ],
        columns=["question_id", "team", "kind", "word_index", "correct"],
    )
    exposures = pd.DataFrame(
        [("a", "H1", "human"), ("a", "H2", "human"), ("b", "H1", "human"), ("b", "H2", "human"), ("a", "M1", "model")],
        columns=["question_id", "team", "kind"],
    )  # fmt: skip
    points = opponent_curve.opponent_curve_observed(questions, buzzes, exposures).set_index("revealed")[
        "share"
    ]
    assert points[0.49] == 1.0
    assert points[0.5] == 0.75
    assert points[0.99] == 0.75
    assert points[1.0] == 0.25
    assert opponent_curve.opponent_curves(points.iloc[:0].reset_index())[0].name == "protobowl"


def test_the_fitted_cubic_is_least_squares():
    t = np.arange(101) / 100
    exact = opponent_curve.opponent_curve_cubic(
        pd.DataFrame({"revealed": t, "share": 1 - 0.2 * t - 0.3 * t**3})
    )
    assert exact.coefficients == pytest.approx((1, -0.2, 0, -0.3), abs=1e-9)


def test_bounds_of_the_opponents_are_those_of_a_plain_resampling():
    rng = np.random.default_rng(3)
    ids, teams = [f"q{i}" for i in range(12)], [f"H{i}" for i in range(5)]
    questions = pd.DataFrame({"question_id": ids, "n_words": rng.integers(5, 30, 12)})
    heard = [(q, t) for q in ids for t in teams if rng.random() < 0.7]
    exposures = pd.DataFrame(heard, columns=["question_id", "team"]).assign(kind="human")
    buzzes = exposures.sample(30, random_state=1).assign(correct=lambda t: rng.random(len(t)) < 0.8)
    words = buzzes["question_id"].map(questions.set_index("question_id")["n_words"])
    buzzes["word_index"] = (rng.random(len(buzzes)) * 1.2 * words).astype(int)
    model = pd.DataFrame([("q0", "M1", "model")], columns=["question_id", "team", "kind"])
    crowd = questions, buzzes, pd.concat([exposures, model], ignore_index=True)
    found = opponent_curve.opponent_bounds(*crowd, Bootstrap(60, 4, 0.9))
    # A replicate repeats whole questions and whole teams under names of their own.
    by_question, by_team = Bootstrap(60, 4, 0.95).two_way_weights(12, 5)
    shares, fits = [], []
    for of_question, of_team in zip(by_question.astype(int), by_team.astype(int), strict=True):
        copies = pd.DataFrame(
            [
                (q, t, f"{q}-{i}", f"{t}-{j}")
                for q, n in zip(sorted(ids), of_question, strict=True)
                for t, m in zip(teams, of_team, strict=True)
                for i in range(n)
                for j in range(m)
            ],
            columns=["question_id", "team", "new_question", "new_team"],
        )

        def again(table, copies=copies):
            table = table.merge(copies, on=["question_id", "team"])
            table = table.drop(columns=["question_id", "team"])
            return table.rename(columns={"new_question": "question_id", "new_team": "team"})

        names = copies[["question_id", "new_question"]].drop_duplicates()
        named = questions.merge(names, on="question_id").drop(columns="question_id")
        points = opponent_curve.opponent_curve_observed(
            named.rename(columns={"new_question": "question_id"}),
            again(buzzes),
            again(exposures),
        )
        shares.append(points["share"])
        fits.append(opponent_curve.opponent_curve_cubic(points)(points["revealed"]))
    for name, drawn in (("share", shares), ("pi", fits)):
        low, high = np.quantile(drawn, [0.05, 0.95], axis=0)
        assert found[f"{name}_low"].to_numpy() == pytest.approx(low)
        assert found[f"{name}_high"].to_numpy() == pytest.approx(high)
    points = opponent_curve.opponent_curve_observed(*crowd)
    table = opponent_curve.opponent_table(points, opponent_curve.opponent_curves(points), found)
    table = table.set_index(["opponents", "revealed"])
    assert table.loc["protobowl", "pi_low"].isna().all()
    assert (table.loc["fitted", "pi_low"] < table.loc["fitted", "pi_high"]).all()
    nobody = opponent_curve.opponent_bounds(questions, buzzes, model, Bootstrap(60, 4, 0.9))
    assert nobody.empty
    assert opponent_curve.opponent_table(points.iloc[:0], [PROTOBOWL], nobody)["share_low"].isna().all()
