"""Measured coverage of scores, shares, humans, survey, leaderboard and answer options: the tables are of these."""

import cover_options
import cover_tables
import coverage
import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.human import curves
from scipy.stats import binom

COLUMNS = ["quantity", "method", "studies", "truth", "bias", "coverage"]
COMMITTED = {
    "tables": pd.read_csv(cover_tables.TABLE),
    "options": pd.read_csv(cover_options.TABLE),
}
KEY = ["quantity", "method"]
FEW = 6
"""Studies measured again, other ones than those of the tables."""


@pytest.fixture(scope="module")
def again():
    """Kind → (quantity, method) → the (values, lows, highs) of each of a few further studies."""
    found: dict[str, dict] = {"tables": {}, "options": {}}
    for of in cover_tables.PARTS.values():
        for one in cover_tables.collected(of, FEW, 200, 7):
            for key, cells in one.items():
                found["tables"].setdefault(key, []).append(np.array(cells[:3]))
    for of in cover_options.PARTS.values():
        for one in cover_options.collected(of, FEW, 200, 7_000):
            for key, cells in one.items():
                found["options"].setdefault(key, []).append(np.array(cells))
    return found


@pytest.mark.parametrize("kind", COMMITTED)
def test_the_table_names_exactly_what_is_measured(again, kind):
    table = COMMITTED[kind]
    assert list(map(tuple, table[KEY].to_numpy())) == list(again[kind])
    assert list(table.columns) == COLUMNS == list(pd.read_csv(coverage.TABLE).columns)
    assert not table.duplicated(KEY).any()
    assert (table["studies"] >= 100).all()
    assert table["coverage"].between(0, 1).all()
    # A curve held whole has no single truth; everything else has one.
    whole = table["quantity"].str.contains("at once")
    assert table["truth"].isna().equals(whole)


def compared(table, again):
    """(quantity, method), mean of the estimates less its expectation in standard errors, and whether the
    number of studies whose interval holds the truth is possible, for each row of a table."""
    rows = []
    for row in table.itertuples():
        cells = np.array(again[row.quantity, row.method])
        value, low, high = cells.swapaxes(0, 1)
        if not np.isfinite(row.truth):
            continue
        each = np.array([np.nanmean(one) for one in value])
        error = max(each.std(ddof=1), 1e-6) / np.sqrt(len(each))
        far = (each.mean() - row.truth - row.bias) / error
        possible = True
        if value.shape[1] == 1:
            known = np.isfinite(value[:, 0])
            held = ((low <= row.truth) & (row.truth <= high))[known].sum()
            # A coverage is known to a point or two, and neither 0 nor 1 is certain.
            share = np.clip(row.coverage, 0.02, 0.98)
            tails = binom.cdf(held, known.sum(), share), binom.sf(held - 1, known.sum(), share)
            possible = min(tails) > 1e-3
        rows.append((row.quantity, row.method, far, possible))
    return pd.DataFrame(rows, columns=[*KEY, "far", "possible"])


@pytest.mark.parametrize("kind", COMMITTED)
def test_further_studies_agree_with_the_table(again, kind):
    found = compared(COMMITTED[kind], again[kind])
    assert len(found) > 40
    # Student's t with five degrees of freedom: 6 standard errors once in a thousand.
    assert (found["far"].abs() < 8).all(), found.loc[found["far"].abs() >= 8]
    assert found["possible"].all(), found.loc[~found["possible"]]


@pytest.mark.parametrize("kind", COMMITTED)
def test_intervals_of_no_width_and_other_truths_do_not_agree(again, kind):
    narrow = {
        key: [np.array([value, value, value]) for value, _, _ in studies]
        for key, studies in again[kind].items()
    }
    assert not compared(COMMITTED[kind], narrow)["possible"].all()
    table = COMMITTED[kind]
    other = table.assign(truth=table["truth"] + 0.5)
    assert (compared(other, again[kind])["far"].abs() >= 8).mean() > 0.5


def test_clustered_wilson_and_two_way_bounds_hold_where_the_page_says_so():
    table = COMMITTED["tables"]
    share = table["coverage"]
    for method in ("Wilson, questions", "two-way"):
        of = share[table["method"].str.startswith(method)]
        assert len(of) > 5 and of.between(0.92, 0.999).all(), of
    # Those that are printed for what they are.
    assert share[table["quantity"].str.contains("at once")].max() < 0.8
    options = COMMITTED["options"].set_index("quantity")["coverage"]
    assert options["ECE without options, attempted, nearly calibrated models"] < 0.5
    assert options["change of ECE, attempted"] > 0.92


def test_the_second_judge_differs_as_often_as_stated():
    rng = np.random.default_rng(5)
    table = cover_tables.responses(coverage.study(rng))
    second = cover_tables.judged_again(table, rng)
    right = table["correct"]
    assert (~second["correct"][right]).mean() == pytest.approx(cover_tables.STRICT, abs=0.06)
    assert second["correct"][~right].mean() == pytest.approx(cover_tables.LENIENT, abs=0.04)
    # One verdict a question and model: a right answer that is rejected once is rejected throughout.
    of = second["correct"][right].groupby([table["model"], table["question_id"]])
    assert (of.nunique() == 1).all()


def test_the_simulated_survey_is_one():
    table = cover_tables.surveyed(np.random.default_rng(2))
    shape = table["player"].nunique(), table["question_id"].nunique()
    assert shape == (cover_tables.PLAYERS, cover_tables.ASKED)
    # Who stops writes nothing after the first buzz.
    after = table.groupby(["player", "question_id"])["buzz"].cumsum() - table["buzz"] > 0
    assert table.loc[after & table["observed"].isna()].shape[0] > 100
    assert not table.loc[table["observed"].isna() & after, "buzz"].any()
    assert set(table["quartile"]) == {1, 2, 3, 4} and set(table["half"]) == {"bottom", "top"}


def test_the_simulated_options_are_tables_of_the_workflow():
    results, annotations, questions = cover_options.tabled({"questions": 50}, 1)
    columns = store.schema("option_results")["columns"]
    assert set(results) == set(columns) - {"predicted_answer"}
    assert results["confidence"].between(0, 1).all()
    assert set(annotations["output"]) <= {1, 0, -1} and len(questions) == 50


def test_simulated_categories_leave_the_human_curve_as_it_is():
    rng = np.random.default_rng(4)
    data = cover_tables.tabled(coverage.study(rng), rng)
    curve = curves.human_curve(data["clues"], data["buzzes"], data["exposures"])
    assert curve["h"].between(0, 1).all()
    assert data["questions"]["category"].value_counts().nunique() == 1
