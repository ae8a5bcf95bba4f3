"""Findings of all stages in one table, and what the inputs do not allow."""

from pathlib import Path

import pandas as pd

from ..core import catalog, store


def sort_issues(table: pd.DataFrame) -> pd.DataFrame:
    """Table findings in order: warnings first, then kinds with few rows, so that none is buried. Its index is new."""
    many = table.groupby("finding")["finding"].transform("size")
    rank = table["severity"].map({"warning": 0, "info": 1})
    order = table.assign(rank=rank, many=many).sort_values(["rank", "many", "stage"], kind="stable")
    return order.drop(columns=["rank", "many"]).reset_index(drop=True)


def collect_findings(
    parts: list[Path], features: list[str], names: dict[str, str]
) -> dict[str, pd.DataFrame]:
    """Tables {findings (of all stages, :func:`sort_issues`, without repeats), unavailable (what ``features`` of the study
    lack), names}. ``parts``: CSV files of findings; ``names``: model → name. An override without a guess counts only if neither
    guesses nor survey use it."""
    findings = pd.concat([store.read_csv(path, "findings") for path in parts], ignore_index=True)
    # Guesses and the survey are judged apart: what is found in both stands once, and a verdict has an effect if in one.
    idle = (findings["finding"] == "override without a guess") & ~findings.duplicated(keep=False)
    if {"guesses", "survey"} <= set(features):
        findings = findings[~idle]
    missing = store.frame(catalog.unavailable(set(features)), "unavailable")
    shown_names = store.frame([{"model": key, "name": name} for key, name in names.items()], "names")
    return {
        "findings": sort_issues(findings.drop_duplicates(ignore_index=True)),
        "unavailable": missing,
        "names": shown_names,
    }
