"""Names of people: given names, surnames, particles, and who is meant by a shorter form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from .lexicon import lines, words
from .normalise import STOP, american, normal, plain_words, raw_words, roman_value
from .typos import consonants, spelling_distance

TITLES = words("titles") | frozenset(map(american, words("titles")))
PARTICLES = words("particles")
_BOUND_PARTICLES = words("bound particles")
GIVEN = words("given names")
_NICKNAMES: dict[str, set[int]] = {}  # name → the groups of one name's forms that it is in
for _number, _group in enumerate(lines("nicknames")):
    for _name in _group.split():
        _NICKNAMES.setdefault(_name, set()).add(_number)
MONONYMS = words("mononyms")
FAMILY_NAMES = words("family names")
_ASKING = frozenset(("who", "why", "how"))  # no initials
_NAME_BEHIND = words("family names before the name that is used")
_GIVEN_BEHIND = words("given names behind")
PLACE_BEGINNINGS = words("place beginnings")
REGIONS = words("states") | words("countries")
OFFICES = TITLES - {"republic", "kingdom", "dynasty", "house"}
COUNTRIES = words("countries") | frozenset(lines("countries of several words"))
STATES = words("states") | frozenset(lines("states of several words"))
PLACES = COUNTRIES | STATES | words("realms") | words("towns")
"""Places in plain words, of which a guess names no person."""
_STATES = frozenset(("us", "un", "uk"))
COMMON = words("common words") | words("direction") | words("kinds")
# What is derived from another word is no name: Haitian Vodou, Harlem Renaissance, Foreign Affairs.
_DERIVED_FIRST = re.compile(
    r".+(?:['’]s?|ian|ean|ish|ese|(?<![rd])ic|ical|[nitru]al|ous|ed|ful|less|[tsi]ve|[ai]ble|ern|ite|i[sz]ed)$"
)
_DERIVED_LAST = re.compile(
    r".+(?:ism|[ts]ion|ment|ity|[ae]nce|hood|ship|ology|ics|shire|land|lands|ville|burgh?|town|stan|grad"
    r"|polis|(?<![aeious])s|[iea]ns|ies|ers|ate|acy|ing|bury|sea)$"
)
# A syllable or two as Chinese names are written, or any number with hyphens.
_SYLLABLE = (
    "(?:[bpmfdtnlgkhjqxrwy]|[zcs]h?)?(?:i?ang?|i?ong?|[eiu]ng?|i?ao?|ai|ei?|ou|i[aeu]|ui?|u[ae]ng?|u[aoei]i?"
    "|uan|ue|o|i|er)"
)
_CHINESE = re.compile(rf"(?:{_SYLLABLE}){{1,2}}|[A-Za-z]+(?:-[a-z]+)+", re.I)
_NO_WORD_OF_NAMES = (
    words("class before") | words("class behind") | words("no surname") | STOP - {"a"}
)
_JUNIOR = re.compile(r",?\s+(?:Jr|Sr|II|III)\.?$|(?<=[a-z]{3}) IV$")
_RANK = re.compile(
    r"^(?:Sir|Dame|Dr\.?|Doctor|Professor|General|Admiral|Captain|Colonel|Major|Marshal|Lieutenant|Senator|President|Chancellor"
    r"|Governor|Justice|Inspector|Reverend|Rev\.) (?=\S+ \S)"
)
_AL = re.compile(r"(?:al|el|a[dnrstz]|ash)-[A-Z]")
_INITIALS = re.compile(r"(?:[A-Z]\.)+")
_NO_NAME = re.compile(r"[\d\",:;!?/()&]")
# "Dan" Haggerty, Edward "Duke" Ellington
_QUOTED_NAME = re.compile(r'(^|[a-z.] )"(\w+)" (?=[A-Z])')


class Person(NamedTuple):
    """A name read as a person's, in normal form."""

    given: tuple[str, ...]
    surname: str
    sure: bool  # else the words only look like a name
    likely: bool = True  # and whether they look so much like one that the surname alone is taken


