"""What a miscalibrated confidence costs in match points, against the logged human teams.

A model that believes its confidence buzzes at the first guess that it believes in by more than a threshold, and takes
the threshold that by its own account gains most. The same is done with the confidence recalibrated on other questions.
Both are then paid by what was right. A monotone recalibration leaves the order of guesses as it is: what it changes is
where the model thinks that buzzing pays."""

import numpy as np
import pandas as pd
from scipy.special import expit

from ..core import store
from ..stats.bootstrap import Bootstrap
from ..stats.resample import group_folds
from .matches import side_points, team_model_rows
from .thresholds import Sequence, buzz_states, candidate_thresholds, first_flagged_rows, threshold_curve

SERIES = ["model", "elicitation"]
_CLIP = 0.001


def stakes(places, questions, buzzes, exposures, points: dict[str, float]) -> pd.DataFrame:
    """What a buzz at each of ``places`` gains over silence: question_id, position, if_right and if_wrong.

    ``places``: question_id, position (words heard); repeats make one row. Gains are in points of the model
    less the team's (:func:`~calscore.buzz_policy.matches.side_points`, the human first in a tie), mean over
    human teams that heard the question (tables questions, buzzes, exposures); questions that none heard are
    left out. ``points``: those of a ``right`` and of a ``wrong`` buzz."""
    places = places[["question_id", "position"]].drop_duplicates()
    table = team_model_rows(places, buzzes, exposures, questions)
    team = table["team_word"].to_numpy(float), table["team_right"].to_numpy(bool)
    last_word, word_heard = table["last"].to_numpy(float), table["position"].to_numpy(float) - 1

    def margin(word, right: bool) -> np.ndarray:
        model_buzz = word, np.full(len(word), right)
        gained = side_points(*model_buzz, *team, last_word, False, points)
        return gained - side_points(*team, *model_buzz, last_word, True, points)

    silent = margin(np.full(len(table), np.nan), False)
    table = table.assign(
        if_right=margin(word_heard, True) - silent, if_wrong=margin(word_heard, False) - silent
    )
    return table.groupby(["question_id", "position"])[["if_right", "if_wrong"]].mean().reset_index()


