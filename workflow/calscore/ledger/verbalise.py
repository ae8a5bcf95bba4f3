"""What was found, in words: a row of the ledger as a sentence, and its statements with a verdict each.

A claim says how its value reads: ``says: "{{value}} of {{n_questions}} questions have fewer than five sentences"``,
expressions in braces as in notes. Without that, its note says what was recomputed ("recomputed: least, mean and most
words"), or the printed and the recomputed number stand side by side.
"""

import re

import pandas as pd

from ..core import store

DIGITS = 3
MOST = 6
"""Items named of a list over twice as long; of more numbers than these the ends are given."""

HOLDS, DEPENDS, FAILS, UNDECIDED, OPEN, SIMULATED, ABSENT = VERDICTS = (
    "holds", "in part", "fails", "undecided", "open", "simulated", "not at hand",
)  # fmt: skip
"""In these data, over the readings: ``holds`` in all, ``in part`` in some, ``fails`` in all; ``undecided`` where the
source leaves unsaid what would decide, or too few events leave both answers possible."""
TESTED = (HOLDS, FAILS, UNDECIDED)
VERDICT_OF = {
    "reproduced": HOLDS,
    "contradicted": FAILS,
    "internally inconsistent": FAILS,
    "undecided": UNDECIDED,
    "needs unpublished data": OPEN,
    "not applicable (simulated)": SIMULATED,
    "not at hand": ABSENT,
}
"""Every status of a row of the ledger → the verdict that it stands for."""


def number(value: float, digits: int = DIGITS) -> str:
    """A number in words: at most ``digits`` significant ones and six decimals (below: ``1.2 × 10^−7``),
    commas, a true minus. Whole numbers below 10⁹ are in full; ``yes`` or ``no`` of a truth value,
    ``unknown`` of nan."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value != value:
        return "unknown"
    if float(value).is_integer() and abs(value) < 1e9:
        return f"{int(value):,}".replace("-", "−")
    text = f"{value:.{digits}g}"
    if abs(value) >= 1000:
        text = f"{float(text):,}".removesuffix(".0")
    elif "e" in text:
        mantissa, power = text.split("e")
        text = f"{value:.6f}".rstrip("0") if int(power) > -7 else f"{mantissa} × 10^{int(power)}"
    return text.replace("-", "−")


def digits_of(printed: object) -> int:
    """Most significant digits of a printed number, or of a list of them, at least :data:`DIGITS`."""
    written = map(str, printed if isinstance(printed, list) else [printed])
    numbers = (item.lstrip("-0.").replace(".", "") for item in written)
    return max([DIGITS, *(len(item) for item in numbers if item.isdigit())])


def value_words(value: object, names: dict[str, str], digits: int = DIGITS) -> str:
    """A value in words: keys of models by their ``names``, lists with commas and "and" without brackets,
    dicts as "key value", of more than :data:`MOST` numbers their count and ends, ``none`` for an empty list,
    "" for None."""
    if value is None or isinstance(value, str):
        return names.get(value, value) or ""
    if isinstance(value, (bool, int, float)):
        return number(value, digits)
    if isinstance(value, dict):
        return _join_items([f"{names.get(k, k)} {value_words(v, names, digits)}" for k, v in value.items()])
    items = list(value) if not isinstance(value, (set, frozenset)) else sorted(value)
    plain = all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in items)
    if plain and len(items) > MOST:
        low, high = number(min(items), digits), number(max(items), digits)
        return f"{len(items)} values from {low} to {high}"
    nested = any(isinstance(item, (list, tuple, dict)) for item in items)
    return _join_items(
        [value_words(item, names, digits) for item in items],
        "; " if nested and len(items) > 1 else "",
    )


def substitute_model_names(text: str, names: dict[str, str]) -> str:
    """``text`` with the names of models in place of their keys (a capital letter, perhaps with digits)."""
    return re.sub(r"\b[A-Z]\d*\b", lambda key: names.get(key[0], key[0]), text)


def _join_items(items: list[str], separator: str = "") -> str:
    """Items with commas and "and", or with ``separator``; of many the first :data:`MOST` and how many more; else "none"."""
    if not items:
        return "none"
    if len(items) > 2 * MOST:
        items = [*items[:MOST], f"{len(items) - MOST} more"]
    if separator:
        return separator.join(items)
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))


_DECIMAL = re.compile(r"(?<![\w.§])-?\d+\.\d+")
_RECOMPUTED = re.compile(r"recomputed: ([^;:(]+)")


def default_sentence(
    claim: dict, value, names: dict[str, str], note: str, needs: str | None, simulated: bool = False
) -> str:
    """The sentence of a claim without ``says``, from its recomputed (or ``simulated``) ``value`` and its
    ``note``.

    ``needs``: what it cannot be settled without, said only if ``value`` is None. Empty with a value and
    needs, with neither, and for a truth value whose note says no more."""
    computed = "simulated" if simulated else "recomputed"
    if needs:
        return f"Cannot be settled without {needs}." if value is None else ""
    if value is None:
        return ""
    label = _RECOMPUTED.search(note)
    if isinstance(value, bool):
        # Whether it is so stands in the verdict: of the note what is no reading and no value.
        parts = [p for p in note.split("; ") if p and not p.startswith(("read as", "recomputed"))]
        return _sentence(_DECIMAL.sub(lambda m: number(float(m[0])), parts[0])) if parts else ""
    if label and "nearest" not in label[1]:
        return _sentence(f"{label[1].strip().rstrip('.,')}: {value_words(value, names)}")
    printed = claim.get("published")
    if printed is not None:
        digits = digits_of(printed)
        return (
            f"Printed {value_words(printed, names, digits)}, {computed} {value_words(value, names, digits)}."
        )
    return _sentence(f"{computed}: {value_words(value, names)}")


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


CAUTIOUS = ("no", "too few", "yes")
"""Answers whether a verdict is beyond chance: that of a statement is the first that any of its readings has."""

BRACKET = r" \(([^()]*)\)$"
"""What tells a part of a statement from its other parts."""


def parent_statement(claim: dict) -> str:
    """The statement that a claim is a reading or a part of: its ``of``, else its own without brackets at its
    end."""
    return claim.get("of") or re.sub(BRACKET, "", claim["statement"])


FORMS = {"reading": "claims", "cell": "printed_cells"}
"""What a row of the ledger is, and the table that holds it."""


def ledger_tables(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """``statements``, ``claims`` (readings) and ``printed_cells``: the declared tables made of the ledger's rows."""
    by_name = {name: rows.loc[rows["form"] == form, store.columns(name)] for form, name in FORMS.items()}
    return {"statements": statements(rows), **by_name}


