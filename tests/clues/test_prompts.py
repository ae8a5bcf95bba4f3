"""Texts to prompt with: up to each clue, with the words heard, without answers."""

import json

import pandas as pd
import pytest
from calscore.clues import prompts
from calscore.core.errors import DataError

QUESTIONS = pd.DataFrame(
    {
        "question_id": ["p01-q01", "p01-q02"],
        "text": ["One two three four five.", "Six  seven “eight”."],
        "answerline": ["secret", "secret"],
    }
)


def test_a_line_for_each_clue_of_each_question():
    found = prompts.prompt_lines(QUESTIONS, ["given", "words-2"], "words-2")["prompts"]
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
    found = prompts.prompt_lines(QUESTIONS, ["authors"], "authors")["prompts"]
    assert {json.loads(line)["segmentation"] for line in found.splitlines()} == {"sentence-100"}


def asked(tmp_path, positions, printed=(), segmentations=("words-2",)):
    """Guesses of a model of one's own at some words, beside those of a published one at word 3."""
    rows = [("M1", 3, "packet1.json#1"), *(("mine", at, f"mine.jsonl#{n}") for n, at in enumerate(positions, 1))]  # fmt: skip
    guesses = pd.DataFrame(rows, columns=["model", "position", "source_row"])
    sources = [{"path": str(tmp_path / "mine.jsonl"), "format": "jsonl"}, {"path": "x", "format": "model_output"}]  # fmt: skip
    return prompts.check_positions(QUESTIONS, guesses.assign(question_id="p01-q01"), sources, list(segmentations), segmentations[0], list(printed))  # fmt: skip


def test_a_position_in_no_prompt_is_refused_with_the_nearest(tmp_path):
    asked(tmp_path, [2, 4, 5])
    with pytest.raises(DataError, match=r"mine.jsonl, row 2, column position: found 3, expected a position in a prompt of p01-q01 \(nearest: 2\)") as error:  # fmt: skip
        asked(tmp_path, [2, 3, 1])
    assert [(fault.row, fault.value) for fault in error.value.faults] == [("2", 3), ("3", 1)]


def test_positions_of_published_models_count_where_clues_end_there(tmp_path):
    asked(tmp_path, [3], ["M1"], ["words-2", "given"])
    with pytest.raises(DataError, match="nearest: 2"):
        asked(tmp_path, [1], ["M1"], ["words-2", "given"])
    asked(tmp_path, [1], [], ["words-2", "given"])
