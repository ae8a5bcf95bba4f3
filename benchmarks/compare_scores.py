"""The project's scores beside the libraries that have them: values on the same rows.

    python -m benchmarks.compare_scores            print the comparison, and what is not installed
    python -m benchmarks.compare_scores --write    replace tests/data/reference_scores.csv as well

tests/scores/test_proper_scoring.py holds the project's scores against the table, so that the libraries need not be
installed there. Needed for all of it: scikit-learn, relplot, uncertainty-calibration, torchmetrics,
netcal, and answers by a real model, quizbowl/gpr_runs.jsonl.gz and qanta.buzzdev.json.gz in the
folder that CALSCORE_DATA names.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import sys
from functools import partial
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from calscore.scores import metrics, proper_scoring

from . import DATA, ROOT

ANSWERS = DATA / "quizbowl"
TABLE = ROOT / "tests" / "data" / "reference_scores.csv"
COLUMNS = ("rows", "metric", "library", "version", "value", "within", "because")
SIGMA = 0.05


def ours(metric: str, g, c) -> float:
    """One of the metrics that the project draws from answers, of the answers themselves."""
    return proper_scoring.answer_draws(np.ones((1, 1)), g, c, np.zeros(len(c), int))[metric][0]


def smooth_ece_at(g, c, sigma: float = SIGMA) -> float:
    """The project's smECE at a bandwidth."""
    sums = proper_scoring.cosine_sums(g, c, np.zeros(len(c), int), 1, proper_scoring.MOST_MODES)
    return proper_scoring.smoothed_error(sums / len(c), np.array([sigma]))[0]


OURS = {
    "ece": metrics.ece,
    "brier": metrics.brier,
    "log_score_clipped": lambda g, c: proper_scoring.log_losses(g, c, proper_scoring.CLIP).mean(),
    "smooth_ece_at": smooth_ece_at,
    **{
        metric: partial(ours, metric) for metric in ("auroc", "ece_equal_mass", "ece2_debiased", "ece_smooth")
    },
}


