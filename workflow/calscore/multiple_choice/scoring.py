"""Calibration error of answers of which some were not attempted, under every reading.

Arrays: ``c`` confidence in [0, 1], ``output`` 1 right, 0 wrong, −1 not attempted, both of length n.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..scores import metrics

LABELS = ("minus_one", "attempted", "as_wrong")
"""What a not-attempted answer enters with: the label −1 (released code), not at all, or wrong (0)."""

EDGES = ("released", "exact")
"""``released``: bins [a, b) with edges as floating point has them, so that .3, .6 and .7 fall a bin
lower, and confidence 1 in none, though counted. ``exact``: :func:`calscore.scores.metrics.confidence_bins`."""

READINGS = {
    "release": ("minus_one", "released"),
    "attempted": ("attempted", "exact"),
    "as_wrong": ("as_wrong", "exact"),
}
"""Reading → labels and edges."""

N_BINS = metrics.N_BINS


def bins(c: ArrayLike, edges: str) -> np.ndarray:
    """Bin 0…9 of each confidence, shape (n,), integers; 10 (no bin) for confidence 1 with "released" ``edges``."""
    if edges == "released":
        return np.digitize(c, metrics.RELEASED_EDGES) - 1
    return metrics.confidence_bins(c, edges)


def is_counted(output: ArrayLike, labels: str) -> np.ndarray:
    """Mask (n,) of the answers that count: all but those not attempted (−1) under ``labels`` "attempted", else all."""
    output = np.asarray(output)
    return output >= 0 if labels == "attempted" else np.ones(output.shape, dtype=bool)


def residuals(c: ArrayLike, output: ArrayLike, labels: str, edges: str) -> np.ndarray:
    """Label − confidence of each answer in the column of its bin, shape (n, 10); 0 where not counted or in no bin. ``labels``,
    ``edges``: of :data:`LABELS`, :data:`EDGES`. ECE: sum of the columns' absolute sums / answers that count."""
    c, output = np.asarray(c, dtype=float), np.asarray(output)
    label = output if labels == "minus_one" else output == 1
    index = bins(c, edges)
    keep = is_counted(output, labels) & (index < N_BINS)
    out = np.zeros((len(c), N_BINS))
    out[np.flatnonzero(keep), index[keep]] = (label - c)[keep]
    return out


def calibrated_draws(c: ArrayLike, edges: str, replicates: int, seed: int | list[int]) -> np.ndarray:
    """ECEs (replicates,), with ``edges`` of :data:`EDGES`, that a calibrated model with confidences ``c`` (n,) would show. Each
    answer is right with its own confidence, independently; what is left is the chance error of a sample of this size."""
    rng = np.random.default_rng(seed)
    values, counts = np.unique(np.asarray(c, dtype=float), return_counts=True)
    gaps = rng.binomial(counts, values, size=(replicates, len(values))) - counts * values
    index = bins(values, edges)
    keep = index < N_BINS
    one_hot = np.zeros((len(values), N_BINS))
    one_hot[np.flatnonzero(keep), index[keep]] = 1
    return np.abs(gaps @ one_hot).sum(axis=1) / counts.sum()
