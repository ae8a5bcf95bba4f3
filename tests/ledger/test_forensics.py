"""Forensics of printed numbers: what a verdict rests on, and the real release."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.ledger import attainable_scores, bounds, forensics, printed_cells, verdicts
from ledger.paper import (
    grace_forensics,
    one,
    paper_of,
    published,
    release_quantities,
    release_tables,
    scored,
    study,
)


@pytest.mark.parametrize("definition", ["paper", "release"])
@pytest.mark.parametrize("seed", range(6))
def test_true_scores_are_allowed_under_their_own_reading(definition, seed):
    tables = study(seed=seed)
    h_definition = attainable_scores.H_READINGS[definition][seed % 2]
    mce, calscore = scored(tables, definition, h_definition, seed)
    found = forensics.examine(paper_of({"m": {"mce": mce, "calscore": calscore}}), **tables)
    mine = found[(found["definition"] == definition) & (found["h_definition"] == h_definition)]
    assert set(mine["check"]) == {"range", "joint"}
    assert not set(mine["verdict"]) & set(printed_cells.BAD)
    cells = verdicts.verdicts(found)
    assert set(cells["verdict"]) == {"consistent"}


def test_a_value_outside_is_impossible_and_one_inside_alone_inconsistent():
    tables = study()
    low, high = attainable_scores.attainable_calscore(tables["human_curve"], "release")
    beyond, inside = low - 0.002, (low + high) / 2
    found = forensics.examine(paper_of({"m": {"calscore": beyond}}), **tables)
    row = one(found, definition="release", h_definition="buzzed_on_question", check="range")
    assert row["verdict"] == "impossible"
    assert f"no model is below {low:.4f}" in row["proof"]
    assert row["low"] == low and row["given"] == "" and row["data"] == "human_curve"
    found = forensics.examine(paper_of({"m": {"mce": 0.999, "calscore": inside}}), **tables)
    where = {"definition": "release", "h_definition": "buzzed_on_question", "metric": "calscore"}
    assert one(found, check="range", **where)["verdict"] == "possible"
    row = one(found, check="joint", **where)
    assert row["verdict"] == "inconsistent" and row["given"] == "mce 0.999 (m · mce)"


def test_rounding_decides_at_the_edge():
    """Half a unit of the last digit beyond the end is possible, a whole one is not."""
    tables = study()
    low, _ = attainable_scores.attainable_calscore(tables["human_curve"], "release")
    edge = np.floor(low * 1000) / 1000
    words = []
    for value in (edge + 0.001, edge - 0.001):
        found = forensics.examine(paper_of({"m": {"calscore": value}}), **tables)
        row = one(found, definition="release", h_definition="buzzed_on_question", check="range")
        words.append(row["verdict"])
    assert words == ["possible", "impossible"]


def test_exchanged_columns_are_read_as_each_other():
    tables = study()
    mce, calscore = scored(tables, "release", "buzzed_on_question", 5)
    assert calscore > mce + 0.01
    swapped = {"m": {"mce": calscore, "calscore": mce}}
    found = forensics.examine(paper_of(swapped, exchange=["mce", "calscore"]), **tables)
    where = {"definition": "release", "h_definition": "buzzed_on_question", "check": "joint"}
    words = found[(found[list(where)] == pd.Series(where)).all(axis=1)]
    assert dict(words.groupby("columns")["verdict"].first()) == {
        "as_printed": "inconsistent",
        "exchanged": "consistent",
    }
    row = one(found, **where, columns="exchanged", metric="mce")
    assert row["read_as"] == "calscore"


def test_simulated_buzzes_say_nothing_about_a_paper():
    tables = study()
    paper = paper_of({"m": {"mce": 0.999, "calscore": 0.1, "brier": 0.1, "ece": 0.9}})
    found = forensics.examine(paper, **tables, simulated=True)
    assert set(found.loc[found["data"] != "", "verdict"]) == {"cannot be tested"}
    # Brier below ECE² needs no buzzes.
    row = one(found[found["check"] == "joint"], data="", metric="brier", definition="paper")
    assert row["verdict"] == "inconsistent" and row["low"] == pytest.approx(0.8995**2, abs=1e-4)


def test_a_file_without_declarations_gives_empty_tables():
    found = forensics.examine({"file": "paper.yaml"}, **study())
    assert found.empty and list(found) == store.columns("forensics")
    assert list(verdicts.verdicts(found)) == store.columns("forensics_cells")
    assert list(verdicts.readings(found, {})) == store.columns("forensics_readings")


def test_every_reading_has_a_range():
    tables = study((3, 2, 5, 4), segmentations=("sentence-100", "sentence-35"))
    paper = {**published(), "examine": {"tables": published()["examine"]["tables"][:1]}}
    found = forensics.examine(paper, **tables)
    found = found[(found["check"] == "range") & (found["read_as"] == "calscore")]
    assert len(found) == 2 * (3 + 2) * 2 * 12
    keys = ["segmentation", "definition", "h_definition", "columns", "elicitation", "model"]
    assert not found.duplicated(keys).any()
    place = ("sentence-35", "paper", "heard", "exchanged", "logit", "M4")
    row = found.set_index(keys).loc[place]
    assert row["printed"] == "0.825"
    curve = tables["human_curve"]
    part = curve[curve["segmentation"] == "sentence-35"]
    assert (row["low"], row["high"]) == attainable_scores.attainable_calscore(
        part, "paper", "heard"
    )


def test_every_printed_cell_of_grace_has_a_verdict_and_a_proof():
    found = grace_forensics()
    cells = verdicts.verdicts(found)
    printed = cells[~cells["table"].isin(["sums", "shares"])]
    assert printed.groupby("table").size().to_dict() == {"1": 48, "2": 20, "5": 72}
    assert (cells["proof"].str.len() > 10).all() and (found["proof"].str.len() > 10).all()
    joint = found[found["check"] == "joint"]
    tight = joint[joint["read_as"] == "calscore"]
    assert (tight["slack"] < 1e-4).all() and tight["slack"].notna().all()
    assert joint.loc[joint["read_as"].isin(["ece", "brier"]), "slack"].isna().all()
    # No range rests on the number that it is held against.
    assert not [r.cell for r in joint.itertuples() if f"({r.cell})" in r.given]


def grace_ranges() -> pd.DataFrame:
    """What any model could reach against each CalScore of Table 1, as printed and exchanged."""
    found = grace_forensics()
    found = found[(found["check"] == "range") & (found["read_as"] == "calscore")]
    return found[found["category"] == ""]


def test_the_greatest_calscore_depends_on_h():
    """Counted by hand from the release: a finer h leaves more room."""
    highest = {"buzzed_so_far": (0.786, 0.805), "buzzed_on_question": (0.869, 0.888), "heard": (0.910, 0.922)}  # fmt: skip
    found = grace_ranges()
    for reading, ends in highest.items():
        of = found[(found["definition"] == "paper") & (found["h_definition"] == reading)]
        most = of.groupby("segmentation")["high"].max().round(3)
        assert tuple(most[["sentence-100", "sentence-35"]]) == ends


def test_grace_ranges_are_those_of_the_ledger():
    mine = grace_ranges()
    theirs = release_quantities()["attainable"].value
    assert len(mine) == len(theirs) * (3 + 2) * 2 * 12
    for row in mine.itertuples():
        ends = theirs[row.segmentation][row.definition][row.h_definition]
        assert (row.low, row.high) == (ends["low"], ends["high"])
        inside = row.low - 0.0005 <= float(row.printed) <= row.high + 0.0005
        assert (row.verdict == "possible") == inside


def test_printed_scores_against_the_release():
    table = grace_ranges().assign(inside=lambda t: t["verdict"] == "possible")
    paper = table[table["definition"] == "paper"]
    highest = paper.groupby(["segmentation", "h_definition"])["high"].first().round(4)
    assert highest.to_dict() == {
        ("sentence-100", "buzzed_so_far"): 0.7863,
        ("sentence-100", "buzzed_on_question"): 0.8690,
        ("sentence-100", "heard"): 0.9099,
        ("sentence-35", "buzzed_so_far"): 0.8054,
        ("sentence-35", "buzzed_on_question"): 0.8882,
        ("sentence-35", "heard"): 0.9225,
    }
    printed = paper[(paper["columns"] == "as_printed") & (paper["printed"] == "0.921")]
    inside = printed.set_index(["segmentation", "h_definition"])["inside"]
    assert list(inside[inside].index) == [("sentence-35", "heard")]
    so_far = paper[paper["h_definition"] == "buzzed_so_far"]
    assert (so_far["high"] < 0.921 - 0.1).all()
    outside = so_far[(so_far["columns"] == "exchanged") & ~so_far["inside"]]
    assert set(zip(outside["elicitation"], outside["model"], strict=True)) == {
        ("logit", "M4"),
        ("verbalized", "M3"),
    }
    assert table.loc[table["definition"] == "release", "inside"].all()


def test_a_changed_cell_of_grace_changes_its_verdict():
    paper = copy.deepcopy(published())
    paper["examine"] = {"tables": paper["examine"]["tables"][:1]}
    row = paper["table1"]["scores"]["logit"]["M4"]
    row["calscore"], row["brier"] = "0.999", "0.600"
    tables = release_tables()
    names = ("human_curve", "clues", "questions")
    cells = verdicts.verdicts(forensics.examine(paper, **{n: tables[n] for n in names}))
    words = cells[(cells["model"] == "M4") & (cells["elicitation"] == "logit")]
    words = words.set_index("metric")
    assert words.loc["calscore", "verdict"] == "inconsistent"
    assert words.loc["brier", "verdict"] == "inconsistent"
    assert bounds.BRIER_ERROR < 1e-4 and "0.829" in words.loc["brier", "proof"]
