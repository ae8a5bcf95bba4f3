"""Ways to say an answer: other forms of its words, other names, shorter wordings, and what a guess has around it.

The first part compares one wording with a guess: what differs, and whether that is a way of writing the same."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from . import normalise
from .lexicon import lines, word_map, words
from .normalise import STOP, Normal, normal, plain_words, raw_words, root, singular_form, stem, word_key
from .person_names import OFFICES, PARTICLES, PLACES, REGIONS, STATES, TITLES, ByLast, is_given, person_in
from .typos import as_heard, is_another_word, single, spelling_distance

HUSBANDS = words("titles of husbands")
MONTHS = words("months")
KINDS_BEHIND = words("kinds behind")
_NOUNS = words("nouns in ing") | words("no plurals")
_ALIKE = words("words that look alike")
_HOMOPHONES = word_map("homophones")
_NO_VOWEL = re.compile("[aeiou]+")
_ONES = ["", *words("roman", list)]


class Form(NamedTuple):
    """One wording of one alternative of a ``rank`` (:func:`.rules.rank_of`), ready to compare with a guess."""

    norm: Normal
    rank: int
    name: bool  # holds a surname, so that a final s is no plural
    proper: bool  # capitalised, so that it may be transliterated in other ways
    required: tuple[str, ...]  # singular tokens that suffice, where the line marks them
    ordered: bool = False  # whether their order counts: joules per kelvin
    parts: tuple[tuple[str, ...], ...] = ()  # the marked parts, where there are more than one


_VALENCE = re.compile(r"(?<=\w)\(([IVX]+)\)")  # iron(III)
_SHORT_FORM = re.compile(r"(?P<long>\w.*\w) \((?P<short>[A-Z][A-Z\d]+)\)")
# f(x), n(n + 1)/2, (a + b)^2: parentheses of a formula, and what computer scientists leave out around one
FORMULA = re.compile(
    rf"(?<!\w)\w\([^()]{{2,}}\)|\)[/^(]|[=^/]\(|\b(?:{'|'.join(sorted(words('functions')))})\("
)
_ORDER = re.compile(r"[OΘΩ]\((.+)\)")


def variants(text: str) -> list[str]:
    """Wordings of a text with and without words in parentheses, an acronym alone; of most formulas one."""
    if "(" not in text and ")" not in text:
        return [text]
    if order := _ORDER.fullmatch(text):
        return [f"{text[0]} of {order[1]}", order[1]]
    if FORMULA.search(text):
        return [text]
    text = re.sub(r"(?<=\w)\((?![IVX]+\))(\w{1,3})\)", lambda m: m.group(1), text)
    text = _VALENCE.sub(r" \1", text)
    if "(" not in text:
        return [text]
    inside = re.sub(r"[()]", " ", text)
    outside = re.sub(r"\([^()]*\)?", " ", text)
    short = _SHORT_FORM.fullmatch(text)
    letters, long = (short["short"].lower(), short["long"].lower()) if short else ("", "")
    begun = letters[:1] == long[:1] and normalise.follow(letters, long)  # ADP
    built = [short["short"]] if short and begun else []
    return [v for v in (inside, outside, *built) if normal(v).strict]


def tokens_of(core: str, text: str) -> tuple[str, ...]:
    """The singular tokens of a required part ``core`` of a text; a Roman numeral alone is a number: Charles _I_ gives ("1",)."""
    value = str(normalise.roman_value(core.lower()) or "") if core.isupper() else ""
    return (value,) if value in normal(text).singular else normal(core).singular


def surname_without_particles(core: str, text: str) -> str:
    """The surname behind the particles of a required part, where ``text`` puts a given name before it: Simone _de Beauvoir_. Else ''."""
    particle, _, surname = core.partition(" ")
    named = text.endswith(" " + core) and particle in _SON_OF and is_given(raw_words(text)[0].casefold())
    return surname if named and plain_words(surname) not in PLACES else ""


def in_order(form: Form, norm: Normal) -> bool:
    """Whether a guess that has all required tokens of a form has them in its order, where the order matters."""
    if not form.parts and len(norm.singular) > len(form.required) == len(set(norm.singular)):
        return False  # Johnson & Johnson
    directed = form.ordered or normalise.DIRECTION.intersection(form.required)
    if form.parts and not directed and all(normalise.within(part, norm.singular) for part in form.parts):
        return True
    small = [t for t in form.required if len(t) < 3 and t.isdigit()]
    if len(small) < 2 and not directed:
        return True
    return normalise.follow(form.required, norm.singular)


def titled(norm: Normal, form: Form) -> bool:
    """Whether a guess is a form with titles before it, or with the word for its kind before or behind.

    Lady and Mrs. before a surname name somebody else."""
    tokens = list(norm.singular)
    if tokens[-1] in KINDS_BEHIND and tokens[-1] not in form.norm.singular:
        tokens.pop()
    while len(tokens) > 1 and tokens[0] in TITLES and tokens[0] not in form.norm.singular:
        if tokens[0] in HUSBANDS and len(form.norm.tokens) == 1 and not is_given(tokens[-1]):
            return False
        tokens = tokens[2 if tokens[:2] == ["prime", "minister"] else 1 :]
    return len(tokens) < len(norm.tokens) and word_key(tokens) == word_key(form.norm.singular)


def same_inflected(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether words of the same stems (as many) differ by inflection, in any order: a final e alone makes another word."""
    pairs = zip(sorted(words, key=stem), sorted(other, key=stem), strict=True)
    if _NOUNS.isdisjoint(words) != _NOUNS.isdisjoint(other):
        return False

    def adds_e(a: str, b: str) -> bool:
        return singular_form(a) + "e" in (b, singular_form(b))

    return all(
        singular_form(a) == singular_form(b) or not (len(stem(a)) < 3 or adds_e(a, b) or adds_e(b, a))
        for a, b in pairs
    )


