"""What holds of the ledger of published statements, and of what printed numbers allow."""

from __future__ import annotations

import pandas as pd

from ..audit.outcome import bad, near, same, worst

STATUSES = {
    "reproduced",
    "contradicted",
    "internally inconsistent",
    "undecided",
    "needs unpublished data",
    "not applicable (simulated)",
    "not in the source",
}


def verdicts_known(table):
    """Every statement has one of the known verdicts, an identifier of its own, and the tolerance that is tested."""
    stated = table["predicate"].str.extract(r"<= ([\d.e-]+) \+ 1e-9")[0].astype(float)
    wrong = ~table["status"].isin(STATUSES) | table.duplicated("id")
    tolerance = table["tolerance"]
    wrong |= stated.notna() & tolerance.notna() & ~near(stated, tolerance, 1e-12)
    return bad(table, wrong, "id", "status", "tolerance")


def statements_of_the_ledger(statements, claims, printed_cells, attainable_ranges=None):
    """Children of a statement are rows of the ledger, each of one statement; what holds and fails, printed numbers and ranges are counted there."""
    t = statements
    parts = t.assign(id=t["claims"].str.split(" ")).explode("id")[["statement", "id"]]
    rows = parts.merge(claims[["id", "status"]], on="id", how="left")
    cells = parts.merge(printed_cells[["id", "status"]], on="id")
    tables = set(t["statement"]) - set(rows.loc[rows["status"].notna(), "statement"])
    rows = pd.concat([rows, cells[cells["statement"].isin(tables)]])
    worded = set(cells.loc[cells["status"].eq("contradicted"), "statement"])
    split = (t["failing"] + t["undecided"] > 0) | t["statement"].isin(worded)
    wrong = (t["verdict"] == "in part") != ((t["holding"] > 0) & split)
    for statuses, column in (
        (["reproduced"], "holding"),
        (["contradicted", "internally inconsistent"], "failing"),
        (["undecided"], "undecided"),
    ):
        count = rows["status"].isin(statuses).groupby(rows["statement"]).sum()
        wrong |= t["statement"].map(count) != t[column]
    wrong |= t["holding"] + t["failing"] + t["undecided"] > t["checks"]
    for of, column in ((printed_cells, "cells"), (attainable_ranges, "ranges")):
        if of is not None:
            count = parts["id"].isin(of["id"]).groupby(parts["statement"]).sum()
            wrong |= t["statement"].map(count) != t[column]
    sampled = t["robustness"].notna()
    wrong |= sampled & ~((t["low"] <= t["high"]) & t["difference"].notna())
    known = pd.concat([claims["id"], printed_cells["id"]])
    lost = set(known) - set(parts["id"])
    doubled = parts["id"].duplicated() | parts["id"].isna()
    return worst(
        bad(t, wrong, "statement"),
        bad(claims, claims["id"].isin(lost), "id"),
        bad(parts, doubled, "id"),
    )


def recomputed_or_not(table):
    """What is reproduced or contradicted was recomputed from a named file."""
    known = table["status"].isin(["reproduced", "contradicted"])
    missing = table["recomputed"].isna() | table["evidence"].isna()
    return bad(table, known & missing, "id", "status")


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


def readings_ranked(readings):
    """Within a printed column ranks are 1, 2, … as deviations grow; no more cells within rounding than there are."""
    t = readings.sort_values(["table", "metric", "rank"])
    column = [t["table"], t["metric"]]
    wrong = t["rank"] != t.groupby(["table", "metric"]).cumcount() + 1
    wrong |= t["deviation_mean"].groupby(column).diff() < 0
    wrong |= (t["within"] > t["cells"]) | (t["rank"] > t["tried"])
    wrong |= t["cells"] != t["cells"].groupby(column).transform("median")
    wrong |= t["deviation_mean"] > t["deviation_max"] + 1e-12
    return bad(t, wrong, "table", "metric", "reading")


def deviations_of_the_best(reading_cells, readings):
    """The cells are those of the best reading of each column, with its deviations; percent where it prints percent."""
    t = reading_cells
    best = readings[readings["rank"] == 1]
    scale = t["metric"].map({"accuracy": 100.0}).fillna(1.0)
    gap = t["recomputed"] - t["printed"].astype(float) / scale
    off = gap.abs()
    of = t.assign(off=off, n=1).groupby(["table", "metric", "reading"])
    found = of.agg(
        cells=("n", "sum"), within=("within", "sum"), deviation_max=("off", "max"), deviation_mean=("off", "mean")
    )  # fmt: skip
    key = ["table", "metric", "reading"]
    return worst(
        same(
            best, found.reset_index(), key, ["cells", "within", "deviation_max", "deviation_mean"]
        ),
        bad(t, t["within"] & ~t["allowed"] | ~near(t["deviation"], gap), "table", "cell"),
    )


def ends_of_rounding(rounding):
    """A score lies between the ends that rounding leaves it, all of them on [0, 1]."""
    t = rounding
    wrong = ~((t["low"] <= t["value"] + 1e-12) & (t["value"] <= t["high"] + 1e-12))
    wrong |= (t["low"] < -1e-12) | (t["high"] > 1 + 1e-12)
    return bad(t, wrong, "model", "marks", "definition", "metric")
