"""A guess that holds an answer of the line and says more of it: who or what it is, where and when it was, by whom.

What stands beside the answer is a gloss. It may be cut off where what is left is an answer from end to end, or a name
of several words, and where the gloss describes. What the line prompts on stays prompted on with such words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .kinds import NOUNS, kinds_of_line, kinds_told
from .lexicon import word_map, words
from .normalise import normal, plain_words
from .person_names import (
    COMMON,
    COUNTRIES,
    GIVEN,
    OFFICES,
    PLACE_BEGINNINGS,
    PLACES,
    REGIONS,
    is_given,
    untitled,
)
from .rules import WHOLE, Judgement
from .word_forms import HUSBANDS, variants

if TYPE_CHECKING:
    from .match_index import Index

_CLASSES = words("class before") | words("classes of places before")
_JOINTS = r"(?:of|or|for|to|in|with|by|from|at|than|vs|on|not|de|von|van|le|la)\b"
_OF_A_NATION = r"[A-Z][\w-]*(?:an|ish|ese|ic|ch|ist|eek|orse|elsh|wiss|[aq]i)"
# "The German composer", "Jane Austen's novel", "the month of": no preposition, so that "the king of" is none.
_DESCRIBED = re.compile(
    r"(?:(?P<article>[Tt]he|[Aa]n?|(?:[A-ZÀ-Þ][\w.]* )*[A-ZÀ-Þ]\w*(?:['’]s|s['’])(?: \d{4})?) )?"
    rf"(?:(?!{_JOINTS})(?:[a-z][\w'’-]*|[A-Z]{{2,}}|{_OF_A_NATION}\b) )*?"
    r"(?!(?:and|for|not|than|with|from|great|young|old|new|first|last)\b)(?P<noun>[a-z][a-z-]{2,})"
    r"(?:(?<=month) of|(?<=holiday) of|(?<=process) of|(?<=concept) of|(?<=country) of)?"
    r",? (?P<answer>(?:[Tt]he )?[\"“]?[A-ZÀ-Þ].*)(?P<second>)"
)
_OWNED = re.compile(
    r"(?:[A-ZÀ-Þ][\w.-]* ){0,3}[A-ZÀ-Þ][\w.-]*(?:['’]s|s['’]) [\"“]?(?P<answer>[A-ZÀ-Þ\d].*)(?P<second>)"
)
# What a gloss begins with; of these "in" and the like only behind an answer of two words or more.
_BREAK = re.compile(
    r",? (?P<bracket>\()|[,;:] | [-–—] | (?P<clause>that|which|who|whose|where|by) (?=\S)"
    r"| (?P<where>of|in|at|from|during|near|outside|between|to) (?=(?:the )?(?:[A-Z]|\d{4}s?$))"
)
_DESCRIBES = re.compile(
    r"[\"“]?(?:[a-z]|an? |the |i\.e\.|\d)|[A-ZÀ-Þ][\w.’'-]*(?: [A-ZÀ-Þ][\w.]*){0,3}(?:['’]s|s['’]) |[A-ZÀ-Þ][\w-]+ [a-z]"
)
_HEDGES = re.compile(r"(?:and|or|not|but)\b|.* or ")
_SUBTITLE = re.compile(r"or,? (?:the |an? )?[A-ZÀ-Þ]")
_WORKS = "|".join(sorted(words("works") | words("kinds in lower case behind a name")))
_BEHIND = "|".join(sorted(words("classes of places behind") | words("kinds behind a name")))
_BEFORE = "|".join(sorted(words("classes of places before")))
# The Book of Kells manuscript, the Danube River, Mount Everest.
_CLASSED = re.compile(
    rf"(?P<answer>.+) (?:(?P<work>{_WORKS})|(?i:(?:{_BEHIND})s?|gallery|tournament|religion|faith))"
    rf"|(?:[Tt]he )?(?i:{_BEFORE})\.?(?: of)? (?P<second>[A-ZÀ-Þ].*)"
)
_STATE_OF = word_map("towns of a state")
_MOST, _DEEPEST = 6, 2  # glosses behind one answer, glosses within glosses
_WHOLE = WHOLE | {"literal"}


def match_part(index: Index, text: str) -> Judgement | None:
    """The judgement of a part of a guess that is an alternative as it stands; None for one that is rejected."""
    judged = index.strict.get(plain_words(text)) or index.whole(normal(text))
    return judged if judged and judged.verdict != "reject" else None


def _is_person(index: Index, plain: str) -> bool:
    """Whether an answer is a person or a surname, as far as the line tells."""
    return any(person.sure for person, *_ in index.people) or plain in index.surnames


def _is_thing(index: Index, text: str, named: bool = False) -> bool:
    """Whether an answer is no place and no person, as far as line and lists tell; a work may be ``named``."""
    plain = plain_words(text).removeprefix("the ")
    return (
        not text.removeprefix("the ")[:1].islower()
        and not _is_person(index, plain)
        and plain not in PLACES
        and plain.partition(" ")[0] not in PLACE_BEGINNINGS - _CLASSES
        and (named or not is_given(plain))
    )


def _has_class(index: Index, answer: str) -> bool:
    """Whether an answer as it stands may be called a river, a museum or the like."""
    plain = plain_words(answer).removeprefix("the ")
    return plain in index.strict and plain not in REGIONS | GIVEN and not _is_person(index, plain)


def _is_whole(index: Index, answer: str, guess: str) -> bool:
    """Whether the answer is one of the line from end to end, or a name of several words: not a surname or key word alone."""
    plain = plain_words(answer).removeprefix("the ")
    texts = {
        plain_words(text).removeprefix("the ")
        for accepted in index.accepted_texts()
        for text in (*variants(accepted), accepted.partition(", ")[0])
    }
    return (
        plain in texts
        or len(untitled(normal(answer).tokens)) > 1
        or not kinds_told(index, guess).isdisjoint(kinds_of_line(index, guess))
    )


def _states_location(name: str, text: str) -> bool:
    """Whether a text says itself of what place a name is: Supreme Court of the United States."""
    name = name.casefold().removeprefix("the ")
    remainder = text.casefold().removeprefix("the ").removeprefix(name)
    return re.match(r" (?:of|in|at|from|near) \w", remainder) is not None


def _is_proper(index: Index, tokens: tuple[str, ...]) -> bool:
    """Whether the line writes words in capitals: black holes are no Black Hole of Calcutta."""
    return any(form.proper for form in index.forms if set(tokens) <= set(form.norm.tokens))


def _is_where(index: Index, answer: str) -> bool:
    """Whether a place or year behind an answer of two words or more may be told of it."""
    tokens = untitled(normal(answer).tokens)
    written = not answer.split()[-1].istitle() or _is_proper(index, tokens)
    ruler = not (OFFICES - HUSBANDS).isdisjoint(normal(answer).tokens)
    return (
        (len(tokens) > 1 or ruler)
        and " ".join(tokens) not in PLACES  # New Jersey in the American Revolution
        and index.says(tokens)
        and written
        and not any(_states_location(answer, text) for text in index.texts)
    )


def _belongs(index: Index, answer: str, cut: re.Match[str]) -> bool:
    """Whether a gloss behind an answer is told of it."""
    guess, gloss = cut.string, cut.string[cut.end() :]
    if cut["where"]:
        return _is_where(index, answer)
    if cut["clause"]:
        return _is_whole(index, answer, guess)
    if _SUBTITLE.match(gloss):
        return _is_thing(index, answer)
    if _HEDGES.match(gloss):
        return False
    place = plain_words(gloss.partition(",")[0])
    if place in COUNTRIES or _STATE_OF.get(plain_words(answer)) == place:
        return index.countries <= {place, plain_words(answer)} and index.accepts(answer, _WHOLE)
    if _DESCRIBES.match(gloss):
        return not (gloss[0].isdigit() and index.numbered) and _is_whole(index, answer, guess)
    if not REGIONS.isdisjoint(place.split()) or plain_words(answer) in PLACES:
        return False
    if index.authors and index.authors.isdisjoint(normal(gloss).tokens):
        return False  # Medea, Seneca
    return _is_thing(index, answer) or (
        len(untitled(normal(answer).tokens)) > 1 and _is_whole(index, answer, guess)
    )


def _parts(guess: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The beginnings of a guess that a gloss may follow, the longest first, then what a description is before."""
    for cut in list(_BREAK.finditer(guess))[:_MOST][::-1]:
        if cut.start():
            yield guess[: cut.start()].strip(), cut
    for pattern in (_CLASSED, _OWNED, _DESCRIBED):
        if cut := pattern.fullmatch(guess):
            yield cut["answer"] or cut["second"], cut


