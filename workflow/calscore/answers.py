"""Answer equivalence: parse a quizbowl answer line and judge a guess against it.

A model's guess is right when a moderator would accept it (paper §3.2 and §4.1, g_t), and the
answer line tells the moderator so: ``Nazi party [or NSDAP; prompt on fascists; do not accept
"Falange"]``. :func:`parse` turns the line into a small tree, :func:`judge` decides one guess, and
:func:`judge_pairs` a table of them. Nothing here is learned, and nothing knows a question's text
except :func:`condition_met`, which tells which of a line's conditions ("until X is read") are
past.

How a guess is decided, first match wins: an empty guess; the same words as an alternative, with
articles kept; the same words under :func:`_loose` (number words, Roman numerals, abbreviations,
order, plurals, spacing), in both cases reject before accept before prompt before an alternative
whose condition is past; then the nearest of the weaker rules (required words, surname, dropped
class word, initials, typo); then, where the line asks for it, a partial answer. A guess that only
drops or adds distinguishing words is rejected.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .errors import DataError, Fault

# --------------------------------------------------------------------------- lexicons


def _list(text: str) -> list[str]:
    return text.split()


def _words(text: str) -> frozenset[str]:
    return frozenset(_list(text))


_ARTICLES = _words("a an the")
_LINKS = _words("and of by")  # carry no meaning once the order of words is free
_DIRECTION = _words("to from into than over under versus")  # these make the order matter
_STOP = _words(
    "a an the and of by to from into than over under versus in on at for with as is are was be it"
    " its this that these those or not no his her their my your"
)
_EMPTY = {
    "", "none", "null", "nan", "n a", "na", "idk", "i don t know", "i dont know", "i do not know",
    "dont know", "do not know", "no answer", "no guess", "no idea", "unknown", "unsure", "not sure",
    "pass",
}  # fmt: skip
# Titles and class words that a guess may add.
_TITLES = _words(
    "president king queen emperor empress sir lord lady dr doctor mister mr mrs ms general"
    " pope bishop professor senator admiral captain colonel chancellor republic kingdom dynasty"
    " house language person movement"
)
# Class words that a moderator does not require ("Indus" for Indus River). City, ocean, sea and the
# like are missing on purpose: Mexico is not Mexico City.
_CLASS = _words("river lake mount mountain mountains dynasty desert group gang")
_REALM = re.compile(
    r"^(?:the )?(?:(?:people'?s|federal|islamic|socialist|oriental) )?"
    r"(?:republic|kingdom|duchy|house|dynasty) of (?:the )?(?P<name>[A-ZÀ-Þ].*)$",
    re.I,
)
_NOT_SURNAMES = _CLASS | _words(
    "republic kingdom war wars party island islands museum order knights street bridge trail"
    " expedition revolution empire sutra symphony sonata concerto opera music play novel tale"
    " poem prize award school company corporation university college church cathedral palace"
    " castle tower temple act treaty battle army legion congress court movement city county"
    " state sea ocean bay gulf strait valley canal coil effect law theorem equation constant"
    " number plan operation project incident affair cycle series park gardens garden building"
    " house society association club day night jr sr junior senior"
)
_PARTICLES = _words("de da di del della von van der den du la le el al bin ibn ben of ter dos das")
_BOUND_PARTICLES = _words("du la le el al dos")  # never dropped: Du Bois, El Greco
_GIVEN = _words(
    "aaron abel abraham ada adam adolf agatha agnes akira alan albert alberto aldous"
    " alejandro alessandro alex alexander alexandre alexei alfred alice allan allen allison"
    " alois alphonse amadeus amelia amy ana anders andre andrea andreas andrei andrew andrey"
    " andy angela anita ann anna anne annie anselm anthony antoine anton antonin antonio"
    " arnold artemisia arthur arturo astrid august auguste augustus ayn barack barbara"
    " baruch beatrice bela ben benedict benito benjamin bernard bernhard bertolt bertrand"
    " betty bill billy blaise bob booker boris bram brian bruce camille carl carlo carlos"
    " carol caroline carolyn caspar catherine cecil cesar charles charlie charlotte chinua"
    " chris christian christina christine christopher clara claude clement colin constantin"
    " cormac cristina cynthia dan daniel dante david deborah denis dennis diana diego dimitri"
    " dmitri dolores don donald donna dora doris dorothea dorothy douglas dwight earl"
    " eddie edgar edith edmund edna eduard edvard edward edwin egon eleanor eli elias elie"
    " elizabeth ella ellen elvis emil emile emily emma emmanuel enrico eric erich erik ernest"
    " ernst erwin ethel eugene eva evelyn ezra federico felix ferdinand fernando florence ford"
    " francesco francis francisco franco francois frank franklin frantz franz fred frederic"
    " frederick friedrich fritz fyodor gabriel gabriela gabriele galileo gary gene geoffrey"
    " georg george georges georgia gerald gerard gerhard gertrude giacomo gilbert gioachino"
    " giorgio giovanni giuseppe gottfried gottlob grace graham grant gregor gregory greta"
    " guglielmo guillaume gunter gustav gustave gwendolyn gyorgy hannah hans harold harper"
    " harriet harry haruki hayao hector heinrich helen henri henrik henry herbert herman"
    " hermann hernan hieronymus hilary hilda hillary homer honore horace howard hugo humphrey"
    " ian ida igor imre ingmar ira irene isaac isabel isadora italo ivan jack jackson jacob"
    " jacqueline jacques james jan jane janet jasper jawaharlal jean jeff jefferson jennifer"
    " jeremy jerome jesse jessica jim jimmy joan joanna joe johan johann johannes john johnny"
    " jon jonas jonathan jorge jose josef joseph joshua juan juana judith judy jules julia"
    " julian julie julius junichiro jurgen kamala karen karl kate katherine kathleen kazuo"
    " keith ken kenneth kevin kim kobo konrad kurt kwame lance langston larry laura laurence"
    " lawrence lee leo leon leonard leonardo leonhard leopold leos leslie lewis liam linda"
    " lionel lisa lorenzo lorraine louis louisa louise lucas lucian lucy ludwig luigi luis"
    " luke lydia lyndon madeleine mahatma malcolm manuel marc marcel marcus margaret maria"
    " marie marilyn marina mario marion marjorie mark marlene martha martin marvin mary maryam"
    " matthew maurice max maxim maximilien maya mel melvin michael michel michelangelo"
    " miguel mikhail miles milton mohandas molly moses muhammad nadine napoleon natalie nathan"
    " nathaniel neil nelson niccolo nicholas nick nicolas nicolaus niels nikita nikola nikolai"
    " noam noel nora norman octavia octavio olga oliver olivia orhan oscar oskar otto pablo"
    " patricia patrick paul paula pauline pedro peggy percy perry pete peter phil philip"
    " philippe phillis pierre piet pieter piotr pyotr rabindranath rachel ralph ray raymond"
    " rebecca rene richard rita robert roberto roger roland roman ronald rosa rosalind rose"
    " roy rudolf rudyard russell ruth ryunosuke sally salman salvador sam samuel sandra sandro"
    " sara sarah satyajit scott sean sebastian sergei seymour sharon sherman shirley sidney"
    " sigmund silvia simon simone sofia solomon sonia sophia soren stanley stefan stella"
    " stephen steve steven stuart subhas susan svetlana sydney sylvia tadeusz tennessee"
    " teresa terry thelonious theodor theodore theresa thomas thurgood tim timothy tom toni"
    " tony truman upton ursula vaclav vasily vera victor victoria viktor vincent virginia"
    " vladimir voltaire wallace walt walter warren wassily wayne werner wilhelm willa willem"
    " william willy wilson winston wislawa wladyslaw wole wolfgang woodrow wright yasunari"
    " yoko yukio yuri zadie zora"
)
_NAME_WORDS = _GIVEN | _PARTICLES
_FOREIGN_ARTICLES = _words("i il la le les lo el los las der die das un une")
_ABBREVIATIONS = {
    "dr": "doctor", "mr": "mister", "mt": "mount", "st": "saint", "ste": "saint", "jr": "junior",
    "sr": "senior", "vs": "versus", "op": "opus", "usa": "us", "cm": "centimeter",
    "mm": "millimeter", "km": "kilometer", "kg": "kilogram", "hz": "hertz",
    "centimetre": "centimeter",
}  # fmt: skip
_IRREGULAR = {
    "mice": "mouse", "men": "man", "women": "woman", "children": "child", "people": "person",
    "feet": "foot", "teeth": "tooth", "geese": "goose", "oxen": "ox", "lice": "louse",
    "wolves": "wolf", "knives": "knife", "wives": "wife", "lives": "life", "leaves": "leaf",
    "elves": "elf", "selves": "self", "halves": "half", "loaves": "loaf", "thieves": "thief",
    "calves": "calf", "bacteria": "bacterium", "mitochondria": "mitochondrion",
    "phenomena": "phenomenon", "criteria": "criterion", "nuclei": "nucleus", "radii": "radius",
    "fungi": "fungus", "cacti": "cactus", "alumni": "alumnus", "vertices": "vertex",
    "vortices": "vortex", "indices": "index", "matrices": "matrix", "axes": "axis",
    "crises": "crisis", "theses": "thesis", "hypotheses": "hypothesis", "media": "medium",
    "quanta": "quantum", "spectra": "spectrum", "larvae": "larva", "algae": "alga",
    "formulae": "formula", "genera": "genus", "dwarves": "dwarf", "movies": "movie",
    "lens": "lens", "lenses": "lens",
    "zombies": "zombie", "dies": "die",
}  # fmt: skip
_UNITS = {
    word: value
    for value, word in enumerate(
        _list(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
            " fifteen sixteen seventeen eighteen nineteen"
        )
    )
} | {
    word: value
    for value, word in enumerate(
        _list(
            "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh"
            " twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
        )
    )
}
_TENS = {
    word + end: 10 * value
    for value, word in enumerate(_list("twent thirt fort fift sixt sevent eight ninet"), 2)
    for end in ("y", "ieth")
}
_DECADES = {word[:-1] + "ies": value for word, value in _TENS.items() if word.endswith("y")}
_SCALES = {"hundred": 100, "thousand": 1000, "hundredth": 100, "thousandth": 1000, "million": 10**6}
_ONES = ["", *_list("i ii iii iv v vi vii viii ix")]
_ROMAN = re.compile(r"(?=[ivxl])(xl|l?x{0,3})(ix|iv|v?i{0,3})\Z")

# --------------------------------------------------------------------------- normalisation

_TRANSLATE = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
        "ı": "i", "’": "'", "‘": "'", "ʼ": "'", "ʻ": "'", "ʾ": "", "ʿ": "", "´": "'",
        "`": "'", "ʹ": "'",
        "&": " and ", "+": " plus ", "%": " percent ", "–": "-", "—": " - ", "−": "-",
        "‐": "-", "‑": "-", "\u00ad": "", "\u200b": "", "_": " ",
    }
)  # fmt: skip
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        _list(
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi"
            " rho sigma tau upsilon phi chi psi omega"
        ),
        strict=True,
    )
)
_REWRITES = [
    (re.compile(pattern), to)
    for pattern, to in (
        (r"(?<=\d),(?=\d{3}(?!\d))", ""),
        (r"(?<=\d)\.(?=\d)", "p"),  # 3.14 must stay one token, or it would equal 314 without spaces
        (r"(?<!\S)-(?=\d)", "minus "),
        (r"#(?=\s*\d)", "no "),
        (r"#", " sharp "),
        (r"(?<=\d)'s\b", "s"),
        (r"(?<=\d)(?:st|nd|rd|th)\b", ""),
        (r"'s\b", ""),
        (r"'", ""),
    )
]
_TOKEN = re.compile(r"\d+(?:p\d+)*(?:s\b)?|[^\W\d_]+")


def _plain(text: str) -> str:
    """Words of ``text`` in lower case without diacritics, punctuation and possessives."""
    text = unicodedata.normalize("NFKD", text.translate(_TRANSLATE))
    text = "".join(c for c in text if not unicodedata.combining(c)).casefold().translate(_TRANSLATE)
    for pattern, to in _REWRITES:
        text = pattern.sub(to, text)
    tokens = [_GREEK.get(token, token) for token in _TOKEN.findall(text)]
    return " ".join(tokens) if tokens else "".join(text.split())


def _roman(token: str) -> int | None:
    if not token or not _ROMAN.match(token):
        return None
    values = [{"i": 1, "v": 5, "x": 10, "l": 50}[c] for c in token]
    return sum(-v if v < w else v for v, w in zip(values, [*values[1:], 0], strict=True))


def _join_initials(tokens: list[str]) -> list[str]:
    """``['j', 'd', 'vance']`` → ``['jd', 'vance']``: J. D. and JD are the same."""
    joined: list[str] = []
    run = False
    for token in tokens:
        single = len(token) == 1 and token.isalpha()
        if single and run:
            joined[-1] += token
        else:
            joined.append(token)
        run = single
    return joined


def _numbers(tokens: list[str]) -> list[str]:
    """Number words, ordinals and Roman numerals (never as the first word) as digits."""
    out: list[str] = []
    value: int | None = None  # the number being read
    last = 0  # size of its last part, which tells whether the next word continues it

    def flush():
        nonlocal value
        if value is not None:
            out.append(str(value))
        value = None

    for index, token in enumerate(tokens):
        word = token[:-1] if token.endswith("s") and token[:-1] in _UNITS else token  # seconds
        part = _UNITS.get(word, _TENS.get(word))
        if token in _DECADES:
            century = f"{value}" if value is not None and 10 <= value < 100 else ""
            value = None if century else value
            flush()
            out.append(f"{century}{_DECADES[token]}s")
        elif token in _SCALES:
            scale = _SCALES[token]
            value = (1 if value is None else value) * scale
            last = scale
        elif part is not None:
            if value is None:
                value = part
            elif last >= 100 or (20 <= last < 100 and part < 10 and last % 10 == 0 and part):
                value += part
            elif 10 <= value < 100 and 10 <= part < 100:  # nineteen eighty → 1980
                value, part = value * 100 + part, part
            else:
                flush()
                value = part
            last = part
        else:
            flush()
            roman = _roman(token) if index and token != "l" else None
            at_end = index == len(tokens) - 1 or tokens[index + 1] == "of"
            if roman and (len(token) > 1 or at_end):
                out.append(str(roman))
            else:
                out.append(token)
    flush()
    return out


def _singular(token: str) -> str:
    """A form that singular and plural share; not always a word (``hors`` for horse and horses)."""
    token = _IRREGULAR.get(token, token)
    if len(token) < 4 or token[0].isdigit():
        return token
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    if token.endswith("s") and not token.endswith(("ss", "us", "is")):
        token = token[:-1]
    if len(token) > 3 and token.endswith(("che", "she", "xe", "ze", "se", "oe")):
        token = token[:-1]
    return token


def _stem(token: str) -> str:
    """Inflection off: ``jumping``, ``jumped`` and ``jump`` are one."""
    token = _singular(token)
    for suffix in ("ing", "ed"):
        if token.endswith(suffix) and len(token) - len(suffix) >= 4:
            token = token[: -len(suffix)]
            break
    return token[:-1] if token.endswith("e") and len(token) > 4 else token


_SUFFIXES = sorted(
    _list(
        "ization isation izable ational ement ments ment ness ability ibility ities ity ation ition"
        " ates ated ate able ible ical ism ist ists istic ian ions ion ing ized ize ise ed er"
        " ers ally al ly ic ive ous ance ence ant ent s e y"
    ),
    key=len,
    reverse=True,
)


def _root(token: str) -> str:
    """Derivation off as well, only for answer lines that say ``word forms``."""
    for _ in range(2):
        for suffix in _SUFFIXES:
            if token.endswith(suffix) and len(token) - len(suffix) >= 4:
                token = token[: -len(suffix)]
                break
    return token


def _loose(tokens: list[str]) -> list[str]:
    """Tokens with numbers, abbreviations and spelling unified, articles and links dropped."""
    text = " ".join(tokens)
    text = re.sub(r"\bunited states(?: of america)?\b", "us", text)
    text = re.sub(r"\bunited kingdom\b", "uk", text)
    text = re.sub(r"\b(?:no|number|opus no|op no) (?=\d|" + "|".join(_UNITS) + r")\b", "", text)
    tokens = _join_initials(_numbers(text.split()))
    out = []
    for index, token in enumerate(tokens):
        if token in _LINKS or (token in _ARTICLES and (token != "a" or index < len(tokens) - 1)):
            continue
        token = _ABBREVIATIONS.get(token, token)
        if len(token) > 4 and token.endswith("our"):
            token = token[:-3] + "or"
        out.append(token.replace("isation", "ization"))
    return out or tokens


class _Norm(NamedTuple):
    """The forms of a text that are compared, from the strictest to the loosest."""

    strict: str
    tokens: tuple[str, ...]
    singular: tuple[str, ...]
    key: tuple[str, ...]
    skey: tuple[str, ...]
    solid: tuple[str, ...]  # letters without spaces, then the numbers
    collapsed: tuple[str, ...]  # the same of the singular tokens
    content: bool
    links: bool


def _key(tokens: Iterable[str]) -> tuple[str, ...]:
    tokens = tuple(tokens)
    return ("→", *tokens) if _DIRECTION.intersection(tokens) else tuple(sorted(tokens))


def _solid(tokens: Iterable[str]) -> tuple[str, ...]:
    digits = [t for t in tokens if t[0].isdigit()]
    return "".join(t for t in tokens if not t[0].isdigit()), *digits


@lru_cache(maxsize=1 << 17)
def _norm(text: str) -> _Norm:
    strict = _plain(text)
    words = strict.split()
    tokens = tuple(_loose(words))
    singular = tuple(_singular(t) for t in tokens)
    return _Norm(
        strict, tokens, singular, _key(tokens), _key(singular), _solid(tokens), _solid(singular),
        any(t not in _STOP for t in tokens), "and" in words or "or" in words,
    )  # fmt: skip


# --------------------------------------------------------------------------- the tree


@dataclass(frozen=True)
class Alternative:
    """One answer of a line and what a moderator does with it.

    ``required`` holds the underlined parts, where the line marks them: having them all is enough.
    ``until`` is the condition in words (``until "Drp1" is read``, ``before mention``, ``after …``),
    ``triggers`` the words that end it, ``after`` the verdict from then on ('' where it lapses).
    ``anti`` marks an anti-prompt (too specific rather than too vague), whose verdict is ``prompt``.
    """

    text: str
    verdict: str
    directed_prompt: str | None = None
    until: str | None = None
    word_forms: bool = False
    required: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    after: str = "reject"
    anti: bool = False
    main: bool = False

    def __str__(self) -> str:
        parts = [f"{'anti-prompt' if self.anti else self.verdict}: {self.text}"]
        if self.required and list(self.required) != [self.text]:
            parts.append("requires " + " + ".join(self.required))
        if self.until:
            parts.append(f"{self.until}, then {self.after or 'no longer applies'}")
        if self.word_forms:
            parts.append("or word forms")
        if self.directed_prompt:
            parts.append(f"ask “{self.directed_prompt}”")
        return "; ".join(parts)


@dataclass(frozen=True)
class Answerline:
    """A parsed answer line.

    ``partial`` is None, or the directed prompt ('' without one) of ``prompt on partial answers``.
    ``notes`` list what was not understood (and kept as literal text where it could be an answer),
    ``remarks`` the pronunciation guides and comments to the moderator.
    """

    source: str
    alternatives: tuple[Alternative, ...]
    partial: str | None = None
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    _indexes: dict = field(default_factory=dict, compare=False, repr=False)

    @property
    def main(self) -> str:
        """The answer before the first bracket."""
        return next((a.text for a in self.alternatives if a.main), "")

    @property
    def conditional(self) -> bool:
        """Whether any alternative depends on what has been read."""
        return any(a.triggers for a in self.alternatives)

    def describe(self) -> str:
        """The tree, one line per alternative, then notes and remarks."""
        lines = [self.main or "(no main answer)"]
        lines += [f"  {a}" for a in self.alternatives]
        if self.partial is not None:
            lines.append(
                "  prompt: partial answers" + f"; ask “{self.partial}”" * bool(self.partial)
            )
        lines += [f"  not understood: {note}" for note in self.notes]
        lines += [f"  remark: {remark}" for remark in self.remarks]
        return "\n".join(lines)

    __str__ = describe


# --------------------------------------------------------------------------- parsing

_ON, _OFF = "\ue000", "\ue001"  # stand for the tags around a required part
_MARKS = re.compile(f"[{_ON}{_OFF}]")
_VERB = (
    r"(?:(?P<anti>(?:anti|reverse)[-\s]?prompt(?:\s+(?:on|for))?)"
    r"|(?P<reject>(?:do\s+not|don'?t|never|be\s+careful\s+not\s+to)\s+(?:accept|prompt|take)"
    r"(?:\s+on)?(?:\s*,?\s*(?:or|nor|and)\s+(?:accept|prompt|take))?(?:\s+on)?|reject|not(?=\s*\"))"
    r"|(?P<prompt>prompt(?:\s+(?:on|for))?)"
    r"|(?P<accept>(?:also\s+)?(?:accept|take)|or|also))\b"
)
_LEAD = r"(?:(?:and|but|or|also|please|generously)\s+)*?"
_DIRECTIVE = re.compile(r"[\s,;.:]*" + _LEAD + _VERB + r"[\s:]*", re.I)
_LATER = (  # "but prompt on it afterwards"
    r"(?P<verb>(?:(?:do\s+not|don'?t)\s+)?(?:accept|prompt|reject)(?:\s+(?:or|nor)\s+prompt)?)"
    r"(?:\s+on)?(?:\s+(?:it|them|that|this))?\s+(?:after(?:wards?)?|thereafter|before)"
    r"(?:\s*(?:that|it|this)?\s*(?:is|has been)?\s*(?:read|mentioned)?)?\s*$"
)
_NEXT_DIRECTIVE = re.compile(
    r"[\s,.;]\s*" + _LEAD + r"(?=(?:(?:do\s+not|don'?t|be\s+careful\s+not\s+to)\s+(?:accept|prompt)"
    r"|reject|prompt\s+on|anti-?prompt|accept)\b)(?!" + _LATER.replace("?P<verb>", "?:") + ")",
    re.I,
)
_READ = (
    r"(?:\s*(?:'s|is|are|was|were|has been|have been|been|being)?"
    r"\s*(?:read|mention(?:ed|s)?|said|given))"
)
_WHEN = r"(?P<when>until|before|prior to|up to|after|once)"
_CONDITIONS = [
    re.compile(r"[\s,]*\b(?:only\s+)?" + _WHEN + pattern + r"(?:\s+in the question)?", re.I)
    for pattern in (
        r"\s+(?:the\s+)?(?:words?\s+|phrase\s+|term\s+|mention of\s+)?"
        r"(?P<what>\"[^\"]+\"(?:,?\s+(?:or|and)\s+\"[^\"]+\")*)" + _READ + "?",
        r"\s+(?:it|they|that|this|these|either|both)?" + _READ + r"\b(?!\s+\w+\s+\w+\s+is)",
        r"\s+(?P<what>(?!it\b|they\b)[^\";,]{1,60}?)\s+(?:is|are|has been)"
        r"\s+(?:read|mentioned|said)\b",
    )
]
_AFTERWARDS = re.compile(r"[\s,]*\b(?:but|and)?\s*" + _LATER, re.I)
_ASKING = re.compile(
    r"[\s,]*\b(?:by\s+(?:asking|saying)|asking|with|ask)\b[^\"]{0,20}\"(?P<ask>[^\"]+)\"?", re.I
)
_ASKING_BARE = re.compile(r"[\s,]*\bby\s+(?:asking|saying)[\s,:]+(?P<ask>[^\"]+)$", re.I)
_IN_PLACE = re.compile(
    r"^(?P<new>.+?)\s+(?:in place of|instead of)\s+(?P<old>\"[^\"]+\"(?:,?\s+or\s+\"[^\"]+\")*)",
    re.I,
)
_SYNONYMS = re.compile(
    r"^(?:other |any |reasonable )*(?:synonyms?|equivalents?) (?:for|of) (?P<old>\"[^\"]+\")"
    r",?\s+(?:like|such as)\s+(?P<new>.+)$",
    re.I,
)
_KIND = (
    r"(?:any|all|an?|the|other|some|more|less|clear|clear-knowledge|reasonable|obvious|similar"
    r"|specific|general|descriptive|logical|correct|related|further|longer"
    r"|alternate|more specific|just|minor)"
)
_THING = (
    r"(?:answers?|anything|everything|descriptions?|responses?|equivalents?|synonyms?"
    r"|translations?|variants?|mentions?|references?|things?|forms?|names?|titles?|versions?)"
)
_EQUIVALENTS = re.compile(  # says what an answer must contain, not what it may be
    rf"^(?:{_KIND}\s+)*(?:equivalents?|synonyms?|translations?|variants?|variations?)\s+"
    r"(?:(?:that|which)\s+)?(?:mention|includ|contain|involv|imply|for\b|of\b)",
    re.I,
)
_SPAN = re.compile(
    r"[\s,]+(?:(?:until|before)\s+(?:the\s+)?end\b|(?:during|in)\s+the\s+first"
    r"\s+(?:sentence|line)\b).*$",
    re.I,
)
_WORD_FORMS = re.compile(
    r"[\s,]*\b(?:(?:or|and|accept)\s+)?(?:(?:any|other|all|their|its)\s+)*"
    r"(?:word|verb|noun|adjective)[\s-]forms?"
    r"(?P<of>\s+of\s+(?:any|either|these|the|those|underlined)\b.*)?\s*$",
    re.I,
)
_FORMS_OF = re.compile(r"^(?:any |other )*word[\s-]forms?(?:\s+of|,?\s+(?:like|such as))\s+", re.I)
_PARTIAL = re.compile(
    r"^(?:on\s+)?(?:an?\s+|any\s+|just\s+)*(?:partial|incomplete)(?:\s+(?:or|and)\s+\w+)?"
    r"(?:\s+(?:answers?|titles?|names?|responses?))?(?P<rest>.*)$",
    re.I,
)
_EITHER = re.compile(
    r"^(?:any|either|one|each)(?:\s+of\s+the)?(?:\s+underlined)?\s+"
    r"(?:parts?|portions?|names?|answers?|half|ones?|words?|of them)(?:\s+alone)?$",
    re.I,
)
_ORDER = re.compile(r"\b(?:names?\s+)?in (?:either|any) order\b", re.I)
_VAGUE = re.compile(
    rf"^(?:(?:{_KIND}|or)\s+)*(?:{_THING}|equivalent|similar|like|etc\.?|vice versa)"
    r"(?:\s+(?:answers?|forms?))?$",
    re.I,
)
_SUCH_AS = re.compile(
    r"^(?P<what>.*?)[\s,]*\b(?:such as|like|including|e\.g\.,?|for example)\s*,?\s+", re.I
)
_GENERIC = re.compile(
    rf"\b(?:{_THING}|word forms?|types?|groups?|kinds?|specific|any|other|partial|incomplete)\b",
    re.I,
)
_ABOUT = re.compile(
    rf"^(?:{_KIND}\s+)*{_THING}\s+(?:(?:that|which)\s+)?(?:specifically\s+)?"
    r"(?:about|mention(?:s|ing)?|indicat(?:es?|ing)|express(?:es|ing)?|describ(?:es?|ing)"
    r"|involv(?:es?|ing)|contain(?:s|ing)?|includ(?:es?|ing)|relat(?:ed|ing) to|referring to"
    r"|talking about|equivalent to|along the lines of|to the effect of|of|for)\s+"
    r"(?:the\s+(?:ideas?|names?|words?|terms?|phrases?)\s+(?:of\s+)?)?(?:that\s+)?",
    re.I,
)
_TRIM = re.compile(
    r"^(?:on|just|simply|either|also|both|any of)\s+(?=\S)|\s+(?:alone|by itself|at any point"
    r"|anywhere|etc\.?|in general|specifically|only)$",
    re.I,
)
_REASON = re.compile(
    r"\s+(?:because|even though|as (?:the|it|they|this|that))\s.*$"
    r"|,\s+(?:since|as long as|(?:that|which) (?:do|does) not)\s.*$",
    re.I,
)
_GUIDE = re.compile(r"^\W*(?:\"[^\"]*\"|[\w' ]*[A-Z]{2,}-[\w-]*|[\w']+-[A-Z]{2,}[\w -]*)\W*$")


def _unmark(text: str) -> str:
    return _MARKS.sub("", text)


def _tidy(text: str) -> str:
    """White space and stray punctuation off, quotation marks around the whole off."""
    text = re.sub(r"\s+", " ", text).strip(" ,;:/\t")
    while text.count('"') and text[:1] == '"' and text.find('"', 1) in (-1, len(text) - 1):
        text = text.strip('"').strip(" ,;:")
    if text.count('"') == 1:
        text = text.replace('"', "").strip(" ,;:")
    if text.endswith(")") and text.count(")") > text.count("("):
        text = text[:-1].rstrip()
    if text.startswith("(") and text.count("(") > text.count(")"):
        text = text[1:].lstrip()
    return text


def _clean(line: str) -> str:
    """Encoding damage, entities, tags, quotation marks and brackets brought to one form."""
    if "Ã" in line or "â€" in line:
        with suppress(UnicodeError):
            line = line.encode("cp1252").decode("utf-8")
    line = _MARKS.sub("", html.unescape(line))
    tag = "u" if re.search(r"<u\b", line, re.I) else "b"
    line = re.sub(rf"<{tag}\b[^<>]*>", _ON, line, flags=re.I)
    line = re.sub(rf"</{tag}\s*>", _OFF, line, flags=re.I)
    line = re.sub(r"</?[a-zA-Z][^<>]*>", "", line)
    line = re.sub(r"(?<!\w)‘([^‘’\"]{2,}?)’(?!\w)", r'"\1"', line)
    line = line.translate(str.maketrans("“”„«»‘’{}\u00a0", '"""""\'\'[] ', "\u200b\u00ad"))
    line = re.sub(r"(?<=[a-z])- (?=lents?\b)", "", line)
    line = re.sub(r"([;,.])\s*\"(?=\s|$|[\])])", r'"\1', line)
    return re.sub(r"\s+", " ", line).strip()


