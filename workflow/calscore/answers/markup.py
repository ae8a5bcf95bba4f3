"""The marks of an answer line: brought to one form, and the line cut at them."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from operator import itemgetter

from ..core.errors import DataError
from .grammar import (
    BRACKET,
    DIRECTIVE,
    IN_NAME,
    MARKDOWN,
    MARKED_SIGNS,
    MARKS,
    NEUTRAL,
    NEUTRAL_MARK,
    NEXT_DIRECTIVE,
    NOR_PROMPT,
    OFF,
    ON,
    ONE_FORM,
    PARENTHESIS,
    PROMPTER,
    SINGLE_QUOTES,
    STOP_BEFORE_QUOTE,
    UNOPENED,
    VERBS,
)

LONGEST = 10_000
"""Characters of the longest answer line and guess that are read."""
_WORD_BEHIND = re.compile(rf"[\w{ON}{OFF}]*")


def _tail_word(text: str, end: int) -> str:
    """The letters of a word that end before a position, marks left out."""
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] in (ON, OFF, "_")):
        start -= 1
    return unmark(text[start:end])


def unmark(text: str) -> str:
    return text.replace(ON, "").replace(OFF, "") if not text.isascii() else text


def tidy(text: str) -> str:
    """White space and stray punctuation off, quotation marks around the whole off."""
    text = " ".join(text.split()).strip(" ,;:/\t")
    if '"' in text:
        while text[:1] == '"' and text.find('"', 1) in (-1, len(text) - 1):
            text = text.strip('"').strip(" ,;:")
    return text


def clean(line: str) -> str:
    """Encoding damage, entities, tags, quotation marks and brackets brought to one form."""
    if "Ã" in line or "â€" in line:
        with suppress(UnicodeError):
            line = line.encode("cp1252").decode("utf-8")
    line = html.unescape(line)
    plain = line.isascii()
    if not plain:
        line = MARKS.sub("", unicodedata.normalize("NFC", line))
    for pattern, tag in MARKDOWN if "_" in line or "**" in line else ():
        line = pattern.sub(rf"<{tag}>\1</{tag}>", line)
    if "<" in line:
        tag = "u" if re.search(r"<u\b", line, re.I) else "b"
        line = re.sub(rf"<{tag}\b[^<>]*>", ON, line, flags=re.I)
        line = re.sub(rf"</{tag}\s*>", OFF, line, flags=re.I)
        line = re.sub(r"</?[a-zA-Z][^<>]*>", "", line).replace(OFF + ON, "")
        line = MARKED_SIGNS.sub(itemgetter(1), line)
    if not plain or "{" in line or "}" in line:
        line = SINGLE_QUOTES.sub(r'"\1"', line).translate(ONE_FORM)
    if ";" in line and "[" not in line:  # the opening bracket is missing
        opening = UNOPENED.search(line)
        before = line[: opening.start()] if opening else ""
        if opening and before.count("(") == before.count(")"):
            line = f"{before} [{line[opening.end() :]}"
    line = IN_NAME.sub(itemgetter(1), line) if "[" in line else line
    line = STOP_BEFORE_QUOTE.sub(r'"\1', line)
    line = PROMPTER.sub("", " ".join(line.split()))
    line = NOR_PROMPT.sub(r"\1 or", line) if "r prompt on " in line else line
    return _unwrapped(line) if line[:1] == "(" else line


def _unwrapped(line: str) -> str:
    """A line without the parentheses around all of it."""
    depth = 0
    for result in PARENTHESIS.finditer(line):
        depth += 1 if result.group() == "(" else -1
        if depth == 0:
            return line[1:-1] if result.end() == len(line) else line
    return line


def required_parts(marked: str, enough: int = 4) -> tuple[str, ...]:
    """Underlined parts; a fragment of a word stands for the word unless it has ``enough`` letters."""
    if marked.count(ON) != marked.count(OFF):
        return ()
    parts, fragments = [], []
    for match in re.finditer(f"{ON}([^{ON}{OFF}]*){OFF}", marked):
        part = match.group(1)
        before = _tail_word(marked, match.start())
        behind = unmark(_WORD_BEHIND.match(marked, match.end())[0])
        fragment = bool((before or behind) and part.strip() == part)
        fragments.append(fragment and len(part) == 1)
        if fragment and len(part) < enough and not (len(part) > 2 and behind in ("s", "es")):
            part = part if len(part) == 1 else before + part + behind
        if part.strip(" \"'"):
            parts.append(part.strip(" \"'"))
    letters = all(len(p) == 1 for p, f in zip(parts, fragments, strict=False) if f)
    if any(fragments) and not (letters and not all(fragments) and len(parts) == len(fragments)):
        return ()  # but _J_ohn _Q_uincy _Adams_
    return tuple(dict.fromkeys(parts))


def open_depth(text: str) -> list[bool]:
    """For each character, whether it lies inside quotation marks, parentheses or an underline.

    A kind of mark that does not balance protects nothing: one missing mark cannot swallow a line.
    """
    if NEUTRAL.isdisjoint(text):
        return [False] * len(text)
    quotes = text.count('"') % 2 == 0
    parens = text.count("(") == text.count(")")
    marks = text.count(ON) == text.count(OFF)
    inside: list[bool] = []
    quoted, depth, marked = False, 0, 0
    for result in NEUTRAL_MARK.finditer(text):
        inside += [quoted or depth > 0 or marked > 0] * (result.start() - len(inside))
        char = result.group()
        if char == '"' and quotes:
            quoted = not quoted
        elif char == "(" and parens:
            depth += 1
        elif char == ")" and parens:
            depth = max(0, depth - 1)
        elif char == ON and marks:
            marked += 1
        elif char == OFF and marks:
            marked = max(0, marked - 1)
        inside.append(quoted or depth > 0 or marked > 0)
    inside += [quoted or depth > 0 or marked > 0] * (len(text) - len(inside))
    return inside


def split(text: str, pattern: re.Pattern) -> list[str]:
    """``text`` cut where ``pattern`` matches outside quotation marks, parentheses, underlines."""
    result = list(pattern.finditer(text))
    if not result:
        return [text]
    inside = open_depth(text)
    pieces, final = [], 0
    for match in result:
        if match.end() > match.start() and not inside[match.start()]:
            pieces.append(text[final : match.start()])
            final = match.end()
    return [*pieces, text[final:]]


def groups(line: str) -> Iterator[tuple[str, str]]:
    """Pieces of a line in order: ('text' | 'bracket', content); the line closes open brackets."""
    final = position = 0
    while (start := line.find("[", position)) >= 0:
        depth, end = 0, len(line)
        for bracket in BRACKET.finditer(line, start):
            depth += 1 if bracket.group() == "[" else -1
            if depth == 0:
                end = bracket.start()
                break
        yield "text", line[final:start]
        yield "bracket", line[start + 1 : end].replace("[", "(").replace("]", ")")
        final = position = end + 1
    yield "text", line[final:].replace("]", " ")


def clauses_of(text: str) -> Iterator[str]:
    """``text`` cut before each further directive ("accept A but reject B")."""
    start = 0
    head = DIRECTIVE.match(text)
    position = head.end() if head else 0
    if not VERBS.search(text, position):
        yield text
        return
    inside = open_depth(text)
    while match := NEXT_DIRECTIVE.search(text, position):
        if inside[match.start()]:
            position = match.start() + 1
            continue
        yield text[start : match.start()]
        start = match.end()
        directive = DIRECTIVE.match(text, start)  # may itself hold "accept or prompt on"
        position = directive.end() if directive else start + 1
    yield text[start:]


def refuse_long(name: str, text: str) -> None:
    """Raise ``DataError`` for a text of more than :data:`LONGEST` characters."""
    if len(text) > LONGEST:
        expected = f"at most {LONGEST:,} characters, not {len(text):,}"
        raise DataError.at(name, "", "", f"{text[:40]}…", expected)
