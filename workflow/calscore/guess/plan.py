"""Requests, tokens and price before anything is sent: as a table, and in words."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ..choices import asking, reading, sending
from ..core import config
from . import ask, corpus, replystore
from .kinds import KINDS, endpoints


def of_questions(
    questions, past: Path | None, guessers: list[dict], primary_segmentation: str, seed: int
) -> dict:
    """The plan of guessers that are asked the questions of a study, and ``past`` ones."""
    known = corpus.parse_questions(past) if past else None
    asked = [ask.requests(one, questions, known, primary_segmentation, seed) for one in guessers]
    return {"plan": pd.concat([ask.plan(*one) for one in zip(guessers, asked, strict=True)])}


def of_requests(requests: list[Path], guessers: list[dict]) -> dict:
    """The plan of files of requests, each with the guesser that is sent it."""
    plans = []
    for guesser, path in zip(guessers, requests, strict=True):
        rows = asking.read_lines(path, asking.REQUEST_KEYS)
        plans.append(ask.plan(guesser, {path.stem: sending.requests(guesser, rows)}))
    return {"plan": pd.concat(plans)}


def _stored(guesser: dict, inputs: dict) -> dict:
    return replystore.stored(replystore.path(inputs["replies"], guesser["name"]))


def _clues(entry: dict, questions: Path, past: Path | None):
    """(guesser, requests by set) for each guesser of a study of live buzzes."""
    from ..core import store

    options = entry["options"]
    given = store.read(questions), corpus.parse_questions(past) if past else None
    for guesser in entry["inputs"]["guessers"]:
        if KINDS[guesser["kind"]].endpoint:
            asked = ask.requests(guesser, *given, options["primary_segmentation"], options["seed"])
            yield guesser, asked


def _answers(entry: dict, questions: Path, planned: dict[str, Path]):
    """(guesser, requests by file) for each guesser of a study of answer options.

    ``questions``: its raw file; ``planned``: name → file of requests that need no replies.
    """
    inputs = entry["inputs"]
    guessers = {one["name"]: one for one in inputs["guessers"]}
    by_guesser: dict = {}
    for errand in config.errands(inputs):
        guesser = guessers[errand.guesser]
        file = planned["option" if errand.awaits else errand.requests]
        rows = asking.read_lines(file, asking.REQUEST_KEYS)
        if errand.awaits:
            awaited = guessers[errand.awaits]
            given = sending.replies(sending.requests(awaited, rows), _stored(awaited, inputs))
            longest = awaited["max_tokens"] * awaited["chars_per_token"]
            answers = sending.foreseen(rows, given, longest)
            known, _ = reading.read_questions(questions)
            rows = asking.plan_verdicts(answers, known, asking.prompt("judge"))
        asked = by_guesser.setdefault(errand.guesser, {})
        asked[f"{errand.requests}_requests"] = sending.requests(guesser, rows)
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
        iter(given or []) for given in (questions, corpora, folders, requests)
    )
    for study, entry in studies.items():
        inputs = entry["inputs"]
        if "options" in entry["analyses"]:
            names = [one.requests for one in config.errands(inputs) if not one.awaits]
            planned = {name: next(requests) for name in names}
            asked = _answers(entry, next(folders) / files[study], planned)
        else:
            asked = _clues(entry, next(questions), next(corpora) if inputs["corpus"] else None)
        for guesser, by_set in asked:
            print(ask.say_plan(guesser, by_set, set(_stored(guesser, inputs))), flush=True)
