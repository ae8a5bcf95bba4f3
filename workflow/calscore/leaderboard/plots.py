"""The bump chart: where each submission stands under each metric."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from .. import theme

WORDS = {
    "expected_score": "Expected\nScore",
    "buzz_precision": "Buzz\nPrecision",
    "win_rate": "Win\nRate",
    "mce": "MCE",
    "calscore": "CalScore",
    "ece": "ECE",
    "brier": "Brier",
}

READINGS = {
    "expected_score": "manual",
    "buzz_precision": "manual",
    "win_rate": "manual",
    "mce": "paper",
    "calscore": "paper",
    "ece": "paper",
    "brier": "paper",
}
"""The reading drawn of each metric; tables/leaderboard_ranks.csv holds all."""


def bump(ranks, styles, names: dict[str, str], readings: dict[str, str]):
    """Rank of each submission (1 on top) under one reading of each metric; gaps where there is none.

    ``readings``: metric → reading drawn.
    """
    shown = [
        m
        for m in WORDS
        if (
            (ranks["metric"] == m) & (ranks["reading"] == readings[m]) & ranks["rank"].notna()
        ).any()
    ]
    submissions = sorted(ranks["submission"].unique())
    worst = int(ranks["rank"].max())
    figure, ax = plt.subplots(figsize=(theme.WIDTH, max(2.2, 1.1 + 0.34 * worst)))
    # Submissions that share a rank are drawn side by side.
    offset = {
        s: (i - (len(submissions) - 1) / 2) * min(0.06, 0.4 / max(1, len(submissions)))
        for i, s in enumerate(submissions)
    }
    for submission in submissions:
        colour, marker = styles[submission]
        mine = ranks[ranks["submission"] == submission].set_index(["metric", "reading"])["rank"]
        mine = mine.astype("Float64").astype(float)
        y = np.array([mine.get((m, readings[m]), np.nan) for m in shown], dtype=float)
        x = np.arange(len(shown)) + offset[submission]
        ax.plot(
            x,
            y,
            color=colour,
            marker=marker,
            markersize=7,
            linewidth=1.8,
            label=names.get(submission, submission),
        )
    ax.set_xticks(range(len(shown)), [f"{WORDS[m]}\n({readings[m]})" for m in shown])
    ax.set_yticks(range(1, worst + 1))
    ax.set_ylim(worst + 0.4, 0.6)
    ax.set_xlim(-0.4, len(shown) - 0.6)
    ax.set_ylabel("Rank (1 is best)")
    ax.grid(axis="x", visible=False)
    figure.legend(
        *ax.get_legend_handles_labels(), loc="outside lower center", ncols=min(4, len(submissions))
    )
    return figure
