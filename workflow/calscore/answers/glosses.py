"""Of what kind an answer is, and what a guess says beside a name: Lincoln, the capital of Nebraska, is no president.

What a guess calls the thing is compared with what the line, or the noun that the question asks for, tells. Kinds that
share nothing are two things of one name. An unknown kind differs only from that of a note: Rush (band).

A guess may hold an answer and say more of it: who or what it is, where and when it was, by whom. Such a gloss may be
cut off where what is left is an answer from end to end, or a name of several words, and where the gloss describes.
What the line prompts on stays prompted on with such words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from ..clues.sentences import last_sentence
from . import person_names
from .lexicon import lines, word_map, words
from .normalise import normal, plain_words, singular_form
from .person_names import COUNTRIES, OFFICES, PLACES, REGIONS, STATES, is_given, untitled
from .rules import ACCEPT, Judgement
from .typos import is_word, spelling_distance
from .wordings import HUSBANDS, variants

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
_COMMON = frozenset(("creature", "thing", "unit"))  # nor these what has a title
_SAINTS = frozenset(("saint", "st", "sri"))  # before a person or a town
_CLASSES = _PLACE | _EVENT | _WORK | _GROUP | {"planet"}
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
_CLASS_BEHIND = re.compile(r"(?:[Tt]he )?(?:[A-ZÀ-Þ][\w'’-]* )+([A-Z]\w+)\.?")
# Paris of Troy, Peter the Great, Napoleon I.
_BYNAME = re.compile(r"[\w-]+ (?:(?:of|of the|the) [A-ZÀ-Þ][\w-]+|[IVX]+)")
_BRACKETS = re.compile(r"\[.*?\]|<[^<>]*>|[*_]")
_MAKER = re.compile(r".+?,?\s+(?:\w+(?:ed|en|ung) )?by\s+(?!the\b)(?P<author>\w.*)")
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
_IN_WHICH = re.compile(r"\b(?:in|of|at|to|on|by|for|from|with) which\b")
_WORKS = "|".join(sorted(words("works")))
_CREATION = "composed|painted|directed|sculpted|created|penned|recorded|designed"
_OF_A_NATION = r"[A-Z][\w-]*(?:an|ish|ese|ic|ch|ist|eek|orse|elsh|wiss|[aq]i)"
_SAYS_WHOSE = re.compile(
    rf"\b(?:(?<!ed )|{_CREATION} )by (?=[A-ZÀ-Þ])|\b(?:this|an?|the) (?!{_OF_A_NATION} (?:{_WORKS}))(?:[A-ZÀ-Þ][\w.'’-]+ ){{1,4}}(?:{_WORKS})\b"
    rf"|[A-ZÀ-Þ]\w+(?:['’]s|s['’]) (?:[\w-]+ ){{0,3}}(?:{_WORKS})s?\b"
)
_OF_ANOTHER = re.compile(rf"\ban? (?:[\w-]+ )?(?:{_WORKS}) by (?=[A-Z])")  # not what is asked for
_NOTE = re.compile(r"\(([^()]+)\)")
_APPOSITION = re.compile(r"^(?:I think |[Ii]t['’]s )?[^,(]+(?:, | \()(?!or )(.+)")
_KIND_AND_NAME = re.compile(
    r"(?:[Tt]he|[Aa]n?) (?:[A-Z][\w-]+ )?([a-z]+) (?:(?<=city |town )of )?[\"“]?[A-ZÀ-Þ].*"
)
_CLAUSE = re.compile(r"(?:whose|who|which|where|that|with) ")  # its nouns are of other things
_DESCRIPTION = re.compile(r", (?:the|an?) ")
_BYLINE = re.compile(r"^(?:[^,]+,? (?<!ed )|.*\b(?:written|composed|painted|directed|sung) )by [A-ZÀ-Þ]")


def narrower(kinds: Kinds, second: Kinds) -> Kinds:
    """The smaller set where it is a non-empty part of the larger, else the union."""
    overlap = kinds & second
    return overlap if overlap and overlap in (kinds, second) else kinds | second


def kinds_named(description: str) -> Kinds:
    """The kinds, of ``kinds.txt``, of the noun that a description is about: the largest moon of Saturn is a ``planet``.

    Empty for an unknown noun, and for one in capitals (it is part of a name) unless "the " begins the phrase."""
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


def kinds_told(guess: str) -> Kinds:
    """The kinds that a guess says its name is of, beside it; else empty."""
    claimed = NOTHING
    apposition = _APPOSITION.match(guess)
    if apposition and not _CLAUSE.match(apposition[1]):
        place = plain_words(re.split("[,)]", apposition[1])[0]) in _REGIONS
        claimed |= _PLACE | _EVENT | _GROUP if place else kinds_named(apposition[1].rstrip(")"))
    if not claimed and _BYLINE.search(guess):
        claimed = _WORK
    named = None if claimed else _KIND_AND_NAME.fullmatch(guess)
    return kinds_named(named[1]) if named else claimed


def _kinds_of_name(index: Index, answer: Alternative, guess: str) -> Kinds:
    """The kinds of an accepted answer, as far as its own words tell; empty where they tell nothing.

    A work may bear any name that is underlined as a whole, where the guess has the whole."""
    text, plain = answer.text, plain_words(answer.text).removeprefix("the ")
    marked = plain_words(" ".join(answer.required)).removeprefix("the ") not in ("", plain)
    complete = not marked and set(normal(text).tokens) <= set(normal(guess).tokens)
    bare = _WORK if complete else NOTHING
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
    named = marked and answer.main and text.endswith(answer.required[-1])
    likely = person and (person.sure or (named and person.likely))
    if likely or (title in OFFICES and behind):
        return _PERSON | bare
    if marked and _BYNAME.fullmatch(text) and text.startswith(answer.required[0]):
        return _PERSON | {"god"}
    if plain in _GODS:
        return frozenset(("god", "planet") if plain in _PLANETS else ("god",))
    return ALL - _COMMON if text.startswith("The ") and text[4:5].isupper() else NOTHING


def kinds_noted(index: Index) -> Kinds:
    """The kinds in a line's first parenthesis outside brackets that tells any: Rush (band); else empty."""
    notes = _NOTE.findall(_BRACKETS.sub("", index.source))
    kinds = (_WORK if note.startswith("by ") else kinds_named(note) for note in notes)
    return next(filter(None, kinds), NOTHING)


