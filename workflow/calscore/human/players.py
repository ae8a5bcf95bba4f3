"""The offline survey: backfilling (§3.2.1) and the ranking of players (Appendix F.3)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core import store
from ..core.data_issues import Finding
from ..judging import guess_verdicts
from .curves import quartile


def backfill(observed):
    """A player's answers to one question, in clue order, with what follows for clues without an
    answer.

    ``observed``: a list of True, False or None. After a right answer later ones are right, before a
    wrong one earlier ones wrong; None stays where neither or both hold. Observed answers stay.
    """
    right = np.logical_or.accumulate([bool(answer) for answer in observed])
    is_wrong = [answer is not None and not answer for answer in observed]
    wrong = np.logical_or.accumulate(is_wrong[::-1])[::-1]
    filled = {(True, False): True, (False, True): False}
    return [
        filled.get((before, after)) if answer is None else answer
        for answer, before, after in zip(observed, right.tolist(), wrong.tolist(), strict=True)
    ]


def survey_responses(survey, verdicts):
    """(judged/survey_responses, findings on answers that are right and then wrong).

    ``verdicts``: nullable boolean series aligned with ``survey``, null where the player wrote
    nothing.
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
    """Tables survey_judgements and survey_responses (backfilled), and findings.

    Arguments as in :func:`calscore.judging.guess_verdicts.judge_rows`.
    """
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
    """Columns player, question_id, clue, n_clues and correct of each player's first buzz on a
    question.

    A buzz without an answer counts as wrong, as it would at the table.
    """
    buzzed = responses[responses["buzz"]].sort_values("clue", kind="stable")
    first_rows = buzzed.drop_duplicates(["player", "question_id"]).copy()
    first_rows["correct"] = first_rows["observed"].fillna(False).astype(bool)
    return first_rows[["player", "question_id", "clue", "n_clues", "correct"]]


def rank_players(responses):
    """human/players: points (Appendix F.3), and quartile and half by points.

    A first buzz is worth 20 − 20c points if right (c: its clue over the question's clues), −5 if
    wrong. Quartiles are cut at the 25/50/75 percentiles, halves at the median; a value at a cut
    goes below.
    """
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
