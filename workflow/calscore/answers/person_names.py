"""Names of people: given names, surnames, particles, and who is meant by a shorter form."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from .lexicon import lines, words
from .normalise import STOP, american, follow, normal, plain_words, raw_words, roman_value
from .typos import spelling_distance

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
_NAME_BEHIND = words("family names before the name that is used")
_GIVEN_BEHIND = words("given names behind")
PLACE_BEGINNINGS = words("place beginnings")
REGIONS = words("states") | words("countries")
OFFICES = TITLES - {"republic", "kingdom", "dynasty", "house"}
COUNTRIES = words("countries") | frozenset(lines("countries of several words"))
STATES = words("states") | frozenset(lines("states of several words"))
PLACES = COUNTRIES | STATES | words("realms") | words("towns")
"""Places in plain words, of which a guess names no person."""
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
_NOT_SURNAMES = words("class before") | words("class behind") | words("no surname")

_JUNIOR = re.compile(r",?\s+(?:Jr|Sr|II|III)\.?$|(?<=[a-z]{3}) IV$")
_RANK = re.compile(
    r"^(?:Sir|Dame|Dr\.?|Doctor|Professor|General|Admiral|Captain|Colonel|Major|Marshal|Lieutenant|Senator|President|Chancellor"
    r"|Governor|Justice|Inspector|Reverend|Rev\.) (?=\S+ \S)"
)
_AL = re.compile(r"(?:al|el|a[dnrstz]|ash)-[A-Z]")
_INITIALS = re.compile(r"(?:[A-Z]\.)+")
_NO_NAME = re.compile(r"[\d\",:;!?/()&]")
_QUOTED_NAME = re.compile(r'(^|[a-z.] )"(\w+)" (?=[A-Z])')  # "Dan" Haggerty, Edward "Duke" Ellington

ByLast = dict[str, list[tuple[str, tuple[str, ...]]]]  # texts with their words, by the last word


class Person(NamedTuple):
    """A name read as a person's, in normal form: ``given`` names or initials in order, ``surname`` with its bound particles."""

    given: tuple[str, ...]
    surname: str
    sure: bool  # else the words only look like a name
    likely: bool = True  # and whether they look so much like one that the surname alone is taken
    place: bool = False  # a place's name, which may be written with an initial


