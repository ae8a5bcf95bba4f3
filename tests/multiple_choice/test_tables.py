"""Tables of answer options: truth recovered, margins, intervals."""

import numpy as np
import pandas as pd
import pytest
from calscore.multiple_choice import tables
from calscore.stats.bootstrap import Bootstrap


def test_the_truth_is_recovered(world):
    truth, _, results, _ = world
    resamples = tables.Resamples(results, 300, 0)
    table = tables.scores(results, resamples, {}, 0.95)
    one = table[(table["judging"] == "shared") & (table["reading"] == "as_wrong")]
    misses = 0
    for row in one.itertuples():
        known = truth["models"][row.model]
        parameters = truth["parameters"]["models"][row.model]
        for short, setting in (("N", "normal"), ("D", "distractor")):
            right = known[setting]["right"]
            low, high = (getattr(row, f"{short}_right_share_{end}") for end in ("low", "high"))
            misses += not low <= right <= high
            ece = getattr(row, f"{short}_ece")
            assert ece == pytest.approx(known[setting]["ece_as_wrong"], abs=0.03)
        assert row.N_none_share == pytest.approx(1 - parameters["attempts"], abs=0.02)
        low, high = row.harmed_of_right_low, row.harmed_of_right_high
        misses += not low <= parameters["distracted"] <= high
    assert misses <= 3  # of 18 intervals at 95 %


def test_transitions_sum_to_the_margins(world):
    _, _, results, _ = world
    table = tables.transitions(results, {}, 0.95)
    for (judging, model), of in table.groupby(["judging", "model"]):
        assert of["of_all"].sum() == pytest.approx(1)
        assert of["n"].sum() == 4326
        mine = results[(results["judging"] == judging) & (results["model"] == model)]
        after = (mine.loc[mine["setting"] == "distractor", "output"] == 1).sum()
        assert of.loc[of["after"] == "right", "n"].sum() == after


def nine(model="m", times=1):
    """Every pair of verdicts, the k-th k times."""
    pairs = [(a, b) for a in (1, 0, -1) for b in (1, 0, -1)]
    rows = [pair for k, pair in enumerate(pairs, 1) for _ in range(k * times)]
    table = pd.DataFrame(rows, columns=["normal", "distractor"]).rename_axis("row")
    table = table.melt(var_name="setting", value_name="output", ignore_index=False).reset_index()
    return table.assign(model=model, judging="shared", predicted_answer="x", confidence=0.5)


def test_helped_and_harmed_as_code_and_text_count():
    results = nine()
    one = tables.scores(results, tables.Resamples(results, 100, 0), {}, 0.95).iloc[0]
    assert (one["helped"], one["helped_any"]) == (4, 4 + 7)
    assert (one["harmed"], one["harmed_any"]) == (2, 2 + 3)
    assert (one["gain"], one["gain_unexplained"]) == (12 - 6, 6 - 2)
    assert one["harmed_of_right"] == pytest.approx(2 / 6)
    assert one["helped_share"] == pytest.approx(4 / 6)


def test_holm_over_models():
    results = pd.concat([nine("a"), nine("b", 2), nine("c", 3)], ignore_index=True)
    table = tables.comparisons(tables.Resamples(results, 100, 0), {}, 0.95)
    p = np.sort(table["mcnemar_p"])
    holm = np.maximum.accumulate(p * [3, 2, 1]).clip(max=1)
    assert np.sort(table["mcnemar_p_holm"]) == pytest.approx(holm)


def test_the_published_rows_have_intervals(real):
    from scipy.stats import binomtest

    resamples = tables.Resamples(real, 1000, 0)
    one = tables.comparisons(resamples, {}, 0.95).iloc[0]
    assert (one["gained"], one["lost"], one["right_odds"]) == (10, 1, 10)
    assert one["right_change"] == pytest.approx(0.45)
    assert one["right_change_low"] < 0.45 < one["right_change_high"]
    # the test and the interval say the same of no change
    exact = binomtest(10, 11).proportion_ci(0.95, "exact")
    ends = [exact.low / (1 - exact.low), exact.high / (1 - exact.high)]
    assert one[["right_odds_low", "right_odds_high"]].to_list() == pytest.approx(ends)
    assert one["mcnemar_p"] == pytest.approx(binomtest(1, 11).pvalue)
    assert (one["mcnemar_p"] < 0.05) == (one["right_odds_low"] > 1)
    assert one["brier_change_as_wrong"] == pytest.approx(0.306875 - 0.53075)
    score = tables.scores(real, resamples, {}, 0.95).iloc[0]
    assert (score["gain"], score["helped_less_harmed"]) == (9, 9)
    ends = 20 * one["right_change_low"], 20 * one["right_change_high"]
    assert (score["gain_low"], score["gain_high"]) == pytest.approx(ends)


