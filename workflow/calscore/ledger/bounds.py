"""What a printed score can be at all: attainable ranges, alone and given other scores of the same row.

All bounds are proofs of impossibility: a value outside cannot come from any model. They are exact
where the problem splits by question with one constraint that couples them: the greatest mean of
y_q over questions, given the mean of x_q, is the concave majorant of every question's own frontier,
merged by slope (Lagrangian duality; the multiplier is the slope). What the majorant adds over what
one question can reach is bounded by one question's share and returned as ``gap``.

Shapes: ``h`` human curve in [0, 1], length N, clues of a question next to each other; ``starts`` the
index of the first clue of each question, length Q, as in :mod:`calscore.scores.metrics`. Intervals are
(low, high), closed; (nan, nan) is the empty one.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..scores import metrics

GRID = 256
"""Steps of signed confidence in [-1, 1] at which a question's frontier is taken under ``paper``."""
C_STEPS = 10
"""Confidences per bin in the linear programs over (bin, right or wrong, confidence)."""
BRIER_ERROR = (1 / (metrics.N_BINS * C_STEPS)) ** 2 / 4
"""A confidence between two grid points, replaced by a mix of both with the same mean, adds (c − c0)(c1 − c) to Brier."""

SUMMATION = 1e-10
"""More than the order of summation can move a mean over clues."""
SOLVER = 1e-6
"""Conditions and ends of a linear program are let out by this much: the solver's own tolerance is 1e-7."""

# Appendix K's r: |r''| ≤ 1 / (6√3 · span); r' lies between r'(1) and r'(0).
_SPAN = np.tanh(0.5)
_CURVATURE = 1 / (6 * math.sqrt(3)) / _SPAN
_SLOPES = (1 / (4 * np.cosh(0.5) ** 2) / _SPAN, 0.25 / _SPAN)
EMPTY = (math.nan, math.nan)

Interval = tuple[float, float]


class Frontier(NamedTuple):
    """Least and greatest benchmark mean of y for each mean of x, both piecewise linear in x.

    ``x`` breakpoints (ascending) of ``upper`` and ``x_low`` of ``lower``. ``error``: by how much a
    true end may lie outside, from the grid. ``gap``: by how much at most an end may lie beyond what
    some model reaches.
    """

    x: np.ndarray
    upper: np.ndarray
    x_low: np.ndarray
    lower: np.ndarray
    error: float
    gap: float

    def y_given(self, x: Interval) -> Interval:
        """Range of y where x may lie anywhere in the interval; both ends grow with x."""
        low, high = max(x[0], self.x[0]), min(x[1], self.x[-1])
        # The ends of the frontier are sums over clues; a score that lies on one is not beyond it.
        if not low <= high + SUMMATION:
            return EMPTY
        return (
            float(np.interp(low, self.x_low, self.lower)) - self.error,
            float(np.interp(high, self.x, self.upper)) + self.error,
        )

    def x_given(self, y: Interval) -> Interval:
        """Range of x where y may lie anywhere in the interval."""
        lowest = _crossing(self.x, self.upper, y[0] - self.error, "left")
        highest = _crossing(self.x_low, self.lower, y[1] + self.error, "right")
        return (lowest, highest) if lowest <= highest else EMPTY


def _crossing(x, y, level: float, side: str) -> float:
    """First (``left``) or last (``right``) x at which the nondecreasing y(x) equals ``level``."""
    i = int(np.searchsorted(y, level, side))
    if i == 0:
        return float(x[0]) if side == "left" else math.nan
    if i == len(y):
        return float(x[-1]) if side == "right" else math.nan
    rise = y[i] - y[i - 1]
    return float(x[i - 1] + (x[i] - x[i - 1]) * (level - y[i - 1]) / rise)


def majorant(x, y) -> np.ndarray:
    """Indices of the corners of the least concave function above points with ascending ``x``."""
    px, py = np.asarray(x).tolist(), np.asarray(y).tolist()
    corners: list[int] = []
    for i in range(len(px)):
        while len(corners) > 1:
            j, k = corners[-2], corners[-1]
            if (py[k] - py[j]) * (px[i] - px[j]) > (py[i] - py[j]) * (px[k] - px[j]):
                break
            corners.pop()
        corners.append(i)
    return np.array(corners)


def merge(dx, dy, x0: float, y0: float) -> tuple[np.ndarray, np.ndarray]:
    """Sum of concave piecewise linear functions: their pieces in order of falling slope."""
    dx, dy = np.asarray(dx, dtype=float), np.asarray(dy, dtype=float)
    positive = dx > 0
    dx, dy = dx[positive], dy[positive]
    order = np.argsort(-dy / dx, kind="stable")
    return (
        np.concatenate([[x0], x0 + np.cumsum(dx[order])]),
        np.concatenate([[y0], y0 + np.cumsum(dy[order])]),
    )


