"""Measure how often the 95 % intervals of the odds ratios cover the truth; prints a table.

    python benchmarks/measure_regressions.py [studies]

Simulated studies have 240 questions, 17 human teams and 3 models, each team on half of the questions,
and random effects of questions and of human teams. The truth is what the same logit tends to over all
studies together (random effects draw marginal coefficients towards 0).
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
from calscore.inference import regressions
from test_regressions import POSITION, simulated

LEVELS = {POSITION: "position", "M2": "model against humans", "B": "category"}
EFFECTS = {"none": (0.0, 0.0), "questions": (0.8, 0.0), "questions and teams": (0.8, 0.5)}


def study(seed: int, question_sd: float, team_sd: float):
    """Buzz rows of one study."""
    rng = np.random.default_rng([20250219, seed])
    models = (("M1", -0.4), ("M2", 0.8), ("M3", -0.7))
    rows = simulated(rng, 240, 17, 1.2, models, question_sd, team_sd)
    rows = rows[rng.random(len(rows)) < 0.5].reset_index(drop=True)
    # The reference must be the same in each study.
    return rows.assign(category=np.where(rows["category"] == "B", "B", "A"))


def coverage(studies: int, effect: str):
    """Coverage of each method and term: a frame (effects, method, term, coverage, median width)."""
    import statsmodels.api as sm

    rows = [study(seed, *EFFECTS[effect]) for seed in range(studies)]
    pooled = pd.concat(rows, ignore_index=True)
    names = ["M1", "M2", "M3"]
    x = [np.ones(len(pooled)), 10 * pooled["position"], *(pooled["group"] == m for m in names)]
    x = np.column_stack([*x, pooled["category"] == "B"]).astype(float)
    fit = sm.Logit(pooled["correct"].astype(float), x).fit(disp=0).params.to_numpy()
    truth = {POSITION: fit[1], "M2": fit[3], "B": fit[5]}
    found = []
    for one in rows:
        everything = {name: sorted(one[name].unique()) for name in ("group", "category")}
        table = pd.DataFrame(regressions._population(one, "all", everything, 0.95))
        found.append(table[table["level"].isin(list(LEVELS)) & (table["status"] == "estimated")])
    table = pd.concat(found, ignore_index=True)
    target = table["level"].map(truth)
    table["coverage"] = (np.log(table["low"]) <= target) & (target <= np.log(table["high"]))
    table["width"] = np.log(table["high"] / table["low"])
    table["term"] = table["level"].map(LEVELS)
    summary = table.groupby(["method", "term"]).agg(
        coverage=("coverage", "mean"), median_width=("width", "median"), studies=("width", "size")
    )
    return summary.reset_index().assign(effects=effect)


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    tables = [coverage(number, effect) for effect in EFFECTS]
    table = pd.concat(tables, ignore_index=True)
    table.insert(0, "effects", table.pop("effects"))
    table.round(3).to_csv(sys.stdout, index=False, lineterminator="\n")
