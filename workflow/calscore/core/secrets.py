"""Keys that this process was given, kept out of all that it says and writes: one filter, which knows them."""

from __future__ import annotations

import html
import json
import re
from urllib.parse import quote

HIDDEN = "[key]"
SHORTEST = 8
"""Characters of a key that is looked for: what local servers take in its place ("EMPTY") is an ordinary word."""

_known: dict[str, None] = {}
"""Every spelling of every key, in the order in which they are looked for."""


def learn(key: str | None) -> None:
    """From now on :func:`hide` knows ``key``, in whatever form it is quoted."""
    if not key or len(key) < SHORTEST:
        return
    spelt = {key, json.dumps(key)[1:-1], repr(key)[1:-1], html.escape(key), quote(key, safe="")}
    # Longest first: a spelling that holds another one is hidden whole.
    for one in sorted(spelt, key=lambda one: (-len(one), one)):
        _known[one] = None


def known() -> bool:
    """Whether there is a key to hide."""
    return bool(_known)


def hide(text: str) -> str:
    """``text`` without any key."""
    for one in _known:
        text = text.replace(one, HIDDEN)
    return text


def hide_in(value):
    """A JSON document, every text in it without any key."""
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, list):
        return [hide_in(one) for one in value]
    if isinstance(value, dict):
        return {hide(name): hide_in(one) for name, one in value.items()}
    return value


def hide_across(parts: list[str]) -> list[str]:
    """As many parts, in which no key stands, nor runs from one into the next."""
    pattern = "|".join(re.escape(one) for one in _known)
    spans = [match.span() for match in re.finditer(pattern, "".join(parts))] if pattern else []
    for start, end in reversed(spans):
        kept, at = [], 0
        for part in parts:
            low, high = max(start - at, 0), min(end - at, len(part))
            mark = HIDDEN if 0 <= start - at < len(part) else ""
            kept.append(part[:low] + mark + part[high:] if low < high else part)
            at += len(part)
        parts = kept
    return parts
