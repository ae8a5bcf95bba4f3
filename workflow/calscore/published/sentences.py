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


def number(value: float, digits: int = DIGITS) -> str:
    """At most so many significant digits; what is whole is a count and stays whole."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value != value:
        return "unknown"
    if float(value).is_integer() and abs(value) < 1e9:
        return f"{int(value):,}"
    shown = f"{value:.{digits}g}"
    shown = f"{float(shown):,.{2 * digits}g}" if abs(value) >= 1000 else shown
    return shown.replace("-", "−") if "e" not in shown else f"{value:.6f}".rstrip("0")[:9]


def digits_of(printed) -> int:
    """Significant digits that what stands beside a printed number is shown with: its own, at least ``DIGITS``."""
    written = map(str, printed if isinstance(printed, list) else [printed])
    numbers = (one.lstrip("-0.").replace(".", "") for one in written)
    return max([DIGITS, *(len(one) for one in numbers if one.isdigit())])


def spoken(value, names: dict[str, str], digits: int = DIGITS) -> str:
    """A value in words: keys of models by their names, lists with commas and "and", no brackets."""
    if value is None or isinstance(value, str):
        return names.get(value, value) or ""
    if isinstance(value, (bool, int, float)):
        return number(value, digits)
    if isinstance(value, dict):
        return _listed([f"{names.get(k, k)} {spoken(v, names, digits)}" for k, v in value.items()])
    items = list(value) if not isinstance(value, (set, frozenset)) else sorted(value)
    if not items:
        return "none"
    plain = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in items)
    if plain and len(items) > MOST:
        low, high = number(min(items), digits), number(max(items), digits)
        return f"{len(items)} values from {low} to {high}"
    nested = any(isinstance(one, (list, tuple, dict)) for one in items)
    return _listed(
        [spoken(one, names, digits) for one in items], "; " if nested and len(items) > 1 else ""
    )


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
    if printed is not None:
        digits = digits_of(printed)
        return (
            f"Printed {spoken(printed, names, digits)}, recomputed {spoken(value, names, digits)}."
        )
    return _sentence(f"recomputed: {spoken(value, names)}")


def too_few(count: int, least: int) -> str:
    """Why a statement that rests on counts has no verdict."""
    return f"A verdict would rest on as few as {number(count)} such events, and fewer than {number(least)} decide nothing."


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


BRACKET = r" \(([^()]*)\)$"
"""What tells a part of a statement from its other parts."""


def of_statement(claim: dict) -> str:
    """The statement that a claim is a reading or a part of: its own, without what stands in brackets at the end."""
    return claim.get("of") or re.sub(BRACKET, "", claim["statement"])


FORMS = {"reading": "claims", "cell": "printed_cells"}
"""What a row of the ledger is, and the table that holds it."""


def tables(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Rows of the ledger as statements and their children: readings and printed cells."""
    of = {name: rows.loc[rows["form"] == form, store.columns(name)] for form, name in FORMS.items()}
    return {"statements": statements(rows), **of}


def statements(rows: pd.DataFrame) -> pd.DataFrame:
    """tables/statements: one row a statement, from the rows of the ledger that are its children.

    Its verdict is that of its readings; of a printed table, which has none, that of its cells. A printed table that comes
    out in a reading and not as the source words it holds in part.
    """
    found = []
    for (section, of), group in rows.groupby(["section", "of"], sort=False):
        by = {form: group[group["form"] == form] for form in FORMS}
        judged = next((by[form] for form in ("reading", "cell") if len(by[form])), group.iloc[:0])
        verdicts = judged["status"].map(_OF)
        count = {name: int((verdicts == name).sum()) for name in VERDICTS}
        verdict = _verdict(count) if len(judged) else OPEN
        if verdict == HOLDS and (by["cell"]["status"].map(_OF) == FAILS).any():
            # Some way to compute the numbers gives them, what the source says of it does not.
            verdict = DEPENDS
        basis = judged["basis"] if len(judged) else group["basis"]
        weight = min(group["weight"], key=WEIGHTS.index)
        open_ones = judged[verdicts == UNDECIDED] if verdict == UNDECIDED else judged
        stays = open_ones["stays"].astype(float)
        least = open_ones.loc[stays.idxmin()] if stays.notna().any() else None
        found.append(
            {
                "statement": (judged if len(judged) else group)["id"].iloc[0],
                "section": section,
                "quote": of,
                "weight": weight,
                "shown": bool(group["shown"].any()),
                "basis": next(one for one in BASES if (basis == one).any()),
                "verdict": verdict,
                "says": _says(judged, verdicts, verdict, by, least),
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


WEIGHTS = ("result", "description", "label", "typo")
"""What a statement is, the weightiest first."""
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


_VERBS = {
    HOLDS: ("holds", "hold"),
    FAILS: ("fails", "fail"),
    UNDECIDED: ("is undecided", "are undecided"),
    OPEN: ("cannot be tested", "cannot be tested"),
    SIMULATED: ("is not compared", "are not compared"),
    ABSENT: ("is not printed", "are not printed"),
}


_PRINTED = _VERBS | {
    HOLDS: ("comes out", "come out"),
    FAILS: ("differs", "differ"),
    OPEN: ("needs data that are not public", "need data that are not public"),
}
"""The same of printed numbers."""


def _tally(verdicts: pd.Series, what: str, verbs_of=_VERBS) -> str:
    """How many hold, fail, are undecided or cannot be tested: every one of them is counted."""
    count = [(int((verdicts == name).sum()), verbs) for name, verbs in verbs_of.items()]
    parts = [f"{number} {verbs[number > 1]}" for number, verbs in count if number]
    if len(parts) == 1:
        every = "Both" if len(verdicts) == 2 else f"All {len(verdicts)}"
        return f"{every} {what} {parts[0].partition(' ')[2]}."
    return f"Of the {len(verdicts)} {what}, {_listed(parts)}."


def _says(judged, verdicts, verdict: str, by, least) -> str:
    """What a statement's readings found, and how its numbers come out.

    Of one that holds in part a reading of each verdict speaks, of an undecided one the reading that is least sure.
    """
    rows = judged.assign(verdict=verdicts, said=judged["says"].fillna(""))
    rows = rows.sort_values("shown", ascending=False, kind="stable")
    read = rows["note"].fillna("").str.extract(r"^read as: ([^;]+)", expand=False)
    rows["read"] = rows["statement"].str.extract(BRACKET, expand=False).fillna(read)
    parts = []
    if len(by["reading"]):
        first = rows[rows["said"] != ""].drop_duplicates("verdict").set_index("verdict")
        if verdict == DEPENDS and first["said"].nunique() > 1:
            for one in first.reindex([HOLDS, FAILS, UNDECIDED]).dropna(subset="said").itertuples():
                under = f" ({one.read})" if isinstance(one.read, str) else ""
                parts.append(f"Where it {_VERBS[one.Index][0]}{under}: {one.said}")
        else:
            said = [least["says"]] if verdict == UNDECIDED and least is not None else []
            said += [first["said"].get(verdict), *first["said"]]
            parts.append(next(filter(None, said), ""))
        if len(judged) > 1 and verdict not in (OPEN, SIMULATED, ABSENT):
            ways = judged["statement"].nunique() < len(judged)
            parts.append(_tally(verdicts, "ways to compute it" if ways else "parts of it"))
    if len(by["cell"]):
        cells = _tally(by["cell"]["status"].map(_OF), "printed numbers", _PRINTED)
        parts.append(f"Computed as the paper words it: {cells[0].lower()}{cells[1:]}")
    return " ".join(parts).strip()
