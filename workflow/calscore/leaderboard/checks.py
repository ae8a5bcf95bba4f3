"""Invariants of submissions."""

import pandas as pd

from ..core.check_result import Outcome, failing_rows, is_close


def shares_of_counts(leaderboard: pd.DataFrame) -> Outcome:
    """Precision is right over all buzzes, by the code over all questions; frequency is buzzes over questions."""
    counts = {
        ("buzz_precision", "manual"): ("right", "buzzes"),
        ("buzz_precision", "code"): ("right", "questions"),
        ("buzz_frequency", "manual"): ("buzzes", "questions"),
        ("buzz_frequency", "code"): ("buzzes", "questions"),
    }
    columns = [counts.get(key) for key in zip(leaderboard["metric"], leaderboard["reading"], strict=True)]
    table = leaderboard.assign(columns=columns).dropna(subset="columns")
    wrong = pd.Series(False, index=table.index)
    for (top, bottom), rows in table.groupby("columns"):
        share = rows[top] / rows[bottom].where(rows[bottom] > 0).astype(float)
        wrong[rows.index] = ~is_close(rows["value"], share)
    return failing_rows(table, wrong, "submission", "metric", "reading")


def ordered_runs(runs) -> Outcome:
    """Positions of a submission's runs on a question never fall, and a live buzz lies within the question."""
    table = runs.sort_values(["submission", "question_id", "run"], ignore_index=True)
    wrong = table.groupby(["submission", "question_id"])["position"].diff() < 0
    wrong |= table["live"] & (table["position"] > table["n_words"]).fillna(True).astype(bool)
    return failing_rows(table, wrong, "submission", "question_id", "run")
