"""Bad declarations of printed numbers."""

import pytest
from calscore.core.errors import DataError
from calscore.ledger import printed_cells


def paper_of(rows: dict) -> dict:
    """A published file that prints one table of rows: model → metric → value."""
    text = {m: {k: f"{v:.3f}" for k, v in row.items()} for m, row in rows.items()}
    table = {"table": "1", "values": "t", "axes": ["model", "metric"], "decimals": 3}
    return {"file": "paper.yaml", "t": text, "examine": {"tables": [table]}}


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
        (_changed(decimals=2), "at most 2 digits after the point"),
        (_changed(unit="permille"), "one of share, percent"),
        (_value("n/a"), "paper.yaml, row t.m.mce: found 'n/a', expected a number"),
        (_value(None), "expected a number"),
    ],
)
def test_bad_declarations_are_one_clear_error(paper, words):
    with pytest.raises(DataError) as error:
        printed_cells.cells(paper)
    assert words in str(error.value)
