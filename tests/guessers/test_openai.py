"""Requests of an endpoint: their plan and price, what a reply becomes."""

import json

import pytest
from calscore.core.errors import DataError
from calscore.guessers import openai
from endpoint import FREE, request
from past_questions import made_corpus


def test_a_sample_of_past_questions_is_the_same_each_time():
    table = made_corpus()
    first = openai.sample_questions(table, 10, 1)
    assert len(first) == 10
    assert first.equals(openai.sample_questions(table, 10, 1))
    assert not first.equals(openai.sample_questions(table, 10, 2))
    assert len(openai.sample_questions(table, 999, 1)) == 60


def guesser(**changes):
    return {
        "name": "mine",
        "model": "m",
        "elicitations": ["logit", "verbalized"],
        "max_tokens": 10,
        "seed": None,
        "api": "chat",
        "stop": ["\n"],
        "extra": {},
        "chars_per_token": 4,
        "prices": FREE,
        "price_limit": None,
    } | changes


def test_the_plan_counts_requests_tokens_and_price():
    requests = {"study": [request(i, e, max_tokens=10) for i in (1, 2) for e in ("logit", "verbalized")]}
    table = openai.request_plan(guesser(), requests)
    assert table["requests"].tolist() == [2, 2]
    assert table["prompt_tokens"].tolist() == [4, 4]  # "prompt 1" is 8 characters: 2 tokens
    assert table["completion_tokens_at_most"].tolist() == [20, 20]
    assert table["price_at_most"].tolist() == pytest.approx([(4 * 2 + 20 * 4) / 1e6] * 2)
    stored = {requests["study"][0].key}
    said = openai.format_plan(guesser(), requests, stored)
    assert "mine: 1 requests to m (logit" in said
    assert "1 more are stored" in said
    limited = guesser(price_limit=1e-5)
    with pytest.raises(DataError, match="price_limit"):
        openai.check_limit(limited, requests, set())
    openai.check_limit(limited, requests, {r.key for r in requests["study"]})


def test_log_probabilities_are_those_of_the_guess():
    tokens = [["The answer is: ", -0.9], ["Silas", -0.1], [" Marner", -0.2], [".", -0.7]]
    record = {"text": "The answer is: Silas Marner.", "tokens": tokens}
    line = openai.guess_line("mine", request(1), record)
    assert line["guess"] == "Silas Marner"
    assert line["token_logprobs"] == [-0.1, -0.2]
    assert openai.guess_line("mine", request(1), {"text": "Apollo 11", "tokens": [["Apollo", -0.1], [" 11", -0.2]]})["guess"] == "Apollo 11"  # fmt: skip
    nothing = openai.guess_line("mine", request(1), {"text": "", "tokens": None})
    assert nothing["guess"] is None
    assert nothing["confidence"] == 0.0
    spoken = openai.guess_line(
        "mine", request(1, "verbalized"), {"text": "x\nProbability: 1", "tokens": None}
    )
    assert spoken["raw"] == "x\nProbability: 1"
    assert json.loads(json.dumps(spoken)) == spoken


def test_parameters_per_elicitation():
    mine = guesser(seed=3, extra={"top_p": 1})
    assert openai.request_parameters(mine, "logit") == {"temperature": 0, "max_tokens": 10, "seed": 3, "logprobs": True, "stop": ["\n"], "top_p": 1}  # fmt: skip
    for elicitation in ("verbalized", "plain"):
        assert openai.request_parameters(mine, elicitation) == {"temperature": 0, "max_tokens": 10, "seed": 3, "top_p": 1}  # fmt: skip
    assert openai.request_parameters(guesser(api="completions"), "logit")["logprobs"] == 1
    other = {"temperature": None, "max_tokens": None, "max_completion_tokens": 9}
    assert openai.request_parameters(guesser(extra=other), "verbalized") == {"max_completion_tokens": 9}
