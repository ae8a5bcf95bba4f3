"""What can be told of a guess and a line at a glance: that they have nothing to do with each other.

Most guesses at a line are of that kind, and working out all that its alternatives stand for would be
most of the work. What is said here is only what the rules would come to.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .beside import decade_of
from .lexicon import words
from .normalise import UMLAUTS, Normal, normal, plain_words, raw_words
from .other_names import other_names
from .typos import LONG, first_sounds

_BOUND = words("bound particles")
# What says more than its words: an author, a place, a second name, what models write around an answer.
_SAYS_MORE = re.compile(
    r"[(,:]| (?:by|is|or|of|in|at|from|during|near) |['’]s|s['’]|\d in | [IVX]+ of "
    r"|^(?:he|she|they|it|someone|somebody|people) |ist movement$|^(?:[Tt]he )?(?:process|act|practice|concept|idea|phenomenon|city|town|country) of "
)
ACRONYM = re.compile(r"(?:[A-Z]\.?){3,6}")
_REACH = 6  # letters that a misspelling may add or drop, plurals aside


def _like(a: str, b: str) -> bool:
    """Whether one word may be a misspelling of another, by its length and first sound."""
    return (
        len(a) >= LONG
        and len(b) >= LONG
        and -_REACH <= len(a) - len(b) <= _REACH
        and not first_sounds(a).isdisjoint(first_sounds(b))
    )


class Outline(NamedTuple):
    """The words of the alternatives of a line."""

    closed: bool  # told by more than words: other names, letters written in two ways, particles
    acronyms: bool
    words: frozenset[str]
    starts: tuple[str, ...]
    initials: frozenset[str]  # of the words of what may be shortened to initials
    letters: frozenset[str]  # the first letters of each alternative, sorted
    forms: tuple[tuple[str, ...], ...]
    names: frozenset[str]  # words of capitalised alternatives of more than one

    @classmethod
    def of(cls, texts: list[str]) -> Outline:
        known: set[str] = set()
        names: set[str] = set()
        initials: set[str] = set()
        letters: set[str] = set()
        closed = acronyms = False
        forms = []
        for text in texts:
            norm = normal(text)
            strict = norm.strict.split()
            known.update(
                strict, norm.tokens, norm.singular, filter(None, map(decade_of, norm.tokens))
            )
            forms.append(norm.tokens)
            letters.add("".join(sorted(t[0] for t in norm.tokens)))
            if len(strict) > 2:
                initials.update(word[0] for word in strict)
            if len(strict) > 1 and text[:1].isupper():
                names.update(t for t in norm.tokens if len(t) >= LONG)
                if "-" in text or "'" in text or "’" in text:
                    names.update("".join(plain_words(w).split()) for w in raw_words(text))
            closed = (
                closed
                or not norm.tokens
                or "percent" in norm.tokens
                or bool(other_names(norm))
                or not _BOUND.isdisjoint(strict)
                or (not text.isascii() and text.translate(UMLAUTS) != text)
            )
            acronyms = acronyms or bool(ACRONYM.fullmatch(text.strip()))
        return cls(
            closed, acronyms, frozenset(known), tuple(known), frozenset(initials),
            frozenset(letters), tuple(forms), frozenset(names),
        )  # fmt: skip

    def apart(self, guess: str, norm: Normal) -> bool:
        """Whether no rule can find that the guess has to do with an alternative."""
        tokens = norm.tokens
        if (
            self.closed
            or not norm.content
            or not self.words.isdisjoint(tokens)
            or not self.words.isdisjoint(norm.singular)
            or _SAYS_MORE.search(guess)
            or min(map(len, tokens)) == 1
            or not _BOUND.isdisjoint(tokens)
            or (self.acronyms and len(norm.strict.split()) > 2)
            or (len(norm.strict) < 9 and norm.strict[0] in self.initials)
            or "".join(sorted(t[0] for t in tokens)) in self.letters
            or "".join(tokens).startswith(self.starts)
        ):
            return False
        if any(_like(word, name) for name in self.names for word in tokens):
            return False
        whole = "".join(tokens)
        for form in self.forms:
            if len(form) == len(tokens) < 3:
                if all(map(_like, form, tokens)):
                    return False
            elif (len(form) == 1 or len(tokens) == 1) and _like("".join(form), whole):
                return False
        return True
