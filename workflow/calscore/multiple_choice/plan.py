"""Requests, tokens and price before anything is sent: as a table, and in words."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ..guessers import corpus, openai, replystore
from ..guessers.registry import KINDS, endpoints
from . import option_files, option_requests, send
from .errands import errands


def of_questions(
    questions, past: Path | None, guessers: list[dict], primary_segmentation: str, seed: int
) -> dict:
    """The plan of guessers that are asked the questions of a study, and ``past`` ones."""
    past_questions = corpus.parse_questions(past) if past else None
    by_set = [
        openai.guesser_requests(guesser, questions, past_questions, primary_segmentation, seed)
        for guesser in guessers
    ]
    return {
        "plan": pd.concat(
            [openai.request_plan(*pair) for pair in zip(guessers, by_set, strict=True)]
        )
    }


def of_requests(requests: list[Path], guessers: list[dict]) -> dict:
    """The plan of files of requests, each with the guesser that is sent it."""
    plans = []
    for guesser, path in zip(guessers, requests, strict=True):
        rows = option_requests.read_lines(path, option_requests.REQUEST_KEYS)
        plans.append(openai.request_plan(guesser, {path.stem: send.requests(guesser, rows)}))
    return {"plan": pd.concat(plans)}


def _stored(guesser: dict, inputs: dict) -> dict:
    return replystore.stored_replies(replystore.store_path(inputs["replies"], guesser["name"]))


def _clues(entry: dict, questions: Path, past: Path | None):
    """(guesser, requests by set) for each guesser of a study of live buzzes."""
    from ..core import store

    options = entry["options"]
    tables = store.read(questions), corpus.parse_questions(past) if past else None
    for guesser in entry["inputs"]["guessers"]:
        if KINDS[guesser["kind"]].endpoint:
            by_set = openai.guesser_requests(
                guesser, *tables, options["primary_segmentation"], options["seed"]
            )
            yield guesser, by_set


def _answers(entry: dict, questions: Path, planned: dict[str, Path]):
    """(guesser, requests by file) for each guesser of a study of answer options.

    ``questions``: its raw file; ``planned``: name → file of requests that need no replies.
    """
    inputs = entry["inputs"]
    guessers = {guesser["name"]: guesser for guesser in inputs["guessers"]}
    by_guesser: dict = {}
    for errand in errands(inputs):
        guesser = guessers[errand.guesser]
        file = planned["option" if errand.awaits else errand.requests]
        rows = option_requests.read_lines(file, option_requests.REQUEST_KEYS)
        if errand.awaits:
            awaited = guessers[errand.awaits]
            replies = send.replies(send.requests(awaited, rows), _stored(awaited, inputs))
            longest = awaited["max_tokens"] * awaited["chars_per_token"]
            answers = send.worst_case_answers(rows, replies, longest)
            table, _ = option_files.read_questions(questions)
            rows = option_requests.plan_verdicts(answers, table, option_requests.prompt("judge"))
        by_file = by_guesser.setdefault(errand.guesser, {})
        by_file[f"{errand.requests}_requests"] = send.requests(guesser, rows)
    return [(guessers[name], by_file) for name, by_file in by_guesser.items()]


def say(
    studies: dict[str, dict],
    questions: list[Path] | None,
    corpora: list[Path] | None,
    folders: list[Path] | None,
    requests: list[Path] | None,
    files: dict[str, str],
) -> None:
    """Print what the guessers of the studies would be sent now and what it would cost; send nothing.

    In the order of ``studies``: ``questions`` and ``corpora`` of those of live buzzes (with past questions);
    of those of answer options raw ``folders`` with the question file ``files`` and the files of requests.
    """
    if not studies:
        print(f"No study has a guesser of kind {endpoints()}: nothing would be sent.")
    questions, corpora, folders, requests = (
        iter(argument or []) for argument in (questions, corpora, folders, requests)
    )
    for study, entry in studies.items():
        inputs = entry["inputs"]
        if "options" in entry["analyses"]:
            names = [errand.requests for errand in errands(inputs) if not errand.awaits]
            planned = {name: next(requests) for name in names}
            by_guesser = _answers(entry, next(folders) / files[study], planned)
        else:
            by_guesser = _clues(entry, next(questions), next(corpora) if inputs["corpus"] else None)
        for guesser, by_set in by_guesser:
            print(openai.format_plan(guesser, by_set, set(_stored(guesser, inputs))), flush=True)
