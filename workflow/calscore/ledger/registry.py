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
class Source:
    compute: Callable
    tables: tuple[str, ...]
    estimates: tuple[str, ...]
    exact: tuple[str, ...]
    noted: tuple[str, ...]
    needs: str


SOURCES: list[Source] = []


def register_quantities(*tables: str, estimates="", exact="", noted="", needs: str = RELEASE):
    """Register a function of those tables and the names of the quantities that it returns.

    ``estimates`` have an interval for each of their parts (:mod:`.quantity_intervals`). ``exact`` ones are
    counted, follow from definitions, or apply a rule to the questions, buzzes and teams as they
    are: nothing is sampled. No statement is tested on what is ``noted``: in notes only.
    """

    def register(compute):
        names = (tuple(text.split()) for text in (estimates, exact, noted))
        SOURCES.append(Source(compute, tables, *names, needs))
        return compute

    return register


def by_part(parts: dict[tuple, tuple[object, str]], rows: str) -> tuple[dict, str, dict]:
    """Value, rows and rows of parts of a quantity from its parts: place → value and rows."""
    values = nest({place: value for place, (value, _) in parts.items()})
    return values, rows, {place: text for place, (_, text) in parts.items()}


def rows_of(count: int) -> str:
    """How many rows, as evidence says it."""
    return f"({count} row{'' if count == 1 else 's'})"


def has_texts(questions) -> bool:
    """Whether a study has texts: one made from an extract has none."""
    return bool(questions["text"].notna().all())
