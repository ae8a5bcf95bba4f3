"""Expected wins of the first model under every rule, and at the threshold that is best on the study; match points."""

from __future__ import annotations

import numpy as np
import pandas as pd
from calscore.buzzing import decisions, opponents, thresholds

from ..engine import LEVEL, taken
from ..worlds.models import CLUES, QUESTIONS
from ..worlds.tournament import IDS, WORDS

GIVEN = -0.5
"""The given threshold on the mean log-probability (a confidence of .61)."""
FOLDS = 5
RULES = (f"given {GIVEN:g}", "tuned", "trained", "optimal")


def expected_wins(one, replicates: int, number: int) -> dict:
    """Intervals of one study of ``models``."""
    right = pd.Series(one["g"][0].ravel() > 0)
    logarithm = np.log(one["c"][0].ravel())
    guesses = pd.DataFrame(
        {
            "model": "a",
            "elicitation": "logit",
            "question_id": np.repeat(IDS, CLUES),
            "position": np.tile(np.arange(1, CLUES + 1) * WORDS, QUESTIONS),
            "guess": np.where(right, "this", "that"),
            "confidence": np.nan,
            "mean_logprob": logarithm,
            "token_logprobs": [np.array([value]) for value in logarithm],
            "buzzed": pd.array([None] * len(right), "boolean"),
        }
    )
    questions = pd.DataFrame(
        {"question_id": IDS, "text": "word " * (CLUES * WORDS), "n_words": CLUES * WORDS}
    )
    states = thresholds.states(guesses, right, questions, "study")
    curve = opponents.Opponents("protobowl", opponents.PROTOBOWL)
    found = thresholds.analyse(states, [curve], [GIVEN], FOLDS, replicates, number, LEVEL)
    cells = "expected_wins", "low", "high"
    at = found["thresholds"].set_index("rule")
    wins = {(f"expected wins, {rule}", "questions"): taken(at.loc[rule], *cells) for rule in RULES}
    drawn = found["expected_wins"]
    best = drawn[drawn["best"]].iloc[0]
    wins["expected wins, best threshold of the study itself", "questions"] = taken(best, *cells)
    return wins


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
    stakes = decisions.stakes(rows, study.questions, study.buzzes, study.exposures, POINTS)
    made = pd.Series(decisions.decided(rows.merge(stakes), FOLDS, replicates, number, LEVEL))
    names = {f"points_{way}": f"points per question, {way}" for way in decisions.WAYS}
    names["value"] = "points per question, recalibrated minus stated"
    return {
        (shown, "questions"): taken(made, name, f"{name}_low", f"{name}_high")
        for name, shown in names.items()
    }