def drawn(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """(g, c) of 2,000 simulated answers: confidences as drawn, within [.05, .95], in
    hundredths, or many exactly 0 and 1."""
    rng = np.random.default_rng(20250219)
    c = rng.beta(0.8, 0.8, 2000)
    g = rng.random(2000) < 0.1 + 0.6 * c**1.5
    if kind == "inner":
        c = 0.05 + 0.9 * c
    elif kind == "hundredths":
        c = c.round(2)
    elif kind == "certain":
        c = np.where(c < 0.1, 0.0, np.where(c > 0.9, 1.0, c))
    return g, c


def real() -> tuple[np.ndarray, np.ndarray] | None:
    """(g, c) of the real guesses: right where the guess is the page's name, c = exp(mean log-probability)."""
    files = ANSWERS / "gpr_runs.jsonl.gz", ANSWERS / "qanta.buzzdev.json.gz"
    if not all(file.exists() for file in files):
        return None

    def plain(name: str) -> str:
        return re.sub(r"\W+", " ", re.sub(r"\(.*?\)", "", name.replace("_", " ")).lower()).strip()

    with gzip.open(files[1], "rt", encoding="utf-8") as handle:
        pages = {one["qanta_id"]: plain(one["page"]) for one in json.load(handle) if one["page"]}
    with gzip.open(files[0], "rt", encoding="utf-8") as handle:
        runs = [json.loads(line) for line in handle]
    runs = [run for run in runs if run["token_logprobs"] and run["qanta_id"] in pages]
    g = np.array([plain(run["guess"]) == pages[run["qanta_id"]] for run in runs])
    return g, np.array([np.exp(np.mean(run["token_logprobs"])) for run in runs])


def all_rows() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Name → (g, c); ``real`` only where the files are there."""
    found = {kind: drawn(kind) for kind in ("drawn", "inner", "hundredths", "certain")}
    answers = real()
    return found | ({"real": answers} if answers else {})


def installed(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def scikit_learn(g, c):
    from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

    yield "brier", brier_score_loss(g, c), 1e-12
    yield "log_score_clipped", log_loss(g, c), 1e-12
    yield "auroc", roc_auc_score(g, c), 1e-12
    yield "ece_equal_mass", equal_mass(g, c), 1e-12


def equal_mass(g, c) -> float:
    """ECE from scikit-learn's calibration_curve; the bins' counts, which it keeps, from its edges."""
    from sklearn.calibration import calibration_curve

    right, confidence = calibration_curve(g, c, n_bins=10, strategy="quantile")
    edges = np.percentile(c, np.linspace(0, 1, 11) * 100)
    counts = np.bincount(np.searchsorted(edges[1:-1], c))
    return float(np.abs(right - confidence) @ counts[counts > 0] / len(c))


def relplot(g, c):
    import relplot
    from relplot import config

    config.smECE_mesh_pts = 20_000
    yield "smooth_ece_at", relplot.smECE_sigma(c, g.astype(float), SIGMA), 1e-5
    # Its bandwidth is the result of ten halvings.
    yield "ece_smooth", relplot.smECE(c, g.astype(float)), 1e-3


def uncertainty_calibration(g, c):
    from calibration.utils import bin as into_bins
    from calibration.utils import unbiased_square_ce

    # Its bins are (a, b]; the number just under each edge makes them [a, b).
    edges = [*np.nextafter(metrics.DECIMAL_EDGES[1:-1], 0), 1.0]
    pairs = list(zip(c.tolist(), g.astype(float).tolist(), strict=True))
    yield "ece2_debiased", unbiased_square_ce(into_bins(pairs, edges)), 1e-12


def torchmetrics(g, c):
    import torch
    from torchmetrics.functional.classification import binary_calibration_error

    yield (
        "ece",
        float(binary_calibration_error(torch.tensor(c), torch.tensor(g), n_bins=10, norm="l1")),
        1e-6,
    )


def netcal(g, c):
    from netcal.metrics import ECE

    yield "ece", float(ECE(10).measure(c, g.astype(int))), 1e-12


LIBRARIES = {
    "scikit-learn": scikit_learn,
    "relplot": relplot,
    "uncertainty-calibration": uncertainty_calibration,
    "torchmetrics": torchmetrics,
    "netcal": netcal,
}
_ENDS = "counts what lies on an end of its grid half, and divides by what is left"
# (library, metric, rows) → why another value is right; such rows are printed, and not held together.
# Where every bin errs the same way, as on the real answers, smoothing leaves |mean(g − c)| as it is.
OTHERWISE = {
    ("relplot", metric, rows): _ENDS
    for metric in ("smooth_ece_at", "ece_smooth")
    for rows in ("drawn", "hundredths", "certain", "real")
}


def compare() -> list[dict]:
    found = []
    for name, function in LIBRARIES.items():
        have = installed(name)
        if not have:
            print(f"{name} is not installed: left out")
            continue
        for rows, (g, c) in all_rows().items():
            for metric, value, within in function(g, c):
                reason = OTHERWISE.get((name, metric, rows), "")
                cells = (rows, metric, name, have, repr(float(value)), within, reason)
                found.append(dict(zip(COLUMNS, cells, strict=True)))
    return found


def main() -> None:
    answers = all_rows()
    if "real" not in answers:
        print(f"real answers are not in {ANSWERS}: left out")
    found = compare()
    for row in sorted(found, key=lambda row: (row["metric"], row["rows"], row["library"])):
        ours = OURS[row["metric"]](*answers[row["rows"]])
        gap = ours - float(row["value"])
        print(
            f"{row['metric']:<18}{row['rows']:<12}{row['library']:<24}{float(row['value']):.9f}"
            f"{ours:>14.9f}{gap:>11.1e}  {row['because']}"
        )
    if "--write" in sys.argv:
        if {row["library"] for row in found} != set(LIBRARIES) or "real" not in answers:
            sys.exit("not written: something was left out")
        with TABLE.open("w", newline="", encoding="utf-8") as handle:
            writer = csv.DictWriter(handle, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)


if __name__ == "__main__":
    main()
