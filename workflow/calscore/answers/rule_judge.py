"""The rules: judge a guess against a quizbowl answer line.

A model's guess is right when a moderator would accept it (paper §3.2 and §4.1, g_t), and the
answer line tells the moderator so: ``Nazi party [or NSDAP; prompt on fascists; do not accept
"Falange"]``. :mod:`calscore.answers.parse` turns the line into a small tree, :func:`judge_by_rules` decides
one guess. Nothing here is learned, and nothing knows a question's text.

How a guess is decided, first match wins: an empty guess; the same words as an alternative, with
articles kept; the same words by a key of :class:`Normal` (number words, Roman numerals, spelling,
order, plurals, spacing), in both cases reject before accept before prompt before an alternative
whose condition is past; then the best of what a derived wording, a person's name, a fuller guess
or, failing these, a misspelling suggests; then, where the line asks for it, a partial answer. A
guess that only drops or adds distinguishing words is rejected. The :data:`calscore.answers.rules.RULES`
say what each has seen, :data:`calscore.answers.rules.CERTAIN` which of them a learned score must not overrule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from .answerline import Answerline
from .lexicon import lines, words
from .match_index import Index
from .normalise import UMLAUTS, Normal, normal, plain_words, roman_value, singular_form
from .paraphrase import halves, match_paraphrase
from .parse import parse
from .person_names import REGIONS, TITLES, is_given, untitled
from .qualifiers import (
    in_another_era,
    joins_another,
    match_with_modifier,
    match_with_qualifier,
    of_another_realm,
    prompted,
    prompted_within,
    said_of,
)
from .rules import Judgement, judgement_of
from .typos import heard
from .word_forms import FORMULA, OWN, spelled

_NO_GUESS = frozenset(lines("no guess"))

_PREFIX = re.compile(
    r"^\s*(?:the\s+)?(?:correct\s+)?(?:final\s+)?(?:answer|guess)(?:\s+is|\s*:)\s*:?\s*", re.I
)


# "I think it is …", "that would be …", "my answer is …"
_SPOKEN = re.compile(
    r"^(?:(?:um+|uh+|er+|well|so|oh|ok(?:ay)?|maybe|perhaps|probably|possibly)[,.]? )*"
    r"(?:i(?:['’]m| am) (?:going with|going to say|guessing)"
    r"|i(?: will|['’]ll|['’]d| would)? (?:think|believe|guess|say|go with|answer)(?: that)?"
    r"(?:,? (?:it|that|this|they|these)(?:['’]s| is| was| are| were| would be| must be)| the answer is)?"
    r"|(?:it|that|this|they|these|those|s?he|the (?:author|painter|composer|poet|novelist|writer|artist|work|person|answer))(?:['’]s| is| was| are| were| would be| must be| should be| could be)"
    r"(?: called| about)?"
    r"|(?:is|was|are|could|would) (?:it|that|this|they)(?: be)?"
    r"|(?:my|our|the) (?:final )?(?:answer|guess) (?:is|would be|was)|there (?:are|is|were|was)"
    r"|maybe|perhaps|probably|possibly),? (?=(?!not\b|no\b)[\w\"“'])",
    re.I,
)
_DENIED = re.compile(r"\b(?:not|never|isn['’]?t|wasn['’]?t|n['’]t|anything but|except)\b", re.I)
# "tungsten, which is a metal", "Hamlet, Prince of Denmark"
_KINDS = "|".join(sorted(words("kinds before") | words("persons")))
_APPOSED = re.compile(
    r"^(\w(?:[^,]|,(?=\d{3}))*), (?:(?:which|that|who|an?|the|also called|also known as|aka) [a-z]|the [A-Z][a-z]+(?: [A-Z][a-z]+)?$"
    r"|(?:the )?(?:\d+(?:st|nd|rd|th) )?(?:Prince|Princess|King|Queen|Duke|Duchess|Marquess|Marquis|Earl|Viscount|Count|Baron|Lord|Emperor)"
    r" (?:of )?[A-Z]"
    rf"|(?:the |an? )?(?:[A-Z][\w-]+ ){{0,2}}(?:[a-z-]+ ){{0,2}}(?:{_KINDS}|{'|'.join(sorted(TITLES))})s?\b)"
)
# "Battle of Gettysburg in Pennsylvania", "Kansas-Nebraska Act of 1854"
_WHERE = re.compile(
    r"^(\S+ .*?\S) (?:of|in|at|from|during|near) (?:the )?(?:[A-Z][\w'’-]+|\d{4}s?)$"
)
_OF_PLACE = re.compile(r"([A-ZÀ-Þ]\w{3,}) of [A-ZÀ-Þ][a-z]+")  # Castro of Cuba
# "he was exiled to Tomis", where a line takes descriptions
_AIMED = re.compile(
    r"^(\S.*?) (?:to|from|in|at|before|by|for) (?:the )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?$"
)
# "Jesus cleansing the temple"
_DOER = re.compile(r"(?:[A-ZÀ-Þ][\w'’-]+ ){1,3}(?=[a-z]+ing\b)")
_DATED = re.compile(r"^(?:[Tt]he )?\d{4} (?=[A-Za-z])")
_REWORDED = frozenset(("equivalent", "word form"))
_WHOLE = frozenset(("exact", "alias", "number", "title", "name", "required"))
# "23 pairs", "two thirds majority"
_COUNTED = re.compile(
    r"^([\w.,/-]+(?: [\w.,/-]+){0,2})(?<! and) (?!hundred|thousand|million|billion|dozen|percent)[a-z]{3,}\.?$"
)
_ORDINAL = re.compile(r"(?:first|second|third|\dst|\dnd|\drd|th)$", re.I)
_ION = re.compile(r"([A-Z][a-z]?)\d?[+\-−]")
_DIATOMIC = re.compile(r"\b(H|N|O|F|Cl|Br|I)(?:2|₂)(?!\w)")  # O2 and H2
_BEING = re.compile(
    r"^(?:being|getting|becoming|to|committing|performing|practicing|undergoing|doing) (?=[a-z])",
    re.I,
)
_ERA = re.compile(
    r"(?:(?:AD|A\.D\.) )?(\d{1,4}|(?:[Tt]he )?[\w-]+ century)(?: (?:AD|A\.D\.|CE|C\.E\.))?"
)
_BY = re.compile(r"(.+?),?\s+(?:\w+(?:ed|en|ung) )?by\s+(\w.*)")
# "D-glucose", "beta-carotene"
_LOCANT = re.compile(
    r"^(?:[DLRSZE]|alpha|beta|gamma|delta|ortho|meta|para|cis|trans|[nomp]|[αβγδ])-(?=[a-z]{4})"
)
_WHERE_LONG = re.compile(  # behind two words only a region: "New Jersey in the American Revolution" is no place
    r"^((?:\S+ ){2,}\S+|\S+ [Aa]mendment(?= (?:to|of) the )|\S+ \S+(?= in (?:North|South|Central|East|West|Western|Eastern) )) (?:of|in|at|from|during|near|to)"
    r" (?:the )?[A-Z][\w.'’-]+(?: [A-Z][\w'’-]+){0,2}$"
)
_SPECIES = re.compile(r"([A-Z][a-z]+) [a-z]{3,}(?:a|us|um|is|i|ae|ens|ens[ei]s)")
_NARROWED = re.compile(
    r"(?:the )?(?P<whole>[a-z]+(?: [a-z]+){0,2}) (?:of|in) (?:[a-z]+|an? [a-z]+(?: [a-z]+)?)"
)
_KIND_BEFORE = re.compile(
    rf"^(?:(?:the|an?) )?(?:[A-Z][a-z]+ )?(?:[a-z-]+(?:ist|ic|al|ern|ary|ive|ous) )?(?:{_KINDS}) (?:called |named )?(?=[\"“A-Z\d])"
    rf"|^the (?:{'|'.join(sorted(words('kinds before')))}) (?=[a-z][a-z-]*$)"
)


_OF_AUTHOR = re.compile(
    r"[A-ZÀ-Þ][\w.-]+(?: [A-ZÀ-Þ][\w.-]*){0,3}(?:['’]s|s['’]) [\"“]?(?P<title>[A-ZÀ-Þ\d].+)"
)
_THEN_AUTHOR = re.compile(
    r"(?P<title>[A-ZÀ-Þ].+)(?:,| [-–—]) (?P<author>[A-ZÀ-Þ][\w.-]+(?: [A-ZÀ-Þ][\w.-]*){0,2})"
)


def _titles(guess: str) -> Iterator[str]:
    """The title in a guess that names a work with its author: Plato's Republic; Water Music, Handel."""
    if found := _OF_AUTHOR.fullmatch(guess):
        yield found["title"]
    found = _THEN_AUTHOR.fullmatch(guess)
    if found and REGIONS.isdisjoint(plain_words(found["author"]).split()):
        yield found["title"]


