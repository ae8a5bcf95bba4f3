"""Of what kind an answer is, and what a guess says beside a name: Lincoln, the capital of Nebraska, is no president.

What a guess calls the thing is compared with what the line, or the noun that the question asks for, tells. Kinds that
share nothing are two things of one name. Where either is unknown nothing is said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .lexicon import lines, word_map, words
from .normalise import normal, plain_words, singular_form
from .person_names import COUNTRIES, OFFICES, PLACES, REGIONS, STATES, is_given
from .rules import ACCEPT
from .typos import spelling_distance

if TYPE_CHECKING:
    from .answerline import Alternative
    from .match_index import Index

Kinds = frozenset[str]

NOTHING: Kinds = frozenset()
_PERSON, _GROUP, _EVENT = frozenset(["person"]), frozenset(["group"]), frozenset(["event"])
_PLACE = frozenset(("city", "country", "state", "water", "land"))
_WORK = frozenset(("writing", "stage", "screen", "music", "image"))
NOUNS: dict[str, Kinds] = dict.fromkeys(words("persons"), _PERSON)
for _row in lines("kinds of things"):
    _kind, _, _nouns = _row.partition(": ")
    for _noun in _nouns.split():
        NOUNS[_noun] = NOUNS.get(_noun, NOTHING) | {_kind}
ALL = frozenset().union(*NOUNS.values())
# Never what a word in lower case is.
_NAMED = _PLACE | _PERSON | _GROUP | {"god", "planet", "screen", "stage"}
_TOWNS = PLACES | word_map("towns of a state").keys()
_TOWN = _PLACE | _GROUP | _WORK | _EVENT  # a band or a film may bear its name
_COMMON = frozenset(("creature", "thing", "unit"))  # nor these what has a title
_SAINTS = frozenset(("saint", "st", "sri"))  # before a person or a town
_CLASSES = _PLACE | _EVENT | _WORK | _GROUP | {"planet"}
_SHIPS = frozenset(("ss", "rms", "hms", "uss"))
_ELEMENTS = word_map("symbols")
_PLANETS = words("planets")
_GODS = words("gods")
_REGIONS = REGIONS | COUNTRIES | STATES
_PEOPLES = {
    people: place for place, named in word_map("demonyms").items() for people in named.split("/")
}
_UNITED = words("what regions are parts of")
_HEAD_ENDS = re.compile(
    r" (?:of|in|by|from|that|who|which|where|whose|with|for|on|at|near|to|between|about|behind|made|and)\b|[,;:]"
)
_BEHIND_HEAD = re.compile(
    r"\w{3,}(?:ed|ing|en|ung)|popular|famous|native|\d+|(?:north|south)?(?:east|west)|north|south|set|born|known|made|run|led|won|built|held|sold|fought"
)
_TITLE_OF = re.compile(r"(?:[Tt]he )?(?:([A-Z]\w+) (?:of|according to)|(Lake|Mount)) ")
_CLASS = re.compile(r"(?:\S+ )+([A-Z]\w+)\.?")
# Paris of Troy, Peter the Great, Napoleon I.
_BYNAME = re.compile(r"[\w-]+ (?:(?:of|of the|the) [A-ZÀ-Þ][\w-]+|[IVX]+)")
_BRACKETS = re.compile(r"\[.*?\]|<[^<>]*>|[*_]")
_MAKER = re.compile(r".+?,?\s+(?:\w+(?:ed|en|ung) )?by\s+(?P<author>\w.*)")
_OWNED = re.compile(r"(?P<author>[A-ZÀ-Þ][\w.-]+(?: [A-ZÀ-Þ][\w.-]*)*)(?:['’]s|(?<=s)['’]) ")
_BEFORE_PLACES = frozenset(("in", "of", "the"))
_YEAR = re.compile(r"\b[12]\d{3}\b")
_NOTE = re.compile(r"\(([^()]+)\)")
_APPOSITION = re.compile(r"^(?:I think |[Ii]t['’]s )?[^,(]+(?:, | \()(?!or )(.+)")
_BEFORE = re.compile(r"(?:^|(?<=[a-z] )|(?<=['’]s ))([a-z]{3,})(?: of)? (?=[\"“]?[A-ZÀ-Þ])")
_BEFORE_WORD = re.compile(r"[Tt]he (?:[a-z]+ ){0,2}?([a-z]+) (?=[a-z]+$)")
_DESCRIPTION = re.compile(r", (?:the|an?) ")
_INDEFINITE = re.compile(r"an? [a-z][^,]*, ")
_WRITTEN = re.compile(
    r"^(?:[^,]+,? |.*\b(?:written|composed|painted|directed|sung) )by (?!the\b)[A-ZÀ-Þ]"
)


def narrower(kinds: Kinds, second: Kinds) -> Kinds:
    """The kinds that both allow where one is a part of the other, else all of both."""
    overlap = kinds & second
    return overlap if overlap and overlap in (kinds, second) else kinds | second


def kinds_named(description: str) -> Kinds:
    """The kinds of the noun that a description is about: the largest moon of Saturn is a moon."""
    phrase = _HEAD_ENDS.split(description, maxsplit=1)[0]
    head = plain_words(phrase).split()
    for i in range(len(head), 0, -1):
        if i == len(head) or _BEHIND_HEAD.fullmatch(head[i]):
            kinds = NOUNS.get(head[i - 1]) or NOUNS.get(singular_form(head[i - 1]))
            # In capitals it is a part of a name: Hamlet, Prince of Denmark.
            if kinds and (head[i - 1] in phrase or phrase.startswith("the ")):
                return kinds
    return NOTHING


def kinds_told(index: Index, guess: str) -> Kinds:
    """The kinds of what a guess says that it names, behind a comma, in a bracket or before the name."""
    claimed = NOTHING
    if apposition := _APPOSITION.match(guess):
        place = plain_words(re.split("[,)]", apposition[1])[0]) in _REGIONS
        claimed |= _PLACE | _EVENT | _GROUP if place else kinds_named(apposition[1].rstrip(")"))
    if not claimed and (before := _BEFORE.search(guess) or _BEFORE_WORD.match(guess)):
        name = guess[before.end() :]  # the element mercury, but no abolitionist movement
        claimed = (
            NOTHING
            if name.islower() and name not in index.strict
            else NOUNS.get(before[1], NOTHING)
        )
    if not claimed and _WRITTEN.search(guess):
        claimed = _WORK
    if not claimed and _INDEFINITE.match(guess):
        claimed = ALL - _NAMED  # a bush is no George Bush
    return claimed


def _kinds_of_name(index: Index, answer: Alternative, guess: str) -> Kinds:
    """The kinds of an accepted answer, as far as its own words tell.

    A work may bear any name that is underlined as a whole, where the guess has the whole.
    """
    text, plain = answer.text, plain_words(answer.text).removeprefix("the ")
    marked = plain_words(" ".join(answer.required)).removeprefix("the ") not in ("", plain)
    complete = not marked and set(normal(text).tokens) <= set(normal(guess).tokens)
    bare = _WORK if complete else NOTHING
    if plain in _ELEMENTS and (text.islower() or _ELEMENTS[plain] in index.accepted_texts()):
        return frozenset(["substance"])
    if text.islower():
        return kinds_named(text) or ALL - _NAMED
    if marked and text == answer.required[0] + "s":
        return ALL - _PLACE - _GROUP - {"planet"}  # Amazons are no store
    head = _TITLE_OF.match(text) or _CLASS.fullmatch(text)
    if head and (kinds := NOUNS.get(head[head.lastindex].lower(), NOTHING) & _CLASSES):
        return kinds if kinds == _EVENT else kinds | bare
    if plain in _REGIONS:
        return _PLACE - {"city", "water"} | (NOTHING if plain in COUNTRIES else {"city"})
    if "," in text and plain_words(text.rpartition(",")[2]) in _REGIONS:
        return _PLACE | bare
    title, _, behind = plain.partition(" ")
    if title in _SAINTS and behind:
        return _PERSON if marked and is_given(behind) else _PLACE | _PERSON
    if title in _SHIPS and behind:
        return frozenset(["thing"])
    person = index.persons.get(text)
    if (title in OFFICES and behind) or (person and (person.sure or (marked and person.likely))):
        return _PERSON | bare
    if marked and _BYNAME.fullmatch(text) and text.startswith(answer.required[0]):
        return _PERSON | {"god"}
    if plain in _GODS:
        return frozenset(("god", "planet") if plain in _PLANETS else ("god",))
    if plain in _TOWNS:
        return _TOWN
    if is_given(plain):
        return _PERSON | _WORK | {"god"}
    return ALL - _COMMON if text.startswith("The ") and text[4:5].isupper() else NOTHING


def kinds_noted(index: Index) -> Kinds:
    """The kinds in a note that tells the answer of a line from others of its name: Rush (band)."""
    notes = _NOTE.findall(_BRACKETS.sub("", index.source))
    kinds = (_WORK if note.startswith("by ") else kinds_named(note) for note in notes)
    return next(filter(None, kinds), NOTHING)


def kinds_of_line(index: Index, guess: str) -> Kinds:
    """The kinds of what a line accepts, by the words of its answers."""
    kinds = NOTHING
    for rank, answer in index.ranked:
        if rank == ACCEPT and not answer.triggers:
            kinds = narrower(kinds, _kinds_of_name(index, answer, guess))
    return kinds


def _places_in(text: str) -> set[str]:
    """The regions that words are in, of or behind a comma, or named after: Lake Michigan is none."""
    tokens = plain_words(text).split()
    places = {
        " ".join(tokens[i : i + size])
        for i in range(len(tokens))
        for size in (1, 2)
        if i == 0 or tokens[i - 1] in _BEFORE_PLACES
    }
    places.update(_PEOPLES[word] for word in tokens if word in _PEOPLES)
    return (places & _REGIONS) - _UNITED


def _by_another(index: Index, guess: str) -> bool:
    """Whether a guess says that somebody else made a work than the line does."""
    maker = _MAKER.fullmatch(guess) or _OWNED.match(guess) if index.authors else None
    return maker is not None and not any(
        spelling_distance(author, token, True) < 4
        for token in normal(maker["author"]).tokens
        for author in index.authors
    )


def _elsewhere(index: Index, guess: str) -> bool:
    """Whether a guess puts an answer with a region, or a year, into others."""
    years = set(_YEAR.findall(_BRACKETS.sub("", index.source)))
    if years and years.isdisjoint(_YEAR.findall(guess)) and _YEAR.search(guess):
        return True
    for rank, answer in index.ranked:
        name, _, place = answer.text.rpartition(", ")
        if rank == ACCEPT and name and plain_words(place) in _REGIONS:
            places = _places_in(guess.replace(name, "", 1))
            united = _UNITED.intersection(plain_words(guess).split())
            return bool(places) and not united and places.isdisjoint(_places_in(place))
    return False


def names_another_thing(index: Index, guess: str, wanted: Kinds = NOTHING) -> bool:
    """Whether an accepted guess says that it means another thing of the name: by its kind, its author, its place or year."""
    claimed, noted = kinds_told(index, guess), kinds_noted(index)
    if claimed or (noted and _DESCRIPTION.search(guess)):
        kinds = narrower(noted or kinds_of_line(index, guess), wanted)
        if kinds and claimed.isdisjoint(kinds):
            return True
    return _by_another(index, guess) or _elsewhere(index, guess)
