"""Answers that a line or a clause lists: with "or", with nothing but a stroke or a comma between them."""

import re
from itertools import product

from . import grammar
from .grammar import OFF, ON, split, unmark
from .lexicon import words
from .normalise import STOP, plain_words
from .person_names import REGIONS, person_in
from .wordings import meaning


def split_coordination(text: str) -> list[str]:
    """The answers that a main answer lists with a stroke or comma alone: Burma/Myanmar; shingles, herpes zoster. [] for other text.

    Capitals between commas list answers only where all is underlined, small words where each is or none is a
    function word. Single words, numbers and more than four words there do not; nor strokes beside underlines.
    """
    if "/" in text and ON not in text:
        pieces = text.split("/")
        named = all(re.fullmatch(r"[^\W\d_][^\d,:;/]{2,}[^\s\d,:;/]", p) for p in pieces)
        return pieces if named else []
    if "," not in text:
        return []
    pieces = [p.removeprefix("the ") for p in split(text, r",\s+")]
    words = [unmark(p).split() for p in pieces]
    marked = all(p.count(ON) == 1 for p in pieces)
    full = marked and all(p.startswith(ON) and p.endswith(OFF) for p in pieces)
    longest = max(map(len, words))
    if len(pieces) < 2 or longest > 4 or (ON in text and not marked) or re.search(r"\b\d", text):
        return []
    single = longest < 2 and ", the " not in text and not text.startswith("the ")
    if single or any(piece and piece[0].casefold() in STOP for piece in words):
        return []
    small = all(p[:1].islower() or p.isupper() for p in map(unmark, pieces))
    if small:
        return pieces if marked or STOP.isdisjoint(plain_words(text).split()) else []
    persons = any((name := person_in(unmark(p), ())) and name.sure for p in pieces)
    places = any(plain_words(unmark(p)) in REGIONS for p in pieces)
    return pieces if full and not persons and not places else []


def shared(pieces: list[str]) -> list[str]:
    """The pieces between "or", each with the words that the last lends to it; ``pieces`` itself where it
    lends none. "killing or murdering Caesar", "murder or assassination of Caesar" and "annual or net yield"
    share words, "coagulation or blood clotting" none. "Playing chess or go" adds "playing go" and (light
    verbs) "chess"."""
    if objects := _deeds_of(pieces):
        return objects
    *before, final = pieces
    head, _, final_rest = final.partition(" ")
    verb, _, verb_object = pieces[0].partition(" ")
    if verb.endswith("ing") and verb_object:
        light = [verb_object] if verb in _LIGHT_VERBS else []
        return [*pieces, *light, *(f"{verb} {piece}" for piece in pieces[1:])]
    if not final_rest or not all(re.fullmatch("(?:the )?[a-z]+", piece) for piece in before):
        return pieces
    lent = final_rest.startswith("of ") or all(w.endswith("ing") for w in (*before, head))
    if lent or (" " not in final_rest and all(map(grammar.ADJECTIVE.match, before))):
        return [*(f"{piece} {final_rest}" for piece in before), final]
    return pieces


_LIGHT_VERBS = words("light verbs")
_DEED = re.compile(r"[a-z]+(?:ing|tion|sion|ment)(?: .*)?")


def _deeds_of(pieces: list[str]) -> list[str]:
    """Deeds with each of their objects, with and without "of": stealing or theft of cows or cattle; [] for other pieces."""
    position = next((i for i, piece in enumerate(pieces) if " of " in piece), 0)
    *before, middle = pieces[: position + 1]
    after = pieces[position + 1 :]
    deed, _, deed_object = middle.partition(" of ")
    small = all(re.fullmatch("[a-z]+", word) for word in (*before, deed))
    objects = all(re.fullmatch("[A-Za-z]+(?: [a-z]+)?", p) and not _DEED.fullmatch(p) for p in after)
    if not (after and small and objects and any(map(_DEED.fullmatch, before))):
        return []
    return [" ".join(way) for way in product((*before, deed), ("of", ""), (deed_object, *after))]


_DISTINGUISHING = "|".join((*words("ordinals", list)[1:], *words("words that tell apart", list)))
# "Third, Fourth or Fifth Dynasties"
_SAME_NOUN = re.compile(rf"((?:(?:{_DISTINGUISHING}),? )+)(?:and/)?or ((?:{_DISTINGUISHING}) )(\S.*)", re.I)


def items_of(body: str) -> list[str]:
    """The answers listed in one clause, in its order and with their marks.

    "or" and "as well as" separate, commas in "A, B, or C", commas and strokes where each part is underlined;
    never "and"."""
    if not re.search(r",|/|\b(?:or|as well as)\b", body):
        return [body] if body.strip() else []
    if alike := _SAME_NOUN.fullmatch(body):
        adjectives = re.split(r",? ", alike[1].strip(" ,"))
        return [f"{word} {alike[3]}" for word in (*adjectives, alike[2].strip())]
    oxford = [p for p in split(body, r",\s*(?:and/)?or\s+(?:on\s+)?") if p.strip()]
    out: list[str] = []
    for number, piece in enumerate(oxford):
        parts = split(piece, grammar.ANY_OR)
        if len(oxford) > 1 and number == 0:
            parts = [q for p in parts for q in split(p, r",\s+(?!such as|like)")]
        if len(parts) == 1:
            marked = split(parts[0], grammar.MARKED)
            if all(ON in p for p in marked):  # "accept" before parts that are each underlined
                parts = marked
        out += [p for p in parts if p.strip()]
    return _with_object(out) if len(out) > 1 and " of " in out[-1] else out


_DEED_ALONE = re.compile(r"(?:.* (?:such as|like) )?(\S+)")


def _with_object(pieces: list[str]) -> list[str]:
    """Each piece with the object of the last, where all name one deed (killing or murder of Palme), else ``pieces``."""
    *before, final = pieces
    deed, _, deed_object = final.partition(" of ")
    deeds = [_DEED_ALONE.fullmatch(piece) for piece in (*before, deed)]
    senses = {meaning(plain_words(unmark(deed[1])).split()) if deed else None for deed in deeds}
    alike = len(senses) == 1 and all(senses)
    return [f"{piece} of {deed_object}" for piece in (*before, deed)] if alike else pieces
