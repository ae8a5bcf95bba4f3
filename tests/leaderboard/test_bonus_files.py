"""Bonuses and decision records as people hold them."""

import json

import pandas as pd
import pytest
from calscore.core import store
from calscore.core.errors import DataError
from calscore.leaderboard import bonus_files, bonuses
from calscore.stats.bootstrap import Bootstrap

STATED = [
    {"guess": "Ada", "confidence": 0.9, "explanation": "e", "correct": True},
    {"guess": "Bob", "confidence": 0.4, "explanation": "e", "correct": False},
]


SAID = [
    {"decision": "switch", "first_guess": "x", "first_correct": False, "final_guess": "Ada", "final_correct": True},
    {"decision": "keep", "first_guess": "y", "first_correct": True, "final_guess": "y", "final_correct": True},
]  # fmt: skip


def as_records(said):
    """Decision records as the leaderboard's scorer writes them, beside the parts."""
    new = {"first_guess": "orig_guess", "first_correct": "orig_correct"}
    return [{new.get(name, name): value for name, value in one.items()} for one in said]


def test_decision_records_beside_parts_are_what_parts_with_records_are(tmp_path):
    """Effect (1 − ½) and adoption (½) exist under all three spellings."""
    both = [own | said for own, said in zip(STATED, SAID, strict=True)]
    numbered = [one | {"number": 2 - i} for i, one in enumerate(as_records(SAID)[::-1])]
    files = {
        "with.jsonl": {"qid": 7, "parts": both},
        "beside.jsonl": {"qid": 7, "part_outputs": STATED, "scores": as_records(SAID)},
        "numbered.jsonl": {"qid": 7, "part_outputs": STATED, "scores": numbered},
    }
    for name, record in files.items():
        (tmp_path / name).write_text(json.dumps(record))
    read = {name: bonus_files.read_bonus_parts(tmp_path / name, "m") for name in files}
    for table in read.values():
        assert not store.validation_errors(table, "bonus_parts")
        same = read["with.jsonl"].assign(source_row=table["source_row"])
        pd.testing.assert_frame_equal(table, same, check_dtype=False)
        found = bonuses.bonus_table(table, Bootstrap(50, 1, 0.95), 0.5, "no_buzz")
        found = found.set_index(["metric", "reading"])["value"]
        assert found["effect", "manual"] == 0.5
        assert found["adoption", "manual"] == found["adoption", "code"] == 0.5


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"qid": 7, "part_outputs": STATED, "scores": as_records(SAID)[:1]}, "row 7, column scores|row 1, column scores"),
        ({"qid": 7, "part_outputs": STATED, "scores": [{}, {"orig_correct": "no"}]}, "row 1, part 2, column orig_correct"),
        ({"qid": 7, "part_outputs": STATED, "scores": [{}, {"correct": True}]}, "row 1, part 2, column correct: found True, expected False"),
        ({"qid": 7, "part_outputs": STATED, "scores": [{}, 3]}, "a JSON object"),
        ({"qid": 7, "parts": [STATED[0] | {"orig_correct": True, "first_correct": False}]}, "row 1, part 1, column orig_correct: found True, expected False, as first_correct says"),
        ({"qid": 7, "parts": [one | {"number": 1} for one in STATED]}, "row 1, column number: found 1, expected a number that occurs once"),
        ("", "b.jsonl: found 0, expected at least one line"),
        ("[1]", "row 1: found .1., expected a JSON object"),
        ('{"parts": []}', "row 1, column qid"),
        ('{"qid": 7, "parts": [{"correct": NaN}]}', "row 1, column parts/0/correct: found 'NaN'"),
    ],
)  # fmt: skip
def test_bad_decision_records_are_one_clear_error(tmp_path, content, message):
    path = tmp_path / "b.jsonl"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(DataError, match=message):
        bonus_files.read_bonus_parts(path, "m")
