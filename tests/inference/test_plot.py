"""Figures of inference: what a mark says is what its interval says."""

import numpy as np
import pandas as pd
import pytest
from calscore.inference import plot
from matplotlib import pyplot as plt

pytestmark = pytest.mark.usefixtures("style")


# low and high of questions, of all pairs at once, of questions and teams → filled
MARKS = [
    ((0.1, 0.3), (0.05, 0.35), (0.02, 0.4), True),
    ((0.1, 0.3), (-0.01, 0.35), (0.02, 0.4), False),
    ((0.1, 0.3), (0.05, 0.35), (-0.02, 0.4), False),
    ((-0.3, -0.1), (np.nan, np.nan), (-0.4, -0.05), True),
    ((-0.3, 0.1), (np.nan, np.nan), (np.nan, np.nan), False),
]


def test_a_difference_is_filled_where_no_interval_that_is_drawn_holds_0():
    rows = [
        {"low": a[0], "high": a[1], "simultaneous_low": b[0], "simultaneous_high": b[1],
         "two_way_low": c[0], "two_way_high": c[1], "difference": np.mean(a) + place / 1000, "filled": filled}
        for place, (a, b, c, filled) in enumerate(MARKS)
    ]  # fmt: skip
    table = pd.DataFrame(rows).assign(category="all", metric="calscore", kind="models")
    table = table.assign(elicitation_a="logit", name_a=[f"A{n}" for n in range(len(table))], name_b="B")
    (ax,) = plot.difference_figure(table, 0.95).axes
    (marks,) = (one for one in ax.collections if len(one.get_offsets()) == len(MARKS))
    filled = [colour[:3].tolist() != [1, 1, 1] for colour in marks.get_facecolors()]
    assert filled == table.sort_values("difference")["filled"].tolist()


def test_models_fill_the_panel_of_their_scores():
    rows = [("least", None, 1, 0.07), ("least", None, 17, 0.2), ("greatest", None, 1, 0.93), ("greatest", None, 17, 0.8)]  # fmt: skip
    rows += [("calscore", model, teams, value) for model, value in (("M1", 0.65), ("M2", 0.7)) for teams in (1, 17)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["quantity", "model", "teams", "value"])
    table = table.assign(definition="paper", h_definition="buzzed_so_far", elicitation="logit")
    figure = plot.crowd_size_figure(table.assign(low=table["value"], high=table["value"]), {})["crowd_size"]
    _, scores = figure.axes
    assert scores.get_ylim() == pytest.approx((0.6, 0.95))
    notes = " ".join(text.get_text() for text in figure.texts)
    assert "its lower end is 0.07, with all teams 0.20" in notes
    plt.close(figure)