def recalibrate(confidence: np.ndarray, right: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """P(right) (N,) by a logistic regression on log-odds of the confidence (cut to .001–.999), fitted to other folds' rows.
    All arguments are (N,): confidences 0–1 (none nan), whether each is right, and its fold. A confidence of 0 gives 0."""
    inside = np.clip(confidence, _CLIP, 1 - _CLIP)
    x = np.log(inside / (1 - inside))
    x = np.column_stack([np.ones(len(x)), (x - x.mean()) / max(x.std(), 1e-9)])
    probability = np.zeros(len(x))
    for number in np.unique(fold):
        held_out = fold == number
        probability[held_out] = 1 / (1 + np.exp(-x[held_out] @ _logistic(x[~held_out], right[~held_out])))
    return np.where(confidence > 0, probability, 0.0)


def _logistic(x: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Coefficients (k,) of a logistic regression of ``right`` (N,) on ``x`` (N, k); a ridge of .01 keeps them finite."""
    coefficients = np.zeros(x.shape[1])
    for _ in range(50):
        p = expit(x @ coefficients)
        bend = (x * (p * (1 - p))[:, None]).T @ x + 0.01 * np.eye(len(coefficients))
        step = np.linalg.solve(bend, x.T @ (right - p) - 0.01 * coefficients)
        coefficients = coefficients + step / max(1, np.abs(step).max())
    return coefficients


def confidence_policy(
    rows: pd.DataFrame, chance: np.ndarray, folds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(row of each question's buzz or −1, its threshold), both (Q,), of a model that takes ``chance`` (N,) for P(right).

    ``rows``: states of one series with if_right and if_wrong; ``folds`` (Q,). The threshold gains most on the other folds'
    questions if the chances are true; of equal ones it is the highest. −1 buzzes at once."""
    sequence = Sequence.from_states(rows, chance)
    tried = np.r_[-1.0, candidate_thresholds(sequence)]
    promise = chance * rows["if_right"].to_numpy() + (1 - chance) * rows["if_wrong"].to_numpy()
    limits = np.empty(len(folds))
    for number in np.unique(folds):
        # Sums in another order differ in the last bits; equal must be equal.
        mean = threshold_curve(sequence, tried, promise, folds != number).round(12)
        limits[folds == number] = tried[len(mean) - 1 - int(np.argmax(mean[::-1]))]
    return first_flagged_rows(sequence.starts, sequence.score > limits[sequence.group]), limits


def decision_value_of_series(rows: pd.DataFrame, folds: int, bootstrap: Bootstrap) -> dict[str, float]:
    """Cells of tables/decision_value for one series: buzzes, right ones and points per question when it buzzes
    by the ``stated`` or the ``recalibrated`` confidence, or with ``foresight``.

    Points (over silence) and ``value`` (recalibrated less stated) have ``_low`` and ``_high``; ``threshold_…`` are
    medians. ``rows``: states with if_right and if_wrong (:func:`stakes`), sorted; ``folds``: of the recalibration."""
    rows = rows.reset_index(drop=True)
    chance = np.exp(rows["score"].to_numpy(float))
    sequence = Sequence.from_states(rows)
    parts = group_folds(sequence.questions, min(folds, len(sequence.starts)), bootstrap.seed)
    recalibrated = recalibrate(chance, sequence.correct, parts[sequence.group])
    gain = np.where(sequence.correct, rows["if_right"], rows["if_wrong"])
    best = np.maximum.reduceat(gain, sequence.starts)
    is_best = (gain == best[sequence.group]) & (gain > 0)
    policies = {
        "stated": confidence_policy(rows, chance, parts),
        "recalibrated": confidence_policy(rows, recalibrated, parts),
        "foresight": (first_flagged_rows(sequence.starts, is_best), None),
    }
    cells_by_name = {"questions": len(best)}
    points = {}
    for way, (buzz_rows, limits) in policies.items():
        buzzed = buzz_rows >= 0
        points[f"points_{way}"] = np.where(buzzed, gain[np.maximum(buzz_rows, 0)], 0.0)
        cells_by_name[f"buzzes_{way}"] = int(buzzed.sum())
        cells_by_name[f"correct_{way}"] = int(sequence.correct[buzz_rows[buzzed]].sum())
        if limits is not None:
            cells_by_name[f"threshold_{way}"] = np.median(limits)
    points["value"] = points["points_recalibrated"] - points["points_stated"]
    values = np.column_stack([*points.values()])
    drawn = bootstrap.question_weights(len(values)) @ values / len(values)
    for name, *cells in zip(points, values.mean(axis=0), *bootstrap.percentile(drawn, axis=0), strict=True):
        cells_by_name |= dict(zip((name, f"{name}_low", f"{name}_high"), cells, strict=True))
    return cells_by_name


def decision_value_table(
    questions: pd.DataFrame,
    buzzes: pd.DataFrame,
    exposures: pd.DataFrame,
    guesses: pd.DataFrame,
    judgements: pd.DataFrame,
    match_points: dict[str, float],
    folds: int,
    names: dict[str, str],
    replicates: int,
    seed: int,
    level: float,
) -> dict[str, pd.DataFrame]:
    """``{"decision_value": table}``: a row per series with points of buzzing by the stated and by the recalibrated confidence.

    A series without a finite score, or on a single question, has no row. ``match_points``: keys ``right``, ``wrong``;
    ``folds``: of the recalibration; ``names``: model → label."""
    from ..judging import guess_verdicts

    guesses = guesses.assign(condition=guess_verdicts.met_conditions(guesses, questions))
    table = buzz_states(guesses, guess_verdicts.adjudicated_marks(guesses, judgements), questions, "study")
    table = table.merge(stakes(table, questions, buzzes, exposures, match_points))
    table = table.sort_values([*SERIES, "question_id", "position"], ignore_index=True)
    records = [
        {**dict(zip(SERIES, key, strict=True)), "name": names.get(key[0], key[0])}
        | decision_value_of_series(rows, folds, Bootstrap(replicates, seed, level))
        for key, rows in table.groupby(SERIES, sort=True)
        if np.isfinite(rows["score"]).any() and rows["question_id"].nunique() > 1
    ]
    return {"decision_value": store.frame(records, "decision_value")}
