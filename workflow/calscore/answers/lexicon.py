"""Word lists of the room: the files in ``data/answers``."""

from __future__ import annotations

from ..core import lexicon


def words(section: str, kind: type = frozenset):
    """The words of a section."""
    return lexicon.words("answers", section, kind)


def word_map(section: str) -> dict[str, str]:
    """The words of a section that are written ``word:other``."""
    return dict(word.split(":") for word in words(section))


def lines(section: str) -> list[str]:
    """The lines of a section."""
    return lexicon.sections("answers")[section]
