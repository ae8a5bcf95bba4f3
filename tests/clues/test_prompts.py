"""Texts to prompt with: up to each clue, with the words heard, without answers."""

import json

import pandas as pd
from calscore.clues import prompts

QUESTIONS = pd.DataFrame(
    {
        "question_id": ["p01-q01", "p01-q02"],
        "text": ["One two three four five.", "Six  seven “eight”."],
        "answerline": ["secret", "secret"],
    }
)


def test_a_line_for_each_clue_of_each_question():
    found = prompts.lines(QUESTIONS, ["given", "words-2"], "words-2")["prompts"]
    lines = [json.loads(line) for line in found.splitlines()]
    assert [(one["question_id"], one["clue"], one["clues"], one["position"]) for one in lines] == [
        ("p01-q01", 1, 3, 2),
        ("p01-q01", 2, 3, 4),
        ("p01-q01", 3, 3, 5),
        ("p01-q02", 1, 2, 2),
        ("p01-q02", 2, 2, 3),
    ]
    assert [one["text"] for one in lines[2:]] == [
        "One two three four five.",
        "Six  seven",
        "Six  seven “eight”.",
    ]
    assert "secret" not in found


def test_a_study_of_the_models_own_positions_has_the_default_cuts():
    found = prompts.lines(QUESTIONS, ["authors"], "authors")["prompts"]
    assert {json.loads(line)["segmentation"] for line in found.splitlines()} == {"sentence-100"}
