"""How often the 95 % intervals of a study of answer options hold the truth, over simulated studies.

    python benchmarks/cover_options.py            measure and print the table (5 minutes)
    python benchmarks/cover_options.py --write    replace workflow/calscore/options_coverage.csv as well

The studies are those of ``calscore.simulate.choices`` with its defaults: 4,326 questions, six
models, 100 answers that three people judge. Every interval comes from the function that the workflow
calls, with 500 replicates. The truth is what the same functions give of one study of 100,000 questions, of
which 30,000 answers are judged by people.
"""

from __future__ import annotations

import coverage
import numpy as np
import pandas as pd
from calscore.choices import agreement, scoring, tables
from calscore.choices.reading import VERDICTS
from calscore.simulate import choices
from cover_curves import _row
from coverage import LEVEL

TABLE = coverage.ROOT / "benchmarks" / "coverage" / "options_coverage.csv"
REPLICATES = 500
STUDIES = {"all": 120, "nearly calibrated": 100}
"""Studies measured, by part."""
LARGE = {"questions": 100_000, "annotators": {"answers": 30_000}}
BY_TYPE = ("gpt-4o-mini", "gpt-4o")
"""Models looked at by answer type and where nearly calibrated."""
NEARLY = {"confidence": {"a": 0, "b": 1, "noise_sd": 0, "full": 0}}
"""Models that state their chance to be right, to the nearest 5 % between 5 and 95: where they do not
attempt a question that does not count, they are calibrated but for that."""
QUESTIONS, WILSON = "questions", "Wilson, answers"
SETTINGS = {"N": "without options", "D": "with options"}


def tabled(parameters: dict, seed: int):
    """(results, annotations, questions) of one simulated study, as the workflow reads them."""
    one = choices.simulate(parameters, seed)
    results = pd.concat(
        [
            pd.DataFrame(
                {
                    "model": model,
                    "judging": judging,
                    "setting": setting,
                    "row": np.arange(len(verdicts)),
                    "confidence": confidence / 100,
                    "output": verdicts,
                }
            )
            for (model, judging, setting), (_, confidence, verdicts) in one["results"].items()
        ],
        ignore_index=True,
    )
    columns = ["model", "setting", "row", "annotator", "verdict"]
    annotations = pd.DataFrame(one["annotations"], columns=columns)
    annotations["output"] = annotations["verdict"].map(VERDICTS)
    kinds = one["questions"]["type"]
    questions = pd.DataFrame({"row": np.arange(len(kinds)), "answer_type": kinds})
    return results, annotations, questions


def _cells(table, name: str):
    """(value, low, high) of a column and its bounds, over the rows of a table."""
    names = (name, f"{name}_low", f"{name}_high")
    return tuple(table[column].to_numpy(dtype=float) for column in names)


def _calibration(scores, results, resamples) -> dict:
    """ECE, Brier scores, and the change of ECE by options; ``scores``: option_scores.csv."""
    found = {}
    compared = tables.comparisons(results, resamples, {}, LEVEL)
    for reading in scoring.READINGS:
        of = scores[scores["reading"] == reading]
        for short, setting in SETTINGS.items():
            for metric, name in (("ece", "ECE"), ("brier", "Brier score")):
                key = f"{name} {setting}, {reading}", QUESTIONS
                found[key] = _cells(of, f"{short}_{metric}")
        for name, shown in (("change", "change of ECE"), ("relative", "relative change of ECE")):
            found[f"{shown}, {reading}", QUESTIONS] = _cells(compared, f"ece_{name}_{reading}")
    return found


def _types(results, questions, resamples) -> dict:
    """ECE by answer type, of each model and in the mean over them."""
    some = results[results["model"].isin(BY_TYPE)]
    # The replicates given here are those of calibrated models, which have no interval.
    grouped = tables.by_group(some, questions, "answer_type", resamples, {}, 1, 0, LEVEL)
    found = {}
    for reading in scoring.READINGS:
        of = grouped[grouped["reading"] == reading]
        mean = of["model"] == tables.MEAN
        found[f"ECE of an answer type, {reading}", QUESTIONS] = _cells(of[~mean], "ece")
        found[f"ECE of an answer type, mean over models, {reading}", QUESTIONS] = _cells(
            of[mean], "ece"
        )
    return found


