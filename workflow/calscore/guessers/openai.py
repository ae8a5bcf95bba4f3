"""What a guesser of kind ``openai`` will send, what that costs, and the guesses that its replies make."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import TYPE_CHECKING

from ..core import store
from ..core.errors import DataError
from ..raw.parse_replies import read_answer

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from .prompts import Request


def request_parameters(guesser: dict, elicitation: str) -> dict:
    """What a ``guesser`` (its entry of the configuration) sends beside model and prompt: temperature 0, ``max_tokens``, ``seed``
    if set; for ``elicitation`` logit also log-probabilities and ``stop`` if set. ``extra`` overrides them; null is left out."""
    sent = {"temperature": 0, "max_tokens": guesser["max_tokens"]}
    if guesser["seed"] is not None:
        sent["seed"] = guesser["seed"]
    if elicitation == "logit":
        sent["logprobs"] = True if guesser["api"] == "chat" else 1
        if guesser["stop"]:
            sent["stop"] = guesser["stop"]
    return {name: value for name, value in (sent | guesser["extra"]).items() if value is not None}


def sample_questions(questions: pd.DataFrame, count: int, seed: int) -> pd.DataFrame:
    """``count`` of the past questions (all if there are fewer), drawn with ``seed``, in their original order."""
    import numpy as np

    chosen = np.random.default_rng(seed).permutation(len(questions))[:count]
    return questions.iloc[np.sort(chosen)].reset_index(drop=True)


def guesser_requests(
    guesser: dict, questions, corpus, segmentation: str, seed: int
) -> dict[str, list[Request]]:
    """Set → requests of a guesser at every clue end and elicitation: ``study``; ``past`` if it is asked past
    questions (drawn by ``seed``). ``guesser``: its configuration; ``corpus``: past_questions or None;
    clues end by :func:`calscore.guessers.prompts.guessing_segmentation` of ``segmentation``."""
    from ..clues import segment
    from .prompts import guesser_templates, guessing_segmentation, prompt_requests
    from .retrieval import Retriever

    segmentation = guessing_segmentation(segmentation)
    retriever = Retriever(corpus) if corpus is not None and guesser["examples"] else None
    forms = guesser_templates(guesser)
    sent = {elicitation: request_parameters(guesser, elicitation) for elicitation in forms}
    sets = {"study": questions}
    if guesser["past_questions"]:
        sets["past"] = sample_questions(corpus, guesser["past_questions"], seed)
    return {
        name: prompt_requests(table, segment.cut_questions(table, [segmentation]), retriever, forms, guesser["model"], sent, guesser["examples"])
        for name, table in sets.items()
    }  # fmt: skip


def request_plan(
    guesser: dict, by_set: dict[str, list[Request]], stored: Collection[str] = frozenset()
) -> pd.DataFrame:
    """Table plan: a row for each set of requests and elicitation, counting those whose key is not in ``stored``. Tokens are
    estimated from characters (``chars_per_token``), completions at their limit, so that the price is an upper estimate.
    Prices are per million tokens; equal requests cost once."""
    import pandas as pd

    prices, rows = guesser["prices"], []
    for name, requests in by_set.items():
        for elicitation in dict.fromkeys(r.elicitation for r in requests):
            keyed = [(r.key, r) for r in requests if r.elicitation == elicitation]
            unanswered = [(key, r) for key, r in keyed if key not in stored]
            distinct = dict(unanswered)
            prompt = sum(-(-len(r.prompt) // guesser["chars_per_token"]) for r in distinct.values())
            completion = len(distinct) * guesser["max_tokens"]
            cost = (prompt * prices["input"] + completion * prices["output"]) / 1e6
            rows.append(
                (guesser["name"], elicitation, name, len(unanswered), len(distinct), int(prompt), int(completion), cost, prices["currency"])
            )  # fmt: skip
    return pd.DataFrame(rows, columns=store.columns("plan"))


def format_plan(guesser: dict, by_set: dict[str, list[Request]], stored: set[str]) -> str:
    """Text for the user before anything is sent: a line for each set of questions and elicitation, then the total. A line
    counts the requests of ``by_set`` whose key is not in ``stored``, their estimated tokens and their highest price."""
    table = request_plan(guesser, by_set, stored)
    lines = [
        f"{guesser['name']}: {row.requests} requests to {guesser['model']} ({row.elicitation}, {row.questions}),"
        f" about {row.prompt_tokens} prompt tokens and at most {row.completion_tokens_at_most} completion tokens:"
        f" at most {row.price_at_most:.4f} {row.currency}"
        for row in table.itertuples()
    ]
    n_stored = sum(r.key in stored for requests in by_set.values() for r in requests)
    lines.append(
        f"{guesser['name']}: {n_stored} more are stored and cost nothing; in all at most"
        f" {table['price_at_most'].sum():.4f} {guesser['prices']['currency']}"
    )
    return "\n".join(lines)


def guess_logprobs(guess: str | None, tokens: list[tuple[str, float]]) -> list[float]:
    """Log-probabilities of those ``tokens`` (text, log-probability) that overlap the first occurrence of ``guess``, but for
    white space; of all if it does not occur (None never does)."""
    texts = [token for token, _ in tokens]
    start = "".join(texts).find(guess) if guess else -1
    if start < 0:
        return [p for _, p in tokens]
    logprobs, position = [], 0
    for text, (_, p) in zip(texts, tokens, strict=True):
        if position < start + len(guess) and position + len(text) > start and text.strip():
            logprobs.append(p)
        position += len(text)
    return logprobs or [p for _, p in tokens]


def finish_reason(reply: dict, elicitation: str) -> str | None:
    """Why a stored ``reply`` ended, as the endpoint says (None if it does not); "reasoning" or "tool_calls" if it has one of
    these and no text. A logit reply with a second line is "stop", as its answer, the first line, was not cut."""
    if not reply["text"]:
        alone = next((name for name in ("tool_calls", "reasoning") if reply.get(name)), None)
        return alone or reply.get("finish_reason")
    if elicitation == "logit" and "\n" in reply["text"].strip():
        return "stop"
    return reply.get("finish_reason")


def guess_line(name: str, request: Request, reply: dict) -> dict:
    """One line of the guesses file (format: ``config/README.md``) of the guesser ``name``: model, elicitation, question_id,
    position, finish_reason, reply_key. From a stored ``reply``, verbalized ones add the text as ``raw``; logit ones add
    ``guess`` and its ``token_logprobs``, or ``confidence`` 0 without tokens."""
    line = {
        "model": name,
        "elicitation": request.elicitation,
        "question_id": request.question_id,
        "position": request.position,
        "finish_reason": finish_reason(reply, request.elicitation),
        "reply_key": request.key,
    }
    if request.elicitation == "verbalized":
        return line | {"raw": reply["text"]}
    guess = read_answer(reply["text"]).guess
    # A reply without any text has no token either; it believes in no answer.
    tokens = guess_logprobs(guess, reply["tokens"]) if reply["tokens"] else None
    believed = {"token_logprobs": tokens} if tokens else {"confidence": 0.0}
    return line | {"guess": guess} | believed


def check_limit(guesser: dict, by_set: dict[str, list[Request]], stored: set[str]) -> None:
    """``DataError`` if the requests without a stored reply may cost more than ``price_limit`` of ``guesser`` (None: no limit)."""
    if guesser["price_limit"] is None:
        return
    cost = float(request_plan(guesser, by_set, stored)["price_at_most"].sum())
    if cost > guesser["price_limit"]:
        expected = f"at most {guesser['price_limit']} {guesser['prices']['currency']} (price_limit); nothing was sent"
        raise DataError.at(guesser["name"], "", "price_at_most", round(cost, 4), expected)


def send_requests(guesser: dict, by_set: dict[str, list], folder: Path | str) -> dict[str, dict]:
    """Send the requests to which the guesser's store in ``folder`` has no reply; return key → reply of all in the store. The
    plan is printed first; ``DataError`` if it may exceed ``price_limit``."""
    from . import openai_client, replystore

    with replystore.open_store(replystore.store_path(folder, guesser["name"])) as reply_store:
        stored = set(reply_store.replies)
        print(format_plan(guesser, by_set, stored), file=sys.stderr, flush=True)
        check_limit(guesser, by_set, stored)
        openai_client.ask_endpoint(guesser, by_set, reply_store)
        return reply_store.replies


def guesses(task) -> tuple[list[dict], list[dict]]:
    """(lines of guesses on the study's questions, lines on past ones), each as :func:`guess_line`, of a
    :class:`.registry.Task`, in the order of the requests. Requests without a stored reply are sent."""
    guesser = task.guesser
    inputs = task.questions, task.corpus, task.segmentation, task.seed
    by_set = guesser_requests(guesser, *inputs)
    replies = send_requests(guesser, by_set, task.replies)
    return tuple(
        [guess_line(guesser["name"], request, replies[request.key]) for request in by_set.get(name, [])]
        for name in ("study", "past")
    )
