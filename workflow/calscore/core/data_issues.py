"""What is odd in the input: found by the code, listed, never patched in silence."""

from functools import cache
from typing import NamedTuple

from . import catalog
from .package import FOLDER


class Finding(NamedTuple):
    """One oddity: ``stage`` names its file of :data:`KINDS`, ``finding`` is its kind, ``severity`` warning or
    info, ``place`` where it is, ``handling`` what the workflow does about it."""

    stage: str
    finding: str
    severity: str
    place: str
    detail: str
    handling: str


KINDS = FOLDER / "core" / "findings"
"""What the workflow finds odd: a file for each stage, kind → how grave it is, and what is done about it."""


@cache
def _kinds(stage: str) -> dict[str, tuple[str, str]]:
    """Kind → (severity, handling) of the findings of a stage."""
    return catalog.read_yaml(KINDS / f"{stage}.yaml")


def data_issue(stage: str, kind: str, place: str, detail: str) -> Finding:
    """A :class:`Finding`, severity and handling from :data:`KINDS`; ``KeyError`` for a kind not listed for the stage."""
    severity, handling = _kinds(stage)[kind]
    return Finding(stage, kind, severity, place, detail, handling)


def issue_table(findings: list[Finding]):
    """Frame of table findings: one row per distinct :class:`Finding`, in the order given, all columns as text."""
    import pandas as pd

    from . import store

    columns = store.columns("findings")
    return pd.DataFrame(findings, columns=columns, dtype="str").drop_duplicates(ignore_index=True)
