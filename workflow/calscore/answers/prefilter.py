"""What can be told of a guess and a line at a glance: that they have nothing to do with each other.

Most guesses at a line are of that kind, and working out all that its alternatives stand for would be
most of the work. What is said here is only what the rules would come to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from .lexicon import words
from .normalise import Normal, plain_words, raw_words, root, singular_form, stem
from .person_names import FAMILY_NAMES, chinese, romanized, same_given, untitled
from .qualifiers import other_decade
from .synonyms import meaning, other_names
from .typos import LONG, first_sounds, one_off, spelling_distance

_BOUND = words("bound particles")
_NONE: frozenset[str] = frozenset()
# What says more than its words, so that a part of it may be what is meant: an author, a place, a second name.
_SAYS_MORE = re.compile(
    r"[(,:]| (?:by|is|or|of|in|at|from|during|near) |['’]s|s['’]|\d in | [IVX]+ of "
    r"|^(?:he|she|they|it|someone|somebody|people) |^(?:[Tt]he )?(?:process|act|practice|concept|idea|phenomenon|city"
    r"|town|country) of "
)
_OTHER_WORDS = re.compile(r"ist movement$|\d[/-]\d|\d['’]?s\b|time$", re.I)
ACRONYM = re.compile(r"(?:[A-Z]\.?){3,6}")
# First letters that sounds may exchange; first_sounds tells exactly.
_KIN = {letter: group[0] for group in ("aeiouyj", "gkqchstzx", "pfvw") for letter in group}
_REACH = 6  # letters that a misspelling may add or drop, plurals aside
_SHARED = 40  # per cent of the letters of two words that any spelling of one for the other leaves


def _like(a: str, b: str) -> bool:
    """Whether one word may be a misspelling of another."""
    if (
        len(a) < LONG - 1
        or len(b) < LONG - 1
        or not -_REACH <= len(a) - len(b) <= _REACH
        or _KIN.get(a[0], a[0]) != _KIN.get(b[0], b[0])
        or not fuzz.ratio(a, b, score_cutoff=_SHARED)
        or (a[0] != b[0] and first_sounds(a).isdisjoint(first_sounds(b)))
    ):
        return False
    item, second = singular_form(a), singular_form(b)
    return (
        spelling_distance(a, b, True) < 4
        or ((item, second) != (a, b) and spelling_distance(item, second, True) < 4)
        or (
            second in (item + "s", item[:-1]) and spelling_distance(item, second, False) < 4
        )  # plurals
        or one_off(a, b, True)
    )


def _bound(words_: Sequence[str]) -> list[str]:
    """Words with the particles before them that are never dropped: Du Bois."""
    result, before = [], ""
    for word in words_:
        if word in _BOUND:
            before += word
        elif before:
            result.append(before + word)
            before = ""
    return result


class LineSignature:
    """The words of the alternatives of a line: ``texts`` in normal form, and those of them of which other
    forms are taken (``rooted``: prompts, what has word forms)."""

    __slots__ = (
        "acronyms",
        "closed",
        "forms",
        "initials",
        "names",
        "romanized",
        "roots",
        "solid",
        "words",
    )

    def __init__(self, texts: dict[str, Normal], rooted: list[str]):
        self.closed = False  # told by more than words: particles, per cent
        self.acronyms = False
        self.forms = tuple(item.tokens for item in texts.values())
        self.initials = ""  # of the words of what may be shortened to initials
        # By kin of the first letter, words of capitalised alternatives of more than one.
        self.names: dict[str, str] = {}
        rivals: list[str] = []
        romans: list[str] = []  # Chinese names in what ways of writing them share
        solid: list[str] = []  # each alternative without its spaces
        for text, item in texts.items():
            strict, tokens = item.strict.split(), item.tokens
            if len(tokens) == 1 and (decade := other_decade(tokens[0])):
                rivals.append(decade)
            for second in other_names(item):
                rivals += second.partition(":")[2].split()
            solid += {"".join(tokens), "".join(item.singular), "".join(strict)}
            if len(strict) > 2:
                self.initials += "".join([word[0] for word in strict])
            if len(strict) > 1 and text[:1].isupper():
                self.name([t for t in tokens if len(t) >= LONG - 1])
                if "-" in text or "'" in text or "’" in text:
                    self.name("".join(plain_words(w).split()) for w in raw_words(text))
            if (len(tokens) > 1 and tokens[0] in FAMILY_NAMES) or chinese(text):
                romans.append(romanized(tokens))
            if not _BOUND.isdisjoint(strict):
                joined = _bound(strict)
                rivals += joined
                self.name(joined)
            self.closed = self.closed or not tokens or "percent" in tokens
            if text.isupper() and ACRONYM.fullmatch(text.strip()):
                self.acronyms = True
        self.words = frozenset(rivals) if rivals else _NONE
        self.romanized = frozenset(romans) if romans else _NONE
        self.solid = tuple(letters for letters in solid if len(letters) > 2)
        self.roots = (
            frozenset(root(t) for text in rooted for t in texts[text].tokens) if rooted else _NONE
        )

    def name(self, words_: Iterable[str]) -> None:
        for word in filter(None, words_):
            kin = _KIN.get(word[0], word[0])
            self.names[kin] = f"{self.names[kin]} {word}" if kin in self.names else word

    def means(self, one: Normal) -> bool:
        """Whether a guess has a word of the sense of one of an alternative's."""
        guessed = meaning(one.tokens)
        return not guessed or any(not guessed.isdisjoint(meaning(form)) for form in self.forms)

    def apart(self, guess: str, one: Normal) -> bool:
        """Whether no rule can find that a guess without a word of an alternative's has to do with one."""
        tokens = one.tokens
        if (
            self.closed
            or not one.content
            or not self.words.isdisjoint(tokens)
            or not self.words.isdisjoint(one.singular)
            or _OTHER_WORDS.search(guess)
            or (self.romanized and romanized(tokens) in self.romanized)
        ):
            return False
        tokens = untitled(tokens)
        if not _BOUND.isdisjoint(tokens):
            tokens = (*tokens, *_bound(tokens))
        extra = _SAYS_MORE.search(guess) is not None
        if self.acronyms and (extra or len(one.strict.split()) > 2):
            return False
        if self.shares_letters(one, tokens, extra) or self.is_spelled_alike(tokens, extra):
            return False
        begun = {t[:2] for t in tokens}  # of another inflection
        alike = {stem(t) for form in self.forms for t in form if t[:2] in begun}
        if alike and not alike.isdisjoint(map(stem, tokens)):
            return False
        return not self.roots or self.roots.isdisjoint(map(root, tokens))

    def shares_letters(self, one: Normal, tokens: Sequence[str], more: bool) -> bool:
        """Whether a guess may be initials of an alternative, or have one in its letters."""
        strict = one.strict.split()
        if more:
            initials, firsts = set(self.initials), {t[0] for t in tokens}
            if initials and any(initials.issuperset(t) for t in (*strict, *tokens) if t != "of"):
                return True
            if any(len(f) > 1 and firsts.issuperset([t[0] for t in f]) for f in self.forms):
                return True
        elif len(one.strict) < 9 and one.strict[0] in self.initials:
            return True
        letters = ("".join(tokens), "".join(strict))
        return any(piece in text for piece in self.solid for text in letters)

    def is_spelled_alike(self, tokens: Sequence[str], more: bool) -> bool:
        """Whether a word of a guess may be a misspelling of one of an alternative."""
        full = "".join(tokens)
        if any(_form_is_alike(form, tokens, full, more) for form in self.forms):
            return True
        return any(
            _like(word, name)
            for word in (tokens if self.names else ())
            if len(word) >= LONG - 1
            for name in self.names.get(_KIN.get(word[0], word[0]), "").split()
        )


def _form_is_alike(form: Sequence[str], tokens: Sequence[str], whole: str, more: bool) -> bool:
    size = len(tokens)
    if more:
        if len(form) < 3 and any(_like(word, second) for word in form for second in tokens):
            return True
    elif len(form) == size > 1:
        alike = all(map(same_given, form, tokens))
        if alike or (size == 2 and all(map(_like, form, tokens))):
            return True
    return (len(form) == 1 or size == 1) and _like("".join(form), whole)
