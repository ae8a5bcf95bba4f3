"""What holds of the ledger of published statements, and of what printed numbers allow."""

from __future__ import annotations

from ..audit.outcome import bad, same

STATUSES = {
    "reproduced",
    "contradicted",
    "internally inconsistent",
    "needs unpublished data",
    "not applicable (simulated)",
    "not in the source",
}


def verdicts_known(claims):
    """Every statement has one of the known verdicts, and an identifier of its own."""
    return bad(claims, ~claims["status"].isin(STATUSES) | claims.duplicated("id"), "id", "status")


def recomputed_or_not(claims):
    """What is reproduced or contradicted was recomputed from a named file."""
    known = claims["status"].isin(["reproduced", "contradicted"])
    missing = claims["recomputed"].isna() | claims["evidence"].isna()
    return bad(claims, known & missing, "id", "status")


def ends_of_what_is_printed(forensics):
    """What a printed number stands for and what a reading allows have ends in order; slack is not negative."""
    t = forensics
    wrong = (t["printed_low"] > t["printed_high"]) | (t["low"] > t["high"] + 1e-9)
    return bad(t, wrong | (t["slack"] < 0), "cell", "check")


def cells_as_printed(forensics_cells, forensics):
    """Every cell examined has one verdict, and the printed number of its examinations."""
    key = ["table", "cell"]
    of = forensics.drop_duplicates([*key, "printed"])
    of = of[of["printed"].notna()]
    known = forensics_cells.merge(of[key].drop_duplicates())
    return same(known, of, key, ["printed"])


def readings_counted(forensics_readings):
    """Impossible, inconsistent and allowed cells are at most the cells."""
    t = forensics_readings
    parts = t[["impossible", "inconsistent", "allowed"]].sum(axis=1)
    return bad(t, parts > t["cells"], "table", "cells")
