"""One way to say that input is bad: which file, row, column and value, and what was expected."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from . import secrets
from .visible import escape_control_chars


@dataclass(frozen=True)
class Fault:
    """One fault in one place. The message reads ``<file>, row <row>, column <column>: found <value>, expected
    <expected>``; before "line 3" stands no "row". ``row`` names the place in the file: a question, a line, a
    key. Empty file, row and column are left out, a repr of over 120 characters is cut."""

    file: str
    row: str
    column: str
    value: object
    expected: str

    def __str__(self) -> str:
        row = "" if str(self.row).startswith("line ") else "row "
        parts = ("", self.file), (row, self.row), ("column ", self.column)
        place = ", ".join(f"{word}{part}" for word, part in parts if part)
        # What is cut off is no longer seen to be a key: it is hidden before.
        value_text = secrets.hide_keys(repr(self.value))
        if len(value_text) > 120:
            value_text = value_text[:117] + "..."
        return escape_control_chars(f"{place}: found {value_text}, expected {self.expected}")


class DataError(ValueError):
    """Input that cannot be used. ``faults``: as given, [] for a text; the message has a line for each of the
    first :attr:`SHOWN`, and one that counts the others."""

    SHOWN = 20

    def __init__(self, faults: Iterable[Fault] | Fault | str):
        faults = [faults] if isinstance(faults, Fault) else faults
        self.faults = [] if isinstance(faults, str) else list(faults)
        lines = [str(fault) for fault in self.faults[: self.SHOWN]]
        if len(self.faults) > self.SHOWN:
            lines.append(f"... and {len(self.faults) - self.SHOWN} more faults of this kind")
        super().__init__(faults if isinstance(faults, str) else "\n".join(lines))

    @classmethod
    def at(cls, *fault: Any) -> Self:
        """The error of one :class:`Fault`: file, row, column, value, what was expected."""
        return cls(Fault(*fault))


def split_source_row(source_row: str) -> tuple[str, str]:
    """(file, row in it) of a ``source_row``. The file's name may hold #; the origin that an extract adds after " = " belongs to
    the row."""
    file, row = re.fullmatch(r"(.*?)#([^#]*(?: = .*)?)", source_row, re.DOTALL).groups()
    return file, row


def raise_faults(faults: Iterable[Fault]) -> None:
    """Raise ``DataError`` with ``faults``, if any."""
    if faults := list(faults):
        raise DataError(faults)


class Faults(list[Fault]):
    """Faults of one file, gathered so that :meth:`refuse` says all of them at once."""

    def __init__(self, file: str):
        super().__init__()
        self.file = file

    def add(self, row: object, column: str, value: object, expected: str) -> None:
        """Append a :class:`Fault` of the file."""
        self.append(Fault(self.file, str(row), column, value, expected))

    def add_cells(self, values, mask, expected: str, begin: int = 2) -> None:
        """Add a fault for each cell of a Series where ``mask``, a Series of bool, is true; its first cell is in row ``begin``."""
        for place in mask.to_numpy(dtype=bool).nonzero()[0]:
            self.add(place + begin, values.name, values.iloc[place], expected)

    def refuse(self) -> None:
        """Raise ``DataError`` with the gathered faults, if any."""
        raise_faults(self)
