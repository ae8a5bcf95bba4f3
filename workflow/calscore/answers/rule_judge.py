"""The rules: judge a guess against a quizbowl answer line.

A model's guess is right when a moderator would accept it (paper §3.2 and §4.1, g_t), and the
answer line tells the moderator so: ``Nazi party [or NSDAP; prompt on fascists; do not accept
"Falange"]``. :mod:`calscore.answers.parse` turns the line into a small tree, :func:`judge_by_rules` decides
one guess. Nothing here is learned, and nothing knows a question's text.

The first of these that applies decides: an empty guess; the same words as an alternative, with
articles kept; the same words by a key of :class:`Normal` (number words, Roman numerals, spelling,
order, plurals, spacing); then :data:`STEPS` in their order. Reject comes before accept, accept
before prompt, prompt before an alternative whose condition is past. A guess that only drops or
adds distinguishing words is rejected. :data:`calscore.answers.rules.RULES` says what each rule has
seen, :data:`calscore.answers.rules.CERTAIN` which of them a learned score must not overrule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from ..core.errors import DataError
from .answerline import Answerline
from .glosses import match_with_gloss
from .guess_variants import guess_variants, without_speech
from .kinds import names_another_thing
from .lexicon import lines
from .markup import refuse_long
from .match_index import Index
from .normalise import Normal, normal, plain_words, roman_value
from .parse import parse
from .rules import CERTAIN, Judgement, judgement_of

_SAME = frozenset(("exact", "alias", "number"))
_NO_GUESS = frozenset(lines("no guess"))
_DENIED = re.compile(r"\b(?:not|never|isn['’]?t|wasn['’]?t|n['’]t|anything but|except)\b", re.I)


def denies(guess: str) -> bool:
    """Whether a guess says what it is not."""
    return _DENIED.search(guess) is not None


@lru_cache(maxsize=1 << 15)
def _variants(guess: str) -> tuple[tuple[Normal, bool], ...]:
    """The forms of a guess without what is said around an answer, and whether nothing of it is lost."""
    return tuple((normal(text), certain) for text, certain in guess_variants(guess))


def is_missing(guess: object) -> bool:
    """Whether nothing was guessed: None, NaN or the missing value of pandas."""
    return (
        guess is None
        or (isinstance(guess, float) and guess != guess)
        or type(guess).__name__ == "NAType"
    )


def judge_by_rules(
    answerline: str | Answerline,
    guess: str | None,
    condition: str = "",
    tossup: str = "",
) -> Judgement:
    """Whether a moderator would accept, prompt on or reject ``guess``.

    ``tossup`` is the text of the question, where it is known: it may say of what kind the answer is, and who made it.
    ``condition`` is a key of :func:`condition_met`; '' means that no condition of the line is past.
    A missing guess (None, NaN, "None", "I don't know") is rejected by rule ``empty``. Raises ``DataError``
    where line or guess is not text, or too long to be one.
    """
    line = parse(answerline) if not isinstance(answerline, Answerline) else answerline
    index = _index_of(line, condition)
    if is_missing(guess):
        return Judgement("reject", 0.0, "empty")
    if not isinstance(guess, str):
        raise DataError.at("guess", "", "", guess, "text, or None for no guess")
    refuse_long("guess", guess)
    if not guess.isascii():
        guess = unicodedata.normalize("NFC", guess)
    strict = plain_words(guess)
    if not strict:
        return Judgement("reject", 0.0, "empty")
    if judged := index.strict.get(strict):
        return judged
    norm = normal(guess)
    if strict in _NO_GUESS:
        hits = () if index.apart(guess, norm) else index.grow().near.get("sorted:" + strict, ())
        return next(map(judgement_of, hits), Judgement("reject", 0.0, "empty"))
    number = roman_value(strict) if guess.isupper() else None
    if number and (judged := index.strict.get(str(number))):
        return judged
    if index.apart(guess, norm):
        return Judgement("reject", 0.0, "no match")
    index.grow()
    judged = next(judged for step in STEPS if (judged := step(index, guess, norm)) is not None)
    # What a guess says beside the name may mean another thing.
    if (
        judged.verdict != "reject"
        and judged.rule not in _SAME
        and names_another_thing(index, guess, tossup)
    ):
        return Judgement("reject", 0.05, "other kind")
    return judged


def _index_of(line: Answerline, condition: str) -> Index:
    index = line._indexes.get(condition)
    if index is None:
        past = frozenset(part.strip() for part in condition.split(" | ") if condition) - {""}
        index = line._indexes[condition] = Index(line, past)
    return index


Step = Callable[[Index, str, Normal], "Judgement | None"]


def _as_it_stands(index: Index, guess: str, norm: Normal) -> Judgement | None:
    return index.match(norm)


def _without_words_around(index: Index, guess: str, norm: Normal) -> Judgement | None:
    """The verdict on the guess without words that wrap it ("I think it's …", brackets); None where
    none is met."""
    for variant, certain in _variants(guess)[1:]:
        judged = index.match(variant) if variant.strict else None
        # A surname is not enough once "(state)" or the like has been cut off.
        if judged is None or (judged.rule == "surname" and variant.strict != norm.strict):
            continue
        if judged.verdict != "accept" or certain:
            return judged
        rule = "more" if judged.rule in CERTAIN else judged.rule
        return Judgement("accept", min(judged.score, 0.9), rule)
    return None


def _qualified(index: Index, guess: str, norm: Normal) -> Judgement | None:
    text = guess if denies(guess) else without_speech(guess)
    return match_with_gloss(index, text)


def _partial(index: Index, guess: str, norm: Normal) -> Judgement | None:
    if index.partial and any(index.is_partial(variant) for variant, _ in _variants(guess)):
        return Judgement("prompt", 0.5, "partial")
    return None


def _rejected(index: Index, guess: str, norm: Normal) -> Judgement:
    return index.rejected(norm)


STEPS: tuple[Step, ...] = (
    _as_it_stands,
    _without_words_around,
    _qualified,
    _partial,
    _rejected,
)
"""What is tried with a guess in turn; the first judgement holds."""
