"""Measured coverage: docs/coverage.csv is of these intervals, and further studies agree with it."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from support import computed

from benchmarks.coverage import engine, registry

pytestmark = pytest.mark.full

TABLE = registry.committed()
KEY = ["quantity", "method"]
FEW = 6
"""Studies measured again, other ones than those of the table."""
AGAIN = [name for name in registry.PARTS if name != "questions" and not name.startswith("odds")]
"""Parts of which a few studies are measured; the others are looked at by themselves."""
OWN_TRUTH = ("item responses", "further tables, same teams")
"""Their truth is that of their own seed: other agents lose otherwise, other teams rank otherwise."""


def of(part: str) -> pd.DataFrame:
    return TABLE[TABLE["part"] == part]


def share(part: str) -> pd.Series:
    """Coverage by (quantity, method)."""
    return of(part).set_index(KEY)["coverage"]


def test_the_table_has_every_part_and_shares():
    assert list(TABLE.columns) == list(engine.COLUMNS)
    assert list(TABLE["part"].unique()) == list(registry.PARTS)
    assert (TABLE["world"] == TABLE["part"].map(lambda name: registry.PARTS[name].world)).all()
    assert not TABLE.duplicated(engine.KEY).any()
    assert (TABLE["studies"] >= 100).all()
    assert (of("curves, same teams")["studies"] >= 300).all()
    assert TABLE["coverage"].between(0, 1).all()
    # A curve held whole has no single truth, nor a test; of odds ratios it was not kept.
    none = TABLE["quantity"].str.contains("at once|calibration test|odds ratio")
    assert TABLE["truth"].isna().equals(none)


def test_what_the_package_has_of_it_are_its_rows():
    found = pd.read_csv(registry.ODDS)
    expected = registry.odds_ratios(TABLE).reset_index(drop=True)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


def test_writing_replaces_the_rows_of_a_part(tmp_path, monkeypatch):
    for name in ("TABLE", "ODDS"):
        copy = tmp_path / name
        copy.write_bytes(getattr(registry, name).read_bytes())
        monkeypatch.setattr(registry, name, copy)
    before = registry.TABLE.read_bytes(), registry.ODDS.read_bytes()
    registry.write(of("odds ratios, questions"))
    assert (registry.TABLE.read_bytes(), registry.ODDS.read_bytes()) == before
    registry.write(of("odds ratios, questions").assign(coverage=0.25))
    assert (pd.read_csv(registry.TABLE)["coverage"] != TABLE["coverage"]).sum() == 18
    assert (pd.read_csv(registry.ODDS)["coverage"] == 0.25).sum() == 18


# --- all studies again, where that is fast ----------------------------------------------------


@pytest.fixture(scope="session")
def measured(tmp_path_factory):
    made = computed(tmp_path_factory, "measured", partial(registry.measure, "questions"))
    return made.set_index(KEY)["coverage"]


def test_the_committed_coverage_is_what_is_measured(measured):
    committed = share("questions")
    assert list(committed.index) == list(measured.index)
    assert (committed - measured).abs().max() < 0.002
    assert measured.between(0.92, 0.98).all()


# --- a few further studies --------------------------------------------------------------------


def few_studies() -> dict:
    """Part → (quantity, method) → the (values, lows, highs) of each of a few studies of other seeds."""
    found = {}
    for name in AGAIN:
        part = registry.PARTS[name]
        few = replace(part, studies=partial(part.studies, seed=7_000), count=FEW, replicates=200)
        cells = {}
        for one in few.cells():
            for key, values in one.items():
                cells.setdefault(key, []).append(np.array(values[:3]))
        found[name] = cells
    return found


@pytest.fixture(scope="session")
def again(tmp_path_factory):
    return computed(tmp_path_factory, "again", few_studies)


def test_the_table_names_exactly_what_is_measured(again):
    for name, found in again.items():
        assert list(map(tuple, of(name)[KEY].to_numpy())) == list(found), name


def compared(table, again):
    """(quantity, method), mean of the estimates less its expectation in standard errors, and whether the
    number of studies whose interval holds the truth is possible, for each row of a table."""
    rows = []
    for row in table.itertuples():
        cells = np.array(again[row.part][row.quantity, row.method])
        value, low, high = cells.swapaxes(0, 1)
        if not np.isfinite(row.truth):
            continue
        # A study may have nothing to estimate, such as no pair of opponents.
        each = np.array([np.nanmean(one) for one in value if np.isfinite(one).any()])
        error = max(each.std(ddof=1), 1e-6) / np.sqrt(len(each))
        far = (each.mean() - row.truth - row.bias) / error
        possible = True
        if value.shape[1] == 1:
            known = np.isfinite(value[:, 0])
            held = ((low <= row.truth) & (row.truth <= high))[known].sum()
            # A coverage is known to a point or two, and neither 0 nor 1 is certain.
            chance = np.clip(row.coverage, 0.02, 0.98)
            tails = binom.cdf(held, known.sum(), chance), binom.sf(held - 1, known.sum(), chance)
            possible = min(tails) > 1e-3
        rows.append((row.quantity, row.method, far, possible))
    return pd.DataFrame(rows, columns=[*KEY, "far", "possible"])


def test_further_studies_agree_with_the_table(again):
    apart = [name for name in AGAIN if not name.startswith(OWN_TRUTH)]
    found = compared(TABLE[TABLE["part"].isin(apart)], again)
    assert len(found) > 300
    # Student's t with five degrees of freedom: 6 standard errors once in a thousand.
    assert (found["far"].abs() < 8).all(), found.loc[found["far"].abs() >= 8]
    assert found["possible"].all(), found.loc[~found["possible"]]


# --- odds ratios ------------------------------------------------------------------------------


def test_odds_ratios_measured_again_on_a_few_studies_agree():
    table = registry.measure("odds ratios, none", 12).set_index(KEY)
    assert list(table.index) == list(share("odds ratios, none").index)
    assert len(table) == 18
    assert table["coverage"].mean() > 0.85
    width = table.loc[("odds ratio, position", "logit_question"), "width"]
    assert width == pytest.approx(0.063, rel=0.1)
