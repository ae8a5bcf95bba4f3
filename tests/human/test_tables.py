"""Counts of live buzzes by data set, category, team and position, by hand."""

import pandas as pd
import pytest
from calscore.human import curves, tables
from calscore.stats.bootstrap import Bootstrap


@pytest.fixture
def questions():
    rows = [("a", 1, "Arts", "Music", 1), ("b", 1, "History", "War", 2), ("c", 2, "History", "", 3)]
    columns = ["question_id", "packet", "category", "category_fine", "n_sentences"]
    return pd.DataFrame(rows, columns=columns).assign(n_words=6, n_chars=30)


def test_the_data_set_is_counted(questions, clues, buzzes, exposures):
    table = tables.dataset(questions, clues, buzzes, exposures)["dataset"]
    values = table.set_index("quantity")["value"]
    expected = {
        "questions": 3,
        "packets": 2,
        "sentences": 6,
        "buzzes": 5,
        "human buzzes": 4,
        "human P(correct | buzz)": 0.5,
        "human teams": 4,
        "questions without a human buzz": 1,
        "clues per question, words-2": 3,
        "words per clue, words-2": 2,
        "questions in History": 2,
    }
    assert values[list(expected)].to_dict() == expected


def test_margins_of_categories(questions, buzzes):
    table = tables.category_margins(questions, buzzes, {"M1": "GPT"}, 0.95)
    table = table.set_index(["level", "category", "group"])
    shown = ["correct", "incorrect", "margin", "ratio"]
    assert table.loc[("merged", "Arts", "human"), shown].to_list() == [2, 1, 1, 2]
    assert table.loc[("fine", "War", "H1"), shown].to_list() == [0, 1, -1, 0]
    model = table.loc[("merged", "Arts", "M1")]
    assert model["name"] == "GPT" and model["precision"] == 1 and pd.isna(model["ratio"])


def test_teams_are_summed_up(questions, clues, buzzes, exposures):
    teams = curves.rank_teams(clues, buzzes, exposures)
    table = tables.team_summary(teams, buzzes, questions, {"M1": "GPT"}, 0.95).set_index("team")
    # H1 buzzed at the second and at the fourth of six words.
    assert table.loc["H1", ["buzzes", "precision", "median_revealed"]].to_list() == [2, 0.5, 0.5]
    assert table.loc["H4", ["precision", "median_revealed"]].isna().all()
    assert table.loc["M1", "name"] == "GPT"


def test_buzzes_are_counted_by_twentieth_of_the_question(questions, buzzes):
    table = tables.buzz_positions(questions, buzzes, {}, Bootstrap(20, 1, 0.95))
    some = table[table["buzzes"] > 0].set_index(["group", "correct", "revealed"])["buzzes"]
    # 2/6, 3/6, 4/6, 6/6 and 1/6 of the words.
    assert some.to_dict() == {
        ("human", True, 0.35): 1,
        ("human", False, 0.5): 1,
        ("human", False, 0.7): 1,
        ("human", True, 1.0): 1,
        ("M1", True, 0.2): 1,
    }
    assert len(table) == 80


def test_a_study_in_which_nobody_buzzed_has_tables(questions, clues, buzzes, exposures):
    silent = buzzes[:0]
    teams = curves.rank_teams(clues, silent, exposures)
    summary = tables.team_summary(teams, silent, questions, {}, 0.95)
    assert summary[["precision", "median_revealed", "median_revealed_low"]].isna().all(axis=None)
    assert tables.buzz_positions(questions, silent, {}, Bootstrap(5, 1, 0.95)).empty