def _sizes(starts, n: int) -> np.ndarray:
    return np.diff(np.append(starts, n))


def _question(h) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One question under ``paper``: grid of mean g·c, and r of it and of the greatest mean (1−h)·g·c.

    For a given mean of x = g·c in [−1, 1] the mean of (1−h)·x is greatest when x is raised from −1
    to 1 at the clues with the greatest 1 − h first.
    """
    weights = np.sort(1.0 - h)[::-1]
    n = len(h)
    corner = -1.0 + 2.0 * np.arange(n + 1) / n
    best = (2.0 * np.concatenate([[0.0], np.cumsum(weights)]) - weights.sum()) / n
    a = np.union1d(np.linspace(-1.0, 1.0, GRID + 1), corner)
    return a, metrics.renormalise(a), metrics.renormalise(np.interp(a, corner, best))


def adjusted_frontier(h, starts, definition: str) -> Frontier:
    """1 − CalScore (y) that is possible for each 1 − MCE (x), over all models.

    ``release``: x = mean g·c, y = mean (1−h)·g·c with g·c in [0, 1]: a fractional knapsack over
    clues, exact. ``paper``: x = mean r(mean g·c), y = mean r(mean (1−h)·g·c) with g·c in [−1, 1].
    """
    h, starts = np.asarray(h, dtype=float), np.asarray(starts)
    sizes = _sizes(starts, len(h))
    count = len(starts)
    if definition == "release":
        weight = np.repeat(1.0 / (count * sizes), sizes)
        x, upper = merge(weight, weight * (1.0 - h), 0.0, 0.0)
        # What is left out of all clues: L(x) = U(1) − U(1 − x).
        return Frontier(x, upper, x[-1] - x[::-1], upper[-1] - upper[::-1], SUMMATION, 0.0)
    dx, dy, x0, y0, gap = [], [], 0.0, 0.0, 0.0
    for start, size in zip(starts, sizes, strict=True):
        _, u, f = _question(h[start : start + size])
        corner = majorant(u, f)
        dx.append(np.diff(u[corner]))
        dy.append(np.diff(f[corner]))
        x0, y0 = x0 + u[0], y0 + f[0]
        gap = max(gap, float(np.max(np.interp(u, u[corner], f[corner]) - f)))
    x, upper = merge(np.concatenate(dx), np.concatenate(dy), x0, y0)
    x, upper = x / count, upper / count
    # Between grid points f − λu exceeds its greater neighbour by at most δ²/8 of its curvature, and
    # no slope λ of a frontier exceeds r'(0) / r'(1).
    error = (2.0 / GRID) ** 2 / 8 * _CURVATURE * (1.0 + _SLOPES[1] / _SLOPES[0])
    # r(−x) = 1 − r(x), so exchanging right and wrong turns the upper frontier into the lower one.
    return Frontier(x, upper, 1.0 - x[::-1], 1.0 - upper[::-1], error, gap / count + 2 * error)


def calscore_given_mce(frontier: Frontier, mce: Interval) -> Interval:
    """Range of CalScore where MCE lies in an interval."""
    low, high = frontier.y_given((1.0 - mce[1], 1.0 - mce[0]))
    return 1.0 - high, 1.0 - low


def mce_given_calscore(frontier: Frontier, calscore: Interval) -> Interval:
    """Range of MCE where CalScore lies in an interval."""
    low, high = frontier.x_given((1.0 - calscore[1], 1.0 - calscore[0]))
    return 1.0 - high, 1.0 - low


def signed_given_mce(sizes, definition: str, mce: Interval) -> Interval:
    """Range of the mean signed confidence over the rows of ECE and Brier, where MCE lies in an interval.

    ``sizes``: clues of each question. ``paper``: mean of ±c over all clues (+ where right), while
    MCE averages r of each question's mean. ``release``: mean of g·c over last clues, while MCE
    averages all clues; the others are free.
    """
    sizes = np.asarray(sizes, dtype=float)
    n, count = sizes.sum(), len(sizes)
    u_low, u_high = max(0.0, 1.0 - mce[1]), min(1.0, 1.0 - mce[0])
    if not u_low <= u_high + SUMMATION:
        return EMPTY
    if definition == "release":
        x, y = merge(1.0 / (count * sizes), np.full(count, 1.0 / count), 0.0, 0.0)
        high = float(np.interp(min(u_high, x[-1]), x, y))
        need = max(0.0, u_low - float(np.mean((sizes - 1.0) / sizes)))
        low = float(np.interp(need, x[-1] - x[::-1], y[-1] - y[::-1]))
        return low, high
    a = np.linspace(-1.0, 1.0, GRID + 1)
    u = metrics.renormalise(a)
    corner = majorant(u, a)
    dx, dy = [], []
    for size, times in zip(*np.unique(sizes, return_counts=True), strict=True):
        dx.append(np.diff(u[corner]) * times / count)
        dy.append(np.diff(a[corner]) * times * size / n)
    x, y = merge(np.concatenate(dx), np.concatenate(dy), 0.0, -1.0)
    error = (2.0 / GRID) ** 2 / 8 * _CURVATURE / _SLOPES[0]
    high = float(np.interp(u_high, x, y)) + error
    low = -float(np.interp(1.0 - u_low, x, y)) - error
    return max(-1.0, low), min(1.0, high)


@lru_cache(maxsize=4)
def _atoms(definition: str):
    """Bin, sign of the bin's gap, correctness and confidence of every kind of row."""
    atoms = []
    for k in range(metrics.N_BINS):
        grid = [(k * C_STEPS + i) / (metrics.N_BINS * C_STEPS) for i in range(C_STEPS + 1)]
        if definition == "release" and k == metrics.N_BINS - 1:
            grid = [0.0, *grid]  # the released binning puts confidence 0 into the last bin
        atoms += [(k, sign, g, c) for sign in (1, -1) for g in (0, 1) for c in grid]
    return tuple(np.array(column, dtype=float) for column in zip(*atoms, strict=True))


