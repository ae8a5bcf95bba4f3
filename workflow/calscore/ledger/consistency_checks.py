"""Checks of printed numbers by arithmetic: roundings, ranks, totals of parts, shares of one total."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from ..stats import shares_revealed
from . import bounds
from .printed_cells import (
    CONSISTENT,
    IMPOSSIBLE,
    INCONSISTENT,
    POSSIBLE,
    UNTESTED,
    Cell,
    file_of,
    flat,
    load_examine_section,
    number_at,
    rounding,
    row_of,
    span,
    value_at,
    verdict_of,
)

MOST = 1000
"""Greatest total that is searched for shares whose total nobody printed."""


def known_counts(clues: pd.DataFrame, share: float) -> dict[tuple[str, str], int]:
    """(segmentation, reading of the share) → answers that an accuracy at that share is over."""
    counts = {}
    for segmentation, rows in clues.groupby("segmentation", sort=True):
        total = rows.groupby("question_id")["clue"].transform("size")
        rows = rows[["question_id", "clue"]].assign(n_clues=total)
        for reading in shares_revealed.READINGS:
            states = shares_revealed.state_at(rows, (share,), reading)
            counts[segmentation, reading] = int((states["revealed"] == share).sum())
    return counts


def _count(cell: Cell, n: int, words=(POSSIBLE, IMPOSSIBLE)) -> dict:
    """Verdict, proof, n, and the nearest k / n as low and high."""
    least, most = bounds.counts_within(cell.interval, n)
    scale = 100 if cell.spec.get("unit") == "percent" else 1
    if least <= most:
        verdict = words[0]
        proof = f"{least} of {n} is {scale * least / n:.4f}, printed {cell.text}"
        low, high = least / n, most / n
    else:
        verdict = words[1]
        near = [k for k in (most, least) if k >= 0]
        candidates = ", ".join(f"{k} of {n} is {scale * k / n:.4f}" for k in near)
        proof = f"no k of {n} rounds to {cell.text}: {candidates}"
        middle = (cell.low + cell.high) / 2
        low = high = min((k / n for k in near), key=lambda share: abs(share - middle))
    return {"verdict": verdict, "proof": proof, "n": n, "low": low, "high": high, "slack": 0.0}


def check_rounding(cell: Cell, clues, published) -> Iterator[dict]:
    """Is it a rounded k / n, for the n that are known?"""
    if cell.metric != "accuracy":
        proof = "a mean of unpublished real-valued confidences: any decimal can be its rounding"
        yield row_of(cell, "rounding", UNTESTED, proof)
        return
    if not cell.of_the_study:
        proof = "not of this study's data: the number of answers is not known"
        yield row_of(cell, "rounding", UNTESTED, proof)
        return
    tenths = float(cell.keys["share"]) / 10 if "share" in cell.keys else 10.0
    if tenths == round(tenths):
        for (segmentation, reading), n in known_counts(clues, tenths / 10).items():
            untested = {"verdict": UNTESTED, "proof": "no clue falls at this share", "n": 0}
            context = {"state": reading, "segmentation": segmentation, "data": "clues"}
            yield row_of(cell, "rounding", **(_count(cell, n) if n else untested), **context)
    for value in cell.spec.get("n", []):
        n = int(number_at(published, value, f"table {cell.table}", "n"))
        assumption = f"n = {n} ({value})" if isinstance(value, str) else f"n = {n}"
        result = _count(cell, n, (CONSISTENT, INCONSISTENT))
        yield row_of(cell, "rounding", **result, state="declared", given=assumption)


def check_rank(cell: Cell, column: list[Cell]) -> Iterator[dict]:
    """Do the printed ranks follow from the printed values of the column?"""
    if cell.rank is None:
        return
    other_cells = [peer for peer in column if peer is not cell]
    low, high = bounds.rank_range(cell.interval, [peer.interval for peer in other_cells])
    verdict = CONSISTENT if low <= cell.rank <= high else INCONSISTENT
    below = ", ".join(
        f"{o.text} ({o.keys.get('model', o.name)})" for o in other_cells if o.low < cell.high
    )
    allowed = f"rank {low}" if low == high else f"rank {low} to {high}"
    proof = (
        f"lower or equal in the column: {below or 'none'}, so {allowed}; printed rank {cell.rank}"
    )
    assumption = f"{len(other_cells)} other printed values of the column"
    yield row_of(cell, "rank", verdict, proof, given=assumption, low=low, high=high)


def check_mean(cell: Cell, all_cells: list[Cell], questions) -> Iterator[dict]:
    """Is the mean over categories, weighted by the study's questions, the printed total?"""
    if "total" not in cell.spec:
        return
    counts = questions["category"].astype(str).value_counts()
    shared_keys = {a: k for a, k in cell.keys.items() if a not in ("category", "metric")}
    family = [
        c
        for c in all_cells
        if c.table == cell.table
        and c.metric == cell.metric
        and all(c.keys.get(a) == k for a, k in shared_keys.items())
    ]
    totals = [
        (columns, c)
        for c in all_cells
        if c.table == cell.spec["total"] and all(c.keys.get(a) == k for a, k in shared_keys.items())
        for columns, metric in c.readings
        if metric == cell.metric
    ]
    absent = sorted({c.keys["category"] for c in family} ^ set(counts.index))
    if not totals or absent:
        reason = (
            f"categories of the table and of the study differ: {', '.join(absent)}"
            if absent
            else f"table {cell.spec['total']} prints no such total"
        )
        yield row_of(cell, "mean", UNTESTED, reason, data="questions")
        return
    n = int(counts[cell.keys["category"]])
    parts = [
        (int(counts[c.keys["category"]]), c.interval)
        for c in family
        if c.keys["category"] != cell.keys["category"]
    ]
    everything = [(n, cell.interval), *parts]
    items = sum(size for size, _ in everything)
    mean = [sum(size * span[i] for size, span in everything) / items for i in (0, 1)]
    for columns, total in totals:
        low, high = bounds.part_given_total(total.interval, parts, n)
        verdict = verdict_of(cell.low, cell.high, low, high, (CONSISTENT, INCONSISTENT))
        proof = f"weighted by {n} of {items} questions and the others' numbers, the categories' mean lies in {span(*mean)}; table {total.table} prints {total.text} ({total.name})"
        assumption = (
            f"{total.text} (table {total.table}: {total.name}); {len(parts)} other categories"
        )
        context = {"data": "questions", "given": assumption, "n": n, "low": low, "high": high}
        yield row_of(cell, "mean", verdict, proof, columns=columns, slack=0.0, **context)


