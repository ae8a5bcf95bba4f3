"""A guess that says an answer and what belongs to it: its class, its people's state, where it is from, its era."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .lexicon import lines, pairs, words
from .normalise import Normal, normal, plain_words, raw_words, singular_form
from .person_names import GIVEN, PLACE_BEGINNINGS, REGIONS, is_given
from .rules import ACCEPT, PROMPT, REJECT, Judgement
from .synonyms import of_a_place

if TYPE_CHECKING:
    from .match_index import Index

_BEFORE = "|".join(sorted(words("classes of places before")))
_BEHIND = "|".join(sorted(words("classes of places behind")))
# "Lake Titicaca", "the island of Crete", "Danube River"
_PLACE = re.compile(
    rf"(?:[Tt]he )?(?:(?P<before>(?i:{_BEFORE}))\.?(?: of)? (?P<name>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?)"
    rf"|(?P<one>[A-ZÀ-Þ][\w'’-]+) (?P<behind>(?i:(?:mountain )?(?:{_BEHIND})))"
    rf"|(?P<long>[A-ZÀ-Þ][\w'’-]+(?: [\w'’&-]+)+) (?i:(?:{_BEHIND})s?))"
)
# "the Carthaginian Empire", where a line takes Carthaginians
_STATE = re.compile(
    rf"(?:[Tt]he )?(?P<people>[A-ZÀ-Þ][\w'’-]+) (?:(?i:{'|'.join(sorted(words('states of a people')))}))"
)
_JOINED = re.compile(r"(\S+) (\S+) (?:and|&) (\S+) (\S+)")
_FROM = re.compile(r"(.+) from (?:the )?[A-ZÀ-Þ\"“].*")
_ERA = re.compile(
    r"(?:\d(?:st|nd|rd|th|s)?(?: century)?|\bcentury) (ad|ce|bce?|a d|b c|c e|b c e)\b|\b(ad|a d) \d"
)

_COUNTRIES = words("countries") | frozenset(lines("countries of several words"))
_GENERAL = words("general nouns")
_NOUNS = words("nouns behind a name")
_ARTICLES = words("articles")
_CONTINENTS = words("continents")
_SEVERAL = frozenset(("china", "congo", "korea"))  # names of more than one state
_OFFICIAL = re.compile(
    r"(?:[Tt]he )?(?:(?!Islamic State)(?:[A-Z][\w'’-]+ ){0,3}(?:Republic|Kingdom|Commonwealth|Sultanate|Federation|Principality)"
    r"|State) of (?:the )?(?:Union of )?(.+)"
)
# "Lake Titicaca, Peru and Bolivia", "Nigeria, in West Africa"
_THERE = re.compile(r"([^,]+), (?:in )?(?:the )?([A-ZÀ-Þ].*)")
_QUARTER = re.compile(
    r"(?:(?:north|south|east|west|central|southeast|northeast|southwest|northwest)(?:ern)? )+"
)
_ABROAD = pairs("places in other languages")
_PERIOD = re.compile(r"(.+) (era|period|times)", re.I)
_MOLECULE = re.compile(rf"(?:{'|'.join(words('molecules'))}) ([a-z]+(?:tion|sis|ing))", re.I)
# Newton's second law of motion, Kepler's laws of planetary motion
_LAW = re.compile(r"((?:\w+ )?\w+['’]s? (?:(?:\w+ )law|laws)) of (?:[a-z]+ ?){1,2}")
_FLIGHT = re.compile(
    r"(?:[Tt]he )?([A-Z][\w ]+ (?:\d+|[IVX]+)) (?:mission|space ?flight|flight|spacecraft|probe|rocket|(?:moon |lunar )?landing)"
)
_SYMBOLS = re.compile(r"([A-Z][a-z]?)(?:,? and | ?& ?|, )([A-Z][a-z]?)")
_ELEMENTS = {symbol: name for name, symbol in pairs("symbols").items()}
_ANCIENT = re.compile(r"(?:[Tt]he )?[Aa]ncient ([A-ZÀ-Þ].*)")
_ARTICLE = re.compile(
    r"(?:(?:Los|Las|Les|Gli) (?=\S+ )|(?:Il|Der|Das|Lo|El|La|Le) |[Ll]['’])([A-ZÀ-Þ]\S{3}.*)"
)
# the Boltzmann constant, k
_LETTERED = re.compile(r"(.+ [a-z]{4,}), [A-Za-zα-ωΑ-Ω]")
_DASHED = re.compile(r"(?<!\w)([A-ZÀ-Þ]\w\w+)[-–]([A-ZÀ-Þ]\w\w+)")
_UNIONS = words("unions")
_OF_UNION = re.compile(
    rf"(?:[Tt]he )?(?:(?P<people>.+) (?i:{'|'.join(sorted(_UNIONS))})|(?i:{'|'.join(sorted(_UNIONS))}) of (?:the )?(?P<whose>.+))"
)
_LAWS = words("laws")
_MATTER = words("states of matter")
_BRED = words("kinds of living things") | words("where animals are bred")
_BINOMIAL = re.compile(r"[A-Z][a-z]+ [a-z]{3,}(?:a|us|um|is|i|ae|ens|er)")
_FORMULA = re.compile(r"(?=.*[a-z\d])(?:[A-Z][a-z]?\d*)+")
_OF_IT = re.compile(r" of (?!.*\b(?:and|or)\b)(?:the )?[a-z]+(?: [a-z]+)?")
_RULER = re.compile(r"(?:\w+ )?(\w+ [IVX]+)(?:,? (?:\w+ )?of (?:the )?([A-ZÀ-Þ][\w ]+))")
_FOLK = re.compile(r"(?:[Tt]he )?([A-ZÀ-Þ][\w'’-]+) (?:religion|faith|tribe)")


def said_of(text: str) -> Iterator[str]:
    """What a guess names where it says more of it: its state's style, its nation, what it is, other words for its class."""
    state = _OFFICIAL.fullmatch(text)
    if state and plain_words(state[1]) in _COUNTRIES - _SEVERAL:
        yield state[1]
    if flight := _FLIGHT.fullmatch(text):
        yield flight[1]
    symbols = _SYMBOLS.fullmatch(text)
    if symbols and all(one in _ELEMENTS for one in symbols.groups()):
        yield " and ".join(_ELEMENTS[one] for one in symbols.groups())
    if period := _PERIOD.fullmatch(text):
        yield from (f"{period[1]} {one}" for one in ("era", "period") if one != period[2].lower())
    for one in (_MOLECULE, _ARTICLE, _LETTERED):
        if said := one.fullmatch(text):
            yield said[1]
    ancient = _ANCIENT.fullmatch(text)
    if ancient and plain_words(ancient[1]) not in _COUNTRIES:
        yield ancient[1]  # of a state of today it is another one
    if text.endswith(("us", "is")) and len(text) > 3 and text.split()[-1].islower():
        yield text[:-1]  # haikus
    first, _, rest = text.partition(" ")
    if rest and (here := _ABROAD.get(plain_words(first))):
        yield f"{here.title()} {re.sub('^(?:d[ei]|del|della|do|da) ', '', rest)}"


