"""A guess that says an answer in other words of the same kind: a deed, two answers each by itself, a name cut within, a slip."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from .answerline import Alternative, Answerline
from .lexicon import words
from .normalise import Normal, root
from .rules import ACCEPT, Judgement
from .word_forms import follow, within

if TYPE_CHECKING:
    from .match_index import Index

_AND = re.compile(r",? (?:and|AND|&) ")
_DEED = re.compile(r".{3,}(?:tion|sion|ment|[ae]nce|ing|al)$")
_PASSIVE = words("being") | {"be", "been", "is", "are", "was", "were"}

Judge = Callable[[Answerline, str], Judgement]


def match_paraphrase(index: Index, guess: str, norm: Normal, judge: Judge) -> Judgement | None:
    """The judgement of a guess that says an accepted answer otherwise."""
    if _does(index, norm):
        return Judgement("accept", 0.7, "word form")
    if _joins_two_answers(index, norm):
        return Judgement("accept", 0.8, "nearly whole")
    return halves(index, guess, judge)


def _deed(token: str) -> str:
    return root(token).removesuffix("ish")


def _does(index: Index, norm: Normal) -> bool:
    """Whether a guess says with a verb what an answer says with its noun: replicating DNA, DNA being replicated."""
    guessed = [t for t in norm.tokens if t not in _PASSIVE]
    passive = len(guessed) < len(norm.tokens)
    if len(guessed) < 2 or not (guessed[-1] if passive else guessed[0]).endswith(("ing", "ed")):
        return False
    deeds = sorted(map(_deed, guessed))
    return any(
        form.rank == ACCEPT
        and len(form.norm.tokens) == len(guessed)
        and _DEED.match(form.norm.tokens[0 if " of " in form.norm.strict else -1])
        and sorted(map(_deed, form.norm.tokens)) == deeds
        for form in index.forms
    )


def _joins_two_answers(index: Index, norm: Normal) -> bool:
    """Whether a guess is cut from an answer and holds a shorter one whole: Abu Ali ibn Sina."""
    guessed, accepted = norm.tokens, [f.norm for f in index.forms if f.rank == ACCEPT]
    return any(
        1 < len(item.tokens) < len(guessed) and within(item.tokens, guessed) for item in accepted
    ) and any(len(item.tokens) > len(guessed) and follow(guessed, item.tokens) for item in accepted)


@lru_cache(maxsize=1 << 10)
def _lines_of(both: Alternative) -> tuple[Answerline, ...]:
    """An answer line for each of the two answers that one joins, none where it joins no two."""
    parts = _AND.split(both.text)
    if len(parts) != 2:
        return ()
    built = (
        Alternative(p, "accept", required=tuple(r for r in both.required if r in p), main=True)
        for p in parts
    )
    return tuple(Answerline(item.text, (item,)) for item in built)


def halves(index: Index, guess: str, judge: Judge) -> Judgement | None:
    """The judgement of two answers of which each would be taken for its own, in either order."""
    guessed = _AND.split(guess)
    if len(guessed) != 2:
        return None
    for both in [a for rank, a in index.ranked if rank == ACCEPT]:
        for lines in (_lines_of(both), _lines_of(both)[::-1]):
            result = [judge(line, half) for line, half in zip(lines, guessed, strict=False)]
            if result and all(judgement.verdict == "accept" for judgement in result):
                return min(result, key=lambda judgement: judgement.score)
    return None
