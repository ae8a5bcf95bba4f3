"""Python pickles of plain data, loaded without running anything that they contain.

A pickle is a program for a small machine that can import and call any function. The participation
tables of the release are pickles but hold only lists, dicts, strings and integers, so the opcodes
that build those are all that is let through.
"""

import io
import pickle
import pickletools
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, Never

from ..core.errors import DataError

MAX_BYTES = 20_000_000
MAX_OPCODES = 2_000_000  # one-byte opcodes make objects of 60 bytes and more
MAX_DEPTH = 200  # levels of nesting; printing, comparing and pickling are recursive
PLAIN = "a pickle of plain lists, dicts, tuples, strings, numbers, booleans and None"

_STRINGS = {
    "STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8",
}  # fmt: skip
_PUTS = {"PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"}
_GETS = {"GET", "BINGET", "LONG_BINGET"}
# All that picklers of protocols 0 to 5 emit for these types. LONG4 (integers from 2,040
# bits), DUP and the POPs (tuples that contain themselves) are left out on purpose.
ALLOWED = _STRINGS | _PUTS | _GETS | {
    "PROTO", "FRAME", "STOP", "MARK", "NONE", "NEWTRUE", "NEWFALSE",
    "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "FLOAT", "BINFLOAT",
    "EMPTY_LIST", "LIST", "APPEND", "APPENDS", "EMPTY_DICT", "DICT", "SETITEM", "SETITEMS",
    "EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3",
}  # fmt: skip


def _fault(path: Path, place: str, value: object, expected: str = PLAIN) -> DataError:
    """``DataError`` that names the file and the ``place`` in it."""
    return DataError.at(str(path), place, "", value, expected)


def _describe(name: str, arg: object, pushed: list[str | None]) -> str:
    """An opcode with its argument, in words. ``pushed``: the last two values on the stack, None if no strings."""
    if name == "STACK_GLOBAL" and len(pushed) == 2 and None not in pushed:
        arg = ".".join(pushed)
    elif name in ("GLOBAL", "INST"):
        arg = str(arg).replace(" ", ".", 1)
    elif isinstance(arg, int) and arg.bit_length() > 64:
        # Python prints no integer of more than 4,300 digits.
        arg = f"of {arg.bit_length()} bits"
    return f"opcode {name}" if arg is None else f"opcode {name} {arg}"


def _scan(path: Path, data: bytes) -> None:
    """``DataError`` for any opcode that plain data does not need, and for a truncated or too long stream; builds no object."""
    stream = io.BytesIO(data)
    opcodes = pickletools.genops(stream)
    pushed: list[str | None] = []  # the last two values: the module and name of a STACK_GLOBAL
    memo: dict[int, str | None] = {}
    for count in range(MAX_OPCODES + 1):
        start = stream.tell()
        try:
            op, arg, _ = next(opcodes)
        except Exception as error:  # genops documents ValueError only, and raises others as well
            code = pickletools.code2op.get(chr(data[start])) if start < len(data) else None
            prefix = f"opcode {code.name}, " if code else ""
            text = f"no or a truncated pickle ({prefix}{error})"
            raise _fault(path, f"byte {start}", text) from None
        if op.name not in ALLOWED:
            raise _fault(path, f"byte {start}", _describe(op.name, arg, pushed))
        if op.name in _PUTS:
            # The unpickler allocates its memo up to the index: ten bytes could ask for gigabytes.
            index = len(memo) if arg is None else arg
            if not 0 <= index <= len(memo) + 1:
                expected = f"a memo index of at most {len(memo) + 1}"
                raise _fault(path, f"byte {start}", f"opcode {op.name} {arg}", expected)
            memo[index] = pushed[-1] if pushed else None
        elif op.name in _GETS:
            pushed = [*pushed[-1:], memo.get(arg)]
        elif op.name not in ("PROTO", "FRAME"):
            pushed = [*pushed[-1:], arg if op.name in _STRINGS else None]
        if op.name == "STOP":
            break
        if count == MAX_OPCODES:
            observed = f"more than {MAX_OPCODES} opcodes"
            raise _fault(path, f"byte {start}", observed, "a smaller pickle")
    if stream.tell() != len(data):
        excess = len(data) - stream.tell()
        observed = f"{excess} bytes after the end of the pickle"
        raise _fault(path, f"byte {stream.tell()}", observed)