def era_of(strict: str) -> str:
    """The era of a date in plain words: ad, bc, or '' where it names none."""
    found = _ERA.search(strict)
    if not found:
        return ""
    return "bc" if "b" in (found[1] or "") else "ad"


def in_another_era(index: Index, strict: str) -> bool:
    """Whether a guess puts a date into another era than every accepted date of the line."""
    said = era_of(strict)
    eras = {era_of(plain_words(text)) for text in index.accepted_texts()} if said else set()
    return len(eras) > 0 and "" not in eras and said not in eras


def of_another_realm(index: Index, guess: str) -> bool:
    """Whether a ruler with a number is of another realm than the one that an answer says: Philip II of Macedon, of Spain."""
    said = _RULER.fullmatch(guess)
    rulers = [_RULER.fullmatch(text) for text in index.accepted_texts()] if said else []
    own = [one[2] for one in rulers if said and one and plain_words(one[1]) == plain_words(said[1])]
    return len(own) > 0 and said is not None and index.known.isdisjoint(normal(said[2]).tokens)


def joins_another(index: Index, guess: str) -> bool:
    """Whether of two names joined by a dash a line about no person has one: Stefan–Boltzmann, Boltzmann."""
    dashed = _DASHED.search(guess)
    names = {plain_words(name) for name in dashed.groups()} if dashed else set()
    return len(names & index.vocabulary) == 1 and not index.people


