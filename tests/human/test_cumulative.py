"""Cumulative buzzes by hand."""

import numpy as np
import pandas as pd
import pytest
from calscore.human import cumulative, curves
from calscore.stats.bootstrap import Bootstrap


def test_cumulative_buzzes_under_three_normalisations(clues, buzzes, exposures):
    teams = curves.rank_teams(clues, buzzes, exposures)
    table = cumulative.cumulative_buzzes(clues, buzzes, exposures, teams, Bootstrap(200, 1, 0.95))
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


def test_quartiles_of_drawn_teams_are_cut_anew():
    teams = pd.DataFrame({name: [5.0, 1.0, 3.0, 8.0, 2.0, 7.0] for name in ("score_paper", "score_release", "score_rate")})  # fmt: skip
    weights = cumulative._quartile_weights(teams, Bootstrap(300, 4, 0.95))
    drawn = sum(weights["paper", f"Q{quartile}"] for quartile in range(1, 5))
    assert (drawn.sum(axis=1) == 6).all() and set(drawn.ravel()) >= {0, 1, 2}
    scores = teams["score_paper"].to_numpy()
    for row in range(300):
        among = np.repeat(scores, drawn[row])
        top = scores > np.percentile(among, 75)
        assert weights["paper", "Q4"][row].tolist() == np.where(top, drawn[row], 0).tolist()


def test_a_quartile_that_no_replicate_has_gets_no_band(clues, buzzes, exposures):
    """Teams drawn with replacement may all be one team: then three quartiles have nobody."""
    teams = curves.rank_teams(clues, buzzes, exposures)
    bands = ["per_question_two_way_low", "per_question_two_way_high"]
    missing = 0
    for seed in range(20):
        table = cumulative.cumulative_buzzes(clues, buzzes, exposures, teams, Bootstrap(1, seed, 0.95))
        quartiles = table[table["group"].str.startswith("Q") & (table["n_teams"] > 0)]
        assert (quartiles[bands].isna().sum(axis=1) != 1).all()
        held = quartiles.dropna(subset=bands)
        assert held["per_question"].between(held[bands[0]], held[bands[1]]).all()
        missing += len(quartiles) - len(held)
    assert missing
