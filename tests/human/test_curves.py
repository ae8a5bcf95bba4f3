"""h_t, backfilled live answers and rankings, by hand."""

import numpy as np
import pandas as pd
import pytest
from calscore.audit.trace import Trace
from calscore.buzz_policy import opponent_curve
from calscore.human import checks, curves, incidence, quartiles
from calscore.scores.grace_q import calculate_Grace_q_adjusted


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


def test_a_team_counts_where_it_buzzed_and_in_clue_0_where_it_heard(clues, buzzes, exposures):
    counts = curves.team_clue_counts(clues, buzzes, exposures[exposures["question_id"] < "c"])
    rows = counts[["question_id", "team", "clue", "correct", "buzzes"]].itertuples(index=False)
    assert {(question, team): numbers for question, team, *numbers in rows} == {
        ("a", "H1"): [1, 1, 1],
        ("a", "H2"): [2, 0, 1],
        ("a", "H3"): [3, 1, 1],
        ("a", "H4"): [0, 0, 0],
        ("b", "H1"): [2, 0, 1],
        **{("b", team): [0, 0, 0] for team in ("H2", "H3", "H4")},
    }


def test_a_team_that_is_right_twice_is_right_once(clues, buzzes, exposures):
    logged = pd.concat([buzzes.iloc[[0]].assign(word_index=4), buzzes], ignore_index=True)
    questions = pd.DataFrame({"question_id": list("abc"), "packet": 1, "n_words": 6})
    inputs = {"clues": clues, "exposures": exposures}
    no_pairs = pd.DataFrame(columns=["packet", "team", "opponent", "source"])
    for function in (
        lambda rows: curves.human_curve(clues, rows, exposures, ["heard", "heard_seen"]),
        lambda rows: curves.team_responses(clues, rows),
        lambda rows: pd.DataFrame(quartiles.team_record(questions, clues, rows, exposures).right[0]),
        lambda rows: incidence.competing_events(questions, clues, rows, exposures, no_pairs),
        lambda rows: opponent_curve.opponent_curve_observed(questions, rows, exposures),
    ):
        pd.testing.assert_frame_equal(function(logged), function(buzzes))
    curve, crowd = (make(clues, logged, exposures) for make in (curves.human_curve, curves.team_clue_counts))
    h = curve[curve["question_id"] == "a"].groupby("h_definition")["h"].apply(list)
    # All buzzes are in the total, as the released scorer has it.
    marks = [{"H1": "+"}, {"H2": "-"}, {"H1": "+", "H3": "+"}]
    run = {"conf": 1.0, "correctness": True}
    runs = [run | {"position_items": items} for items in marks]
    question = {"position": [{"0": f"[{team}, +]"} for team in ("H1", "H2", "H1", "H3")], "M1": runs}
    released = calculate_Grace_q_adjusted(question, "raw")["M1"]
    assert h["buzzed_on_question"] == [1 / 4, 1 / 4, 2 / 4] and released == pytest.approx(1 / 3)
    assert h["buzzed_so_far"] == [1, 1 / 2, 2 / 4]
    assert checks.curve_of_the_buzzes(curve, logged, exposures).failures == 0
    assert checks.crowd_of_the_buzzes(crowd, clues, logged, exposures).failures == 0
    assert checks.crowd_of_the_curve(crowd, curve).failures == 0
    human = Trace(inputs | {"buzzes": logged}, {"primary_segmentation": "words-2"}).human
    for name in curves.CURVES:
        rows = curve[curve["h_definition"] == name]
        assert human[name].tolist() == rows["h"].tolist()


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
