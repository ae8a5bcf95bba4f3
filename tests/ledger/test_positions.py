"""Buzzes of one source at the words of another."""

import pandas as pd
from calscore.ledger import positions

COLUMNS = ["question_id", "team", "correct", "word_index"]


def test_a_buzz_moves_to_where_the_outputs_have_the_same_one():
    released = pd.DataFrame(
        [("q1", "H1", True, 40), ("q1", "H2", False, 50), ("q2", "H1", True, 7), ("q2", "H2", True, 9)],
        columns=COLUMNS,
    )  # fmt: skip
    outputs = pd.DataFrame(
        [
            ("q1", "H1", True, 36),
            ("q1", "H2", True, 44),  # another outcome is another buzz
            ("q2", "H2", True, 3),  # twice there: which is meant is open
            ("q2", "H2", True, 5),
        ],
        columns=COLUMNS,
    )
    moved = positions.moved_buzzes(released, outputs)
    assert moved["word_index"].to_list() == [36, 50, 7, 9]
    assert moved.drop(columns="word_index").equals(released.drop(columns="word_index"))
