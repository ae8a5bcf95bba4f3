"""What can be told of a guess and a line at a glance: that they have nothing to do with each other.

Most guesses at a line are of that kind, and working out all that its alternatives stand for would be
most of the work. What is said here is only what the rules would come to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .beside import decade_of
from .lexicon import words
from .normalise import Normal, normal, plain_words, raw_words, root, singular_form, stem
from .other_names import meaning, other_names
from .people import FAMILY_NAMES, romanized, same_given, untitled
from .typos import LONG, first_sounds, one_off, spelling_distance

_BOUND = words("bound particles")
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


def _like(a: str, b: str) -> bool:
    """Whether one word may be a misspelling of another."""
    if (
        len(a) < LONG - 1
        or len(b) < LONG - 1
        or not -_REACH <= len(a) - len(b) <= _REACH
        or _KIN.get(a[0], a[0]) != _KIN.get(b[0], b[0])
        or first_sounds(a).isdisjoint(first_sounds(b))
    ):
        return False
    one, other = singular_form(a), singular_form(b)
    return (
        spelling_distance(a, b, True) < 4
        or spelling_distance(one, other, True) < 4
        or spelling_distance(one, other, False) < 4
        or one_off(a, b, True)
    )


def _bound(words_: Sequence[str]) -> list[str]:
    """Words with the particles before them that are never dropped: Du Bois."""
    found, before = [], ""
    for word in words_:
        if word in _BOUND:
            before += word
        elif before:
            found.append(before + word)
            before = ""
    return found


def _by_kin(names: set[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(_KIN.get(name[0], name[0]), []).append(name)
    return found


class Outline(NamedTuple):
    """The words of the alternatives of a line."""

    closed: bool  # told by more than words: particles, per cent
    acronyms: bool
    words: frozenset[str]
    initials: frozenset[str]  # of the words of what may be shortened to initials
    forms: tuple[tuple[str, ...], ...]
    names: dict[
        str, list[str]
    ]  # by kin of the first letter, words of capitalised alternatives of more than one
    solid: tuple[str, ...]  # each alternative without its spaces
    romanized: frozenset[str]  # Chinese names in what ways of writing them share
    rooted: frozenset[str]  # words of what other forms are taken of: prompts, what has word forms

    @classmethod
    def of(cls, texts: list[str], rooted: list[str]) -> Outline:
        known: set[str] = set()
        names: set[str] = set()
        initials: set[str] = set()
        solid: set[str] = set()
        romans: set[str] = set()
        closed = acronyms = False
        forms = []
        for text in texts:
            one = normal(text)
            strict, tokens = one.strict.split(), one.tokens
            known.update(strict, tokens, one.singular)
            if len(tokens) == 1 and tokens[0][0] == "1" and (decade := decade_of(tokens[0])):
                known.add(decade)
            for other in other_names(one):
                known.update(other.partition(":")[2].split())
            forms.append(tokens)
            solid.update(("".join(tokens), "".join(one.singular), "".join(strict)))
            if len(strict) > 2:
                initials.update([word[0] for word in strict])
            if len(strict) > 1 and text[:1].isupper():
                names.update([t for t in tokens if len(t) >= LONG - 1])
                if "-" in text or "'" in text or "’" in text:
                    names.update("".join(plain_words(w).split()) for w in raw_words(text))
            if len(tokens) > 1 and tokens[0] in FAMILY_NAMES:
                romans.add(romanized(tokens))
            if not _BOUND.isdisjoint(strict):
                joined = _bound(strict)
                known.update(joined)
                names.update(joined)
            closed = closed or not tokens or "percent" in tokens
            acronyms = acronyms or (text.isupper() and bool(ACRONYM.fullmatch(text.strip())))
        return cls(
            closed, acronyms, frozenset(known), frozenset(initials), tuple(forms),
            _by_kin(names), tuple(s for s in solid if len(s) > 2), frozenset(romans),
            frozenset(t for text in rooted for t in normal(text).tokens),
        )  # fmt: skip

    def means(self, one: Normal) -> bool:
        """Whether a guess has a word of the sense of one of an alternative's."""
        said = meaning(one.tokens)
        return not said or any(not said.isdisjoint(meaning(form)) for form in self.forms)

    def apart(self, guess: str, one: Normal) -> bool:
        """Whether no rule can find that the guess has to do with an alternative."""
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
        strict = one.strict.split()
        more = _SAYS_MORE.search(guess) is not None
        whole = "".join(tokens)
        firsts = [t[0] for t in tokens]
        if more:
            if self.acronyms or any(self.initials.issuperset(t) for t in (*strict, *tokens)):
                return False
            if any(len(form) > 1 and all(t[0] in firsts for t in form) for form in self.forms):
                return False
        elif (
            (self.acronyms and len(strict) > 2)
            or (len(one.strict) < 9 and one.strict[0] in self.initials)
            or any(
                len(f) == len(tokens) > 1 and all(map(same_given, f, tokens)) for f in self.forms
            )
        ):
            return False
        if any(piece in whole or piece in "".join(strict) for piece in self.solid):
            return False
        for form in self.forms:
            if more:
                near = len(form) < 3 and any(
                    _like(word, other) for word in form for other in tokens
                )
            else:
                near = len(form) == len(tokens) < 3 and all(map(_like, form, tokens))
            if near or ((len(form) == 1 or len(tokens) == 1) and _like("".join(form), whole)):
                return False
        if self.names and any(
            _like(word, name)
            for word in tokens
            if len(word) >= LONG - 1
            for name in self.names.get(_KIN.get(word[0], word[0]), ())
        ):
            return False
        begun = {t[:2] for t in tokens}  # of another inflection
        alike = {stem(t) for form in self.forms for t in form if t[:2] in begun}
        if alike and not alike.isdisjoint(map(stem, tokens)):
            return False
        return not self.rooted or {root(t) for t in self.rooted}.isdisjoint(map(root, tokens))
