"""The offline survey judged and backfilled (§3.2.1)."""

import numpy as np
import pandas as pd

from ..core import store
from ..core.data_issues import Finding
from . import guess_verdicts


def backfill(observed: list[bool | None]) -> list[bool | None]:
    """``observed`` with None filled in where it follows from the rest: whether a player was right at each clue of a question.

    After a right answer later ones are right, before a wrong one earlier ones wrong; None stays where neither or both
    hold. Observed answers stay."""
    right = np.logical_or.accumulate([bool(answer) for answer in observed])
    is_wrong = [answer is not None and not answer for answer in observed]
    wrong = np.logical_or.accumulate(is_wrong[::-1])[::-1]
    filled = {(True, False): True, (False, True): False}
    return [
        filled.get((before, after)) if answer is None else answer
        for answer, before, after in zip(observed, right.tolist(), wrong.tolist(), strict=True)
    ]


def survey_responses(survey: pd.DataFrame, verdicts: pd.Series) -> tuple[pd.DataFrame, list[Finding]]:
    """(table survey_responses by player, question and clue, backfilled; findings: right, then wrong answers).
    ``verdicts``: nullable boolean series aligned with ``survey``, null where the player wrote nothing."""
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


def judge_survey(questions, survey, overrides, model, matcher) -> dict[str, pd.DataFrame | list[Finding]]:
    """Tables ``survey_judgements`` and ``survey_responses`` (backfilled), and ``findings``, by name.
    Arguments as in :func:`calscore.judging.guess_verdicts.judge_rows`; ``survey``: the rows."""
    survey, judgements, findings = guess_verdicts.judge_rows(survey, questions, overrides, model, matcher)
    table, issues = survey_responses(survey, guess_verdicts.correctness(survey, judgements))
    return {
        "survey_judgements": judgements,
        "survey_responses": table,
        "findings": findings + issues,
    }
