"""How pages write numbers and outcomes: one form for each, everywhere."""

import numpy as np
import pandas as pd

BETTER, WORSE, CLOSE, UNMET = "better", "worse", "too close to call", "never met"
SHAPES = {BETTER: "▲", WORSE: "▼", CLOSE: "≈", UNMET: "–"}
"""Outcome → shape that stands beside its colour."""


def json_value(value):
    """A cell as JSON has it: bool, int, float or text; None for None, NA and nan."""
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    return float(value) if isinstance(value, (float, np.floating)) else str(value)


def minus(text: str) -> str:
    """The text with − for every hyphen."""
    return text.replace("-", "−")


def decimal(value: float, digits: int = 2, signed: bool = False) -> str:
    """A number with ``digits`` decimals and commas, − for minus, + if ``signed``; – for None and nan."""
    if value is None or value != value:
        return "–"
    return minus(f"{value:{'+' if signed else ''},.{digits}f}")


def percent(share: float) -> str:
    """A share (0.63) in whole per cent, "63 %"; – where it is nan."""
    return "–" if share != share else f"{minus(f'{100 * share:.0f}')} %"


def chance(share: float) -> str:
    """A chance in per cent, with a decimal below 10 and above 90 %, never 0 or 100."""
    if share < 0.001 or share > 0.999:
        return "below 0.1 %" if share < 0.5 else "above 99.9 %"
    return f"{decimal(100 * share, 0 if 0.1 <= share <= 0.9 else 1)} %"


def span(low: float, high: float, digits: int = 2, scale: float = 1) -> str:
    """Ends of an interval times ``scale``, "55–71", with "to" where one is negative; "" where one is nan."""
    if low != low or high != high:
        return ""
    ends = decimal(scale * low, digits), decimal(scale * high, digits)
    return (" to " if "−" in "".join(ends) else "–").join(ends)


def percent_span(low: float, high: float) -> str:
    """Ends of a share's interval in whole per cent, without the sign."""
    return span(low, high, 0, 100)


def outcome(low: float, high: float, even: float, share: float = 0) -> str:
    """One of :data:`SHAPES`: what an interval says of a comparison; ``even``: where neither side is better.

    A ``share`` of nan means that the two never met; ends of nan settle nothing."""
    if share != share:
        return UNMET
    return BETTER if low > even else WORSE if high < even else CLOSE


def join_names(names) -> str:
    """Names as a phrase, "a, b and c"; there is at least one."""
    *head, tail = names
    return f"{', '.join(head)} and {tail}" if head else tail


def count_noun(number: int, singular: str, plural: str | None = None) -> str:
    """A count with its noun: 1 match, 2 matches; the plural adds s where not given."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
