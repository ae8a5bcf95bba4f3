"""Packets as JSON: what a moderator reads, and the words that a buzz position counts.

A packet is ``{"tossups": [{"question", "answer", "metadata"}, …]}``. Reading software counts the
words that are spoken: HTML tags, the power mark ``(*)`` and pronunciation guides ``("…")`` are no
words. Word indices are 0-based; index n_words is the END mark that stands after the last word.
"""

import html
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ..core import data_issues, strict_json
from ..core.data_issues import Finding
from ..core.errors import Faults
from ..raw.release import check_raw

data_issue = partial(data_issues.data_issue, "tournament")
Note = Callable[[str, str, str], None]
"""``note(kind, place, detail)`` adds a finding to a log (:meth:`.match_log.Log.note`)."""
GameNote = Callable[[str, str], None]
"""``note(kind, detail)`` adds a finding on a game."""
UNCATEGORISED = "Uncategorised"
"""Category of a question that has none."""
_TAG = re.compile(r"</?(?:b|i|u|em|strong|req|sub|sup|span|p|div|br|s|small|mark|font|a)\b[^<>]*/?>", re.I)
_BREAK = re.compile(r"<(?:br|/p|/div)\b[^<>]*/?>", re.I)
_GUIDE = re.compile(r"\s*\(\s*[\"“”][^\"“”()]*[\"“”]\s*\)")
_POWER = re.compile(r"\(\*\)")
_KEY = re.compile(rb'"tossups"\s*:')
_NOTE = re.compile(
    r"\s*(?P<open>(?:<(?:i|em|b|strong|p|span)\b[^<>]*>|[\[(])*)\s*"
    r"(?:moderator(?:[’']s)? note|mod note|note to [^:<>\[\]()]{1,60})\s*:",
    re.I,
)


class SpokenTossup(NamedTuple):
    """A tossup as a moderator reads it: ``text`` without tags, notes, guides and power marks. ``power_word``: words before
    the first power mark, None without one. ``guides``: number of pronunciation guides left out. ``note_words``: words of
    the moderator's note before the text. ``open_note``: a note starts whose end is unknown, so it is still in ``text``."""

    text: str
    power_word: int | None
    guides: int
    note_words: int
    open_note: bool = False


def strip_html(text: str) -> str:
    """HTML to text: br, /p and /div to spaces, other formatting tags dropped, character references resolved.
    Newlines, runs of spaces and all other tags stay."""
    return html.unescape(_TAG.sub("", _BREAK.sub(" ", text)))


def _note_end(raw: str) -> int | None:
    """Index in ``raw`` where a leading moderator's note ends: 0 without a note, None where its end is unknown."""
    result = _NOTE.match(raw)
    if not result:
        return 0
    opened = result["open"]
    for bracket, closing in (("[", "]"), ("(", ")")):
        if bracket in opened:
            place = raw.find(closing, result.end())
            return None if place < 0 else place + 1
    if opened:
        tag = re.match(r"<(\w+)", opened)[1]
        closed = re.compile(rf"</{tag}\s*>", re.I).search(raw, result.end())
    else:
        closed = re.compile(r"\n|<br\b[^<>]*>", re.I).search(raw, result.end())
    return closed.end() if closed else None


def spoken_tossup(raw: str) -> SpokenTossup:
    """Split ``raw``, the HTML ``question`` of a packet's tossup, into what is read and what is left out."""
    end = _note_end(raw)
    open_note = end is None
    note, body = raw[: end or 0], raw[end or 0 :]
    note_words = len(_GUIDE.sub("", strip_html(note)).split())
    text, guides = _GUIDE.subn("", strip_html(body))
    power_word = None
    mark = _POWER.search(text)
    if mark:
        power_word = len(text[: mark.start()].split())
        text = re.sub(r"[^\S\n]*\(\*\)", "", text)
    if guides or mark or note or text != raw:
        text = text.strip()
    return SpokenTossup(text, power_word, guides, note_words, open_note)


def is_packet(document: object) -> bool:
    """Whether a parsed JSON document is an object with the key ``tossups``; nothing else is checked."""
    return isinstance(document, dict) and "tossups" in document


def has_packets(folder: str | Path) -> bool:
    """Whether a ``.json`` file at any depth of ``folder`` has the key "tossups"; True as well where a file cannot be read."""
    result = [Path(folder), *sorted(Path(folder).rglob("*"))]
    if not all(map(strict_json.readable, result)):
        return True
    return any(
        _KEY.search(item.read_bytes()) for item in result if item.suffix.lower() == ".json" and item.is_file()
    )


def raw_category(tossup: dict) -> str:
    """Category without tags: ``metadata`` if text, else "category - subcategory" (of ``metadata``, if a mapping) or ""."""
    source = tossup.get("metadata")
    if isinstance(source, dict):
        tossup, source = source, None
    if isinstance(source, str) and source.strip():
        return strip_html(source).strip().strip("<>").strip()
    parts = [tossup.get(name) for name in ("category", "subcategory")]
    return " - ".join(part.strip() for part in parts if isinstance(part, str) and part.strip())


def check_packet(document: dict, file: str) -> None:
    """``DataError`` with all breaches of the schema; else with tossups without words and bonuses of unequal parts and answers."""
    # Tossups and bonuses → what one of them is called.
    words = {"tossups": "tossup", "bonuses": "bonus"}

    def locate(path):
        return (f"{words[path[0]]} {path[1] + 1}", path[2:]) if len(path) > 1 else ("", path)

    check_raw(document, "tournament_packet", file, locate)
    faults = Faults(file)
    for number, tossup in enumerate(document["tossups"], start=1):
        if not spoken_tossup(tossup["question"]).text.split():
            faults.add(f"tossup {number}", "question", tossup["question"], "words to read")
    for number, bonus in enumerate(document.get("bonuses") or [], start=1):
        parts, answers = len(bonus["parts"]), len(bonus["answers"])
        if parts != answers:
            faults.add(f"bonus {number}", "answers", answers, f"as many as parts ({parts})")
    faults.refuse()


def parse_packet(document: dict, file: str, name: str) -> tuple[list[dict], list[Finding]]:
    """(rows of part ``tossups`` of a log, findings) of a packet ``name`` in ``file`` that passes :func:`check_packet`.
    ``number``: place in the packet from 1, as in match files. Findings: moderator's notes, guides, lacking categories."""
    rows, findings, guides = [], [], 0
    for number, tossup in enumerate(document["tossups"], start=1):
        place, item = f"{file}, tossup {number}", spoken_tossup(tossup["question"])
        guides += item.guides
        if item.note_words:
            detail = f"{item.note_words} words of a note stand before the question"
            findings.append(data_issue("moderator note before the text", place, detail))
        if item.open_note:
            detail = "a note to the moderator starts the text, and where it ends cannot be told"
            findings.append(data_issue("moderator note without an end", place, detail))
        rows.append(
            {
                "packet": name,
                "number": number,
                "text": item.text,
                "answerline": strip_html(tossup["answer"]).strip(),
                "category_raw": raw_category(tossup) or UNCATEGORISED,
                "power_word": item.power_word,
                "note_words": item.note_words,
            }
        )
    if guides:
        findings.append(data_issue("pronunciation guides", file, f"{guides} guides"))
    lacking = sum(not raw_category(tossup) for tossup in document["tossups"])
    if lacking:
        findings.append(data_issue("tossups without a category", file, f"{lacking} of {len(rows)}"))
    return rows, findings
