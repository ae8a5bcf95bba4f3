"""Odds ratios: simulated ones come back, guards speak."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from calscore.core import store
from calscore.inference import odds_ratios
from statsmodels.genmod.cov_struct import Exchangeable
from statsmodels.genmod.families import Binomial

from benchmarks.coverage.worlds.buzzes import simulated


def one(table, method, level, population="all"):
    """The row of a method and level."""
    of = table[(table["population"] == population) & (table["method"] == method)]
    return of[of["level"] == level].iloc[0]


POSITION = "+10% of the question"


def test_odds_ratios_that_were_simulated_come_back():
    table = odds_ratios.odds_ratio_rows(simulated(np.random.default_rng(1)), 0.99)
    for method in odds_ratios.METHODS:
        for level, truth in ((POSITION, 0.2), ("M1", -0.7), ("M2", 0.8), ("B", 0.5)):
            row = one(table, method, level)
            assert row["low"] < np.exp(truth) < row["high"], (method, level)
            assert row["high"] / row["low"] < 7
    assert one(table, "gee_question", POSITION, "human")["n"] == 120 * 17


def test_clusters_widen_intervals_where_there_are_cluster_effects():
    rows = simulated(np.random.default_rng(2), n_questions=60, question_sd=1.5, team_sd=2.0)
    table = odds_ratios.odds_ratio_rows(rows, 0.95)
    se = {method: one(table, method, "")["se"] for method in odds_ratios.METHODS}
    category = {method: one(table, method, "B")["se"] for method in odds_ratios.METHODS}
    assert category["logit_question"] > 1.5 * category["logit_independent"]
    assert se["logit_team"] > 1.5 * se["logit_independent"]
    assert se["gee_team_bias_reduced"] > se["logit_team"]
    assert se["logit_two_way"] > max(se["logit_question"], se["logit_team"])


def test_each_method_is_what_statsmodels_gives_from_a_formula():
    rows = simulated(np.random.default_rng(3), n_questions=40, n_teams=6, models=())
    rows = rows.assign(y=rows["correct"].astype(int), x=rows["position"] * 10)
    table = odds_ratios.odds_ratio_rows(rows, 0.95)
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
    first, second = (odds_ratios.odds_ratio_rows(r, 0.95) for r in (rows, again))
    np.testing.assert_allclose(first[numbers], second[numbers], rtol=1e-6)


def test_a_level_that_is_all_right_is_named_and_leaves_the_rest_alone():
    rows = simulated(np.random.default_rng(7), n_questions=40, n_teams=5)
    rows.loc[rows["group"] == "M1", "correct"] = True
    table = odds_ratios.odds_ratio_rows(rows, 0.95)
    mine = one(table, "gee_question", "M1")
    assert mine["status"] == "separated" and np.isnan(mine["odds_ratio"])
    assert mine["n"] == mine["n_correct"] == 40
    without = odds_ratios.odds_ratio_rows(rows[rows["group"] != "M1"], 0.95)
    for level in (POSITION, "M2", "B"):
        assert one(table, "gee_question", level)["se"] == one(without, "gee_question", level)["se"]
    assert not store.validation_errors(table, "odds_ratios")


@pytest.mark.parametrize("covariate", ["category", "position"])
def test_buzzes_without_a_covariate_are_left_out_of_the_fit_and_told(covariate):
    rows = simulated(np.random.default_rng(3), n_questions=40, n_teams=6, models=())
    gaps = rows.assign(**{covariate: rows[covariate].mask(rows["team"] == "H0")})
    found, wanted = (odds_ratios.odds_ratio_rows(t, 0.95) for t in (gaps, rows[rows["team"] != "H0"]))
    for column in ("odds_ratio", "se", "n_fitted"):
        pd.testing.assert_series_equal(found[column], wanted[column])
    assert (found.loc[found["term"] == "intercept", "n"] == len(rows)).all()


def test_a_position_that_separates_is_named_and_nothing_is_estimated():
    rows = simulated(np.random.default_rng(8), n_questions=40, n_teams=3)
    rows["correct"] = rows["position"] > 0.5
    table = odds_ratios.odds_ratio_rows(rows, 0.95)
    assert set(table["status"]) == {"separated", "reference"}


@pytest.mark.parametrize("kept", ["human", "M1", "nobody"])
def test_missing_kinds_of_teams_give_rows_that_say_so(kept):
    rows = simulated(np.random.default_rng(9), n_questions=40, n_teams=4)
    rows = rows[rows["group"] == kept].reset_index(drop=True)
    table = odds_ratios.odds_ratio_rows(rows, 0.95)
    assert not store.validation_errors(table, "odds_ratios")
    estimated = set(table.loc[table["status"] == "estimated", "population"])
    assert estimated == {"human": {"all", "human"}, "M1": {"all"}, "nobody": set()}[kept]
    if kept == "M1":
        team = table[table["method"].str.contains("team") & (table["population"] == "all")]
        assert set(team["status"]) <= {"too few clusters", "reference"}


def test_separation_is_found_where_it_is_and_only_there():
    x = np.array([[1, -2.0], [1, -1], [1, 0], [1, 1], [1, 2]])
    assert odds_ratios.is_separated(x, np.array([False, False, False, True, True]))
    assert odds_ratios.is_separated(x, np.array([False, False, True, True, True]))
    assert not odds_ratios.is_separated(x, np.array([False, True, False, True, True]))
