"""Tables of scores as a paper prints them, by hand."""

import pandas as pd
from calscore.scores import tables


def test_table_2_has_a_row_a_model_and_four_columns_a_share():
    rows = [("m", 0.2, 0.25, 8), ("m", 0.3, 0.5, 8), ("m", 1.0, 0.75, 4), ("k", 0.2, 1.0, 1)]
    accuracy = pd.DataFrame(rows, columns=["model", "revealed", "accuracy", "n"])
    accuracy = accuracy.assign(
        reading="at", elicitation="logit", marks="engine", low=accuracy["accuracy"] / 2, high=1.0
    )
    table = tables.table2(accuracy, {"m": "M"}).set_index("name")
    shown = ["20%", "20%_low", "20%_high", "20%_n", "100%", "100%_n"]
    assert table.loc["M", shown].to_list() == [0.25, 0.125, 1, 8, 0.75, 4]
    assert table.loc["k", "20%"] == 1 and table.loc["k", ["40%", "100%"]].isna().all()
    assert "30%" not in table


def test_ranks_of_extreme_questions_with_a_model_left_out():
    scores = {"a": (0.1, 0.2, 0.9), "b": (0.3, 0.35, 0.1), "c": (0.5, 0.6, 0.4)}
    table = pd.DataFrame(
        [
            ("paper", "logit", model, question, value)
            for question, values in scores.items()
            for model, value in zip(("M1", "M2", "M3"), values, strict=True)
        ],
        columns=["definition", "elicitation", "model", "question_id", "calscore"],
    ).assign(segmentation="given", reduction="stated", marks="engine")
    questions = pd.DataFrame({"question_id": list("abc"), "category": "x", "answerline": "y"})
    found = tables.rank_extreme_questions(table, questions, "given", [], 3).query("end == 'best'")
    found = found.set_index("question_id")
    assert found["rank"].to_dict() == {"b": 1, "a": 2, "c": 3}
    # Means of a without M1, M2, M3: .55, .5, .15; of b: .225, .2, .325; of c: .5, .45, .55.
    assert found.loc["a", ["rank_least", "rank_greatest"]].tolist() == [1, 3]
    assert found.loc["b", ["rank_least", "rank_greatest"]].tolist() == [1, 2]
    assert found.loc["c", ["rank_least", "rank_greatest"]].tolist() == [2, 3]
    alone = tables.rank_extreme_questions(table[table["model"] == "M1"], questions, "given", [], 3)
    assert alone[["rank_least", "rank_greatest"]].isna().all(axis=None)