def check_sums(published: dict) -> Iterator[dict]:
    """Printed totals against their printed parts."""
    for number, spec in enumerate(load_examine_section(published)["sums"]):
        place, unit = f"examine/sums/{number}", spec.get("rounded", 0)
        total = number_at(published, spec["total"], place, "total")
        values, terms = [], []
        for part in spec["parts"]:
            factors = part if isinstance(part, list) else [part]
            product, words = 1.0, []
            for factor in factors:
                value = (
                    value_at(published, factor, place, "parts")
                    if isinstance(factor, str)
                    else factor
                )
                numbers = [number_at(published, item, place, "parts") for item in flat(value)]
                if len(factors) == 1:
                    values += numbers
                    terms += [f"{item:g}" for item in numbers]
                    break
                product *= sum(numbers)
                words.append(f"{sum(numbers):g}")
            else:
                values.append(product)
                terms.append(" × ".join(words))
        slack = unit * len(values) / 2
        low, high = sum(values) - slack, sum(values) + slack
        verdict = CONSISTENT if low - 1e-9 <= total <= high + 1e-9 else INCONSISTENT
        relation = "=" if abs(sum(values) - total) < 1e-9 else "≠"
        proof = f"{' + '.join(terms)} = {sum(values):g} {relation} {total:g} printed"
        if slack:
            proof += f"; parts rounded to {unit:g} allow {low:g} to {high:g}"
        item = Cell(
            "sums", {"metric": spec["id"]}, spec["id"], f"{total:g}", total, total, None, {}
        )
        assumption = ", ".join(map(str, flat(spec["parts"])))
        yield row_of(item, "sum", verdict, proof, given=assumption, low=low, high=high, slack=0.0)


def check_shares(published: dict) -> Iterator[dict]:
    """Printed shares of one total: is there an n of which all are rounded k / n?"""
    file = file_of(published)
    for number, spec in enumerate(load_examine_section(published)["shares"]):
        place, unit = f"examine/shares/{number}", spec.get("unit", "share")
        share_cells = []
        for entry in spec["values"]:
            for i, text in enumerate(flat(value_at(published, entry["path"], place, "values"))):
                low, high = rounding(text, entry["decimals"], unit, file, entry["path"])
                keys = {"metric": f"{spec['id']} {entry['path']}[{i}]"}
                share_cells.append(
                    Cell("shares", keys, spec["id"], str(text), low, high, None, {"unit": unit})
                )
        if "n" in spec:
            n = int(number_at(published, spec["n"], place, "n"))
            for cell in share_cells:
                row = _count(cell, n, (CONSISTENT, INCONSISTENT))
                yield row_of(cell, "shares", **row, given=f"n = {n} ({spec['n']})")
            continue
        most = spec.get("most", MOST)
        n = bounds.smallest_total([cell.interval for cell in share_cells], most)
        for cell in share_cells:
            if n:
                proof = f"{_count(cell, n)['proof']}; {n} is the smallest total that fits all {len(share_cells)} printed shares"
            else:
                proof = f"no total up to {most} fits all {len(share_cells)} printed shares"
            assumption = f"{len(share_cells) - 1} other printed shares"
            verdict = CONSISTENT if n else INCONSISTENT
            yield row_of(cell, "shares", verdict, proof, given=assumption, n=n or "")