_KIND_OF = re.compile(
    r"^(?:[Tt]he )?(?:process|act|practice|concept|idea|phenomenon|theory|system|method|technique|city|town|country|game|sport|dance|dish|genre|village|province|ruins?|site|region|state|island|key) of (?=\w)"
)


# "a piece of glass", "one of the Muses", "just Gretel", "playing chess", "he swims": written small, as titles are not
_FRAME = re.compile(
    rf"(?:(?:(?:an?|the|one|some|two|three|any) )?(?:{'|'.join(sorted(words('measures')))}) of"
    r"|(?:one|any|some|all|two|three|both|members?) of|some|just|only|simply|certain|various|playing|drinking|smoking"
    r"|(?:he|she|they|it|someone|somebody|people)(?= [a-z])) (?:(?:the|an?|some) )?(?=[\w\"“])"
)
_OF_BODY = re.compile(r"(?:(?:the|an?) )?(?:human|animal|mammalian) (?=[a-zA-Z])")
_BODY = frozenset(map(singular_form, words("parts of a body")))
_MOVEMENT = re.compile(r"(?:the )?(.{4,})ist movement")
_DAY = re.compile(r"(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}))?")
_MONTHS = words("months", list)
_POWER = re.compile(r"(?<=\bto the )(?:([a-z])th|(\w+)) power$")
_ASIDE = re.compile(r"\s*(?<!\w)\([^()]*\)?|(?<=\w)\((?![IVX]+\))[^()]*\)?")


