"""Tables on disk are valid, ordered and the same bytes for the same rows."""

import csv

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
        ("revealed", 1.5, r"row segmentation=words-2 / question_id=p01-q01 / clue=2, column revealed: found .*1\.5.*, expected at most 1"),
        ("end_word", 0, "expected at least 1"),
        ("clue", 1, "a key that occurs once"),
        ("question_id", None, r"expected a value \(1 are missing\)"),
    ],
)  # fmt: skip
def test_a_fault_names_row_column_and_value(clues, tmp_path, column, value, message):
    clues[column] = clues[column].astype(object)
    clues.loc[1, column] = value
    with pytest.raises(DataError, match=message):
        store.write(clues, "clues", tmp_path / "x.parquet")
    assert not (tmp_path / "x.parquet").exists()


@pytest.mark.parametrize(
    ("change", "parents", "message"),
    [
        ({"columns": ["revealed"]}, None, "column revealed: found None, expected the column to be present"),
        ({"extra": 1}, None, "column extra"),
        ({}, {"questions": pd.DataFrame({"question_id": ["p01-q01"]})}, "p01-q02.*expected a row of table questions"),
    ],
)  # fmt: skip
def test_missing_and_unknown_columns_and_foreign_keys(clues, tmp_path, change, parents, message):
    table = clues.drop(**change) if "columns" in change else clues.assign(**change)
    with pytest.raises(DataError, match=message):
        store.write(table, "clues", tmp_path / "x.parquet", parents)


def test_order_of_rows_does_not_change_the_bytes(clues, tmp_path):
    store.write(clues, "clues", tmp_path / "a.parquet")
    store.write(clues.iloc[::-1], "clues", tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    pd.testing.assert_frame_equal(store.read(tmp_path / "a.parquet"), clues)


def test_types_of_a_final_table_are_the_declared_ones(tmp_path):
    """Words that look like numbers stay words; missing whole numbers stay missing."""
    columns = store.columns("team_summary")
    row = dict.fromkeys(columns, 1) | {"team": "007", "name": "NA", "kind": "human"}
    table = pd.DataFrame([row, row | {"team": "8", "quartile_paper": None}])
    store.write_csv(table[columns], tmp_path / "x.csv")
    read = store.load(tmp_path / "x.csv", "team_summary")
    assert list(read["team"]) == ["007", "8"]
    assert list(read["name"]) == ["NA", "NA"]
    assert read["quartile_paper"].dtype == "Int64"
    assert read["packets"].dtype == "int64"


def test_a_final_table_is_held_against_its_declaration(tmp_path):
    row = {"quantity": "teams", "value": 3.0, "unit": "teams"}
    store.save(pd.DataFrame([row]), "dataset", tmp_path / "x.csv")
    with pytest.raises(DataError, match="a key that occurs once"):
        store.save(pd.DataFrame([row, row]), "dataset", tmp_path / "y.csv")
    with pytest.raises(DataError, match="column more"):
        store.save(pd.DataFrame([row | {"more": 1}]), "dataset", tmp_path / "y.csv")
    assert not (tmp_path / "y.csv").exists()


# What a cell holds, and what of it stands in the CSV that people open in spreadsheets.
CELLS = {
    "=1+1": "'=1+1", "+1+1": "'+1+1", "-1+1": "'-1+1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1",
    "'=1": "\'\'=1", "\'\'=1": "\'\'\'=1", "-": "'-", "-5": "-5", "+.5": "+.5", "-inf": "'-inf", "'quoted'": "'quoted'",
    "a=1": "a=1", " =1": " =1", "": "",
}  # fmt: skip


def test_what_a_spreadsheet_takes_for_a_formula_is_inert_in_csv_and_raw_in_parquet(tmp_path):
    table = pd.DataFrame({"text": [*CELLS, None], "number": -1.5})
    store.write_csv(table, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.reader(handle))[1:]
    assert [row[0] for row in rows] == [*CELLS.values(), ""]
    assert {row[1] for row in rows} == {"-1.5"}
    back = store.read_csv(tmp_path / "t.csv")["text"]
    assert back.where(back.notna(), "").to_list() == [*CELLS, ""]
    store.write_csv(pd.DataFrame({"=a": ["x"], "b": [2]}), tmp_path / "h.csv")
    assert (tmp_path / "h.csv").read_text() == "'=a,b\nx,2\n"
    assert list(store.read_csv(tmp_path / "h.csv")) == ["=a", "b"]
    kinds = pd.DataFrame({"text": pd.Categorical(["=a", "b"]), "flag": [True, False]})
    store.write_csv(kinds, tmp_path / "k.csv")
    assert (tmp_path / "k.csv").read_text() == "text,flag\n'=a,True\nb,False\n"


def exposures(questions) -> pd.DataFrame:
    same = {"team": "A", "packet": 1, "kind": "human", "source": "match"}
    return pd.DataFrame({"question_id": questions} | same)


def test_a_table_in_pieces_has_the_bytes_of_one_in_whole(tmp_path, monkeypatch):
    rows = exposures([f"q{n}" for n in range(9)])
    store.write(rows, "exposures", tmp_path / "whole.parquet")
    pieces = (rows[first : first + 2] for first in range(0, 9, 2))
    store.save(pieces, "exposures", tmp_path / "pieces.parquet")
    assert (tmp_path / "pieces.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    monkeypatch.setattr(store, "ROW_GROUP", 4)
    store.save((rows[:5], rows[5:]).__iter__(), "exposures", tmp_path / "groups.parquet")
    pd.testing.assert_frame_equal(store.read(tmp_path / "groups.parquet"), store.read(tmp_path / "whole.parquet"))  # fmt: skip


def test_pieces_out_of_order_are_no_table(tmp_path):
    rows = exposures(["q2", "q1"])
    for later, message in ((rows[1:], "exposures: .*q1.* comes after .*q2"), (rows[:1], "comes after")):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            store.save(iter([rows[:1], later]), "exposures", tmp_path / "table.parquet")


@pytest.mark.parametrize("sign", [";", "\t"])
def test_a_table_of_another_separator_is_one_clear_line(tmp_path, sign):
    path = tmp_path / "a.csv"
    path.write_text(f"who{sign}score\nann{sign}0,5\n")
    with pytest.raises(DataError, match="a.csv, row 1: .*expected columns parted by ',', not") as e:
        store.read_raw_csv(path, ("who", "score"))
    assert len(e.value.faults) == 1
