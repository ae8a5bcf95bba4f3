"""Texts in normal form: case, spelling, number words, plurals, order and spacing aside."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import Stemmer
from anyascii import anyascii

from .lexicon import word_map, words

_ARTICLES = words("articles")
_LINKS = words("links")
_JOINTS = words("joints")
_PARTICLES = words("particles")
DIRECTION = words("direction") | words("functions")
STOP = words("small words") | words("small words of the rules")
_SHORT = word_map("short forms")

# A part of all texts that match, the pattern, and what takes its place.
Rules = list[tuple[str, re.Pattern[str], Any]]


def rules_of(*rows: tuple[str, str, Any]) -> Rules:
    """The rows with their patterns compiled, for :func:`rewrite`."""
    return [(part, re.compile(pattern), replacement) for part, pattern, replacement in rows]


def rewrite(text: str, rules: Rules) -> str:
    """The text after each rule in turn."""
    for part, pattern, replacement in rules:
        if part in text:
            text = pattern.sub(replacement, text)
    return text


# American spellings; a rule that is wrong for a word does no harm, as it is applied to both sides.
_SPELLINGS = rules_of(
    ("our", r"(?<=..)our(?=s?$|ed|ing|ite|abl|ful|less|hood|ist|er)", "or"),
    ("is", r"(?<=....)is(?=e$|es$|ed$|er$|ers$|ing$|ation)", "iz"),
    ("ll", r"(?<=.....)ll(?=e[dr]|ing|or|ous|ist|ment)", "l"),
    ("re", r"(?<=..[bt])re(?=s?$)", "er"),
    ("e", r"ae(?!l|$)|oe(?!s?$)", "e"),
    ("sc", r"sc(?=s?$)", "sk"),
    ("sulph", r"sulph", "sulf"),
    ("grey", r"^grey", "gray"),
    ("ran", r"^(?:koran|qoran|kuran)$", "quran"),
    ("ham", r"^m[ou]hamm?[ae]d$", "muhammad"),
)
_MAY_BE_BRITISH = re.compile("our|is[eia]|ll[eiom]|[bt]re|ae|oe|scs?$|lph|^grey|[ou]ran$|ham")
_IRREGULAR = word_map("plurals")
_NO_PLURALS = words("no plurals")
# Marie is not Mary.
_ENDING_IN_IE = words("given names") | words("nicknames") | frozenset(_IRREGULAR.values())
UNITS = {word: value for kind in ("cardinals", "ordinals") for value, word in enumerate(words(kind, list))}
_TENS = {word + end: 10 * value for value, word in enumerate(words("tens", list), 2) for end in ("y", "ieth")}
_DECADES = {word[:-1] + "ies": value for word, value in _TENS.items() if word.endswith("y")}
_SCALES = {word: int(value) for word, value in word_map("scales").items()}
NUMBER_WORDS = frozenset([*UNITS, *(unit + "s" for unit in UNITS), *_TENS, *_DECADES, *_SCALES])
_NUMERAL = re.compile(r" [ivxl]+\b")
_ROMAN = {
    tens + unit: 10 * ten + digit
    for ten, tens in enumerate(("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx"))
    for digit, unit in enumerate(("", *words("roman", list)))
}

# The Arabic article before the letters that it takes the sound of: ad-Din, an-Nasr.
_ARTICLE = re.compile(r"\b(?:[aeu]([dnrstz])-(?=\1)|ash-(?=sh))", re.I)
_ABD = re.compile(r"\babd[aeu](?:l|r(?=[ -]?r)|n(?=[ -]?n)|s(?=[ -]?s))[ -]?(?=[a-z]{4})")  # Abdurrahman
_DIN = re.compile(r"(?<=\w{3})[eiu]ddine?\b")  # Jalaluddin

# What anyascii would transliterate to something other than what a moderator would read.
_TRANSLATE = str.maketrans(
    {
        "’": "'", "‘": "'", "ʼ": "'", "ʻ": "'", "´": "'", "`": "'", "ʹ": "'", "ʾ": "", "ʿ": "",
        "&": " and ", "+": " plus ", "%": " percent ", "–": "-", "—": " - ", "−": "-",
        "‐": "-", "‑": "-", "\u00ad": "", "\u200b": "", "_": " ", "þ": "th", "Þ": "th",
        "½": " 1/2", "¼": " 1/4", "¾": " 3/4", "°": " degrees ", "×": " times ", "=": " equals ",
    }
)  # fmt: skip
_GREEK = word_map("greek")
_LONE_GREEK = re.compile(rf"(?<![\u0370-\u03ff])(?!μ\w)[{''.join(_GREEK)}](?![\u0370-\u03ff])", re.I)


def _span(match: re.Match) -> str:
    """Years of which the second lacks its century: 1648-51."""
    century, begin, end = match.groups()
    return f"{century}{begin}-{century}{end}" if begin < end else match.group()


RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿ", "0123456789-n")
_RAISED = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿ]+")
_UNITS = word_map("units")
UNIT_NAMES = frozenset(_UNITS.values()) | words("names of units")
# A symbol for a unit behind a number; one letter stands apart from it.
_SYMBOL = re.compile(rf"(?<=\d)(?: ?(?=\w\w)| )({'|'.join(_UNITS)})(?![\w/])")
_UNIT_WORDS = "|".join(sorted(UNIT_NAMES))
_REWRITES = rules_of(
    (",", r"(?<=\d),(?=\d{3}(?!\d))", ""),
    ("1/2", r"(?<![\d/])(\d+) 1/2(?!\d)", r"\1.5"),
    ("^", r"(?<=\w)\^([23])(?!\d)", lambda m: " squared" if m[1] == "2" else " cubed"),
    (" x ", r"(?<=\d) x (?=\d)", " times "),
    ("^", r"(?<=\w)\^[({]?(?=-\w)", " to the minus "),
    ("^", r"(?<=\w)\^[({]?(?=\w)", " to the "),
    (" minus -", r"(?<= minus )-(?=\d)", ""),
    ("/", rf"\b({_UNIT_WORDS})(s?)/({_UNIT_WORDS})\b", r"\1\2 per \3"),
    ("/", r"(?<=[a-z]) ?/(?=\d+(?!\w))|(?<=\d)/(?=[a-z]{2,}\b)", " over "),
    ("-", r"(?<![\d-])(\d\d)(\d\d)-(\d\d)(?![\d-])", _span),
    (".", r"(?<=\d)\.(?=\d)", "p"),  # 3.14 must stay one token, or it would equal 314 without spaces
    ("p0", r"(?<=\d)p0+(?!\d)", ""),
    ("p", r"(?<=\dp)(\d*[1-9])0+(?!\d)", r"\1"),
    (" ", r"(?<=\d) (?:to|over) (?=\d)", " "),
    ("ft", r"(?<=\d) ?ft\b", " feet"),
    (".", r"(?<![\w.])\.(?=\d)", "0p"),
    ("-", r"(?<!\S)-(?=\d)", "minus "),
    ("-", r"(?<=\([a-z])-(?=\d)|(?<=\b[a-z]) - (?=\d)|(?<=\d) - (?=[a-z]\b)", " minus "),
    ("squared", r"(?<=squared) ?- ?(?=\w)", " minus "),
    ("/", r"(?:(?<=\d)|^) ?(k?m|mi)/(s|h)r?\b", lambda m: f" {_PER[m[1]]} per {_PER[m[2]]}"),
    (" degrees ", r"(?<= degrees) +([cf])\b", lambda m: " celsius" if m[1] == "c" else " fahrenheit"),
    (" ", r"\b(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? (?=\d)", lambda m: _MONTH[m[1]]),
    ("#", r"#", " sharp "),
    (":", r"(?<![\d:])0(?=\d:\d\d)", ""),
    ("'", r"(?<=\d)'s\b", "s"),
    ("'", r"(?<=\d)'(?=\d)", " "),
    ("", r"(?<=\d)(?:st|nd|rd|th)\b", ""),
)
_PER = {"m": "meters", "km": "kilometers", "mi": "miles", "s": "second", "h": "hour"}
_POSSESSIVE = re.compile(r"'s\b")
_MONTH = {m[:n]: f"{m} " for m in words("months", list) for n in (3, 4) if n < len(m)}
_REWRITTEN = re.compile(r"[\d#^/]| degrees |squared.*'|'.*squared")  # what each of them needs
_ANGSTROM = re.compile(r"(?<=\d) ?[ÅÅ](?!\w)")
_TOKEN = re.compile(r"\d+(?:p\d+)*(?:s\b)?|[^\W\d_]+")
_INITIALS = re.compile(r"[A-Z]\.? ?[A-Z]\b")
_SIMPLE = re.compile(r"(?!.*(?: [vV]|ddin|bd))[A-Za-z]+(?: [A-Za-z]+)*\Z")
_VERSUS = re.compile(r"(?<=\S )vs?\.? (?=\S)(?!of\b)")


@lru_cache(maxsize=1 << 15)
def plain_words(text: str) -> str:
    """Words in lower-case ASCII without punctuation and possessive 's, numbers as 3p14; signs if no words."""
    if text[:2] == "a " and _INITIALS.match(text, 2):
        text = text[2:]  # "a U.S. election": an article, and no initial
    if _SIMPLE.match(text):
        return text.lower()
    if " v" in text:
        text = _VERSUS.sub("versus ", text)
    text = text.translate(_TRANSLATE)
    if not text.isascii():
        text = _RAISED.sub(lambda m: "^" + m[0].translate(RAISED), text)
        text = _ANGSTROM.sub(" angstrom", text)
        text = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in text if not unicodedata.combining(c)).translate(_TRANSLATE)
        text = _LONE_GREEK.sub(lambda m: f" {_GREEK[m.group().casefold()]} ", text)
        text = anyascii(text)
    text = _SYMBOL.sub(lambda m: f" {_UNITS[m[1]]}", text).casefold()
    if "-" in text:
        text = re.sub(r"-an(?= |\Z)", "an", _ARTICLE.sub("al-", text))
    if "ddin" in text or "abd" in text:
        text = _DIN.sub(" al-din", _ABD.sub("abd al ", text))
    if _REWRITTEN.search(text):
        text = rewrite(text, _REWRITES)
    if "'" in text:
        text = _POSSESSIVE.sub("", text).replace("'", "")
    return " ".join(_TOKEN.findall(text)) or "".join(text.split())


