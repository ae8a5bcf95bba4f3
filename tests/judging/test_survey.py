"""Survey answers judged and backfilled."""

import pandas as pd
import pytest
from calscore.answers.score import MODEL_FILE
from calscore.judging import checks, survey
from hypothesis import given
from hypothesis import strategies as st

Y, N, U = True, False, None


@given(st.lists(st.sampled_from([Y, N, U]), max_size=12))
def test_backfill_keeps_what_was_observed_and_fills_what_follows_from_it(observed):
    filled = survey.backfill(observed)
    assert all(f == o for f, o in zip(filled, observed, strict=True) if o is not None)
    for i, (value, was) in enumerate(zip(filled, observed, strict=True)):
        if was is None:
            right, wrong = Y in observed[:i], N in observed[i + 1 :]
            assert value is (None if right == wrong else right)


def test_contradictions_are_listed_and_kept():
    responses, findings = survey.survey_responses(
        pd.DataFrame(
            {
                "player": "P1",
                "question_id": "q",
                "clue": [1, 2, 3],
                "position": [1, 2, 3],
                "guess": "g",
                "buzz": False,
            }
        ),
        pd.Series([Y, N, U], dtype="boolean"),
    )
    assert responses["correct"].tolist() == [True, False, True]
    assert responses["backfilled"].tolist() == [False, False, True]
    assert [(f.finding, f.place) for f in findings] == [("right, then wrong", "P1, q")]


QUESTIONS = pd.DataFrame(
    {
        "question_id": ["q2"],
        "answerline": ["Richard Nixon"],
        "text": ["He resigned. Name this president."],
    }
)


def judged(said):
    """Survey answers of a player to a question of two sentences, and what is made of them."""
    clues = range(1, len(said) + 1)
    table = pd.DataFrame({"player": "a", "question_id": "q2", "clue": clues, "position": clues, "guess": said, "buzz": False})  # fmt: skip
    return table, survey.judge_survey(QUESTIONS, table, None, MODEL_FILE, "engine")


def test_a_survey_answer_is_judged_once():
    made = judged(["Nixon", "Nixon", None, "Kennedy"])[1]
    assert set(made) == {"survey_judgements", "survey_responses", "findings"}
    assert made["survey_judgements"]["verdict"].tolist() == ["accept", "reject"]


@pytest.mark.parametrize(
    ("said", "filled"),
    [
        # answers by clue, None for none; right or wrong at each, None where both or neither is told
        (["Nixon", None, "Kennedy"], [True, None, False]),
        (["Kennedy", None, "Nixon", None], [False, None, True, True]),
        ([None, "Kennedy", None], [False, False, None]),
    ],
)
def test_between_a_right_answer_and_a_wrong_one_nothing_is_filled_in(said, filled):
    rows, made = judged(said)
    table = made["survey_responses"]
    known = table["correct"].astype(object).where(table["correct"].notna(), None)
    assert known.tolist() == filled
    check = checks.filled_from_what_was_said
    assert check(table, rows, made["survey_judgements"]).failures == 0
    for odd in (not filled[0], None):
        wrong = table.assign(correct=table["correct"].where(table["clue"] > 1, odd))
        assert check(wrong, rows, made["survey_judgements"]).failures
    if None in filled:
        guessed = table.assign(correct=table["correct"].fillna(True), backfilled=table["guess"].isna())
        assert check(guessed, rows, made["survey_judgements"]).failures
