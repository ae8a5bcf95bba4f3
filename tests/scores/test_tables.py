"""Tables of scores as a paper prints them, by hand."""

import numpy as np
import pandas as pd
import pytest
from calscore.scores import metrics, tables
from calscore.stats.bootstrap import Bootstrap
from scipy import stats

SERIES = {"elicitation": "logit", "reduction": "stated", "marks": "engine"}
NAMES = {"a": "A"}


def test_table_1_sets_values_ranks_and_bounds_side_by_side():
    wanted = metrics.metrics_for("table1")
    rows = [
        {"model": model, "metric": one.name, "value": value, "rank": rank, "low": value - 0.1, "high": value + 0.1}
        for one in wanted
        for model, value, rank in (("a", 0.5, 2), ("b", 0.6, 1))
    ]  # fmt: skip
    bounds = {"two_way_low": 0.1, "two_way_high": 0.9, "segmentation": "given", "n_questions": 9}
    scores = pd.DataFrame(rows).assign(definition="paper", **SERIES, **bounds)
    table = tables.table1(scores, "given", [], NAMES)
    # The best first; a model without a name has its key.
    assert table["name"].to_list() == ["b", "A"]
    shown = ["calscore", "calscore_rank", "ece_low", "ece_high", "calscore_two_way_high"]
    assert table.loc[1, shown].to_list() == [0.5, 2, 0.4, 0.6, 0.9]
    assert {one.name for one in wanted if f"{one.name}_two_way_low" in table} == {
        one.name for one in wanted if one.human
    }


def test_table_5_has_means_of_categories_with_bounds_where_questions_are_enough():
    names = [f"q{number}" for number in range(7)]
    values = np.array([0.2, 0.3, 0.4, 0.5, 0.7, 0.1, 0.2])
    scores = pd.DataFrame({"question_id": names, "segmentation": "given", "model": "a"} | SERIES)
    scores = scores.assign(definition="paper", mce=values, calscore=1 - values)
    merged = ["Arts"] * 5 + ["History"] * 2
    questions = pd.DataFrame({"question_id": names, "category": merged, "category_fine": "x"})
    place = {"level": ["merged"] * 2 + ["fine"], "category": ["Arts", "History", "x"], "model": "a"}
    two_way = pd.DataFrame(place | SERIES).assign(definition="paper", n_teams=8)
    two_way[["calscore_two_way_low", "calscore_two_way_high"]] = 0.3, 0.7
    table = tables.table5(scores, questions, "given", [], NAMES, Bootstrap(20, 1, 0.9), two_way)
    table = table.set_index(["level", "category"])
    arts = table.loc[("merged", "Arts")]
    assert arts[["name", "n_questions"]].to_list() == ["A", 5]
    assert arts[["mce", "calscore"]].to_list() == pytest.approx([0.42, 0.58])
    bounds = stats.t.interval(0.9, 4, 0.42, stats.sem(values[:5]))
    assert arts[["mce_low", "mce_high"]].to_list() == pytest.approx(bounds)
    assert arts["calscore_two_way_low"] < 0.58 < arts["calscore_two_way_high"]
    few = table.loc[("merged", "History")]
    assert few["mce"] == pytest.approx(0.15)
    assert few[["mce_low", "calscore_two_way_low"]].isna().all()


def test_accuracy_and_buzzes_by_share_of_models_with_their_names():
    clues = {"clue": [1, 2, 3, 4], "n_clues": 4, "question_id": "q", "model": "a"} | SERIES
    states = pd.DataFrame(clues).assign(correct=[False, False, True, True])
    states["buzz"] = pd.array([False, True, True, None], "boolean")
    states["correct"] = states["correct"].astype("boolean")
    made = tables.share_tables(states, NAMES, Bootstrap(20, 1, 0.95))
    assert all(set(table["name"]) == {"A"} for table in made.values())
    accuracy = made["accuracy_by_share"].set_index(["reading", "revealed"])["accuracy"]
    assert accuracy["at"][[0.3, 0.7, 0.8, 1.0]].to_list() == [0, 0, 1, 1]
    # Up to the first buzz, at clue 2; what the model would have done at clue 4 is unknown.
    given = made["buzz_given"].set_index(["given", "revealed"])["p"]
    assert given.to_dict() == {("incorrect", 0.3): 0, ("incorrect", 0.5): 1}


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