_INVERTED = re.compile(r"([\w'’-]+), ([\w.'’ -]+)")  # "Clinton, Bill"
_YEAR_IN = re.compile(r"(\d{4}s?) in (?:the )?[A-Z]")
_IN_YEAR = re.compile(r"[Ii]n (?:the year )?(?=\d{3,4}\b)")
_BY_ONE = re.compile(  # "Hamlet by Shakespeare"
    r"(.+?),?\s+(?:(?:written|composed|painted|directed|sung) )?by\s+\w"
)
_OF_REALM = re.compile(r"(.+\s[IVX]+)\s+of\s+(?:the\s+)?[A-Z][\w ]+$")  # "Nicholas I of Russia"


# What says no more than the rest of a guess, and other ways to write a part of it.
_REWRITES = [
    (re.compile(pattern), to)
    for pattern, to in (
        (r"^(?:[Tt]he )?(?:[Mm]odern|[Pp]resent)[- ]day (?=[A-Z])", ""),  # modern-day Ghana
        (r"(?<=\w) (?:himself|herself|itself|themselves)$", ""),
        (r"(?<=\d) [Bb]efore (?:Christ|the [Cc]ommon [Ee]ra)$", " BC"),
        (r"(?<=\dth|\dst|\dnd|\drd) c(?:ent)?\.?(?=$| (?:BC|AD|B\.C|A\.D|CE))", " century"),
        (r"/(\w+)/\1$", r"/\1^2"),  # m/s/s
    )
]


def _groups(match: re.Match) -> str:
    return "".join(match.groups(""))


