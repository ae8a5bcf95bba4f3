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

HOLDS, DEPENDS, FAILS, OPEN, SIMULATED, ABSENT = VERDICTS = (
    "holds", "in part", "fails", "open", "simulated", "not printed",
)  # fmt: skip
"""``in part``: in some readings or for some of the printed numbers."""
_OF = {
    "reproduced": HOLDS,
    "contradicted": FAILS,
    "internally inconsistent": FAILS,
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


def statements(claims: pd.DataFrame) -> pd.DataFrame:
    """tables/statements: one row a statement, from the rows of the ledger that are its readings and parts."""
    rows = []
    for (section, of), group in claims.groupby(["section", "of"], sort=False):
        verdicts = group["status"].map(_OF)
        count = {name: int((verdicts == name).sum()) for name in VERDICTS}
        verdict = _verdict(count)
        basis = group["evidence"].fillna("").map(_basis)
        weight = "result" if (group["weight"] == "result").any() else "description"
        weight = "printed numbers" if (group["weight"] == "printed numbers").all() else weight
        rows.append(
            {
                "statement": group["id"].iloc[0],
                "section": section,
                "quote": of,
                "weight": weight,
                "verdict": verdict,
                "says": _says(group, verdicts, verdict, count),
                "basis": next((b for b in ("data", "printed") if (basis == b).any()), "none"),
                "checks": len(group),
                "holding": count[HOLDS],
                "failing": count[FAILS],
                "undecided": len(group) - count[HOLDS] - count[FAILS],
                "claims": " ".join(group["id"]),
            }
        )
    return store.frame(rows, "statements")


def _verdict(count: dict[str, int]) -> str:
    if count[HOLDS] and count[FAILS]:
        return DEPENDS
    return next((name for name in (FAILS, HOLDS, OPEN, SIMULATED) if count[name]), ABSENT)


def _basis(evidence: str) -> str:
    if not evidence:
        return "none"
    files = [part.partition(": ")[0] for part in evidence.split("; ") if ": " in part]
    return "printed" if all(f.startswith(("config/", "workflow/")) for f in files) else "data"


def _says(group, verdicts, verdict: str, count: dict[str, int]) -> str:
    said = group["says"].fillna("")
    decided = count[HOLDS] + count[FAILS]
    if len(group) > 4 and group["statement"].nunique() == len(group):
        if not decided:
            return f"{len(group)} numbers, none of them decided."
        return f"{count[HOLDS]} of {decided} hold." + (
            f" {len(group) - decided} are open." if decided < len(group) else ""
        )
    first = said[verdicts == (FAILS if count[FAILS] else verdict)]
    text = next((one for one in first if one), next((one for one in said if one), ""))
    if len(group) > 1 and decided:
        which = "reading" if group["statement"].nunique() < len(group) else "check"
        open_ = len(group) - decided
        text += f" It holds in {count[HOLDS]} of {len(group)} {which}s"
        text += f", {open_} {'is' if open_ == 1 else 'are'} open." if open_ else "."
    return text.strip()
