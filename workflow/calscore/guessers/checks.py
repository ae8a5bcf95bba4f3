"""Invariants of guesses on past questions."""

from ..core.check_result import Outcome, failing_rows, first_failure


def past_guesses_fit_questions(past_runs, past_questions) -> Outcome:
    """A guess lies within its past question, has a source row of its own, and is right exactly where the engine
    accepts it; past questions are counted in words."""
    question_words = past_questions["text"].str.split().str.len()
    words = past_runs["question_id"].map(past_questions.set_index("question_id")["n_words"])
    wrong = ~(past_runs["position"] <= words) | past_runs.duplicated("source_row")
    wrong |= past_runs["correct"] != (past_runs["verdict"] == "accept")
    return first_failure(
        failing_rows(past_runs, wrong, "model", "question_id", "position"),
        failing_rows(past_questions, past_questions["n_words"] != question_words, "question_id"),
    )
