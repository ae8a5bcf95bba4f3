"""Measured coverage of curves, slopes, matches and expected wins: the table is of these intervals."""

import cover_curves
import coverage
import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.human import curves, incidence

TABLE = pd.read_csv(cover_curves.TABLE)
KEY = ["quantity", "method"]


@pytest.fixture(scope="module")
def again():
    """A few studies, measured again."""
    return cover_curves.measure(dict.fromkeys(cover_curves.STUDIES, (3, 6)), replicates=100)


def test_the_table_names_exactly_what_is_measured(again):
    pd.testing.assert_frame_equal(TABLE[KEY], again[KEY])
    assert list(TABLE.columns) == list(again.columns) == list(pd.read_csv(coverage.TABLE).columns)
    assert not TABLE.duplicated(KEY).any()
    assert (TABLE["studies"] >= 300).all()
    assert TABLE["coverage"].between(0, 1).all()


def test_the_truths_of_a_few_studies_are_near_those_of_the_table(again):
    both = TABLE.merge(again, on=KEY, suffixes=("", "_again"))
    both = both[both["truth"].notna()]
    for kind in ("right buzzes per question", "incidence", "expected wins", "fair quartile"):
        of = both[both["quantity"].str.startswith(kind)]
        assert len(of) >= 4
        # Six studies have their chance; a share of another thing would be further off.
        assert (of["truth"] - of["truth_again"]).abs().max() < 0.12, kind
    slopes = both[both["quantity"].str.startswith("calibration slope, every clue")]
    assert (slopes["truth"] - slopes["truth_again"]).abs().max() < 0.2


def test_a_calibrated_model_has_slope_1_intercept_0_and_offset_0():
    at = TABLE.set_index("quantity")["truth"]
    for term, truth in (("slope", 1), ("intercept", 0), ("offset", 0)):
        name = f"calibration {term}, every clue, calibrated models"
        assert at[name] == pytest.approx(truth, abs=0.03)


def test_the_simulated_tables_are_one_possible_tournament():
    rng = np.random.default_rng(3)
    one = coverage.study(rng)
    data = cover_curves.tabled(one, rng)
    for name in ("buzzes", "exposures"):
        heard = data[name][["question_id", "team"]]
        assert not heard.duplicated().any()
    # Nobody buzzes on what was not heard, nor in a match after a right answer.
    heard = data["exposures"].set_index(["question_id", "team"]).index
    assert data["buzzes"].set_index(["question_id", "team"]).index.isin(heard).all()
    pairs = incidence.opponents(data["questions"], data["buzzes"], data["exposures"])
    assert not store.faults(pairs, "opponents")
    assert len(pairs) > 80 and (pairs["source"] == "match").all()
    assert (pairs["contradictions"] == 0).all()
    endings = incidence.endings(*data.values(), pairs)
    assert set(endings["cause"]) == {1, 2, 3, 4}
    teams = curves.rank_teams(data["clues"], data["buzzes"], data["exposures"])
    # Where no match interferes, a buzz is that of the study.
    alone = data["buzzes"][data["buzzes"]["match"].isna()]
    assert len(alone) > 10
    for row in alone[alone["kind"] == "human"].itertuples():
        q, t = int(row.question_id[1:]), int(row.team[1:])
        assert row.word_index // cover_curves.WORDS == one["when"][q, t]
        assert row.correct == one["knows"][q, t]
    assert (teams["kind"] == "human").sum() == coverage.TEAMS
