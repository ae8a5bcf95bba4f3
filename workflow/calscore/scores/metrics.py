"""Calibration metrics over arrays: MCE, CalScore, SH, ECE, Brier (paper §4, Appendices G, H, K).

Shapes: ``g`` correctness (bool or 0/1), ``c`` confidence in [0, 1], ``h`` human curve in [0, 1], all
of length N with the clues of one question next to each other; ``starts`` the index of the first
clue of each question, length Q.
"""

from __future__ import annotations

import numpy as np

from ..stats.means import sigmoid

DEFINITIONS = {"paper": "buzzed_so_far", "release": "buzzed_on_question"}
"""Metric definition → the definition of h that belongs to it."""

N_BINS = 10
_BLOCK = 1 << 15
_LOW = 1 / (1 + np.e)
_SPAN = np.e / (1 + np.e) - _LOW
# k / 10 rounded once, so that a confidence written 0.3 lies on the edge 0.3; linspace gives
# 0.30000000000000004 there.
DECIMAL_EDGES = np.array([k / N_BINS for k in range(N_BINS + 1)])
RELEASED_EDGES = np.linspace(0, 1, N_BINS + 1)


def renormalise(x):
    """Appendix K's r: [-1, 1] → [0, 1], (σ(x) − σ(−1)) / (σ(1) − σ(−1))."""
    return (sigmoid(np.asarray(x, dtype=float)) - _LOW) / _SPAN


def group_means(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Mean of ``values`` over each group; a group is never empty."""
    sizes = np.diff(np.append(starts, len(values)))
    return np.add.reduceat(values, starts) / sizes


def question_errors(g, c, h, starts, definition: str) -> tuple[np.ndarray, np.ndarray]:
    """(MCE, CalScore) of each question, shape (Q,), each in [0, 1].

    ``paper`` (§4.2, §4.3, Appendix K): 1 − r(mean g·c) and 1 − r(mean (1−h)·g·c) with g = ±1.
    ``release``: 1 − mean g·c and 1 − mean (1−h)·g·c with g = 0/1. The caller passes the h that
    belongs to the definition (:data:`DEFINITIONS`).
    """
    if definition not in DEFINITIONS:
        raise KeyError(definition)
    g, c, h, starts = map(np.asarray, (g, c, h, starts))
    sizes = np.diff(np.append(starts, len(c)))
    sums = np.empty((2, len(starts)))
    # In blocks that stay in the processor's cache: several passes over a block are cheap.
    step = max(1, _BLOCK * len(starts) // max(len(c), 1))
    for first in range(0, len(starts), step):
        inner = starts[first : first + step]
        begin, end = inner[0], inner[-1] + sizes[first + len(inner) - 1]
        gc = np.multiply(g[begin:end], 2.0 if definition == "paper" else 1.0)
        if definition == "paper":
            gc -= 1.0
        gc *= c[begin:end]
        inner = inner - begin
        np.add.reduceat(gc, inner, out=sums[0, first : first + step])
        gc *= h[begin:end]
        np.add.reduceat(gc, inner, out=sums[1, first : first + step])
    # Σ(1−h)gc as Σgc − Σh·gc: one pass less over the rows.
    np.subtract(sums[0], sums[1], out=sums[1])
    sums /= sizes
    if definition == "paper":
        sums = renormalise(sums)
    plain, adjusted = 1.0 - sums
    return plain, adjusted


def sh_terms(g, c, starts, form: str) -> tuple[np.ndarray, np.ndarray]:
    """SH of Appendix H as a linear function of h: (coefficient of h at each clue, value without h).

    SH_q = value_q + Σ_t h_t·coefficient_t, h the share of teams that heard the question and were
    right by each clue (definition ``heard``). ``completed``: h newly right at each clue, and b
    brought to probability 1 at the last clue, as the text requires. ``as_printed``: cumulative h and
    b as it falls. Shapes (N,) and (Q,).
    """
    if form not in ("completed", "as_printed"):
        raise KeyError(form)
    n = len(c)
    sizes = np.diff(np.append(starts, n))
    row = np.repeat(np.arange(len(starts)), sizes)
    column = np.arange(n) - np.repeat(starts, sizes)
    shape = (len(starts), int(sizes.max()))

    def grid(values):
        out = np.zeros(shape)
        out[row, column] = values
        return out

    confidence, right = grid(c), grid(g)
    before = np.ones(shape)
    before[:, 1:] = np.cumprod(1 - confidence[:, :-1], axis=1)
    b = confidence * before
    if form == "completed":
        at = np.arange(len(starts)), sizes - 1
        b[at] = before[at]
    gain = np.cumsum(b * right, axis=1)
    total = gain[:, -1]
    if form == "as_printed":
        coefficient = gain - total[:, None]
    else:
        # Σ (h_t − h_{t−1})(gain_t − total), gathered by h_t; gain no longer moves after the last clue.
        coefficient = np.zeros(shape)
        coefficient[:, :-1] = gain[:, :-1] - gain[:, 1:]
    return coefficient[row, column], total


def sh(g, c, h, starts, form: str) -> np.ndarray:
    """Human-adjusted calibration score SH of Appendix H for each question, shape (Q,).

    ``h`` and ``form`` as in :func:`sh_terms`; ``completed`` is within [0, 1], ``as_printed`` can
    leave it.
    """
    coefficient, total = sh_terms(g, c, starts, form)
    return total + np.add.reduceat(coefficient * h, starts)


def bins(c, edges: str = "exact") -> np.ndarray:
    """Bin 0…9 of each confidence.

    ``exact``: [a, b) with the last one closed, edges exact in decimal. ``released``: as the
    released code has it, (a, b] with floating-point edges, and exactly 0 in the *last* bin.
    """
    c = np.asarray(c, dtype=float)
    if edges == "exact":
        index = (c * N_BINS).astype(np.intp)
        # Multiplication keeps order, so that only what lies just under an edge can round up to it.
        for k, value in _ROUNDED_UP:
            index[c == value] = k - 1
        return np.minimum(index, N_BINS - 1, out=index)
    if edges == "released":
        return (np.digitize(c, RELEASED_EDGES, right=True) - 1) % N_BINS
    raise KeyError(edges)


def _rounded_up() -> list[tuple[int, float]]:
    """(k, confidence) for each confidence below the edge k/10 whose tenfold rounds to k."""
    found = []
    for k in range(1, N_BINS):
        value = np.nextafter(DECIMAL_EDGES[k], 0)
        while value * N_BINS >= k:
            found.append((k, value))
            value = np.nextafter(value, 0)
    return found


_ROUNDED_UP = _rounded_up()


def reliability(g, c, edges: str = "exact", weights=None):
    """Counts, sums of confidence and of correctness per bin, three arrays of length 10."""
    index = bins(c, edges)
    return (
        np.bincount(index, weights=weights, minlength=N_BINS),
        np.bincount(index, weights=c, minlength=N_BINS),
        np.bincount(index, weights=np.asarray(g, dtype=float), minlength=N_BINS),
    )


def ece(g, c, edges: str = "exact") -> float:
    """Expected calibration error with ten equal bins (Appendix G), in [0, 1]."""
    return ece_of(reliability(g, c, edges))


def ece_of(table) -> float:
    """The ECE of what :func:`reliability` gives."""
    n, confidence, right = table
    return float(np.abs(right - confidence).sum() / n.sum())


def brier(g, c) -> float:
    """Mean squared difference of confidence and correctness (Appendix G), in [0, 1]."""
    difference = np.subtract(c, g, dtype=float)
    return float(difference @ difference / len(difference))
