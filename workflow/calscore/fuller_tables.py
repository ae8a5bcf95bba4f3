"""Proper and fuller scores of every model with intervals, and the risk–coverage curve."""

from __future__ import annotations

import numpy as np
import pandas as pd

from . import fuller, inference, metrics, store, tables
from .scores import SERIES, edges, in_scope

METRICS = (
    "brier",
    "brier_reliability",
    "brier_resolution",
    "brier_uncertainty",
    "brier_within_variance",
    "brier_within_covariance",
    "log_score",
    "log_score_clipped",
    "ece2_debiased",
    "ece_debiased",
    "ece2_across",
    "ece_across",
    "ece_equal_mass",
    "ece_smooth",
    "auroc",
    "aurc",
    "aurc_excess",
    "calscore_normalised",
    "calscore_least",
    "calscore_greatest",
)
SORTED_REPLICATES = 1000
"""Replicates of the scores that need the confidences in order; the others take all."""
COVERAGE = np.arange(1, 101) / 100


def question_sums(one, definition: str, questions: pd.Index) -> dict:
    """Per-question (numerator, denominator) of the scores that are ratios of sums, arrays (Q,).

    ``one``: all clues of one series (:func:`calscore.scores.scored_rows`). What is a ratio of sums
    is resampled by a matrix product (:func:`calscore.inference.ratio_draws`).
    """
    scope = in_scope(one, definition)
    size = len(questions)
    code = questions.get_indexer(scope["question_id"])
    g, c = scope["correct"].to_numpy(dtype=float), scope["confidence"].to_numpy(dtype=float)
    rows = np.bincount(code, minlength=size).astype(float)
    found = {
        "brier": (np.bincount(code, (c - g) ** 2, size), rows),
        "log_score_clipped": (np.bincount(code, fuller.log_losses(g, c, fuller.CLIP), size), rows),
    }
    starts = np.flatnonzero((one["question_id"] != one["question_id"].shift()).to_numpy())
    at = questions.get_indexer(one["question_id"].iloc[starts])
    h = one[metrics.DEFINITIONS[definition]].to_numpy(dtype=float)
    least, greatest = fuller.calscore_range(h, starts, definition)
    per_question = {
        "calscore_normalised": fuller.calscore_normalised(
            one["correct"], one["confidence"], h, starts, definition
        ),
        "calscore_least": least,
        "calscore_greatest": greatest,
    }
    for name, values in per_question.items():
        known = np.isfinite(values)
        found[name] = (
            np.bincount(at[known], values[known], size),
            np.bincount(at[known], minlength=size).astype(float),
        )
    return found


def draws(one, definition: str, questions: pd.Index, weights) -> dict[str, np.ndarray]:
    """Every metric of :data:`METRICS` for one series in each replicate, arrays (R,) or shorter.

    ``weights`` (R, Q) with ones first. The scores that need the confidences in order have the first
    :data:`SORTED_REPLICATES` replicates after the data themselves.
    """
    found = {
        name: inference.ratio_draws(weights, *sums)
        for name, sums in question_sums(one, definition, questions).items()
    }
    scope = in_scope(one, definition)
    code = questions.get_indexer(scope["question_id"])
    g, c = scope["correct"].to_numpy(dtype=float), scope["confidence"].to_numpy(dtype=float)
    losses = fuller.log_losses(g, c)
    certain = np.isinf(losses)
    size = len(questions)
    plain = np.bincount(code, np.where(certain, 0.0, losses), size)
    rows = np.bincount(code, minlength=size).astype(float)
    found["log_score"] = inference.ratio_draws(weights, plain, rows)
    found["log_score"][weights @ np.bincount(code, certain, size) > 0] = np.inf
    found |= fuller.binned(weights, fuller.bin_sums(g, c, code, size, edges(definition)))
    few = weights[: SORTED_REPLICATES + 1]
    found |= fuller.ranked(few, g, c, code)
    found["ece_smooth"] = fuller.smooth(few, g, c, code)
    return found


def interval(values, level: float) -> tuple[float, float]:
    """Percentile bounds of draws that may be inf (never between a number and inf) or nan (left out)."""
    values = values[~np.isnan(values)]
    if not len(values):
        return np.nan, np.nan
    if np.isinf(values).any():
        tails = ((1 - level) / 2, "lower"), ((1 + level) / 2, "higher")
        low, high = (np.quantile(values, p, method=method) for p, method in tails)
    else:
        low, high = inference.percentile_interval(values, level)
    return float(low), float(high)