def _open_depth(text: str) -> list[bool]:
    """For each character, whether it lies inside quotation marks, parentheses or an underline.

    A kind of mark that does not balance protects nothing: one missing mark cannot swallow a line.
    """
    quotes = text.count('"') % 2 == 0
    parens = text.count("(") == text.count(")")
    marks = text.count(_ON) == text.count(_OFF)
    inside, quoted, depth, marked = [], False, 0, 0
    for char in text:
        if char == '"' and quotes:
            quoted = not quoted
        elif char == "(" and parens:
            depth += 1
        elif char == ")" and parens:
            depth = max(0, depth - 1)
        elif char == _ON and marks:
            marked += 1
        elif char == _OFF and marks:
            marked = max(0, marked - 1)
        inside.append(quoted or depth > 0 or marked > 0)
    return inside


def _split(text: str, pattern: str | re.Pattern, start: int = 0) -> list[str]:
    """``text`` cut where ``pattern`` matches outside quotation marks, parentheses, underlines."""
    inside = _open_depth(text)
    pieces, last = [], 0
    for match in re.compile(pattern).finditer(text, start):
        if match.end() > match.start() and not inside[match.start()]:
            pieces.append(text[last : match.start()])
            last = match.end()
    return [*pieces, text[last:]]


def _groups(line: str) -> Iterator[tuple[str, str]]:
    """Pieces of a line in order: ('text' | 'bracket', content); the line closes open brackets."""
    last = position = 0
    while (start := line.find("[", position)) >= 0:
        depth, end = 0, len(line)
        for index in range(start, len(line)):
            depth += {"[": 1, "]": -1}.get(line[index], 0)
            if depth == 0:
                end = index
                break
        yield "text", line[last:start]
        yield "bracket", line[start + 1 : end].replace("[", "(").replace("]", ")")
        last = position = end + 1
    yield "text", line[last:].replace("]", " ")


