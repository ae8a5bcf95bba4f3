"""``python -m benchmarks.calibration [--studies N] [--write]``: simulation-based calibration of the model of buzzes.

Standard deviations, means and effects of tiny studies come from the priors. Where the posterior is right, the rank of the
truth among its draws is uniform (Talts et al. 2018).
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
from calscore.inference import mixed_model
from calscore.inference.mixed_model import ALL_TEAMS, HUMAN, NEW_TEAM
from scipy.stats import chisquare, kstest

from . import ROOT
from .coverage.worlds import effects

TABLE = ROOT / "docs" / "calibration.csv"
STUDIES, BINS, DRAWS = 300, 10, 999
RATES = {
    "team": (HUMAN, "H0", "all"),
    "another team": (HUMAN, NEW_TEAM, "all"),
    "mean team": (HUMAN, ALL_TEAMS, "all"),
    "mean team, category": (HUMAN, ALL_TEAMS, "C0"),
    "model": ("model", "M0", "all"),
    "model, category": ("model", "M0", "C0"),
}


def ranks(studies: int, seed: int = 151) -> pd.DataFrame:
    """Share of the draws below the truth, a row per study and a column per rate; ties are drawn."""
    rows = []
    for number, study in enumerate(effects.studies(studies, seed)):
        layout = mixed_model.layout_of_rows(study.rows, "right")
        drawn = mixed_model.posterior_draws(layout.design, DRAWS, number)
        found = mixed_model.share_draws(layout, drawn, number)
        rows.append({name: (found[key] < study.truth[key]).mean() for name, key in RATES.items()})
    return pd.DataFrame(rows)


def uniformity(found: pd.DataFrame) -> pd.DataFrame:
    """Of each rate: ranks in tenths, p of χ² on them, the ECDF's largest distance from uniform and its p (Kolmogorov)."""
    rows = []
    for name, of in found.items():
        counts = np.bincount(np.minimum((of * BINS).astype(int), BINS - 1), minlength=BINS)
        far = kstest(of, "uniform")
        row = {"rate": name, "studies": len(of), "p_chi_square": chisquare(counts).pvalue}
        row |= {"farthest": far.statistic, "p_farthest": far.pvalue}
        rows.append(row | {f"tenth_{n + 1}": count for n, count in enumerate(counts)})
    return pd.DataFrame(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("--studies", type=int, default=STUDIES)
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    given = parser.parse_args()
    table = uniformity(ranks(given.studies))
    print(table.round(4).to_string())
    if given.write:
        table.round(6).to_csv(TABLE, index=False, lineterminator="\n")