def guess_variants(guess: str) -> Iterator[str]:
    """The guess as it stands, then without what models write around an answer."""
    yield guess
    text = _PREFIX.sub("", guess)
    if text != guess:
        yield text
    bare = text if FORMULA.search(text) else _ASIDE.sub(" ", text)
    if bare != text and bare.strip():
        yield bare
    inverted = _INVERTED.fullmatch(bare)
    if inverted:
        yield f"{inverted.group(2)} {inverted.group(1)}"
    if year := _YEAR_IN.match(bare):
        yield year.group(1)
    kind = _KIND_OF.match(bare) or _KIND_BEFORE.match(bare)
    if kind:
        yield from guess_variants(bare[kind.end() :])
    if dated := _IN_YEAR.match(bare):
        yield bare[dated.end() :]
    yield from spelled(bare)  # Göthe, sp³
    if (plain := OWN.sub("", bare)) != bare:
        yield plain
    if framed := _FRAME.match(bare):
        yield from guess_variants(bare[framed.end() :])
    if (
        (part := _OF_BODY.match(bare))
        and normal(bare).tokens[-1:]
        and normal(bare).singular[-1] in _BODY
    ):
        yield bare[part.end() :]
    if behind := _MOVEMENT.fullmatch(bare):
        yield f"{behind[1]}ism"
    if (day := _DAY.fullmatch(bare)) and int(day[1]) < 13 and int(day[2]) < 32:
        yield f"{_MONTHS[int(day[1]) - 1]} {int(day[2])} {day[3] or ''}"
    for pattern, to in _REWRITES:
        if (written := pattern.sub(to, bare)) != bare:
            yield from guess_variants(written)
    if (raised := _POWER.sub(_groups, bare)) != bare:
        yield raised
    if (atoms := _DIATOMIC.sub(_groups, bare)) != bare:
        yield atoms
    counted = _COUNTED.match(bare)
    if (
        counted
        and not _ORDINAL.search(counted[1])
        and all(t.isdigit() for t in normal(counted[1]).tokens)
    ):
        yield counted[1]
    if element := _ION.fullmatch(bare):
        yield element.group(1)
    if opened := _BEING.match(bare):
        yield bare[opened.end() :]
    if (year := _ERA.fullmatch(bare)) and year[1] != bare:
        yield year[1]
    yield from said_of(bare)
    if locant := _LOCANT.match(bare):
        yield bare[locant.end() :]
    if spoken := _SPOKEN.match(bare):
        said = bare[spoken.end() :].rstrip("?!. ")
        yield said
        yield from guess_variants(said)
    apposed = _APPOSED.match(bare)
    if apposed and " or " not in bare:
        yield apposed.group(1)
    for pattern in (_BY_ONE, _OF_REALM):
        if match := pattern.match(bare):
            yield match.group(1)


@lru_cache(maxsize=1 << 15)
def _guess_norms(guess: str) -> tuple[Normal, ...]:
    return tuple(normal(r) for r in guess_variants(guess))


def states_location(name: str, text: str) -> bool:
    """Whether a text says itself of what place a name is: Supreme Court of the United States."""
    rest = text.casefold().removeprefix("the ").removeprefix(name.casefold().removeprefix("the "))
    return rest != text.casefold() and re.match(r" (?:of|in|at|from|near) \w", rest) is not None


def denies(guess: str) -> bool:
    """Whether a guess says what it is not."""
    return _DENIED.search(guess) is not None


def _accepted(index: Index, part: str, rules: frozenset[str] = _WHOLE) -> bool:
    """Whether a part of a guess is an answer by one of these rules."""
    found = index.match(normal(part))
    return found is not None and found.verdict == "accept" and found.rule in rules


