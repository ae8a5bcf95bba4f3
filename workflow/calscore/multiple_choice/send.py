"""Requests on their way to guessers, and replies back; requests, tokens and price before anything is sent."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ..core import store
from ..guessers import corpus, openai, replystore
from ..guessers.prompts import Request
from ..guessers.registry import KINDS, endpoints
from . import errands, option_files, option_requests

ELICITATION = "plain"
"""The prompt as it stands: no examples, no log-probabilities, no end before the limit of tokens."""


def requests(guesser: dict, rows: list[dict]) -> list[Request]:
    """A :class:`Request` to ``guesser`` (its configuration) for each of ``rows`` (dicts of id, prompt)."""
    sent = openai.request_parameters(guesser, ELICITATION)
    return [Request(ELICITATION, row["id"], None, guesser["model"], row["prompt"], sent) for row in rows]


def replies(requests: list[Request], stored: dict[str, dict]) -> list[dict]:
    """{id, reply} of each request that has a stored reply, in their order; ``stored``: key → reply, with ``text``."""
    keyed = [(request.question_id, request.key) for request in requests]
    return [{"id": id_, "reply": stored[key]["text"]} for id_, key in keyed if key in stored]


def requests_of_file(guesser: dict, path: Path) -> dict[str, list[Request]]:
    """{name of the file without its ending: its requests as they are sent to ``guesser``}; ``path``: JSON Lines (id, prompt)."""
    return {path.stem: requests(guesser, option_requests.read_lines(path, "prompt"))}


def send_requests(request_file: Path, guesser: dict, folder: str) -> dict[str, str]:
    """{"reply_file": JSON Lines} with id and reply of the ``guesser``'s replies to a file of requests. What is stored in
    ``folder`` is not asked again; new replies are stored there."""
    by_file = requests_of_file(guesser, request_file)
    stored = openai.send_requests(guesser, by_file, folder)
    return {"reply_file": option_requests.lines(replies(by_file[request_file.stem], stored))}


def plan_questions(
    questions: pd.DataFrame, past: Path | None, guessers: list[dict], primary_segmentation: str, seed: int
) -> dict[str, pd.DataFrame]:
    """{"plan": table} of all :func:`clue_requests` with ``primary_segmentation``, as if nothing were stored."""
    asked = clue_requests(guessers, questions, past, primary_segmentation, seed)
    return {"plan": pd.concat([openai.request_plan(*each) for each in asked])}


def plan_requests(request_files: list[Path], guessers: list[dict]) -> dict[str, pd.DataFrame]:
    """{"plan": table}, a row per file that has requests, with their price, none stored; each goes to the guesser at its place."""
    plans = [
        openai.request_plan(guesser, requests_of_file(guesser, path))
        for guesser, path in zip(guessers, request_files, strict=True)
    ]
    return {"plan": pd.concat(plans)}


def clue_requests(
    guessers: list[dict], questions: pd.DataFrame, past: Path | None, segmentation: str, seed: int
) -> Iterator[tuple[dict, dict[str, list[Request]]]]:
    """Yields (guesser, set → its :func:`.openai.guesser_requests`) for each guesser: set "study", and "past" if it is asked those."""
    tables = questions, corpus.parse_past_questions(past) if past else None
    for guesser in guessers:
        yield guesser, openai.guesser_requests(guesser, *tables, segmentation, seed)


def worst_case_answers(rows: list[dict], replies: list[dict], longest: int) -> list[dict]:
    """Answers to the requests ``rows`` that a judge will see: those in ``replies`` (:func:`.option_requests.parse_answers`), and
    for others {id, row, predicted_answer}, of ``longest`` characters and like no other. Their price is an upper estimate."""
    answers, _ = option_requests.parse_answers(rows, replies, "")
    answered = {reply["id"] for reply in replies}
    return answers + [
        {"id": row["id"], "row": row["row"], "predicted_answer": row["id"].ljust(longest, "x")}
        for row in rows
        if row["id"] not in answered
    ]


def _stored(guesser: dict, inputs: dict) -> dict[str, dict]:
    """Key of a request → its reply, of all that is stored for the guesser."""
    return replystore.stored_replies(replystore.store_path(inputs["replies"], guesser["name"]))


def _on_options(
    inputs: dict, questions: Path, planned: dict[str, Path]
) -> list[tuple[dict, dict[str, list[Request]]]]:
    """[(guesser, name of a file → its requests)] of a study of answer options, for each guesser that is sent any.
    ``questions``: its raw file; ``planned``: name → file of requests that need no replies. Replies to come are worst cases."""
    guessers = {guesser["name"]: guesser for guesser in inputs["guessers"]}
    by_guesser: dict = {}
    for errand in errands(inputs):
        file = planned["option" if errand.awaits else errand.requests]
        rows = option_requests.read_lines(file, "prompt")
        if errand.awaits:
            awaited = guessers[errand.awaits]
            answers = worst_case_answers(
                rows,
                replies(requests(awaited, rows), _stored(awaited, inputs)),
                awaited["max_tokens"] * awaited["chars_per_token"],
            )
            table, _ = option_files.read_questions(questions)
            rows = option_requests.plan_verdicts(answers, table)
        by_file = by_guesser.setdefault(errand.guesser, {})
        by_file[f"{errand.requests}_requests"] = requests(guessers[errand.guesser], rows)
    return [(guessers[name], by_file) for name, by_file in by_guesser.items()]


def print_plan(
    studies: dict[str, dict],
    questions: list[Path] | None,
    corpora: list[Path] | None,
    folders: list[Path] | None,
    request_files: list[Path] | None,
    files: dict[str, str],
) -> None:
    """Print what the guessers of the studies would be sent now and what it would cost; send nothing. ``studies``: name →
    configuration. In their order: ``questions`` (tables) and ``corpora`` of those of live buzzes (with past questions); of
    those of answer options raw ``folders`` and ``request_files``. ``files``: study of options → name of its question file."""
    if not studies:
        print(f"No study has a guesser of kind {endpoints()}: nothing would be sent.")
    questions, corpora, folders, request_files = (
        iter(argument or []) for argument in (questions, corpora, folders, request_files)
    )
    for study, entry in studies.items():
        inputs = entry["inputs"]
        if "options" in entry["analyses"]:
            names = [errand.requests for errand in errands(inputs) if not errand.awaits]
            planned = {name: next(request_files) for name in names}
            by_guesser = _on_options(inputs, next(folders) / files[study], planned)
        else:
            asked = [each for each in inputs["guessers"] if KINDS[each["kind"]].endpoint]
            past = next(corpora) if inputs["corpus"] else None
            about = (entry["options"][name] for name in ("primary_segmentation", "seed"))
            by_guesser = clue_requests(asked, store.read(next(questions)), past, *about)
        for guesser, by_set in by_guesser:
            print(openai.format_plan(guesser, by_set, set(_stored(guesser, inputs))), flush=True)