@lru_cache(maxsize=4096)
def joint_range(
    target: str, definition: str, constraints: tuple[tuple[str, Interval], ...]
) -> Interval:
    """Range of one of brier, ece, accuracy, signed where others of them lie in intervals.

    A linear program over the shares of rows of each kind (bin, correctness, confidence, sign of the
    bin's gap). Shares may be any numbers, bins keep their ends: an outer range, exact as the rows
    grow many but for ece and brier at their greatest, where a bin may not have both signs.
    """
    from scipy.optimize import linprog

    bin_, sign, g, c = _atoms(definition)
    signed = (2 * g - 1) * c if definition == "paper" else g * c
    forms = {"brier": (c - g) ** 2, "ece": sign * (g - c), "accuracy": g, "signed": signed}
    upper, limits = [], []
    for k in range(metrics.N_BINS):
        for s in (1.0, -1.0):
            upper.append(np.where((bin_ == k) & (sign == s), -s * (g - c), 0.0))
            limits.append(0.0)
    for name, (low, high) in constraints:
        if not low <= high:
            return EMPTY
        slack = BRIER_ERROR if name == "brier" else 0.0
        upper += [forms[name], -forms[name]]
        limits += [high + slack + SOLVER, SOLVER - low]
    ends = []
    for direction in (1.0, -1.0):
        solution = linprog(
            direction * forms[target],
            A_ub=np.array(upper),
            b_ub=np.array(limits),
            A_eq=np.ones((1, len(g))),
            b_eq=[1.0],
            method="highs",
        )
        if solution.status == 2:
            return EMPTY
        if solution.status != 0:
            raise ArithmeticError(solution.message)
        ends.append(direction * float(solution.fun))
    low = ends[0] - SOLVER - (BRIER_ERROR if target == "brier" else 0.0)
    ends[1] += SOLVER
    return (low, ends[1]) if target == "signed" else (max(0.0, low), min(1.0, ends[1]))


def counts_within(printed: Interval, n: int) -> tuple[int, int]:
    """Least and greatest k with k / n in the interval; the second is smaller where there is none."""
    return math.ceil(printed[0] * n - 1e-9), math.floor(printed[1] * n + 1e-9)


def smallest_total(printed: list[Interval], most: int) -> int | None:
    """The least n up to ``most`` of which every printed share is a rounded k / n; None where none is."""
    n = np.arange(1, most + 1)
    fits = np.ones(most, dtype=bool)
    for low, high in printed:
        fits &= np.ceil(low * n - 1e-9) <= np.floor(high * n + 1e-9)
    return int(n[fits][0]) if fits.any() else None


def rank_range(own: Interval, other_intervals: list[Interval]) -> tuple[int, int]:
    """Ranks (1 is the least) that the unrounded values allow, ties sharing the better one."""
    return (
        1 + sum(high < own[0] for _, high in other_intervals),
        1 + sum(low < own[1] for low, _ in other_intervals),
    )


def part_given_total(
    total: Interval, other_parts: list[tuple[float, Interval]], n: float
) -> Interval:
    """Range of one part's mean over ``n`` items, given the mean of all and the other parts' (n, mean)."""
    items = n + sum(size for size, _ in other_parts)
    low = total[0] * items - sum(size * high for size, (_, high) in other_parts)
    high = total[1] * items - sum(size * low for size, (low, _) in other_parts)
    return low / n, high / n
