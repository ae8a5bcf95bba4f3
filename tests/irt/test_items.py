"""Items with their features: read, and refused with one clear error."""

import numpy as np
import pytest
from calscore.core.errors import DataError
from calscore.irt import items, pipeline
from irt_files import GIVEN, PARTS, answered, table_of


def test_a_writers_tag_is_columns_of_the_model(tmp_path):
    table = table_of(("q1", "q2"), 2)
    path = tmp_path / "tags.csv"
    rows = ("id,level,match", "q2_2,hard,1", "q1_1,easy,0.5", "q1_2,easy,0", "q2_1,hard,1", "q9_1,odd,")  # fmt: skip
    path.write_text("\n".join(rows) + "\n")
    found = items.read_features(path, table, ["level", "match"])
    chosen = ["level=easy", "level=hard"]
    assert found[chosen].to_numpy().tolist() == [[1, 0], [1, 0], [0, 1], [0, 1]]
    assert found["match"].tolist() == [0.5, 0, 1, 1]
    known = pipeline.item_covariates(table, path, {"covariates": ["level", "match"]})
    assert known.shape == (4, 3)
    assert np.abs(known.mean(axis=0)).max() < 1e-12
    assert pipeline.item_covariates(table, path, {"covariates": []}) is None


@pytest.mark.parametrize(
    ("text", "names", "message"),
    [
        (None, ["level"], "column covariates: found 'level', expected inputs.item_features"),
        ("id,level\nq1_1,easy\nq1_2,easy\n", ["tag"], "column tag: found None, expected the column"),
        ("id,level\nq1_1,1\n", ["level"], "row q1_2, column id: found None, expected features of every"),
        ("id,level\nq1_1,1\nq1_1,2\nq1_2,2\n", ["level"], "row q1_1, column id: found 'q1_1', expected an id once"),
        ("id,level\nq1_1,1\nq1_2,hard\n", ["level"], "row q1_2, column level: found 'hard', expected a finite"),
    ],
)  # fmt: skip
def test_covariates_that_cannot_be_are_one_clear_error(tmp_path, text, names, message):
    path = tmp_path / "tags.csv"
    path.write_text(text or "", encoding="utf-8")
    given = table_of(("q1",), 2), path if text else None
    with pytest.raises(DataError, match=message):
        pipeline.item_covariates(*given, {"covariates": names})


def test_a_summary_of_a_question_stands_once(tmp_path):
    queries, summaries = tmp_path / "queries.jsonl", tmp_path / "summaries.csv"
    queries.write_text('{"id": "q1_1", "text": "one"}\n')
    summaries.write_text("question_id,summary\nq1,a\nq1,b\n")
    with pytest.raises(DataError, match=r"summaries.csv, column question_id: found 'q1', expected"):
        items.read_items(queries, summaries)


def test_parts_and_questions_of_any_benchmark_are_items(tmp_path):
    """Parts of a bonus do not go on from each other, and a benchmark's id is any text; columns as the authors name them."""
    table, who, responses, told = answered(tmp_path, PARTS, GIVEN, cumulative=False)
    places = table[["item_id", "question_id", "clue"]].to_numpy().tolist()
    assert places == [["b1_1", "b1", 1], ["b1_2", "b1", 2], ["boolq-7", "boolq-7", 1]]
    assert who.set_index("agent")["kind"].to_dict() == {"gpt": "ai", "human_team_1": "human"}
    assert responses.groupby("agent")["correct"].sum().to_dict() == {"gpt": 0, "human_team_1": 3}
    # Nobody said who is human: that it was read off the names is not silent.
    assert ("kind told by name", "1 human, 1 ai") in [(f.finding, f.detail) for f in told]
    with pytest.raises(DataError, match="or irt.cumulative: false"):
        answered(tmp_path, PARTS[:2], GIVEN)
    with pytest.raises(DataError, match="'boolq-7', expected q<id>_<clue>"):
        answered(tmp_path, PARTS[2:], GIVEN)
