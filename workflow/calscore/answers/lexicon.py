"""Word lists of the room: the sections of the text files in ``data/answers``.

``[name]`` begins a section, ``#`` at the start of a line a comment. Names are unique in all files.
"""

from __future__ import annotations

from functools import cache

from ..core.package import DATA


@cache
def _sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sorted((DATA / "answers").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                lines = found[line.strip("[]")] = []
            elif line and not line.startswith("#"):
                lines.append(line)
    return found


def words(section: str, kind: type = frozenset):
    """The words of a section."""
    return kind(" ".join(_sections()[section]).split())


def pairs(section: str) -> dict[str, str]:
    """The words of a section that are written ``word:other``."""
    return dict(word.split(":") for word in words(section))


def lines(section: str) -> list[str]:
    """The lines of a section."""
    return _sections()[section]
