"""Of what kind an answer is, and what a guess says beside a name: Lincoln, the capital of Nebraska, is no president.

What a guess calls the thing is compared with what the line, or the noun that the question asks for, tells. Kinds that
share nothing are two things of one name. Where either is unknown nothing is said.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ..clues.sentences import sentences
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
_ELEMENTS = word_map("symbols")
_PLANETS = words("planets")
_GODS = words("gods")
_REGIONS = REGIONS | COUNTRIES | STATES
_HEAD_ENDS = re.compile(
    r" (?:of|in|by|from|that|whom?|which|where|whose|with|for|on|at|near|to|between|about|behind|made|and)\b|[,;:]"
)
_BEHIND_HEAD = re.compile(
    r"\w{3,}(?:ed|ing|en|ung)|popular|famous|native|\d+|(?:north|south)?(?:east|west)|north|south|set|born|known|made|run|led|won|built|held|sold|fought"
)
_PARTICIPLE = re.compile(r" (?:\w{3,}(?:ed|ught)|born|known|made|run|led|won|built|held|sold) ")
_TITLE_OF = re.compile(r"(?:[Tt]he )?(?:([A-Z]\w+) (?:of|according to)|(Lake|Mount)) ")
_CLASS = re.compile(r"(?:\S+ )+([A-Z]\w+)\.?")
# Paris of Troy, Peter the Great, Napoleon I.
_BYNAME = re.compile(r"[\w-]+ (?:(?:of|of the|the) [A-ZÀ-Þ][\w-]+|[IVX]+)")
_BRACKETS = re.compile(r"\[.*?\]|<[^<>]*>|[*_]")
_MAKER = re.compile(r".+?,?\s+(?:\w+(?:ed|en|ung) )?by\s+(?P<author>\w.*)")
_YEAR = re.compile(r"\b[12]\d{3}\b")
_OWNED = re.compile(
    r"(?:^|, |; | in | is )(?P<author>(?:[A-ZÀ-Þ][\w.-]* ){0,3}[A-ZÀ-Þ][\w-]+)(?:['’]s|(?<=s)['’]) "
)
# What a tossup asks for: "name this type of reaction where …" → "type of reaction".
ASKED_FOR = re.compile(
    r"\b(?:this|these|what|which)\s+(.*?)"
    r"(?=[,.;:?!]|\b(?:that|which|who|whose|whom|in|where|when|for|with|from|by|at|on|to|is|are|was|were)\b|$)",
    re.I,
)
_WORKS = "|".join(sorted(words("works")))
_SAYS_WHOSE = re.compile(
    rf"\bby (?=[A-ZÀ-Þ])(?!the\b)|\b(?:this|an?|the) (?:[A-ZÀ-Þ][\w.'’-]+ ){{1,4}}(?:{_WORKS})\b"
    rf"|[A-ZÀ-Þ]\w+(?:['’]s|s['’]) (?:[\w-]+ ){{0,3}}(?:{_WORKS})s?\b"
)
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
    for part in (phrase, _PARTICIPLE.split(phrase)[0]):  # the princess carried off
        for word in plain_words(part).split()[::-1]:
            kinds = NOUNS.get(word) or NOUNS.get(singular_form(word))
            # In capitals it is a part of a name: Hamlet, Prince of Denmark.
            if kinds and (word in part or part.startswith("the ")):
                return kinds
            if not _BEHIND_HEAD.fullmatch(word):
                break
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


def _by_another(index: Index, guess: str, asked: Kinds, final: str) -> bool:
    """Whether a guess says that somebody made a work whom neither line nor question names, though one says who did."""
    maker = _MAKER.fullmatch(guess)
    work = maker is not None or not _WORK.isdisjoint(asked)
    maker = maker or _OWNED.search(guess)
    if not maker or not (index.authors or (work and _SAYS_WHOSE.search(final))):
        return False
    named = index.authors | set(normal(f"{index.source} {final}").tokens)
    return not any(
        token == name or spelling_distance(name, token, True) < 4
        for token in normal(maker["author"]).tokens
        for name in named
    )


def _in_another_year(index: Index, guess: str, final: str) -> bool:
    """Whether a guess gives another year than the line, or than the noun that the question asks for."""
    phrases = " ".join(ASKED_FOR.findall(final))
    years = set(_YEAR.findall(f"{_BRACKETS.sub('', index.source)} {phrases}"))
    guessed = _YEAR.findall(guess)
    return bool(years and guessed) and years.isdisjoint(guessed)


@lru_cache(maxsize=1 << 10)
def _asked_in(tossup: str) -> tuple[Kinds, str]:
    """The kinds of what the last sentence of a tossup asks for, and that sentence."""
    if not tossup:
        return NOTHING, ""
    begin, end = sentences(tossup)[-1]
    final = tossup[begin:end]
    return NOTHING.union(*map(kinds_named, ASKED_FOR.findall(final))), final


def names_another_thing(index: Index, guess: str, tossup: str = "") -> bool:
    """Whether an accepted guess says that it means another thing of the name: by its kind, its author or its year."""
    claimed, noted = kinds_told(index, guess), kinds_noted(index)
    asked, final = _asked_in(tossup)
    if claimed or (noted and _DESCRIPTION.search(guess)):
        kinds = narrower(noted or kinds_of_line(index, guess), asked)
        if kinds and claimed.isdisjoint(kinds):
            return True
    return _in_another_year(index, guess, final) or _by_another(index, guess, asked, final)
