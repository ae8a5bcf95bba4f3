"""Forensics of printed numbers: what a verdict rests on, the real release, and bad declarations."""

from __future__ import annotations

import copy
import functools

import numpy as np
import pandas as pd
import pytest
from calscore.core.errors import DataError
from calscore.published import bounds, forensics, ranges
from published.test_bounds import model, scores
from published.test_claims import published, release_tables

H = ("buzzed_so_far", "buzzed_on_question", "heard")


def study(lengths=(4, 3, 5, 2, 6, 3), seed=2, segmentations=("words-5",)):
    """Tables human_curve, clues and questions of a small study; two categories in turn."""
    rng = np.random.default_rng(seed)
    curve, clues = [], []
    for segmentation in segmentations:
        for q, length in enumerate(lengths):
            key = f"q{q}"
            clues += [(segmentation, key, t) for t in range(1, length + 1)]
            for name in H:
                h = np.sort(rng.random(length))
                curve += [(segmentation, name, key, t, h[t - 1]) for t in range(1, length + 1)]
    columns = ["segmentation", "question_id", "clue"]
    questions = pd.DataFrame({"question_id": [f"q{q}" for q in range(len(lengths))]})
    questions["category"] = ["A" if q % 2 == 0 else "B" for q in range(len(lengths))]
    return {
        "human_curve": pd.DataFrame(
            curve, columns=["segmentation", "h_definition", *columns[1:], "h"]
        ),
        "clues": pd.DataFrame(clues, columns=columns),
        "questions": questions,
    }


def paper_of(rows: dict, decimals=3, **more) -> dict:
    """A published file that prints one table of rows: model → metric → value."""
    text = {m: {k: f"{v:.{decimals}f}" for k, v in row.items()} for m, row in rows.items()}
    table = {"table": "1", "values": "t", "axes": ["model", "metric"], "decimals": decimals}
    return {"file": "paper.yaml", "t": text, "examine": {"tables": [table | more]}}


def scored(tables, definition, h_definition, seed):
    """A model's true MCE and CalScore against one curve, and per category."""
    curve = tables["human_curve"]
    rows = curve[curve["h_definition"] == h_definition].sort_values(["question_id", "clue"])
    h, starts = rows["h"].to_numpy(), np.flatnonzero(rows["clue"].to_numpy() == 1)
    x = model(len(h), np.random.default_rng(seed), definition)
    return scores(x, h, starts, definition)


def one(table, **where):
    for name, value in where.items():
        table = table[table[name] == value]
    assert len(table) == 1, where
    return table.iloc[0]


@pytest.mark.parametrize("definition", ["paper", "release"])
@pytest.mark.parametrize("seed", range(6))
def test_true_scores_are_allowed_under_their_own_reading(definition, seed):
    tables = study(seed=seed)
    h_definition = ranges.H_READINGS[definition][seed % 2]
    mce, calscore = scored(tables, definition, h_definition, seed)
    found = forensics.examine(paper_of({"m": {"mce": mce, "calscore": calscore}}), **tables)
    mine = found[(found["definition"] == definition) & (found["h_definition"] == h_definition)]
    assert set(mine["check"]) == {"range", "joint"}
    assert not set(mine["verdict"]) & set(forensics.BAD)
    cells = forensics.verdicts(found)
    assert set(cells["verdict"]) == {"consistent"}


def test_a_value_outside_is_impossible_and_one_inside_alone_inconsistent():
    tables = study()
    low, high = ranges.attainable(tables["human_curve"], "release")
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
    low, _ = ranges.attainable(tables["human_curve"], "release")
    edge = np.floor(low * 1000) / 1000
    verdicts = []
    for value in (edge + 0.001, edge - 0.001):
        found = forensics.examine(paper_of({"m": {"calscore": value}}), **tables)
        row = one(found, definition="release", h_definition="buzzed_on_question", check="range")
        verdicts.append(row["verdict"])
    assert verdicts == ["possible", "impossible"]


def test_exchanged_columns_are_read_as_each_other():
    tables = study()
    mce, calscore = scored(tables, "release", "buzzed_on_question", 5)
    assert calscore > mce + 0.01
    swapped = {"m": {"mce": calscore, "calscore": mce}}
    found = forensics.examine(paper_of(swapped, exchange=["mce", "calscore"]), **tables)
    where = {"definition": "release", "h_definition": "buzzed_on_question", "check": "joint"}
    verdicts = found[(found[list(where)] == pd.Series(where)).all(axis=1)]
    assert dict(verdicts.groupby("columns")["verdict"].first()) == {
        "as_printed": "inconsistent",
        "exchanged": "consistent",
    }
    row = one(found, **where, columns="exchanged", metric="mce")
    assert row["read_as"] == "calscore"


