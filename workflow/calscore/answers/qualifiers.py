"""A guess that holds an answer of the line, and what belongs to it: its kind, its place, its subtitle.

One loop reads the table :data:`TAILS`. What a line prompts on stays prompted on with such words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from .kinds import NOUNS, kinds_of_line, kinds_told
from .lexicon import word_map, words
from .normalise import Normal, normal, plain_words
from .person_names import (
    COUNTRIES,
    GIVEN,
    MONONYMS,
    PLACE_BEGINNINGS,
    PLACES,
    REGIONS,
    STATES,
    is_given,
    untitled,
)
from .rules import ACCEPT, PROMPT, Judgement
from .synonyms import of_a_place
from .word_forms import variants

if TYPE_CHECKING:
    from .match_index import Index

_NAME = r"[A-ZÀ-Þ][\w'’&.-]*"
_CLASSES_BEFORE = words("classes of places before") | words("class before")
_BEFORE = "|".join(sorted(words("classes of places before")))
_BEHIND = "|".join(sorted(words("classes of places behind")))
_KINDS = "|".join(sorted(words("kinds behind a name")))
_HOUSES = words("kinds behind a name")
_WORKS = "|".join(sorted(words("works") | words("kinds in lower case behind a name")))
_ERA = re.compile(
    r"(?:\d(?:st|nd|rd|th|s)?(?: century)?|\bcentury) (ad|ce|bce?|a d|b c|c e|b c e)\b|\b(ad|a d) \d"
)
_GENERAL = words("general nouns")
_NOUNS = words("nouns behind a name")
_ARTICLES = words("articles")
_CONTINENTS = words("continents")
_QUARTER = re.compile(
    r"(?:(?:north|south|east|west|central|southeast|northeast|southwest|northwest)(?:ern)? )+"
)
_ELEMENTS = {symbol: name for name, symbol in word_map("symbols").items()}
_DATED = frozenset(("battle", "siege", "treaty"))
_STATE_OF = word_map("towns of a state")
_UNIONS = words("unions")
_LAWS = words("laws")
_MATTER = words("states of matter")
_BRED = words("kinds of living things") | words("where animals are bred")
_BINOMIAL = re.compile(r"[A-Z][a-z]+ [a-z]{3,}(?:a|us|um|is|i|ae|ens|er)")
_FORMULA = re.compile(r"(?=.*[a-z\d])(?:[A-Z][a-z]?\d*)+")
_OF_IT = re.compile(r" of (?!.*\b(?:and|or)\b)(?:the )?[a-z]+(?: [a-z]+)?")

_JOINTS = r"(?:of|or|for|to|in|with|by|from|at|than|vs|on|not|de|von|van|le|la)\b"
_OF_A_NATION = r"[A-Z][\w-]*(?:an|ish|ese|ic|ch|ist|eek|orse|elsh|wiss|[aq]i)"
# "The German composer", "Jane Austen's novel", "the month of": no preposition, so that "the king of" is none.
_DESCRIBED = (
    r"(?:(?P<article>[Tt]he|[Aa]n?|(?:[A-ZÀ-Þ][\w.]* )*[A-ZÀ-Þ]\w*(?:['’]s|s['’])(?: \d{4})?) )?"
    rf"(?:(?!{_JOINTS})(?:[a-z][\w'’-]*|[A-Z]{{2,}}|{_OF_A_NATION}\b) )*?"
    r"(?!(?:and|for|not|than|with|from|great|young|old|new|first|last)\b)(?P<noun>[a-z][a-z-]{2,})"
    r"(?:(?<=month) of|(?<=holiday) of|(?<=process) of|(?<=concept) of|(?<=country) of)?"
)
_DESCRIBES = (
    r"(?:(?:capital|the|an?|who|which|where|on|in|at|near|from|between|by|also|better|known|located|born|i\.e\.)\b"
    r"|[a-z]+(?:ed|ing)\b|(?:fought|built|won|led|set) |(?:[a-z-]+ ){0,2}[a-z]+ (?:of|by|with|that|who|which|in|from)\b)(?!.* or ).*"
)

# What tells one of several works of a title from the others.
_INSTALMENT = re.compile(r"\b(?:episode|part|chapter|season|volume|book|act|\d+|[ivx]+)\b", re.I)


def match_part(index: Index, text: str) -> Judgement | None:
    """The judgement of a part of a guess that is an alternative as it stands; None for one that is rejected."""
    judged = index.strict.get(plain_words(text)) or index.whole(normal(text))
    return judged if judged and judged.verdict != "reject" else None


def _names_no_person(index: Index, text: str) -> bool:
    plain = plain_words(text)
    own = any(person.sure for person, *_ in index.people) or plain in index.surnames
    return not (own or plain in GIVEN)


def _begins_as_place(plain: str) -> bool:
    return plain.partition(" ")[0] in PLACE_BEGINNINGS - _CLASSES_BEFORE


def is_thing(index: Index, text: str) -> bool:
    """Whether an answer is no place and no person, as far as the line and the lists of names tell."""
    plain = plain_words(text).removeprefix("the ")
    return (
        text.removeprefix("the ")[:1].isupper()
        and _names_no_person(index, text)
        and plain not in PLACES
        and not _begins_as_place(plain)
        and not is_given(plain)
    )


def _is_no_region(index: Index, found: re.Match[str]) -> bool:
    plain = plain_words(found["answer"])
    return (
        plain not in REGIONS
        and plain not in PLACE_BEGINNINGS
        and _names_no_person(index, found["answer"])
    )


def _is_no_instalment(index: Index, found: re.Match[str]) -> bool:
    return is_thing(index, found["answer"]) and not _INSTALMENT.search(found["rest"])


def _is_in_town(index: Index, found: re.Match[str]) -> bool:
    """Whether a town follows a thing, or any place a museum or the like."""
    place = plain_words(found["rest"].partition(",")[0])
    answer = plain_words(found["answer"])
    housed = answer.rpartition(" ")[2] in _HOUSES
    towns = PLACES - REGIONS - STATES if " " not in answer.removeprefix("the ") else PLACES
    return is_thing(index, found["answer"]) and (place in towns or housed)


def _is_long_thing(index: Index, found: re.Match[str]) -> bool:
    return len(plain_words(found["answer"]).removeprefix("the ").split()) > 1 and is_thing(
        index, found["answer"]
    )


def _lies_there(index: Index, found: re.Match[str]) -> bool:
    """Whether what follows a comma are countries, of which the line names no other."""
    answer = plain_words(found["answer"]).removeprefix("the ")
    if answer not in PLACES and not _names_no_person(index, found["answer"]):
        return False
    parts = re.split(r", (?:and )?| and | & |/", found["rest"])
    places = {_QUARTER.sub("", plain_words(part).removeprefix("the ")) for part in parts}
    nations = places - _CONTINENTS
    if answer.partition(" ")[0] in _CLASSES_BEFORE | _DATED or _STATE_OF.get(answer) in nations:
        nations -= STATES  # Mount Rushmore, South Dakota
    return nations <= COUNTRIES and (
        not nations
        or not index.countries
        or any(map(plain_words(found["rest"]).split().count, index.countries))
    )


def _is_where(index: Index, found: re.Match[str]) -> bool:
    """Whether a place or year behind an answer of two words or more may be told of it."""
    answer = found["answer"]
    tokens = untitled(normal(answer).tokens)
    return (
        len(tokens) > 1
        and index.says(tokens)
        and _as_written(index, answer, tokens)
        and not any(states_location(answer, text) for text in index.texts)
    )


def _as_written(index: Index, answer: str, tokens: tuple[str, ...]) -> bool:
    """Whether words that a line has in lower case alone are not a name: the Black Hole of Calcutta."""
    return not answer.split()[-1].istitle() or any(
        form.proper for form in index.forms if set(tokens) <= set(form.norm.tokens)
    )


def states_location(name: str, text: str) -> bool:
    """Whether a text says itself of what place a name is: Supreme Court of the United States."""
    remainder = (
        text.casefold().removeprefix("the ").removeprefix(name.casefold().removeprefix("the "))
    )
    return (
        remainder != text.casefold()
        and re.match(r" (?:of|in|at|from|near) \w", remainder) is not None
    )


def _is_whole(index: Index, found: re.Match[str]) -> bool:
    """Whether the answer is one of the line from end to end, or a name of several words: not a surname or key word alone."""
    plain = plain_words(found["answer"]).removeprefix("the ")
    texts = {
        plain_words(text).removeprefix("the ")
        for answer in index.accepted_texts()
        for text in (*variants(answer), answer.partition(", ")[0])
    }
    return (
        plain in texts
        or len(untitled(normal(found["answer"]).tokens)) > 1
        or not kinds_told(index, found.string).isdisjoint(kinds_of_line(index, found.string))
    )


def _is_described(index: Index, found: re.Match[str]) -> bool:
    """Whether words before a whole answer have an article, or end in a noun that says of what kind it is."""
    return (found["article"] or found["noun"] in NOUNS) and _is_whole(index, found)


class Tail(NamedTuple):
    """Words beside an answer that say no more of it, where a condition holds; what an accepted guess is given."""

    name: str
    pattern: re.Pattern[str]
    condition: Callable[[Index, re.Match[str]], bool]
    rule: str
    score: float
    line: str
    example: str
    counterexample: str
    prompts: bool = False  # whether what the line prompts on is prompted on with these words too
    inflected: bool = False  # whether the answer may be written in any way that rules find


TAILS = (
    Tail(
        "class of place before",
        re.compile(rf"(?:[Tt]he )?(?i:{_BEFORE})\.?(?: of)? (?P<answer>{_NAME}(?: {_NAME})?)"),
        _is_no_region, "class word", 0.75, "Everest", "Mount Everest", "Mount Elbert", prompts=True,
    ),
    Tail(
        "class of place behind",
        re.compile(rf"(?:[Tt]he )?(?P<answer>{_NAME}(?: [\w'’&-]+)*) (?i:(?:mountain )?(?:{_BEHIND})s?)"),
        _is_no_region, "class word", 0.75, "Danube", "Danube River", "Volga River", prompts=True,
    ),
    Tail(
        "country", re.compile(r"(?P<answer>[^,]+), (?:in )?(?:the )?(?P<rest>[A-ZÀ-Þ].*)"),
        _lies_there, "place", 0.75, "Lake Titicaca", "Lake Titicaca, Peru and Bolivia", "Titicaca, Ohio", prompts=True,
    ),
    Tail(
        "faith or tribe", re.compile(rf"(?:[Tt]he )?(?P<answer>{_NAME}) (?:religion|faith|tribe)"),
        lambda index, match: True, "class word", 0.75, "Yoruba", "the Yoruba religion", "the Igbo religion", prompts=True, inflected=True,
    ),
    Tail(
        "subtitle",
        re.compile(r"(?P<answer>[^:;,]+)(?:[:;,] or[,:]? |: )(?P<rest>(?:the |an? )?[A-ZÀ-Þ].*)"),
        _is_no_instalment, "title", 0.75, "Frankenstein", "Frankenstein; or, The Modern Prometheus",
        "Frankenstein Meets the Wolf Man",
    ),
    Tail(
        "kind", re.compile(rf"(?P<answer>.+?) (?:national )?(?:{_KINDS})", re.I),
        _is_long_thing, "class word", 0.75, "Big 12", "Big 12 Conference", "Washington Conference",
    ),
    Tail(
        "museum or tournament",
        re.compile(r"(?P<answer>\S+|[Tt]he \S+) (?i:museum|gallery|championships?|tournament)"),
        lambda index, match: is_thing(index, match["answer"]), "class word", 0.7, "Uffizi", "Uffizi Gallery", "Paris Museum",
    ),
    Tail(
        "kind of work", re.compile(rf"(?P<answer>.+) (?:{_WORKS})"),
        lambda index, match: is_thing(index, match["answer"]), "class word", 0.7, "Book of Kells", "the Book of Kells manuscript", "Hamlet Cigars",
    ),
    Tail(
        "town", re.compile(rf"(?P<answer>[^,]+)(?:,| in) (?P<rest>{_NAME}(?:,? {_NAME}){{0,2}})"),
        _is_in_town,
        "place", 0.75, "Vasa Museum", "Vasa Museum, Stockholm", "Paris, Texas", inflected=True,
    ),
    Tail(
        "description before",
        re.compile(rf"{_DESCRIBED},? (?P<answer>(?:[Tt]he )?[\"“]?[A-ZÀ-Þ].*)"),
        _is_described, "more", 0.75, "Ludwig van <u>Beethoven</u>", "the German composer Ludwig van Beethoven",
        "the battleship Beethoven", inflected=True,
    ),
    Tail(
        "description behind",
        re.compile(rf"(?P<answer>(?:[Tt]he )?[\w][^,]*(?:, [A-ZÀ-Þ]\w+)?), (?P<rest>{_DESCRIBES})"),
        _is_whole, "more", 0.75, "Otto von <u>Bismarck</u>", "Otto von Bismarck, the Iron Chancellor of Germany",
        "Otto Hahn, the discoverer of fission", inflected=True,
    ),
    Tail(
        "work by its author", re.compile(rf"(?P<answer>.+?),?(?: (?:an?|the))? (?:{_WORKS}) by (?P<rest>{_NAME}.*)"),
        lambda index, match: is_thing(index, match["answer"]), "more", 0.75, "The <u>Nutcracker</u>", "The Nutcracker ballet by Pyotr Ilyich Tchaikovsky",
        "The Firebird ballet by Igor Stravinsky",
    ),
    Tail(
        "year before", re.compile(r"(?:[Tt]he )?\d{4} (?P<answer>(?i:battle|siege|treaty|election|revolution) .*)"),
        lambda index, match: not index.numbered, "more", 0.75, "Siege of <u>Yorktown</u>",
        "the 1781 siege of Yorktown, Virginia", "1781 Yorktown", inflected=True,
    ),
    Tail(
        "ruler of a realm", re.compile(rf"(?:King|Queen|Prince|Princess|Emperor|Pharaoh|Saint) (?P<answer>{_NAME}) of (?P<rest>{_NAME})"),
        lambda index, match: _is_whole(index, match) and plain_words(match["answer"]) not in PLACES,
        "title", 0.75, "Oedipus", "King Oedipus of Thebes", "King Laius of Thebes",
    ),
    Tail(
        "first of a name", re.compile(r"(?P<answer>[A-ZÀ-Þ]\w{3,}) (?:I|1st|the First)"),
        lambda index, match: not index.numbered
        and (is_given(plain_words(match["answer"])) or plain_words(match["answer"]) in MONONYMS),
        "name", 0.75, "Napoleon", "Napoleon I", "Napoleon III",
    ),
)  # fmt: skip
WHERE = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<answer>\S+ .*?\S) (?:(?:in|at|from|during|near|outside) (?:the )?(?:[A-Z][\w'’-]+|\d{4}s?)"
        r"|of (?:the )?(?:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}|\d{4}s?))",
        r"(?P<answer>(?:\S+ ){2,}\S+|\S+ [Aa]mendment) (?:of|in|at|from|during|near|to) (?:the )?"
        r"[A-Z][\w.'’-]+(?: [A-Z][\w'’-]+){0,2}",
        r"(?P<answer>\S+ .+) between (?:the )?[A-Z].* and (?:the )?[A-Z].*",
    )
)
"""Where or when an answer of two words or more was; its name counts too: Battle of Hastings in 1066."""


def match_with_qualifier(index: Index, guess: str) -> Judgement | None:
    """The judgement of a guess that holds an answer of the line and what says no more than it."""
    for tail in TAILS:
        if not (result := tail.pattern.fullmatch(guess)):
            continue
        judged = match_part(index, result["answer"])
        if not judged and tail.inflected:
            judged = index.match(normal(result["answer"]))
        if not judged and tail.inflected:
            judged = match_with_qualifier(index, result["answer"])
        if judged and judged.verdict == "prompt" and not tail.prompts:
            continue
        if judged and judged.rule == "typo" and result["answer"].islower():
            continue  # beetles are no Beatles
        if judged and tail.condition(index, result):
            return _weaker(judged, tail.rule, tail.score)
    for pattern in WHERE:
        result = pattern.fullmatch(guess)
        if result and index.accepts(result["answer"]) and _is_where(index, result):
            return Judgement("accept", 0.8, "more")
    return None


def era_of(strict: str) -> str:
    """The era of a date in plain words: ad, bc, or '' where it names none."""
    result = _ERA.search(strict)
    if not result:
        return ""
    return "bc" if "b" in (result[1] or "") else "ad"


def in_another_era(index: Index, strict: str) -> bool:
    """Whether a guess puts a date into another era than every accepted date of the line."""
    guessed = era_of(strict)
    eras = {era_of(plain_words(text)) for text in index.accepted_texts()} if guessed else set()
    return len(eras) > 0 and "" not in eras and guessed not in eras


def _substance(index: Index) -> bool:
    """Whether the line is about an element or a compound: it says so, or gives the formula."""
    symbols = _ELEMENTS.keys()
    return any(
        text in symbols
        or text in _ELEMENTS.values()
        or (_FORMULA.fullmatch(text) and symbols >= set(re.findall("[A-Z][a-z]?", text)))
        for text in index.accepted_texts()
    )


def _species(index: Index) -> bool:
    """Whether the line is about a living thing, of which it gives the Latin name."""
    texts = index.accepted_texts()
    return index.living or (any(map(_BINOMIAL.fullmatch, texts)) and any(map(str.islower, texts)))


def _behind(guess: str, before: frozenset[str]) -> str:
    """A guess without an article and one or two of some words before the rest; nothing where it has none of them."""
    guessed = guess.lower().split()
    start = end = int(guessed[0] in _ARTICLES)
    while end < min(start + 2, len(guessed) - 1) and guessed[end] in before:
        end += 1
    return " ".join(guess.split()[end:]) if end > start else ""


def match_with_modifier(index: Index, guess: str, norm: Normal) -> Judgement | None:
    """The judgement of an answer with a word that says no more: liquid water, the common fruit fly, Iroquois League."""
    for before, owner in ((_MATTER, _substance), (_BRED, _species)):
        remainder = _behind(guess, before)
        result = match_part(index, remainder) if remainder and owner(index) else None
        if result and result.verdict == "accept":
            return _weaker(result, "more")
    guessed = set(norm.singular)
    for form in index.forms:
        needed = set(form.required)
        second, extra = set(form.norm.singular) - needed, guessed - needed
        if form.rank != ACCEPT or not (needed <= guessed and second and extra) or norm.links:
            continue
        if second | extra <= _UNIONS or (len(form.parts) > 1 and second | extra <= _LAWS):
            return Judgement("accept", 0.7, "class word")
    return None


def prompted(index: Index, guess: str, norm: Normal) -> bool:
    """Whether a guess says of what is prompted on only whose it is: French painting, S phase of the cell cycle."""
    stated = {t for form in index.forms if form.rank != PROMPT for t in form.norm.tokens}
    for form in index.forms:
        size, guessed = len(form.norm.tokens), norm.singular
        if (
            form.rank != PROMPT
            or not 0 < size < len(guessed)
            or stated.intersection(norm.tokens) - set(form.norm.tokens)
        ):
            continue
        if any(set(form.norm.singular) < full for full in index.accept_tokens):
            continue  # of which one is meant and not another: American Revolution
        before, behind = norm.tokens[:-size], norm.strict.partition(form.norm.strict)[2]
        common = (
            not form.proper
            and "".join(guess.split()[-size:]).islower()
            and all(map(of_a_place, before))
        )
        if (guessed[-size:] == form.norm.singular and common) or (
            guessed[:size] == form.norm.singular and _OF_IT.fullmatch(behind)
        ):
            return True
    return False


def _weaker(judged: Judgement, rule: str, score: float = 0.75) -> Judgement:
    return Judgement("accept", score, rule) if judged.verdict == "accept" else judged