def _notes(one, definition: str, found: dict) -> dict[str, str]:
    """What there is to say where a score is undefined, infinite, clipped or leaves rows out."""
    scope = in_scope(one, definition)
    g, c = scope["correct"].to_numpy(dtype=float), scope["confidence"].to_numpy(dtype=float)
    notes = {}
    certain = int(np.isinf(fuller.log_losses(g, c)).sum())
    if certain:
        words = f"{certain} of {len(g)} rows were certain and wrong"
        notes["log_score"] = f"{words}: infinite"
        clipped = int((fuller.log_losses(g, c) > -np.log(fuller.CLIP)).sum())
        notes["log_score_clipped"] = f"{clipped} rows taken at probability 2^-52"
    if not 0 < g.sum() < len(g):
        notes["auroc"] = f"every answer is {'right' if g.all() else 'wrong'}: undefined"
    if found["ece_smooth"][0] <= fuller.FINEST:
        notes["ece_smooth"] = "at most this: bandwidths below are not resolved"
    index = metrics.bins(c, edges(definition))
    rows = np.bincount(index, minlength=metrics.N_BINS)
    questions = scope.groupby(index)["question_id"].nunique()
    for square, alone, unit in (
        ("debiased", int((rows == 1).sum()), "row"),
        ("across", int((questions == 1).sum()), "question"),
    ):
        said = f"bins of one {unit} count as 0: {alone}" if alone else ""
        notes[f"ece2_{square}"] = said
        below = found[f"ece2_{square}"][0] < 0
        root = "the square is below 0, its root is taken as 0" if below else ""
        notes[f"ece_{square}"] = "; ".join(filter(None, (said, root)))
    hopeless = one.groupby("question_id")[metrics.DEFINITIONS[definition]].min() >= 1
    if hopeless.any():
        notes["calscore_normalised"] = (
            f"{int(hopeless.sum())} of {len(hopeless)} questions left out: h is 1 at every clue"
        )
    return notes


def fuller_scores(rows, replicates: int, seed: int, level: float):
    """scores/fuller_scores from :func:`calscore.scores.scored_rows`, long.

    Intervals are percentiles over resamples of questions, the same draws as in scores/model_scores.
    """
    parts = []
    for segmentation, rows_of in rows.groupby("segmentation", sort=True):
        questions = pd.Index(sorted(rows_of["question_id"].unique()))
        weights = inference.bootstrap_weights(len(questions), replicates, seed)
        weights = np.vstack([np.ones(len(questions)), weights])
        for key, one in rows_of.groupby(SERIES, sort=True):
            for definition in metrics.DEFINITIONS:
                found = draws(one, definition, questions, weights)
                notes = _notes(one, definition, found)
                scope = in_scope(one, definition)
                for metric in METRICS:
                    values = found[metric]
                    lost = int(np.isnan(values[1:]).sum())
                    drawn = f"undefined in {lost} of {len(values) - 1} resamples" if lost else ""
                    parts.append(
                        (
                            segmentation,
                            definition,
                            *key,
                            metric,
                            values[0],
                            *interval(values[1:], level),
                            scope["question_id"].nunique(),
                            len(scope),
                            "; ".join(filter(None, (notes.get(metric, ""), drawn))),
                        )
                    )
    return pd.DataFrame(parts, columns=list(store.schema("fuller_scores")["columns"]))


def wide(table, segmentation: str, reductions: list[str], names: dict[str, str]):
    """tables/fuller_scores.csv: one row per definition, elicitation and model, intervals beside values.

    ``note`` gathers the notes of all metrics, each after its metric's name.
    """
    rows = tables.primary(table, segmentation, reductions)
    key = ["definition", "elicitation", "model", "reduction", "n_questions", "n_rows"]
    grid = rows.pivot(index=key, columns="metric", values=["value", "low", "high"])
    out = grid.index.to_frame(index=False)
    out.insert(3, "name", out["model"].map(names).fillna(out["model"]))
    for metric in METRICS:
        for column, suffix in (("value", ""), ("low", "_low"), ("high", "_high")):
            out[f"{metric}{suffix}"] = grid[column, metric].to_numpy(dtype=float)
    said = rows[rows["note"] != ""]
    notes = (
        (said["metric"] + ": " + said["note"]).groupby([said[name] for name in key]).agg("; ".join)
    )
    out["note"] = notes.reindex(grid.index).fillna("").to_numpy()
    order = ["definition", "elicitation", "model"]
    return out.sort_values(order, ascending=[True, False, True], ignore_index=True)


def risk_coverage(
    rows, segmentation: str, reductions: list[str], replicates: int, seed: int, level: float
):
    """tables/risk_coverage.csv: share wrong among the most confident answers, by share answered.

    One row per definition, series and hundredth of coverage, with the least confidence accepted,
    and percentile bounds at each coverage over resamples of questions.
    """
    rows = tables.primary(rows, segmentation, reductions)
    questions = pd.Index(sorted(rows["question_id"].unique()))
    weights = inference.bootstrap_weights(len(questions), replicates, seed)[:SORTED_REPLICATES]
    weights = np.vstack([np.ones(len(questions)), weights])
    parts = []
    for definition in metrics.DEFINITIONS:
        for key, one in in_scope(rows, definition).groupby(SERIES, sort=True):
            code = questions.get_indexer(one["question_id"])
            risk, threshold = fuller.risk_coverage(
                weights, one["correct"], one["confidence"], code, COVERAGE
            )
            some = ~np.isnan(risk[1:]).any(axis=1)
            low, high = inference.percentile_interval(risk[1:][some], level)
            part = pd.DataFrame(
                {
                    "coverage": COVERAGE,
                    "threshold": threshold,
                    "risk": risk[0],
                    "low": low,
                    "high": high,
                    "n_rows": len(one),
                }
            )
            part.insert(0, "definition", definition)
            for place, (column, value) in enumerate(zip(SERIES, key, strict=True), start=1):
                part.insert(place, column, value)
            parts.append(part)
    return pd.concat(parts, ignore_index=True)