def statements(rows: pd.DataFrame) -> pd.DataFrame:
    """tables/statements: one row a statement (section and ``of``), from the rows of the ledger that are its
    children. Its verdict in these data is that of its readings; of a printed table, which has none, that of
    its cells. A printed table that comes out in a reading and not as the source words it holds in part. It is
    beyond chance where every reading about a sample is. A check (weight ``check``) is ours: it adds its
    sentence and decides nothing."""
    entries, rows = [], rows.assign(verdict=rows["status"].map(VERDICT_OF))
    for (section, quote), children in rows.groupby(["section", "of"], sort=False):
        group = children.to_dict("records")
        papers = [row for row in group if row["weight"] != CHECK]
        by_form = {form: [row for row in papers if row["form"] == form] for form in FORMS}
        judged = by_form["reading"] or by_form["cell"]
        beyond = {row["beyond_chance"] for row in judged}
        count = {name: sum(row["verdict"] == name for row in judged) for name in VERDICTS}
        verdict = _verdict(count) if judged else OPEN
        if verdict == HOLDS and any(row["verdict"] == FAILS for row in by_form["cell"]):
            # Some way to compute the numbers gives them, what the source says of it does not.
            verdict = DEPENDS
        checked = [r["says"] for r in group if r["weight"] == CHECK and r["verdict"] in TESTED]
        stays = [row for row in judged if pd.notna(row["stays"])]
        least = min(stays, key=lambda row: row["stays"], default={})
        entries.append(
            {
                "statement": (judged or group)[0]["id"],
                "section": section,
                "quote": quote,
                "weight": min((row["weight"] for row in papers), key=WEIGHTS.index),
                "shown": any(row["shown"] for row in group),
                "basis": min((row["basis"] for row in judged or group), key=BASES.index),
                "verdict": verdict,
                "beyond_chance": next((word for word in CAUTIOUS if word in beyond), None),
                "says": " ".join([_says(judged, verdict, by_form, least), *checked]),
                "robustness": least.get("stays"),
                **{key: least.get(key) for key in ("decides", "difference", "low", "high")},
                "checks": len(judged),
                "holding": count[HOLDS],
                "failing": count[FAILS],
                "undecided": count[UNDECIDED],
                "cells": len(by_form["cell"]),
                "cells_same": sum(row["status"] == "reproduced" for row in by_form["cell"]),
                "claims": " ".join(row["id"] for row in group),
            }
        )
    return store.frame(entries, "statements")


def _verdict(count: dict[str, int]) -> str:
    """Verdict of a statement from how many readings have each: that of all decided ones, else ``in part`` if one holds
    and ``undecided`` if none does; without decided ones ``open``, ``simulated`` or ``not at hand``."""
    decided = {name for name in TESTED if count[name]}
    if len(decided) == 1:
        return decided.pop()
    if decided:
        return DEPENDS if HOLDS in decided else UNDECIDED
    return next((name for name in (OPEN, SIMULATED) if count[name]), ABSENT)


