"""Proper scores, with percentile intervals over questions."""

from __future__ import annotations

import numpy as np
import pandas as pd
from calscore.scores import metrics, proper_tables
from calscore.stats import resample

from ..engine import LEVEL


def scores(rows, replicates: int, number: int) -> dict:
    """Intervals of one study."""
    n = int(rows["question_id"].max()) + 1
    weights = np.vstack([np.ones(n), resample.bootstrap_weights(n, replicates, 1)])
    found = {}
    for definition in metrics.DEFINITIONS:
        values = proper_tables.draws(rows, definition, pd.RangeIndex(n), weights)
        for metric in metrics.names("proper"):
            value, *drawn = values[metric]
            cells = value, *proper_tables.interval(np.array(drawn), LEVEL)
            found[f"{metric}, {definition}", "percentile, questions"] = tuple(
                np.array([x]) for x in cells
            )
    return found
