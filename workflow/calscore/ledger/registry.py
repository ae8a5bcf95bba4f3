"""Where functions register the quantities that they compute, with the tables and the input that they need."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from .estimates import nest

RELEASE = "the released questions and buzzes"
OUTPUTS = "per-clue model outputs"
SURVEY = "offline survey"
TEXTS = "texts of questions and guesses"
Quantities = dict[str, tuple]
"""Name → (value with estimates, evidence) or (…, …, place → evidence of that part): what a registered function returns."""


@dataclass(frozen=True)
class QuantitySource:
    """A registered function ``compute(tables, study) -> Quantities``; the rest as :func:`register_quantities` was given it."""

    compute: Callable
    tables: tuple[str, ...]
    estimates: tuple[str, ...]
    exact: tuple[str, ...]
    noted: tuple[str, ...]
    needs: str


SOURCES: list[QuantitySource] = []


def register_quantities(
    *tables: str, estimates: str = "", exact: str = "", noted: str = "", needs: str = RELEASE
) -> Callable:
    """Decorator: add ``function(tables, study)`` to :data:`SOURCES`; it is called only if each of ``tables`` has rows.

    ``estimates``, ``exact`` and ``noted`` list, between spaces, the quantities that it may return. ``estimates`` have an
    interval for each part (:mod:`.quantity_intervals`), ``exact`` ones have no sampling error, and ``noted`` ones occur only
    in notes. ``needs``: words for the input that is lacking where they are absent.
    """

    def register(compute):
        names = (tuple(text.split()) for text in (estimates, exact, noted))
        SOURCES.append(QuantitySource(compute, tables, *names, needs))
        return compute

    return register


def nested_quantity(parts: dict[tuple, tuple[object, str]], rows: str) -> tuple[dict, str, dict]:
    """(nested value, ``rows``, place → rows of that part), from ``parts``: place → (value, rows of that part)."""
    values = nest({place: value for place, (value, _) in parts.items()})
    return values, rows, {place: text for place, (_, text) in parts.items()}


def row_count(count: int) -> str:
    """``(1 row)`` or ``(12 rows)``, as it stands in evidence."""
    return f"({count} row{'' if count == 1 else 's'})"


def has_texts(questions: pd.DataFrame) -> bool:
    """Whether every question has its text; none has in a study made from an extract. True for no questions."""
    return bool(questions["text"].notna().all())