def _required(marked: str) -> tuple[str, ...]:
    """Underlined parts; a fragment of a word stands for the word unless it has four letters."""
    if marked.count(_ON) != marked.count(_OFF) or _ON not in marked:
        return ()
    parts, fragments = [], []
    for match in re.finditer(f"{_ON}([^{_ON}{_OFF}]*){_OFF}", marked):
        part = match.group(1)
        before = re.search(r"\w*$", _unmark(marked[: match.start()])).group()
        behind = re.match(r"\w*", _unmark(marked[match.end() :])).group()
        fragment = bool((before or behind) and part.strip() == part)
        fragments.append(fragment and len(part) == 1)
        if fragment and len(part) < 4 and not (len(part) > 2 and behind in ("s", "es")):
            part = part if len(part) == 1 else before + part + behind
        if part.strip(" \"'"):
            parts.append(part.strip(" \"'"))
    if len(parts) > 1 and all(fragments):
        return ("".join(parts),)
    if any(fragments):
        return ()
    return tuple(parts)


class _Parser:
    """State of one parse: what has been collected, and the verdict that a bare clause inherits."""

    def __init__(self, source: str):
        self.source = source
        self.found: list[Alternative] = []
        self.substitutions: list[tuple[str, list[str], dict]] = []
        self.notes: list[str] = []
        self.remarks: list[str] = []
        self.partial: str | None = None
        self.either = False
        self.all_forms = False
        self.verdict = "accept"
        self.anti = False

    def parse(self) -> Answerline:
        head, clauses = [], []
        pieces = [(kind, text) for kind, text in _groups(_clean(self.source)) if text.strip()]
        for index, (kind, text) in enumerate(pieces):
            behind = pieces[index + 1][1] if index + 1 < len(pieces) else ""
            if kind == "text":
                head.append(self.outside(text, bool(clauses), clauses))
            elif _DIRECTIVE.match(text):
                clauses.append(text)
            elif re.match(r'^\s*"[^" ]*-[^"]*"', text):
                self.remarks.append(text.strip())
            elif not clauses and re.sub(r"\([^()]*\)", "", behind).strip(" .,;"):
                head.append(f"({text.strip()})")  # "[French] Socialist Party": may be left out
            else:
                clauses.append(text)
        self.head(" ".join(part for part in head if part))
        for clause in clauses:
            self.bracket(clause)
        self.finish()
        unique = tuple(dict.fromkeys(self.found))
        return Answerline(self.source, unique, self.partial, tuple(self.notes), tuple(self.remarks))

    def outside(self, text: str, after_bracket: bool, clauses: list[str]) -> str:
        """Text outside brackets: directives in parentheses to ``clauses``, guides to remarks."""

        def take(match: re.Match) -> str:
            content = match.group(1).strip()
            glued = match.start() > 0 and text[match.start() - 1].isalnum()
            if glued and len(content) <= 3:
                return match.group()
            if _DIRECTIVE.match(content) and not _PARTIAL.match(content):
                clauses.append(content)
            elif _GUIDE.match(content) or after_bracket or len(_unmark(content).split()) > 3:
                self.remarks.append(_unmark(content))
            else:
                return match.group()
            return " "

        text = re.sub(r"\(([^()]*)(?:\)|$)", take, text)
        if after_bracket and text.strip(' .,;)("'):
            directive = _DIRECTIVE.match(text)
            (clauses if directive else self.remarks).append(
                text if directive else _unmark(text).strip()
            )
            return ""
        return "" if after_bracket else text

    def head(self, text: str) -> None:
        text = _tidy(text)
        if not _unmark(text).strip(' "()'):
            if text:
                self.notes.append(_unmark(text))
            return
        whole = self.alternative(text, main=True)
        pieces = [_tidy(p) for p in _split(text, r"\s+or\s+")]
        usable = len(pieces) > 1 and all(_norm(_unmark(p)).content for p in pieces)
        if usable and (_ON not in text or all(_ON in p for p in pieces)):
            if _ON in text:  # each side names its own required part, both together are not needed
                whole = replace(whole, required=())
            else:
                self.notes.append(f"read as alternatives: {_unmark(text)}")
            self.found.append(whole)
            self.found += [self.alternative(piece) for piece in pieces]
        else:
            self.found.append(whole)

    def alternative(self, marked: str, verdict: str = "accept", **more) -> Alternative:
        text = _tidy(_unmark(marked))
        return Alternative(text=text, verdict=verdict, required=_required(marked), **more)

    def bracket(self, text: str) -> None:
        for piece in _split(text, r";"):
            if piece.count('"') % 2:
                piece = piece.lstrip(' "')
            for clause in _clauses(piece):
                if clause.strip(' .,;"()'):
                    self.clause(clause.strip())

    def condition(self, text: str) -> tuple[str, dict]:
        """``text`` without its condition, and the fields of Alternative that hold it."""
        fields: dict = {}
        later = _AFTERWARDS.search(text)
        if later:
            text = text[: later.start()]
        inside = _open_depth(text)
        for pattern in _CONDITIONS:
            match = next((m for m in pattern.finditer(text) if not inside[m.start("when")]), None)
            if match is None:
                continue
            what = match.groupdict().get("what")
            words = re.findall(r'"([^"]+)"', what) or [what] if what else []
            when = match.group("when").lower()
            named = " or ".join(f'"{w}"' for w in words)
            fields["until"] = f"{when} {named} is read" if words else f"{when} mention"
            fields["triggers"] = tuple(t for t in (" ".join(_norm(w).singular) for w in words) if t)
            fields["reversed"] = when in ("after", "once")
            text = (text[: match.start()] + " " + text[match.end() :]).strip()
            break
        if later and fields:
            verb = later.group("verb").lower()
            fields["other"] = verb if verb in ("accept", "prompt") else "reject"
        elif later:
            self.notes.append(_unmark(later.group().strip(" ,")))
        return text, fields

    def clause(self, clause: str) -> None:
        body, when = self.condition(clause)
        first = _DIRECTIVE.match(body)
        if first:
            word = next(k for k, v in first.groupdict().items() if v)
            body = body[first.end() :]
            self.anti = word == "anti"
            self.verdict = "prompt" if self.anti else word
            if first.group().strip().lower() == "or" and _PARTIAL.match(body):
                self.verdict = "prompt"
        elif not body.strip():
            return
        elif len(body.split()) > 8 or re.search(r"\b(?:is|are|was|were|refers?|ask)\b", body):
            self.notes.append(_unmark(clause))
            return
        else:
            self.notes.append(f"no directive, read as {self.verdict}: {_unmark(clause)}")
        ask = None
        if self.verdict == "prompt":
            found = _ASKING.search(body) or _ASKING_BARE.search(body)
            if found:
                ask = found.group("ask").strip()
                body = body[: found.start()] + " " + body[found.end() :]
        body = body.strip(" .,;")
        span = _SPAN.search(body)
        if span:
            self.notes.append(f"condition not checked: {span.group().strip()}")
            body = body[: span.start()]
        fields = {"verdict": self.verdict, "directed_prompt": ask, "anti": self.anti}
        for pattern in (_IN_PLACE, _SYNONYMS):
            match = pattern.match(body)
            if match and self.verdict == "accept":
                old = re.findall(r'"([^"]+)"', match.group("old"))
                self.substitutions.append((match.group("new"), old, fields | {"when": when}))
                return
        if self.verdict == "accept" and _EQUIVALENTS.match(_unmark(body)):
            self.notes.append(_unmark(body))
            return
        self.items(body, fields, when)

    def items(self, body: str, fields: dict, when: dict) -> None:
        forms = _WORD_FORMS.search(body)
        if forms:
            body = body[: forms.start()]
            if not body.strip() or forms.group("of"):
                self.all_forms = True
        start = len(self.found)
        for item in _items(body):
            self.item(item, fields, when, bool(forms))
        if forms and not body.strip() and self.verdict != "accept":
            self.found[start:] = [replace(a, word_forms=True) for a in self.found[start:]]

    def item(self, item: str, fields: dict, when: dict, forms: bool) -> None:
        item = _tidy(_REASON.sub("", item))
        if _EITHER.match(_unmark(item)):
            self.either = True
            return
        for _ in range(3):
            item = _TRIM.sub("", item).strip(" ,")
        bare = _unmark(item)
        if not bare.strip(' "().'):
            return
        if _ORDER.search(bare):
            return  # the order of words is free anyway
        partial = _PARTIAL.match(bare)
        if partial and fields["verdict"] != "accept":
            if fields["verdict"] == "prompt":
                self.partial = fields["directed_prompt"] or ""
            rest = re.match(r"\s*,?\s*(?:like|such as)\s+", partial.group("rest"), re.I)
            if not rest:
                return
            item = partial.group("rest")[rest.end() :]
        if _VAGUE.match(bare):
            self.notes.append(bare)
            return
        for pattern in (_FORMS_OF, _SUCH_AS, _ABOUT):
            match = pattern.match(item)
            if not match:
                continue
            if pattern is _SUCH_AS:
                what = _unmark(match.group("what"))
                if what and not _GENERIC.search(what):
                    continue
            forms = forms or pattern is _FORMS_OF
            if item[: match.end()].strip().lower() not in ("such as", "like", "including"):
                self.notes.append(_unmark(item))
            item = item[match.end() :]
        item = _tidy(item)
        if _norm(_unmark(item)).strict:
            made = self.alternative(item, word_forms=forms, **fields)
            self.found.append(_conditioned(made, when))

    def finish(self) -> None:
        """What depends on the whole line: either part, word forms, substitutions."""
        head = next((a for a in self.found if a.main), None)
        if self.either and head:
            parts = head.required if len(head.required) > 1 else ()
            parts = parts or [p for p in re.split(r"[\s,]+", (*head.required, head.text)[0]) if p]
            self.found += [Alternative(p, "accept") for p in parts if _norm(p).content]
        for new, olds, fields in self.substitutions:
            self.substitute(new, olds, fields)
        if self.all_forms:
            self.found = [
                replace(a, word_forms=True) if a.verdict == "accept" else a for a in self.found
            ]

    def substitute(self, new: str, olds: list[str], fields: dict) -> None:
        base = [a for a in self.found if a.verdict == "accept"]
        fields = dict(fields)
        when = fields.pop("when")
        made = []
        if re.match(r"^(?:any of )?the above answers with ", new, re.I):
            new = re.sub(r"^.*? with ", "", new)
        about = _ABOUT.match(new)
        for item in _items(new[about.end() :] if about else new):
            word = _tidy(_unmark(item))
            for old, alternative in product(olds, base[:60]):
                pattern = re.compile(rf"(?<!\w){re.escape(_unmark(old))}(?!\w)", re.I)
                text = pattern.sub(lambda _, word=word: word, alternative.text)
                if text != alternative.text:
                    made.append(_conditioned(Alternative(text, **fields), when))
        if made:
            self.found += made[:200]
        else:
            self.notes.append(f"{_unmark(new)} in place of {' or '.join(olds)}")


