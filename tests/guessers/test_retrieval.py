"""Retrieval that does not leak."""

import numpy as np
import pandas as pd
from calscore.guessers import retrieval
from past_questions import made_corpus


def test_the_question_itself_and_near_duplicates_are_never_shown():
    table = made_corpus()
    words = table["text"][0].split()
    near = table.iloc[[0, 0]].assign(
        question_id=["past-copy", "past-moved"],
        text=[" ".join(words[:15]) + " other ending", " ".join(words[10:] + words[:10])],
    )
    whole = pd.concat([table, near], ignore_index=True)
    retriever = retrieval.Retriever(whole)
    leaks = retriever.leaks(table["text"].tolist())
    assert leaks[:60, :60].diagonal().all()
    assert leaks[0].nonzero()[0].tolist() == [0, 60, 61]
    assert not leaks[1, [0, 60, 61]].any()
    shown = retriever.examples(table["text"][0], leaks[0], 5)
    assert len(shown) == 5
    assert not set(shown) & {0, 60, 61}
    # Without the guard the copy would come first, that is, last in the prompt.
    assert retriever.examples(table["text"][0], np.zeros(62, bool), 3)[-1] == 0
    assert retriever.examples(table["text"][0], np.ones(62, bool), 3) == []


def test_a_copied_passage_and_turned_round_words_both_leak():
    """The first by its shingles alone, the second by the similarity of the whole texts alone."""
    table = made_corpus()
    words, other = table["text"][0].split(), table["text"][7].split()
    passage = " ".join(words[:12] + other[:23] + table["text"][9].split()[:20])
    turned = " ".join(words[::-1])
    retriever = retrieval.Retriever(table)
    assert retriever.similarity([passage])[0, 0] < retrieval.SIMILAR < retriever.similarity([turned])[0, 0]
    assert retriever.leaks([passage])[0, 0]
    assert retriever.leaks([turned])[0, 0]
    assert not retriever.leaks([turned])[0, 1:].any()
