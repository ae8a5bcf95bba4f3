"""h_t, backfilled live answers and rankings, by hand."""

import numpy as np
import pandas as pd
import pytest
from calscore.human import curves
from calscore.scores import tables
from calscore.stats import shares_revealed


def test_h_under_its_definitions(clues, buzzes, exposures):
    # H4, which never buzzed, is known to have been there by its packet alone.
    exposures.loc[exposures["team"] == "H4", "source"] = "packet"
    curve = curves.human_curve(clues, buzzes, exposures)
    got = curve.set_index(["h_definition", "question_id", "clue"])["h"].sort_index()
    for definition, expected in {
        "buzzed_so_far": {"a": [1, 1 / 2, 2 / 3], "b": [0, 0, 0], "c": [0, 0, 0]},
        "buzzed_on_question": {"a": [1 / 3, 1 / 3, 2 / 3], "b": [0, 0, 0], "c": [0, 0, 0]},
        "heard": {"a": [1 / 4, 1 / 4, 2 / 4], "b": [0, 0, 0], "c": [0, 0, 0]},
        "heard_seen": {"a": [1 / 3, 1 / 3, 2 / 3], "b": [0, 0, 0], "c": [0, 0, 0]},
    }.items():
        for question, values in expected.items():
            assert got[definition, question].tolist() == pytest.approx(values)


def test_team_responses_are_backfilled(clues, buzzes):
    got = curves.team_responses(clues, buzzes)
    cells = {(r.question_id, r.team, r.clue): (r.correct, r.backfilled) for r in got.itertuples()}
    assert cells == {
        ("a", "H1", 1): (True, False),
        ("a", "H1", 2): (True, True),
        ("a", "H1", 3): (True, True),
        ("a", "H2", 1): (False, True),
        ("a", "H2", 2): (False, False),
        ("a", "H3", 3): (True, False),
        ("b", "H1", 1): (False, True),
        ("b", "H1", 2): (False, False),
    }


def test_quartiles_cut_at_percentiles_with_ties_below():
    assert curves.quartile([1, 2, 3, 4]).tolist() == [1, 2, 3, 4]
    assert curves.quartile([5, 5, 5, 5]).tolist() == [1, 1, 1, 1]
    values = [19, 21, 17, 20, 23, 29, 54, 56, 82, 87, 87, 89, 93, 96, 101, 102, 103]
    cuts = np.percentile(values, [25, 50, 75])
    assert curves.quartile(values).tolist() == [1 + sum(v > c for c in cuts) for v in values]


def test_ranking_scores(clues, buzzes, exposures):
    teams = curves.rank_teams(clues, buzzes, exposures).set_index("team")
    # H1 right in clue 1 counts in the cumulative counts of clues 1, 2, 3; H3 in clue 3 only.
    assert teams["score_release"].to_dict() == {"H1": 3, "H2": 0, "H3": 1, "H4": 0, "M1": 3}
    assert teams["score_paper"].to_dict() == {"H1": 1, "H2": 0, "H3": 1, "H4": 0, "M1": 1}
    assert teams["score_rate"].to_dict() == pytest.approx(
        {"H1": 1 / 3, "H2": 0, "H3": 1 / 3, "H4": 0, "M1": 1 / 3}
    )
    assert teams["quartile_paper"].isna().to_dict() == {
        "H1": False,
        "H2": False,
        "H3": False,
        "H4": False,
        "M1": True,
    }


def test_accuracy_by_share_under_both_readings():
    rows = pd.DataFrame(
        {
            "question_id": "a",
            "clue": [1, 2, 3, 4],
            "n_clues": 4,
            "correct": [False, False, True, True],
            "model": "m",
        }
    )
    rows["correct"] = rows["correct"].astype("boolean")
    table = shares_revealed.accuracy_by_share(rows, ["model"], tables.SHARES, 0.95, ["question_id"])
    table = table.set_index(["reading", "revealed"])["accuracy"]
    # 20 % of four clues is before the first one; 40 % is clue 1, 60 % clue 2, 80 % clue 3.
    assert table["at"].to_dict() == {0.4: 0, 0.6: 0, 0.8: 1, 1.0: 1}
    # The released plot has clue 1 at 20 %, 2 at 50 %, 3 at 70 %, 4 at 100 %.
    assert table["released"].to_dict() == {0.2: 0, 1.0: 1}


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
    found = tables.extremes(table, questions, "given", [], 3).query("end == 'best'")
    found = found.set_index("question_id")
    assert found["rank"].to_dict() == {"b": 1, "a": 2, "c": 3}
    # Means of a without M1, M2, M3: .55, .5, .15; of b: .225, .2, .325; of c: .5, .45, .55.
    assert found.loc["a", ["rank_least", "rank_greatest"]].tolist() == [1, 3]
    assert found.loc["b", ["rank_least", "rank_greatest"]].tolist() == [1, 2]
    assert found.loc["c", ["rank_least", "rank_greatest"]].tolist() == [2, 3]
    alone = tables.extremes(table[table["model"] == "M1"], questions, "given", [], 3)
    assert alone[["rank_least", "rank_greatest"]].isna().all(axis=None)