_RAW_WORD = re.compile(r"[^\W_][\w'’.-]*")


def raw_words(text: str) -> list[str]:
    """The words of a text as they are written, hyphens, points and apostrophes in them kept."""
    return _RAW_WORD.findall(text)


def roman_value(token: str) -> int | None:
    """What a Roman numeral below 90 in small letters says; None for another word."""
    return _ROMAN.get(token) or None


def _join_initials(tokens: list[str]) -> list[str]:
    """``['j', 'd', 'vance']`` → ``['jd', 'vance']``: J. D. and JD are the same."""
    joined: list[str] = []
    run = False
    for index, token in enumerate(tokens):
        single = len(token) == 1 and token.isalpha()
        named = index < len(tokens) - 1 and single and run and joined[-1] + token in _PARTICLES
        if single and run and not named:  # W. A. Mozart, not of the family wa
            joined[-1] += token
        else:
            joined.append(token)
        run = single
    return joined


def _longer_number(value: int | None, last_part: int, part: int, token: str, follower: str) -> int | None:
    """The number that a unit or ten goes on with, None where it begins another."""
    if value is None:
        return None
    tens = 20 <= last_part < 100 and last_part % 10 == 0
    if last_part >= 100 or (tens and 0 < part < 10):
        return value + part
    fifty_one = 0 < value < 10 and token in _TENS and UNITS.get(follower, 0) in range(1, 10)
    if fifty_one or (10 <= value < 100 and 10 <= part < 100):  # nineteen eighty
        return value * 100 + part
    return None