def _clauses(text: str) -> Iterator[str]:
    """``text`` cut before each further directive ("accept A but reject B")."""
    inside = _open_depth(text)
    start = 0
    first = _DIRECTIVE.match(text)
    position = first.end() if first else 0
    while match := _NEXT_DIRECTIVE.search(text, position):
        if inside[match.start()]:
            position = match.start() + 1
            continue
        yield text[start : match.start()]
        start = match.end()
        directive = _DIRECTIVE.match(text, start)  # may itself hold "accept or prompt on"
        position = directive.end() if directive else start + 1
    yield text[start:]


def _conditioned(made: Alternative, when: dict) -> Alternative:
    if not when:
        return made
    triggers = when["triggers"] or tuple(
        t
        for t in dict.fromkeys(" ".join(_norm(p).singular) for p in (*made.required, made.text))
        if t
    )
    default = "" if made.verdict == "reject" else "reject"
    other = when.get("other", default)
    if when["reversed"]:  # "accept X after Y": until then it is not accepted
        return replace(
            made, until=f"until {when['until']}", triggers=triggers, verdict=other or "reject",
            after=made.verdict,
        )  # fmt: skip
    return replace(made, until=when["until"], triggers=triggers, after=other)


def _items(body: str) -> list[str]:
    """The answers listed in one clause.

    "or" separates; a comma separates in "A, B, or C", or between short lower-case words before an
    "or", and is otherwise part of a title.
    """
    about = _ABOUT.match(_unmark(body))
    described = about and re.search(r"indicat|express|describ|impl|that\b", about.group(), re.I)
    oxford = [p for p in _split(body, r",\s*(?:and/)?or\s+(?:on\s+)?") if p.strip()]
    if described and len(oxford) == 1 and not re.search(f'["{_ON}]', body):
        return oxford  # one description, whose "or" is its own
    if re.search(r",\s*etc\b", body):
        return [p for p in _split(body, r",\s+") if p.strip()]
    out: list[str] = []
    for number, piece in enumerate(oxford):
        parts = _split(piece, r"\s+(?:and/)?or\s+(?:on\s+)?|\s+as well as\s+|\s*/or\s+")
        short = _split(parts[0], r",\s+(?!such as|like)")
        if len(oxford) > 1 and number == 0:
            parts = [q for p in parts for q in _split(p, r",\s+(?!such as|like)")]
        elif len(parts) > 1:
            if len(short) > 1 and all(re.fullmatch(r"[a-z]+(?: [a-z]+)?", p) for p in short):
                parts[:1] = short
        elif len(oxford) == 1 and body.count('"') >= 4 and body.count('"') % 2 == 0:
            quoted = _split(body, r',\s*(?:and\s+)?(?=")')  # "A," "B"
            parts = quoted if len(quoted) > 1 else parts
        out += [p for p in parts if p.strip()]
    return out


