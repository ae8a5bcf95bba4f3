"""Replies read: shapes, what is unparsed, how much of each."""

import json

import pandas as pd
import pytest
from calscore.raw import parse_replies
from support import ROOT

SHAPES = [
    json.loads(line)
    for line in (ROOT / "tests" / "data" / "replies.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["reply"][:60])
def test_reply_shapes(shape):
    found = parse_replies.read_reply(shape["reply"])
    assert (found.guess, found.kind) == (shape["guess"], shape["kind"])
    assert found.probability == pytest.approx(shape["probability"]), shape["reply"]


@pytest.mark.parametrize(
    "reply",
    [
        "Ice 0.8-0.9",
        "Ice over 0.9",
        "Ice, between 80% and 90%",
        "Ice, 90% or more",
        "Ice 90%+",
        "Ice, up to 90%",
        "Ice, 80 ± 5%",
        "Ice, 80%, 90%",
        "Ice 0.8 ± 0.1",
        "Ice 0.8, 0.9",
        "Ice, 1,000",
        "Ice, 1,000%",
    ],
)
def test_ranges_bounds_and_several_numbers_are_no_probability(reply):
    assert parse_replies.read_reply(reply).probability is None


def test_numbers_of_a_title_are_no_second_probability():
    for reply in (
        "Catch-22 in 1961, 90%",
        "Catch-22 in 1961 (0.9)",
        "Catch 22, 90%",
        "Ice, 9 out of 10 (90%)",
    ):
        assert parse_replies.read_reply(reply).probability == 0.9


def test_an_answer_alone_keeps_its_numbers():
    for text in ("Apollo 11", "Symphony No. 9 0.5", "Catch 22 1"):
        assert parse_replies.read_answer(text).guess == text
    assert parse_replies.read_answer("The answer is: Silas Marner.").guess == "Silas Marner"
    assert parse_replies.read_answer("None").kind == "none"


def test_unparsed_replies_are_listed_and_counted():
    raws = [
        "A\nProbability: 0.5",
        "None\nProbability: 0",
        "I'm sorry.",
        "A\nProbability: high",
        None,
    ]
    table = pd.DataFrame(
        {
            "model": ["m"] * 4 + ["n"],
            "elicitation": "verbalized",
            "question_id": "p01-q01",
            "position": range(1, 6),
            "guess": ["A", None, None, "A", "B"],
            "sent": None,
            "raw": raws,
            "finish_reason": ["stop", "stop", "content_filter", "length", None],
            "source_row": [f"runs.jsonl#{n}" for n in range(1, 6)],
        }
    )
    counts, unparsed = parse_replies.reply_statistics(table)
    assert counts.to_dict("records") == [
        {"model": "m", "elicitation": "verbalized", "replies": 4, "parsed": 2, "answer": 2, "none": 1,
         "refusal": 1, "empty": 0, "without_probability": 2, "unparsed": 2,
         "cut": 1, "filtered": 1, "reasoning_only": 0, "tool_calls": 0, "guesses": 2, "read": 0, "escapes": 0, "json": 0, "wrapper": 0, "quotes": 0, "rest": 0, "nothing": 0}
    ]  # fmt: skip
    assert unparsed["reply"].tolist() == raws[2:4]


@pytest.mark.parametrize("unit", ["80%\n", "1/10 "])
def test_steps_grow_no_faster_than_the_reply(monkeypatch, unit):
    """Characters that are searched, at two lengths of a reply."""
    lengths, search = [], parse_replies.re.search

    def counted(pattern, text, *flags):
        lengths.append(len(text))
        return search(pattern, text, *flags)

    monkeypatch.setattr(parse_replies.re, "search", counted)
    sums = []
    for repeats in (100, 800):
        lengths.clear()
        parse_replies.read_reply(unit * repeats)
        sums.append(sum(lengths))
    assert sums[1] <= 10 * sums[0]
