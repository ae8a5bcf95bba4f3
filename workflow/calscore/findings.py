"""What is odd in the input: found by the code, listed, never patched in silence."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One oddity. ``handling`` says what the workflow does about it."""

    stage: str
    finding: str
    severity: str
    place: str
    detail: str
    handling: str


def frame(findings: list[Finding]):
    """Findings as a table (schema ``findings``); exact repeats are kept once."""
    import pandas as pd

    from . import store

    columns = list(store.schema("findings")["columns"])
    return pd.DataFrame(findings, columns=columns, dtype="str").drop_duplicates(ignore_index=True)