def kinds_of_line(index: Index, guess: str) -> Kinds:
    """The kinds of what a line accepts under no condition, by the words of its answers; empty where they tell
    nothing. An answer may be a work too if ``guess`` holds it, or the line has ``<i>``."""
    kinds = NOTHING
    for rank, answer in index.ranked:
        if rank == ACCEPT and not answer.triggers:
            kinds = narrower(kinds, _kinds_of_name(index, answer, guess))
    return kinds | _WORK if kinds and "<i>" in index.source else kinds


def _by_another(index: Index, guess: str, asked: Kinds, final: str) -> bool:
    """Whether a guess names the maker of a work, and neither line nor ``final`` them, though one says who."""
    maker = _MAKER.fullmatch(guess)
    work = maker is not None or not _WORK.isdisjoint(asked)
    maker = maker or _OWNED.search(guess)
    credit = _SAYS_WHOSE.search(_OF_ANOTHER.sub("", final)) if work else None
    if not maker or not (index.authors or credit):
        return False
    named = index.authors | set(normal(f"{index.source} {final}").tokens)
    pairs = product(normal(maker["author"]).tokens, named)
    return not any(token == name or spelling_distance(name, token, True) < 4 for token, name in pairs)


def _in_another_year(index: Index, guess: str, final: str) -> bool:
    """Whether a guess gives another year than the line, or than the noun that the question asks for."""
    phrases = " ".join(ASKED_FOR.findall(final))
    years = set(_YEAR.findall(f"{_BRACKETS.sub('', index.source)} {' '.join(index.accepted)} {phrases}"))
    guessed = _YEAR.findall(guess)
    return bool(years and guessed) and years.isdisjoint(guessed)


@lru_cache(maxsize=1 << 10)
def _asked_in(tossup: str) -> tuple[Kinds, str]:
    """The kinds of what the last sentence of a tossup asks for, and that sentence; empty and '' without text."""
    if not tossup:
        return NOTHING, ""
    final = last_sentence(tossup)
    phrases = ASKED_FOR.findall(_IN_WHICH.sub(",", final))
    return NOTHING.union(*map(kinds_named, phrases)), final


def names_another_thing(index: Index, guess: str, tossup: str = "") -> bool:
    """Whether a matching guess says by kind, author or year that it means another thing of the name than line
    or last sentence of ``tossup`` ('' if unknown) do."""
    claimed, noted = kinds_told(guess), kinds_noted(index)
    classed = None if claimed else _CLASS_BEHIND.fullmatch(guess)
    if classed and (noun := classed[1].lower()) not in index.stated_words:  # the Casablanca Conference
        claimed = NOUNS.get(noun, NOTHING) & _CLASSES
    asked, final = _asked_in(tossup)
    if claimed or (noted and _DESCRIPTION.search(guess)):
        kinds = narrower(noted or kinds_of_line(index, guess), asked)
        if kinds and claimed.isdisjoint(kinds):
            return True
    return _in_another_year(index, guess, final) or _by_another(index, guess, asked, final)


