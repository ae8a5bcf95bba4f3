"""How often the intervals of the fuller scores cover the truth, measured on simulated studies.

    python benchmarks/cover_scores.py            print the table
    python benchmarks/cover_scores.py --write    replace tests/data/fuller_coverage.csv as well (two minutes)

The truth is the score of one study of 60,000 questions by the same simulator. The clues of a question
share one draw, so that an answer once right stays right, as models' answers mostly do.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "workflow"))

from calscore.scores import proper_tables
from calscore.stats import resample

TABLE = ROOT / "benchmarks" / "coverage" / "fuller_coverage.csv"
COLUMNS = ("definition", "metric", "truth", "mean", "coverage", "below", "above")
STUDIES, QUESTIONS, REPLICATES, LEVEL = 1000, 240, 500, 0.95


def study(rng, n: int) -> pd.DataFrame:
    """Scored rows of one overconfident model over ``n`` questions of 4 to 9 clues."""
    sizes = rng.integers(4, 10, n)
    code = np.repeat(np.arange(n), sizes)
    clue = np.arange(len(code)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1
    revealed = clue / sizes[code]
    ease = rng.normal(0, 1, n)[code]
    p = 1 / (1 + np.exp(-(3 * revealed - 2 + ease)))
    human = np.clip(revealed + rng.normal(-0.3, 0.3, n)[code], 0, 1) * rng.random(n)[code]
    return pd.DataFrame(
        {
            "segmentation": "given",
            "model": "a",
            "elicitation": "logit",
            "reduction": "mean_prob",
            "question_id": code,
            "confidence": 1
            / (1 + np.exp(-(3 * revealed - 1 + 1.3 * ease + rng.normal(0, 0.5, len(code))))),
            "correct": rng.random(n)[code] < p,
            "buzzed_so_far": human,
            "buzzed_on_question": human * revealed,
        }
    )


def measure() -> list[dict]:
    rng = np.random.default_rng(20250219)
    large = study(rng, 60_000)
    found = []
    questions = pd.Index(range(QUESTIONS))
    weights = resample.bootstrap_weights(QUESTIONS, REPLICATES, 1)
    weights = np.vstack([np.ones(QUESTIONS), weights])
    drawn = [study(rng, QUESTIONS) for _ in range(STUDIES)]
    for definition in ("paper", "release"):
        everyone = pd.Index(range(60_000))
        truth = proper_tables.draws(large, definition, everyone, np.ones((1, 60_000)))
        rows = []
        for one in drawn:
            values = proper_tables.draws(one, definition, questions, weights)
            rows.append(
                [
                    (values[m][0], *proper_tables.interval(values[m][1:], LEVEL))
                    for m in proper_tables.METRICS
                ]
            )
        rows = np.array(rows)
        for place, metric in enumerate(proper_tables.METRICS):
            value, low, high = rows[:, place].T
            right = truth[metric][0]
            # Rounding must not decide where a score is the same in all studies.
            below, above = np.mean(high < right - 1e-12), np.mean(low > right + 1e-12)
            cells = (right, value.mean(), 1 - below - above, below, above)
            found.append((definition, metric, *(f"{cell:.4f}" for cell in cells)))
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def main() -> None:
    found = measure()
    print(f"{STUDIES} studies of {QUESTIONS} questions, {LEVEL:.0%} percentile intervals")
    print(pd.DataFrame(found).to_string(index=False))
    if "--write" in sys.argv:
        with TABLE.open("w", newline="", encoding="utf-8") as handle:
            writer = csv.DictWriter(handle, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)


if __name__ == "__main__":
    main()