def _goes_with(index: Index, answer: str, cut: re.Match[str], prompted: bool) -> bool:
    """Whether what is said beside an answer may be cut off."""
    if cut.re is _CLASSED and not cut["work"]:
        return _has_class(index, answer)
    if prompted:
        plain = cut.re is _BREAK and not cut["where"]
        return plain and _DESCRIBES.match(cut.string, cut.end()) is not None
    if cut.re in (_CLASSED, _OWNED):
        plain = plain_words(answer)
        if cut.re is _OWNED and plain in COMMON and f"the {plain}" not in index.strict:
            return False  # Danton's Death, but Plato's Republic
        titled = _is_proper(index, normal(answer).tokens)
        several = cut.re is _OWNED and " " in plain.removeprefix("the ") and plain in index.strict
        # Britten's Peter Grimes is called like a person.
        return titled and (several or _is_thing(index, answer, cut.re is _OWNED))
    if cut.re is _DESCRIBED:
        told = cut["article"] or cut["noun"] in NOUNS
        return bool(told) and _is_whole(index, answer, cut.string)
    return _belongs(index, answer, cut)


def match_with_gloss(index: Index, guess: str, depth: int = 0) -> Judgement | None:
    """The judgement of a guess that holds an answer of the line and what describes it."""
    for answer, cut in _parts(guess):
        judged = match_part(index, answer) or index.match(normal(answer))
        if not judged and depth < _DEEPEST:
            judged = match_with_gloss(index, answer, depth + 1)
        if not judged or judged.verdict == "reject":
            continue
        prompted = judged.verdict == "prompt"
        if _goes_with(index, answer, cut, prompted):
            return judged if prompted else Judgement("accept", 0.75, "more")
    return None
