"""One wording of an answer beside a guess: what differs, and whether that is a way of writing the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from .lexicon import words
from .normalise import (
    DIRECTION,
    STOP,
    UNIT_NAMES,
    Normal,
    as_digits,
    normal,
    roman_value,
    singular_form,
    stem,
    word_key,
)
from .person_names import TITLES, is_given
from .typos import is_another_word, single, spelling_distance

HUSBANDS = words("titles of husbands")
MONTHS = words("months")
_KINDS_BEHIND = words("kinds behind")
_NOUNS = words("nouns in ing") | words("no plurals")
_ALIKE = words("words that look alike")
_NO_VOWEL = re.compile("[aeiou]+")
_ONES = ["", *words("roman", list)]


class Form(NamedTuple):
    """One wording of one alternative, ready to compare."""

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
    """Wordings of a text with optional words in parentheses: all in, all out."""
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
    built = [short["short"]] if short and _shortens(short["short"], short["long"]) else []
    return [v for v in (inside, outside, *built) if normal(v).strict]


def _shortens(short: str, long: str) -> bool:
    """Whether capitals are the first letter and others of a longer text, in order: ADP."""
    remainder = iter(long.lower())
    return short[0].lower() == long[0].lower() and all(c in remainder for c in short.lower())


def tokens_of(core: str) -> tuple[str, ...]:
    """The singular tokens of a required part; a numeral alone is one: Pope John Paul _II_."""
    value = roman_value(core.lower()) if core.isupper() else None
    return (str(value),) if value and len(core) > 1 else normal(core).singular


def within(part: tuple[str, ...], tokens: tuple[str, ...]) -> bool:
    """Whether ``tokens`` have ``part`` with nothing between."""
    return any(tokens[i : i + len(part)] == part for i in range(len(tokens) - len(part) + 1))


def follow(part: Iterable[str], tokens: Iterable[str]) -> bool:
    """Whether ``tokens`` have ``part`` in its order, others between or not."""
    remainder = iter(tokens)
    return all(token in remainder for token in part)


def in_order(form: Form, norm: Normal) -> bool:
    """Whether a guess has all of an alternative, and in its order where the order matters."""
    if not form.parts and len(norm.singular) > len(form.required) == len(set(norm.singular)):
        return False  # Johnson & Johnson
    directed = form.ordered or DIRECTION.intersection(form.required)
    if form.parts and not directed and all(within(part, norm.singular) for part in form.parts):
        return True
    small = [t for t in form.required if len(t) < 3 and t.isdigit()]
    if len(small) < 2 and not directed:
        return True
    return follow(form.required, norm.singular)


def titled(norm: Normal, form: Form) -> bool:
    """Whether a guess is a form with titles before it, or with the word for its kind before or behind.

    Lady and Mrs. before a surname name somebody else.
    """
    tokens = list(norm.singular)
    if tokens[-1] in _KINDS_BEHIND and tokens[-1] not in form.norm.singular:
        tokens.pop()
    while len(tokens) > 1 and tokens[0] in TITLES and tokens[0] not in form.norm.singular:
        if tokens[0] in HUSBANDS and len(form.norm.tokens) == 1 and not is_given(tokens[-1]):
            return False
        tokens = tokens[2 if tokens[:2] == ["prime", "minister"] else 1 :]
    return len(tokens) < len(norm.tokens) and word_key(tokens) == word_key(form.norm.singular)


def same_inflected(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether texts of the same stems differ by inflection: a final e alone makes another word."""
    pairs = zip(sorted(words, key=stem), sorted(other, key=stem), strict=True)
    if _NOUNS.isdisjoint(words) != _NOUNS.isdisjoint(other):
        return False
    return all(
        singular_form(a) == singular_form(b)
        or (len(stem(a)) > 2 and singular_form(a) + "e" != b and singular_form(b) + "e" != a
            and singular_form(a) + "e" != singular_form(b)
            and singular_form(b) + "e" != singular_form(a))
        for a, b in pairs
    )  # fmt: skip


def other_unit(form: Form, norm: Normal) -> bool:
    """Whether a guess joins another unit to one: newton-meters."""
    extra = set(norm.strict.split()) - set(form.norm.strict.split())
    unit = UNIT_NAMES.intersection(form.norm.singular[-1:])
    return bool(unit) and not UNIT_NAMES.isdisjoint(map(singular_form, extra))


def initials_of(words: Iterable[str]) -> str:
    return "".join(w[0] for w in words)


def acronyms(strict: str) -> set[str]:
    """Initials of a text of three or more words, with and without its small words."""
    words = strict.split()
    if not 3 <= len(words) <= 10:
        return set()
    numbered = as_digits(words)
    if numbered[-1].isdigit() and len(numbered) == len(words) and not words[0].isdigit():
        number, start = int(numbered[-1]), initials_of(words[:-1])
        roman = "x" * (number // 10) + _ONES[number % 10] if 0 < number < 40 else numbered[-1]
        return {start + numbered[-1], start + roman}
    return {
        initials
        for initials in (initials_of(words), initials_of(w for w in words if w not in STOP))
        if len(initials) > 2
    }


def _slip(form: Form, word: str, other: str) -> float:
    """How far a word of a guess is from one of a form that holds no surname; infinity for another word."""
    far = spelling_distance(singular_form(word), singular_form(other), form.proper)
    alike = single(word) == single(other) and _NO_VOWEL.sub("", word) == _NO_VOWEL.sub("", other)
    if form.proper and len(form.norm.tokens) > 1 and word.isalpha() and alike:
        far = 0.5  # however short: Suu Kyi
    irregular = len(word) > 8 and singular_form(word) not in (word, word[:-1])
    ends = "s" in (word[-1], other[-1])
    ends &= (singular_form(word) == word) is not (singular_form(other) == other)
    ends &= word + "s" != other and other + "s" != word  # Kalidasa, Kalidas
    names = form.proper and word[-1] == other[-1] == "s"  # Ramses, Ramesses
    if irregular or ends or names:
        far = min(far, spelling_distance(word, other, form.proper))
    likened = _ALIKE.issuperset(map(singular_form, (word, other)))
    if not form.proper and likened:
        return float("inf")  # feasting is not fasting
    return far


def misspelling(form: Form, guess: Normal) -> float:
    """Similarity in (0.5, 1) where ``guess`` is a misspelling of the form, else 0."""
    words, typed = form.norm.tokens, guess.tokens
    if form.ordered and words[:1] and typed[:1] and words[0][0] != typed[0][0]:
        return 0.0
    if len(words) == len(typed):
        remaining, right = [], list(typed)
        for word in words:
            if word in right:
                right.remove(word)
            else:
                remaining.append(word)
                if len(remaining) > 2:
                    return 0.0
    elif len(words) == 1 or len(typed) == 1:
        remaining, right = ["".join(words)], ["".join(typed)]
        if min(len(remaining[0]), len(right[0])) < 8:
            return 0.0
    else:
        return 0.0
    slips = 0.0
    alone = len(words) == 1 or not form.proper
    for word, second in zip(remaining, right, strict=True):
        if alone and is_another_word(second, word):
            return 0.0  # feathers are not fathers
        slips += spelling_distance(word, second, True) if form.name else _slip(form, word, second)
        if slips > 3:
            return 0.0
    length = max(sum(map(len, words)), sum(map(len, typed)))
    return max(0.51, 0.98 - slips / length) if remaining else 0.0
