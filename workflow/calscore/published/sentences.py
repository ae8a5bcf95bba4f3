"""What was found, in words: a row of the ledger as a sentence, and its statements with a verdict each.

A claim says how its value reads: ``says: "{{value}} of {{n_questions}} questions have fewer than five sentences"``,
expressions in braces as in notes. Without that, its note says what was recomputed ("recomputed: least, mean and most
words"), or the printed and the recomputed number stand side by side.
"""

from __future__ import annotations

import re

import pandas as pd

from ..core import store

DIGITS = 3
MOST = 6
"""Items of a list that are named; numbers of a longer one are given by their ends."""

HOLDS, DEPENDS, FAILS, UNDECIDED, OPEN, SIMULATED, ABSENT = VERDICTS = (
    "holds", "in part", "fails", "undecided", "open", "simulated", "not printed",
)  # fmt: skip
"""Over the readings: ``holds`` in all, ``in part`` in some, ``fails`` in all; ``undecided`` where noise decides."""
_OF = {
    "reproduced": HOLDS,
    "contradicted": FAILS,
    "internally inconsistent": FAILS,
    "undecided": UNDECIDED,
    "needs unpublished data": OPEN,
    "not applicable (simulated)": SIMULATED,
    "not in the source": ABSENT,
}


def number(value: float) -> str:
    """At most three significant digits; what is whole is a count and stays whole."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value != value:
        return "unknown"
    if float(value).is_integer() and abs(value) < 1e9:
        return f"{int(value):,}"
    shown = f"{value:.{DIGITS}g}"
    shown = f"{float(shown):,.0f}" if "e" in shown and abs(value) >= 1 else shown
    return shown.replace("-", "−") if "e" not in shown else f"{value:.6f}".rstrip("0")[:9]


def spoken(value, names: dict[str, str]) -> str:
    """A value in words: keys of models by their names, lists with commas and "and", no brackets."""
    if value is None or isinstance(value, str):
        return names.get(value, value) or ""
    if isinstance(value, (bool, int, float)):
        return number(value)
    if isinstance(value, dict):
        return _listed([f"{names.get(k, k)} {spoken(v, names)}" for k, v in value.items()])
    items = list(value) if not isinstance(value, (set, frozenset)) else sorted(value)
    if not items:
        return "none"
    plain = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in items)
    if plain and len(items) > MOST:
        return f"{len(items)} values from {number(min(items))} to {number(max(items))}"
    nested = any(isinstance(one, (list, tuple, dict)) for one in items)
    return _listed([spoken(one, names) for one in items], "; " if nested and len(items) > 1 else "")


def named(text: str, names: dict[str, str]) -> str:
    """Keys of models in a text by their names."""
    return re.sub(r"\b[A-Z]\d*\b", lambda key: names.get(key[0], key[0]), text)


def _listed(items: list[str], between: str = "") -> str:
    if len(items) > 2 * MOST:
        items = [*items[:MOST], f"{len(items) - MOST} more"]
    if between:
        return between.join(items)
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))


_DECIMAL = re.compile(r"(?<![\w.§])-?\d+\.\d+")
_RECOMPUTED = re.compile(r"recomputed: ([^;:(]+)")


def found(claim: dict, value, names: dict[str, str], note: str, needs: str | None) -> str:
    """The sentence of a claim without ``says``: ``value`` as recomputed, ``note`` as written."""
    if needs:
        return f"Cannot be settled without {needs}." if value is None else ""
    if value is None:
        return ""
    what = _RECOMPUTED.search(note)
    if isinstance(value, bool):
        # Whether it is so stands in the verdict: of the note what is no reading and no value.
        parts = [p for p in note.split("; ") if p and not p.startswith(("read as", "recomputed"))]
        return _sentence(_DECIMAL.sub(lambda m: number(float(m[0])), parts[0])) if parts else ""
    if what and "nearest" not in what[1]:
        return _sentence(f"{what[1].strip().rstrip('.,')}: {spoken(value, names)}")
    printed = claim.get("published")
    if isinstance(printed, str) and re.fullmatch(r"-?[\d.]+", printed):
        printed = float(printed)
    if printed is not None:
        return f"Printed {spoken(printed, names)}, recomputed {spoken(value, names)}."
    return _sentence(f"recomputed: {spoken(value, names)}")


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def of_statement(claim: dict) -> str:
    """The statement that a claim is a reading or a part of: its own, without what stands in brackets at the end."""
    return claim.get("of") or re.sub(r" \([^()]*\)$", "", claim["statement"])


FORMS = {"reading": "claims", "cell": "printed_cells", "range": "attainable_ranges"}
"""What a row of the ledger is, and the table that holds it."""


def tables(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Rows of the ledger as statements and their children: readings, printed cells and attainable ranges."""
    of = {name: rows.loc[rows["form"] == form, store.columns(name)] for form, name in FORMS.items()}
    return {"statements": statements(rows), **of}


