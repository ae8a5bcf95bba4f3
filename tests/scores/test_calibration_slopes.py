"""Calibration regressions: simulated slopes come back, guards speak, real values hold."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from calscore.core import store
from calscore.scores import calibration_slopes
from statsmodels.genmod.families import Binomial


def responses(c, g, question, **more):
    """Responses of one series."""
    base = {
        "segmentation": "s",
        "model": "M1",
        "elicitation": "logit",
        "reduction": "mean_prob",
    } | {"marks": "engine"}
    clue = pd.Series(question).groupby(question).cumcount() + 1
    return pd.DataFrame(base | {"question_id": question, "clue": clue, "confidence": c, "correct": g} | more)


def confidences(seed, slope, intercept, n=4000):
    """Confidences, and answers whose log-odds are intercept + slope · logit(c)."""
    rng = np.random.default_rng(seed)
    c = rng.beta(1.5, 1.5, n)
    eta = intercept + slope * np.log(c / (1 - c))
    return c, rng.random(n) < 1 / (1 + np.exp(-eta)), [f"q{i // 10:03d}" for i in range(n)]


@pytest.mark.parametrize(("slope", "intercept"), [(1.0, 0.0), (0.5, -1.0), (2.0, 0.3)])
def test_slopes_that_were_simulated_come_back(slope, intercept):
    table = calibration_slopes.slope_rows(responses(*confidences(1, slope, intercept)), 0.999)
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
    table = calibration_slopes.slope_rows(responses(c, g, question), 0.95).set_index(["scope", "ends"])  # fmt: skip
    assert set(table.loc["every_clue", "n_at_0"]) == {7}
    assert set(table.loc["every_clue", "n_at_1"]) == {5}
    assert table.loc[("every_clue", "omit"), "n"] == 388
    assert table.loc[("every_clue", "squeeze"), "n"] == 400
    assert table.loc[("last_clue", "squeeze"), "n"] == 40
    np.testing.assert_allclose(
        calibration_slopes.inside_unit_interval(np.array([0.0, 0.5, 1, 1]), "squeeze"),
        [1 / 8, 1 / 2, 7 / 8, 7 / 8],
    )
    np.testing.assert_allclose(
        calibration_slopes.inside_unit_interval([0, 0.5, 1], "clip"), [0.001, 0.5, 0.999]
    )
    assert np.isnan(calibration_slopes.inside_unit_interval([0.0, 1.0], "omit")).all()


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
    table = calibration_slopes.slope_rows(responses(*change(c, g), question), 0.95)
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
    row = calibration_slopes._slope_columns(g, inside, np.arange(len(c)), 0.95)
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
    found = calibration_slopes._offset_estimate(g.astype(float), x, groups)
    np.testing.assert_allclose(found, [fit.params[0], fit.bse[0]], rtol=1e-6)
    # One wrong answer of 34, log-odds from 5 to 20: an intercept of 10^15 if stepped to.
    c = 1 - np.exp(-np.linspace(5, 20, 34))
    g = np.arange(34) != 2
    table = calibration_slopes.slope_rows(responses(c, g, [f"q{i}" for i in range(34)]), 0.95)
    row = table[(table["scope"] == "every_clue") & (table["ends"] == "omit")].iloc[0]
    assert row["status"] == "estimated" and -20 < row["offset"] < 0
    x = np.log(c) - np.log1p(-c)
    assert (1 / (1 + np.exp(-row["offset"] - x))).sum() == pytest.approx(33)
