"""Judged guesses and survey answers: conditions, manual verdicts, what comes of them."""

from __future__ import annotations

import pandas as pd
import pytest
from calscore.answers import judging
from calscore.answers.score import MODEL_FILE
from calscore.core.errors import DataError

TEXT = "A petal falls. For 10 points, name these things that bloom."
QUESTIONS = pd.DataFrame(
    {
        "question_id": ["q1", "q2"],
        "answerline": ["flowers [accept petals until read]", "Richard Nixon"],
        "text": [TEXT, "He resigned. Name this president."],
    }
)


def guesses() -> pd.DataFrame:
    rows = [
        ("q1", 1, "petals", None, -0.1),
        ("q1", 11, "petals", None, -0.01),
        ("q2", 2, None, None, -0.1),
        ("q2", 5, "Pat Nixon", True, -0.01),
    ]
    frame = pd.DataFrame(
        rows, columns=["question_id", "position", "guess", "correct_given", "mean_logprob"]
    )
    frame["correct_given"] = frame["correct_given"].astype("boolean")
    return frame.assign(
        model="M",
        elicitation="logit",
        confidence=float("nan"),
        token_logprobs=[[v] for v in frame["mean_logprob"]],
        buzzed=pd.array([None] * 4, dtype="boolean"),
    )


CLUES = pd.DataFrame(
    {
        "segmentation": "s",
        "question_id": ["q1", "q1", "q2", "q2"],
        "clue": [1, 2, 1, 2],
        "end_word": [3, 11, 2, 5],
    }
)


def judged(overrides=None, mode="engine"):
    return judging.judged_guesses(
        QUESTIONS, CLUES, guesses(), overrides, MODEL_FILE, "engine", mode, {"M": -0.03}
    )


def test_a_condition_is_met_where_it_was_heard():
    assert judging.conditions(guesses(), QUESTIONS) == ["", "petal", "", ""]


def test_guesses_are_judged_and_carried_to_the_clues():
    made = judged()
    assert set(made) == {"judgements", "responses", "findings"}
    verdicts = made["judgements"].set_index(["guess", "condition"])["verdict"]
    assert verdicts.to_dict() == {
        ("petals", ""): "accept",
        ("petals", "petal"): "reject",
        ("Pat Nixon", ""): "reject",
    }
    rows = made["responses"].drop_duplicates(["question_id", "clue"])
    assert rows["correct"].tolist() == [True, False, False, False]
    assert rows["buzz"].tolist() == [False, True, False, True]
    given = judged(mode="given")["responses"].drop_duplicates(["question_id", "clue"])
    assert given["correct"].tolist() == [True, False, False, True]


def test_a_manual_verdict_wins_and_one_without_a_guess_is_told(tmp_path):
    path = tmp_path / "overrides.csv"
    path.write_text(
        "question_id,guess,verdict,who,reason\n"
        "q2,Pat Nixon,accept,editor,a test\n"
        "q2,Nobody,reject,editor,a test\n"
        "q1,petals,,,\n"
    )
    made = judged(path)
    row = made["judgements"].set_index("guess").loc["Pat Nixon"]
    assert row[["verdict", "score", "rule", "source"]].tolist() == [
        "accept",
        1.0,
        "a test (editor)",
        "override",
    ]
    assert [f.finding for f in made["findings"]] == ["override without a guess"]
    assert judging.ANY == "*" and not judged()["findings"]


def test_manual_verdicts_that_cannot_be_used(tmp_path):
    path = tmp_path / "overrides.csv"
    path.write_text(
        "question_id,guess,verdict,who,reason\nq9,x,maybe,,why\nq1,y,accept,a,b\nq1,y,reject,a,b\n"
    )
    with pytest.raises(DataError) as error:
        judging.read_overrides(path, QUESTIONS)
    assert [f.column for f in error.value.faults] == [
        "question_id",
        "verdict",
        "who",
        "guess",
    ]


def test_survey_answers_are_judged_and_players_ranked():
    survey = pd.DataFrame(
        {
            "player": ["a", "a", "b", "b"],
            "question_id": "q2",
            "clue": [1, 2, 1, 2],
            "position": [2, 5, 2, 5],
            "guess": ["Nixon", "Nixon", None, "Kennedy"],
            "buzz": [True, True, False, True],
        }
    )
    made = judging.judged_survey(QUESTIONS, survey, None, MODEL_FILE, "engine")
    assert set(made) == {"survey_judgements", "survey_responses", "findings"}
    assert made["survey_judgements"]["verdict"].tolist() == ["accept", "reject"]
    assert made["survey_responses"]["player"].tolist()[0] == "a"