@lru_cache(maxsize=1 << 14)
def parse(answerline: str) -> Answerline:
    """The tree of an answer line; every string gives one, whatever is wrong with it.

    The text before the first bracket is the main accepted answer. Clauses that are not understood
    are kept as literal text and reported in ``notes``. Raises ``DataError`` for anything but text.
    """
    if not isinstance(answerline, str):
        raise DataError(Fault("answer line", "", "answerline", answerline, "text"))
    return _Parser(answerline).parse()


# --------------------------------------------------------------------------- conditions


def condition_met(answerline: str | Answerline, text_read: str) -> str:
    """Key of the line's conditions that are past once ``text_read`` has been heard.

    The triggers found in the text, in normal form, sorted and joined by ``" | "``; '' where none is
    past, as for every line without conditions. ``judge(..., condition=key)`` takes it.
    """
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    if not line.conditional:
        return ""
    heard = f" {' '.join(_heard(text_read or ''))} "
    triggers = {t for a in line.alternatives for t in a.triggers}
    return " | ".join(sorted(t for t in triggers if f" {t} " in heard))


@lru_cache(maxsize=1 << 12)
def _heard(text: str) -> tuple[str, ...]:
    return _norm.__wrapped__(text).singular


# --------------------------------------------------------------------------- typos

