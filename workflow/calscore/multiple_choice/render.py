"""Tables 1, 2 and 3 as people print them."""

from collections.abc import Iterator
from functools import partial
from math import nan

import pandas as pd

from ..core.render import Printed, interval
from . import JUDGINGS

JUDGED = {"shared": "one judge for all models (Table 1)", "own": "each model judging itself (Table 3)"}
READ = {
    "release": "answers not attempted as the released code labels them (-1)",
    "attempted": "without answers not attempted",
    "as_wrong": "answers not attempted as wrong",
}


_count = partial(interval, low=nan, high=nan, digits=0)


def _percent(share: float) -> str:
    """A share (0–1) in per cent with two decimals, – where missing."""
    return interval(100 * share, nan, nan, 2)


def _intervals(table: pd.DataFrame, name: str, scale: float = 1, digits: int = 3) -> list[str]:
    """ "value [low, high]" of each row of a column, times ``scale``."""
    columns = (scale * table[f"{name}{end}"] for end in ("", "_low", "_high"))
    return [interval(*three, digits) for three in zip(*columns, strict=True)]


_percents = partial(_intervals, scale=100, digits=2)


def _cases(table: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yields (judging, the reading in words, rows) for each judging and reading that the table has."""
    for judging in JUDGINGS:
        for reading, words in READ.items():
            rows = table[(table["judging"] == judging) & (table["reading"] == reading)]
            if len(rows):
                yield judging, words, rows


def scores(table: pd.DataFrame, level: float) -> list[Printed]:
    """Tables 1 and 3 from option_scores, one per judging and reading; ``level``: of the intervals, for the caption."""
    printed = []
    for judging, words, rows in _cases(table):
        cells = {"Model": rows["name"]}
        for short in ("N", "D"):
            cells[f"{short} right %"] = _percents(rows, f"{short}_right_share")
            cells[f"{short} none %"] = rows[f"{short}_none_share"].map(_percent)
            cells[f"{short} ECE"] = _intervals(rows, f"{short}_ece")
        cells["D - N right %"] = _percents(rows, "right_change")
        share = rows["helped_share"].map(_percent)
        cells["Helped"] = rows["helped"].map(_count) + " (" + share + " %)"
        cells["Helped, text"] = rows["helped_any"].map(_count)
        cells["Harmed"] = rows["harmed"].map(_count)
        cells["Harmed of right %"] = _percents(rows, "harmed_of_right")
        caption = (
            f"Without (N) and with (D) options, {JUDGED[judging]}; ECE {words}. {level:.0%} "
            "intervals: Wilson's of shares, from resampling questions of ECE and D - N. Helped: wrong to "
            "right (text: not right to right); harmed: right to wrong."
        )
        printed.append(Printed(caption, pd.DataFrame(cells)))
    return printed


def types(table: pd.DataFrame, level: float) -> list[Printed]:
    """Table 2 from option_types: ECE by question type × setting with the mean over models, one per judging and reading."""
    printed = []
    for judging, words, rows in _cases(table):
        names = list(dict.fromkeys(rows["name"]))
        cells_by_column = pd.DataFrame({"Model": names})
        for group in sorted(set(rows["group"])):
            for setting, short in (("normal", "N"), ("distractor", "D")):
                cell = rows[(rows["group"] == group) & (rows["setting"] == setting)]
                cell = cell.set_index("name").reindex(names)
                cells_by_column[f"{group} {short}"] = _intervals(cell, "ece")
        caption = (
            f"ECE by question type without (N) and with (D) options, {JUDGED[judging].split(' (')[0]}; "
            f"{words}, with {level:.0%} intervals from resampling questions."
        )
        printed.append(Printed(caption, cells_by_column))
    return printed
