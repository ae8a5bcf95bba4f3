"""Live buzzes beside those of the runs, from rows written out by hand."""

import pandas as pd
from calscore.buzz_policy import live_vs_offline
from calscore.core import store

QUESTIONS = ["q1", "q2", "q3", "q4", "q5"]


def buzz(team, question, word, correct, kind="model"):
    return {"team": team, "question_id": question, "word_index": word, "correct": correct, "kind": kind}  # fmt: skip


def point(question, position, correct, model="M1"):
    return {"set": "study", "model": model, "elicitation": "logit", "rule": "stated", "opponents": "any",
            "question_id": question, "position": position, "correct": correct}  # fmt: skip


def sides():
    """M1 was read q1 to q4 live; its runs know q1, q2, q3 and q5. M2 has runs only."""
    exposures = pd.DataFrame(
        [{"team": "M1", "question_id": q, "kind": "model"} for q in QUESTIONS[:4]]
        + [{"team": "Bears", "question_id": q, "kind": "human"} for q in QUESTIONS]
    )
    buzzes = pd.DataFrame(
        [
            buzz("M1", "q1", 10, True),
            buzz("M1", "q2", 20, False),
            buzz("Bears", "q1", 5, True, "human"),
        ]
    )
    points = pd.DataFrame(
        [
            point("q1", 16, True),
            point("q2", 11, True),
            point("q3", 31, False),
            point("q5", 9, True),
            point("q1", 3, True, "M2"),
        ]
    ).astype({"position": "Int64"})
    return buzzes, exposures, points


def test_each_question_that_both_sides_have_is_a_row():
    table = live_vs_offline.live_question_rows(*sides())
    assert not store.validation_errors(table, "live_questions")
    shown = table[["model", "question_id", "word_live", "live", "word_offline", "offline"]]
    # A position counts words, a word index starts at 0.
    assert shown.astype(object).where(shown.notna(), None).values.tolist() == [
        ["M1", "q1", 10, "right", 15, "right"],
        ["M1", "q2", 20, "wrong", 10, "right"],
        ["M1", "q3", None, "no buzz", 30, "wrong"],
    ]


def test_outcomes_are_counted_and_distances_averaged():
    found = live_vs_offline.live_vs_offline_tables(
        *sides(), {"M1": "GPT-4"}, replicates=200, seed=1, level=0.95
    )
    (row,) = found["live_offline"].to_dict("records")
    assert not store.validation_errors(found["live_offline"], "live_offline")
    assert row["name"] == "GPT-4" and row["n_questions"] == 3
    assert [row[f"live_{o}"] for o in ("right", "wrong", "no_buzz")] == [1, 1, 1]
    assert [row[f"offline_{o}"] for o in ("right", "wrong", "no_buzz")] == [2, 1, 0]
    assert row["same_outcome"] == 1 / 3
    # q1: 5 words later; q2: 10 earlier.
    assert (row["n_both"], row["later"]) == (2, -2.5)
    assert row["later_low"] == -10 and row["later_high"] == 5


def test_models_that_never_played_live_give_empty_tables():
    buzzes, exposures, points = sides()
    found = live_vs_offline.live_vs_offline_tables(
        buzzes, exposures, points[points["model"] == "M2"], {}, 100, 1, 0.95
    )
    assert found["live_questions"].empty and found["live_offline"].empty
    assert list(found["live_offline"]) == store.columns("live_offline")
