"""Checks by arithmetic: categories, counts, ranks, sums and shares."""

from __future__ import annotations

import pytest
from calscore.ledger import forensics, verdicts
from ledger.paper import (
    one,
    paper_of,
    study,
)


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
    assert verdicts.verdicts(found)["verdict"].to_list() == ["possible", "impossible"]


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
    words = found.groupby("metric")["verdict"].unique().map(list).to_dict()
    assert words == {
        "good": ["consistent"],
        "bad": ["inconsistent"],
        "product": ["consistent"],
        "free": ["consistent"],
        "of four": ["inconsistent"],
    }
    assert set(found.loc[found["metric"] == "free", "n"]) == {3}
