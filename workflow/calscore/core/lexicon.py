"""Word lists: the sections of the text files in a folder of ``data``.

``[name]`` begins a section, ``#`` at the start of a line a comment. Names are unique in the files of a folder.
"""

from functools import cache

from .package import DATA


@cache
def sections(folder: str) -> dict[str, list[str]]:
    """Section → its lines without comments and blank ones, of all text files in a folder of ``data``."""
    by_section: dict[str, list[str]] = {}
    for path in sorted((DATA / folder).glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                lines = by_section[line.strip("[]")] = []
            elif line and not line.startswith("#"):
                lines.append(line)
    return by_section


def words(folder: str, section: str, kind: type = frozenset):
    """Words of a section of a folder's text files as a ``kind``, such as tuple or list; ``KeyError`` without the section."""
    return kind(" ".join(sections(folder)[section]).split())