def parts_of_name(tokens: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """Given names and surname of a name's tokens: Du Bois is one word, van and de are none. ``((), "")`` without words."""
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
        initials = len(word) < 4 and not (is_given(word) or word in ("who", "why", "how"))
        given_names += word if initials else [word]
    return tuple(given_names), words[-1]


def is_given(word: str) -> bool:
    """Whether a word in normal form is, by the lists, a given name or short for one; an initial is none."""
    return word in GIVEN or (word in _NICKNAMES and word not in COMMON)


def by_last_word(texts: Iterable[str]) -> ByLast:
    """Last plain word → each text that ends in it with all its plain words; texts without words are left out."""
    result: ByLast = {}
    for text in texts:
        if words := tuple(plain_words(text).split()):
            result.setdefault(words[-1], []).append((text, words))
    return result


def person_in(text: str, others: Iterable[str] | ByLast) -> Person | None:
    """The name in a text that looks like 'First [Middle] Last', else None; ``others`` are the other texts of the line.

    Its 2–6 words are capitalised but particles, none a function or class word. It is ``sure`` where lists
    tell by a name, it begins with initials or another is fuller. :data:`PLACES` are a ``place``."""
    if " " not in text:
        return None
    if plain_words(text) in PLACES:
        given_names, surname = parts_of_name(normal(text).tokens)
        return Person(given_names, surname, False, False, True) if given_names else None
    text, cut = _RANK.sub("", text.strip()), 0
    if text.endswith(("r", "r.", "I", "V")):
        text, cut = _JUNIOR.subn("", text)
    if '"' in text:
        text = _QUOTED_NAME.sub(r"\1\2 ", text)
    words = raw_words(text)
    if not 2 <= len(words) <= 6 or _NO_NAME.search(text):
        return None
    plain = ["".join(plain_words(word).split()) for word in words]
    final = plain[-1]
    if len(final) < 3 or roman_value(final) or not (words[-1][0].isupper() or _AL.match(words[-1])):
        return None
    for word, token in zip(words, plain, strict=True):
        if token in PARTICLES and token != "of":
            continue
        if not (word[0].isupper() or _AL.match(word)) or token in STOP - {"a"} or token in _NOT_SURNAMES:
            return None
    given_names, surname = parts_of_name(normal(text).tokens)
    if not given_names or (cut and is_given(surname)):  # John Paul II
        return None
    initials = _INITIALS.fullmatch(words[0]) is not None and len(final) > 3
    initials = initials or (len(words) == 3 and plain_words(words[0]).partition(" ")[0] in _NAME_BEHIND)
    certain = is_given(given_names[0]) or initials or (len(given_names) > 1 and is_given(given_names[1]))
    if not certain and others:
        known_words = others if isinstance(others, dict) else by_last_word(others)
        longer = ((s, f) for s, f in known_words.get(final, ()) if s != text and STOP.isdisjoint(f))
        certain = any(len(fuller) > len(words) and follow(plain, fuller) for _, fuller in longer)
    likely = certain or _looks_like_one(words, plain)
    return Person(given_names, surname, certain, likely)


def _looks_like_one(words: list[str], plain: list[str]) -> bool:
    """Whether capitalised words are a person's by their shape: nothing says that they are something else.

    Place names begin with words of their own, works and things have words of the language in them or
    endings that make one word of another, and a plural is a people or a series."""
    head, final = plain[0], plain[-1]
    if len(words) > 4 or head in PLACE_BEGINNINGS or len(head) < 3 or not COMMON.isdisjoint(plain):
        return False
    return not _DERIVED_FIRST.match(words[0].casefold()) and not _DERIVED_LAST.match(final)


def family_first(text: str) -> Person | None:
    """The person, always ``sure``, in a text that puts the family's name first (Mao Zedong, Kurosawa Akira), else None."""
    words = raw_words(text) if " " in text else []
    if not 2 <= len(words) <= 3 or _NO_NAME.search(text):
        return None
    plain = ["".join(plain_words(word).split()) for word in words]
    eastern = plain[0] in FAMILY_NAMES and all(map(_CHINESE.fullmatch, words[1:]))
    if not eastern and (plain[-1] not in _GIVEN_BEHIND or is_given(plain[0])):
        return None
    return Person(tuple(plain[1:]), plain[0], True)


def untitled(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens of a name without titles before it, and "us", "un" or "uk" before those; the last stays."""
    start = len(tokens) > 2 and tokens[0] in ("us", "un", "uk") and tokens[1] in TITLES
    while start < len(tokens) - 1 and tokens[start] in TITLES:
        start += 1
    return tokens[start:]


def holds_office_of(strict: str) -> bool:
    """Whether plain words put a title before "of", and so name a person and no place: King of Spain."""
    return any(word in OFFICES and after == "of" for word, after in pairwise(strict.split()))


def same_given(a: str, b: str) -> bool:
    """Whether two given names are equal, forms of one name (``nicknames``), or an initial and its name."""
    if len(a) == 1 or len(b) == 1:
        return a[0] == b[0]
    return a == b or not _NICKNAMES.get(a, frozenset()).isdisjoint(_NICKNAMES.get(b, ()))


def same_person(person: Person, tokens: tuple[str, ...]) -> tuple[float, str] | None:
    """Score (0.45–0.95) and rule where ``tokens`` (normal form) name the person, else None."""
    words = untitled(tokens)
    given_names, surname = parts_of_name(words)
    if not surname or len(given_names) > 5 or any(t.isdigit() for t in given_names if t not in person.given):
        return None
    slip = 0.0 if surname == person.surname else spelling_distance(person.surname, surname, True)
    if not given_names and surname == person.given[0] and surname in MONONYMS:
        return 0.9, "name"
    if slip > 3:
        behind = len(given_names) > 2 and given_names[-1] == person.surname and person.sure
        double = behind and same_given(given_names[0], person.given[0]) and len(given_names[0]) > 1
        return (0.75, "name") if double else None  # a mother's or husband's name behind
    by_surname = (0.95, "surname") if person.sure else (0.8, "last name") if person.likely else None
    best = _same_given_names(person, given_names) if given_names else by_surname
    if best and slip:
        return round(best[0] - 0.1 * slip, 4), "typo"
    return best


def _same_given_names(person: Person, given: tuple[str, ...]) -> tuple[float, str] | None:
    """Score and rule where ``given`` names may stand before a person's surname, else None."""
    known_words = list(person.given)
    remainder = iter(known_words)
    given_name, known_name = given[0], known_words[0]
    head = same_given(given_name, known_name)
    nickname = given_name != known_name and spelling_distance(given_name, known_name, True) > 3
    if head and len(known_words) == 1 and nickname and min(len(given_name), len(known_name)) > 1:
        return None  # Jim Brown and James Brown are two
    initial = any(len(name) == 1 for name in (*given[:1], *known_words))
    same_initials = all(a[0] == b[0] for a, b in zip(given[1:], known_words[1:], strict=False))
    skipped = head and len(given) == 2 < len(known_words) and not same_given(given[1], known_words[1])
    if skipped and (len(given[1]) == 1 or all(len(k) == 1 for k in known_words[1:])):
        return None  # George W. is not George H. W.
    if all(any(same_given(name, k) for k in remainder) for name in given):
        if head:
            return 0.95, "name"
        elif person.likely and any(same_given(given_name, k) for k in known_words if len(k) > 1):
            return 0.9, "name"
    elif len(given) > len(known_words) and (person.sure or all(len(g) == 1 for g in given[1:])):
        extra = iter(given)
        complete = all(any(same_given(k, name) for name in extra) for k in known_words)
        if complete and (head or initial or is_given(given_name)):
            return 0.85, "name"
    elif head and same_initials and len(given_name) > 1 and len(given) <= len(known_words):
        return 0.75, "typo"  # Friedrich for Frideric
    elif len(given) == len(known_words) < 3 and all(
        same_given(k, g) or spelling_distance(k, g, True) < 3 for k, g in zip(known_words, given, strict=True)
    ):
        return 0.75, "typo"
    return None


def surnames_joined(text: str) -> list[str]:
    """The surnames of two people in "A and B", sorted. [] for other texts, and where a word before one is neither a given
    name nor shorter than three letters, unless it stands alone beside a full name: Meriwether Lewis and William Clark."""
    names = sorted(normal(name).tokens[::-1] for name in text.split(" and "))
    likely = [[is_given(word) or len(word) < 3 for word in name[1:]] for name in names]
    doubtful = [name[1] for name, words in zip(names, likely, strict=True) if words == [False]]
    one_doubtful = sorted(likely) == [[False], [True]] and PLACE_BEGINNINGS.isdisjoint(doubtful)
    complete = all(map(all, likely)) or one_doubtful
    return [name[0] for name in names if name] if complete and len(names) == 2 else []
