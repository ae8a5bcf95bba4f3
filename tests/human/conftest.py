"""Three questions of three clues, and what four human teams and a model did on them."""

import pandas as pd
import pytest


@pytest.fixture
def clues():
    rows = [("words-2", q, t, 2 * t) for q in ("a", "b", "c") for t in (1, 2, 3)]
    table = pd.DataFrame(rows, columns=["segmentation", "question_id", "clue", "end_word"])
    return table.assign(end_char=table["end_word"], revealed=table["end_word"] / 6)


@pytest.fixture
def buzzes():
    rows = [
        # The last word of clue 1 (index 1), the first word of clue 2 (index 2), the last word.
        ("a", "H1", 1, True),
        ("a", "H2", 2, False),
        ("a", "H3", 5, True),
        ("a", "M1", 0, True),
        ("b", "H1", 3, False),
    ]
    table = pd.DataFrame(rows, columns=["question_id", "team", "word_index", "correct"])
    return table.assign(packet=1, match=None, kind=table["team"].str[0].map({"H": "human", "M": "model"}))


@pytest.fixture
def exposures():
    rows = [(q, t) for q in "abc" for t in ("H1", "H2", "H3", "H4", "M1")]
    table = pd.DataFrame(rows, columns=["question_id", "team"])
    kind = table["team"].str[0].map({"H": "human", "M": "model"})
    return table.assign(packet=1, kind=kind, source="declared")
