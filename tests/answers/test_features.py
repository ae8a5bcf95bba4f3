"""Features of an answer and a guess."""

import numpy as np
import pytest
from answer_lines import labelled_pairs
from calscore.answers.hybrid_judge import features, judge
from calscore.answers.parse import line_of
from calscore.answers.score import FEATURES
from calscore.judging.training import feature_table
from hypothesis import given, settings
from hypothesis import strategies as st


def vector(*arguments, **named) -> dict:
    return dict(zip(FEATURES, features(*arguments, **named), strict=True))


def test_features_of_a_pair():
    one = vector(["Fiji", "Mamanuca Islands, Fiji"], "Fiji Islands", "where are the islands")
    assert one["best_recall"] == one["nothing_missing"] == 1
    assert one["precision_new"] == 1  # "Islands" stands in the question
    assert one["alternatives"] == pytest.approx(np.log(2))
    date = vector(["8 September 2010"], "2010")
    assert (date["coarser_date"], date["shapes_agree"]) == (1, 1)
    finer = ["18 January 1788", "1788"]
    assert vector(finer, "26 January 1788")["coarser_date_too"] == 1
    assert vector(finer, "26 January 1789")["coarser_date_too"] == 0
    assert vector(["5 ft 6 in"], "5 ft 5 in")["numbers_swapped"] == 1
    assert vector(["5 ft 6 in"], "5 ft")["numbers_swapped"] == 0
    assert vector(["B. R. Ambedkar"], "Bhimrao Ambedkar", "who")["surname_agrees"] == 1
    assert vector(["B. R. Ambedkar"], "Bhimrao Ambedkar", "where")["surname_agrees"] == 0
    assert vector(["three"], "3")["rule_accepts"] == 1
    assert not any(features(["—"], "Paris")) and not any(features(["Paris"], ""))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=4), st.text(max_size=40), st.text())
def test_any_text_has_finite_features_and_a_verdict(alternatives, guess, question):
    row = features(alternatives, guess, question)
    assert len(row) == len(FEATURES) and np.isfinite(row).all()
    found = judge(line_of(alternatives), guess, question=question)
    assert found.verdict in ("accept", "prompt", "reject") and 0 <= found.score <= 1


def test_features_do_not_see_labels():
    some = labelled_pairs()[1][::400]
    flipped = [{**row, "human_label": 1 - row["human_label"], "system": "x"} for row in some]
    assert (feature_table(some) == feature_table(flipped)).all()
