"""Other names of the same thing, by the list of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from .lexicon import lines, word_map, words
from .normalise import STOP, Normal, normal, root, word_key

_DENY = words("words that deny")
_PAST = word_map("pasts")
_CENTURY = re.compile(r"(1[1-9]) century|(1[0-8])00s")
_EMPTY = words("being") | words("empty words")


@lru_cache(maxsize=1)
def _symbols_and_names() -> dict[str, list[str]]:
    """For the sorted words of each name, the lookup keys of the other names of that thing."""
    groups = [[normal(name) for name in line.split(" = ")] for line in lines("other names")]
    groups += [[normal(name), normal(symbol)] for name, symbol in word_map("symbols").items()]
    table: dict[str, list[str]] = {}
    for group in groups:
        for norm in group:
            if len(norm.strict) > 2:  # a symbol may stand for many things
                table.setdefault(norm.keys[0], []).extend(
                    second.keys[0] for second in group if second is not norm
                )
    return table


@lru_cache(maxsize=1)
def _groups() -> dict[str, str]:
    """Root of a word → that of the first word of its group of synonyms."""
    groups = [[root(word) for word in line.split()] for line in lines("synonyms")]
    return {word: group[0] for group in groups for word in group}


def meaning(tokens: Iterable[str]) -> frozenset[str]:
    """What words mean, as far as a list of synonyms tells: their roots, function words left out."""
    return frozenset(sense for token in tokens for sense in _senses(token))


@lru_cache(maxsize=1 << 14)
def _senses(token: str) -> tuple[str, ...]:
    """What a word means: nothing where it is empty, a "not" of its own in jobless and unemployed."""
    groups = _groups()
    if token in _DENY:
        return ("not",)
    if token in STOP or token in _EMPTY:
        return ()
    if len(token) > 6 and (bare := re.sub("less(?:ness)?$", "", token)) != token:
        return ("not", *_senses(bare))
    item = root(_PAST.get(token, token))
    return (groups.get(item, item),)


@lru_cache(maxsize=1)
def _name_words() -> frozenset[str]:
    return frozenset(word for key in _symbols_and_names() for word in key[7:].split())


def other_names(norm: Normal) -> Iterable[str]:
    """Lookup keys of the other names of what a text names."""
    century = _CENTURY.fullmatch(" ".join(norm.tokens))
    if century and century[1]:
        return (f"sorted:{int(century[1]) - 1}00s",)
    if century:
        return (f"sorted:{int(century[2]) + 1} century",)
    known_words = _name_words()
    if norm.tokens and (
        known_words.issuperset(norm.tokens) or known_words.issuperset(norm.singular)
    ):
        table = _symbols_and_names()
        result = table.get("sorted:" + word_key(norm.tokens))
        return result or table.get("sorted:" + word_key(norm.singular), ())
    return ()


def other_decade(token: str) -> str:
    """A decade of the last century in its other form: 60s for 1960s and back; '' for another token."""
    if re.fullmatch(r"19\d0s", token):
        return token[2:]
    return f"19{token}" if re.fullmatch(r"[1-9]0s", token) else ""
