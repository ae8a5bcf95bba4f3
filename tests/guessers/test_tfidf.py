"""The baseline that looks past questions up."""

import numpy as np
from calscore.clues import segment
from calscore.guessers import retrieval, tfidf
from past_questions import made_corpus


def test_the_baseline_finds_what_its_past_questions_know():
    table = made_corpus()
    retriever = retrieval.Retriever(table)
    questions = table.iloc[::2].assign(
        text=[
            " ".join(["new"] * 5 + [f"clue{i}n{place}" for place in (12, 16, 20)] + ["w1"]) for i in range(30)
        ]
    )
    ends, past_ends = (
        segment.cut_questions(questions, ["words-5"]),
        segment.cut_questions(table, ["words-10"]),
    )
    mine, theirs = tfidf.guess_titles(retriever, questions, ends, past_ends, seed=1)
    last = mine.drop_duplicates("question_id", keep="last")
    assert (last["guess"].to_numpy() == questions["title"].to_numpy()).all()
    # It never saw the question itself: what it knows of a past question is its twin.
    last = theirs.drop_duplicates("question_id", keep="last")
    assert (last["guess"].to_numpy() == table["title"].to_numpy()).mean() > 0.9
    first = theirs.drop_duplicates("question_id")
    assert (first["guess"].to_numpy() == table["title"].to_numpy()).mean() < 0.3
    assert last["confidence"].mean() > 2 * first["confidence"].mean()
    assert theirs["confidence"].between(0, 1).all()
    buzzes = tfidf.buzz_flags(mine, theirs, table)
    assert any(buzzes)
    assert not all(buzzes)
    only = retriever.leaks(table["text"].tolist())
    assert (only == np.eye(60, dtype=bool)).all()
