"""Quantities by hand."""

import numpy as np
import pandas as pd
import pytest
from calscore.ledger import buzz_quantities, estimates
from calscore.stats.bootstrap import Bootstrap
from ledger.paper import quantities_of, release_quantities


def test_figure4_of_one_team_by_hand():
    """GPT-4: 157 buzzes (95 right) on 200 questions heard."""
    curves = release_quantities()["curves"].value
    assert curves["per-question"]["correct"]["M1"][-1] == pytest.approx(95 / 200)
    assert curves["per-question"]["incorrect"]["M1"][-1] == pytest.approx(62 / 200)
    assert all(np.diff(curves["per-question"]["correct"]["Q4"]) >= 0)
    # right buzzes by tenths of the question, the word of the buzz included: 1, 32, 64, … of 200
    tenths = [0, 1, 32, 64, 70, 79, 86, 87, 88, 95]
    assert curves["per-share"]["correct"]["M1"] == pytest.approx([n / 200 for n in tenths])


def test_survey_and_responses():
    """Two players and one model on one question of four clues, counted by hand."""
    survey = pd.DataFrame(
        [("a", "q", clue, 4, clue >= 3, clue >= 3, clue == 3) for clue in range(1, 5)]
        + [("b", "q", clue, 4, clue == 4, clue == 4, False) for clue in range(1, 5)],
        columns=["player", "question_id", "clue", "n_clues", "observed", "correct", "buzz"],
    )
    players = pd.DataFrame({"player": ["a", "b"], "quartile": [4, 1], "half": ["top", "bottom"]})
    series = {"segmentation": "sentence-100", "model": "M1", "elicitation": "logit"}
    right, buzz = [False, True, False, True], [False, False, True, True]
    responses = pd.DataFrame({"clue": [1, 2, 3, 4], "correct": right, "buzz": buzz} | series)
    responses = responses.assign(reduction="mean_prob", question_id="q")
    tables = {"survey_responses": survey, "players": players, "responses": responses}
    found = quantities_of(tables)
    assert found["n_survey_players"].value == 2
    curve = found["human_accuracy"].value["H"]
    assert [curve[percent] for percent in (50, 70, 80, 100)] == [0.0, 0.5, 1.0, 1.0]
    assert [*found["accuracy"].value["M1"]] == [*range(10, 101, 10)]
    assert [*found["accuracy"].value["M1"].values()] == [0, 0, 1, 1, 1, 0, 0, 1, 1, 1]
    # player a buzzes on the first right guess, at clue 3 of 4 (fifth 4); clue 4 no longer counts
    assert found["human_buzz"].value["top"]["right"] == [None, None, None, 1.0, None]
    assert found["human_buzz"].value["top"]["wrong"] == [None, 0.0, 0.0, None, None]
    assert found["model_buzz"].value["M1"]["right"] == [None, None, 0.0, None, None]
    assert found["model_buzz"].value["M1"]["wrong"] == [None, 0.0, None, 1.0, None]


def test_each_buzz_is_looked_at_once_for_its_question(monkeypatch):
    """Cells of question_id that are compared, at two sizes of a study; teams are in the order of the buzzes."""
    compared, equals = [], pd.Series.__eq__

    def counted(column, other):
        compared.append(len(column) if column.name == "question_id" else 0)
        return equals(column, other)

    monkeypatch.setattr(pd.Series, "__eq__", counted)
    sums = []
    for size in (10, 40):
        ids = [f"q{number:02}" for number in range(size)]
        questions = pd.DataFrame({"question_id": ids, "packet": 1, "category": "History", "n_words": 9})
        buzzes = pd.DataFrame({"question_id": ids[::-1] * 2, "kind": "human", "word_index": 3})
        buzzes = buzzes.assign(team=["H2"] * size + ["H1"] * size, correct=True)
        tables = {"questions": questions, "buzzes": buzzes}
        study = estimates.StudySums(tables, "", Bootstrap(2, 3, 0.95))
        compared.clear()
        value = buzz_quantities._buzzes_on_questions(tables, study)["buzzes_on"][0]
        assert value == [{"id": key, "packet": 1, "right": ["H2", "H1"], "wrong": []} for key in ids]
        sums.append(sum(compared))
    assert sums[1] <= 5 * sums[0]
