"""Figures of quartiles: what they say in words."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from calscore.human import plot
from support import words

pytestmark = pytest.mark.usefixtures("style")


def test_a_quartile_without_recorded_opponents_says_so():
    shares = {"right": 0.4, "wrong": 0.1, "beaten": 0.3}
    table = pd.DataFrame(
        [(group, cause, v, v - 0.1, v + 0.1, 2000) for group in ("human", "Q4") for cause, v in shares.items()],
        columns=["group", "cause", "incidence", "low", "high", "n"],
    )  # fmt: skip
    _, ax = plt.subplots()
    plot._draw_ends(ax, table, ["Q1"], {}, {})
    ticks = [text.get_text() for text in ax.get_yticklabels()]
    assert ticks == ["All humans\nn = 2,000", "Q4 (top)\nn = 2,000", "Q1 (bottom)\nn = 0"]
    assert words(ax) == ["no opponent recorded"]


def test_shrinkage_can_be_recomputed_from_what_is_printed():
    curves = pd.DataFrame(
        [("rate", way, f"Q{q}", clue, 1000.0 * q, q / 10, 0, 1)
         for way in ("all", "other_half") for q in (1, 2, 3, 4) for clue in (1, 2)],
        columns=["score", "drawn", "group", "clue", "questions_heard", "right", "two_way_low", "two_way_high"],
    )  # fmt: skip
    row = {"gap_all": 0.35, "gap_same_half": 0.4, "gap_other_half": 0.3, "shrinkage": 0.25}
    ends = {f"{name}{end}": v + d for name, v in row.items() for end, d in (("_two_way_low", -0.5), ("_two_way_high", 0.5))}  # fmt: skip
    figure = plot.fair_quartiles_figure(curves, pd.DataFrame([{"score": "rate", **row, **ends}]), "packets")
    left, right = figure.axes
    quartiles = ["Q1 (bottom)", "Q2", "Q3", "Q4 (top)"]
    assert words(left) == ["gap 0.35 [−0.15, 0.85]", *quartiles]
    assert words(right) == [
        "gap on the same half 0.40 [−0.10, 0.90]\ngap 0.30 [−0.20, 0.80]\nshrinkage 25% [−25%, 75%]",
        *quartiles,
    ]
    assert "n = 1,000, 2,000, 3,000, 4,000 (Q1 to Q4)" in left.get_title()
