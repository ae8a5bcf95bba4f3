"""Rows behind a row of the ledger: all that its evidence selects, or none."""

from types import SimpleNamespace

import pandas as pd
import pytest
from calscore.pages.evidence_rows import EvidenceRows

BUZZES = pd.DataFrame(
    {
        "question_id": ["q1", "q1", "q2", "q2"],
        "team": ["H1", "M1", "H1", "H2"],
        "kind": ["human", "model", "human", "human"],
        "correct": [True, False, False, True],
        "answer": ["secret"] * 4,
    }
)
SCORES = pd.DataFrame({"segmentation": ["authors"] * 2, "reduction": ["mean_prob"] * 2, "marks": ["authors", "engine"], "metric": ["mce"] * 2})  # fmt: skip
TEAMS = pd.DataFrame({"team": ["H1", "H2"], "quartile_paper": [4, 3]})


class Tables(dict):
    """A study: frames by name, and where they lie."""


@pytest.fixture
def rows():
    study = Tables(buzzes=BUZZES, model_scores=SCORES, teams=TEAMS)
    paths = {"buzzes": "tidy/buzzes.parquet", "model_scores": "scores/model_scores.parquet"}
    study.tables = {name: SimpleNamespace(file=path) for name, path in paths.items()}
    return EvidenceRows(study)


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("kind = human (3 rows)", 3),
        ("team = H1, correct (1 row) by clue (authors)", 1),
        ("kind = model (1 row)", 1),
        ("team with human/teams.parquet quartile_paper = 4 (2 rows)", 2),
        ("all 4 rows, by team", 4),
        ("correct = false", 2),
    ],
)
def test_words_select_rows(rows, words, count):
    found = rows.select("tidy/buzzes.parquet", words)
    table = rows.tables["tidy/buzzes.parquet"]
    places = [(table["columns"].index(column), values) for column, values in found["where"]]
    shown = [row for row in table["rows"] if all(row[at] in values for at, values in places)]
    assert found["count"] == len(shown) == count
    assert "answer" not in table["columns"]


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("tidy/buzzes.parquet", "kind = human (7 rows)"),
        ("tidy/buzzes.parquet", "kind = human (1 row)"),
        ("tidy/buzzes.parquet", "kind = human, in the first quarter of the question's clues"),
        ("tidy/buzzes.parquet", "kind = nobody"),
        ("tidy/clues.parquet", "all 9 rows"),
    ],
)
def test_words_that_say_more_show_no_rows(rows, file, words):
    assert rows.select(file, words) is None
    assert rows.tables == {}


def test_values_without_names_are_taken_in_their_order(rows):
    found = rows.select("scores/model_scores.parquet", "authors, mean_prob, authors, metric = mce")
    assert found["where"][:3] == [("segmentation", ["authors"]), ("reduction", ["mean_prob"]), ("marks", ["authors"])]  # fmt: skip
    assert found["count"] == 1
