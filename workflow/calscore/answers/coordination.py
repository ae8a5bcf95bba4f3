"""Answers that a line or a clause lists: with "or", with nothing but a stroke or a comma between them."""

from __future__ import annotations

import re

from .grammar import (
    ABOUT,
    ANY_OR,
    COMMA,
    COMMA_ITEM,
    COMMA_OR,
    COMMA_QUOTE,
    MARKED,
    OFF,
    ON,
    OR,
)
from .lexicon import words
from .markup import split, unmark
from .normalise import STOP, plain_words


def split_coordination(text: str) -> list[str]:
    """The answers that a main answer lists with a stroke or comma alone: Burma/Myanmar; shingles, herpes zoster.

    Capitals between commas list a place or parts of a title, unless each piece is marked.
    """
    if "/" in text and ON not in text:
        pieces = text.split("/")
        named = all(re.fullmatch(r"[^\W\d_][^\d,:;/]{3,}", p) and p == p.strip() for p in pieces)
        like = all(p.islower() for p in pieces) or all(p.istitle() or " " in p for p in pieces)
        return pieces if like and named else []
    pieces = split(text, COMMA) if ", " in text else []
    words = [unmark(p).split() for p in pieces]
    marked = all(p.startswith(ON) and p.endswith(OFF) and p.count(ON) == 1 for p in pieces)
    small = all(map(str.islower, pieces)) and STOP.isdisjoint(plain_words(text).split())
    fit = len(pieces) > 1 and 1 < max(map(len, words)) < 5 and not re.search(r"\b\d", text)
    return pieces if fit and (marked or (small and ON not in text)) else []


def shared(pieces: list[str]) -> list[str]:
    """The pieces between "or", with the words that the last lends to those before it.

    "killing or murdering Caesar" and "murder or assassination of Caesar" lack them; "coagulation or
    blood clotting" does not.
    """
    if objects := _deeds_of(pieces) or _same_noun(" or ".join(pieces)):
        return objects
    *before, final = pieces
    head, _, final_rest = final.partition(" ")
    small = all(re.fullmatch("(?:the )?[a-z]+", piece) for piece in before)
    deeds = all(word.endswith("ing") for word in (*before, head))
    if final_rest and small and (deeds or final_rest.startswith("of ")):
        return [*(f"{piece} {final_rest}" for piece in before), final]
    return pieces


_DEED = re.compile(r"[a-z]+(?:ing|tion|sion|ment)(?: .*)?")


def _deeds_of(pieces: list[str]) -> list[str]:
    """Deeds with each of their objects: stealing or theft of cows or cattle; nothing for other pieces."""
    position = next((i for i, piece in enumerate(pieces) if " of " in piece), 0)
    *before, middle = pieces[: position + 1]
    after = pieces[position + 1 :]
    deed, _, deed_object = middle.partition(" of ")
    small = all(re.fullmatch("[a-z]+", word) for word in (*before, deed))
    objects = all(
        re.fullmatch("[A-Za-z]+(?: [a-z]+)?", p) and not _DEED.fullmatch(p) for p in after
    )
    if not (before and after and small and objects and any(map(_DEED.fullmatch, before))):
        return []
    return [
        f"{word} {joint}{noun}"
        for word in (*before, deed)
        for noun in (deed_object, *after)
        for joint in ("of ", "")
        if joint or word.endswith("ing")
    ]


_WHICH = "|".join((*words("ordinals", list)[1:], *words("words that tell apart", list)))
# "Third, Fourth or Fifth Dynasties"
_SAME_NOUN = re.compile(rf"((?:(?:{_WHICH}),? )+)(?:and/)?or ((?:{_WHICH}) )(\S.*)", re.I)


def _same_noun(text: str) -> list[str]:
    """Names that share their noun, each with it: Third, Fourth or Fifth Dynasties."""
    matched = _SAME_NOUN.fullmatch(text)
    adjectives = re.split(r",? ", matched[1].strip(" ,")) if matched else []
    return [f"{word} {matched[3]}" for word in (*adjectives, matched[2].strip())] if matched else []


def items_of(body: str) -> list[str]:
    """The answers listed in one clause.

    "or" separates; a comma separates in "A, B, or C", or between short lower-case words before an
    "or", and is otherwise part of a title.
    """
    if "," not in body and " or" not in body and "/" not in body and "as well as" not in body:
        return [body] if body.strip() else []
    if shared_noun := _same_noun(body):
        return shared_noun
    about = ABOUT.match(unmark(body))
    described = about and re.search(r"indicat|express|describ|impl|that\b", about.group(), re.I)
    oxford = [p for p in split(body, COMMA_OR) if p.strip()]
    if described and len(oxford) == 1 and not re.search(f'["{ON}]', body):
        pieces = split(body, OR)  # one description, whose "or" may be its own
        return oxford + (pieces if all(len(p.split()) > 1 for p in pieces[1:]) else [])
    if " or " not in body and re.search(r",\s*etc\b", body):
        return [p for p in split(body, COMMA) if p.strip()]
    out: list[str] = []
    for number, piece in enumerate(oxford):
        parts = split(piece, ANY_OR)
        if len(oxford) > 1 and number == 0:
            parts = [q for p in parts for q in split(p, COMMA_ITEM)]
        elif len(parts) > 1:
            short = split(parts[0], COMMA_ITEM)
            if len(short) > 1 and all(re.fullmatch(r"[a-z]+(?: [a-z]+)?", p) for p in short):
                parts[:1] = short
        elif len(oxford) == 1 and body.count('"') >= 4 and body.count('"') % 2 == 0:
            parts = split(body, COMMA_QUOTE)  # "A," "B"
        if len(parts) == 1:
            marked = split(parts[0], MARKED)
            if all(ON in p for p in marked):  # "accept" before parts that are each underlined
                parts = marked
        out += [p for p in parts if p.strip()]
    return out
