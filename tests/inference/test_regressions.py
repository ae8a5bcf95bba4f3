"""Regressions: simulated odds ratios and slopes come back, guards speak, real values hold."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from calscore.core import store
from calscore.inference import regressions
from statsmodels.genmod.cov_struct import Exchangeable
from statsmodels.genmod.families import Binomial

from benchmarks.coverage.worlds.buzzes import simulated


def one(table, method, level, population="all"):
    """The row of a method and level."""
    of = table[(table["population"] == population) & (table["method"] == method)]
    return of[of["level"] == level].iloc[0]


POSITION = "+10% of the question"


def test_odds_ratios_that_were_simulated_come_back():
    table = regressions.ratios(simulated(np.random.default_rng(1)), 0.99)
    for method in regressions.METHODS:
        for level, truth in ((POSITION, 0.2), ("M1", -0.7), ("M2", 0.8), ("B", 0.5)):
            row = one(table, method, level)
            assert row["low"] < np.exp(truth) < row["high"], (method, level)
            assert row["high"] / row["low"] < 7
    assert one(table, "gee_question", POSITION, "human")["n"] == 120 * 17


def test_clusters_widen_intervals_where_there_are_cluster_effects():
    rows = simulated(np.random.default_rng(2), n_questions=60, question_sd=1.5, team_sd=2.0)
    table = regressions.ratios(rows, 0.95)
    se = {method: one(table, method, "")["se"] for method in regressions.METHODS}
    category = {method: one(table, method, "B")["se"] for method in regressions.METHODS}
    assert category["logit_question"] > 1.5 * category["logit_independent"]
    assert se["logit_team"] > 1.5 * se["logit_independent"]
    assert se["gee_team_bias_reduced"] > se["logit_team"]
    assert se["logit_two_way"] > max(se["logit_question"], se["logit_team"])


def test_each_method_is_what_statsmodels_gives_from_a_formula():
    rows = simulated(np.random.default_rng(3), n_questions=40, n_teams=6, models=())
    rows = rows.assign(y=rows["correct"].astype(int), x=rows["position"] * 10)
    table = regressions.ratios(rows, 0.95)
    first = table.loc[table["term"] == "category", "reference"].iloc[0]
    formula = f"y ~ x + C(category, Treatment('{first}'))"
    codes = pd.factorize(rows["question_id"], sort=True)[0]
    logit = smf.logit(formula, rows).fit(disp=0, cov_type="cluster", cov_kwds={"groups": codes})
    gee = smf.gee(formula, codes, rows, family=Binomial(), cov_struct=Exchangeable()).fit()
    for method, fit in (("logit_question", logit), ("gee_question", gee)):
        row = one(table, method, POSITION)
        assert row["log_odds"] == pytest.approx(fit.params["x"], abs=1e-6)
        assert row["se"] == pytest.approx(fit.bse["x"], rel=1e-5)


def test_order_of_rows_and_names_of_teams_do_not_matter():
    rng = np.random.default_rng(4)
    rows = simulated(rng, n_questions=40, n_teams=5)
    again = rows.sample(frac=1, random_state=5).reset_index(drop=True)
    again["team"] = again["team"].replace({f"H{i}": f"team {9 - i}" for i in range(5)})
    numbers = ["odds_ratio", "low", "high", "se"]
    first, second = (regressions.ratios(r, 0.95) for r in (rows, again))
    np.testing.assert_allclose(first[numbers], second[numbers], rtol=1e-6)


def test_a_level_that_is_all_right_is_named_and_leaves_the_rest_alone():
    rows = simulated(np.random.default_rng(7), n_questions=40, n_teams=5)
    rows.loc[rows["group"] == "M1", "correct"] = True
    table = regressions.ratios(rows, 0.95)
    mine = one(table, "gee_question", "M1")
    assert mine["status"] == "separated" and np.isnan(mine["odds_ratio"])
    assert mine["n"] == mine["n_correct"] == 40
    without = regressions.ratios(rows[rows["group"] != "M1"], 0.95)
    for level in (POSITION, "M2", "B"):
        assert one(table, "gee_question", level)["se"] == one(without, "gee_question", level)["se"]
    assert not store.validation_errors(table, "odds_ratios")


def test_a_position_that_separates_is_named_and_nothing_is_estimated():
    rows = simulated(np.random.default_rng(8), n_questions=40, n_teams=3)
    rows["correct"] = rows["position"] > 0.5
    table = regressions.ratios(rows, 0.95)
    assert set(table["status"]) == {"separated", "reference"}


@pytest.mark.parametrize("kept", ["human", "M1", "nobody"])
def test_missing_kinds_of_teams_give_rows_that_say_so(kept):
    rows = simulated(np.random.default_rng(9), n_questions=40, n_teams=4)
    rows = rows[rows["group"] == kept].reset_index(drop=True)
    table = regressions.ratios(rows, 0.95)
    assert not store.validation_errors(table, "odds_ratios")
    estimated = set(table.loc[table["status"] == "estimated", "population"])
    assert estimated == {"human": {"all", "human"}, "M1": {"all"}, "nobody": set()}[kept]
    if kept == "M1":
        team = table[table["method"].str.contains("team") & (table["population"] == "all")]
        assert set(team["status"]) <= {"too few clusters", "reference"}


def test_separation_is_found_where_it_is_and_only_there():
    x = np.array([[1, -2.0], [1, -1], [1, 0], [1, 1], [1, 2]])
    assert regressions.is_separated(x, np.array([False, False, False, True, True]))
    assert regressions.is_separated(x, np.array([False, False, True, True, True]))
    assert not regressions.is_separated(x, np.array([False, True, False, True, True]))


# --- calibration -----------------------------------------------------------------------------


def responses(c, g, question, **more):
    """Responses of one series."""
    base = {
        "segmentation": "s",
        "model": "M1",
        "elicitation": "logit",
        "reduction": "mean_prob",
    } | {"marks": "engine"}
    clue = pd.Series(question).groupby(question).cumcount() + 1
    return pd.DataFrame(
        base | {"question_id": question, "clue": clue, "confidence": c, "correct": g} | more
    )


def confidences(seed, slope, intercept, n=4000):
    """Confidences, and answers whose log-odds are intercept + slope · logit(c)."""
    rng = np.random.default_rng(seed)
    c = rng.beta(1.5, 1.5, n)
    eta = intercept + slope * np.log(c / (1 - c))
    return c, rng.random(n) < 1 / (1 + np.exp(-eta)), [f"q{i // 10:03d}" for i in range(n)]


@pytest.mark.parametrize(("slope", "intercept"), [(1.0, 0.0), (0.5, -1.0), (2.0, 0.3)])
def test_slopes_that_were_simulated_come_back(slope, intercept):
    table = regressions.slopes(responses(*confidences(1, slope, intercept)), 0.999)
    assert not store.validation_errors(table, "calibration_slopes")
    row = table[(table["scope"] == "every_clue") & (table["ends"] == "omit")].iloc[0]
    assert row["slope_low"] < slope < row["slope_high"] < row["slope_low"] + 0.8
    assert row["intercept_low"] < intercept < row["intercept_high"]
    calibrated = (slope, intercept) == (1.0, 0.0)
    assert (row["p_calibrated"] > 0.001) == calibrated
    assert (row["offset_low"] < 0 < row["offset_high"]) == calibrated


def test_confidences_of_0_and_1_follow_the_named_rule_and_are_counted():
    c, g, question = confidences(2, 1, 0, n=400)
    c[:7], c[7:12] = 0, 1
    table = regressions.slopes(responses(c, g, question), 0.95).set_index(["scope", "ends"])  # fmt: skip
    assert set(table.loc["every_clue", "n_at_0"]) == {7}
    assert set(table.loc["every_clue", "n_at_1"]) == {5}
    assert table.loc[("every_clue", "omit"), "n"] == 388
    assert table.loc[("every_clue", "squeeze"), "n"] == 400
    assert table.loc[("last_clue", "squeeze"), "n"] == 40
    np.testing.assert_allclose(
        regressions.inside_unit_interval(np.array([0.0, 0.5, 1, 1]), "squeeze"),
        [1 / 8, 1 / 2, 7 / 8, 7 / 8],
    )
    np.testing.assert_allclose(
        regressions.inside_unit_interval([0, 0.5, 1], "clip"), [0.001, 0.5, 0.999]
    )
    assert np.isnan(regressions.inside_unit_interval([0.0, 1.0], "omit")).all()


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda c, g: (c, g | True), "all right"),
        (lambda c, g: (c, g & False), "all wrong"),
        (lambda c, g: (np.full_like(c, 0.7), g), "constant confidence"),
        (lambda c, g: (np.ones_like(c), g), "empty"),
        (lambda c, g: (c, c > 0.5), "separated"),
    ],
)
def test_series_without_an_estimate_say_why(change, status):
    c, g, question = confidences(3, 1, 0, n=200)
    table = regressions.slopes(responses(*change(c, g), question), 0.95)
    assert not store.validation_errors(table, "calibration_slopes")
    assert table.loc[(table["ends"] == "omit"), "status"].eq(status).all()
    assert table.loc[table["ends"] == "omit", "slope"].isna().all()


def test_an_all_but_separated_series_has_the_wide_interval_that_it_deserves():
    """Right and wrong overlap by one pair in the fifth decimal: fitted probabilities reach 1e-64.

    The sandwich is written out in centred coordinates, where it is well conditioned.
    """
    right = [0.9891041280863803, 0.9959581901895135, 0.9926163937470414]
    right += [0.9918887418965816, 0.9928799683875664, 0.9919912423623437]
    wrong = [0.8827021069685316, 0.9891220969745907, 0.980932332381758]
    wrong += [0.9667609712195341, 0.9370637151150465]
    c = np.array(right + wrong)
    g = np.arange(len(c)) < len(right)
    inside = (c * 10 + 0.5) / 11
    row = regressions._slope(g, inside, np.arange(len(c)), 0.95)
    assert row["status"] == "estimated"
    x = np.log(inside / (1 - inside))
    p = 1 / (1 + np.exp(-(row["intercept"] + row["slope"] * x)))
    design = np.column_stack([np.ones(11), x - x.mean()])
    assert np.abs(design.T @ (g - p)).max() < 1e-8
    bread = np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None]))
    scores = design * (g - p)[:, None]
    error = np.sqrt((bread @ scores.T @ scores @ bread)[1, 1] * 11 / 10 * 10 / 9)
    # t with 10 degrees of freedom, two-sided 95 %
    assert row["slope_high"] - row["slope"] == pytest.approx(2.228139 * error, rel=1e-5)
    assert row["slope_high"] - row["slope_low"] > row["slope"]


def test_offset_is_what_statsmodels_gives_and_holds_where_newton_runs_away():
    c, g, question = confidences(5, 0.8, -0.5, n=500)
    x, groups = np.log(c / (1 - c)), pd.factorize(np.array(question))[0]
    kind = {"cov_type": "cluster", "cov_kwds": {"groups": groups}}
    fit = sm.GLM(g, np.ones((500, 1)), family=Binomial(), offset=x).fit(**kind)
    found = regressions._offset(g.astype(float), x, groups)
    np.testing.assert_allclose(found, [fit.params[0], fit.bse[0]], rtol=1e-6)
    # One wrong answer of 34, log-odds from 5 to 20: an intercept of 10^15 if stepped to.
    c = 1 - np.exp(-np.linspace(5, 20, 34))
    g = np.arange(34) != 2
    table = regressions.slopes(responses(c, g, [f"q{i}" for i in range(34)]), 0.95)
    row = table[(table["scope"] == "every_clue") & (table["ends"] == "omit")].iloc[0]
    assert row["status"] == "estimated" and -20 < row["offset"] < 0
    x = np.log(c) - np.log1p(-c)
    assert (1 / (1 + np.exp(-row["offset"] - x))).sum() == pytest.approx(33)
