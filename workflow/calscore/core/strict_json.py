"""JSON and JSON Lines from outside, read in one place: every reader refuses the same things in the same words.

Text is UTF-8; a byte order mark is passed over. What Python reads and no table can hold is a fault as what is no JSON: NaN and
Infinity, numbers beyond 64 bits, halves of characters (lone surrogates), deep nesting. So is an object that has a key twice.
"""

import gzip
import json
import math
import os
import re
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from .errors import DataError, Fault

DEEPEST = 100
"""Levels of arrays and objects within each other."""

CUT = "the text ends in the middle of a value; is it complete?"

_OTHER = (b"\xff\xfe", b"\xfe\xff")
_SIGN = b"\xef\xbb\xbf"
# Where none of these stands in a document of few brackets, all of it can be held.
_SUSPECT = re.compile(r"\\u[dD][89a-fA-F]|\d{19}|[eE]\+?\d{3}|NaN|Infinity")
_WHOLE = 2**63


class Unfit(ValueError):
    """A document, or a value in it, that cannot be used: ``found`` and ``expected`` are words for a message.

    ``place``: line and column, the names and indices that lead to the value, or a key that is there twice; ""
    where unknown."""

    def __init__(self, place: str, found: object, expected: str):
        super().__init__(f"{found}, expected {expected}")
        self.place, self.found, self.expected = place, found, expected


class _Constant(str):
    """NaN or an infinity, as it is written, until its place is known."""


def unfit(value: object, halves: bool) -> tuple[str, str] | None:
    """(what is wrong, what was expected) of a single value that no table can hold; None for others.

    Such are NaN and infinities as written in JSON, numbers beyond 64 bits (infinities too, but no float nan)
    and, unless ``halves``, lone surrogates."""
    if isinstance(value, _Constant):
        return str(value), "JSON without NaN and Infinity"
    if isinstance(value, str):
        if not halves and (half := re.search("[\ud800-\udfff]", value)):
            near = value[max(half.start() - 20, 0) : half.end() + 20]
            return near, "text of whole characters (no lone surrogates)"
    elif isinstance(value, int) and not -_WHOLE <= value < _WHOLE:
        return f"a whole number of {len(str(abs(value)))} digits", "numbers of at most 64 bits"
    elif isinstance(value, float) and math.isinf(value):
        return "a number beyond 1e308", "numbers of at most 64 bits"
    return None


def _check_values(document: object, halves: bool, constants: bool) -> None:
    """Raise :class:`Unfit` for a value that :func:`unfit` names, and for deep nesting; options as :func:`parse`."""
    waiting: list = [(document, None, 1)]
    while waiting:
        value, place, depth = waiting.pop()
        if depth > DEEPEST and isinstance(value, dict | list):
            raise Unfit("", f"more than {DEEPEST} levels", "JSON of fewer levels")
        if isinstance(value, dict):
            inner = value.items()
            for name in value:
                if wrong := unfit(name, halves):
                    raise Unfit("", *wrong)
        elif isinstance(value, list):
            inner = enumerate(value)
        else:
            wrong = unfit(value, halves)
            if wrong and not (constants and isinstance(value, float)):
                names = []
                while place:
                    place, name = place
                    names.append(str(name))
                raise Unfit("/".join(reversed(names)), *wrong)
            continue
        waiting += [(item, (place, name), depth + 1) for name, item in inner]


def _object(pairs: list[tuple]) -> dict:
    """(name, value) pairs as a dict; :class:`Unfit` for a name twice, of which Python would keep the last."""
    document = dict(pairs)
    if len(document) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unfit(twice, f"{twice} twice", "every key once in its object")
    return document


def readable(path: Path) -> bool:
    """Whether a file or folder may be read by this user; true where nothing is there."""
    return not path.exists() or os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0))


@lru_cache
def _decoder(constants: bool, pairs) -> json.JSONDecoder:
    return json.JSONDecoder(parse_constant=None if constants else _Constant, object_pairs_hook=pairs)


def parse(text: str, *, constants: bool = False, halves: bool = False, pairs=_object) -> Any:
    """The document in ``text``; :class:`Unfit` where it is no JSON, too deep, has a key twice or holds an
    :func:`unfit` value. ``constants``: NaN, Infinity and 1e999 are numbers. ``halves``: lone surrogates stay,
    for :func:`join_surrogates` once texts are joined. ``pairs``: makes an object of its (name, value)
    pairs."""
    try:
        document = _decoder(constants, pairs).decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        if error.msg.startswith("Unterminated") or not text[error.pos :].strip():
            raise Unfit(place, text.rstrip()[-40:], f"JSON; {CUT}") from None
        raise Unfit(place, error.msg, "JSON") from None
    except RecursionError:
        raise Unfit("", f"more than {DEEPEST} levels", "JSON of fewer levels") from None
    except Unfit:
        raise
    except ValueError as error:
        # Python converts no whole number of more than 4,300 digits.
        if "digits" not in str(error):
            raise
        raise Unfit("", "a whole number of thousands of digits", "numbers of at most 64 bits") from None
    if text.count("[") + text.count("{") > DEEPEST or _SUSPECT.search(text):
        _check_values(document, halves, constants)
    return document