def as_digits(tokens: list[str]) -> list[str]:
    """The tokens with number words, ordinals and Roman numerals as digits; the first word (articles aside) is
    no numeral, nor is a single letter but at the end and before "of"."""
    out: list[str | int] = []  # a number at the end may go on
    last_part = 0  # size of its last part, which tells whether the next word continues it
    for index, token in enumerate(tokens):
        final = out[-1] if out else ""
        number = final if isinstance(final, int) else None
        hundreds = number is not None and last_part >= 100
        word = token[:-1] if token.endswith("s") and token[:-1] in UNITS else token  # seconds
        part = UNITS.get(word, _TENS.get(word))
        follower = tokens[index + 1] if index + 1 < len(tokens) else ""
        if token in _DECADES:
            century = out.pop() if number is not None and 10 <= number < 100 else ""
            out.append(f"{century}{_DECADES[token]}s")
        elif token == "hundreds" and number in range(10, 20):
            out[-1] = f"{number}00s"
        elif token in _SCALES:
            last_part = _SCALES[token]
            if isinstance(final, str) and final.isdigit() and len(final) < 4:
                number = int(final)
            if number is None or number > 10**18:
                out.append(last_part)
            else:
                out[-1] = number * last_part
        elif token == "and" and hundreds and follower in NUMBER_WORDS:
            continue  # two hundred and one
        elif part is not None:
            longer = _longer_number(number, last_part, part, token, follower)
            if longer is None:
                out.append(part)
            else:
                out[-1] = longer
            last_part = part
        else:
            roman = roman_value(token) if not _ARTICLES.issuperset(tokens[:index]) and token != "l" else None
            numeral = roman and (len(token) > 1 or follower in ("", "of"))
            out.append(str(roman) if numeral else token)
    return [str(item) for item in out]


