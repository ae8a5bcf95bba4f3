"""Keys that this process was given, kept out of all that it says and writes: one filter, which knows them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

HIDDEN = "[key]"
SHORTEST = 8
"""Characters of a key that give it away. Shorter ones, which local servers take for a key ("EMPTY"), are ordinary words."""

_known: dict[str, tuple[re.Pattern, list[re.Pattern]]] = {}
"""Key → the pattern of its first characters in whatever form they are quoted, and those of each further one."""


def _character(char: str) -> str:
    """Pattern of a character as it is, as an entity, in an address, or escaped."""
    code = ord(char)
    named = [html.escape(char)] if html.escape(char) != char else []
    forms = [
        *map(
            re.escape,
            (*named, f"%{code:02x}", f"\\u{code:04x}", f"\\x{code:02x}", f"\\{char}", char),
        )
    ]
    return f"(?:&#0*{code};|&#x0*{code:x};|{'|'.join(forms)})"


def learn(key: str | None) -> None:
    """From now on :func:`hide` knows ``key``, in whatever form, case or spacing it is quoted, and its beginning."""
    if not key or len(key) < SHORTEST or key in _known:
        return
    characters = [_character(char) for char in key]
    start = re.compile(r"\s*".join(characters[:SHORTEST]), re.IGNORECASE)
    others = [re.compile(rf"\s*{char}", re.IGNORECASE) for char in characters[SHORTEST:]]
    _known[key] = start, others


def known() -> bool:
    """Whether there is a key to hide."""
    return bool(_known)


def _spans(text: str) -> list[tuple[int, int]]:
    """Places of keys, and of beginnings of keys, in a text."""

    def found() -> Iterator[tuple[int, int]]:
        for start, rest in _known.values():
            for match in start.finditer(text):
                end = match.end()
                for char in rest:
                    following = char.match(text, end)
                    if not following:
                        break
                    end = following.end()
                yield match.start(), end

    spans: list[tuple[int, int]] = []
    for low, high in sorted(found()):
        if spans and low < spans[-1][1]:
            spans[-1] = spans[-1][0], max(high, spans[-1][1])
        else:
            spans.append((low, high))
    return spans


def hide(text: str) -> str:
    """``text`` without any key."""
    for low, high in reversed(_spans(text)):
        text = text[:low] + HIDDEN + text[high:]
    return text


def hide_in(value):
    """A JSON document, every text in it without any key."""
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, list):
        return [hide_in(item) for item in value]
    if isinstance(value, dict):
        return {hide(name): hide_in(item) for name, item in value.items()}
    return value


def hide_across(parts: list[str]) -> list[str]:
    """As many parts, in which no key stands, nor runs from one into the next."""
    for start, end in reversed(_spans("".join(parts))):
        kept, position = [], 0
        for part in parts:
            low, high = max(start - position, 0), min(end - position, len(part))
            mark = HIDDEN if 0 <= start - position < len(part) else ""
            kept.append(part[:low] + mark + part[high:] if low < high else part)
            position += len(part)
        parts = kept
    return parts
