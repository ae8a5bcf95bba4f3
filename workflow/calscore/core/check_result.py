"""What a check says of a table, and how checks compare: shared by ``<room>/checks.py``."""

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

TOLERANCE = 1e-12


class Outcome(NamedTuple):
    """Result of a check: number of rows looked at, number that break the invariant, the first of them in
    words ("" for none)."""

    rows: int
    failures: int
    detail: str = ""


def warning(function):
    """Decorator: set the check's attribute ``severity`` to "warning", so that its failure does not fail the run."""
    function.severity = "warning"
    return function


def failing_rows(frame: pd.DataFrame, mask: ArrayLike, *columns: str) -> Outcome:
    """Outcome with the rows of ``frame`` and how many of them are in ``mask``; None and nan in the mask count
    as broken.

    ``columns``: those whose values describe the first such row in ``detail``, as ``first: a=1, b=2``."""
    mask = np.asarray(pd.Series(mask).fillna(True), dtype=bool)
    if not mask.any():
        return Outcome(len(frame), 0)
    row = frame.iloc[int(mask.argmax())]
    detail = ", ".join(f"{name}={row[name]}" for name in columns)
    return Outcome(len(frame), int(mask.sum()), f"first: {detail}")


def first_failure(*outcomes: Outcome) -> Outcome:
    """The first of ``outcomes`` (one or more) that has failures; if none has, the first of them."""
    return next((outcome for outcome in outcomes if outcome.failures), outcomes[0])


def is_close(left: ArrayLike, right: ArrayLike, tolerance: float = 1e-09) -> np.ndarray:
    """Mask (n,) of pairs of numbers that differ by at most ``tolerance``, are equal infinities or both
    nan."""
    a, b = (np.asarray(pd.to_numeric(v), dtype=float) for v in (pd.Series(left), pd.Series(right)))
    with np.errstate(invalid="ignore"):
        return (np.abs(a - b) <= tolerance) | (a == b) | (np.isnan(a) & np.isnan(b))


def compare_tables(
    table: pd.DataFrame,
    expected: pd.DataFrame,
    key: list[str],
    columns: list[str],
    tolerance: float = TOLERANCE,
) -> Outcome:
    """Compare a ``table`` with its recomputation ``expected`` by ``key``: a row fails if only one table has
    it, or if they differ in one of ``columns``. Only floats may differ, by ``tolerance``; two null cells are
    equal. Rows looked at are those that either has."""
    both = table[[*key, *columns]].merge(
        expected[[*key, *columns]], on=key, how="outer", suffixes=("", "__again"), indicator=True
    )
    wrong = (both["_merge"] != "both").to_numpy()
    places = {}
    for column in columns:
        stored, again = both[column], both[f"{column}__again"]
        if pd.api.types.is_float_dtype(stored.dtype) or pd.api.types.is_float_dtype(again.dtype):
            differ = ~is_close(stored, again, tolerance)
        else:
            none = stored.isna().to_numpy() & again.isna().to_numpy()
            equal = (stored.astype(object) == again.astype(object)).fillna(False).to_numpy(dtype=bool)
            differ = ~(none | equal)
        places[column] = differ & ~wrong
    mask = np.logical_or.reduce([wrong, *places.values()])
    outcome = failing_rows(both, mask, *key)
    if not outcome.failures:
        return outcome
    example = both.iloc[[int(mask.argmax())]].astype(object).iloc[0]
    reasons = {
        "left_only": "in the table alone",
        "right_only": "missing from the table",
        "both": ", ".join(
            f"{name} {example[name]!r}, recomputed {example[f'{name}__again']!r}"
            for name, differ in places.items()
            if differ[int(mask.argmax())]
        ),
    }[example["_merge"]]
    return Outcome(outcome.rows, outcome.failures, f"{outcome.detail}: {reasons}")


def outside_bounds(table: pd.DataFrame, value: str, *forms: str) -> np.ndarray:
    """Mask (rows,) of ``table``: where ``value`` lies outside [low, high] of any of ``forms`` by more than
    1e-9. ``forms``: prefixes of the columns ``<form>low`` and ``<form>high``; ``<value>_`` by default. nan
    does not count."""
    position, wrong = table[value].astype(float), np.zeros(len(table), dtype=bool)
    for form in forms or (f"{value}_",):
        low, high = (table[f"{form}{end}"].astype(float) for end in ("low", "high"))
        wrong |= ((low > position + 1e-9) | (high < position - 1e-9)).to_numpy()
    return wrong


def wilson(right: ArrayLike, n: ArrayLike, level: float) -> tuple[np.ndarray, np.ndarray]:
    """(low, high) of Wilson's interval at ``level`` of the shares ``right`` / ``n``, unclipped; nan where n
    is 0."""
    right, n = np.asarray(right, dtype=float), np.asarray(n, dtype=float)
    z = NormalDist().inv_cdf((1 + level) / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = right / n
        centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z / (1 + z**2 / n) * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return centre - half, centre + half


def not_wilson(
    table: pd.DataFrame, share: str, low: str, high: str, right: ArrayLike, n: ArrayLike, level: float
) -> np.ndarray:
    """Mask (rows,) of ``table``: where column ``share`` is not right / n, or ``low`` and ``high`` are not
    Wilson's bounds, to 1e-9. With n = 0 all three have to be nan."""
    n = pd.Series(np.asarray(n, dtype=float), index=table.index)
    n = n.where(n > 0)
    ends = wilson(right, n, level)
    wrong = ~is_close(table[share], np.asarray(right, dtype=float) / n)
    return wrong | ~is_close(table[low], ends[0]) | ~is_close(table[high], ends[1])


def bounds_around(table: pd.DataFrame) -> Outcome:
    """Every value ``x`` lies between ``x_low`` and ``x_high``, and between ``x_two_way_low`` and
    ``x_two_way_high``.

    ECE is biased upward: all its resamples may lie above it, so only the order of its bounds is checked."""
    wrong = np.zeros(len(table), dtype=bool)
    for low in (str(name) for name in table if str(name).endswith("_low")):
        form = low.removesuffix("low")
        value = form.removesuffix("_").removesuffix("_two_way")
        if value in table:
            biased = "ece" in value.split("_")
            wrong |= (
                (table[low] > table[f"{form}high"]).to_numpy()
                if biased
                else outside_bounds(table, value, form)
            )
    return failing_rows(table, wrong, *list(table)[:4])


def not_as_wide(table: pd.DataFrame, level: float, *pairs: tuple[str, str]) -> np.ndarray:
    """Mask (rows,) of a table: on ten questions or more, an interval under half or over twice as wide as its
    error implies at ``level``. ``pairs``: (prefix of the columns ``…low`` and ``…high``, column of the
    standard error). Where one of them is nan or 0 a row passes."""
    twice = 2 * NormalDist().inv_cdf((1 + level) / 2)
    wrong = np.zeros(len(table), dtype=bool)
    for form, error in pairs:
        width, se = table[f"{form}high"] - table[f"{form}low"], table[error]
        wide = width.where(width > 0) / (twice * se.where(se > 1e-9))
        wrong |= ((wide < 0.5) | (wide > 2)).to_numpy()
    return wrong & (table["n_questions"] >= 10).to_numpy()