_CLASS_WORDS = words("class before") | words("classes of places before")
_JOINTS = r"(?:of|or|for|to|in|with|by|from|at|than|vs|on|not|de|von|van|le|la)\b"
_NOUNS = "|".join(sorted(noun for noun in NOUNS if len(noun) > 3))
# "The German composer", "Jane Austen's novel", "the month of": no preposition, so that "the king of" is none.
_DESCRIBED = re.compile(
    r"(?:(?P<article>[Tt]he|[Aa]n?|(?:[A-ZÀ-Þ][\w.]* )*[A-ZÀ-Þ]\w*(?:['’]s|s['’])(?: \d{4})?) )?"
    rf"(?:(?!{_JOINTS})(?:[a-z][\w'’-]*|[A-Z]{{2,}}|{_OF_A_NATION}\b|[A-Z][\w-]+(?= (?:[A-Z][\w-]+ )?(?:{_NOUNS}) )) )*?"
    r"(?!(?:and|for|not|than|with|from|great|young|old|new|first|last)\b)(?P<noun>[a-z][a-z-]{2,})"
    r"(?:(?<=month) of|(?<=holiday) of|(?<=process) of|(?<=concept) of|(?<=country) of)?"
    r",? (?P<answer>(?:[Tt]he )?[\"“]?[A-ZÀ-Þ\d].*)(?P<second>)"
)
_OWNED_NAME = re.compile(
    r"(?:[A-ZÀ-Þ][\w.-]* ){0,3}[A-ZÀ-Þ][\w.-]*(?:['’]s|s['’]) [\"“]?(?P<answer>\w.*)(?P<second>)"
)
# What a gloss begins with; of these "in" and the like only behind an answer of two words or more, or a name.
_BREAK = re.compile(
    r",? (?P<bracket>\()|[,;:] | [-–—] |(?<=[a-z]{4})[.?!] | (?P<clause>that|which|who|whose|where|by|about|made|such as|between the"
    rf"|the(?= (?:{_OF_A_NATION} )?[a-z]+$)) (?=\S)"
    r"| (?P<scope>(?:of|from|on|for|between|in)(?: an?)?) (?!the |[a-z]+ern [A-Z])(?=[a-z])"
    r"| (?P<where>(?:on|with)(?= the [a-z])|(?:of|in|on|at|from|with|during|near|outside|between|to|against|under|led by)(?= (?:the )?(?:[a-z]+ern )?(?:[A-Z]|\d{4}s?$|\d+ BCE?$))) "
)
_DESCRIBES = re.compile(
    r"[\"“]?(?:[a-z]|an? |the |i\.e\.|\d|(?:It|They|He|She|The|This|That|A) )|[A-ZÀ-Þ][\w.’'-]*(?: [A-ZÀ-Þ][\w.]*){0,3}(?:['’]s|s['’]) |[A-ZÀ-Þ][\w-]+ [a-z]"
)
_DECADE = re.compile(r"(?:the )?[12]\d{3}s?")
_YEARS = re.compile(r"[12]\d{3}(?: to |[-–])")
_HEDGES = re.compile(
    r"(?:and|or|not|but)\b|.* or |(?i:part|act|volume|season|episode) (?:\d|[IVX]+\b|[Oo]ne|[Tt]wo)"
)
_SUBTITLE = re.compile(r"or,? (?:the |an? )?[A-ZÀ-Þ]")
_WORK_WORDS = "|".join(sorted(words("works") | words("kinds in lower case behind a name")))
_BEHIND = "|".join(sorted(words("classes of places behind") | words("kinds behind a name")))
_CLASS_BEFORE = "|".join(sorted(words("classes of places before")))
# The Book of Kells manuscript, the Danube River, Mount Everest.
_CLASSED = re.compile(
    rf"(?P<answer>.+) (?:(?P<work>{_WORK_WORDS})|(?i:(?:{_BEHIND})s?|gallery|tournament|religion|faith))"
    rf"|(?:[Tt]he )?(?i:{_CLASS_BEFORE})\.?(?: of)? (?P<second>[A-ZÀ-Þ].*)"
)
_STATE_OF = word_map("towns of a state")
_MOST, _DEEPEST = 6, 2  # glosses behind one answer, glosses within glosses


