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

    columns = store.columns("findings")
    return pd.DataFrame(findings, columns=columns, dtype="str").drop_duplicates(ignore_index=True)


def ordered(table):
    """Warnings first, and rare kinds before those with many rows, so that none is buried."""
    many = table.groupby("finding")["finding"].transform("size")
    rank = table["severity"].map({"warning": 0, "info": 1})
    order = table.assign(rank=rank, many=many).sort_values(["rank", "many", "stage"], kind="stable")
    return order.drop(columns=["rank", "many"]).reset_index(drop=True)