def test_categories_against_their_total():
    tables = study()
    paper = paper_of({"m": {"calscore": 0.5}})
    paper["c"] = {"m": {"A": "0.4", "B": "0.6"}}
    table = {"table": "2", "values": "c", "axes": ["model", "category"], "decimals": 1}
    paper["examine"]["tables"].append(table | {"metric": "calscore", "total": "1"})
    found = forensics.examine(paper, **tables)
    rows = found[found["check"] == "mean"]
    assert list(rows["verdict"]) == ["consistent", "consistent"]
    # Three questions of each: B given A and the total is 2 · .5 − .4, within the roundings.
    assert rows.iloc[1][["low", "high"]].to_list() == pytest.approx([0.549, 0.651])
    paper["c"]["m"]["B"] = "0.8"
    found = forensics.examine(paper, **tables)
    assert set(found.loc[found["check"] == "mean", "verdict"]) == {"inconsistent"}
    paper["c"]["m"] = {"A": "0.4", "C": "0.6"}
    found = forensics.examine(paper, **tables)
    assert set(found.loc[found["check"] == "mean", "verdict"]) == {"cannot be tested"}


def test_accuracy_is_a_share_of_the_known_counts():
    tables = study()
    paper = {"file": "paper.yaml", "a": {"m": {"100": "50.00"}, "n": {"100": "47.00"}}}
    table = {"table": "2", "values": "a", "axes": ["model", "share"], "decimals": 2}
    paper["examine"] = {"tables": [table | {"metric": "accuracy", "unit": "percent"}]}
    found = forensics.examine(paper, **tables)
    rows = found[(found["check"] == "rounding") & (found["state"] == "at")].set_index("model")
    assert rows["n"].to_dict() == {"m": 6, "n": 6}
    assert rows["verdict"].to_dict() == {"m": "possible", "n": "impossible"}
    assert rows.loc["n", "proof"].startswith("no k of 6 rounds to 47.00: 2 of 6 is 33.3333")
    assert forensics.verdicts(found)["verdict"].to_list() == ["possible", "impossible"]


def test_ranks_against_values():
    tables = study()
    paper = paper_of({"m": {"brier": 0.2}, "n": {"brier": 0.1}}, ranks="r")
    paper["r"] = {"m": {"brier": 2}, "n": {"brier": 1}}
    found = forensics.examine(paper, **tables)
    assert set(found.loc[found["check"] == "rank", "verdict"]) == {"consistent"}
    paper["r"]["m"]["brier"] = 1
    found = forensics.examine(paper, **tables)
    row = one(found, check="rank", model="m")
    assert row["verdict"] == "inconsistent" and "rank 2; printed rank 1" in row["proof"]


def test_sums_and_shares():
    paper = {
        "file": "paper.yaml",
        "facts": {"total": 93, "parts": [55, 38], "thirds": ["33.3", "66.7"], "n": 4},
    }
    paper["examine"] = {
        "sums": [
            {"id": "good", "total": "facts.total", "parts": ["facts.parts"]},
            {"id": "bad", "total": 94, "parts": ["facts.parts"]},
            {"id": "product", "total": 96, "parts": [["facts.n", 24]]},
        ],
        "shares": [
            {"id": "free", "values": [{"path": "facts.thirds", "decimals": 1}], "unit": "percent"},
            {
                "id": "of four",
                "values": [{"path": "facts.thirds", "decimals": 1}],
                "unit": "percent",
                "n": "facts.n",
            },
        ],
    }
    found = forensics.examine(paper, **study())
    verdicts = found.groupby("metric")["verdict"].unique().map(list).to_dict()
    assert verdicts == {
        "good": ["consistent"],
        "bad": ["inconsistent"],
        "product": ["consistent"],
        "free": ["consistent"],
        "of four": ["inconsistent"],
    }
    assert set(found.loc[found["metric"] == "free", "n"]) == {3}


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
    assert found.empty and list(found) == forensics.COLUMNS
    assert list(forensics.verdicts(found)) == forensics.CELL_COLUMNS
    assert list(forensics.readings(found, {})) == forensics.READING_COLUMNS


def _changed(**table):
    paper = paper_of({"m": {"mce": 0.5, "calscore": 0.5}})
    paper["examine"]["tables"][0] |= table
    return paper


def _value(text):
    paper = paper_of({"m": {"mce": 0.5}})
    paper["t"]["m"]["mce"] = text
    return paper


