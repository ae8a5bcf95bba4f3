"""Where functions register the quantities that they compute, with the tables and the input that they need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .estimates import nest

RELEASE = "the released questions and buzzes"
OUTPUTS = "per-clue model outputs"
SURVEY = "offline survey"
TEXTS = "texts of questions and guesses"


@dataclass(frozen=True)
class QuantitySource:
    compute: Callable
    tables: tuple[str, ...]
    estimates: tuple[str, ...]
    exact: tuple[str, ...]
    noted: tuple[str, ...]
    needs: str


SOURCES: list[QuantitySource] = []


def register_quantities(*tables: str, estimates="", exact="", noted="", needs: str = RELEASE):
    """Decorator: add ``function(tables, study)`` to :data:`SOURCES`, with the ``tables`` without which it is not called.

    It returns quantity → (value with estimates, evidence) or (…, …, evidence of parts); the three texts list the names
    that it may return. ``estimates`` have an interval for each part (:mod:`.quantity_intervals`), of ``exact`` ones
    nothing is sampled, and ``noted`` ones stand in notes only. ``needs``: the input to name where one is lacking.
    """

    def register(compute):
        names = (tuple(text.split()) for text in (estimates, exact, noted))
        SOURCES.append(QuantitySource(compute, tables, *names, needs))
        return compute

    return register


def nested_quantity(parts: dict[tuple, tuple[object, str]], rows: str) -> tuple[dict, str, dict]:
    """(nested value, ``rows``, place → rows of that part) of a quantity, from place → (value, rows of that part)."""
    values = nest({place: value for place, (value, _) in parts.items()})
    return values, rows, {place: text for place, (_, text) in parts.items()}


def row_count(count: int) -> str:
    """``(1 row)`` or ``(12 rows)``, as it stands in evidence."""
    return f"({count} row{'' if count == 1 else 's'})"


def has_texts(questions) -> bool:
    """Whether every question has its text; in a study made from an extract none has."""
    return bool(questions["text"].notna().all())
