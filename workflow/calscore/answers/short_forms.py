"""Shorter wordings of an answer that moderators take for the whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from .lexicon import words
from .normalise import STOP, Normal, normal, plain_words, raw_words, root
from .person_names import OFFICES, PARTICLES, REGIONS, ByLast, person_in

_ROYAL = words("royal titles")
CLASS_HEAD = words("class before")
CLASS_TAIL = words("class behind")
FOREIGN_ARTICLES = words("foreign articles")
COURTESIES = words("courtesies")
_SON_OF = words("particles before a name")
_HOUSES = words("houses with a founder")
_PEOPLES = words("peoples")
_EVENTS = words("dated events")
_DATED = words("words before dated events")
_CHURCHES = frozenset(("basilica", "cathedral", "church", "chapel", "abbey"))
_HEAD = re.compile(
    r"^(?:(?i:(?:the )?(?:(?:people's|federal|islamic|socialist|oriental|arab|hellenic) )?"
    r"(?:(?:republic|kingdom|duchy|state(?! of the)|commonwealth|sultanate|principality"
    r"|(?:grand |arch)duchy|electorate|(?:land|mar)graviate|emirate|khanate|caliphate|tsardom) of"
    r"|(?:battle|siege|treaty) of|gospel (?:of|according to)|epistle to))"
    r"|(?i:house|dynasty|book) of)(?: the)? (?P<name>[A-ZÀ-Þ].*)$"
)
_CASE = re.compile(r"(.+ (?:v\.?|vs\.?|versus) .+?) of .+")  # Brown v. Board of Education
RANKED = re.compile(
    r"\b(?:Arch)?(?:[Dd]uke|King|Queen|Prince|Princess|Pope|Sir|Emperor|President|General|Saint"
    r"|Captain|Colonel|Senator|Bishop|Cardinal) (?=[A-Z])"
)

_PHRASE = re.compile(r" (?:of|in|on|at|from|against|with|for|by|between)\b")
_PLACE = re.compile(r"([^,]+), ([^,]+)")
# Antonio, Duke of Milan
_OFFICE = re.compile(rf"([^,]+), (?:the )?(?:{'|'.join(sorted(OFFICES))}) of [^,]+", re.I)
_AUTHOR = re.compile(r"([A-ZÀ-Þ].*?),? by [A-Z](?:.* )?([\w-]+)")

Shorter = Iterator[tuple[str, str, float]]  # wording, rule, certainty


def short_forms(text: str, counts: Counter, others: ByLast, texts: Sequence[str]) -> Shorter:
    """Wordings of ``text`` without what need not be said.

    ``texts`` are the alternatives of the line, ``counts`` how many of them have a word, ``others``
    their words by the last.
    """
    words = raw_words(text)
    plain = [plain_words(w) for w in words]
    yield from _before_a_comma(text)
    if len(words) == 1 and text.count("-") > 1:  # Kusanagi-no-Tsurugi, where a tsurugi is taken
        name, _, kind = text.rpartition("-")
        if any(plain_words(kind) == plain_words(t) for t in texts):
            yield name.rpartition("-")[0], "class word", 0.85
    if len(words) < 2:
        return
    yield from _short_names(text, words, plain, others)
    yield from _short_events(text)
    yield from _untitled(text, words, plain, counts)
    yield from _without_class(text, words, plain)


def _before_a_comma(text: str) -> Shorter:
    """Without the subtitle, place, office or author behind."""
    head, colon, _ = text.partition(": ")
    if colon and len(normal(head).tokens) > 1:
        yield head, "title", 0.95
    place = _PLACE.fullmatch(text) if "," in text else None
    if place and REGIONS.issuperset(plain_words(place[2]).split()):
        yield place[1], "place", 0.9
    if office := _OFFICE.fullmatch(text) if "," in text else None:
        yield office[1], "title", 0.9
    if author := _AUTHOR.fullmatch(text) if " by " in text else None:
        yield author[1], "title", 0.9
        yield f"{author[2]} {author[1]}", "title", 0.9


def _short_names(text: str, words: list[str], plain: list[str], others: ByLast) -> Shorter:
    """Surnames of couples, peoples, churches and houses."""
    remainder = words[1:]
    if len(words) == 2 and plain[0] in _SON_OF and remainder[0][0].isupper():
        yield remainder[0], "last name", 0.8
    if plain[0] in FOREIGN_ARTICLES and len(" ".join(plain[1:])) > 5:
        yield " ".join(remainder), "title", 0.95
    couple = [person_in(n, others) for n in text.split(" and ")] if " and " in text else ()
    if couple and all(person and person.sure for person in couple):
        yield " and ".join(p.surname for p in couple if p), "surname", 0.95
    church = plain[-1] in _CHURCHES and words[-2].endswith(("'s", "’s"))  # St Peter's
    if church or words[-1] in _PEOPLES:  # as it is written: a band may be called People
        yield " ".join(words[:-1]), "class word", 0.85
    if plain[-1] in _HOUSES and len(words) > 2 and words[-1].istitle():
        founder = person_in(" ".join(words[:-1]), ())
        if founder and founder.sure:
            yield f"{words[-2]} {words[-1]}", "class word", 0.85
            yield f"{words[0]} {words[-2]} {words[-1]}", "class word", 0.85


def _short_events(text: str) -> Shorter:
    """Dated events without what their year tells, court cases without the place."""
    tokens = normal(text).tokens
    if _EVENTS.intersection(tokens) and any(t.isdigit() and len(t) == 4 for t in tokens):
        drop = [t for t in tokens if t in _DATED]
        for n in range(1, len(drop) + 1):
            for dropped in combinations(drop, n):
                yield " ".join(t for t in tokens if t not in dropped), "nearly whole", 0.8
    if case := _CASE.fullmatch(text) if " v" in text else None:
        yield case[1], "title", 0.85


def _untitled(text: str, words: list[str], plain: list[str], counts: Counter) -> Shorter:
    """Without a rank, courtesy or royal title."""
    remainder, tokens = words[1:], normal(text).tokens
    untitled = RANKED.sub("", text)
    if untitled != text and len(normal(untitled).tokens) > 1:
        yield untitled, "title", 0.9
    uncourtly = [t for t in tokens if t not in COURTESIES]
    if 1 < len(uncourtly) < len(tokens):
        yield " ".join(uncourtly), "title", 0.9
    if plain[0] in _ROYAL and all(w[0].isupper() for w in remainder):
        yield " ".join(remainder), "title" if len(remainder) > 1 else "surname", 0.9


def _without_class(text: str, words: list[str], plain: list[str]) -> Shorter:
    """Without the class that a thing belongs to: Ming dynasty, Republic of Italy."""
    remainder = words[1:]
    headed = _HEAD.match(text.replace("’", "'")) if len(words) > 2 else None
    if headed and _is_name(raw_words(headed["name"])):
        yield headed["name"], "class word", 0.9
    elif plain[-1] in CLASS_TAIL or plain[0] in CLASS_HEAD:
        remainder = words[:-1] if plain[-1] in CLASS_TAIL else remainder
        if _is_name(remainder):
            yield " ".join(remainder), "class word", 0.9


def _is_name(words: list[str]) -> bool:
    return all(w[0].isupper() or plain_words(w) in STOP | PARTICLES for w in words)


def is_kind(norm: Normal, kind: str) -> bool:
    """Whether a guess names one of a kind: king snake, Lake Victoria; not snake charmer."""
    head = _PHRASE.split(norm.strict)[0].split()
    named = norm.tokens[0] in CLASS_HEAD and root(norm.tokens[0]) == kind
    return named or (bool(head) and root(normal(" ".join(head)).singular[-1]) == kind)
