"""Figures of inference: what a mark says is what its interval says."""

import numpy as np
import pandas as pd
import pytest
from calscore.inference import plot

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
    table = table.assign(elicitation_a="logit", name_a="A", name_b="B")
    (ax,) = plot.paired(table, 0.95).axes
    (marks,) = (one for one in ax.collections if len(one.get_offsets()) == len(MARKS))
    filled = [colour[:3].tolist() != [1, 1, 1] for colour in marks.get_facecolors()]
    assert filled == table.sort_values("difference")["filled"].tolist()


def test_another_rule_for_0_and_1_has_a_mark_only_outside_of_the_interval():
    rows = pd.DataFrame({"ends": ["squeeze", "omit", "clip"], "slope": [0.5, 0.9, 0.55]})
    rows = rows.assign(slope_low=[0.4, 0.8, 0.5], slope_high=[0.6, 1.0, 0.6], offset=0.0)
    rows = rows.assign(offset_low=-1, offset_high=1, scope="every_clue", model="M1", n=100)
    rows = rows.assign(elicitation="logit", reduction="mean_prob", marks="engine")
    rows = rows.assign(status="estimated", n_at_0=1, n_at_1=2)
    left, right = plot.slopes(rows, {"M1": ("k", "o")}, {}, ["mean_prob"]).axes
    hollow = [one.get_xdata()[0] for one in left.lines if one.get_markerfacecolor() == "white"]
    assert hollow == [0.9]
    assert not [one for one in right.lines if one.get_markerfacecolor() == "white"]