def join_surrogates(text: str) -> str:
    """``text`` with surrogates joined to characters where two halves meet, U+FFFD where one is alone."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def parse_reply(text: str) -> Any:
    """The JSON value of a model's reply, if its whole text is one; else None, which ``null`` gives too. NaN
    and Infinity are numbers here, of a repeated key the last value counts. With another :func:`unfit`
    value it is None."""
    try:
        return parse(text, constants=True, pairs=dict)
    except Unfit:
        return None


def decode_utf8(content: bytes, file: str, row: str = "") -> str:
    """UTF-8 bytes as text without byte order mark; ``DataError`` at ``row`` of ``file`` for other bytes."""
    body = content.removeprefix(_SIGN)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        start = error.start + len(content) - len(body)
        place = "" if content.startswith(_OTHER) else f"byte {start + 1}"
        wrong_bytes = content[start : start + 4]
        raise DataError.at(file, row, place, wrong_bytes, "UTF-8 text") from None


def load(content: bytes | str, file: str, **how: object) -> Any:
    """The document in the ``content`` of ``file``; ``DataError`` where it is empty or :func:`parse`, with ``how``, refuses it."""
    text = decode_utf8(content, file) if isinstance(content, bytes) else content
    if not text or text.isspace():
        raise DataError.at(file, "", "", "an empty file", "JSON")
    try:
        return parse(text, **how)
    except Unfit as error:
        raise DataError.at(file, error.place, "", error.found, error.expected) from None


def read_lines(path: str | Path) -> Iterator[bytes]:
    """Yields the lines of a file with their ends, unpacked if it is gzipped; ``DataError`` if it cannot be read."""
    file = Path(path).name
    try:
        with Path(path).open("rb") as plain:
            packed = plain.read(2) == b"\x1f\x8b"
            plain.seek(0)
            if packed:
                with gzip.open(plain) as handle:
                    yield from handle
            else:
                yield from plain
    except (OSError, EOFError, zlib.error) as error:
        raise DataError.at(file, "", "", str(error), "a file that can be read") from None


def read(path: str | Path, **how: object) -> Any:
    """The document in a file, gzipped or not; ``DataError`` as :func:`load`. ``how``: options of :func:`parse`."""
    return load(b"".join(read_lines(path)), Path(path).name, **how)


def read_objects(path: str | Path, faults: list[Fault]) -> Iterator[tuple[int, dict]]:
    """Yields (line number from 1, object) of JSON Lines, gzipped or not; blank lines are passed over.

    A line that is no object is added to ``faults``, in its turn. ``DataError`` for UTF-16 or an unreadable file.
    """
    file = Path(path).name
    for number, line in enumerate(read_lines(path), start=1):
        if number == 1 and line.startswith(_OTHER):
            decode_utf8(line, file)
        if not line.strip():
            continue
        try:
            text = decode_utf8(line, file, str(number)).strip()
            record = parse(text)
        except DataError as error:
            faults += error.faults
        except Unfit as error:
            place, found_text, expected = error.place, error.found, error.expected
            if expected.startswith("JSON;") or expected == "JSON":
                place, found_text = place.replace("line 1 column", "character"), text
                expected = expected.replace("JSON", "a JSON object", 1)
            faults.append(Fault(file, str(number), place, found_text, expected))
        else:
            if isinstance(record, dict):
                yield number, record
            else:
                faults.append(Fault(file, str(number), "", record, "a JSON object"))


def _check_unique_keys(node, file: str) -> None:
    """``DataError`` where a mapping in a YAML document has a key twice, of which its reader would keep the last."""
    import yaml

    waiting, visited = [node], set()
    while waiting:
        node = waiting.pop()
        if id(node) in visited or not isinstance(node, yaml.CollectionNode):
            continue
        visited.add(id(node))
        inner = node.value
        if isinstance(node, yaml.MappingNode):
            names = [name.value for name, _ in inner if isinstance(name, yaml.ScalarNode)]
            for name, _ in inner:
                if names.count(name.value) > 1:
                    place = f"line {name.start_mark.line + 1}"
                    raise DataError.at(file, place, "", f"{name.value} twice", "every key once")
            inner = [child for _, child in inner]
        waiting += inner


def read_yaml(path: str | Path) -> Any:
    """The document in a YAML file from outside; None where it is empty.

    ``DataError`` for what is no UTF-8 or no single YAML document, a key twice, and more than :data:`DEEPEST`
    levels."""
    import yaml

    file, loader = Path(path).name, getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = decode_utf8(Path(path).read_bytes(), file)
    opening = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
    closing = (yaml.SequenceEndEvent, yaml.MappingEndEvent)
    try:
        depth = 0
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, opening) - isinstance(event, closing)
            if depth > DEEPEST:
                raise DataError.at(file, "", "", f"more than {DEEPEST} levels", "YAML of fewer levels")
        reader = loader(text)
        node = reader.get_single_node()
        _check_unique_keys(node, file)
        return None if node is None else reader.construct_document(node)
    except (yaml.YAMLError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        message = " ".join(str(error).split())
        raise DataError.at(file, "", "", message, "YAML") from None
