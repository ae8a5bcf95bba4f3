"""What can be told of a guess and a line at a glance: that they have nothing to do with each other.

Most guesses at a line are of that kind, and working out all that its alternatives stand for would be
most of the work. What is said here is only what the rules would come to.
"""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process

from .normalise import STOP, Normal, root
from .synonyms import meaning, other_decade, other_names

# What is told by other words: "ist movement", 3/4, 60s, and a sentence about somebody.
_OTHER_WORDS = re.compile(
    r"ist movement$|\d[/-]\d|\d['’]?s\b|time$|^(?:he|she|they|it|someone|somebody|people) |^(?:the )?"
    r"(?:process|act|practice|concept|idea|phenomenon|city|town|country) of ",
    re.I,
)
ACRONYM = re.compile(r"(?:[A-Z]\.?){3,6}")
_SHORT = 9  # letters of the longest guess that may be initials
_ALIKE = (
    55  # per cent of the letters of two words of which neither can be a form of the other below it
)


class LineSignature:
    """The words of the alternatives of a line, and what else a guess may have in common with it."""

    __slots__ = ("closed", "forms", "initials", "roots", "solid", "words")

    def __init__(self, texts: dict[str, Normal], rooted: list[str]):
        # Whether more than words tells: no letters, per cent, initials in capitals.
        self.closed = any(
            not item.tokens
            or "percent" in item.tokens
            or (text.isupper() and ACRONYM.fullmatch(text.strip()))
            for text, item in texts.items()
        )
        self.forms = tuple(item.tokens for item in texts.values())
        rivals = {word for item in texts.values() for word in (*item.strict.split(), *item.tokens)}
        self.solid = {"".join(item.tokens) for item in texts.values()} - {""}
        for item in texts.values():
            if len(item.tokens) == 1 and (decade := other_decade(item.tokens[0])):
                rivals.add(decade)
            for second in other_names(item):
                rivals.update(second.partition(":")[2].split())
        self.words = sorted((rivals | self.solid) - STOP)
        # First letters of the words of what may be shortened to them.
        self.initials = {
            word[0]
            for item in texts.values()
            if len(strict := item.strict.split()) > 2
            for word in strict
        }
        self.roots = {root(t) for text in rooted for t in texts[text].tokens}

    def means(self, norm: Normal) -> bool:
        """Whether a guess has a word of the sense of one of an alternative's."""
        guessed = meaning(norm.tokens)
        return not guessed or any(not guessed.isdisjoint(meaning(form)) for form in self.forms)

    def apart(self, guess: str, norm: Normal) -> bool:
        """Whether no rule can find that a guess without a word of an alternative's has to do with one."""
        letters = "".join(norm.tokens)
        if (
            self.closed
            or not norm.content
            or (len(letters) < _SHORT and letters[0] in self.initials)
            or _OTHER_WORDS.search(guess)
            or self.may_be_initials(norm)
            or any(piece in letters for piece in self.solid)
            or (self.roots and not self.roots.isdisjoint(map(root, norm.tokens)))
        ):
            return False
        return not any(
            process.extractOne(word, self.words, scorer=fuzz.ratio, score_cutoff=_ALIKE)
            for word in {*norm.tokens, letters} - STOP
        )

    def may_be_initials(self, norm: Normal) -> bool:
        """Whether a word of a guess may be initials of an alternative, or its words begin as one's letters."""
        words = norm.strict.split()
        if any(self.initials.issuperset(word) for word in words if word not in STOP):
            return True
        firsts = {word[0] for word in words}
        return any(len(form) > 1 and firsts.issuperset([t[0] for t in form]) for form in self.forms)