@lru_cache(maxsize=1 << 15)
def singular_form(token: str) -> str:
    """A form that singular and plural share; not always a word (``hors`` for horse and horses)."""
    token = _IRREGULAR.get(token, token)
    if len(token) < 4 or token[0].isdigit() or token in _NO_PLURALS:
        return token
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    if token.endswith("ie") and len(token) > 4 and token not in _ENDING_IN_IE:
        return token[:-2] + "y"  # prairie, as of prairies
    if token.endswith("s") and not token.endswith(("ss", "us", "is")):
        token = token[:-1]
    if len(token) > 3 and token.endswith(("che", "she", "xe", "ze", "se", "oe")):
        token = token[:-1]
    return token


ENGLISH = Stemmer.Stemmer("english", 10_000)
_ENDING = re.compile(
    r"(?<=....)(?:[ai]?bil|(?<=t)ci|aci|[ae]nci|iti|at|ant|ement|it|ic|iz|ist|ism|er|or|ari|al|iv|[ieya])$"
    r"|(?<=ly)(?:s[ei]?s?|[zt]e?)$"  # analysis, analyze, analytic
)


@lru_cache(maxsize=1 << 15)
def stem(token: str) -> str:
    """Inflection off: ``jumping``, ``jumped`` and ``jump`` are one, ``jumper`` is not."""
    if token.endswith("s") and (noun := singular_form(token)) != token:
        return stem(noun)
    if token.endswith(("ing", "ed", "s")):
        return ENGLISH.stemWord(singular_form(token))
    if not token.endswith("e"):
        return token
    short = ENGLISH.stemWord(token)
    return token if short == token else token[:-1]  # divide, but tape, which is not tap


@lru_cache(maxsize=1 << 15)
def root(token: str) -> str:
    """Derivation off as well: ``slav`` for slavery and enslave. Not always a word."""
    token = ENGLISH.stemWord(ENGLISH.stemWord(singular_form(token)))
    token = token[2:] if token.startswith("en") and len(token) > 5 else token  # enslave
    for _ in range(3):
        token = _ENDING.sub("", token)
    return token[:-1] if len(token) > 3 and token[-1] == token[-2] else token


@lru_cache(maxsize=1 << 15)
def american(token: str) -> str:
    """A word in its American spelling; for a word of another kind perhaps none, but always the same."""
    british = len(token) > 3 and _MAY_BE_BRITISH.search(token)
    return rewrite(token, _SPELLINGS) if british else token


_NUMBERED = re.compile(r"\b(?:no|number|opus no|op no) (?=\d|" + "|".join(UNITS) + r")\b")
_ERAS = {"bce": "bc", "ce": "ad"}


def _loose(tokens: list[str]) -> list[str]:
    """Tokens with numbers, abbreviations and spelling unified, articles and links dropped."""
    if "united" in tokens or "no" in tokens or "number" in tokens:
        text = " ".join(tokens)
        text = re.sub(r"\bunited states(?: of america)?\b", "us", text)
        text = re.sub(r"\bunited kingdom\b", "uk", text)
        tokens = _NUMBERED.sub("", text).split()
    if tokens[-2:-1] == ["per"] == tokens[-4:-3] and tokens[-1] == tokens[-3]:
        tokens = [*tokens[:-2], "squared"]  # meters per second per second
    words = [_SHORT.get(word, word) for word in tokens]
    if not NUMBER_WORDS.isdisjoint(words) or _NUMERAL.search(" ".join(words)):
        words = as_digits(words)
    tokens = _join_initials(words) if min(map(len, words), default=2) == 1 else words
    dated = [token == "century" or token[0].isdigit() for token in ("-", *tokens)]
    tokens = [_ERAS.get(t, t) if after else t for t, after in zip(tokens, dated, strict=False)]
    final = len(tokens) - 1
    dropped = [t in _LINKS or (t in _ARTICLES and (t != "a" or i < final)) for i, t in enumerate(tokens)]
    return [american(t) for t, drop in zip(tokens, dropped, strict=True) if not drop] or tokens


