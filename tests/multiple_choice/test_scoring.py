"""Scores of answers with and without options: the published rows give the published numbers."""

import numpy as np
import pandas as pd
import pytest
from calscore.multiple_choice import scoring, tables
from hypothesis import given
from hypothesis import strategies as st
from option_rows import ece


def test_the_published_rows_give_the_published_numbers(real):
    resamples = tables.Resamples(real, 200, 0)
    table = tables.scores(real, resamples, {}, 0.95).set_index("reading")
    one = table.loc["release"]
    assert (one["N_n"], one["D_n"]) == (20, 20)
    assert (one["N_right_share"], one["D_right_share"]) == (0.10, 0.55)
    assert (one["N_none"], one["D_none"]) == (1, 0)
    assert (one["helped"], one["harmed"]) == (10, 1)
    order = ["release", "attempted", "as_wrong"]
    assert {*table.index} == {*order}
    assert table.loc[order, "N_ece"].tolist() == pytest.approx([0.7050, 12.9 / 19, 0.6550])
    assert table.loc[order, "D_ece"].tolist() == pytest.approx([0.2825, 0.2525, 0.2525])
    briers = table.loc["as_wrong", ["N_brier", "D_brier"]].to_list()
    assert briers == pytest.approx([0.53075, 0.306875])


def test_faults_of_the_question_file_are_found(questions):
    table, found = questions
    assert len(table) == 4326
    assert table["answer_type"].value_counts()["Other"] == 777
    kinds = pd.Series([one.finding for one in found]).value_counts().to_dict()
    singles = ("distractor equal to the answer", "blanks around answers")
    assert kinds == {"empty distractor": 9} | dict.fromkeys(singles, 1)
    empty = [one.detail for one in found if one.finding == "empty distractor"]
    assert all('"nan"' in detail for detail in empty)
    assert any("row 151" in one.place for one in found if "equal" in one.finding)


def test_edges_of_the_released_bins():
    c = np.array([0.1, 0.3, 0.6, 0.7, 0.8, 0.29, 1.0, 0.0])
    assert scoring.bins(c, "exact").tolist() == [1, 3, 6, 7, 8, 2, 9, 0]
    assert scoring.bins(c, "released").tolist() == [1, 2, 5, 6, 8, 2, 10, 0]


def test_full_confidence_is_counted_but_not_summed():
    c, output = np.array([1.0, 0.5]), np.array([0, 0])
    assert ece(c, output, "release") == pytest.approx(0.25)
    assert ece(c, output, "as_wrong") == pytest.approx(0.75)


def test_nothing_attempted_has_no_error_to_speak_of():
    c, output = np.array([0.5]), np.array([-1])
    assert np.isnan(ece(c, output, "attempted"))
    assert ece(c, output, "release") == pytest.approx(1.5)


answers = st.lists(st.tuples(st.integers(0, 100), st.sampled_from([1, 0, -1])), min_size=1, max_size=40)


@given(answers)
def test_readings_agree_where_everything_is_attempted_off_the_edges(rows):
    c = np.array([(7 * p + 1) % 99 / 100 for p, _ in rows])
    c = np.where(np.isin(c, [0.3, 0.6, 0.7]), 0.55, c)
    output = np.array([abs(o) for _, o in rows])
    values = {ece(c, output, reading) for reading in scoring.READINGS}
    assert max(values) - min(values) < 1e-12


@given(answers)
def test_ece_is_at_most_what_single_answers_give(rows):
    c = np.array([p / 100 for p, _ in rows])
    output = np.array([o for _, o in rows])
    assert 0 <= ece(c, output, "as_wrong") <= np.abs((output == 1) - c).mean() + 1e-12


def test_a_calibrated_model_is_not_called_miscalibrated():
    rng = np.random.default_rng(5)
    c = rng.choice([0.2, 0.5, 0.8], 400)
    null = scoring.calibrated_draws(c, "exact", 2000, 1)
    shown = [ece(c, (rng.random(400) < c).astype(int), "as_wrong") for _ in range(300)]
    assert np.mean(shown) == pytest.approx(null.mean(), rel=0.1)
    assert (np.array(shown) > np.quantile(null, 0.95)).mean() < 0.1
