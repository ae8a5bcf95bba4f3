"""Calibration regressions of the first model's answers."""

from __future__ import annotations

import numpy as np
from calscore.scores import calibration_slopes

from ..engine import LEVEL, taken

KINDS = {
    "overconfident": ("omit",),
    "calibrated": ("omit",),
    "tenths": tuple(calibration_slopes.ENDS),
}
"""What the confidences of a study are → the rules for 0 and 1 shown. In tenths some are exactly 1; the
others are never 0 or 1, so that the rules do the same."""
TERMS = ("slope", "intercept", "offset")


def slopes(rows, replicates: int, number: int, kind: str) -> dict:
    """Intervals of the terms; where models are calibrated also whether the test of that keeps it.

    The test is written as bounds on 0: from 0 where p is at least 5 %, else above it.
    """
    table = calibration_slopes.slope_rows(rows, LEVEL)
    at = table[table["status"] == "estimated"].set_index(["scope", "ends"])
    label = f"{kind} models" if kind != "tenths" else "confidences in tenths"
    found = {}
    for scope in calibration_slopes.SCOPES:
        where = f"{scope.replace('_', ' ')}, {label}"
        for ends in KINDS[kind]:
            if (scope, ends) not in at.index:
                continue
            row = at.loc[(scope, ends)]
            method = "t, clustered by question"
            method += f"; 0 and 1: {ends}" if kind == "tenths" else ""
            for term in TERMS:
                cells = taken(row, term, f"{term}_low", f"{term}_high")
                found[f"calibration {term}, {where}", method] = cells
            if kind == "calibrated":
                low = float(row["p_calibrated"] < 1 - LEVEL)
                name = f"calibration test keeps what is true, {where}"
                found[name, "Wald, F"] = tuple(np.array([x]) for x in (0.0, low, 1.0))
    return found
