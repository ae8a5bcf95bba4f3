"""Agreement, the order in which to verify, and what a verdict moves."""

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.inference import judge_sensitivity
from calscore.stats.bootstrap import Bootstrap


def judged(rows):
    columns = ["question_id", "guess", "condition", "verdict", "score", "rule", "source"]
    return pd.DataFrame(rows, columns=columns)


def test_kappa_by_hand():
    # 20 agree on accept, 15 on reject, 5 + 10 differ: observed .7, chance .5.
    first = ["accept"] * 25 + ["reject"] * 25
    second = ["accept"] * 20 + ["reject"] * 5 + ["accept"] * 10 + ["reject"] * 15
    clusters = [f"q{i}" for i in range(50)]
    found = judge_sensitivity.agreement(first, second, clusters, 500, 1, 0.95)
    assert found["n"] == 50
    assert found["agreement"] == pytest.approx(0.7)
    assert found["kappa"] == pytest.approx(0.4)
    assert 0.1 < found["low"] < 0.4 < found["high"] < 0.7


def test_kappa_agrees_with_statsmodels():
    from statsmodels.stats.inter_rater import cohens_kappa

    rng = np.random.default_rng(3)
    labels = np.array(["accept", "prompt", "reject"])
    first = labels[rng.integers(0, 3, 200)]
    second = np.where(rng.random(200) < 0.6, first, labels[rng.integers(0, 3, 200)])
    found = judge_sensitivity.agreement(
        first, second, rng.integers(0, 40, 200).astype(str), 200, 1, 0.95
    )
    table = pd.crosstab(first, second).to_numpy()
    assert found["kappa"] == pytest.approx(cohens_kappa(table).kappa, abs=1e-12)


def test_kappa_of_a_single_verdict_is_undefined():
    found = judge_sensitivity.agreement(
        ["accept"] * 3, ["accept"] * 3, ["a", "b", "c"], 100, 1, 0.95
    )
    assert found["agreement"] == 1
    assert np.isnan(found["kappa"])


def test_what_to_verify_first():
    judgements = judged(
        [
            ("q1", "sure", "", "accept", 1.0, "exact", "engine"),
            ("q1", "open", "", "reject", 0.4, "part", "engine"),
            ("q2", "rare", "", "accept", 0.5, "score", "engine"),
            ("q2", "asked", "", "prompt", 0.5, "prompt", "engine"),
            ("q2", "ruled", "", "accept", 1.0, "same (ed)", "override"),
        ]
    )
    rows = pd.DataFrame(
        [("q1", "open")] * 10
        + [("q2", "rare")] * 3
        + [("q1", "sure"), ("q2", "asked"), ("q2", "ruled")],
        columns=["question_id", "guess"],
    ).assign(condition="")
    questions = pd.DataFrame({"question_id": ["q1", "q2"], "answerline": ["one", "two"]})
    table = judge_sensitivity.to_verify(judgements, rows, questions)
    assert table["guess"].tolist() == ["open", "rare"]
    assert table["impact"].tolist() == pytest.approx([8.0, 3.0])
    assert (table[["verdict", "who", "reason"]] == "").all(axis=None)


def test_differences_are_from_the_judge_used():
    key = {"definition": "paper", "elicitation": "logit", "model": "m", "metric": "mce"}
    score = {
        "as used": pd.DataFrame([key | {"value": 0.5}]),
        "exact": pd.DataFrame([key | {"value": 0.7}]),
    }
    table = judge_sensitivity.differences(score, "as used").set_index("judging")
    assert table["difference"].to_dict() == pytest.approx({"as used": 0, "exact": 0.2})


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
    rows = judge_sensitivity.agreements(used, engine, guesses, right, 100, 1, 0.95)
    assert [r["quantity"] for r in rows] == [
        "Cohen's kappa, engine and editor",
        "Cohen's kappa, engine and verdicts of the input",
    ]
    assert [r["n"] for r in rows] == [1, 2]


def test_an_override_moves_numbers_and_is_counted(demo):
    """The verdict that matters most in the demo, turned by hand, moves what it should."""
    from calscore.judging import guess_verdicts
    from calscore.scores import streaming

    first = pd.read_csv(demo / "tables" / "to_verify.csv", keep_default_na=False).iloc[0]
    questions = store.read(demo / "tidy" / "questions.parquet")
    guesses = store.read(demo / "tidy" / "guesses.parquet")
    clues = store.read(demo / "tidy" / "clues.parquet").query("segmentation == 'sentence-100'")
    curve = store.read(demo / "human" / "human_curve.parquet").query(
        "segmentation == 'sentence-100'"
    )
    guesses["condition"] = guess_verdicts.conditions(guesses, questions)
    turned = "reject" if first.engine_verdict == "accept" else "accept"
    override = pd.DataFrame(
        [
            {
                "question_id": first.question_id,
                "guess": first.guess,
                "verdict": turned,
                "who": "ed",
                "reason": "test",
                "condition": guess_verdicts.ANY,
            }
        ]
    )
    row = next(override.itertuples())
    place = row.question_id, guess_verdicts.id_of(row.question_id, row.guess), row.condition
    used = guess_verdicts.Overrides(override, {place: row})
    found = {}
    for name, rules in (("engine", None), ("used", used)):
        table, _ = guess_verdicts.judge(guesses[guesses["guess"].notna()], questions, rules)
        responses = guess_verdicts.responses(
            clues, guesses, {"engine": guess_verdicts.correctness(guesses, table).fillna(False)}, {}
        )
        tables = streaming.score_all(responses, curve, Bootstrap(100, 0, 0.95))
        found[name] = judge_sensitivity.headline(
            tables["model_scores"], "sentence-100", ["mean_prob"]
        )
    moved = {
        r["quantity"]: r["value"]
        for r in judge_sensitivity.score_shifts(found["used"], found["engine"])
    }
    assert moved["numbers of table 1 and accuracies moved from the engine's"] > 0
    touched = responses[
        (responses["question_id"] == first.question_id) & (responses["guess"] == first.guess)
    ]
    touched = touched.drop_duplicates(["model", "elicitation", "clue"])
    assert len(touched) == first.rows
    models = set(zip(touched["elicitation"], touched["model"], strict=True))
    both = found["used"].merge(found["engine"], on=["definition", "elicitation", "model", "metric"])
    changed = both[(both["value_x"] - both["value_y"]).abs() > 1e-12]
    assert set(zip(changed["elicitation"], changed["model"], strict=True)) == models
