"""What holds of guesses on past questions."""

from __future__ import annotations

from ..audit.outcome import bad, outside, worst

_SERIES = ["model", "elicitation"]


def words_of_past_questions(past_questions):
    """n_words are those of the text; no question is there twice."""
    t = past_questions
    wrong = (t["n_words"] != t["text"].str.split().str.len()) | t.duplicated("question_id")
    return bad(t, wrong, "question_id")


def within_past_questions(past_runs, past_questions):
    """A guess on a past question is made within its words; no two come from one place in a file."""
    t = past_runs
    words = t["question_id"].map(past_questions.set_index("question_id")["n_words"])
    wrong = ~(t["position"] <= words) | t.duplicated("source_row")
    return bad(
        t, wrong | (t["correct"] != (t["verdict"] == "accept")), "model", "question_id", "position"
    )


def last_guesses(past_scores, past_runs):
    """Accuracy is that of each past question's last guess; bounds are on either side."""
    t = past_scores
    wrong = outside(t, "value", "")
    last = past_runs.sort_values("position", kind="stable")
    last = last.drop_duplicates([*_SERIES, "question_id"], keep="last")
    known = last.groupby(_SERIES)["question_id"].nunique().rename("known").reset_index()
    both = t.merge(known, on=_SERIES)
    return worst(
        bad(t, wrong, *_SERIES, "metric"),
        bad(both, both["n_questions"] > both["known"], *_SERIES, "metric", "n_questions"),
    )
