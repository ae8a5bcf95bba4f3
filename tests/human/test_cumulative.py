"""Cumulative buzzes by hand."""

import pytest
from calscore.human import cumulative, curves


def test_cumulative_buzzes_under_three_normalisations(clues, buzzes, exposures):
    teams = curves.rank_teams(clues, buzzes, exposures)
    table = cumulative.cumulative_buzzes(clues, buzzes, exposures, teams, 200, 1, 0.95)
    all_right = table[(table["rule"] == "all") & (table["outcome"] == "correct")]
    assert all_right["cumulative"].tolist() == [1, 1, 2]
    assert all_right["per_question"].tolist() == pytest.approx([1 / 12, 1 / 12, 2 / 12])
    # Four teams heard one packet each; every clue of three questions was heard by four teams.
    assert all_right["per_match"].tolist() == pytest.approx([1 / 4, 1 / 4, 2 / 4])
    assert all_right["per_clue"].tolist() == pytest.approx([1 / 12, 1 / 24, 2 / 36])
    model = table[(table["rule"] == "model") & (table["outcome"] == "correct")]
    assert model["cumulative"].tolist() == [1, 1, 1]
    for name in ("per_question", "per_match", "per_clue"):
        low, high = all_right[f"{name}_low"], all_right[f"{name}_high"]
        assert ((low <= all_right[name]) & (all_right[name] <= high)).all()
