"""What holds of clues: a question cut into growing prefixes."""

import numpy as np
import pandas as pd

from ..core.check_result import Outcome, failing_rows, is_close
from .segment import GUESSED


def cut_into_prefixes(clues: pd.DataFrame, questions: pd.DataFrame) -> Outcome:
    """Clues count from 1, each ends after the one before it, and the last one with the question (except under segmentations of
    guesses). ``revealed`` is the share of words heard; ``end_char`` lies between the words that ``end_word`` separates."""
    c = clues.sort_values(["segmentation", "question_id", "clue"], ignore_index=True)
    clue_groups = c.groupby(["segmentation", "question_id"])
    q = questions.set_index("question_id").reindex(c["question_id"])
    wrong = np.array(c["clue"] != clue_groups.cumcount() + 1)
    for end, length in (("end_word", "n_words"), ("end_char", "n_chars")):
        wrong |= (clue_groups[end].diff() <= 0).to_numpy() | (c[end].to_numpy() > q[length].to_numpy())
        wrong |= (c[end] < 1).to_numpy()
    is_last = (c["clue"] == clue_groups["clue"].transform("max")) & ~c["segmentation"].isin(GUESSED)
    wrong |= is_last.to_numpy() & (c["end_word"].to_numpy() != q["n_words"].to_numpy())
    wrong |= ~is_close(c["revealed"], c["end_word"] / q["n_words"].to_numpy())
    # A word is heard once it has begun: as many words begin before end_char as are heard.
    starts = {}
    for question in questions[questions["text"].notna()].itertuples():
        letters = np.array([not char.isspace() for char in f" {question.text}"])
        starts[question.question_id] = np.flatnonzero(letters[1:] & ~letters[:-1])
    begun = np.zeros(len(c), dtype=int)
    for question_id, rows in c.groupby("question_id").indices.items():
        ends = c["end_char"].to_numpy()[rows]
        begun[rows] = np.searchsorted(starts.get(question_id, np.zeros(0)), ends, side="left")
    wrong |= (begun != c["end_word"].to_numpy()) & q["text"].notna().to_numpy()
    return failing_rows(c, wrong, "segmentation", "question_id", "clue")


def every_question_is_cut(clues: pd.DataFrame, questions: pd.DataFrame) -> Outcome:
    """Each segmentation but those of guesses has clues of as many questions as there are; a row per segmentation."""
    c = clues[~clues["segmentation"].isin(GUESSED)]
    n = c.groupby("segmentation")["question_id"].nunique().rename("questions").reset_index()
    return failing_rows(n, n["questions"] != len(questions), "segmentation", "questions")
