"""Answers that a line lists with nothing but a stroke or a comma between them."""

from __future__ import annotations

import re

from .grammar import COMMA, OFF, ON
from .normalise import STOP, normal, plain_words
from .other_names import other_names
from .people import REGIONS, person_in
from .pieces import split, unmark


def _same_names(pieces: list[str]) -> bool:
    """Whether texts are other names of each other, by the list of those."""
    norms = [normal(unmark(p)) for p in pieces]
    others = {name for norm in norms for name in other_names(norm)}
    return all(not others.isdisjoint(norm.keys) for norm in norms)


def listed_in(text: str) -> list[str]:
    """The answers that a main answer lists with a stroke or comma alone: Burma/Myanmar; shingles, herpes zoster.

    Capitals between commas list a place, a person or parts of a title unless all is marked, or the
    names are known to be of one thing; small words that are marked in each answer list answers (kidneys,
    renal system), single words what belongs together.
    """
    if "/" in text and ON not in text:
        pieces = text.split("/")
        like = all(p.islower() for p in pieces) or all(p.istitle() or " " in p for p in pieces)
        named = all(re.fullmatch(r"[^\W\d_][^\d,:;/]{3,}", p) and p == p.strip() for p in pieces)
        if not (like and named and STOP.isdisjoint(plain_words(text).split())):
            return []
        return pieces
    pieces = split(text, COMMA) if ", " in text else []
    words = [unmark(p).split() for p in pieces]
    marked = all(p.count(ON) == 1 for p in pieces)
    whole = marked and all(p.startswith(ON) and p.endswith(OFF) for p in pieces)
    if len(pieces) < 2 or max(map(len, words)) > 4 or (ON in text and not marked):
        return []
    if any(some and some[0].casefold() in STOP for some in words):
        return []
    if _same_names(pieces):
        return pieces
    small = all(p[:1].islower() or p.isupper() for p in map(unmark, pieces))
    if max(map(len, words)) < 2 or re.search(r"\b\d", text):
        return []
    if small:
        return pieces if marked or STOP.isdisjoint(plain_words(text).split()) else []
    names = [person_in(unmark(p), ()) for p in pieces]
    if not whole or any(name and name.sure for name in names):
        return []
    return [] if any(plain_words(unmark(p)) in REGIONS for p in pieces) else pieces
