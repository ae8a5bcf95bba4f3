"""What a judgement says, and the rules that decide one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .answerline import Alternative


class Judgement(NamedTuple):
    """Verdict (accept, prompt, reject), score (0–1), rule (of :data:`RULES`, or score, said, sentence).

    The engine's score is at least .5 for accept, .5 for prompt and below .5 for reject; 1 and 0 where
    the wording is the line's own. A prompt stands by itself, as :data:`CERTAIN` rules mostly do; any
    other of :data:`RULES` is a default that a learned score may overrule."""

    verdict: str
    score: float
    rule: str


# What each rule has seen. Rules that accept name the difference between guess and alternative.
RULES = {
    "exact": "the main answer itself, but for articles, spelling, order, plural, spacing",
    "alias": "another accepted alternative, in the same sense",
    "literal": "words of the line that are taken for an alternative, as nothing says what they are",
    "number": "the same, with a number written in another way",
    "word form": "another inflection of a common noun, or of any word where the line says so",
    "equivalent": "the same in other words, where the line takes those",
    "within": "holds the words that the line asks for",
    "required": "every underlined part, and nothing that the line does not say",
    "surname": "the surname of a person, with or without a title",
    "last name": "the last word of what looks like a person's name",
    "name": "a shorter, fuller or abbreviated name of the same person",
    "title": "a title or subtitle more or less",
    "class word": "without the class it belongs to (River, Dynasty, Battle of), or with it (algorithm)",
    "place": "a town with or without its state or country",
    "acronym": "initials for words, or words for initials",
    "other name": "a name of the same thing from the list of other names",
    "nearly whole": "one lower-case word missing from a long description",
    "typo": "misspelled or transliterated in another way",
    "prompt": "an alternative that the line prompts on",
    "anti-prompt": "an alternative that the line calls too specific",
    "partial": "part of an answer where the line prompts on partial answers",
    "ambiguous": "short for an accepted and for a rejected alternative",
    "reject": "an alternative that the line rejects",
    "too late": "an alternative at the wrong time",
    "empty": "no guess",
    "stop words": "nothing but function words, and no alternative is that",
    "given name": "the given name of a person alone",
    "other number": "an alternative but for its number",
    "other kind": "another thing of the same name, by what the guess says of it",
    "part": "some words of an alternative, not all",
    "more": "all words of an alternative and others, which may name something else",
    "no match": "nothing in common with the line, or too little to tell",
}
_UNCERTAIN = "word form|literal|equivalent|within|last name|class word|place|title|acronym|other name|nearly whole|typo|ambiguous|part|more|no match"
CERTAIN = frozenset(RULES) - frozenset(_UNCERTAIN.split("|"))
WHOLE = frozenset(("exact", "alias", "literal", "number", "title", "name", "required"))
REJECT, ACCEPT, PROMPT, LATE = range(4)  # order in which matches win
_RANKS = {"reject": REJECT, "accept": ACCEPT, "prompt": PROMPT}


class Hit(NamedTuple):
    """A match with an alternative: certainty (0.45–1), rank (REJECT, ACCEPT, PROMPT, LATE) and rule."""

    score: float
    rank: int
    rule: str


@lru_cache(maxsize=1 << 10)
def judgement_of(hit: Hit) -> Judgement:
    """The judgement for a match; score: its certainty if accepted, 0.5 if prompted, else 1 − certainty."""
    score, rank, rule = hit
    if rank == ACCEPT:
        return Judgement("accept", score, rule)
    if rank == PROMPT:
        return Judgement("prompt", 0.5, rule if rule == "anti-prompt" else "prompt")
    return Judgement("reject", round(1.0 - score, 4), "too late" if rank == LATE else "reject")


def rank_of(a: Alternative, past: frozenset[str]) -> int | None:
    """REJECT, ACCEPT, PROMPT or LATE (also: too early) once the triggers ``past`` are read; None if it lapsed."""
    if not a.triggers:
        return _RANKS.get(a.verdict)
    if not past.isdisjoint(a.triggers):
        verdict, late = a.after, a.after == "reject"
    else:
        verdict, late = a.verdict, a.verdict == "reject"
    return LATE if late else _RANKS.get(verdict)