def _shares(scores, results, resamples) -> dict:
    """Proportions of answers, and rank correlations over models; ``scores``: option_scores.csv."""
    of = scores[scores["reading"] == "as_wrong"]
    found = {}
    for short, setting in SETTINGS.items():
        found[f"share right {setting}", WILSON] = _cells(of, f"{short}_right_share")
        found[f"share not attempted {setting}", WILSON] = _cells(of, f"{short}_none_share")
    for name, shown in (
        ("helped_share", "helped, of helped and harmed"),
        ("harmed_of_right", "harmed, of right before"),
        ("harmed_any_of_right", "no longer right, of right before"),
        ("helped_any_of_not_right", "now right, of not right before"),
    ):
        found[shown, WILSON] = _cells(of, name)
    found["verdict with options, of each without", WILSON] = _cells(
        tables.transitions(results, {}, LEVEL), "share"
    )
    bins = tables.reliability(results, {}, LEVEL)
    for reading, rows in bins.groupby("reading"):
        found[f"share right in a bin, {reading}", WILSON] = _cells(rows, "accuracy")
    for row in tables.distraction(resamples, LEVEL).itertuples():
        key = f"Spearman, right and {row.measure}", QUESTIONS
        found[key] = tuple(
            np.array([value]) for value in (row.spearman, row.spearman_low, row.spearman_high)
        )
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


def intervals(parameters: dict, seed: int, replicates: int) -> dict:
    """(quantity, method) → (values, lows, highs) of one study: a value per model, bin or pair of judges."""
    results, annotations, questions = tabled(parameters, seed)
    shared = results[results["judging"] == "shared"]
    resamples = tables.Resamples(shared, replicates, seed)
    scores = tables.scores(shared, resamples, {}, LEVEL)
    return (
        _calibration(scores, shared, resamples)
        | _types(shared, questions, resamples)
        | _shares(scores, shared, resamples)
        | _judges(results, annotations, replicates, seed)
    )


def nearly_calibrated(parameters: dict, seed: int, replicates: int) -> dict:
    """ECE and its change likewise, of models that are nearly calibrated on what they attempt."""
    results, _, _ = tabled(parameters | NEARLY, seed)
    some = results[(results["judging"] == "shared") & results["model"].isin(BY_TYPE)]
    resamples = tables.Resamples(some, replicates, seed)
    found = _calibration(tables.scores(some, resamples, {}, LEVEL), some, resamples)
    return {
        (f"{quantity}, nearly calibrated models", method): cells
        for (quantity, method), cells in found.items()
        if "ECE" in quantity and "relative" not in quantity and quantity.endswith("attempted")
    }


def collected(of, count: int, replicates: int, seed: int):
    """Yield what ``of`` (parameters, seed, replicates) gives of each of ``count`` studies."""
    for number in range(1, count + 1):
        yield of({}, seed + number, replicates)


def summarised(truth: dict, measured) -> pd.DataFrame:
    """Coverage of the intervals of the studies ``measured``; several values at once: a mean over them."""
    measured = list(measured)
    rows = []
    for key in measured[0]:
        true = truth[key][0]
        value, low, high = np.array([one[key] for one in measured]).swapaxes(0, 1)
        known = np.isfinite(value)
        # Rounding must not decide where a correlation is the same in all studies.
        inside = (low <= true + 1e-12) & (true - 1e-12 <= high)
        bias = np.nanmean(value - true)
        studies = int(known.any(axis=1).sum())
        rows.append(_row(*key, studies, np.nanmean(true), bias, float(inside[known].mean())))
    return pd.DataFrame(rows)


PARTS = {"all": intervals, "nearly calibrated": nearly_calibrated}


def measure(
    studies=STUDIES, replicates: int = REPLICATES, large: dict = LARGE, seed: int = 101
) -> pd.DataFrame:
    """Every row of the table."""
    parts = [
        summarised(of(large, seed, 2), collected(of, studies[name], replicates, seed))
        for name, of in PARTS.items()
    ]
    return pd.concat(parts, ignore_index=True)


if __name__ == "__main__":
    coverage.show(measure(), TABLE)
