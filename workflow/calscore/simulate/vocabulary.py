"""What simulated studies are made of: words, sentences, answers, parameters (``calscore/data/simulate``)."""

import json
from dataclasses import dataclass
from functools import cache

from ..core import catalog
from ..core.package import DATA

FOLDER = DATA / "simulate"


@dataclass(frozen=True)
class Answer:
    """One answer of the bank: ``kind`` chooses its clues, ``noun`` is "this …", ``line`` its answer line,
    ``closing`` ends its question, ``right`` accepted forms, name first, ``near`` look-alikes."""

    name: str
    kind: str
    noun: str
    line: str
    closing: str
    right: tuple[str, ...]
    near: tuple[str, ...]


@dataclass(frozen=True)
class Category:
    """A category as the release writes it, its other spelling (or None) and the packets that use that one."""

    name: str
    other: str | None
    packets: tuple[int, ...]


def _category(row: str) -> Category:
    """The category of a line ``## name | other spelling | packets`` of the bank."""
    name, *other = row.removeprefix("## ").split(" | ")
    return Category(name, other[0], tuple(map(int, other[1].split()))) if other else Category(name, None, ())


@cache
def answer_bank() -> dict[Category, list[Answer]]:
    """Category → its answers, in the order of the file."""
    answers: dict[Category, list[Answer]] = {}
    text = (FOLDER / "answers.txt").read_text(encoding="utf-8")
    rows = iter(row for row in text.splitlines() if not row.startswith("# ") and row != "#")
    for row in rows:
        if row.startswith("## "):
            group = answers.setdefault(_category(row), [])
            continue
        name, description, directives = (part.strip() for part in row.split("|"))
        closing, right, near = (next(rows)[2:] for _ in "=+-")
        group.append(
            Answer(
                name=name,
                kind=description[0],
                noun=description[2:],
                line=f"{name} [{directives}]" if directives else name,
                closing=closing,
                right=(name, *right.split("; ")),
                near=tuple(near.split("; ")),
            )
        )
    return answers


@cache
def sentences() -> dict:
    """Templates of questions: lists ``openings``, ``tails`` and ``closings``, and ``clues``: kind of answer → list."""
    return json.loads((FOLDER / "sentences.json").read_text(encoding="utf-8"))


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    """Simulator → name of a list → its words."""
    return json.loads((FOLDER / "words.json").read_text(encoding="utf-8"))


@cache
def defaults() -> dict[str, dict]:
    """Simulator → default parameters; also ``grace_sizes``, and ``bounds`` of all."""
    return catalog.read_yaml(FOLDER / "parameters.yaml")


def word_list(world: str, name: str) -> list[str]:
    """Words of the list ``name`` of the simulator ``world`` (grace, choices, irt, tournament); ``KeyError`` for another."""
    return _words()[world][name]
