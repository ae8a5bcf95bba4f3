"""Word lists of the room: the files in ``data/answers``."""

from typing import Any

from ..core import lexicon


def words(section: str, kind: type = frozenset) -> Any:
    """The words of a section as a set, or as the collection type ``kind``, in their order; ``KeyError`` for an unknown one."""
    return lexicon.words("answers", section, kind)


def word_map(section: str) -> dict[str, str]:
    """Word → other word of a section that is written ``word:other``; ``KeyError`` for an unknown one."""
    return dict(word.split(":") for word in words(section))


def lines(section: str) -> list[str]:
    """The lines of a section without comments and blank ones; ``KeyError`` for an unknown one."""
    return lexicon.sections("answers")[section]