def other_unit(form: Form, norm: Normal) -> bool:
    """Whether a guess joins another unit to the unit that a form ends in: newton-meters."""
    if normalise.UNIT_NAMES.isdisjoint(form.norm.singular[-1:]):
        return False
    extra = set(norm.strict.split()) - set(form.norm.strict.split())
    return not normalise.UNIT_NAMES.isdisjoint(map(singular_form, extra))


def initials_of(words: Iterable[str]) -> str:
    """The first characters of words, joined."""
    return "".join(w[0] for w in words)


def acronyms(strict: str) -> set[str]:
    """Initials (three or more) of 3–10 plain words, with and without small ones, or with a last number (Roman too)."""
    words = strict.split()
    if not 3 <= len(words) <= 10:
        return set()
    numbered = normalise.as_digits(words)
    if numbered[-1].isdigit() and len(numbered) == len(words) and not words[0].isdigit():
        number, start = int(numbered[-1]), initials_of(words[:-1])
        roman = "x" * (number // 10) + _ONES[number % 10] if 0 < number < 40 else numbered[-1]
        return {start + numbered[-1], start + roman}
    without_small = initials_of(w for w in words if w not in STOP)
    return {initials_of(words)} | ({without_small} if len(without_small) > 2 else set())


def _slip(form: Form, word: str, other: str) -> float:
    """:func:`spelling_distance` between a word of a form that holds no surname and one of a guess; infinity for another word."""
    far = spelling_distance(singular_form(word), singular_form(other), form.proper)
    short = form.proper and len(form.norm.tokens) > 1 and word.isalpha()
    if short and single(word) == single(other) and _NO_VOWEL.sub("", word) == _NO_VOWEL.sub("", other):
        far = 0.5  # however short: Suu Kyi
    irregular = len(word) > 8 and singular_form(word) not in (word, word[:-1])
    ends = "s" in (word[-1], other[-1])
    ends &= (singular_form(word) == word) is not (singular_form(other) == other)
    ends &= word + "s" != other and other + "s" != word  # Kalidasa, Kalidas
    names = form.proper and word[-1] == other[-1] and word[-1] in "es"  # Ramses, Ramesses
    if irregular or ends or names or "ie" in (word[-2:], other[-2:]):
        far = min(far, spelling_distance(word, other, form.proper))
    likened = _ALIKE.issuperset(map(singular_form, (word, other)))
    return float("inf") if likened and not form.proper else far  # feasting is not fasting


def _heard_alike(form: Form, word: str, other: str) -> bool:
    """Whether a scorekeeper may have written one word for the other: homophones, and names as they sound."""
    heard = _HOMOPHONES.get(word, word) == _HOMOPHONES.get(other, other)
    return heard or (form.proper and min(len(word), len(other)) > 3 and as_heard(word) == as_heard(other))


def misspelling(form: Form, guess: Normal) -> float:
    """Similarity in (0.5, 1) where ``guess`` is a misspelling of the form, else 0."""
    words, typed = form.norm.tokens, guess.tokens
    begun_otherwise = form.ordered and words and typed and words[0][0] != typed[0][0]
    if begun_otherwise or abs(len(words) - len(typed)) > 3:
        return 0.0
    remaining, right = [], list(typed)
    for word in words:
        if word in right:
            right.remove(word)
        else:
            remaining.append(word)
    if len(remaining) != len(right):  # LeChatelier
        solid = 1 in (len(remaining), len(right))
        remaining, right = ["".join(remaining)], ["".join(right)]
        if not solid or min(len(remaining[0]), len(right[0])) < 8:
            return 0.0
    if len(remaining) > 2:
        return 0.0
    slips = 0.0
    alone = len(words) == 1 or not form.proper
    for word, second in zip(remaining, right, strict=True):
        if len(words) > 1 and not form.name and _heard_alike(form, word, second):
            slips += 0.5  # Dark Night
            continue
        if alone and is_another_word(second, word):
            return 0.0  # feathers are not fathers
        slips += spelling_distance(word, second, True) if form.name else _slip(form, word, second)
        if slips > 3:
            return 0.0
    length = max(sum(map(len, words)), sum(map(len, typed)))
    return max(0.51, 0.98 - slips / length) if remaining else 0.0


_DENY = words("words that deny")
_PAST = word_map("pasts")
_CENTURY = re.compile(r"(1[1-9]) century|(1[0-8])00s")
_EMPTY = words("being") | words("empty words")


@lru_cache(maxsize=1)
def _symbols_and_names() -> tuple[dict[str, list[str]], frozenset[str]]:
    """For the sorted words of each name, the lookup keys of the other names of that thing; and the words of all."""
    groups = [[normal(name) for name in line.split(" = ")] for line in lines("other names")]
    groups += [[normal(name), normal(symbol)] for name, symbol in word_map("symbols").items()]
    table: dict[str, list[str]] = {}
    for group in groups:
        for norm in group:
            if len(norm.strict) > 2:  # a symbol may stand for many things
                second_keys = (second.keys[0] for second in group if second is not norm)
                table.setdefault(norm.keys[0], []).extend(second_keys)
    return table, frozenset(word for key in table for word in key[7:].split())


@lru_cache(maxsize=1)
def _groups() -> dict[str, str]:
    """Root of a word → that of the first word of its group of synonyms."""
    groups = [[root(word) for word in line.split()] for line in lines("synonyms")]
    return {word: group[0] for group in groups for word in group}


def meaning(tokens: Iterable[str]) -> frozenset[str]:
    """A key of what words mean: their roots, synonyms as one, "not" for what denies, function words left out."""
    return frozenset(sense for token in tokens for sense in _senses(token))


@lru_cache(maxsize=1 << 14)
def _senses(token: str) -> tuple[str, ...]:
    """What a word means: nothing where it is empty, a "not" of its own in jobless (not in unemployed)."""
    groups = _groups()
    if token in _DENY:
        return ("not",)
    if token in STOP or token in _EMPTY:
        return ()
    if len(token) > 6 and (bare := re.sub("less(?:ness)?$", "", token)) != token:
        return ("not", *_senses(bare))
    item = root(_PAST.get(token, token))
    return (groups.get(item, item),)


def other_names(norm: Normal) -> Iterable[str]:
    """Lookup keys (as in ``Normal.keys``) of the other names of what a text names; empty where no list has any."""
    century = _CENTURY.fullmatch(" ".join(norm.tokens))
    if century and century[1]:
        return (f"sorted:{int(century[1]) - 1}00s",)
    if century:
        return (f"sorted:{int(century[2]) + 1} century",)
    table, known_words = _symbols_and_names()
    if norm.tokens and (known_words.issuperset(norm.tokens) or known_words.issuperset(norm.singular)):
        result = table.get("sorted:" + word_key(norm.tokens))
        return result or table.get("sorted:" + word_key(norm.singular), ())
    return ()


def completes_date(date: Sequence[str], added: set[str], line: set[str]) -> bool:
    """Whether words ``added`` are the month (and day) of a year, or the year of a day, and the line's words have none."""
    year_told, month_told = any(map(_YEAR.fullmatch, line)), not MONTHS.isdisjoint(line)
    days = {t for t in added if t.isdigit() and int(t) < 32}
    if len(date) == 1 and _YEAR.fullmatch(date[0]):
        return not month_told and len(added & MONTHS) == 1 and added <= MONTHS | days and len(days) < 2
    day = len(date) == 2 and not MONTHS.isdisjoint(date) and any(map(str.isdigit, date))
    return day and not year_told and len(added) == 1 and any(map(_YEAR.fullmatch, added))


_YEAR = re.compile(r"1\d{3}|20\d\d")
_DECADE = re.compile(r"19\d0s|[1-9]0s")


def other_decade(token: str) -> str:
    """A decade of the last century in its other form: 60s for 1960s and back; '' for another token."""
    if not _DECADE.fullmatch(token):
        return ""
    return token[2:] if len(token) > 3 else f"19{token}"


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
CLASS_OF = re.compile(
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
_RULER = re.compile(r"(\w[^,]* [IVX]+) of (?:the )?[A-ZÀ-Þ].*")
_TWO_SURNAMES = re.compile(r"([A-ZÀ-Þ]\w+ [A-ZÀ-Þ]\w+) (?:y|de la|de las|de los) [A-ZÀ-Þ]\w+")
_AUTHOR = re.compile(r"([A-ZÀ-Þ].*?),? by [A-Z](?:.* )?([\w-]+)")
Shorter = Iterator[tuple[str, str, float]]  # wording, rule, certainty


def short_forms(text: str, others: ByLast, texts: Sequence[str]) -> Shorter:
    """Wordings of ``text`` without what need not be said, each with the rule that takes it and its certainty (0.5–1).

    ``texts`` are the alternatives of the line, ``others`` the same :func:`.person_names.by_last_word`.
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
    yield from _without_title_or_class(text, words, plain)


def _before_a_comma(text: str) -> Shorter:
    """Without the subtitle, place, realm, office or author behind."""
    head, colon, _ = text.partition(": ")
    if colon and len(normal(head).tokens) > 1:
        yield head, "title", 0.95
    place = _PLACE.fullmatch(text) if "," in text else None
    if place and (plain_words(place[2]) in STATES or REGIONS.issuperset(plain_words(place[2]).split())):
        yield place[1], "place", 0.9
    if ruler := _RULER.fullmatch(text):
        yield ruler[1], "name", 0.95
    if office := _OFFICE.fullmatch(text) if "," in text else None:
        yield office[1], "title", 0.9
    if author := _AUTHOR.fullmatch(text) if " by " in text else None:
        yield author[1], "title", 0.9
        yield f"{author[2]} {author[1]}", "title", 0.9


def _short_names(text: str, words: list[str], plain: list[str], others: ByLast) -> Shorter:
    """The first of two surnames; couples, peoples, churches and houses."""
    remainder = words[1:]
    double = _TWO_SURNAMES.fullmatch(text)
    if double and is_given(plain[0]) and not is_given(plain[1]):
        yield double[1], "name", 0.9
        yield words[1], "last name", 0.8
    if len(words) == 2 and plain[0] in _SON_OF and remainder[0][0].isupper():
        yield remainder[0], "last name", 0.8
    if plain[0] in FOREIGN_ARTICLES and len(" ".join(plain[1:])) > 5:
        yield " ".join(remainder), "title", 0.95
    couple = [person_in(n, others) for n in text.split(" and ")] if " and " in text else ()
    if couple and all(person and person.sure for person in couple):
        yield " and ".join(p.surname for p in couple if p), "surname", 0.95
    built = plain[-1] in ("basilica", "cathedral", "church", "chapel", "abbey")
    church = built and words[-2].endswith(("'s", "’s"))  # St Peter's
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


def _without_title_or_class(text: str, words: list[str], plain: list[str]) -> Shorter:
    """Without a rank, courtesy or royal title; without the class of a thing: Ming dynasty, Republic of Italy."""
    remainder, tokens = words[1:], normal(text).tokens
    untitled = RANKED.sub("", text)
    if untitled != text and len(normal(untitled).tokens) > 1:
        yield untitled, "title", 0.9
    uncourtly = [t for t in tokens if t not in COURTESIES]
    if 1 < len(uncourtly) < len(tokens):
        yield " ".join(uncourtly), "title", 0.9
    if plain[0] in _ROYAL and all(w[0].isupper() for w in remainder):
        yield " ".join(remainder), "title" if len(remainder) > 1 else "surname", 0.9
    headed = CLASS_OF.match(text.replace("’", "'")) if len(words) > 2 else None
    if headed and _is_name(raw_words(headed["name"])):
        yield headed["name"], "class word", 0.9
    elif plain[-1] in CLASS_TAIL or plain[0] in CLASS_HEAD:
        name = words[:-1] if plain[-1] in CLASS_TAIL else remainder
        if _is_name(name):
            yield " ".join(name), "class word", 0.9


def _is_name(words: list[str]) -> bool:
    return all(w[0].isupper() or plain_words(w) in STOP | PARTICLES for w in words)


def is_kind(norm: Normal, kind: str) -> bool:
    """Whether a guess names one of a ``kind`` (a root): king snake, Lake Victoria; not snake charmer."""
    head = _PHRASE.split(norm.strict)[0].split()
    named = norm.tokens[0] in CLASS_HEAD and root(norm.tokens[0]) == kind
    return named or (bool(head) and root(normal(" ".join(head)).singular[-1]) == kind)


_KINDS = "|".join(sorted(words("kinds before") | words("persons")))
_KIND_BEFORE = (
    rf"^(?:(?:the|an?) )?(?:[A-Z][a-z-]+ ){{0,2}}(?:[a-z-]+(?:ist|ic|al|ern|ary|ive|ous) )?(?:{_KINDS}|[A-Za-z][a-z]+ist)"
    r" (?:called |named )?(?=[\"“A-ZÀ-Þ\d])"
    rf"|^the (?:[a-z-]+ ){{0,3}}?(?:{'|'.join(sorted(words('kinds before')))}) (?:called )?(?=[a-z][a-z-]*$)"
    r"|^(?:[Tt]he )?(?:[A-Z][a-z]+ )?(?:Titan(?:ess)?|Gorgon|Prophet|Apostle|Muse|Valkyrie) (?=[A-Z])"
)
_APPOSITION = (
    r"^(?!.* or )(\w(?:[^,]|,(?=\d{3}))*), "
    r"(?:(?:which|that|who|whose|where|an?|the|also called|also known as|aka) \w"
    r"|the [A-Z][a-z]+(?: [A-Z][a-z]+)?$"
    rf"|(?:the )?(?:\d+(?:st|nd|rd|th) )?(?:{'|'.join(sorted(o.title() for o in OFFICES))}) (?:of )?[A-Z]"
    rf"|(?:the |an? )?(?:[A-Z][\w-]+ ){{0,2}}(?:[a-z-]+ ){{0,2}}(?:{_KINDS}|{'|'.join(sorted(TITLES))})s?\b)"
    r".*$"
)
_PART = (  # "a piece of glass", "one of the Muses", "just Gretel", "playing chess"
    rf"^(?:(?:(?:an?|the|one|some|two|three|any) )?(?:{'|'.join(sorted(words('measures')))}) of"
    r"|(?:one|any|some|all|two|three|both|members?) of|some|just|only|simply|certain|various"
    rf"|{'|'.join(sorted(words('light verbs')))}|drinking|smoking"
    r"|(?:he|she|they|it|someone|somebody|people)(?= [a-z])) (?:(?:the|an?|some) )?(?=[\w\"“])"
)
_OWNER = r"(?:[A-ZÀ-Þ][\w.-]* ){0,3}[A-ZÀ-Þ][\w.-]*(?:['’]s|s['’]) "
_KIND_OF = (
    rf"^(?:[Tt]he |{_OWNER})?(?:process|act|practice|concept|idea|phenomenon|theory|principle|doctrine|system|method|technique|game|sport|dance"
    r"|dish|genre|ruins?|site|key|force|(?:[\w-]+ ){0,3}(?:city|town|country|village|[Pp]rovince|region|state|island|nation|planet"
    r"|element|month|holiday|festival|religion|kingdom|republic|commonwealth)) of (?=\w)"
)
_RANKS = "|".join(sorted(title.title() for title in OFFICES))
_STATES = "|".join(sorted(PLACES - {"china", "congo", "korea"}))  # these name more than one state
_BODY = "|".join(sorted({form for word in words("parts of a body") for form in (word, singular_form(word))}))


class Rewrite(NamedTuple):
    """Words around an answer in a guess: ``to`` takes the place of ``pattern``. ``sure``: they say nothing that could be wrong."""

    name: str
    pattern: re.Pattern[str]
    to: str
    example: str
    counterexample: str
    sure: bool = False


def _rewrite(name: str, pattern: str, *texts: str, sure: bool = False) -> Rewrite:
    return Rewrite(name, re.compile(pattern), *texts, sure=sure)


REWRITES = (
    _rewrite(
        "the answer is", r"(?i)^[\s*_]*(?:(?:the|my|our)\s+)?(?:(?:correct|final|best)\s+)*(?:answer|guess)(?:\s+is|\s+(?:should|must|has\s+to|would)\s+be|\s*:)[\s:*_]*",
        "", "The answer is Silas Marner", "Answering the door", sure=True,
    ),
    _rewrite(
        "spoken",
        r"(?i)^(?:(?:um+|uh+|well|so|oh|maybe|perhaps|probably"
        r"|(?:i|we)(?:['’]ll| will| would|['’]d)? (?:(?:want|like|have) to |wanna )?(?:think|believe|guess|say|go with)|let['’]?s (?:say|go with)"
        r"|i['’]m not sure,? but|like,|(?:i['’]m|i am|we['’]re|we are) (?:going with|guessing|thinking|(?:pretty |fairly )?sure|(?:going to|gonna) (?:say|guess|go with))"
        r"|(?:(?:it|that|this)(?:['’]s| has)? )?(?:got to|gotta) be"
        r"|(?:it|that|this)(?:['’]s| is| was| (?:would|must|has to|should|could|might) be)(?: called)?|(?:these|those|they)(?:['’]re| are| were)|(?:is|was|could) (?:it|that|this)(?: be)?),? )+(?=[\w\"“'])",
        "", "I think it's Peru", "Peru, I think", sure=True,
    ),
    _rewrite(
        "spoken behind", r"(?i)(?<=\w)(?:,? i (?:think|guess|believe|suppose)|, (?:maybe|perhaps|probably)| is (?:the|my) (?:answer|guess))[.?!]*$",
        "", "Peru, I think", "Call Me Maybe", sure=True,
    ),
    _rewrite("bracket", r"\s*(?<!\w)\([^()]*\)?|(?<=\w)\((?![IVX]+\))[^()]*\)?", " ", "Hamlet (play)", "iron(III) oxide"),
    _rewrite("nation before a title", rf"^(?:[Tt]he )?[A-Z][a-z]+(?:an|ish|ese|ic|ch|ek|ss|ine) (?=(?:{_RANKS}) [A-ZÀ-Þ])", "", "Portuguese King Manuel I", "Roman Emperors"),
    _rewrite("gospel", r"^((?:[Tt]he )?Gospel) [Aa]ccording to (?=[A-Z])", r"\1 of ", "the Gospel according to Mark", "the gospel truth"),
    _rewrite("year in a place", r"^(\d{4}s?) in (?:the )?[A-Z].*$", r"\1", "1920s in Iraq", "12 in Iraq"),
    _rewrite("year behind", r"^(\D{3,}[^\W\d])(?:,? (?:of|in|from))?,? (?:1\d|20)\d\d(?:[-–—/]\d{2,4})?$", r"\1", "Cuban Missile Crisis 1962", "July 4, 1777"),
    _rewrite("fraction", r"(?i)^(?:an? (?=(?:third|quarter|(?:four|fif|six|seven|eigh|nin|ten)th)$)|(?:an? )?(?=half$))", "one ", "a half", "half a loaf"),
    _rewrite("kind is", r"^(?:[Tt]he|[Tt]hat|[Tt]his) [a-z]+ (?:is|was) (?=[\w\"“'])", "", "The show is Breaking Bad", "The King Is Dead"),
    _rewrite("of a place", r"^(\w+(?: \w+)+) de(?:l| la| las| los) [A-Z]\w+$", r"\1", "Don Quixote de la Mancha", "Tierra del Fuego"),
    _rewrite("kind of", _KIND_OF, "", "the city of Constantinople", "the Battle of Hastings"),
    _rewrite("kind before", _KIND_BEFORE, "", "the film Rashomon", "Film Noir"),
    _rewrite("description before", r"^[Tt]he [a-z][^,]*, (?=[A-ZÀ-Þ][^,]*$)", "", "the father of history, Herodotus", "the Lion, the Witch"),
    _rewrite("part of", _PART, "", "a piece of glass", "Pieces of Eight"),
    _rewrite("part of a body", rf"^(?:(?:the|an?) )?(?:human|animal|mammalian) (?=(?:\w+ )*(?i:{_BODY})s?$)", "", "the human heart", "The Human Comedy"),
    _rewrite("being", r"^(?:being|getting) (?=[a-z]+ed$)", "", "being disabled", "Being There"),
    _rewrite("era", r"^(?:(?:AD|A\.D\.) )?(\d{1,4}|(?:[Tt]he )?[\w-]+ century)(?: (?:AD|A\.D\.|CE|C\.E\.))?$", r"\1", "AD 1848", "44 BC"),
    _rewrite(
        "state's style",
        r"^(?:[Tt]he )?(?:(?!Islamic State)(?:[A-Z][\w'’-]+ ){0,3}(?:Republic|Kingdom|Commonwealth|Sultanate"
        rf"|Federation|Principality|Duchy|Emirate)|(?:Independent |Plurinational )?State) of (?:the )?(?:Union of )?((?i:{_STATES}))$",
        r"\1", "Democratic Socialist Republic of Sri Lanka", "Republic of China",
    ),
    _rewrite("apposition", _APPOSITION, r"\1", "Suleiman the Magnificent, Ottoman sultan", "Paris, Texas"),
    _rewrite("author", r"^(.+?),?\s+(?:[a-z]+(?:ed|en|ung|orn|ilt|ade) )?by\s+\w.*$", r"\1", "Hamlet by Shakespeare", "Stand By Me"),
)  # fmt: skip
_MOST = 16  # variants of one guess


def without_speech(guess: str) -> str:
    """The guess without what is said before an answer ("I think it's …") and without a final stop."""
    for rule in REWRITES:
        if rule.sure:
            guess = rule.pattern.sub(rule.to, guess)
    return guess.rstrip(" .?!")


def guess_variants(guess: str) -> Iterator[tuple[str, bool]]:
    """The guess without final stops, then up to 15 forms by ``REWRITES``; each with whether all was kept."""
    queue, variants_met = [(guess.rstrip(" .?!"), True)], {guess, guess.rstrip(" .?!")}
    for text, is_certain in queue:
        yield text, is_certain
        for rule in REWRITES:
            if not rule.pattern.search(text) or (rule.name == "bracket" and FORMULA.search(text)):
                continue
            written = " ".join(rule.pattern.sub(rule.to, text).split())
            if written and written not in variants_met and len(queue) < _MOST:
                variants_met.add(written)
                queue.append((written, is_certain and rule.sure))
