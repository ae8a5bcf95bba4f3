"""Figures of answer options."""

import pandas as pd
from calscore.multiple_choice import plot
from support import words


def test_counts_are_printed_as_in_sentences():
    row = {"name": "m", "harmed": 1524, "harmed_low": 1400, "harmed_high": 1600, "right_before": 3000}
    row |= dict.fromkeys(["harmed_of_right", "harmed_of_right_low", "harmed_of_right_high"], 0.5)
    counts = plot.harm(pd.DataFrame([row]), 0.95).axes[0]
    assert words(counts) == [" 1,524 of 3,000"]
    assert "1,000" in [counts.xaxis.get_major_formatter()(value) for value in (0, 1000)]


def test_the_number_after_a_group_is_that_of_every_model():
    """Answers of both models in both settings: 12 or 9 on Art, 7 each on Law."""
    sizes = {("a", "Art"): 12, ("a", "Law"): 7, ("b", "Art"): 9, ("b", "Law"): 7}
    rows = [(model, setting, *rest) for setting in ("normal", "distractor") for (model, *rest) in ((*k, n) for k, n in sizes.items())]  # fmt: skip
    table = pd.DataFrame(rows, columns=["model", "setting", "group", "n"])
    values = dict.fromkeys(["right_share", "right_share_low", "right_share_high"], 0.5)
    figure = plot.types(table.assign(name=table["model"], **values), 0.95)
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["Law (7)", "Art (9–12)"]