WEIGHTS = ("result", "description", "label", "typo")
"""What a statement is, the weightiest first."""
CHECK = "check"
"""Weight of a row that is a check of ours beside a statement of the paper."""
BASES = ("data", "model outputs", "printed arithmetic", "known fact", "possible or impossible", "none")
_OUTPUTS = ("scores/", "judged/", "tidy/guesses", "tables/readings", "tables/reading_cells")


def basis(evidence: str) -> str:
    """What ``evidence`` ("file: place; …") rests on: ``none`` without files, ``printed arithmetic`` if all are in config/
    or workflow/, ``model outputs`` if any is of :data:`_OUTPUTS`, else ``data``."""
    files = [part.partition(": ")[0] for part in evidence.split("; ") if ": " in part]
    if not files:
        return "none"
    if all(file.startswith(("config/", "workflow/")) for file in files):
        return "printed arithmetic"
    return "model outputs" if any(file.startswith(_OUTPUTS) for file in files) else "data"


_VERBS = {
    HOLDS: ("holds", "hold"),
    FAILS: ("fails", "fail"),
    UNDECIDED: ("is undecided", "are undecided"),
    OPEN: ("cannot be tested", "cannot be tested"),
    SIMULATED: ("is not compared", "are not compared"),
    ABSENT: ("is not at hand", "are not at hand"),
}


_PRINTED = _VERBS | {
    HOLDS: ("comes out", "come out"),
    FAILS: ("differs", "differ"),
    OPEN: ("needs data that are not public", "need data that are not public"),
}
"""The same of printed numbers."""


def _tally(rows: list[dict], noun: str, verbs_of=_VERBS) -> str:
    """A sentence that counts ``rows`` by verdict: "Both parts of it hold.", "Of the 3 parts of it, 1 holds and 2 fail."."""
    verdicts = [row["verdict"] for row in rows]
    count = [(verdicts.count(name), verbs) for name, verbs in verbs_of.items()]
    parts = [f"{number} {verbs[number > 1]}" for number, verbs in count if number]
    if len(parts) == 1:
        quantifier = {1: "The one", 2: "Both"}.get(len(verdicts), f"All {len(verdicts)}")
        return f"{quantifier} {noun} {parts[0].partition(' ')[2]}."
    return f"Of the {len(verdicts)} {noun}, {_join_items(parts)}."


_READ = re.compile(r"^read as: ([^;]+)")


def _reading_words(row: dict) -> str:
    """`` (which reading or part of its statement a row is)``, by its statement's last brackets or its note;
    else ''."""
    note = row["note"] if isinstance(row["note"], str) else ""
    match = re.search(BRACKET, row["statement"]) or _READ.search(note)
    return f" ({match[1]})" if match else ""


def _says(judged: list[dict], verdict: str, by_form: dict[str, list[dict]], least: dict) -> str:
    """The text of a statement: sentences of its readings, how many of them hold, and how its printed numbers
    come out.

    One that holds in part has a sentence of a reading that holds and of one that fails, or else is undecided;
    an undecided one that of the ``least`` sure. Readings that lack data have theirs shown where no other has
    one, and are counted beside several others."""
    parts = []
    if by_form["reading"]:
        first_rows: dict[str, dict] = {}
        decided = [row for row in judged if row["verdict"] in TESTED]
        for row in sorted(decided or judged, key=lambda kind: not kind["shown"]):
            if isinstance(row["says"], str) and row["says"]:
                first_rows.setdefault(row["verdict"], row)
        sentences = {name: row["says"] for name, row in first_rows.items()}
        if verdict == DEPENDS and len({*sentences.values()}) > 1:
            parts += [
                f"Where it {_VERBS[kind][0]}{_reading_words(first_rows[kind])}: {sentences[kind]}"
                for kind in (HOLDS, FAILS if FAILS in first_rows else UNDECIDED)
                if kind in first_rows
            ]
        else:
            of_least = least.get("says") if verdict == UNDECIDED else None
            choices = of_least, sentences.get(verdict), *sentences.values()
            parts.append(next(filter(None, choices), ""))
        if len(decided) > 1:
            ways = len({row["statement"] for row in judged}) < len(judged)
            parts.append(_tally(judged, "ways to compute it" if ways else "parts of it"))
    if by_form["cell"]:
        nouns = "printed number" if len(by_form["cell"]) == 1 else "printed numbers"
        cells = _tally(by_form["cell"], nouns, _PRINTED)
        compared = any(row["verdict"] in (HOLDS, FAILS) for row in by_form["cell"])
        worded = f"Computed as the paper words it: {cells[0].lower()}{cells[1:]}"
        parts.append(worded if parts or compared else cells)
    return " ".join(parts).strip()
