"""Match points of the stated and of the recalibrated confidence: stakes by hand, reference worlds, what must hold."""

import numpy as np
import pandas as pd
import pytest
from calscore.buzz_policy import decision_values
from calscore.core import store
from calscore.judging import guess_verdicts

POINTS = {"right": 10, "wrong": -5}
WORDS = 20
# The team's buzz (word from 0, right), the model's position in words → what a right and a wrong answer gain over
# silence, counted by hand as model less team: right first takes the team's points too; a wrong interruption costs 5
# and leaves the team to itself, whose own wrong buzz then costs nothing; the last word interrupts nobody.
STAKES = [
    (None, 5, 10, -5),
    (None, 20, 10, 0),
    ((9, True), 5, 20, -5),
    ((9, True), 10, 0, 0),
    ((9, True), 11, 0, 0),
    ((9, False), 5, 5, -10),
    ((9, False), 11, 10, 0),
    ((9, False), 20, 10, 0),
    ((19, False), 20, 10, 0),
    ((19, True), 19, 20, -5),
]


@pytest.mark.parametrize(("team", "position", "right", "wrong"), STAKES)
def test_what_a_buzz_gains(team, position, right, wrong):
    questions = pd.DataFrame({"question_id": ["q"], "n_words": [WORDS]})
    exposures = pd.DataFrame({"question_id": ["q"], "team": ["A"], "kind": ["human"]})
    buzzes = pd.DataFrame(
        [("q", "A", "human", *(team or (0, False)))],
        columns=["question_id", "team", "kind", "word_index", "correct"],
    )
    places = pd.DataFrame({"question_id": ["q"], "position": [position]})
    made = decision_values.stakes(places, questions, buzzes if team else buzzes[:0], exposures, POINTS)
    assert made[["if_right", "if_wrong"]].to_numpy().tolist() == [[right, wrong]]


def world(shift: float, seed: int = 1, size: int = 300):
    """Guesses at every fifth word that are right with a known chance; confidences ``shift`` logits above it.

    Two teams heard each question; their buzzes fall anywhere and are right in two of three.
    """
    rng = np.random.default_rng(seed)
    ids = [f"q{n:03d}" for n in range(size)]
    at = np.arange(5, WORDS + 1, 5)
    logit = rng.normal(-1.5, 1.5, (size, 1)) + 3 * at / WORDS
    right = rng.random((size, 1)) < 1 / (1 + np.exp(-logit))
    guesses = pd.DataFrame(
        {
            "model": "M",
            "elicitation": "verbalized",
            "question_id": np.repeat(ids, len(at)),
            "position": np.tile(at, size),
            "guess": np.where(right, "this", "that").ravel(),
            "confidence": (1 / (1 + np.exp(-logit - shift))).ravel(),
            "mean_logprob": np.nan,
            "token_logprobs": None,
            "buzzed": pd.array([None] * right.size, "boolean"),
            "correct_given": pd.array([None] * right.size, "boolean"),
        }
    )
    heard = pd.DataFrame(
        [(q, team, "human") for q in ids for team in "AB"], columns=["question_id", "team", "kind"]
    )
    buzzes = heard.assign(word_index=rng.integers(0, WORDS, len(heard)), correct=rng.random(len(heard)) < 2 / 3)  # fmt: skip
    questions = pd.DataFrame({"question_id": ids, "n_words": WORDS, "answerline": "this"})
    judged = [(q, guess, "", guess == "this") for q in ids for guess in ("this", "that")]
    judgements = pd.DataFrame(judged, columns=["question_id", "guess", "condition", "right"])
    judgements["verdict"] = np.where(judgements["right"], "accept", "reject")
    judgements = judgements.assign(engine=judgements["verdict"], source="engine", rule="")
    return questions, buzzes, heard, guesses, judgements


def valued(shift: float, monkeypatch, tables=None):
    monkeypatch.setattr(guess_verdicts, "met_conditions", lambda guesses, questions: "")
    tables = tables or world(shift)
    given = {"folds": 5, "names": {}, "replicates": 300, "seed": 1, "level": 0.95}
    made = decision_values.decision_value_table(*tables, POINTS, **given)["decision_value"]
    store.check(made, "decision_value")
    return made.iloc[0], made, tables


def test_an_arguable_verdict_pays_no_run_that_mark_and_engine_call_wrong(monkeypatch):
    """The scores judge so by run; a buzz is paid by the same verdict."""
    *crowd, guesses, judgements = world(0.0)
    argued = judgements.assign(engine="reject", source="override", rule="arguable: cut short")
    tables = [*crowd, guesses.assign(correct_given=pd.array([False] * len(guesses), "boolean")), argued]
    row, *_ = valued(0.0, monkeypatch, tables)
    assert row["correct_foresight"] == 0


def test_recalibrating_what_is_calibrated_is_worth_nothing(monkeypatch):
    row, *_ = valued(0.0, monkeypatch)
    assert row["value_low"] <= 0 <= row["value_high"]
    assert abs(row["value"]) < 0.3
    assert 0 < row["points_stated_low"] < row["points_foresight"]


@pytest.mark.parametrize("shift", [3.0, -3.0])
def test_recalibrating_what_is_not_calibrated_pays(monkeypatch, shift):
    row, *_ = valued(shift, monkeypatch)
    assert row["value_low"] > 0
    calibrated, *_ = valued(0.0, monkeypatch)
    assert row["points_recalibrated"] == pytest.approx(calibrated["points_stated"], abs=0.4)
    # Too sure it buzzes too often, too unsure too rarely.
    assert (row["buzzes_stated"] > row["buzzes_recalibrated"]) == (shift > 0)