def judge_by_rules(
    answerline: str | Answerline, guess: str | None, condition: str = "", asked: bool = False
) -> Judgement:
    """Whether a moderator would accept, prompt on or reject ``guess``.

    ``condition`` is a key of :func:`condition_met`; '' means that no condition of the line is past.
    ``asked``: that the question asks for a person is known.
    A missing guess (None, NaN, "None", "I don't know") is rejected by rule ``empty``. Raises
    ``DataError`` where the answer line is not text.
    """
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    key = condition if not asked else f"{condition} | person"
    index = line._indexes.get(key)
    if index is None:
        past = frozenset(part.strip() for part in condition.split(" | ") if condition) - {""}
        index = line._indexes[key] = Index(line, past, asked)
    if not isinstance(guess, str):
        return Judgement("reject", 0.0, "empty")
    if not guess.isascii():
        guess = unicodedata.normalize("NFC", guess)
    strict = plain_words(guess)
    if not strict:
        return Judgement("reject", 0.0, "empty")
    if found := index.strict.get(strict):
        return found
    first = normal(guess)
    if strict in _NO_GUESS:
        named = () if index.apart(guess, first) else index.grow().near.get("sorted:" + strict, ())
        return next(map(judgement_of, named), Judgement("reject", 0.0, "empty"))
    number = roman_value(strict) if guess.isupper() else None
    if number and (found := index.strict.get(str(number))):
        return found
    if index.apart(guess, first) and (guess.isascii() or guess.translate(UMLAUTS) == guess):
        return Judgement("reject", 0.0, "no match")
    if in_another_era(index, strict) or of_another_realm(index, guess):
        return Judgement("reject", 0.25, "other number")
    found = index.match(first)
    if found and found.rule == "reject" and (both := halves(index, guess, judge_by_rules)):
        return both  # a part alone is rejected, where all are required
    if found and not (found.rule == "name" and joins_another(index, guess)):
        return found
    index.grow()
    author = _BY.fullmatch(guess) if index.authors else None
    others = author and index.authors.isdisjoint(normal(author[2]).tokens)  # by somebody else
    norms = (first,) if others else _guess_norms(guess)
    for norm in norms[1:] if not denies(guess) else ():
        if norm.strict:
            found = index.match(norm)
            # a surname is not enough once "(state)" or the like has been cut off
            if found is not None and (norm.strict == strict or found.rule != "surname"):
                return found
    for title in _titles(guess):
        known = index.titles
        owner = plain_words(guess.replace(title, "", 1)).split()
        known_as = not index.authors or not index.authors.isdisjoint(owner)
        if owner and not known_as:
            continue
        if " " not in title and owner:
            known = index.titles | index.words_alone  # Mary Shelley's Frankenstein
        if not known.isdisjoint(normal(title).keys):
            return Judgement("accept", 0.85, "title")
    narrowed = _NARROWED.fullmatch(guess)
    found = index.strict.get(plain_words(narrowed["whole"])) if narrowed else None
    if found and found.verdict == "accept" and index.common(narrowed["whole"]):
        return Judgement("accept", 0.7, "more")
    found = match_with_qualifier(index, guess) or match_with_modifier(index, guess, first)
    if found := found or (
        None if others else match_paraphrase(index, guess, first, judge_by_rules)
    ):
        return found
    species = _SPECIES.fullmatch(guess)
    found = index.strict.get(species[1].lower()) if species else None
    if species and found and index.genus(species[1]):
        return found
    said = _SPOKEN.sub("", guess)  # that's Chairman Mao of China
    where = _WHERE.match(said) or _WHERE_LONG.match(said)
    part = untitled(normal(where[1]).tokens) if where else ()
    if (
        where
        and len(part) > 1
        and _accepted(index, where[1])
        and index.says(part)
        and not any(states_location(where[1], a.text) for a in line.alternatives)
    ):
        return Judgement("accept", 0.8, "more")
    of = _OF_PLACE.fullmatch(said)
    name = plain_words(of[1]) if of else ""
    if (
        of
        and not is_given(name)
        and any(name == p.given[0] or (p.likely and name == p.surname) for p, *_ in index.people)
    ):
        found = index.match(normal(of[1]))
        if found and found.verdict == "accept":
            return found
    aimed = _AIMED.match(guess) if line.equivalents else None
    doer = _DOER.match(guess) if line.equivalents and not denies(guess) else None
    if doer and _accepted(index, guess[doer.end() :], _WHOLE | _REWORDED):
        return Judgement("accept", 0.7, "equivalent")
    done = (aimed[1], _SPOKEN.sub("", aimed[1])) if aimed else ()
    if any(_accepted(index, part, _WHOLE | _REWORDED) for part in done):
        return Judgement("accept", 0.7, "equivalent")
    dated = _DATED.match(guess)
    undated = dated and not any(c.isdigit() for a in line.alternatives for c in a.text)
    if dated and undated and _accepted(index, guess[dated.end() :]):
        return Judgement("accept", 0.8, "more")
    if " or " in guess:
        each = [index.match(normal(p)) for p in re.split(r"[;,]? or,? ", guess)]
        if all(p is not None and p.verdict == "accept" for p in each):
            return min(each, key=lambda p: p.score)  # a title with its second title
    if line.equivalents and not denies(guess) and index.described(first, guess):
        return Judgement("accept", 0.7, "equivalent")
    if index.sounds and heard(index.sounds, first.tokens, index.accepted_words):
        return Judgement("accept", 0.75, "typo")
    if index.partial and any(index.is_partial(norm) for norm in norms):
        return Judgement("prompt", 0.5, "partial")
    if prompted_within(index, first, guess) or prompted(index, guess, first):
        return Judgement("prompt", 0.5, "prompt")
    return index.rejected(first)
