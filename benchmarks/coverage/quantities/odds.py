"""Odds ratios of a right buzz by every method, on the scale of log-odds."""

from __future__ import annotations

import numpy as np
import pandas as pd
from calscore.inference import odds_ratios

from ..engine import LEVEL

TERMS = {"B": "category", "M2": "model against humans", "+10% of the question": "position"}
"""Level → its term in the table."""


def log_odds(rows, replicates: int, number: int) -> dict:
    """Intervals of one study."""
    everything = {name: sorted(rows[name].unique()) for name in ("group", "category")}
    table = pd.DataFrame(odds_ratios._population_rows(rows, "all", everything, LEVEL))
    table = table[table["level"].isin(TERMS)].sort_values("method", kind="stable")
    found = {}
    for method, of in table[table["status"] == "estimated"].groupby("method"):
        at = of.set_index("level")
        for level, term in TERMS.items():
            if level in at.index:
                low, high = np.log(at.loc[level, ["low", "high"]].to_numpy(float))
                value = at.loc[level, "log_odds"]
                found[f"odds ratio, {term}", method] = tuple(np.array([x]) for x in (value, low, high))  # fmt: skip
    return found


def of_all_studies(apart, intervals) -> dict:
    """What the same logit tends to over all studies together: random effects draw marginal coefficients towards 0."""
    import statsmodels.api as sm

    rows = pd.concat(list(apart), ignore_index=True)
    x = [np.ones(len(rows)), 10 * rows["position"], rows["category"] == "B"]
    x = np.column_stack([*x, *(rows["group"] == name for name in ("M1", "M2", "M3"))]).astype(float)
    fit = sm.Logit(rows["correct"].astype(float), x).fit(disp=0).params.to_numpy()
    terms = {"position": fit[1], "category": fit[2], "model against humans": fit[4]}
    return {f"odds ratio, {term}": np.array([value]) for term, value in terms.items()}
