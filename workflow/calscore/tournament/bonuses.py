"""Bonuses: their parts in packets, who got what in matches, and conversion.

A match question has ``bonus: {"question": {"question_number"}, "parts": [{"controlled_points", "bounceback_points"}]}``, or
``bonus_points`` alone; the team of the right buzz controls it. A packet has ``bonuses: [{"leadin", "parts", "answers",
"values", "difficultyModifiers" (e, m, h), "metadata"}]``.
"""

import re
from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..core import store
from ..stats import proportions
from . import packets
from .categoricals import repeats, row_codes
from .packets import GameNote

DIFFICULTIES = {"e": "easy", "m": "medium", "h": "hard"}
SUM_PART = 0
"""Number in place of a part where only the sum of a bonus is known."""
PARTS = (1, 2, 3)
"""Parts that have a conversion of their own."""
ALL = "all"
"""In place of a team, category or bonus: all of them."""
_MARK = re.compile(r"^\s*\[\s*(\d+)?\s*([emh])?\s*\]\s*", re.I)
"""[10e], [10] or [h] before a part: its value and difficulty."""


def packet_bonus_parts(document: dict, name: str) -> list[dict]:
    """A row for each part of each bonus of a packet called ``name`` (columns ``bonus_parts`` of :data:`.match_log.ALONE`).
    ``value`` and ``difficulty`` come from the packet's lists, else from a mark such as [10e] in the part; None if unknown."""
    rows = []
    for number, bonus in enumerate(document.get("bonuses") or [], start=1):
        parts = bonus["parts"]
        values, levels = (
            (bonus.get(key) if isinstance(bonus.get(key), list) else []) + [None] * len(parts)
            for key in ("values", "difficultyModifiers")
        )
        bonus_columns = {
            "packet": name,
            "number": number,
            "leadin": packets.strip_html(bonus.get("leadin") or "").strip(),
            "category_raw": packets.raw_category(bonus) or packets.UNCATEGORISED,
        }
        for part, (text, answer) in enumerate(zip(parts, bonus["answers"], strict=True), start=1):
            mark = _MARK.match(packets.strip_html(text))
            worth, level = (mark[1], mark[2]) if mark else (None, None)
            value = values[part - 1] if type(values[part - 1]) in (int, float) else worth
            listed = str(levels[part - 1] or "")[:1].lower()
            level = listed if listed in DIFFICULTIES else (level or "").lower()
            row = {
                "part": part,
                "text": packets.strip_html(text)[mark.end() if mark else 0 :].strip(),
                "answerline": packets.strip_html(answer).strip(),
                "difficulty": DIFFICULTIES.get(level),
                "value": None if value is None else float(value),
            }
            rows.append(bonus_columns | row)
    return rows


def scored_bonus_parts(question: dict, game: str, cycle: int, note: GameNote) -> list[dict]:
    """A row for each part of the bonus read in a cycle. Keys: game, cycle, bonus (its number), part (from 1), team, points,
    bounceback (the others' points or None). ``question``: of a match file. Where only a sum is known, one row with part
    :data:`SUM_PART` and bonus None; [] without a bonus. Noted: no buzz is right (then []), or the bonus has no number."""
    bonus = question.get("replacement_bonus") or question.get("bonus")
    total = question.get("bonus_points")
    if not bonus and total is None:
        return []
    right = [buzz for buzz in question.get("buzzes") or [] if buzz["result"]["value"] > 0]
    if not right:
        note("bonus without a right buzz", f"cycle {cycle}: whose bonus it is cannot be told")
        return []
    place = {"game": game, "cycle": cycle, "team": right[-1]["team"]["name"].strip()}
    if not bonus:
        back = question.get("bonus_bounceback_points")
        return [place | {"bonus": None, "part": SUM_PART, "points": total, "bounceback": back}]
    # Reading software writes 0 where the packet has no bonus left.
    number = (bonus.get("question") or {}).get("question_number") or None
    if number is None:
        note("bonus without a number", f"cycle {cycle} does not say which bonus was read")
    return [
        place
        | {
            "bonus": number,
            "part": part,
            "points": item["controlled_points"],
            "bounceback": item.get("bounceback_points"),
        }
        for part, item in enumerate(bonus["parts"], start=1)
    ]


def tidy_bonus_items(
    parts: pd.DataFrame, numbers: dict[str, int], categories: Callable[[str], tuple[str, str]]
) -> pd.DataFrame:
    """tidy/bonus_items: a row for each of ``parts`` (:func:`packet_bonus_parts`), in order. ``numbers``: packet → its number,
    for bonus_id; ``categories``: function of a raw category → (fine, merged). Empty without parts."""
    if not len(parts):
        return store.empty("bonus_items")
    packet = parts["packet"].map(numbers)
    names = [f"p{p:02d}-b{n:02d}" for p, n in zip(packet, parts["number"], strict=True)]
    merged = [categories(raw)[1] for raw in parts["category_raw"]]
    result = parts.assign(source=parts["packet"], packet=packet, bonus_id=names, category=merged)
    return store.frame(result, "bonus_items").reset_index(drop=True)


