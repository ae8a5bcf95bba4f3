"""Speed of scoring beside a plain per-row loop in the same run, and time by rule of the demo study.

``make bench``, or ``python -m benchmarks.bench [size]``; nothing here is asserted. Ratios are of medians over repeated, alternating runs.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from functools import partial

import numpy as np
import pandas as pd
from calscore.scores import metrics

from . import ROOT, seconds

QUESTIONS, CLUES, SERIES = 240, 9, 12
timed = partial(seconds, clock=time.perf_counter)


def study(scale: int):
    """Random g, c, h and starts of ``scale`` times 240 questions × 9 clues × 12 series."""
    rng = np.random.default_rng(0)
    n = QUESTIONS * CLUES * SERIES * scale
    return rng.random(n) < 0.4, rng.random(n), rng.random(n), np.arange(0, n, CLUES)


def loop(rows) -> list[tuple[float, float]]:
    """MCE and CalScore (paper) row by row: (question, g, c, h) tuples, sums kept in a dictionary."""

    def sigma(x):
        return 1 / (1 + math.exp(-x))

    low, span = sigma(-1), sigma(1) - sigma(-1)
    sums: dict[int, list[float]] = {}
    for question, g, c, h in rows:
        total = sums.setdefault(question, [0.0, 0.0, 0.0])
        term = c if g else -c
        total[0] += 1
        total[1] += term
        total[2] += (1 - h) * term
    return [(1 - (sigma(a / n) - low) / span, 1 - (sigma(b / n) - low) / span) for n, a, b in sums.values()]


def table_loop(table) -> list[tuple[float, float]]:
    """The same over the rows of a pandas table, as scripts that have one usually do."""
    return loop((row.question, row.g, row.c, row.h) for row in table.itertuples(index=False))


def compare(scale: int, repeats: int) -> None:
    g, c, h, starts = study(scale)
    question = np.repeat(np.arange(len(starts)), CLUES)
    rows = list(zip(question.tolist(), g.tolist(), c.tolist(), h.tolist(), strict=True))
    mce, calscore = metrics.question_errors(g, c, h, starts, "paper")
    slow = np.array(loop(rows))
    assert np.allclose(slow[:, 0], mce, atol=1e-12) and np.allclose(slow[:, 1], calscore, atol=1e-12)
    table = pd.DataFrame({"question": question, "g": g, "c": c, "h": h})
    baselines = {
        "loop over tuples": (loop, rows),
        "loop over table rows": (table_loop, table),
    }
    fast, slow = [], {name: [] for name in baselines}
    for _ in range(repeats):
        fast.append(min(timed(metrics.question_errors, g, c, h, starts, "paper") for _ in range(5)))
        for name, (function, argument) in baselines.items():
            slow[name].append(timed(function, argument))
    quick = statistics.median(fast)
    both = statistics.median(timed(lambda: (metrics.ece(g, c), metrics.brier(g, c))) for _ in range(repeats))
    print(f"{len(rows):,} rows")
    print(f"  {'MCE + CalScore':<24}{len(rows) / quick:>14,.0f} rows/s")
    for name, times in slow.items():
        taken = statistics.median(times)
        print(f"  {name:<24}{len(rows) / taken:>14,.0f} rows/s   ratio {taken / quick:>7.0f}")
    print(f"  {'ECE + Brier':<24}{len(rows) / both:>14,.0f} rows/s")


def rules(study_name: str = "demo") -> None:
    files = sorted((ROOT / "results" / study_name / "benchmarks").glob("*.tsv"))
    if not files:
        print(f"no benchmark files of study {study_name}: run make {study_name} first")
        return
    rows = []
    for path in files:
        header, values = (line.split("\t") for line in path.read_text().strip().splitlines()[:2])
        row = dict(zip(header, values, strict=True))
        rows.append((path.stem, float(row["s"]), row.get("cpu_time", "-"), row.get("max_rss", "-")))
    print(f"\n{study_name}: seconds by rule\n{'rule':<24}{'wall':>8}{'cpu':>8}{'MB':>10}")
    for name, wall, cpu, memory in sorted(rows, key=lambda r: -r[1]):
        print(f"{name:<24}{wall:>8.2f}{cpu:>8}{memory:>10}")
    print(f"{'sum':<24}{sum(r[1] for r in rows):>8.2f}")


if __name__ == "__main__":
    compare(1, 15)
    compare(int(sys.argv[1]) if len(sys.argv) > 1 else 100, 3)
    rules()
