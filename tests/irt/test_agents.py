"""Agents and responses of every format: mapped, and refused with one clear error."""

import numpy as np
import pandas as pd
import pytest
from calscore.core.errors import DataError
from calscore.irt import agents, pipeline
from calscore.simulate import irt
from irt_files import GIVEN, PARTS, SETTINGS, answered, players, prepared, sources, verdicts


def test_agents_of_other_names_are_in_the_same_place_of_the_fit():
    """Random starts and what is held out go by an agent's place among the others."""
    table, responses = players(12, 6, 5)
    names, signs = sorted(responses["agent"].unique()), []
    for given in (names, names[::-1]):
        rows = responses.assign(agent=responses["agent"].map(dict(zip(names, given, strict=True))))
        who = pd.DataFrame({"agent": names, "kind": "human", "agent_type": names})
        signs.append(agents.response_matrix(rows, table, agents.sort_agents(who, rows)))
    assert (signs[0] == signs[1]).all()


def test_the_raw_formats_give_the_truth_back(tmp_path):
    table, who, responses, findings = prepared(sources(tmp_path))
    assert len(table) == 48
    assert set(who["kind"]) == {"human", "ai"}
    assert (who["kind"] == "human").sum() == 4
    made = irt.simulate_irt(2, {"questions": 12, "players": 12, "heard": 12})
    # The first large model's scores are empty: the answer engine gives them back.
    given = made["table"][made["table"]["agent_type"] == "large model 1"]
    judged = responses[responses["agent"] == "large model 1"].set_index("item_id")["correct"]
    assert (given["score"] == "").all()
    meant = (given["prediction"] == given["answer"]).to_numpy()
    assert (judged.loc[given["qc_id"]].to_numpy() == meant).all()
    assert all(f.severity == "info" for f in findings)
    signs = agents.response_matrix(responses, table, who)
    assert signs.shape == (48, len(who))
    assert (np.abs(signs).sum(axis=0) == who["responses"]).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda made: made["agents"].append({"id": "nobody", "kind": "ai", "type": "base model"}),
         r"row nobody, column agent: found 0, expected at least one response"),
        (lambda made: made["queries"][5].update(text="  "),
         r"queries.jsonl, row q2_2, column text: found '  ', expected text"),
        (lambda made: made["responses"].append(made["responses"][0] | {"ruling": not made["responses"][0]["ruling"]}),
         r"retriever 1, q1_1, column score: found 'right and wrong', expected one verdict"),
        (lambda made: made["responses"][3].update(query_id="q99_1"),
         r"row responses.jsonl#4, column qc_id: found 'q99_1', expected an item with text"),
        (lambda made: made["table"].__setitem__("qc_id", "q1"),
         r"table.csv, row 2, column qc_id: found 'q1', expected q<id>_<clue>.*irt.cumulative: false"),
        (lambda made: made["table"].__setitem__("score", "maybe"),
         r"table.csv, row 2, column score: found 'maybe', expected 1 or 0"),
        (lambda made: made["buzzes"].loc.__setitem__((0, "word_index"), 5000),
         r"buzzes.csv, row 2, column word_index: found 5000, expected less than"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_error(tmp_path, change, message):
    with pytest.raises(DataError, match=message) as error:
        prepared(sources(tmp_path, change))
    assert len(error.value.faults) == 1


def test_a_repeat_that_agrees_is_counted(tmp_path):
    given = sources(tmp_path, lambda made: made["responses"].append(made["responses"][0]))
    findings = prepared(given)[3]
    assert [f.detail for f in findings if f.finding == "response repeated"] == ["1 rows"]


MATRIX = [["agent", "b1_1", "b1_2", "x7"], ["human A", "1", "0", ""], ["gpt", "1.0", " ", "false"]]


def matrix(folder, rows, delimiter=",", **changes):
    path = folder / "matrix.csv"
    path.write_text("".join(delimiter.join(row) + "\n" for row in rows))
    given = {"response_files": [path], "formats": ["matrix"]}
    return pipeline.build_responses(SETTINGS | {"cumulative": False} | changes, **given)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_matrix_is_agents_by_items_with_blanks_for_items_not_met(tmp_path, delimiter):
    found = matrix(tmp_path, MATRIX, delimiter)
    rows = found["agent_responses"].set_index(["agent", "item_id"])["correct"]
    assert rows.to_dict() == {
        ("human A", "b1_1"): True, ("human A", "b1_2"): False, ("gpt", "b1_1"): True, ("gpt", "x7"): False,
    }  # fmt: skip
    assert found["item_list"]["text"].eq("").all()
    # Both answered little.
    told = [issue for issue in found["findings"] if issue.finding == "agent too little to compare"]
    assert len(told) == 2


@pytest.mark.parametrize(
    ("rows", "changes", "message"),
    [
        ([*MATRIX, ["gpt", "1", "1", "1"]], {}, "matrix.csv, row 4, column agent: found 'gpt', expected an agent once"),
        ([*MATRIX, ["", "1", "1", "1"]], {}, "row 4, column agent: found '', expected an agent"),
        ([*MATRIX, ["b", "1", "maybe", "1"]], {}, "row 4, column b1_2: found 'maybe', expected 1, 0 or blank"),
        (MATRIX, {"cumulative": True}, "found 'x7', expected q<id>_<clue>.*irt.cumulative: false"),
        ([["agent"], ["a"]], {}, "a column of agents and columns of items"),
    ],
)  # fmt: skip
def test_a_bad_matrix_is_one_clear_error(tmp_path, rows, changes, message):
    with pytest.raises(DataError, match=message):
        matrix(tmp_path, rows, **changes)


def test_a_table_needs_no_answers(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("agent_type;qc_id;score\nhuman 1;q1_1;1\ngpt;q1_1;0\n")
    assert agents.read_responses(path, "table")["correct"].tolist() == [True, False]
    path.write_text("agent_type,qc_id,score\nhuman 1,q1_1,\n")
    message = "row 2, column score: found '', expected 1 or 0, or an answer"
    with pytest.raises(DataError, match=message):
        agents.read_responses(path, "table")


#: Points of an item that gives three → right or wrong at each of its steps.
STEPS = {0: [False], 1: [True, False], 2: [True, True, False], 3: [True, True, True]}


def test_points_are_steps_that_are_passed(tmp_path):
    """The sequential model (Tutz 1990): a step is come to by those who passed the one before it."""
    queries = [{"id": "b7", "text": "For 30 points.", "max_score": 3}, *PARTS]
    given = [*GIVEN, *({"agent_id": f"human {k}", "query_id": "b7", "score": k} for k in STEPS)]
    table, _, responses, _ = answered(tmp_path, queries, given, cumulative=False)
    assert table[table["question_id"] == "b7"]["item_id"].tolist() == ["b7_1", "b7_2", "b7_3"]
    for points, expected in STEPS.items():
        assert list(verdicts(responses, f"human {points}", "b7").values()) == expected
    for wrong in (4, 1.5, -1, "x", "0_3", True):
        bad = [*GIVEN, {"agent_id": "gpt", "query_id": "b7", "score": wrong}]
        with pytest.raises(DataError, match="row 7, column score.*whole number from 0 to 3"):
            answered(tmp_path, queries, bad, cumulative=False)