_VOWELS = frozenset("aeiouy")
_SOUNDS = [frozenset(pair) for pair in ("ck", "kq", "sz", "cs", "gj", "vw", "fv", "xz")]
_ENDINGS = _words("ane ene yne ine ide ate ite ol al one yl ase ose ium ous ic oid as os")
_BEGINNINGS = _words(
    "hyper hypo inter intra infra endo exo ecto micro macro ante anti ab ad pre pro per post"
    " sub super mono poly homo hetero iso meso meta para peri bi tri di ortho over under in im"
    " un"
)


def _budget(length: int) -> float:
    """Weighted edits forgiven in a word of ``length`` letters."""
    return (
        0.0
        if length < 5
        else 0.5
        if length == 5
        else 1.0
        if length < 10
        else 2.0
        if length < 16
        else 3.0
    )


def _confusable(a: str, b: str) -> bool:
    """Whether two words differ just in an ending or beginning that makes another word of them."""
    for i in range(2, 5):
        for j in range(2, 5):
            if a[:-i] == b[:-j] and a[-i:] in _ENDINGS and b[-j:] in _ENDINGS:
                return True
    common = 0
    while common < min(len(a), len(b)) and a[-1 - common] == b[-1 - common]:
        common += 1
    for cut in range(common + 1):
        if a[: len(a) - cut] in _BEGINNINGS and b[: len(b) - cut] in _BEGINNINGS:
            return True
    return False


def _substitution(a: str, b: str) -> float:
    if a in _VOWELS and b in _VOWELS:
        return 1.0
    if a in _VOWELS or b in _VOWELS:
        return 2.0
    return 1.0 if any(a in pair and b in pair for pair in _SOUNDS) else 1.5


def _distance(a: str, b: str, limit: float) -> float:
    """Damerau–Levenshtein distance, weighted by how easily one slips; above ``limit``: infinity.

    Doubling or undoubling a letter .5, a transposition, a lost letter or a vowel for a vowel 1, a
    consonant for another 1.5 (conduction is no typo of convection), vowel for consonant 2.
    """
    far = float("inf")
    if abs(len(a) - len(b)) > 2 * limit:
        return far
    before: list[float] = []
    row = [0.0]
    for j, char in enumerate(b, 1):
        row.append(row[-1] + (0.5 if j > 1 and b[j - 2] == char else 1.0))
    for i, x in enumerate(a, 1):
        drop = 0.5 if i > 1 and a[i - 2] == x else 1.0
        new = [row[0] + drop]
        for j, y in enumerate(b, 1):
            add = 0.5 if j > 1 and b[j - 2] == y else 1.0
            best = min(row[j] + drop, new[j - 1] + add)
            best = min(best, row[j - 1] + (0.0 if x == y else _substitution(x, y)))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                best = min(best, before[j - 2] + (1.0 if min(len(a), len(b)) > 5 else 0.5))
            new.append(best)
        if min(new) > limit and min(row) > limit:
            return far
        before, row = row, new
    return row[-1] if row[-1] <= limit else far


@lru_cache(maxsize=1 << 16)
def _slip(word: str, guess: str, name: bool) -> float:
    """Weighted edits between two words that may be a typo of each other, else infinity."""
    far = float("inf")
    if not word or not guess or word[0] != guess[0] or not (word + guess).isalpha():
        return far
    limit = _budget(min(len(word), len(guess)))
    if not limit or abs(len(word) - len(guess)) > 2 * limit or _confusable(word, guess):
        return far
    if name and (word + "s" == guess or guess + "s" == word):
        return far  # Jacob is not Jacobs
    if len(word) >= 8 and word[-1] == guess[-1] and sorted(word) == sorted(guess):
        return min(_distance(word, guess, limit), limit)  # same letters in another order
    return _distance(word, guess, limit)


# --------------------------------------------------------------------------- judging


class Judgement(NamedTuple):
    """``verdict`` (accept / prompt / reject), ``score`` in [0, 1] and the rule that decided.

    The score is above .5 for accept, .5 for prompt and below .5 for reject; 1 and 0 where the rule
    is certain, a similarity otherwise. Rules: exact, alias, number, word form, required, surname,
    name, class word, title, acronym, typo; prompt, anti-prompt, partial, ambiguous; reject,
    too late, empty, no match.
    """

    verdict: str
    score: float
    rule: str


_REJECT, _ACCEPT, _PROMPT, _LATE = range(4)  # order in which exact matches win
_NO_MATCH = Judgement("reject", 0.0, "no match")


class _Form(NamedTuple):
    """One wording of one alternative, ready to compare."""

    norm: _Norm
    rank: int
    rule: str
    name: bool
    person: bool
    required: tuple[str, ...]  # singular tokens that suffice, where the line marks them


def _judged(rank: int, rule: str, score: float) -> Judgement:
    """The judgement for a match of certainty ``score`` (0.5–1) with a form of this rank."""
    if rank == _ACCEPT:
        return Judgement("accept", score, rule)
    if rank == _PROMPT:
        return Judgement("prompt", 0.5, rule if rule in ("anti-prompt", "partial") else "prompt")
    return Judgement("reject", round(1.0 - score, 4), "too late" if rank == _LATE else "reject")


def _variants(text: str) -> list[str]:
    """Wordings of a text with optional words in parentheses: all in, all out."""
    text = re.sub(r"(?<=\w)\((\w{1,3})\)", lambda m: m.group(1), text)
    if "(" not in text:
        return [text]
    inside = re.sub(r"[()]", " ", text)
    outside = re.sub(r"\([^()]*\)?", " ", text)
    return [v for v in (inside, outside) if _norm(v).strict]


def _raw_words(text: str) -> list[str]:
    return re.findall(r"[^\W_][\w'’.-]*", text)


def _person(text: str, others: list[str]) -> list[str] | None:
    """The words of a text that looks like 'First [Middle] Last', else None.

    All words are capitalised but particles, none is a function or class word, and the first is a
    given name or an initial, or another alternative is a fuller form of the same name.
    """
    text = re.sub(r",?\s+(?:Jr|Sr|II|III)\.?$", "", text.strip())
    if re.search(r"[\d\",:;!?/()]", text):
        return None
    words = _raw_words(text)
    if not 2 <= len(words) <= 6:
        return None
    plain = [_plain(w).replace(" ", "") for w in words]
    last = plain[-1]
    if (
        last in _NOT_SURNAMES
        or last in _STOP
        or len(last) < 3
        or _roman(last)
        or words[-1][0].islower()
    ):
        return None
    for word, token in zip(words, plain, strict=True):
        if token in _PARTICLES and token != "of":
            continue
        if not word[0].isupper() or token in _STOP - {"a"} or token in _NOT_SURNAMES:
            return None
    initial = bool(re.fullmatch(r"(?:[A-Z]\.?)+", words[0])) and len(words[0]) < 6
    if plain[0] in _GIVEN or (initial and len(last) > 3 and "." in words[0]):
        return words
    for other in others:
        fuller = [_plain(w).replace(" ", "") for w in _raw_words(other)]
        if other != text and fuller[-1:] == [last] and len(fuller) > len(plain):
            rest = iter(fuller)
            if all(p in rest for p in plain) and _STOP.isdisjoint(fuller):
                return words
    return None


def _name_forms(words: list[str]) -> Iterator[tuple[str, str, float]]:
    """Shorter forms of a person's name: (text, rule, score)."""
    plain = [_plain(w) for w in words]
    start = len(words) - 1
    if plain[start - 1] not in _BOUND_PARTICLES:
        yield words[-1], "surname", 0.95
    while start > 1 and plain[start - 1] in _PARTICLES:
        start -= 1
        yield " ".join(words[start:]), "surname", 0.95
    surname = " ".join(words[start:])
    if start >= 2:
        yield f"{words[0]} {surname}", "name", 0.95
        yield f"{words[start - 1]} {surname}", "name", 0.9


