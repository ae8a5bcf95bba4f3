"""The public GRACE release as its files have it, read without the package."""

import json
import re
import zipfile
from functools import cache
from pathlib import Path

from support import present

ARCHIVE = "[public]ALL_final_buzzpoints_enc.zip"
MERGED = {
    "Arts": ("Arts", "Music", "Painting"),
    "History": ("Hist",),
    "Literature": ("Lit",),
    "RMPSS": ("Religion", "Social Science", "Myth", "Philosophy"),
    "Science": ("Bio", "Physics", "Chem", "Sci"),
    "Geo/CE": ("Geo/CE",),
}


def folder() -> Path:
    """Folder of the release, or a skip."""
    return present("GRACE_RELEASE", "grace", ARCHIVE)


@cache
def questions() -> list[tuple[str, dict]]:
    """(question id, question of its file) in order."""
    found = []
    with zipfile.ZipFile(folder() / ARCHIVE) as archive:
        for packet in range(1, 13):
            name = f"[public]ALL_final_buzzpoints/packet{packet}_buzzpoints.json"
            entries = json.loads(archive.read(name, pwd=b"buzzbuzz"))
            found += [(f"p{packet:02d}-q{number:02d}", one) for number, one in enumerate(entries, 1)]
    assert len(found) == 240
    return found


def buzzes(question: dict) -> list[tuple[str, bool, int]]:
    """(team, right, word index) of every buzz of a question, in the order of its file."""
    found = []
    for entry in question["position"]:
        ((word, mark),) = entry.items()
        team, sign = re.fullmatch(r"\[([HM]\d+), ([+-])\]", mark).groups()
        found.append((team, sign == "+", int(word)))
    return found


def category(raw: str) -> str:
    """The merged category of a question's own."""
    raw = "World/Other Lit" if raw.startswith("World/Other") else raw
    return next(name for name, parts in MERGED.items() if any(part in raw for part in parts))
