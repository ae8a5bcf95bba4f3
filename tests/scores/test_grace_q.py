"""The released scorer's functions on dictionaries in the released format."""

import math

import numpy as np
import pytest
from calscore.core.errors import DataError
from calscore.scores import metrics
from calscore.scores.grace_q import calculate_Grace_q_adjusted, calculate_Grace_q_non_adjusted
from hypothesis import given, settings
from hypothesis import strategies as st

QUESTION = {
    "tossup_index": 128,
    "position": [{"3": "[H1, -]"}, {"9": "[H2, +]"}, {"9": "[M2, +]"}, {"20": "[H10, +]"}],
    "M1": [
        {"conf": 0.5, "correctness": False, "position_items": {"H1": "-"}},
        {"conf": 0.8, "correctness": True, "position_items": {"H2": "+", "M2": "+"}},
        {"conf": 0.9, "correctness": True},
        {"conf": 1.0, "correctness": True, "position_items": {"H10": "+"}},
    ],
}


def test_by_hand():
    # h = 0, 1/3, 1/3, 2/3 over three human buzzes.
    assert calculate_Grace_q_non_adjusted(QUESTION, "raw") == {"M1": pytest.approx(1 - 2.7 / 4)}
    expected = 1 - (0.8 * 2 / 3 + 0.9 * 2 / 3 + 1.0 / 3) / 4
    assert calculate_Grace_q_adjusted(QUESTION, "raw") == {"M1": pytest.approx(expected)}


def test_logit_is_the_exponential():
    logit = {**QUESTION, "M1": [{**run, "conf": math.log(run["conf"])} for run in QUESTION["M1"]]}
    for function in (calculate_Grace_q_adjusted, calculate_Grace_q_non_adjusted):
        assert function(logit, "logit")["M1"] == pytest.approx(function(QUESTION, "verb")["M1"])


@pytest.mark.parametrize(
    ("change", "elicit", "message"),
    [
        ({}, "logits", "elicit is 'logits'"),
        ({"M1": [{"conf": 1.2, "correctness": True}]}, "raw", "a probability from 0 to 1"),
        ({"M1": [{"conf": 0.2, "correctness": True}]}, "logit", "at most 0"),
        ({"M1": [{"conf": None, "correctness": True}]}, "raw", "found None, expected a number"),
        ({"M1": [{"conf": 0.2}]}, "raw", "column correctness"),
        ({"M1": []}, "raw", "at least one run"),
    ],
)
def test_bad_input_is_one_clear_error(change, elicit, message):
    with pytest.raises(DataError, match=message):
        calculate_Grace_q_adjusted({**QUESTION, **change}, elicit)


runs = st.lists(
    st.tuples(st.floats(0, 1), st.booleans(), st.lists(st.sampled_from("+-"), max_size=2)),
    min_size=1,
    max_size=9,
)


@settings(deadline=None)
@given(runs)
def test_agrees_with_the_vectorised_release_definition(rows):
    team = 0
    question = {"position": [], "M1": []}
    buzzes = []
    for conf, right, signs in rows:
        items = {}
        for sign in signs:
            team += 1
            items[f"H{team}"] = sign
            question["position"].append({"1": f"[H{team}, {sign}]"})
        buzzes.append(items)
        question["M1"].append({"conf": conf, "correctness": right, "position_items": items})
    total = len(question["position"])
    right_so_far = np.cumsum([sum(s == "+" for s in items.values()) for items in buzzes])
    h = right_so_far / total if total else np.zeros(len(rows))
    g, c = np.array([x[1] for x in rows]), np.array([x[0] for x in rows])
    mce, calscore = metrics.question_errors(g, c, h, np.array([0]), "release")
    assert calculate_Grace_q_non_adjusted(question, "raw")["M1"] == pytest.approx(mce[0], abs=1e-12)
    assert calculate_Grace_q_adjusted(question, "raw")["M1"] == pytest.approx(calscore[0], abs=1e-12)
