"""Keys that this process was given, kept out of all that it says and writes: one filter, which knows them."""

import html
import re
from collections.abc import Iterator

HIDDEN = "[key]"
SHORTEST = 8
"""Characters of a key that give it away. Shorter ones, which local servers take for a key ("EMPTY"), are ordinary words."""

_known: dict[str, tuple[re.Pattern, list[re.Pattern]]] = {}
"""Key → the pattern of its first characters in whatever form they are quoted, and those of each further one."""


def _character(char: str) -> str:
    """Pattern of a character in any form: as it is, as an entity, percent-encoded or escaped."""
    code = ord(char)
    named = [html.escape(char)] if html.escape(char) != char else []
    forms = (*named, f"%{code:02x}", f"\\u{code:04x}", f"\\x{code:02x}", f"\\{char}", char)
    return f"(?:&#0*{code};|&#x0*{code:x};|{'|'.join(map(re.escape, forms))})"


def learn(key: str | None) -> None:
    """From now on :func:`hide_keys` hides ``key``; None and keys under :data:`SHORTEST` characters are not learnt."""
    if not key or len(key) < SHORTEST or key in _known:
        return
    characters = [_character(char) for char in key]
    start = re.compile(r"\s*".join(characters[:SHORTEST]), re.IGNORECASE)
    others = [re.compile(rf"\s*{char}", re.IGNORECASE) for char in characters[SHORTEST:]]
    _known[key] = start, others


def has_keys() -> bool:
    """Whether any key has been learnt."""
    return bool(_known)


def _spans(text: str) -> list[tuple[int, int]]:
    """Sorted (begin, end) of each learnt key, or beginning of one, in ``text``; overlapping ones are joined."""

    def matches() -> Iterator[tuple[int, int]]:
        for start, others in _known.values():
            for match in start.finditer(text):
                end = match.end()
                for char in others:
                    following = char.match(text, end)
                    if not following:
                        break
                    end = following.end()
                yield match.start(), end

    spans: list[tuple[int, int]] = []
    for low, high in sorted(matches()):
        if spans and low < spans[-1][1]:
            spans[-1] = spans[-1][0], max(high, spans[-1][1])
        else:
            spans.append((low, high))
    return spans


def hide_keys(text: str) -> str:
    """``text`` with each key given to :func:`learn`, and each beginning of one, replaced by :data:`HIDDEN`.

    A beginning has at least :data:`SHORTEST` characters; escaped and spaced forms in any case are found too.
    """
    for low, high in reversed(_spans(text)):
        text = text[:low] + HIDDEN + text[high:]
    return text


def hide_keys_in(value: object) -> object:
    """A copy of a JSON document with :func:`hide_keys` applied to every text and name in it; other values as they are."""
    if isinstance(value, str):
        return hide_keys(value)
    if isinstance(value, list):
        return [hide_keys_in(item) for item in value]
    if isinstance(value, dict):
        return {hide_keys(name): hide_keys_in(item) for name, item in value.items()}
    return value


def hide_keys_across(parts: list[str]) -> list[str]:
    """``parts`` of one text, as many as before, with keys hidden also where they run from one part into the next."""
    for start, end in reversed(_spans("".join(parts))):
        kept, position = [], 0
        for part in parts:
            low, high = max(start - position, 0), min(end - position, len(part))
            mark = HIDDEN if 0 <= start - position < len(part) else ""
            kept.append(part[:low] + mark + part[high:] if low < high else part)
            position += len(part)
        parts = kept
    return parts
