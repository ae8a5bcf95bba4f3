"""The offline survey: backfilling (§3.2.1) and the ranking of players (Appendix F.3)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core import store
from ..core.data_issues import Finding
from ..judging import guess_verdicts


def backfill(observed):
    """Fill a series of answers to one question, in clue order, where nothing was observed.

    ``observed`` holds True, False or None. Once right, right at every later clue; wrong, wrong at
    every earlier one. What was observed stays, so right followed by wrong is left as it is. A cell
    between that both rules claim (right before it, wrong after it) stays unknown.
    """
    observed_mask = [answer is not None for answer in observed]
    right = np.logical_or.accumulate(
        [
            is_observed and bool(answer)
            for is_observed, answer in zip(observed_mask, observed, strict=True)
        ]
    )
    wrong = [
        is_observed and not answer
        for is_observed, answer in zip(observed_mask, observed, strict=True)
    ]
    wrong = np.logical_or.accumulate(wrong[::-1])[::-1]
    filled = {(True, False): True, (False, True): False}
    return [
        answer if is_observed else filled.get((bool(before), bool(after)))
        for answer, is_observed, before, after in zip(
            observed, observed_mask, right, wrong, strict=True
        )
    ]


def survey_responses(survey, verdicts):
    """judged/survey_responses and findings on contradictions.

    ``verdicts`` is a nullable boolean series aligned with ``survey``: right or wrong as judged, null
    where the player wrote nothing.
    """
    table = survey.assign(observed=verdicts.astype("boolean"))
    table = table.sort_values(["player", "question_id", "clue"], ignore_index=True)
    groups = table.groupby(["player", "question_id"], sort=False)
    filled, findings = [], []
    for (player, question), rows in groups:
        observed = rows["observed"].astype(object).where(rows["observed"].notna(), None).to_list()
        filled += backfill(observed)
        first_right = next((i for i, value in enumerate(observed) if value), None)
        if first_right is not None and False in observed[first_right:]:
            later = first_right + observed[first_right:].index(False)
            clues = rows["clue"].to_list()
            findings.append(
                Finding(
                    "survey",
                    "right, then wrong",
                    "info",
                    f"{player}, {question}",
                    f"right at clue {clues[first_right]}, wrong at clue {clues[later]}",
                    "both kept as observed",
                )
            )
    table["correct"] = filled
    table["correct"] = table["correct"].astype("boolean")
    table["backfilled"] = table["observed"].isna() & table["correct"].notna()
    table["n_clues"] = groups["clue"].transform("max")
    return table[store.columns("survey_responses")], findings


def judged_survey(questions, survey, overrides, model, matcher):
    """Survey answers judged and backfilled; arguments as in :func:`calscore.judging.guess_verdicts.judged_guesses`."""
    survey, judgements, findings = guess_verdicts.judge_rows(
        survey, questions, overrides, model, matcher
    )
    table, issues = survey_responses(survey, guess_verdicts.correctness(survey, judgements))
    return {
        "survey_judgements": judgements,
        "survey_responses": table,
        "findings": findings + issues,
    }


def first_buzzes(responses):
    """One row per player and question: the clue of the first buzz and whether it was right.

    A buzz without an answer counts as wrong, as it would at the table.
    """
    buzzed = responses[responses["buzz"]].sort_values("clue", kind="stable")
    first_rows = buzzed.drop_duplicates(["player", "question_id"]).copy()
    first_rows["correct"] = first_rows["observed"].fillna(False).astype(bool)
    return first_rows[["player", "question_id", "clue", "n_clues", "correct"]]


def rank_players(responses):
    """human/players: points under Appendix F.3 and the quartile and half by points.

    20 − 20c points for a correct first buzz after the share c of the clues, −5 for a wrong one, 0
    without a buzz. Quartiles by the 25/50/75 percentiles (linear, ≤), the half by the median (≤ is
    bottom).
    """
    from .curves import quartile

    first_rows = first_buzzes(responses)
    share = first_rows["clue"] / first_rows["n_clues"]
    first_rows["points"] = np.where(first_rows["correct"], 20 - 20 * share, -5.0)
    table = pd.DataFrame({"questions": responses.groupby("player")["question_id"].nunique()})
    grouped = first_rows.groupby("player")
    table["buzzes"] = grouped.size()
    table["correct"] = grouped["correct"].sum()
    table["points"] = grouped["points"].sum()
    table = table.fillna(0).astype({"buzzes": "int64", "correct": "int64"}).reset_index()
    table["quartile"] = quartile(table["points"])
    table["half"] = np.where(table["points"] <= table["points"].median(), "bottom", "top")
    return table