def match_part(index: Index, words_: str) -> Judgement | None:
    found = index.strict.get(plain_words(words_)) or index.whole(normal(words_))
    return found if found and found.verdict != "reject" else None


def match_with_qualifier(index: Index, guess: str) -> Judgement | None:
    """The judgement of a guess that holds an answer of the line and what says no more than it."""
    if place := _PLACE.fullmatch(guess):
        name = place["name"] or place["one"] or place["long"]
        plain = plain_words(name)
        found = match_part(index, name)
        only = plain not in REGIONS and plain not in GIVEN and plain not in PLACE_BEGINNINGS
        if found and only and not any(person.sure for person, *_ in index.people):
            return _weaker(found, "class word")
    if state := _STATE.fullmatch(guess):
        plain = plain_words(state["people"])
        for text in index.accepted_texts():
            one = plain_words(text)
            if text[:1].isupper() and one != plain and one in (plain + "s", plain + "es"):
                return Judgement("accept", 0.75, "class word")
    if joined := _JOINED.fullmatch(guess):
        first, last, other, behind = (plain_words(part) for part in joined.groups())
        found = match_part(index, f"{last} and {behind}") or match_part(
            index, f"{behind} and {last}"
        )
        if found and (is_given(first) or is_given(other)) and index.bare(2):
            return _weaker(found, "name")
    if (there := _THERE.fullmatch(guess)) and (found := match_part(index, there[1])):
        said = re.split(r", (?:and )?| and | & |/", there[2])
        where = {_QUARTER.sub("", plain_words(one).removeprefix("the ")) for one in said}
        nations = where - _CONTINENTS
        if nations <= _COUNTRIES and (
            not nations
            or not index.countries
            or any(map(plain_words(there[2]).split().count, index.countries))
        ):
            return _weaker(found, "place")
    if (folk := _FOLK.fullmatch(guess)) and (found := index.match(normal(folk[1]))):
        return _weaker(found, "class word")
    first, _, rest = plain_words(guess).partition(" ")
    for text in index.accepted_texts() if rest else ():
        own, _, name = plain_words(text).partition(" ")
        if name == rest and _ABROAD.get(own) == first:
            return Judgement("accept", 0.8, "class word")
    if (law := _LAW.fullmatch(guess)) and (found := match_part(index, law[1])):
        return _weaker(found, "class word")
    origin = _FROM.fullmatch(guess)
    alone = len(index.ranked) == 1 and origin and origin[1][:1].isupper()
    if origin and alone and (found := match_part(index, origin[1])):
        return _weaker(found, "more")
    return None


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


def _lower_within(guess: str) -> bool:
    """Whether the middle of three words, after an article or not, is in lower case."""
    said = guess.split()
    said = said[said[0].lower() in _ARTICLES :]
    return len(said) == 3 and said[1].islower()


def _behind(guess: str, before: frozenset[str]) -> str:
    """A guess without an article and one or two of some words before the rest; nothing where it has none of them."""
    said = guess.lower().split()
    start = end = int(said[0] in _ARTICLES)
    while end < min(start + 2, len(said) - 1) and said[end] in before:
        end += 1
    return " ".join(guess.split()[end:]) if end > start else ""