class _Index:
    """Everything needed to judge guesses on one line under one condition."""

    def __init__(self, line: Answerline, past: frozenset[str]):
        self.partial = line.partial is not None
        self.strict: dict[str, Judgement] = {}
        self.loose: dict[tuple, Judgement] = {}
        self.singular: dict[tuple, Judgement] = {}
        self.solid: dict[tuple, Judgement] = {}
        self.collapsed: dict[tuple, Judgement] = {}
        self.stems: dict[tuple, Judgement] = {}
        self.roots: dict[tuple, Judgement] = {}
        self.acronyms: dict[str, Judgement] = {}
        self.derived: dict[tuple, list[tuple[int, str, float]]] = {}
        self.forms: list[_Form] = []
        self.typo_forms: list[tuple[_Form, float]] = []
        self.people: list[tuple[tuple[str, ...], int]] = []
        self.single: dict[str, int] = {}
        self.vocabulary: set[str] = set()
        ranked = sorted(
            ((rank, a) for a in line.alternatives if (rank := _rank(a, past)) is not None),
            key=lambda pair: pair[0],
        )
        texts = [a.text for _, a in ranked]
        people = {t: p for t in texts if (p := _person(t, texts))}
        names = {_plain(words[-1]) for words in people.values()}
        names |= {
            _plain(a.required[-1])
            for a in line.alternatives
            if a.required and a.text != a.required[-1] and a.text[0].isupper()
            and a.text.endswith(a.required[-1]) and a.required[-1][0].isupper()
            and _raw_words(a.text)[0].casefold() in _GIVEN
        }  # fmt: skip
        for rank, alternative in ranked:
            words = _raw_words(alternative.text)
            titled = len(words) == 2 and _plain(words[0]) in _TITLES and not alternative.required
            if titled and any(words[1] in _raw_words(t) for t in texts if t != alternative.text):
                self.shorter(words[1], rank, "surname", 0.95)  # Lord Byron, George Byron
            self.add(alternative, rank, names, people.get(alternative.text))
        self.accept_tokens = [frozenset(f.norm.singular) for f in self.forms if f.rank == _ACCEPT]
        longer = [f.norm.tokens for f in self.forms if len(f.norm.tokens) > 1]
        self.single = {
            token: rank
            for token, rank in self.single.items()
            if not any(token in t for t in longer)
        }

    def add(self, a: Alternative, rank: int, names: set[str], person: list[str] | None) -> None:
        rule = {_PROMPT: "anti-prompt" if a.anti else "prompt"}.get(
            rank, "exact" if a.main else "alias"
        )
        core = " ".join(a.required)
        texts = _variants(a.text) + ([core] if core and _norm(core).strict else [])
        required = _norm(core).singular if core else ()
        for text in dict.fromkeys(texts):
            norm = _norm(text)
            name = any(token in names for token in norm.tokens)
            form = _Form(norm, rank, rule, name, bool(person), required)
            self.forms.append(form)
            self.typo_forms.append((form, 1.0))
            self.exact(form, a.word_forms, text)
            if rank in (_ACCEPT, _PROMPT):
                self.vocabulary.update(norm.singular)
            if not a.required:
                self.derive(form, text, person)

    def exact(self, form: _Form, word_forms: bool, text: str) -> None:
        norm, rank, rule = form.norm, form.rank, form.rule
        certain = _judged(rank, rule, 1.0)
        number = _judged(rank, "number" if any(t[0].isdigit() for t in norm.tokens) else rule, 1.0)
        self.strict.setdefault(norm.strict, certain)
        self.loose.setdefault(norm.key, number)
        lower = not any(c.isupper() for c in text[1:]) and not form.name
        if not form.name:
            self.singular.setdefault(norm.skey, number)
        if len(norm.solid[0]) > 3:
            self.solid.setdefault(norm.solid, certain)
        if len(norm.solid[0]) > 3 and not form.name:
            self.collapsed.setdefault(norm.collapsed, certain)
        if lower and norm.content:
            self.stems.setdefault(_key(map(_stem, norm.tokens)), _judged(rank, "word form", 0.9))
        if word_forms and norm.content:
            self.roots.setdefault(_key(map(_root, norm.tokens)), _judged(rank, "word form", 0.9))
        decade = re.fullmatch(r"(\d+)s", norm.strict)
        if (
            decade
        ):  # the year that begins a decade is taken for it, a decade is not taken for a year
            self.strict.setdefault(decade.group(1), _judged(rank, "number", 0.9))
        for acronym in _acronyms(norm.strict):
            self.acronyms.setdefault(acronym, _judged(rank, "acronym", 0.9))

    def shorter(self, text: str, rank: int, rule: str, score: float) -> None:
        """Let ``text`` stand for an alternative that says more, unless it is only stop words."""
        norm = _norm(text)
        if norm.content and len(norm.strict) > 2:
            for key in {norm.key, ("~", *norm.solid)}:
                self.derived.setdefault(key, []).append((rank, rule, score))

    def derive(self, form: _Form, text: str, person: list[str] | None) -> None:
        rank, tokens, words = form.rank, form.norm.tokens, _raw_words(text)
        if person:
            self.people.append((form.norm.tokens, rank))
            whole = " ".join(person)
            self.shorter(whole, rank, "name", 0.95)  # without Jr.
            for acronym in _acronyms(_plain(whole)):
                self.acronyms.setdefault(acronym, _judged(rank, "acronym", 0.9))
            for name, rule, score in _name_forms(person):
                self.shorter(name, rank, rule, score)
                if rule == "surname":
                    self.typo_forms.append((form._replace(norm=_norm(name), name=True), 0.9))
        if len(words) == 1 and words[0][0].isupper() and len(words[0]) > 3 and len(tokens) == 1:
            self.single[tokens[0]] = rank
        if rank == _REJECT or not words:
            return  # what is wrong with a word may be right without it
        plain = [_plain(w) for w in words]
        title, colon, _ = text.partition(": ")
        if form.rule == "exact" and plain[0] in _FOREIGN_ARTICLES and len(" ".join(plain[1:])) > 6:
            self.shorter(" ".join(words[1:]), rank, "title", 0.95)
        if colon and len(_norm(title).tokens) > 1:
            self.shorter(title, rank, "title", 0.95)
        realm = _REALM.match(text.replace("’", "'"))
        rest = [w for w, p in zip(words, plain, strict=True) if p not in _CLASS and p not in _STOP]
        if realm:
            rest = _raw_words(realm.group("name"))
        elif _CLASS.isdisjoint(plain):
            return
        if all(w[0].isupper() or _plain(w) in _STOP | _PARTICLES for w in rest):
            self.shorter(" ".join(rest), rank, "class word", 0.9)

    # -- lookups

    def match(self, norm: _Norm) -> Judgement | None:
        """The judgement of a guess in normal form; None where nothing matches."""
        found = self.strict.get(norm.strict)
        if found is None and norm.tokens:
            found = self.loose.get(norm.key) or self.singular.get(norm.skey)
        if found is None and norm.collapsed[0]:
            found = self.solid.get(norm.solid) or self.collapsed.get(norm.collapsed)
        if found is None and len(norm.strict) <= 8 and self.acronyms:
            found = self.acronyms.get(norm.strict.replace(" ", ""))
        if found is None and norm.content:
            found = self.fuzzy(norm)
        return found

    def fuzzy(self, norm: _Norm) -> Judgement | None:
        hits: list[tuple[float, int, str]] = [
            (score, rank, rule)
            for key in (norm.key, ("~", *norm.solid))
            for rank, rule, score in self.derived.get(key, ())
        ]
        if self.derived and not _TITLES.isdisjoint(norm.tokens):  # President Nixon
            untitled = _key(t for t in norm.tokens if t not in _TITLES)
            hits += [(s, k, r) for k, r, s in self.derived.get(untitled, ()) if r == "surname"]
        if {rank for _, rank, _ in hits} >= {_REJECT, _ACCEPT}:
            return Judgement("prompt", 0.5, "ambiguous")
        if self.stems:
            found = self.stems.get(_key(map(_stem, norm.tokens)))
            if found:
                return found
        if self.roots:
            found = self.roots.get(_key(map(_root, norm.tokens)))
            if found:
                return found
        hits += self.fuller(norm)
        for form, weight in self.typo_forms:
            score = _typo(form, norm)
            if score:
                hits.append((score * weight, form.rank, "typo"))
        if not hits:
            return None
        score, rank, rule = min(hits, key=lambda hit: (-hit[0], hit[1]))
        return _judged(rank, rule, round(max(0.51, score), 4))

    def fuller(self, norm: _Norm) -> Iterator[tuple[float, int, str]]:
        """Guesses that say more than an alternative but nothing else."""
        guess = set(norm.singular)
        for form in self.forms:
            extra = len(norm.tokens) - len(form.norm.tokens)
            if form.required and guess.issuperset(form.required):
                allowed = self.vocabulary.union(form.norm.singular)
                if guess <= allowed and not norm.links and _in_order(form, norm):
                    yield 0.95, form.rank, "required"
            elif 0 < extra <= 3 and form.norm.content and guess.issuperset(form.norm.singular):
                more = guess.difference(form.norm.singular)
                if more <= _TITLES and not norm.links:
                    yield 0.9, form.rank, "title"
                elif len(form.norm.tokens) > 1 and not form.person and more <= _NAME_WORDS:
                    yield 0.85, form.rank, "name"  # "Ludwig van" before "Beethoven Symphony"
        tokens = norm.tokens
        if len(tokens) > 1:
            given = all(t in _GIVEN or (len(t) <= 2 and t != "v") for t in tokens[1:-1])
            if tokens[0] in _GIVEN and given and tokens[-1] in self.single and len(tokens) <= 4:
                yield 0.75, self.single[tokens[-1]], "name"
            for person, rank in self.people:
                if person[-1] == tokens[-1] and _same_name(person, tokens):
                    yield 0.8, rank, "name"

    def similarity(self, norm: _Norm) -> float:
        """Highest word overlap (Dice) with an accepted form, scaled to stay below .5."""
        guess = frozenset(norm.singular)
        best = 0.0
        for tokens in self.accept_tokens:
            shared = len(tokens & guess)
            if shared:
                best = max(best, 2.0 * shared / (len(tokens) + len(guess)))
        return round(0.49 * best, 4)

    def is_partial(self, norm: _Norm) -> bool:
        guess = frozenset(norm.singular)
        return norm.content and any(guess < tokens for tokens in self.accept_tokens)


