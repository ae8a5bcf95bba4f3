"""Figures of answer options."""

import pandas as pd
from calscore.multiple_choice import plot


def test_the_number_after_a_group_is_that_of_every_model():
    """Answers of both models in both settings: 12 or 9 on Art, 7 each on Law."""
    sizes = {("a", "Art"): 12, ("a", "Law"): 7, ("b", "Art"): 9, ("b", "Law"): 7}
    rows = [(model, setting, *rest) for setting in ("normal", "distractor") for (model, *rest) in ((*k, n) for k, n in sizes.items())]  # fmt: skip
    table = pd.DataFrame(rows, columns=["model", "setting", "group", "n"])
    values = dict.fromkeys(["right_share", "right_share_low", "right_share_high"], 0.5)
    figure = plot.types(table.assign(name=table["model"], **values), 0.95)
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["Law (7)", "Art (9–12)"]
