"""Proper scores, with percentile intervals over questions."""

from __future__ import annotations

import numpy as np
from calscore.scores import metrics, proper_tables, score
from calscore.scores import proper_scoring as of_scores
from calscore.stats import resample

from ..engine import LEVEL


def debiased(rows, replicates: int, number: int) -> dict:
    """Debiased ECE of a model over every clue and over last clues, as the tables draw them."""
    found = {}
    last = rows["clue"] == rows["clue"].max()
    for scope, of in (("every clue", rows), ("last clue", rows[last])):
        question = of["question_id"].to_numpy()
        n = question.max() + 1
        sums = of_scores.bin_sums(of["correct"].to_numpy(), of["confidence"].to_numpy(), question, n)
        weights = np.vstack([np.ones(n), resample.bootstrap_weights(n, replicates, number)])
        values = of_scores.binned_scores(weights, sums)
        for name in ("ece_debiased", "ece_across"):
            value, *drawn = values[name]
            cells = value, *proper_tables.percentile_bounds(np.array(drawn), LEVEL)
            found[f"{name}, {scope}, calibrated model", "percentile, questions"] = tuple(
                np.array([x]) for x in cells
            )
    return found


def of_no_error(apart, intervals) -> dict:
    """The truth of a calibrated model."""
    return {key: np.zeros(1) for key in intervals(next(iter(apart)), 2, 0)}


def scores(rows, replicates: int, number: int) -> dict:
    """Intervals of one study."""
    (of,) = score.clues_of(rows)
    n = len(of.questions)
    weights = np.vstack([np.ones(n), resample.bootstrap_weights(n, replicates, 1)])
    found = {}
    for definition in metrics.DEFINITIONS:
        values = proper_tables.proper_replicates(of, definition, weights)
        for metric in metrics.metric_names("proper"):
            value, *drawn = values[metric]
            cells = value, *proper_tables.percentile_bounds(np.array(drawn), LEVEL)
            found[f"{metric}, {definition}", "percentile, questions"] = tuple(np.array([x]) for x in cells)
    return found
