"""The kinds of guessers: one entry each, and a function that guesses.

To add one: a module in this room, an entry of :data:`KINDS`, and its name among the kinds of
``inputs/guessers`` in ``core/config.json``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pandas as pd


class Task(NamedTuple):
    """What a guesser works on: its entry of the configuration, the study's ``questions`` and past questions ``corpus`` (table
    past_questions, or None). ``segmentation``: it guesses at the clue ends of this; ``replies``: folder of stored replies."""

    guesser: dict
    questions: pd.DataFrame
    corpus: pd.DataFrame | None
    segmentation: str
    seed: int
    replies: str


class Kind(NamedTuple):
    """A kind of guesser. ``guess``: :class:`Task` → (lines of guesses on the study's questions, on past ones), as in a
    guesses file (format: ``config/README.md``); None if they come in a file. ``keys``: those of the guesser's entry that must
    have a value. ``endpoint``: whether it sends requests, which have a plan and a price. ``retrieves``, ``past``: entry →
    whether it needs past questions, whether it guesses on them."""

    guess: Callable[[Task], tuple[list[dict], list[dict]]] | None
    keys: tuple[str, ...] = ()
    endpoint: bool = False
    retrieves: Callable[[dict], bool] = lambda guesser: False
    past: Callable[[dict], bool] = lambda guesser: False


def _tfidf(task: Task) -> tuple[list[dict], list[dict]]:
    """:func:`.tfidf.guesses`, whose libraries load only here."""
    from .tfidf import guesses

    return guesses(task)


def _openai(task: Task) -> tuple[list[dict], list[dict]]:
    """:func:`.openai.guesses`, whose libraries load only here."""
    from .openai import guesses

    return guesses(task)


KINDS = {
    "tfidf": Kind(_tfidf, retrieves=lambda guesser: True, past=lambda guesser: True),
    "openai": Kind(
        _openai,
        keys=("base_url", "model"),
        endpoint=True,
        retrieves=lambda guesser: bool(guesser["examples"] or guesser["past_questions"]),
        past=lambda guesser: bool(guesser["past_questions"]),
    ),
    "file": Kind(None, keys=("path",)),
}


def endpoints() -> str:
    """Names of the kinds that send requests, joined by " or "."""
    return " or ".join(name for name, kind in KINDS.items() if kind.endpoint)


def run_guesser(
    guesser: dict,
    questions: pd.DataFrame,
    corpus: Path | None,
    replies: str,
    primary_segmentation: str,
    seed: int,
) -> dict[str, str]:
    """``guesses`` and ``past`` → JSON Lines of guesses on the study's and past questions ('' without any) by
    the kind of the entry ``guesser``, at the clue ends of :func:`.prompts.guessing_segmentation`. ``corpus``:
    file of past questions or None; ``replies``: folder of stored replies; ``seed``: of samples and folds."""
    from .corpus import parse_past_questions
    from .prompts import guessing_segmentation

    past = parse_past_questions(corpus) if corpus else None
    task = Task(guesser, questions, past, guessing_segmentation(primary_segmentation), seed, replies)
    guesses = KINDS[guesser["kind"]].guess(task)
    texts = ("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines) for lines in guesses)
    return dict(zip(("guesses", "past"), texts, strict=True))
