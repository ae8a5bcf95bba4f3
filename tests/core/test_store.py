"""Tables on disk are valid, ordered and the same bytes for the same rows."""

import pandas as pd
import pytest
from calscore.core import store
from calscore.core.errors import DataError


@pytest.fixture
def clues():
    return pd.DataFrame(
        {
            "segmentation": ["words-2", "words-2", "words-2"],
            "question_id": ["p01-q01", "p01-q01", "p01-q02"],
            "clue": [1, 2, 1],
            "end_word": [2, 4, 2],
            "end_char": [9, 20, 11],
            "revealed": [0.5, 1.0, 1.0],
        }
    )


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        (
            "revealed",
            1.5,
            r"row segmentation=words-2 / question_id=p01-q01 / clue=2, column revealed: found .*1\.5.*, expected at most 1",
        ),
        ("end_word", 0, "expected at least 1"),
        ("clue", 1, "a key that occurs once"),
        ("question_id", None, r"expected a value \(1 are missing\)"),
    ],
)
def test_a_fault_names_row_column_and_value(clues, tmp_path, column, value, message):
    clues[column] = clues[column].astype(object)
    clues.loc[1, column] = value
    with pytest.raises(DataError, match=message):
        store.write(clues, "clues", tmp_path / "x.parquet")
    assert not (tmp_path / "x.parquet").exists()


def test_missing_and_unknown_columns(clues, tmp_path):
    with pytest.raises(
        DataError, match="column revealed: found None, expected the column to be present"
    ):
        store.write(clues.drop(columns="revealed"), "clues", tmp_path / "x.parquet")
    with pytest.raises(DataError, match="column extra"):
        store.write(clues.assign(extra=1), "clues", tmp_path / "x.parquet")


def test_foreign_keys(clues, tmp_path):
    parents = {"questions": pd.DataFrame({"question_id": ["p01-q01"]})}
    with pytest.raises(DataError, match="p01-q02.*expected a row of table questions"):
        store.write(clues, "clues", tmp_path / "x.parquet", parents)


def test_order_of_rows_does_not_change_the_bytes(clues, tmp_path):
    store.write(clues, "clues", tmp_path / "a.parquet")
    store.write(clues.iloc[::-1], "clues", tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    pd.testing.assert_frame_equal(store.read(tmp_path / "a.parquet"), clues)


@pytest.mark.parametrize("name", sorted(path.stem for path in store.SCHEMAS.glob("*.yaml")))
def test_every_schema_is_whole(name):
    declared = store.schema(name)
    assert set(declared["key"]) <= set(declared["columns"])
    assert declared["description"]
    assert list(store.empty(name).columns) == list(declared["columns"])