@pytest.mark.parametrize(
    ("paper", "words"),
    [
        (_changed(vales="t"), "did you mean 'values'"),
        (_changed(values="tt"), "found 'tt', expected a path; no key 'tt', did you mean 't'"),
        (_changed(axes=["metric"]), "axes has too few levels"),
        (_changed(axes=["a", "model", "metric"]), "a mapping whose keys are metric"),
        (_changed(metric="mce"), "either an axis metric or this key"),
        (_changed(where={"modle": "m"}), "one of model, metric"),
        (_changed(total="9"), "an axis category, as total is given"),
        (_changed(ranks="t"), "a whole number, the printed rank"),
        (_changed(decimals=2), "at most 2 digits after the point"),
        (_changed(unit="permille"), "one of share, percent"),
        (_value("n/a"), "paper.yaml, row t.m.mce: found 'n/a', expected a number"),
        (_value(None), "expected a number"),
        (
            {"file": "p", "examine": {"sums": [{"id": "x", "total": "f", "parts": [1]}]}},
            "row examine/sums/0, column total: found 'f'",
        ),
    ],
)
def test_bad_declarations_are_one_clear_error(paper, words):
    with pytest.raises(DataError) as error:
        forensics.examine(paper, **study())
    assert words in str(error.value)


def test_the_figure_marks_each_verdict_and_survives_having_nothing_to_draw():
    from calscore.core import theme
    from calscore.published import plot

    theme.apply()
    tables = study()
    low, _ = ranges.attainable(tables["human_curve"], "release")
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


# --- the real release ------------------------------------------------------------------------


@functools.cache
def grace():
    tables = release_tables()
    names = ("human_curve", "clues", "questions")
    return forensics.examine(published(), **{name: tables[name] for name in names})


def test_every_printed_cell_of_grace_has_a_verdict_and_a_proof():
    found = grace()
    cells = forensics.verdicts(found)
    printed = cells[~cells["table"].isin(["sums", "shares"])]
    assert printed.groupby("table").size().to_dict() == {"1": 48, "2": 20, "5": 72}
    assert (cells["proof"].str.len() > 10).all() and (found["proof"].str.len() > 10).all()
    joint = found[found["check"] == "joint"]
    tight = joint[joint["read_as"] == "calscore"]
    assert (tight["slack"] < 1e-4).all() and tight["slack"].notna().all()
    assert joint.loc[joint["read_as"].isin(["ece", "brier"]), "slack"].isna().all()
    # No range rests on the number that it is held against.
    assert not [r.cell for r in joint.itertuples() if f"({r.cell})" in r.given]


def test_grace_ranges_are_those_of_the_ledger():
    found = grace()
    mine = found[(found["check"] == "range") & (found["read_as"] == "calscore")]
    mine = mine[mine["category"] == ""]
    theirs = ranges.table(published(), release_tables()["human_curve"])
    key = ["segmentation", "definition", "h_definition", "columns", "elicitation", "model"]
    both = mine.merge(theirs, on=key, suffixes=("", "_ledger"))
    assert len(both) == len(mine) == len(theirs)
    assert (both["low"] == both["low_ledger"]).all() and (both["high"] == both["high_ledger"]).all()
    assert ((both["verdict"] == "possible") == both["inside"]).all()


def test_which_readings_allow_the_tables_of_grace():
    table = forensics.readings(grace(), published())
    allowed = table[table["allowed"] == table["cells"]]

    def of(name):
        rows = allowed[allowed["table"] == name]
        return set(zip(rows["definition"], rows["h_definition"], rows["columns"], strict=True))

    assert of("1") == {
        ("release", "buzzed_on_question", "as_printed"),
        ("release", "heard", "as_printed"),
        ("paper", "heard", "exchanged"),
        ("paper", "buzzed_on_question", "exchanged"),
    }
    assert of("1 with 5") == {
        ("paper", "heard", "exchanged"),
        ("paper", "buzzed_on_question", "exchanged"),
    }
    assert of("2") == set()


def test_a_changed_cell_of_grace_changes_its_verdict():
    paper = copy.deepcopy(published())
    paper["examine"] = {"tables": paper["examine"]["tables"][:1]}
    row = paper["table1"]["scores"]["logit"]["M4"]
    row["calscore"], row["brier"] = "0.999", "0.600"
    tables = release_tables()
    names = ("human_curve", "clues", "questions")
    cells = forensics.verdicts(forensics.examine(paper, **{n: tables[n] for n in names}))
    verdicts = cells[(cells["model"] == "M4") & (cells["elicitation"] == "logit")]
    verdicts = verdicts.set_index("metric")
    assert verdicts.loc["calscore", "verdict"] == "inconsistent"
    assert verdicts.loc["brier", "verdict"] == "inconsistent"
    assert bounds.BRIER_ERROR < 1e-4 and "0.829" in verdicts.loc["brier", "proof"]
