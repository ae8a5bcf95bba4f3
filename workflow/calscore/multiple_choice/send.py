"""Requests of :mod:`.option_requests` on their way to a guesser of the configuration, and its replies back."""

from __future__ import annotations

from pathlib import Path

from ..guessers import openai
from ..guessers.prompts import Request
from . import option_requests

ELICITATION = "plain"
"""The prompt as it stands: no examples, no log-probabilities, no end before the limit of tokens."""


def requests(guesser: dict, rows: list[dict]) -> list[Request]:
    """``rows`` (id, prompt) as they are sent to ``guesser``."""
    sent = openai.request_parameters(guesser, ELICITATION)
    return [
        Request(ELICITATION, row["id"], None, guesser["model"], row["prompt"], sent) for row in rows
    ]


def replies(requests: list[Request], stored: dict[str, dict]) -> list[dict]:
    """Replies (id, reply) in the order of the requests, as far as they are stored."""
    keyed = [(request.question_id, request.key) for request in requests]
    return [{"id": id_, "reply": stored[key]["text"]} for id_, key in keyed if key in stored]


def worst_case_answers(rows: list[dict], replies: list[dict], longest: int) -> list[dict]:
    """Answers that a judge will see: those of ``replies``, and for each that is still to come one of
    ``longest`` characters and like no other, so that what they cost is an upper estimate."""
    answers, _ = option_requests.parse(rows, replies, "")
    answered = {reply["id"] for reply in replies}
    return answers + [
        {"id": row["id"], "row": row["row"], "predicted_answer": row["id"].ljust(longest, "x")}
        for row in rows
        if row["id"] not in answered
    ]


def send_requests(request_file: Path, guesser: dict, folder: str) -> dict:
    """The ``guesser``'s replies to a file of requests, in their order; what is stored in ``folder`` is not asked again."""
    rows = requests(guesser, option_requests.read_lines(request_file, option_requests.REQUEST_KEYS))
    stored = openai.send_requests(guesser, {request_file.stem: rows}, folder)
    return {"reply_file": option_requests.lines(replies(rows, stored))}
