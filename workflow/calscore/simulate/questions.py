"""Texts, categories and answers of the simulated study, and where their clues end."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
from numpy.random import Generator

from ..clues import segment
from .knowledge_model import quantiles
from .vocabulary import Answer, Category, answer_bank, sentences, word_list

SEGMENTATION = "sentence-100"


def _pick(rng: Generator, options: Sequence) -> object:
    """One of ``options``, a sequence, at random."""
    return options[int(rng.integers(len(options)))]


_PERSON = ("{} {}{}", ("first", "family", "family_end"))
_PLACE = ("{}{}", ("place", "place_end"))
_TITLE = ("The {} {}", ("adjectives", "nouns"))
_SLOTS = {
    "P": _PERSON,
    "Q": _PERSON,
    "F": ("{}{}", ("family", "family_end")),
    "L": _PLACE,
    "M": _PLACE,
    "W": _TITLE,
    "V": _TITLE,
    "o": ("{}", ("objects",)),
    "z": ("{}", ("months",)),
}
"""Slots of a clue: how a filler is put together, and of words from which lists."""

_NUMBERS = {"n": (3, 90), "y": (1610, 1900)}
"""Slots of a number: from, and below."""


@cache
def _ranges() -> tuple[list[int], list[int]]:
    """Lower bounds (included) and upper bounds (excluded) of the draws of :func:`_slot_fillers`."""
    sizes = [len(word_list("grace", name)) for _, whats in _SLOTS.values() for name in whats]
    low, high = zip(*((0, size) for size in sizes), *_NUMBERS.values(), strict=True)
    return list(low), list(high)


def _slot_fillers(rng: Generator) -> dict[str, object]:
    """Slot of a clue → a fresh filler: names of people, families, places and titles, and numbers."""
    drawn = iter(rng.integers(*_ranges()).tolist())
    names = {
        slot: form.format(*(word_list("grace", name)[next(drawn)] for name in whats))
        for slot, (form, whats) in _SLOTS.items()
    }
    return names | {slot: next(drawn) for slot in _NUMBERS}


def _lower_first(template: str) -> str:
    """The template after an opening: its first letter in lower case, unless a name or title is first."""
    if template.startswith("{K}"):
        return "{k}" + template[3:]
    return template if template[0] in "{“" else template[0].lower() + template[1:]


def _draft(rng: Generator, answer: Answer, templates: list[str]) -> str:
    """Text of a question: an opening, sentences with random names and tails, a closing that asks for the answer."""
    parts = []
    for i, template in enumerate(templates):
        if i == 0:
            template = _pick(rng, sentences()["openings"]) + _lower_first(template)
        if rng.random() < 0.55:
            template += _pick(rng, sentences()["tails"])
        parts.append(template + ".")
    parts.append(_pick(rng, sentences()["closings"]))
    nouns = {"k": answer.noun, "K": "T" + answer.noun[1:], "c": answer.closing}
    return " ".join(part.format(**_slot_fillers(rng), **nouns) for part in parts)


def _question_text(rng: Generator, answer: Answer, used: list[str], target: float) -> str:
    """Text of one question: of twelve drafts the one nearest ``target`` characters. ``used``: clues that
    other questions with this answer have; it grows, and is emptied when few are left."""
    fresh = [clue for clue in sentences()["clues"][answer.kind] if clue not in used]
    drafts = []
    for count in (3, 4, 4, 5, 3, 4, 4, 5, 4, 4, 4, 5):
        order = rng.permutation(len(fresh))[:count]
        templates = [fresh[i] for i in order]
        drafts.append((_draft(rng, answer, templates), templates))
    text, templates = min(drafts, key=lambda draft: abs(len(draft[0]) - target))
    used += templates
    if len(used) > len(sentences()["clues"][answer.kind]) - 5:
        used.clear()
    return text


def draw_questions(rng: Generator, values: dict) -> tuple[pd.DataFrame, list[tuple[Category, Answer]]]:
    """(table ``questions`` of :class:`.grace.Study`, (category, answer) of the bank behind each row), in order of question_id.

    A question's category is spelled as its packet spells it.
    """
    packets, per_packet = values["packets"], values["questions_per_packet"]
    categories = list(answer_bank())
    assigned = []
    for options in answer_bank().values():
        order = np.arange(packets) % len(options)
        assigned.append([options[i] for i in rng.permutation(order)])
    used: dict[str, list[str]] = {}
    indices = rng.permutation(packets * per_packet)
    mean, sd = values["text_chars_mean"], values["text_chars_sd"]
    targets = quantiles(rng, mean, sd, len(indices))
    rows, entries = [], []
    for packet in range(1, packets + 1):
        for number, slot in enumerate(rng.permutation(len(categories))[:per_packet], start=1):
            category, answer = categories[slot], assigned[slot][packet - 1]
            text = _question_text(rng, answer, used.setdefault(answer.name, []), targets[len(rows)])
            rows.append(
                {
                    "question_id": f"p{packet:02d}-q{number:02d}",
                    "packet": packet,
                    "number": number,
                    "tossup_index": int(indices[len(rows)]),
                    "category": category.other if packet in category.packets else category.name,
                    "text": text,
                    "answer": answer.line,
                    "n_words": len(text.split()),
                }
            )
            entries.append((category, answer))
    return pd.DataFrame(rows), entries


def clue_ends(questions: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """(words heard at each clue's end, mask of real clues), both questions × clues; rows are padded with their last end."""
    clues = segment.cut_questions(questions, [SEGMENTATION]).pivot(
        index="question_id", columns="clue", values="end_word"
    )
    clues = clues.reindex(questions["question_id"])
    return clues.ffill(axis=1).to_numpy(dtype=int), clues.notna().to_numpy()
