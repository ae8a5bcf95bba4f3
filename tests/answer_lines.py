"""Answer lines that several tests read."""

from pathlib import Path

import grace_release
from calscore.judging.training import read_pairs
from support import data_folder

VERDICTS = {"+": "accept", "-": "reject", "?": "prompt"}
NIXON = "Richard Nixon [accept Richard Milhous Nixon]"
FLOWERS = "flowers [accept petals until read; accept blooms before “spring” and prompt afterwards; prompt"
FLOWERS += ' on plants until "botany" is read; accept roses after "thorn" is read; reject "weeds"]'


def real(*parts: str) -> Path:
    """A file of the real data, or a skip that says what is missing."""
    needed = "/".join(parts)
    return data_folder(needed) / needed


def classes(path: Path) -> dict[str, list[tuple[str, str, str]]]:
    """Class → (line, guess, verdict): a line, then the guesses of each verdict between bars."""
    found, line = {}, ""
    for row in path.read_text(encoding="utf-8").splitlines():
        if row.startswith("# "):
            cases = found[row[2:]] = []
        elif row[:2] in ("+ ", "- ", "? "):
            cases += [(line, guess, VERDICTS[row[0]]) for guess in row[2:].split(" | ")]
        elif row:
            line = row
    return found


def grace_lines() -> list[str]:
    return [question["answer"] for _, question in grace_release.questions()]


def labelled_pairs() -> tuple[Path, list[dict]]:
    """The file of human-labelled pairs, and its rows."""
    path = real("answers", "evouna_dev.jsonl")
    return path, read_pairs(path)
