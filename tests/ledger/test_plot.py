"""The figure of printed scores against their ranges."""

from __future__ import annotations

from calscore.ledger import attainable_scores, forensics
from ledger.paper import (
    paper_of,
    study,
)


def test_the_figure_marks_each_verdict_and_survives_having_nothing_to_draw():
    from calscore.core import theme
    from calscore.ledger import plot

    theme.apply()
    tables = study()
    low, _ = attainable_scores.attainable_calscore(tables["human_curve"], "release")
    rows = {"m": {"mce": 0.999, "calscore": 0.6}, "n": {"mce": 0.5, "calscore": low - 0.01}}
    paper = paper_of(rows, exchange=["mce", "calscore"])
    figure = plot.attainable(forensics.examine(paper, **tables), "words-5", {})
    assert len(figure.axes) == 2 * 5
    release = figure.axes[3]
    assert release.get_title() == "definition:\nrelease\nh: buzzed\non question"
    labels = [mark.get_label() for mark in release.collections]
    assert labels == [
        plot.MARKS["inconsistent"]["label"],
        plot.MARKS["impossible"]["label"],
    ]
    empty = forensics.examine({"file": "paper.yaml"}, **tables)
    figure = plot.attainable(empty, "words-5", {})
    assert "No CalScore" in figure.axes[0].texts[0].get_text()