def _rank(a: Alternative, past: frozenset[str]) -> int | None:
    if a.triggers and not past.isdisjoint(a.triggers):
        verdict, late = a.after, a.after == "reject"
    else:
        verdict, late = a.verdict, a.verdict == "reject" and bool(a.triggers)
    if not verdict:
        return None
    return _LATE if late else {"reject": _REJECT, "accept": _ACCEPT, "prompt": _PROMPT}[verdict]


def _in_order(form: _Form, norm: _Norm) -> bool:
    """Whether a guess keeps the order of an alternative where the order matters."""
    if not _DIRECTION.intersection(form.required):
        return True
    rest = iter(norm.singular)
    return all(token in rest for token in form.required)


def _same_name(person: tuple[str, ...], guess: tuple[str, ...]) -> bool:
    """Whether two names with one surname agree: more given names, or initials for them."""
    a, b = person[:-1], guess[:-1]
    if not a or not b or len(b) > 5 or any(t in _STOP or t[0].isdigit() for t in b):
        return False
    if len(b) > len(a) and (b[0] == a[0] or b[0] in _GIVEN or len(b[0]) < 3):
        rest = iter(b)
        if all(t in rest for t in a):
            return True

    def initials(names: tuple[str, ...]) -> tuple[str, bool]:
        short = [n for n in names if len(n) <= 3 and n not in _GIVEN and n not in _PARTICLES]
        full = [n if n in short else n[0] for n in names if n not in _PARTICLES]
        return "".join(full), bool(short)

    (x, abbreviated), (y, shortened) = initials(a), initials(b)
    return (abbreviated or shortened) and bool(x and y) and (x.startswith(y) or y.startswith(x))


def _acronyms(strict: str) -> set[str]:
    """Initials of a text of three or more words, with and without its small words."""
    words = strict.split()
    numbered = _numbers(words)
    if len(words) < 3 or len(words) > 10:
        return set()
    out = {"".join(w[0] for w in words)}
    small = [w for w in words if w not in _STOP]
    if len(small) > 2:
        out.add("".join(w[0] for w in small))
    if numbered[-1].isdigit() and len(numbered) == len(words) and not words[0].isdigit():
        start = "".join(w[0] for w in words[:-1])
        number = int(numbered[-1])
        out = {start + numbered[-1]}
        if 0 < number < 40:
            roman = "x" * (number // 10) + _ONES[number % 10]
            out.add(start + roman)
    return {a for a in out if len(a) > 2}


def _typo(form: _Form, guess: _Norm) -> float:
    """Similarity in (0.5, 1) where ``guess`` is a misspelling of the form, else 0."""
    words, typed = form.norm.tokens, guess.tokens
    if len(words) == len(typed) == 1:
        left, right = words, typed
    elif len(words) == len(typed):
        left, right = [], list(typed)
        for word in words:
            if word in right:
                right.remove(word)
            else:
                left.append(word)
                if len(left) > 2:
                    return 0.0
    elif len(words) == 1 or len(typed) == 1:
        left, right = ("".join(words),), ("".join(typed),)
        if min(len(left[0]), len(right[0])) < 8:
            return 0.0
    else:
        return 0.0
    slips = 0.0
    for word, other in zip(left, right, strict=True):
        if word[0] != other[0]:
            return 0.0
        if form.name:
            slips += _slip(word, other, True)
        else:
            slips += _slip(_singular(word), _singular(other), False)
        if slips > 3:
            return 0.0
    length = max(sum(map(len, words)), sum(map(len, typed)))
    return max(0.51, 0.98 - slips / length) if left else 0.0


_PREFIX = re.compile(
    r"^\s*(?:the\s+)?(?:correct\s+)?(?:final\s+)?(?:answer|guess)(?:\s+is|\s*:)\s*:?\s*", re.I
)


def _readings(guess: str) -> Iterator[str]:
    """The guess as it stands, then without what models write around an answer."""
    yield guess
    text = _PREFIX.sub("", guess)
    if text != guess:
        yield text
    bare = re.sub(r"\s*\([^()]*\)?", " ", text)
    if bare != text and bare.strip():
        yield bare
    for pattern in (r"(.+?),?\s+by\s+\w", r"(.+\s[IVX]+)\s+of\s+(?:the\s+)?[A-Z]\w+$"):
        match = re.match(pattern, bare)  # "Hamlet by Shakespeare", "Nicholas I of Russia"
        if match:
            yield match.group(1)


@lru_cache(maxsize=1 << 17)
def _guess_norms(guess: str) -> tuple[_Norm, ...]:
    return tuple(_norm(r) for r in _readings(guess))


def judge(answerline: str | Answerline, guess: str, condition: str = "") -> Judgement:
    """Whether a moderator would accept, prompt on or reject ``guess``.

    ``condition`` is a key of :func:`condition_met`; '' means that no condition of the line is past.
    A missing guess (None, NaN, "None", "I don't know") is rejected by rule ``empty``. Raises
    ``DataError`` where the answer line is not text.
    """
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    index = line._indexes.get(condition)
    if index is None:
        past = frozenset(part.strip() for part in condition.split(" | ")) - {""}
        index = line._indexes[condition] = _Index(line, past)
    if not isinstance(guess, str):
        return Judgement("reject", 0.0, "empty")
    norms = _guess_norms(guess)
    first = norms[0]
    if not first.strict:
        return Judgement("reject", 0.0, "empty")
    if first.strict in _EMPTY:
        return index.strict.get(first.strict) or Judgement("reject", 0.0, "empty")
    for norm in norms:
        if norm.strict:
            found = index.match(norm)
            # a surname is not enough once "(state)" or the like has been cut off
            if found is not None and (norm is first or found.rule != "surname"):
                return found
    if index.partial and any(index.is_partial(norm) for norm in norms):
        return Judgement("prompt", 0.5, "partial")
    return Judgement("reject", index.similarity(first), "no match")


_PAIR_COLUMNS = ("question_id", "guess", "condition", "answerline")


def judge_pairs(pairs):
    """Judge a table of guesses, each distinct answer line parsed once.

    ``pairs`` has the columns question_id, guess (nullable), condition (nullable, see
    :func:`condition_met`) and answerline. The result has one row per distinct question_id, guess
    and condition, in order of first appearance, as in the table ``judgements``: question_id,
    guess ('' for a missing one), condition, verdict, score, rule, source ('engine'). Raises
    ``DataError`` where a column is missing, an answer line is not text or a question has two.
    """
    import pandas as pd

    missing = [c for c in _PAIR_COLUMNS if c not in pairs]
    if missing:
        raise DataError([Fault("pairs", "", c, None, "the column to be present") for c in missing])
    rows: dict[tuple, tuple] = {}
    lines: dict[object, str] = {}
    faults: list[Fault] = []
    columns = (pairs[c].tolist() for c in _PAIR_COLUMNS)
    for question, guess, condition, line in zip(*columns, strict=True):
        guess = guess if isinstance(guess, str) else ""
        condition = condition if isinstance(condition, str) else ""
        known = lines.setdefault(question, line)
        if not isinstance(line, str):
            faults.append(Fault("pairs", str(question), "answerline", line, "text"))
        elif known != line:
            faults.append(
                Fault("pairs", str(question), "answerline", line, f"the same as {known!r}")
            )
        elif (key := (question, guess, condition)) not in rows:
            rows[key] = judge(parse(line), guess, condition)
    if faults:
        raise DataError(faults)
    frame = pd.DataFrame(
        [(*key, *judgement, "engine") for key, judgement in rows.items()],
        columns=["question_id", "guess", "condition", "verdict", "score", "rule", "source"],
    )
    return frame.astype({"score": float})
