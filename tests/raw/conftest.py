"""Two questions with the texts of a packet."""

import pandas as pd
import pytest
from support import TEXT


@pytest.fixture
def questions():
    return pd.DataFrame(
        {
            "question_id": ["p01-q01", "p01-q02"],
            "packet": [1, 1],
            "number": [1, 2],
            "source_id": ["17", "18"],
            "text": [TEXT, "Other words stand here, all “eight” of them."],
            "answerline": ["x", "y"],
            "n_words": [10, 8],
        }
    )