def _is_person(index: Index, plain: str) -> bool:
    """Whether an answer is a person or a surname, as far as the line tells."""
    return any(person.sure for person, *_ in index.people) or plain in index.surnames


def _is_thing(index: Index, text: str, named: bool = False) -> bool:
    """Whether an answer is no place and no person, as far as line and lists tell; a work may be ``named``."""
    plain = plain_words(text).removeprefix("the ")
    place = plain in PLACES or plain.partition(" ")[0] in person_names.PLACE_BEGINNINGS - _CLASS_WORDS
    lower = text.removeprefix("the ")[:1].islower()
    return not (lower or place or _is_person(index, plain) or (is_given(plain) and not named))


def _has_class(index: Index, answer: str) -> bool:
    """Whether an answer as it stands may be called a river, a museum or the like."""
    plain = plain_words(answer).removeprefix("the ")
    place_or_given = plain in REGIONS | person_names.GIVEN
    return plain in index.strict and not place_or_given and not _is_person(index, plain)


def _is_whole(index: Index, answer: str, guess: str) -> bool:
    """Whether the answer is one of the line from end to end, or a name of several words: not a surname or key word alone."""
    plain = plain_words(answer).removeprefix("the ")
    texts = {
        plain_words(text).removeprefix("the ")
        for accepted in index.accepted
        for text in (*variants(accepted), re.split("[,:] ", accepted)[0])
    }
    name = untitled(normal(answer).tokens)
    if len(name) > 1 or not texts.isdisjoint((plain, *name)):
        return True
    return not kinds_told(guess).isdisjoint(kinds_of_line(index, guess))


def _states_location(name: str, text: str) -> bool:
    """Whether a text says itself of what place a name is: Supreme Court of the United States."""
    full, text = (t.casefold().removeprefix("the ") for t in (name, text))
    short, bare = (" ".join(untitled(tuple(t.split()))) for t in (full, text))
    texts = text.removeprefix(full), text.removeprefix(short), bare.removeprefix(short)
    return any(re.match(r" (?:of|in|at|from|near) \w", remainder) for remainder in texts)


def _is_proper(index: Index, tokens: tuple[str, ...]) -> bool:
    """Whether the line writes words in capitals: black holes are no Black Hole of Calcutta."""
    return any(form.proper for form in index.forms if set(tokens) <= set(form.norm.tokens))


def _is_own_name(index: Index, answer: str) -> bool:
    """Whether an answer of one word is a name that is no word besides, and neither a given name nor a surname."""
    plain = plain_words(answer).removeprefix("the ")
    titled = any(text.startswith(("The ", "A ", "An ")) for text in index.accepted)
    named = " " not in plain and plain in index.strict and answer.split()[-1].istitle() and not titled
    ordinary = is_word(plain) or plain in person_names.COMMON or is_given(plain)
    return named and not (ordinary or plain in index.surnames)


def _is_where(index: Index, answer: str, cut: re.Match[str]) -> bool:
    """Whether a place or year behind an answer of two words or more, or a name, may be told of it."""
    tokens = untitled(normal(answer).tokens)
    final = answer.split()[-1]  # black holes are no Black Hole of Calcutta
    titled = final.istitle() and not any(final in text for text in index.accepted)
    written = not titled or _is_proper(index, tokens)
    title, _, name = normal(answer).strict.partition(" ")
    accepted = (normal(text).strict.partition(" ") for text in index.accepted)
    if title in ("st", "saint") and any(office in OFFICES and text == name for office, _, text in accepted):
        return False  # Francis of Assisi was no pope
    ruler = not (OFFICES - HUSBANDS).isdisjoint(normal(answer).tokens)
    place = plain_words(cut.string[cut.end() :]).removeprefix("the ") in _REGIONS  # Islam in Vietnam
    hero = " ".join(tokens) in _GODS or any(p.given[:1] == tokens for p, *_ in index.people)
    named = not place and (cut["where"] != "of" or hero) and _is_own_name(index, answer)  # Odysseus of Ithaca
    described = written and index.says(tokens) and (len(tokens) > 1 or ruler or named)
    located = any(_states_location(answer, text) for text in index.texts)
    return described and not located and " ".join(tokens) not in PLACES


