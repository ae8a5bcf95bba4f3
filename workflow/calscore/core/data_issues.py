"""What is odd in the input: found by the code, listed, never patched in silence."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from . import catalog
from .package import FOLDER


class Finding(NamedTuple):
    """One oddity. ``handling`` says what the workflow does about it."""

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
    """Kind → severity and handling."""
    return catalog.read_yaml(KINDS / f"{stage}.yaml")


def data_issue(stage: str, kind: str, place: str, detail: str) -> Finding:
    """A finding of a kind that is listed for its stage in :data:`KINDS`."""
    severity, handling = _kinds(stage)[kind]
    return Finding(stage, kind, severity, place, detail, handling)


def issue_table(findings: list[Finding]):
    """Table findings of a list of findings; exact repeats are kept once."""
    import pandas as pd

    from . import store

    columns = store.columns("findings")
    return pd.DataFrame(findings, columns=columns, dtype="str").drop_duplicates(ignore_index=True)


def sort_issues(table):
    """Findings in order: warnings first, then kinds with few rows, so that none is buried."""
    many = table.groupby("finding")["finding"].transform("size")
    rank = table["severity"].map({"warning": 0, "info": 1})
    order = table.assign(rank=rank, many=many).sort_values(["rank", "many", "stage"], kind="stable")
    return order.drop(columns=["rank", "many"]).reset_index(drop=True)


def collect_issues(parts: list[Path], features: list[str], names: dict[str, str]) -> dict:
    """Tables findings (of all stages), unavailable and names.

    ``parts``: CSV files of findings; ``features``: of the study; ``names``: model → name shown.
    """
    import pandas as pd

    from . import store

    findings = pd.concat([store.read_csv(path, "findings") for path in parts], ignore_index=True)
    # Guesses and the survey are judged apart: what is found in both stands once, and a verdict has an effect if in one.
    idle = (findings["finding"] == "override without a guess") & ~findings.duplicated(keep=False)
    if {"guesses", "survey"} <= set(features):
        findings = findings[~idle]
    missing = store.frame(catalog.unavailable(set(features)), "unavailable")
    shown_names = store.frame(
        [{"model": key, "name": name} for key, name in names.items()], "names"
    )
    return {
        "findings": sort_issues(findings.drop_duplicates(ignore_index=True)),
        "unavailable": missing,
        "names": shown_names,
    }