def test_where_nothing_moves_there_is_no_interval():
    same = nine()
    for verdict in (1, 0):
        still = same.assign(output=verdict)
        resamples = tables.Resamples(still, 100, 0)
        one = tables.comparisons(resamples, {}, 0.95).iloc[0]
        assert one["right_change"] == 0
        empty = ["right_change_low", "right_change_high", "right_odds", "right_odds_low"]
        assert one[[*empty, "right_odds_high"]].isna().all()
        # that none of 45 was harmed does not mean that none can be
        assert one["harmed_low"] == 0 < one["harmed_high"] < 10
    gained = same.assign(output=(same["setting"] == "distractor").astype(int))
    one = tables.comparisons(tables.Resamples(gained, 100, 0), {}, 0.95).iloc[0]
    assert one[["right_odds", "right_odds_high"]].isna().all()
    assert one["right_odds_low"] > 5


def test_the_mean_has_intervals_where_every_model_has_five_answers(world):
    _, questions, results, _ = world
    some = results[results["row"] < 200]
    few = questions[questions["row"] < 200]
    for column in ("answer_type", "topic"):
        resamples = tables.Resamples(some, 100, 0)
        table = tables.options_by_group(some, few, column, resamples, {}, Bootstrap(100, 0, 0.95))[0]
        mean = table[table["model"] == "mean"].set_index(["judging", "setting", "reading", "group"])
        single = table[table["model"] != "mean"].groupby(mean.index.names)
        fewest = single["n_counted"].min().reindex(mean.index)
        for name in ("right_share", "ece"):
            low, high = mean[f"{name}_low"], mean[f"{name}_high"]
            assert (low.notna() == (fewest >= 5)).all()
            assert (low[low.notna()] <= mean.loc[low.notna(), name] + 0.1).all()
            assert (low[low.notna()] < high[low.notna()]).all()
        expected = single["ece_calibrated"].mean().reindex(mean.index)
        assert mean["ece_calibrated"].to_numpy() == pytest.approx(expected.to_numpy())
        assert mean[["ece_calibrated_high", "p_calibrated"]].isna().all(axis=None)


def test_reliability_counts_the_not_attempted_where_they_are_wrong():
    results = pd.DataFrame({"confidence": [0.05, 0.95, 1.0, 0.9], "output": [0, 1, 1, -1]})
    results = results.assign(row=range(4), model="m", judging="shared", setting="normal")
    table = tables.reliability(results, {"m": "M"}, 0.95).set_index(["reading", "bin"])
    counts = table[table["n"] > 0][["n", "right", "confidence", "accuracy"]]
    expected = {
        ("attempted", 0): [1, 0, 0.05, 0],
        ("attempted", 9): [2, 2, 0.975, 1],
        ("as_wrong", 0): [1, 0, 0.05, 0],
        ("as_wrong", 9): [3, 2, 0.95, 2 / 3],
    }
    assert list(counts.index) == list(expected) and len(table) == 20
    assert counts.to_numpy(dtype=float) == pytest.approx(np.array([*expected.values()]))


def test_readings_say_what_each_choice_moves(real):
    table = tables.readings(real, tables.Resamples(real, 200, 0), {}, 0.95)
    table = table.set_index(["setting", "labels", "edges"])
    assert table.loc[("distractor", "as_wrong", "released"), "ece"] == pytest.approx(0.2825)
    assert table.loc[("distractor", "as_wrong", "released"), "difference"] == pytest.approx(0.03)
    assert table.loc[("normal", "minus_one", "exact"), "difference"] == pytest.approx(0.05)
    assert table.loc[("distractor", "as_wrong", "exact"), "n_edge"] == 1
    assert table.loc[("normal", "as_wrong", "exact"), ["n_none", "n_full"]].to_list() == [1, 0]