def _names(tokens: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """Given names and surname of the tokens of a name: Du Bois is one word, van and de are none."""
    words: list[str] = []
    bound = ""
    for token in tokens:
        if token in ("al", "el") and words:
            continue  # the Arabic article may be left out, "Al" in front is a name
        if token in _BOUND_PARTICLES:
            bound += token
        elif token not in PARTICLES or token == "ben":
            words.append(bound + token)
            bound = ""
    if not words:
        return (), ""
    given_names: list[str] = []
    for word in words[:-1]:  # J.R.R. is three
        given_names += word if len(word) < 4 and not (is_given(word) or word in _ASKING) else [word]
    return tuple(given_names), words[-1]


def names_in(tokens: Iterable[str]) -> int:
    """How many names stand before the last one."""
    return len(_names(tokens)[0])


def is_given(word: str) -> bool:
    """Whether a word in normal form is a given name or short for one."""
    return word in GIVEN or (word in _NICKNAMES and word not in COMMON)


def person_in(text: str) -> Person | None:
    """The name in a text that looks like 'First [Middle] Last', else None.

    All words are capitalised but particles, and none is a function or class word. It is ``sure``
    where the first is a given name or an initial.
    """
    if " " not in text:
        return None
    text, cut = _JUNIOR.subn("", _RANK.sub("", text.strip()))
    text = _QUOTED_NAME.sub(r"\1\2 ", text)
    words = raw_words(text)
    if not 2 <= len(words) <= 6 or _NO_NAME.search(text):
        return None
    plain = [plain_words(w).split() for w in words]
    final = "".join(plain[-1])
    if len(final) < 3 or roman_value(final) or words[-1] in PARTICLES:
        return None
    for word, tokens in zip(words, plain, strict=True):
        token = "".join(tokens)
        capital = word[0].isupper() or _AL.match(word)
        if token not in PARTICLES - {"of"} and (not capital or token in _NO_WORD_OF_NAMES):
            return None
    given_names, surname = _names(normal(text).tokens)
    if not given_names or (cut and is_given(surname)):  # John Paul II
        return None
    certain = (
        is_given(given_names[0])
        or _INITIALS.fullmatch(words[0]) is not None
        or (len(words) == 3 and plain[0][0] in _NAME_BEHIND)
    )
    return Person(given_names, surname, certain, certain or _looks_like_one(words, plain))


def _looks_like_one(words: list[str], plain: list[list[str]]) -> bool:
    """Whether capitalised words are a person's by their shape: nothing says that they are something else.

    Place names begin with words of their own, works and things have words of the language in them or
    endings that make one word of another, and a plural is a people or a series.
    """
    joined = ["".join(tokens) for tokens in plain]
    return (
        joined[0] not in PLACE_BEGINNINGS
        and COMMON.isdisjoint(joined)
        and not _DERIVED_FIRST.match(words[0].casefold())
        and not _DERIVED_LAST.match(joined[-1])
    )


def family_first(text: str) -> Person | None:
    """The same for names that begin with the family's: Mao Zedong, Kim Il-sung, Kurosawa Akira."""
    words = raw_words(text) if " " in text else []
    if not 2 <= len(words) <= 3 or _NO_NAME.search(text):
        return None
    plain = ["".join(plain_words(word).split()) for word in words]
    eastern = plain[0] in FAMILY_NAMES and all(map(_CHINESE.fullmatch, words[1:]))
    named = eastern or plain[-1] in _GIVEN_BEHIND
    return Person(tuple(plain[1:]), plain[0], True) if named else None


def untitled(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name without the titles before it, and without a nation before those."""
    tokens = tokens[1:] if len(tokens) > 2 and tokens[0] in _STATES else tokens
    while len(tokens) > 1 and tokens[0] in TITLES:
        tokens = tokens[1:]
    return tokens


def holds_office_of(strict: str) -> bool:
    """Whether plain words put a title before "of", and so name a person and no place: King of Spain."""
    return any(word in OFFICES and after == "of" for word, after in pairwise(strict.split()))


def same_given(a: str, b: str) -> bool:
    """Whether two given names are the same, forms of one, or one is the other's initial."""
    if len(a) == 1 or len(b) == 1:
        return a[0] == b[0]
    return a == b or not _NICKNAMES.get(a, frozenset()).isdisjoint(_NICKNAMES.get(b, ()))


def sound_alike(a: str, b: str) -> bool:
    """Whether two long given names have the same consonants: Elinor, Eleanor."""
    return min(len(a), len(b)) > 5 and consonants(a) == consonants(b)


def same_person(person: Person, tokens: tuple[str, ...]) -> tuple[float, str] | None:
    """Score and rule where ``tokens`` name the person, else None."""
    given_names, surname = _names(untitled(tokens))
    if len(given_names) > 5:
        return None
    slip = 0.0 if surname == person.surname else spelling_distance(person.surname, surname, True)
    if not given_names and surname == person.given[0] and surname in MONONYMS:
        return 0.9, "name"
    if slip > 3:
        behind = len(given_names) > 2 and given_names[-1] == person.surname and person.sure
        double = behind and same_given(given_names[0], person.given[0])
        return (0.75, "name") if double else None  # a mother's or husband's name behind
    if given_names:
        best = _same_given_names(person, given_names)
    elif person.sure:
        best = (0.95, "surname")
    else:
        best = (0.8, "last name") if person.likely else None
    return (round(best[0] - 0.1 * slip, 4), "typo") if best and slip else best


def _same_given_names(person: Person, given: tuple[str, ...]) -> tuple[float, str] | None:
    """Score and rule for the given names before a person's surname."""
    known_names, head_name = person.given, given[0]
    head = same_given(head_name, known_names[0])
    written = (
        head
        and len(known_names) == 1 < min(len(head_name), len(known_names[0]))
        and head_name != known_names[0]
    )
    if written and spelling_distance(head_name, known_names[0], True) > 3:
        return None  # Jim Brown and James Brown are two
    skipped = (
        head and len(given) == 2 < len(known_names) and not same_given(given[1], known_names[1])
    )
    if skipped and (len(given[1]) == 1 or all(len(k) == 1 for k in known_names[1:])):
        return None  # George W. is not George H. W.
    if _follow_each_other(given, known_names):
        if head:
            return 0.95, "name"
        elif person.likely and any(same_given(head_name, k) for k in known_names if len(k) > 1):
            return 0.9, "name"
    elif len(given) > len(known_names) and (person.sure or all(len(g) == 1 for g in given[1:])):
        initial = any(len(name) == 1 for name in (head_name, *known_names))
        if (initial or is_given(head_name)) and _follow_each_other(known_names, given):
            return 0.85, "name"
    elif len(given) == len(known_names) < 3 and all(
        same_given(k, g) or spelling_distance(k, g, True) < 3 or sound_alike(k, g)
        for k, g in zip(known_names, given, strict=True)
    ):
        return 0.75, "typo"
    return None


def _follow_each_other(part: tuple[str, ...], given: tuple[str, ...]) -> bool:
    """Whether each of some given names has its form among others, in their order."""
    remainder = iter(given)
    return all(any(same_given(name, second) for second in remainder) for name in part)


def surnames_joined(text: str) -> list[str]:
    """The surnames of two people in a text, sorted; none where other words than given names stand before one."""
    names = sorted(normal(name).tokens[::-1] for name in text.split(" and "))
    complete = all(is_given(word) or len(word) < 3 for name in names for word in name[1:])
    return [name[0] for name in names if name] if complete else []
