"""Agreement, and the order in which to verify."""

import numpy as np
import pandas as pd
import pytest
from calscore.inference import judge_sensitivity


def judged(rows):
    columns = ["question_id", "guess", "condition", "verdict", "score", "rule", "source"]
    return pd.DataFrame(rows, columns=columns)


def test_kappa_by_hand():
    # 20 agree on accept, 15 on reject, 5 + 10 differ: observed .7, chance .5.
    first = ["accept"] * 25 + ["reject"] * 25
    second = ["accept"] * 20 + ["reject"] * 5 + ["accept"] * 10 + ["reject"] * 15
    clusters = [f"q{i}" for i in range(50)]
    found = judge_sensitivity.bootstrap_kappa(first, second, clusters, 500, 1, 0.95)
    assert found["n"] == 50
    assert found["agreement"] == pytest.approx(0.7)
    assert found["kappa"] == pytest.approx(0.4)
    assert 0.1 < found["low"] < 0.4 < found["high"] < 0.7


def test_kappa_of_a_single_verdict_is_undefined():
    found = judge_sensitivity.bootstrap_kappa(["accept"] * 3, ["accept"] * 3, ["a", "b", "c"], 100, 1, 0.95)
    assert found["agreement"] == 1
    assert np.isnan(found["kappa"])


def test_what_to_verify_first():
    judgements = judged(
        [
            ("q1", "sure", "", "accept", 1.0, "exact", "engine"),
            ("q1", "open", "", "reject", 0.4, "part", "engine"),
            ("q2", "rare", "", "accept", 0.5, "f1", "f1"),
            ("q2", "asked", "", "prompt", 0.5, "prompt", "engine"),
            ("q2", "ruled", "", "accept", 1.0, "same (ed)", "override"),
        ]
    )
    rows = pd.DataFrame(
        [("q1", "open")] * 10 + [("q2", "rare")] * 3 + [("q1", "sure"), ("q2", "asked"), ("q2", "ruled")],
        columns=["question_id", "guess"],
    ).assign(condition="")
    questions = pd.DataFrame({"question_id": ["q1", "q2"], "answerline": ["one", "two"]})
    table = judge_sensitivity.judgements_to_verify(judgements, rows, questions)
    assert table["guess"].tolist() == ["open", "rare"]
    assert table["impact"].tolist() == pytest.approx([8.0, 3.0])
    assert (table[["verdict", "who", "reason"]] == "").all(axis=None)


def test_agreement_with_given_verdicts():
    guesses = pd.DataFrame(
        {
            "question_id": ["q1", "q1", "q2", "q3"],
            "guess": ["a", "b", "c", None],
            "condition": "",
            "model": "m",
            "elicitation": "logit",
            "position": [1, 2, 3, 4],
            "source_row": ["f#1", "f#2", "f#3", "f#4"],
            "correct_given": pd.array([True, False, None, True], dtype="boolean"),
        }
    )
    right = pd.Series([False, False, True, None], dtype="boolean")
    used = judged([("q1", "a", "", "accept", 1.0, "same (ed)", "override")])
    engine = judged([("q1", "a", "", "reject", 0.2, "no match", "engine")])
    rows = judge_sensitivity.engine_verification(used, engine, guesses, right, 100, 1, 0.95)
    assert [r["quantity"] for r in rows] == [
        "Cohen's kappa, engine and editor",
        "Cohen's kappa, engine and verdicts of the input",
    ]
    assert [r["n"] for r in rows] == [1, 2]


def test_who_accepts_which_guess_is_one_table():
    accepted = judged([("q1", "a", "", "accept", 1.0, "exact", "engine")])
    rejected = judged([("q1", "a", "", "prompt", 0.5, "part", "engine")])
    table = judge_sensitivity.matcher_verdicts({"engine": accepted, "strict": rejected})
    assert table.to_dict("list") == {
        "question_id": ["q1", "q1"],
        "guess": ["a", "a"],
        "condition": ["", ""],
        "matcher": ["engine", "strict"],
        "right": [True, False],
    }