def statements(rows: pd.DataFrame) -> pd.DataFrame:
    """tables/statements: one row a statement, from the rows of the ledger that are its children.

    Its verdict is that of its readings; of a printed table, which has none, that of its cells. A range can say that a
    number cannot be had, never that it was: ranges are counted and give no verdict.
    """
    found = []
    for (section, of), group in rows.groupby(["section", "of"], sort=False):
        by = {form: group[group["form"] == form] for form in FORMS}
        judged = next((by[form] for form in ("reading", "cell") if len(by[form])), group.iloc[:0])
        verdicts = judged["status"].map(_OF)
        count = {name: int((verdicts == name).sum()) for name in VERDICTS}
        verdict = _verdict(count) if len(judged) else OPEN
        basis = judged["basis"] if len(judged) else group["basis"]
        weight = min(group["weight"], key=WEIGHTS.index)
        stays = judged["stays"].astype(float)
        least = judged.loc[stays.idxmin()] if stays.notna().any() else None
        found.append(
            {
                "statement": (judged if len(judged) else group)["id"].iloc[0],
                "section": section,
                "quote": of,
                "weight": weight,
                "shown": bool(group["shown"].any()),
                "basis": next(one for one in BASES if (basis == one).any()),
                "verdict": verdict,
                "says": _says(judged, verdicts, verdict, count, by),
                "robustness": None if least is None else least["stays"],
                **{
                    key: None if least is None else least[key]
                    for key in ("decides", "difference", "low", "high")
                },
                "checks": len(judged),
                "holding": count[HOLDS],
                "failing": count[FAILS],
                "undecided": count[UNDECIDED],
                "cells": len(by["cell"]),
                "cells_same": int((by["cell"]["status"] == "reproduced").sum()),
                "ranges": len(by["range"]),
                "ranges_possible": int((by["range"]["status"] == "reproduced").sum()),
                "claims": " ".join(group["id"]),
            }
        )
    return store.frame(found, "statements")


def _verdict(count: dict[str, int]) -> str:
    """In all, in some or in none of the readings; ``open`` ones, which nothing could decide, aside."""
    decided = {name for name in (HOLDS, FAILS, UNDECIDED) if count[name]}
    if len(decided) == 1:
        return decided.pop()
    if decided:
        return DEPENDS if HOLDS in decided else UNDECIDED
    return next((name for name in (OPEN, SIMULATED) if count[name]), ABSENT)


WEIGHTS = ("result", "label", "description", "typo")
BASES = ("data", "model outputs", "printed arithmetic", "known fact", "possible or impossible", "none")  # fmt: skip
_OUTPUTS = ("scores/", "judged/", "tidy/guesses", "tables/readings", "tables/reading_cells")


def basis(evidence: str) -> str:
    """What kind of evidence the files are that a row looked at."""
    files = [part.partition(": ")[0] for part in evidence.split("; ") if ": " in part]
    if not files:
        return "none"
    if all(one.startswith(("config/", "workflow/")) for one in files):
        return "printed arithmetic"
    return "model outputs" if any(one.startswith(_OUTPUTS) for one in files) else "data"


def _says(judged, verdicts, verdict: str, count: dict[str, int], by) -> str:
    said = judged["says"].fillna("")
    decided = count[HOLDS] + count[FAILS] + count[UNDECIDED]
    total = len(judged)
    if total and len(by["cell"]) == total:
        text = f"{count[HOLDS]} of {decided} numbers come out." if decided else ""
        text = text or f"{total} numbers, none of them decided."
        open_ = total - decided
        text += f" {open_} {'is' if open_ == 1 else 'are'} open." if decided and open_ else ""
    else:
        first = said[verdicts == (FAILS if verdict == DEPENDS and count[FAILS] else verdict)]
        text = next((one for one in first if one), next((one for one in said if one), ""))
        if total > 1 and decided:
            which = "reading" if judged["statement"].nunique() < total else "check"
            text += f" It holds in {count[HOLDS]} of {total} {which}s"
            for number, word in ((count[UNDECIDED], "undecided"), (total - decided, "open")):
                text += f", {number} {'is' if number == 1 else 'are'} {word}" if number else ""
            text += "."
    if len(by["cell"]) and len(by["cell"]) != total:
        text += f" Of {len(by['cell'])} numbers {int((by['cell']['status'] == 'reproduced').sum())} come out."
    if len(by["range"]):
        possible = int((by["range"]["status"] == "reproduced").sum())
        text += f" {possible} of {len(by['range'])} attainable ranges hold the printed number."
    return text.strip()
