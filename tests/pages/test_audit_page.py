"""What the audit page says of inputs and options."""

import pandas as pd
import pytest
from calscore.pages.audit import _count_inputs, _params, _sample, input_files, printed_numbers
from calscore.pages.redaction import RedactedStudy

PROVENANCE = {
    "study": {
        "simulate": None,
        "inputs": {
            "guesses": [{"path": "/home/someone/runs/mine.jsonl"}],
            "release_dir": "/data/grace",
            "release": {"archive": {"name": "a.zip", "url": "https://example.org/a.zip"}},
        },
    },
    "inputs": {
        "/home/someone/runs/mine.jsonl": {"mine.jsonl": "11"},
        "config/published/grace.yaml": {"grace.yaml": "22"},
        "resources/grace": {"t.pkl": "44"},
    },
}


class Made:
    """A study that read an archive, a user's guesses and a file of the project."""

    provenance = PROVENANCE

    def get(self, name):
        columns = ["role", "file", "source", "bytes", "sha256", "checked"]
        rows = [
            ("archive", "a.zip", "a.zip", 3, "33", True),
            ("teams", "t.pkl", "/data/grace/t.pkl", 3, "44", False),
        ]
        return pd.DataFrame(rows, columns=columns)


def test_inputs_from_outside_are_named_once_with_their_checksums_and_not_by_where_they_lie():
    outside, own = input_files(RedactedStudy(Made(), False))
    assert [(one["role"], one["file"], one["sha256"], one["published"], one["source"]) for one in outside] == [
        ("archive", "a.zip", "33", "as declared", "https://example.org/a.zip"),
        ("teams", "t.pkl", "44", "", "t.pkl"),
        ("guesses", "mine.jsonl", "11", "", ""),
    ]  # fmt: skip
    (file,) = own
    assert (file["source"], file["sha256"]) == ("config/published/grace.yaml", "22")


@pytest.mark.parametrize(
    ("count", "files", "rows"),
    [(1, "1 file from outside", "1 row"), (3, "3 files from outside", "all 3 rows")],
)
def test_counts_of_inputs_and_rows_agree_with_their_nouns(count, files, rows):
    assert _count_inputs([{}] * count, simulated=False) == files
    assert _sample(pd.DataFrame({"a": range(count)}))["note"] == rows


def test_a_study_without_files_from_outside_traces_to_its_configuration():
    assert _count_inputs([], simulated=True) == "the configuration alone"


def test_options_name_files_and_not_where_they_lie():
    said = {"files": ["/home/someone/runs/mine.jsonl"], "folder": "/data/grace", "level": 0.95}
    text = _params(RedactedStudy(Made(), False), said)
    assert text == '{"files": ["mine.jsonl"], "folder": "grace", "level": 0.95}'


def test_a_printed_number_leads_to_the_number_of_its_table():
    """By its value, under the authors' marks where two judges give the same; ranks and shares of other rows lead nowhere."""
    columns = ["definition", "level", "category", "elicitation", "model", "marks", "calscore"]
    rows = [
        ("paper", "merged", "Arts", "logit", "M1", marks, 0.6416431) for marks in ("adjudicated", "authors")
    ]
    cells = {"id": ["table5.a", "table5.b", "table2.c"], "section": ["Table 5", "Table 5", "Table 2"], "published": ["0.6646", "0.5", "7.49"], "recomputed": ["0.6416431", None, "0.6416431"]}  # fmt: skip
    table = pd.DataFrame(rows, columns=columns)
    cells = pd.DataFrame(cells).assign(statement="Arts", status="contradicted")
    found, unknown, other = printed_numbers({"printed_cells": cells}, {"table5": table})
    key = "definition=paper,level=merged,category=Arts,elicitation=logit,model=M1,marks=authors"
    assert found == ["Table 5", "Arts", "0.6646", "0.6416", "fails: these data say otherwise", "table5.a", ["table5", key, "calscore"]]  # fmt: skip
    assert unknown[3:] == ["", "fails: these data say otherwise", "table5.b", None]
    assert other[3:] == ["0.64", "fails: these data say otherwise", "table2.c", None]
    assert printed_numbers({}, {"table5": table}) == []
