"""Verdicts on printed numbers over all readings, from the checks of each (tables/forensics.csv)."""

from __future__ import annotations

import math

import pandas as pd

from ..core import store
from .printed_cells import (
    AS_PRINTED,
    BAD,
    CONSISTENT,
    EXCHANGED,
    HEAD,
    IMPOSSIBLE,
    INCONSISTENT,
    POSSIBLE,
    UNTESTED,
    load_examine_section,
)

READING = ["definition", "h_definition", "segmentation", "state"]
"""Metric definition, h definition, segmentation, and how the clue at a share is found (tables.READINGS
or ``declared``: a number of answers that the published file names). Blank holds under any."""


def _covers(general: tuple, special: tuple) -> bool:
    """Whether a row of reading ``general``, where a blank is any, holds under ``special``."""
    return all(g in ("", s) for g, s in zip(general, special, strict=True))


def _by_reading(rows: list[dict]) -> dict[tuple, list[dict]]:
    """Each reading that is named most fully → all tested rows that hold under it."""
    tested = [row for row in rows if row["verdict"] != UNTESTED]
    keyed: dict[tuple, list[dict]] = {}
    for row in tested:
        keyed.setdefault(tuple(row[name] for name in READING), []).append(row)
    full = [k for k in keyed if not any(k != peer and _covers(k, peer) for peer in keyed)]
    return {
        key: [row for k, group in keyed.items() if _covers(k, key) for row in group] for key in full
    }


def _place(key: tuple) -> str:
    return " / ".join(filter(None, key))


def _miss(row: dict) -> float:
    """How far the printed number lies outside the row's range; infinite where it has none."""
    miss = max(row["low"] - row["printed_high"], row["printed_low"] - row["high"])
    return math.inf if math.isnan(miss) else miss


def _judge(rows: list[dict]) -> tuple[str, dict, dict]:
    """Verdict over all readings, and of each reading that allows and that excludes its rows."""
    parts = _by_reading(rows)
    against = {k: [r for r in part if r["verdict"] in BAD] for k, part in parts.items()}
    against = {k: part for k, part in against.items() if part}
    allowing = {k: part for k, part in parts.items() if k not in against}
    if not parts:
        return UNTESTED, {}, {}
    if allowing:
        verdicts_seen = {row["verdict"] for part in allowing.values() for row in part}
        return CONSISTENT if CONSISTENT in verdicts_seen else POSSIBLE, allowing, against
    alone = all(any(r["verdict"] == IMPOSSIBLE for r in part) for part in against.values())
    return IMPOSSIBLE if alone else INCONSISTENT, allowing, against


def _proof(verdict: str, rows: list[dict], allowing: dict, against: dict) -> str:
    """One sentence for the verdict over all readings; of exclusions the nearest to being allowed."""
    if verdict == UNTESTED:
        return rows[0]["proof"]
    count = len(allowing) + len(against)
    if verdict in BAD:
        # A reading fails by its worst row; the reading that fails least is the strongest proof.
        worst = {key: max(part, key=_miss) for key, part in against.items()}
        key, row = min(worst.items(), key=lambda item: _miss(item[1]))
        if not _place(key):
            return row["proof"]
        return (
            f"excluded under {count} of {count} readings, least under {_place(key)}: {row['proof']}"
        )
    key, part = next(iter(allowing.items()))
    best = next(row for row in part if row["verdict"] == verdict)
    if not _place(key):
        return best["proof"]
    return (
        f"allowed under {len(allowing)} of {count} readings, such as {_place(key)}: {best['proof']}"
    )


def verdicts(table: pd.DataFrame) -> pd.DataFrame:
    """forensics_cells.csv: one verdict per printed cell over all its readings, with its proof.

    ``impossible``: under every reading the released data exclude it. ``inconsistent``: under every
    reading they or other printed numbers do. Otherwise ``consistent`` where some printed number was
    held against it, or ``possible``; ``excluded_by`` then names the readings that do exclude it.
    ``verdict_exchanged``: the same where the columns declared under ``exchange`` are exchanged.
    """
    entries = []
    cells_of: dict[tuple, list[dict]] = {}
    for row in table.to_dict("records"):
        cells_of.setdefault((row["table"], row["cell"]), []).append(row)
    for rows in cells_of.values():
        printed = [row for row in rows if row["columns"] != EXCHANGED]
        verdict, allowing, against = _judge(printed)
        swapped = [row for row in rows if row["columns"] != AS_PRINTED]
        both = any(row["columns"] == EXCHANGED for row in rows)
        entries.append(
            {name: rows[0][name] for name in [*HEAD, "printed"]}
            | {
                "verdict": verdict,
                "readings": len(allowing) + len(against),
                "readings_allowed": len(allowing),
                "excluded_by": "; ".join(_place(key) or "any reading" for key in against),
                "verdict_exchanged": _judge(swapped)[0] if both else "",
                "proof": _proof(verdict, printed, allowing, against),
            }
        )
    return pd.DataFrame(entries, columns=store.columns("forensics_cells"))


def _groups(rows: list[dict], totals: dict[str, str]) -> dict[str, list[dict]]:
    """Table → its rows; a table with a total also together with the table of that total."""
    groups: dict[str, list[dict]] = {}
    for row in rows:
        if row["table"] not in ("sums", "shares"):
            groups.setdefault(row["table"], []).append(row)
    both = {
        f"{total} with {name}": groups[total] + groups[name]
        for name, total in totals.items()
        if name in groups and total in groups
    }
    return groups | both


def readings(table: pd.DataFrame, published: dict) -> pd.DataFrame:
    """forensics_readings.csv: under each reading, how many cells of each table are excluded.

    A table with a total is also taken together with the table of the total: a reading must allow
    both.
    """
    entries = []
    specs = load_examine_section(published)["tables"]
    totals = {spec["table"]: spec["total"] for spec in specs if "total" in spec}
    for name, rows in _groups(table.to_dict("records"), totals).items():
        ways = {row["columns"] for row in rows} - {""}
        for columns in sorted(ways) or [""]:
            chosen = [row for row in rows if row["columns"] in ("", columns)]
            for key, part in _by_reading(chosen).items():
                words: dict[tuple, set[str]] = {}
                for row in part:
                    words.setdefault((row["table"], row["cell"]), set()).add(row["verdict"])
                impossible = sum(IMPOSSIBLE in verdicts_seen for verdicts_seen in words.values())
                bad = sum(bool(verdicts_seen & set(BAD)) for verdicts_seen in words.values())
                place = (name, *key, columns)
                entries.append((*place, len(words), impossible, bad - impossible, len(words) - bad))
    return pd.DataFrame(entries, columns=store.columns("forensics_readings"))