class Normal:
    """The forms of a text that are compared, and ``content``: whether any token is no stop word.

    ``keys`` begin with their kind: the tokens sorted, their singulars sorted, then, from four letters on,
    both as one word with the numbers behind. Text rather than tuples, as many are kept in memory."""

    __slots__ = ("_keys", "content", "singular", "strict", "tokens")

    def __init__(self, strict: str, tokens: tuple[str, ...], singular: tuple[str, ...]):
        self.strict = strict
        self.tokens = tokens
        self.singular = singular
        self.content = not STOP.issuperset(tokens)
        self._keys: tuple[str, ...] | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys under which equal wordings meet (see the class); () without tokens."""
        if self._keys is None:
            self._keys = tuple(self._wordings()) if self.tokens else ()
        return self._keys

    def _wordings(self) -> Iterator[str]:
        key, plural = word_key(self.tokens), self.singular != self.tokens
        yield "sorted:" + key
        yield "singular:" + (word_key(self.singular) if plural else key)
        solid = _solid(self.tokens)
        if len(solid.partition(" ")[0]) > 3:
            yield "solid:" + solid
            yield "singular solid:" + (_solid(self.singular) if plural else solid)
        words = self.strict.split()
        if not _SHORT.keys().isdisjoint(words):  # photo-electric
            yield "solid:" + american(_solid([w for w in words if w not in _LINKS and w not in _ARTICLES]))

    @property
    def links(self) -> bool:
        """Whether the text has a word of the list ``joints``: and, or, in, on."""
        return not _JOINTS.isdisjoint(self.strict.split())


def word_key(tokens: Iterable[str]) -> str:
    """Tokens as one text, sorted unless one of them makes their order matter.

    Two numbers below 100 keep their order: 3/4 is not 4/3."""
    tokens = tuple(tokens)
    if len(tokens) == 1:
        return tokens[0]
    if "per" in tokens[1:]:  # joules per kelvin
        per_index = tokens.index("per", 1)
        return f"{word_key(tokens[:per_index])} per {word_key(tokens[per_index + 1 :])}"
    if not DIRECTION.isdisjoint(tokens):
        return " ".join(tokens)
    small = [t for t in tokens if len(t) < 3 and t.isdigit()]
    if len(small) < 2:
        return " ".join(sorted(tokens))
    return " ".join([*sorted(t for t in tokens if len(t) > 2 or not t.isdigit()), *small])


def within(part: tuple[str, ...], tokens: tuple[str, ...]) -> bool:
    """Whether ``tokens`` have the tokens of ``part`` in a row."""
    return any(tokens[i : i + len(part)] == part for i in range(len(tokens) - len(part) + 1))


def follow(part: Iterable[str], tokens: Iterable[str]) -> bool:
    """Whether ``tokens`` have all tokens of ``part`` in its order, others between or not."""
    remainder = iter(tokens)
    return all(token in remainder for token in part)


def _solid(tokens: Iterable[str]) -> str:
    """The words written as one, then the numbers."""
    digits = [t for t in tokens if t[0].isdigit()]
    return " ".join(["".join(t for t in tokens if not t[0].isdigit()), *digits])


_PECULIAR = NUMBER_WORDS | frozenset(_SHORT) | frozenset(("a", "united", "no", "number", "per", "ce", "bce"))


@lru_cache(maxsize=1 << 15)
def _forms_of(word: str) -> tuple[str, str] | None:
    """Token and singular of a word that no other word changes, empty where it is dropped; else None."""
    if len(word) < 2 or word in _PECULIAR or not word.isalpha() or not word.strip("ivxl"):
        return None
    token = "" if word in _LINKS or word in _ARTICLES else american(word)
    return token, singular_form(token)


# Few, as a full garbage collection visits each and would be felt as a pause.
@lru_cache(maxsize=1 << 13)
def normal(text: str) -> Normal:
    """The forms in which a text is compared."""
    strict = plain_words(text)
    words = strict.split()
    forms = [result for result in map(_forms_of, words) if not result or result[0]]
    if forms and None not in forms:  # most texts
        return Normal(strict, *zip(*forms, strict=True))
    tokens = tuple(_loose(words))
    return Normal(strict, tokens, tuple(map(singular_form, tokens)))
