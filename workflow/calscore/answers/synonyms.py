"""Other names of the same thing, by the list of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from .lexicon import lines, pairs
from .normalise import Normal, normal, word_key

_CENTURY = re.compile(r"(1[1-9]) century|(1[0-8])00s")


@lru_cache(maxsize=1)
def _symbols_and_names() -> dict[str, list[str]]:
    """For the sorted words of each name, the lookup keys of the other names of that thing."""
    groups = [[normal(name) for name in line.split(" = ")] for line in lines("other names")]
    groups += [[normal(name), normal(symbol)] for name, symbol in pairs("symbols").items()]
    table: dict[str, list[str]] = {}
    for group in groups:
        for norm in group:
            if len(norm.strict) > 2:  # a symbol may stand for many things
                table.setdefault(norm.keys[0], []).extend(
                    second.keys[0] for second in group if second is not norm
                )
    return table


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
