"""Calibration, shares, correlations and agreement of judges in studies of answer options."""

from __future__ import annotations

import numpy as np
from calscore.multiple_choice import agreement, contrasts, scoring, tables
from calscore.stats.bootstrap import Bootstrap

from ..engine import LEVEL, taken

BY_TYPE = ("gpt-4o-mini", "gpt-4o")
"""Models looked at by answer type and where nearly calibrated."""
QUESTIONS, WILSON = "questions", "Wilson, answers"
SETTINGS = {"N": "without options", "D": "with options"}


def bounded(table, name: str):
    """The cells of a column and its bounds."""
    return taken(table, name, f"{name}_low", f"{name}_high")


def _calibration(scores, results, resamples) -> dict:
    """ECE, Brier scores, and the change of ECE by options; ``scores``: option_scores.csv."""
    found = {}
    compared = tables.comparisons(resamples, {}, LEVEL)
    for reading in scoring.READINGS:
        of = scores[scores["reading"] == reading]
        for short, setting in SETTINGS.items():
            for metric, name in (("ece", "ECE"), ("brier", "Brier score")):
                key = f"{name} {setting}, {reading}", QUESTIONS
                found[key] = bounded(of, f"{short}_{metric}")
        for name, shown in (("change", "change of ECE"), ("relative", "relative change of ECE")):
            found[f"{shown}, {reading}", QUESTIONS] = bounded(compared, f"ece_{name}_{reading}")
    return found


def _types(results, questions, resamples) -> dict:
    """ECE by answer type, of each model and in the mean over them."""
    some = results[results["model"].isin(BY_TYPE)]
    # The replicates given here are those of calibrated models, which have no interval.
    grouped, _ = tables.options_by_group(
        some, questions, "answer_type", resamples, {}, Bootstrap(1, 0, LEVEL)
    )
    found = {}
    for reading in scoring.READINGS:
        of = grouped[grouped["reading"] == reading]
        mean = of["model"] == tables.MEAN
        found[f"ECE of an answer type, {reading}", QUESTIONS] = bounded(of[~mean], "ece")
        found[f"ECE of an answer type, mean over models, {reading}", QUESTIONS] = bounded(of[mean], "ece")
    return found


def _shares(scores, results, resamples) -> dict:
    """Proportions of answers, and rank correlations over models; ``scores``: option_scores.csv."""
    of = scores[scores["reading"] == "as_wrong"]
    found = {}
    for short, setting in SETTINGS.items():
        found[f"share right {setting}", WILSON] = bounded(of, f"{short}_right_share")
        found[f"share not attempted {setting}", WILSON] = bounded(of, f"{short}_none_share")
    for name, shown in (
        ("helped_share", "helped, of helped and harmed"),
        ("harmed_of_right", "harmed, of right before"),
        ("harmed_any_of_right", "no longer right, of right before"),
        ("helped_any_of_not_right", "now right, of not right before"),
    ):
        found[shown, WILSON] = bounded(of, name)
    found["verdict with options, of each without", WILSON] = bounded(
        tables.transitions(results, {}, LEVEL), "share"
    )
    bins = tables.reliability(results, {}, LEVEL)
    for reading, rows in bins.groupby("reading"):
        found[f"share right in a bin, {reading}", WILSON] = bounded(rows, "accuracy")
    for row in contrasts.distraction_correlation(resamples, LEVEL).itertuples():
        key = f"Spearman, right and {row.measure}", QUESTIONS
        found[key] = tuple(np.array([value]) for value in (row.spearman, row.spearman_low, row.spearman_high))
    return found


def _judges(results, annotations, replicates: int, seed: int) -> dict:
    """Cohen's and Fleiss' κ."""
    table = agreement.agreement(results, annotations, replicates, seed, LEVEL)
    people = table["scope"] == "annotated"
    judge = table["second"].isin([agreement.SHARED, agreement.OWN])
    cohen = table["statistic"] == "Cohen"
    kinds = {
        "Cohen's κ of two judges, all answers": table["scope"] == "all",
        "Cohen's κ of two judges, a model and setting": ~people & (table["scope"] != "all"),
        "Cohen's κ of a person and a judge": people & cohen & judge,
        "Cohen's κ of two people": people & cohen & ~judge,
        "Fleiss' κ of three people": table["statistic"] == "Fleiss",
    }
    return {
        (name, "answers"): tuple(table.loc[rows, ["kappa", "low", "high"]].to_numpy(float).T)
        for name, rows in kinds.items()
    }


def intervals(study, replicates: int, number: int) -> dict:
    """Intervals of one study: a value per model, bin or pair of judges."""
    results, annotations, questions, seed = study
    shared = results[results["judging"] == "shared"]
    resamples = tables.Resamples(shared, replicates, seed)
    scores = tables.scores(shared, resamples, {}, LEVEL)
    return (
        _calibration(scores, shared, resamples)
        | _types(shared, questions, resamples)
        | _shares(scores, shared, resamples)
        | _judges(results, annotations, replicates, seed)
    )


def nearly_calibrated(study, replicates: int, number: int) -> dict:
    """ECE and its change likewise, of models that are nearly calibrated on what they attempt."""
    results, _, _, seed = study
    some = results[(results["judging"] == "shared") & results["model"].isin(BY_TYPE)]
    resamples = tables.Resamples(some, replicates, seed)
    found = _calibration(tables.scores(some, resamples, {}, LEVEL), some, resamples)
    return {
        (f"{quantity}, nearly calibrated models", method): cells
        for (quantity, method), cells in found.items()
        if "ECE" in quantity and "relative" not in quantity and quantity.endswith("attempted")
    }


def contrasted(study, replicates: int, number: int) -> dict:
    """Contrasts of models, answer types and judgings, and odds of being helped against harmed."""
    results, _, questions, seed = study
    results = results[results["model"].isin(BY_TYPE)]
    resamples = tables.Resamples(results, replicates, seed)
    _, drawn = tables.options_by_group(
        results, questions, "answer_type", resamples, {}, Bootstrap(1, 0, LEVEL)
    )
    made = contrasts.contrasts(resamples, drawn, {}, LEVEL)
    # One reading of three, which are of the same answers.
    made = made[(made["judging"] != "own") & made["reading"].isin(["", "as_wrong"])]
    found = {}
    for (compared, measure, reading), of in made.groupby(["compared", "measure", "reading"], sort=False):
        name = ", ".join(filter(None, (f"two {compared}, {measure.replace('_', ' ')}", reading)))
        found[name, QUESTIONS] = bounded(of, "difference")
    shared = tables.comparisons(resamples, {}, LEVEL)
    shared = shared[shared["judging"] == "shared"]
    found["odds, helped against harmed", "exact, answers"] = bounded(shared, "right_odds")
    return found
