"""Answer lines that several tests read."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from calscore.answers.fit import read_pairs
from support import data_folder

NIXON = "Richard Nixon [or Richard Milhous Nixon]"
FLOWERS = (
    "flowers [accept petals until read; accept blooms before “spring” and prompt afterwards; prompt"
)
FLOWERS += ' on plants until "botany" is read; accept roses after "thorn" is read; reject "weeds"]'


def real(*parts: str) -> Path:
    """A file of the real data, or a skip that says what is missing."""
    needed = "/".join(parts)
    return data_folder(needed) / needed


def grace_lines() -> list[str]:
    lines = []
    archive = real("grace", "[public]ALL_final_buzzpoints_enc.zip")
    with zipfile.ZipFile(archive) as packets:
        packets.setpassword(b"buzzbuzz")
        for name in sorted(packets.namelist()):
            if name.endswith(".json"):
                for row in json.loads(packets.read(name)):
                    lines.append(row["answerline"] if "answerline" in row else row["answer"])
    return lines


def labelled_pairs() -> tuple[Path, list[dict]]:
    """The file of human-labelled pairs, and its rows."""
    path = real("answers", "evouna_dev.jsonl")
    return path, read_pairs(path)