def tidy_bonus_plays(rows: pd.DataFrame, listed: pd.DataFrame, packet_of: pd.Series) -> pd.DataFrame:
    """tidy/bonus_plays: ``rows`` of :func:`scored_bonus_parts` with bonus_id, category, difficulty and value of the part.
    ``listed``: :func:`tidy_bonus_items`; ``packet_of``: game → number of its packet. Rows without such a part have nulls."""
    lookup = listed[["packet", "number", "part", "bonus_id", "category", "difficulty", "value"]]
    rows = rows.assign(
        packet=rows["game"].map(packet_of).astype("Int64"), number=rows["bonus"].astype("Int64")
    )
    named = dict.fromkeys(["bonus_id", "category", "difficulty"], "category")
    lookup = lookup.astype({"packet": "Int64", "number": "Int64"} | named)
    rows = rows.astype({"points": float, "bounceback": float})
    result = rows.merge(lookup, on=["packet", "number", "part"], how="left")
    return store.frame(result, "bonus_plays")


def _bounced_parts(rows: pd.DataFrame, sides: pd.DataFrame) -> pd.DataFrame:
    """A row for each part that scored 0 and could bounce and each other team: ``team`` got the chance, ``team_of`` missed it."""
    back = rows[rows["bounceback"].notna() & (rows["points"] == 0)]
    back = back.astype(dict.fromkeys(["game", "team"], object))
    both = back.merge(sides[["game", "team"]], on="game", suffixes=("_of", ""))
    return both[both["team"] != both["team_of"]]


_NAMES = ["team", "category", "bonus"]


def _sum_by(rows: pd.DataFrame, key: list[str], counts: dict[str, ArrayLike]) -> pd.DataFrame:
    """A row for each distinct ``key`` of ``rows``: the sums of ``counts`` (column → a number for each row)."""
    names = rows[key].astype("category")
    place, _ = pd.factorize(*row_codes(key, names))
    table = names[~repeats(place)].astype(object).reset_index(drop=True)
    sums = {name: np.bincount(place, own, len(table)) for name, own in counts.items()}
    return table.assign(**sums)


def bonus_conversion(bonus_plays: pd.DataFrame, sides: pd.DataFrame) -> pd.DataFrame:
    """tables/bonus_conversion: points per bonus and share of parts converted, by part (1–3) and difficulty (nan where none was
    heard). A row for all bonuses, each team, category, team × category and bonus; columns not grouped by say :data:`ALL`, null
    categories "Unknown". Of bonuses with only a sum no part counts. Bouncebacks count for the team that got the chance. Empty
    without plays."""
    if not len(bonus_plays):
        return store.empty("bonus_conversion")
    names = dict.fromkeys(["game", *_NAMES], "category")
    read = ["game", "cycle", "part", "team", "points", "bounceback", "category", "difficulty"]
    # Of millions of rows no column is copied.
    columns = {name: bonus_plays[name] for name in read} | {"bonus": bonus_plays["bonus_id"]}
    rows = pd.DataFrame(columns, copy=False).astype(names)
    if rows["category"].isna().any():
        rows["category"] = rows["category"].cat.add_categories(["Unknown"]).fillna("Unknown")
    (place,) = row_codes(["game", "cycle"], rows)
    right, declared = (rows["points"] > 0).to_numpy(), (rows["part"] != SUM_PART).to_numpy()
    counts = {"heard": ~repeats(place), "points": rows["points"]}
    kinds = {name: (rows["difficulty"] == name).fillna(False) for name in DIFFICULTIES.values()}
    kinds |= {f"part_{part}": rows["part"] == part for part in PARTS}
    for name, mask in kinds.items():
        own = mask.to_numpy(dtype=bool) & declared
        counts |= {f"{name}_heard": own, name: own & right}
    bounced = _bounced_parts(rows, sides)
    back = {"bounceback_heard": np.ones(len(bounced)), "bounceback_points": bounced["bounceback"]}
    back |= {"bounceback_rate": (bounced["bounceback"] > 0).astype(int)}
    integer_columns = dict.fromkeys([name for name in (*counts, *back) if name.endswith("heard")], "int64")
    parts = []
    for key in ([], ["team"], ["category"], ["team", "category"], ["bonus"]):
        # Who heard none of its own in a category may have had parts of others there.
        sums = [_sum_by(rows, key, counts), _sum_by(bounced, key, back)]
        table = pd.concat(sums, ignore_index=True).dropna(subset=key)
        table = table.fillna(dict.fromkeys([*counts, *back], 0)).astype(integer_columns)
        total = {name: ALL for name in _NAMES if name not in key}
        table = table.assign(**total).groupby(_NAMES, sort=True).sum()
        table["points_per_bonus"] = proportions.ratio(table["points"], table["heard"])
        for name in (*kinds, "bounceback"):
            rate = "bounceback_rate" if name == "bounceback" else name
            table[rate] = proportions.ratio(table[rate], table[f"{name}_heard"])
        parts.append(table.reset_index())
    return store.frame(pd.concat(parts, ignore_index=True), "bonus_conversion")
