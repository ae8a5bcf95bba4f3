"""Speed of ECE-10, the Brier score and the reliability table beside the libraries that have them.

    python -m benchmarks.bench_scores [rows]

All in one run on one core, CPU time, the median of alternating rounds; libraries that are not
installed are named. Nothing is asserted but that all give the same ECE and Brier score.
"""

from __future__ import annotations

import statistics
import sys

import numpy as np
from calscore.scores import metrics, proper_scoring
from calscore.stats import resample

from . import seconds

ROUNDS = 5


def project(g, c):
    n, confidence, right = metrics.reliability(g, c)
    return np.abs(right - confidence).sum() / n.sum(), metrics.brier(g, c)


def scikit_learn():
    from sklearn.calibration import calibration_curve
    from sklearn.metrics import brier_score_loss

    def run(g, c):
        right, confidence = calibration_curve(g, c, n_bins=10)
        # calibration_curve keeps the counts to itself.
        counts = np.histogram(c, np.linspace(0, 1, 11))[0]
        gap = np.abs(right - confidence) @ counts[counts > 0] / len(c)
        return float(gap), brier_score_loss(g, c)

    return run


def torchmetrics():
    import torch
    from torchmetrics.functional import mean_squared_error
    from torchmetrics.functional.classification import binary_calibration_error

    torch.set_num_threads(1)

    def run(g, c):
        target, preds = torch.from_numpy(g), torch.from_numpy(c)
        gap = binary_calibration_error(preds, target, n_bins=10, norm="l1", validate_args=False)
        return float(gap), float(mean_squared_error(preds, target.to(preds.dtype)))

    return run


def netcal():
    from netcal.metrics import ECE

    def run(g, c):
        # The second value of the three is the accuracy of each bin. It has no Brier score.
        gap, *_ = ECE(10).measure(c, g, return_map=True)
        return float(gap), None

    return run


LIBRARIES = {"scikit-learn": scikit_learn, "torchmetrics": torchmetrics, "netcal": netcal}


def binary(rows: int) -> None:
    """One run of ECE-10, Brier and reliability table over ``rows`` answers by each."""
    rng = np.random.default_rng(0)
    c = rng.random(rows)
    g = rng.random(rows) < c
    functions = {"this project": project}
    for name, make in LIBRARIES.items():
        try:
            functions[name] = make()
        except ImportError as error:
            print(f"{name}: not installed ({error.name}), left out")
    expected = project(g[:10_000], c[:10_000])
    for name, function in functions.items():
        gap, brier = function(g[:10_000], c[:10_000])
        assert abs(gap - expected[0]) < 1e-6, name
        assert brier is None or abs(brier - expected[1]) < 1e-6, name
    taken = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            taken[name].append(seconds(function, g, c))
    fastest = statistics.median(taken["this project"])
    print(f"ECE-10, Brier and reliability table over {rows:,} rows, one core, CPU time")
    print(f"{'':<16}{'rows a second':>16}{'times slower':>14}")
    for name, times in taken.items():
        median = statistics.median(times)
        note = "  without Brier" if name == "netcal" else ""
        print(f"{name:<16}{rows / median:>16,.0f}{median / fastest:>14.1f}{note}")


def replicates(questions: int = 240, clues: int = 9, draws: int = 2000) -> None:
    """Resampled scores that need the confidences in order, beside a loop over resamples."""
    rng = np.random.default_rng(0)
    code = np.repeat(np.arange(questions), clues)
    c = rng.random(len(code))
    g = rng.random(len(code)) < c
    weights = resample.bootstrap_weights(questions, draws, 0)
    proper_scoring.smooth_ece_draws(weights[:2], g, c, code)
    rows = [np.repeat(np.arange(len(code)), w[code].astype(int)) for w in weights[:50]]

    def at_once(function):
        return lambda: function(weights, g, c, code)

    def loop(function):
        return lambda: [function(np.ones((1, 1)), g[of], c[of], np.zeros(len(of), int)) for of in rows]

    def binned(weights, g, c, code):
        sums = proper_scoring.bin_sums(g, c, code, weights.shape[1])
        return proper_scoring.binned_scores(weights, sums)

    print(f"\n{draws:,} replicates of {questions} questions × {clues} clues, CPU seconds")
    print(f"{'':<40}{'at once':>10}{'loop':>10}{'ratio':>8}")
    for name, function in (
        ("AUROC, AURC, E-AURC, equal-mass ECE", proper_scoring.rank_scores),
        ("SmoothECE", proper_scoring.smooth_ece_draws),
        ("Brier terms, debiased ECE", binned),
    ):
        fast = statistics.median(seconds(at_once(function)) for _ in range(3))
        slowly = seconds(loop(function)) * draws / len(rows)
        print(f"{name:<40}{fast:>10.3f}{slowly:>10.2f}{slowly / fast:>8.0f}")


if __name__ == "__main__":
    binary(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000)
    replicates()
