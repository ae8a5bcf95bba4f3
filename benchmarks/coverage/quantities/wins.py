"""Expected wins of the first model under every rule, and at the threshold that is best on the study; match points."""

from __future__ import annotations

import numpy as np
import pandas as pd
from calscore.buzz_policy import decision_values, opponent_curve, thresholds
from calscore.stats.bootstrap import Bootstrap

from ..engine import LEVEL, taken
from ..worlds.models import CLUES, QUESTIONS
from ..worlds.tournament import IDS, WORDS

GIVEN = -0.5
"""The given threshold on the mean log-probability (a confidence of .61)."""
FOLDS = 5
RULES = (f"given {GIVEN:g}", "tuned", "trained", "optimal")


def _states(one, of, name: str):
    """States of the first model on the questions ``of`` (indices) of a study of ``models``."""
    right = pd.Series(one["g"][0][of].ravel() > 0)
    logarithm = np.log(one["c"][0][of].ravel())
    guesses = pd.DataFrame(
        {
            "model": "a",
            "elicitation": "logit",
            "question_id": np.repeat(IDS[of], CLUES),
            "position": np.tile(np.arange(1, CLUES + 1) * WORDS, len(of)),
            "guess": np.where(right, "this", "that"),
            "confidence": np.nan,
            "mean_logprob": logarithm,
            "token_logprobs": [np.array([value]) for value in logarithm],
            "buzzed": pd.array([None] * len(right), "boolean"),
        }
    )
    questions = pd.DataFrame(
        {"question_id": IDS[of], "text": "word " * (CLUES * WORDS), "n_words": CLUES * WORDS}
    )
    return thresholds.states_with_features(guesses, right, questions, name)


def expected_wins(one, replicates: int, number: int) -> dict:
    """Intervals of one study of ``models``."""
    states = _states(one, np.arange(QUESTIONS), "study")
    curve = opponent_curve.Opponents("protobowl", opponent_curve.PROTOBOWL)
    found = thresholds.policy_tables(states, [curve], [GIVEN], FOLDS, Bootstrap(replicates, number, LEVEL))
    cells = "expected_wins", "low", "high"
    at = found["thresholds"].set_index("rule")
    wins = {(f"expected wins, {rule}", "questions"): taken(at.loc[rule], *cells) for rule in RULES}
    drawn = found["expected_wins"]
    best = drawn[drawn["best"]].iloc[0]
    wins["expected wins, best threshold of the study itself", "questions"] = taken(best, *cells)
    return wins


def buzzes(one, replicates: int, number: int) -> dict:
    """Buzzes of one study of ``models`` by rules, some taken from the half of its questions that is past."""
    half = np.arange(QUESTIONS).reshape(2, -1)
    states = [_states(one, of, name) for of, name in zip(half, ("past", "study"), strict=True)]
    curve = opponent_curve.Opponents("protobowl", opponent_curve.PROTOBOWL)
    table = pd.concat(states, ignore_index=True)
    found = thresholds.policy_tables(table, [curve], [GIVEN], FOLDS, Bootstrap(replicates, number, LEVEL))
    at = found["thresholds"]
    at = at[at["set"] == "study"].set_index("rule")
    kinds = {
        f"given {GIVEN:g}": "given",
        "tuned": "tuned",
        "tuned on past questions": "tuned on past questions",
        "trained on past questions": "trained on past questions",
    }
    shown = {}
    for rule, words in kinds.items():
        for name, quantity, how in (
            ("buzz_rate", "buzz rate", "Wilson, questions"),
            ("precision", "right of the buzzes of a rule", "Wilson, questions"),
            ("mean_revealed", "share heard at the buzz", "questions"),
        ):
            cells = taken(at.loc[rule], name, f"{name}_low", f"{name}_high")
            shown[f"{quantity}, {words}", how] = cells
        if "past" in rule:
            cells = taken(at.loc[rule], "expected_wins", "low", "high")
            shown[f"expected wins, {words}", "questions"] = cells
    return shown


POINTS = {"right": 10, "wrong": -5}


def decision_value(study, replicates: int, number: int) -> dict:
    """Points of the first model by its confidence as it is, recalibrated and with foresight, and the difference."""
    rows = study.responses[study.responses["model"] == "a"]
    rows = pd.DataFrame(
        {
            "question_id": rows["question_id"],
            "position": rows["clue"] * WORDS,
            "score": np.log(rows["confidence"]),
            "correct": rows["correct"],
            "revealed": rows["clue"] / CLUES,
        }
    )
    stakes = decision_values.stakes(rows, study.questions, study.buzzes, study.exposures, POINTS)
    made = pd.Series(
        decision_values.decision_value_of_series(
            rows.merge(stakes), FOLDS, Bootstrap(replicates, number, LEVEL)
        )
    )
    names = {
        f"points_{way}": f"points per question, {way}" for way in ("stated", "recalibrated", "foresight")
    }
    names["value"] = "points per question, recalibrated minus stated"
    return {
        (shown, "questions"): taken(made, name, f"{name}_low", f"{name}_high")
        for name, shown in names.items()
    }
