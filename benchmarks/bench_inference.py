"""Speed of inference beside a plain loop over replicates; part of ``make bench``, nothing is asserted.

``python -m benchmarks.bench_inference [replicates]``: 10,000 replicates × 12 series × 4 metrics with all intervals (percentile, BCa) and all paired differences.
"""

from __future__ import annotations

import statistics
import sys
import tracemalloc

import numpy as np
from calscore.scores import metrics
from calscore.stats import resample

from . import seconds

QUESTIONS, CLUES, SERIES = 240, 9, 12
REPLICATES = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
LOOPED = 50


def data():
    """Per-question sums of four metrics for twelve series, and the rows that they come from."""
    rng = np.random.default_rng(0)
    shape = (SERIES, QUESTIONS, CLUES)
    g, c, h = rng.random(shape) < 0.4, rng.random(shape), rng.random((QUESTIONS, CLUES))
    starts = np.arange(0, SERIES * QUESTIONS * CLUES, CLUES)
    mce, calscore = metrics.question_errors(
        g.ravel(), c.ravel(), np.broadcast_to(h, shape).ravel(), starts, "paper"
    )
    place = np.repeat(np.arange(SERIES * QUESTIONS), CLUES) * metrics.N_BINS
    gap = np.bincount(
        place + metrics.bins(c.ravel()),
        (g - c).ravel(),
        SERIES * QUESTIONS * metrics.N_BINS,
    )
    one = np.ones((SERIES, QUESTIONS))
    cells = (SERIES, QUESTIONS, 1)
    sums = {
        "mce": resample.Sums(mce.reshape(cells), one),
        "calscore": resample.Sums(calscore.reshape(cells), one),
        "brier": resample.Sums(((c - g) ** 2).sum(axis=2)[..., None], one * CLUES),
        "ece": resample.Sums(gap.reshape(SERIES, QUESTIONS, metrics.N_BINS), one * CLUES),
    }
    return sums, (g, c, h)


def products(sums):
    """Everything by matrix products."""
    weights = resample.bootstrap_weights(QUESTIONS, REPLICATES, 1)
    which = resample.index_pairs(SERIES)
    for one in sums.values():
        drawn = resample.bootstrap_replicates(one, weights)
        resample.intervals(drawn, resample.estimate(one), resample.jackknife(one), 0.95)
        resample.differences(one, which, weights, 0.95)


def loop(rows, replicates):
    """The usual way: draw questions, score every series again from its rows, note all differences."""
    g, c, h = rows
    rng = np.random.default_rng(1)
    found, gaps = [], []
    for _ in range(replicates):
        drawn = rng.integers(0, QUESTIONS, QUESTIONS)
        values = []
        starts = np.arange(0, QUESTIONS * CLUES, CLUES)
        for s in range(SERIES):
            right, confidence, human = g[s][drawn].ravel(), c[s][drawn].ravel(), h[drawn].ravel()
            errors = metrics.question_errors(right, confidence, human, starts, "paper")
            values.append(
                (
                    *(e.mean() for e in errors),
                    metrics.brier(right, confidence),
                    metrics.ece(right, confidence),
                )
            )
        found.append(values)
        gaps.append([np.subtract(values[a], values[b]) for a in range(SERIES) for b in range(a)])
    np.quantile(found, [0.025, 0.975], axis=0)
    np.quantile(gaps, [0.025, 0.975], axis=0)


def peak(method, *arguments) -> float:
    """Most memory, MB, that a method's arrays take at one time."""
    tracemalloc.start()
    method(*arguments)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 2**20


def main() -> None:
    sums, rows = data()
    products(sums)
    fast, slow = [], []
    for _ in range(5):
        fast.append(seconds(products, sums))
        slow.append(seconds(loop, rows, LOOPED) * REPLICATES / LOOPED)
    quick, plain = statistics.median(fast), statistics.median(slow)
    print(
        f"\n{REPLICATES:,} replicates × {SERIES} series × 4 metrics, all intervals and differences"
    )
    print(
        f"  {'matrix products':<34}{quick:>9.3f} s of CPU   memory {peak(products, sums):,.0f} MB"
    )
    print(
        f"  {f'loop ({LOOPED} replicates, scaled)':<34}{plain:>9.1f} s of CPU   memory {peak(loop, rows, LOOPED):,.0f} MB"
        f" ({LOOPED} replicates)   ratio {plain / quick:,.0f}"
    )


if __name__ == "__main__":
    main()
