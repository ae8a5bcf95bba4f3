"""A guesser that needs no language model: the answer of the most similar past question (TF-IDF).

Its confidence is a logistic regression on the similarities, fitted to past questions that it had to
guess without themselves (and without their near-duplicates) in the index. It can only ever name
answers that the corpus has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..buzz_policy import opponent_curve
from ..buzz_policy.thresholds import Sequence, probability_model, tune_threshold
from ..stats.resample import group_folds

if TYPE_CHECKING:
    import pandas as pd

    from .retrieval import Retriever

FOLDS = 5
PAST_SEGMENTATION = "chars-100"
"""Where past questions are guessed at: after each run of 100 characters."""


def _features(best: pd.Series, second: pd.Series, words: pd.Series) -> np.ndarray:
    """(N, 4): similarity of the best title, its lead over the next title, log of words heard, lead times that log."""
    return np.column_stack([best, best - second, np.log(words), (best - second) * np.log(words)]).astype(
        float
    )


def texts_heard(questions: pd.DataFrame, clues: pd.DataFrame) -> list[str]:
    """Text of the question up to the end of each row of ``clues``, words joined by single spaces."""
    words = questions.set_index("question_id")["text"].map(str.split).to_dict()
    ends = zip(clues["question_id"], clues["end_word"], strict=True)
    return [" ".join(words[question][:end]) for question, end in ends]


def top_titles(retriever: Retriever, questions, clues) -> pd.DataFrame:
    """For each row of ``clues`` (one segmentation) the most similar title: question_id, position (words heard), guess, best,
    second. ``best``, ``second``: cosine similarity of that title and of the next, at least 0, without past questions that
    leak (``Retriever.leaks``). Where nothing is similar the guess is some title, with 0."""
    import pandas as pd

    titles, names = pd.factorize(retriever.corpus["title"])
    leaks = retriever.leaks(questions["text"].tolist())
    row_of = {q: i for i, q in enumerate(questions["question_id"])}
    order = np.argsort(titles, kind="stable")
    starts = np.flatnonzero(np.diff(titles[order], prepend=-1))
    parts = []
    heard = texts_heard(questions, clues)
    # In blocks, so that the dense similarities stay small.
    for start in range(0, len(clues), 2000):
        block = clues.iloc[start : start + 2000]
        similarity = retriever.similarity(heard[start : start + 2000])
        rows = [row_of[q] for q in block["question_id"]]
        similarity[leaks[rows]] = -1.0
        # One column per title: the most similar question that has it.
        by_title = np.maximum.reduceat(similarity[:, order], starts, axis=1)
        best = np.argmax(by_title, axis=1)
        row = np.arange(len(block))
        top = by_title[row, best]
        by_title[row, best] = -1.0
        parts.append(
            pd.DataFrame(
                {
                    "question_id": block["question_id"].to_numpy(),
                    "position": block["end_word"].to_numpy(),
                    "guess": names[titles[order][starts[best]]],
                    "best": np.maximum(top, 0.0),
                    "second": np.maximum(by_title.max(axis=1), 0.0),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def guess_titles(
    retriever: Retriever, questions, clues, past_clues, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(guesses on the study's questions, on past ones): frames of question_id, position, guess, confidence. Confidence is the
    probability that the title is right, fitted to past questions; for a past one to those of other folds (by
    ``seed``). ``clues`` and ``past_clues``: clue ends at which to guess."""
    corpus = retriever.corpus
    past = top_titles(retriever, corpus, past_clues)
    own = dict(zip(corpus["question_id"], corpus["title"], strict=True))
    right = (past["guess"] == past["question_id"].map(own)).to_numpy()
    x = _features(past["best"], past["second"], past["position"])
    folds = group_folds(past["question_id"], FOLDS, seed)
    confidence = np.empty(len(past))
    for fold in range(FOLDS):
        in_fold = folds == fold
        if in_fold.any():
            confidence[in_fold] = probability_model(x[~in_fold], right[~in_fold])(x[in_fold])
    past["confidence"] = confidence
    study = top_titles(retriever, questions, clues)
    study["confidence"] = probability_model(x, right)(
        _features(study["best"], study["second"], study["position"])
    )
    columns = ["question_id", "position", "guess", "confidence"]
    return study[columns], past[columns]


def buzz_flags(study: pd.DataFrame, past: pd.DataFrame, corpus: pd.DataFrame) -> list[bool]:
    """For each row of ``study``, whether its confidence exceeds the threshold that maximises expected wins on the guesses
    ``past`` (both of :func:`guess_titles`) against the protobowl π. ``corpus``: table past_questions, with the right titles."""
    import pandas as pd

    own = dict(zip(corpus["question_id"], corpus["title"], strict=True))
    words = corpus.set_index("question_id")["n_words"]
    rows = pd.DataFrame(
        {
            "question_id": past["question_id"],
            "score": np.log(past["confidence"]),
            "correct": past["guess"] == past["question_id"].map(own),
            "revealed": past["position"] / past["question_id"].map(words),
        }
    )
    opponents = opponent_curve.Opponents("protobowl", opponent_curve.PROTOBOWL)
    best = tune_threshold(Sequence.from_states(rows), opponents)
    return (np.log(study["confidence"]) > best.threshold).tolist()


def guesses(task) -> tuple[list[dict], list[dict]]:
    """(lines of guesses on the study's questions, with ``buzzed``, lines on past ones) of a :class:`.registry.Task`: model,
    elicitation, question_id, position, guess and confidence."""
    from ..clues import segment
    from .retrieval import Retriever

    questions, past = task.questions, task.corpus
    ends = (
        segment.cut_questions(questions, [task.segmentation]),
        segment.cut_questions(past, [PAST_SEGMENTATION]),
    )
    study, training = guess_titles(Retriever(past), questions, *ends, task.seed)
    study["buzzed"] = buzz_flags(study, training, past)
    named = {"model": task.guesser["name"], "elicitation": "logit"}
    return tuple([named | row for row in table.to_dict("records")] for table in (study, training))
