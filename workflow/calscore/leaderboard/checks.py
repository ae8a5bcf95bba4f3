"""Invariants of submissions."""

from __future__ import annotations

from ..core.check_result import Outcome, failing_rows


def ordered_runs(runs) -> Outcome:
    """Positions of a submission's runs on a question never fall, and a live buzz lies within the question."""
    table = runs.sort_values(["submission", "question_id", "run"], ignore_index=True)
    wrong = table.groupby(["submission", "question_id"])["position"].diff() < 0
    wrong |= table["live"] & (table["position"] > table["n_words"]).fillna(True).astype(bool)
    return failing_rows(table, wrong, "submission", "question_id", "run")