class _PlainUnpickler(pickle.Unpickler):
    """An unpickler that refuses globals and persistent ids: the second line of defence after :func:`_scan`."""

    def find_class(self, module: str, name: str) -> Never:
        raise pickle.UnpicklingError(f"global {module}.{name}")

    def persistent_load(self, pid: object) -> Never:
        raise pickle.UnpicklingError(f"persistent id {pid!r}")


def _children(node: object) -> Collection[object]:
    """Keys and values of a dict, items of a list or tuple; empty for anything else."""
    if type(node) is dict:
        return [*node.keys(), *node.values()]
    return node if type(node) in (list, tuple) else ()


def _reason_not_plain(value: object) -> str | None:
    """Why ``value`` is not a plain tree of limited size (values and characters) and depth, or None. An object that occurs many
    times counts as many times: shared references let a few bytes amount to what nothing can print or compare."""
    done: dict[int, tuple[int, int]] = {}  # id → (size, depth) of every object left
    entered: set[int] = set()
    stack = [(value, False)]
    while stack:
        node, leaving = stack.pop()
        key, kind = id(node), type(node)
        if leaving:
            entered.discard(key)
            below = [done[id(child)] for child in _children(node)]
            size = 1 + sum(part[0] for part in below)
            depth = 1 + max((part[1] for part in below), default=0)
            if size > MAX_BYTES:
                return f"more than {MAX_BYTES} values and characters, counting repeated references"
            if depth > MAX_DEPTH:
                return f"more than {MAX_DEPTH} levels of nesting"
            done[key] = (size, depth)
        elif key in entered:
            return f"a {kind.__name__} that contains itself"
        elif key in done:
            continue
        elif kind in (list, tuple, dict):
            entered.add(key)
            stack.append((node, True))
            stack.extend((child, False) for child in _children(node))
        elif kind is str and re.search("[\ud800-\udfff]", node):
            return "a string with half a character (a lone surrogate)"
        elif kind is str:
            done[key] = (1 + len(node), 0)
        elif node is None or kind in (bool, float) or (kind is int and node.bit_length() < 2040):
            done[key] = (1, 0)
        else:
            return f"an int of {node.bit_length()} bits" if kind is int else f"a {kind.__name__}"
    return None


def load_plain(path: str | Path) -> Any:
    """The object in a pickle file of plain lists, dicts, tuples, str, int, float, bool and None. Protocols 0
    to 5; byte strings of Python 2 are read as UTF-8 text (ASCII in protocol 0). The stream is first scanned
    for other than harmless opcodes, then loaded by an unpickler that looks nothing up. No file can therefore
    make this function import or call anything. ``DataError`` for a file that is missing, larger than
    :data:`MAX_BYTES`, truncated, no pickle or followed by other bytes. Of a forbidden opcode it names the
    byte offset and, where known, the global. The same for more than 2,000,000 opcodes, memo indices out of
    order, integers of 2,040 bits or more and lone surrogates. Structures must not contain themselves, be
    nested over 200 levels deep, or amount to more than :data:`MAX_BYTES` values and characters, counting
    repeated references."""
    path = Path(path)
    try:
        if not path.is_file():  # a pipe or device is none: reading it might not end
            raise _fault(path, "", "no such file")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise _fault(path, "", f"{size} bytes", f"a pickle of at most {MAX_BYTES} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise _fault(path, "", error.strerror or str(error), "a readable file") from None
    _scan(path, data)
    try:
        value = _PlainUnpickler(io.BytesIO(data), encoding="utf-8").load()
    except Exception as error:  # the documentation of pickle: "other exceptions may also be raised"
        observed = f"a damaged pickle ({type(error).__name__}: {error})"
        raise _fault(path, "", observed) from None
    if complaint := _reason_not_plain(value):
        raise _fault(path, "", complaint)
    return value


def dump_plain(value: object) -> bytes:
    """Plain data as a pickle of protocol 4: equal values, of equal types and in equal order, give equal bytes, unlike
    ``pickle.dumps``. Other objects are not refused; a value that holds itself raises ``ValueError``."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=4)
    pickler.fast = True  # no memo, hence no trace of object identity
    pickler.dump(value)
    return buffer.getvalue()