def match_with_modifier(index: Index, guess: str, norm: Normal) -> Judgement | None:
    """The judgement of an answer with a word that says no more: liquid water, the common fruit fly, Iroquois League."""
    for before, of in ((_MATTER, _substance), (_BRED, _species)):
        rest = _behind(guess, before)
        found = match_part(index, rest) if rest and of(index) else None
        if found and found.verdict == "accept":
            return _weaker(found, "more")
    said = set(norm.singular)
    for form in index.forms:
        needed = set(form.required)
        other, more = set(form.norm.singular) - needed, said - needed
        if form.rank != ACCEPT or not (needed <= said and other and more) or norm.links:
            continue
        between = norm.singular[:: max(1, len(norm.singular) - 1)] == form.norm.singular
        if between and needed and _lower_within(guess):
            return Judgement("accept", 0.7, "nearly whole")  # Marxist literary criticism
        if other | more <= _UNIONS or (len(form.parts) > 1 and other | more <= _LAWS):
            return Judgement("accept", 0.7, "class word")
    return None


def prompted_within(index: Index, norm: Normal, guess: str) -> bool:
    """Whether a guess holds all that the line prompts on, and in lower case what more it says."""
    said = set(norm.singular)
    lower = {
        singular_form(t) for w in raw_words(guess) if w.islower() for t in plain_words(w).split()
    }
    denied = {t for f in index.forms if f.rank == REJECT for t in f.norm.tokens}
    if not denied.isdisjoint(said - index.vocabulary):
        return False  # B lymphocytes, where B cells are rejected
    joined = [set(f.norm.singular) for f in index.forms if f.rank == ACCEPT and f.norm.links]
    if any(said < whole for whole in joined) and any(
        said > set(f.norm.singular) for f in index.forms if f.rank == PROMPT
    ):  # Karl Marx, of Karl Marx and Friedrich Engels, where Marx is prompted on
        return True
    lettered = any(len(t) == 1 for whole in index.accept_tokens for t in whole)  # vitamin C
    return not norm.links and any(
        said > set(f.norm.singular)
        and all(
            t in lower & (_GENERAL | index.vocabulary)
            or (f.proper and t in lower & _NOUNS and len(f.norm.tokens) == 1)
            or (len(t) < 3 and t.isalpha() and not lettered)
            for t in said - set(f.norm.singular)
        )
        for f in index.forms
        if f.rank == PROMPT and f.norm.content
    )


def prompted(index: Index, guess: str, norm: Normal) -> bool:
    """Whether a guess says of what is prompted on only whose it is: French painting, S phase of the cell cycle."""
    told = {t for form in index.forms if form.rank != PROMPT for t in form.norm.tokens}
    for form in index.forms:
        size, said = len(form.norm.tokens), norm.singular
        if (
            form.rank != PROMPT
            or not 0 < size < len(said)
            or told.intersection(norm.tokens) - set(form.norm.tokens)
        ):
            continue
        if any(set(form.norm.singular) < whole for whole in index.accept_tokens):
            continue  # of which one is meant and not another: American Revolution
        before, behind = norm.tokens[:-size], norm.strict.partition(form.norm.strict)[2]
        common = (
            not form.proper
            and "".join(guess.split()[-size:]).islower()
            and all(map(of_a_place, before))
        )
        if (said[-size:] == form.norm.singular and common) or (
            said[:size] == form.norm.singular and _OF_IT.fullmatch(behind)
        ):
            return True
    return False


def _weaker(found: Judgement, rule: str) -> Judgement:
    return Judgement("accept", 0.75, rule) if found.verdict == "accept" else found


def decade_of(token: str) -> str:
    """The decade of the last century that a token like 1960s is, as 60s; '' for another token."""
    return token[2:] if re.fullmatch(r"19\d0s", token) else ""