def _belongs(index: Index, answer: str, cut: re.Match[str]) -> bool:
    """Whether a gloss behind an answer is told of it."""
    guess, gloss = cut.string, cut.string[cut.end() :]
    if cut["where"]:
        return _is_where(index, answer, cut)
    if cut["scope"]:  # the speed of light in a vacuum
        proper = _is_proper(index, normal(answer).tokens)
        named = cut["scope"] in ("of", "from") or answer.split()[-1].islower()  # Nash equilibrium
        vague = cut["scope"] in ("of", "from", "on", "for", "between")
        told = " " in answer and named if proper else not vague
        return told and index.accepts(answer)
    if cut["clause"]:
        return _is_whole(index, answer, guess)
    if _SUBTITLE.match(gloss):
        return _is_thing(index, answer)
    if index.accepts(gloss.removeprefix("or ")):
        return True
    if _HEDGES.match(gloss):
        return False
    place = plain_words(gloss.partition(",")[0])
    state = _STATE_OF.get(plain_words(answer), "")
    federal = state in STATES and (place in ("us", "usa", "america", "canada") or "united" in place)
    if place in COUNTRIES and state not in place and not federal:
        return False  # Copenhagen, Norway
    if place in COUNTRIES or state == place:
        return index.countries <= {place, plain_words(answer)} and index.accepts(answer)
    if _DESCRIBES.match(gloss):
        number = gloss[0].isdigit() and index.numbered and not _YEARS.match(gloss)
        return not number and _is_whole(index, answer, guess)
    if not REGIONS.isdisjoint(place.split()) or plain_words(answer) in PLACES:
        return False
    if index.authors and index.authors.isdisjoint(normal(gloss).tokens):
        return False  # Medea, Seneca
    several = len(untitled(normal(answer).tokens)) > 1
    return _is_thing(index, answer) or (several and _is_whole(index, answer, guess))


def _parts(guess: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Each part of a guess that may be the answer, and the match of what is said beside it.

    First the beginnings that a gloss may follow, the longest first, then names behind a description or before their class."""
    for cut in list(_BREAK.finditer(guess))[:_MOST][::-1]:
        if cut.start():
            yield guess[: cut.start()].strip(), cut
    for pattern in (_CLASSED, _OWNED_NAME, _DESCRIBED):
        if cut := pattern.fullmatch(guess):
            yield cut["answer"] or cut["second"], cut


def _goes_with(index: Index, answer: str, cut: re.Match[str], judged: Judgement) -> bool:
    """Whether what is said beside an answer may be cut off."""
    if cut.re is _CLASSED and not cut["work"]:
        return _has_class(index, answer)
    if judged.verdict == "prompt":
        gloss = cut.string[cut.end() :]
        if cut.re is not _BREAK or cut["scope"] in ("of", "from"):  # enthalpy of fusion
            return False
        if cut["where"]:  # King Henry of England
            ruler = not OFFICES.isdisjoint(normal(answer).tokens) and plain_words(gloss) in PLACES
            stated = any(_states_location(answer, text) for text in index.texts)
            return (ruler and not stated) or _DECADE.fullmatch(gloss) is not None
        return plain_words(gloss) in COUNTRIES or _DESCRIBES.match(gloss) is not None
    if cut.re in (_CLASSED, _OWNED_NAME):
        plain = plain_words(answer)
        if cut.re is _OWNED_NAME and plain in person_names.COMMON and f"the {plain}" not in index.strict:
            return False  # Danton's Death, but Plato's Republic
        titled = judged.rule == "typo" or _is_proper(index, normal(answer).tokens)
        several = cut.re is _OWNED_NAME and " " in plain.removeprefix("the ") and plain in index.strict
        # Britten's Peter Grimes is called like a person.
        thing = titled and _is_thing(index, answer, cut.re is _OWNED_NAME)
        return thing or (several and (titled or answer.islower()))
    if cut.re is _DESCRIBED:
        told = cut["article"] or cut["noun"] in NOUNS
        return bool(told) and _is_whole(index, answer, cut.string)
    return _belongs(index, answer, cut)


def match_with_gloss(index: Index, guess: str, depth: int = 0) -> Judgement | None:
    """The judgement of a guess that holds an answer of the line and what describes it; None where it does not.

    An accepted one has rule ``more`` and score 0.75. ``depth`` counts the glosses that are already cut off."""
    for answer, cut in _parts(guess):
        judged = index.match(normal(answer))
        if not judged and depth < _DEEPEST:
            judged = match_with_gloss(index, answer, depth + 1)
        if not judged or judged.verdict == "reject":
            continue
        prompted = judged.verdict == "prompt"
        if _goes_with(index, answer, cut, judged):
            return judged if prompted else Judgement("accept", 0.75, "more")
    return None
