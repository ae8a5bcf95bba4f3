"""Other names of the same thing, by the list of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from .lexicon import lines, pairs
from .normalise import Normal, normal


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
                    other.keys[0] for other in group if other is not norm
                )
    return table


def other_names(norm: Normal) -> Iterable[str]:
    return _symbols_and_names().get(norm.keys[0], ()) if norm.keys else ()
