"""Rates of buzzes with partial pooling: counts by hand, the posterior against plain importance sampling, what is drawn together."""

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.inference import checks, mixed_model

QUESTIONS = pd.DataFrame(
    {"question_id": ["q1", "q2", "q3", "q4"], "category": ["Arts", "Arts", "Science", "Science"]}
)
# team → question → the words and verdicts of its buzzes; None: heard, silent
LOG = {
    "A": {"q1": [(9, True)], "q2": None, "q3": [(3, False), (8, True)], "q4": [(2, True)]},
    "B": {"q1": None, "q3": [(7, False)]},
    "M": {"q1": [(4, False)], "q2": [(5, True)], "q4": None},
}
KIND = {"A": "human", "B": "human", "M": "model"}
# (unit, category) → heard, right, wrong: the first buzz counts
COUNTED = {
    ("A", "all"): (4, 2, 1),
    ("B", "all"): (2, 0, 1),
    ("all teams", "all"): (6, 2, 2),
    ("all teams", "Arts"): (3, 1, 0),
    ("all teams", "Science"): (3, 1, 2),
    ("M", "all"): (3, 1, 1),
    ("M", "Arts"): (2, 1, 1),
    ("M", "Science"): (1, 0, 0),
    ("another team", "all"): (0, 0, 0),
}


def tables():
    heard = [
        {"question_id": q, "team": t, "kind": KIND[t]} for t, questions in LOG.items() for q in questions
    ]  # fmt: skip
    buzzes = [
        {"question_id": q, "team": t, "kind": KIND[t], "word_index": word, "correct": right}
        for t, questions in LOG.items()
        for q, all_of_it in questions.items()
        for word, right in all_of_it or ()
    ]
    return QUESTIONS, pd.DataFrame(buzzes)[::-1], pd.DataFrame(heard)


@pytest.fixture(scope="module")
def made():
    return mixed_model.buzz_effects(*tables(), seed=1, level=0.95)["buzz_effects"]


def test_heard_and_buzzes_are_those_of_the_log(made):
    found = made.set_index(["unit", "category", "outcome"])
    wide = {key: (n, r, w) for key, (n, r, w) in COUNTED.items()}
    assert set(zip(made["unit"], made["category"], strict=True)) == set(wide)
    for (unit, category), (heard, right, wrong) in wide.items():
        for outcome, count in (("right", right), ("wrong", wrong)):
            row = found.loc[(unit, category, outcome)]
            assert (row["heard"], row["buzzes"]) == (heard, count), (unit, category, outcome)
            assert row["rate"] == count / heard if heard else np.isnan(row["rate"])


def test_a_table_as_it_is_declared_and_the_same_again(made):
    store.check(made, "buzz_effects")
    again = mixed_model.buzz_effects(*tables(), seed=1, level=0.95)["buzz_effects"]
    pd.testing.assert_frame_equal(made, again)


def test_the_posterior_is_that_of_the_model():
    """Importance sampling from the priors as the module's docstring has them, no line of its code."""
    rng = np.random.default_rng(5)
    size = 200_000
    mean = 2.0 * rng.standard_normal((size, 2))
    sd = np.exp(np.log(0.5) + 0.75 * rng.standard_normal((size, 3)))
    team, part = (sd[:, [k]] * rng.standard_normal((size, n)) for k, n in ((0, 3), (1, 4)))
    question = sd[:, [2]] * rng.standard_normal((size, 4))
    categories = [0, 0, 1, 1]
    first = {t: {q: (of or [(0, None)])[0][1] for q, of in qs.items()} for t, qs in LOG.items()}
    p, weight = {}, np.ones(size)
    for at, name in enumerate("ABM"):
        model = int(name == "M")
        for q, category in enumerate(categories):
            eta = mean[:, model] + team[:, at] + part[:, 2 * model + category] + question[:, q]
            p[name, q] = 1 / (1 + np.exp(-eta))
            if f"q{q + 1}" in first[name]:
                right = first[name][f"q{q + 1}"] is True
                weight *= p[name, q] if right else 1 - p[name, q]
    weight /= weight.sum()
    rows = mixed_model.rows_heard(*tables())
    table = mixed_model.buzz_rates(rows, "right", 1, 0.95).set_index(["unit", "category"])
    for name, questions, category in (
        ("A", (0, 1, 2, 3), "all"),
        ("B", (0, 1, 2, 3), "all"),
        ("M", (0, 1, 2, 3), "all"),
        ("M", (0, 1), "Arts"),
        ("M", (2, 3), "Science"),
    ):
        drawn = np.mean([p[name, q] for q in questions], axis=0)
        row = table.loc[(name, category)]
        assert row["estimate"] == pytest.approx(weight @ drawn, abs=0.03), (name, category)
        order = np.argsort(drawn)
        ends = np.interp([0.025, 0.975], np.cumsum(weight[order]), drawn[order])
        assert [row["low"], row["high"]] == pytest.approx(ends, abs=0.06), (name, category)


def test_few_questions_are_drawn_further_to_the_mean_than_many():
    rng = np.random.default_rng(3)
    rows = [
        {"question_id": f"q{n:02d}", "team": team, "group": "human", "category": "all of it"}
        | {"right": rng.random() < 0.4 if team.startswith("H") else n % 10 != 0}
        for team, many in (*((f"H{k}", 40) for k in range(6)), ("short", 10), ("long", 40))
        for n in range(many)
    ]
    table = mixed_model.buzz_rates(pd.DataFrame(rows), "right", 1, 0.95).set_index(["unit", "category"])
    short, long = table.loc[("short", "all")], table.loc[("long", "all")]
    assert short["rate"] == long["rate"] == 0.9
    assert short["estimate"] < long["estimate"] - 0.03 < 0.9
    assert short["high"] - short["low"] > long["high"] - long["low"]


@pytest.mark.parametrize(("column", "by"), [("heard", 1), ("buzzes", 1), ("rate", 0.001), ("estimate", 1)])  # fmt: skip
def test_the_check_sees_a_wrong_number(made, column, by):
    questions, buzzes, exposures = tables()
    assert checks.buzz_rates_counted(made, questions, buzzes, exposures).failures == 0
    for row in (0, 3, 6, len(made) - 1):
        table = made.copy()
        table.loc[row, column] += by
        assert checks.buzz_rates_counted(table, questions, buzzes, exposures).failures, (
            column,
            row,
        )


def test_many_participants_give_what_few_give():
    """Summing out participants or questions first is the same posterior."""
    rng = np.random.default_rng(2)
    rows = [
        {"question_id": f"q{n}", "team": f"T{k:02d}", "group": "human", "category": f"c{n % 2}"}
        | {"right": rng.random() < 0.2 + 0.1 * (k % 5)}
        for k in range(30)
        for n in range(8)
    ]
    design = mixed_model.layout_of_rows(pd.DataFrame(rows), "right").design
    ways = design, design.swapped()
    assert [way.sizes[1] for way in ways] == [30, 8]
    spread = np.log([0.3, 0.5, 0.9])
    one, other = (mixed_model.posterior_mode(way, spread) for way in ways)
    assert one.log == pytest.approx(other.log, abs=1e-6)
    assert one.effects[1:31] == pytest.approx(other.questions, abs=1e-5)
    assert one.questions == pytest.approx(other.effects[1:9], abs=1e-5)
    drawn = mixed_model.posterior_draws(design, 2000, 1)
    assert drawn.effects.shape == (2000, design.n_effects) and drawn.questions.shape == (2000, 8)
    assert drawn.effects.mean(axis=0)[1:31] == pytest.approx(one.effects[1:31], abs=0.25)
