"""Calibration regressions: how the confidence of a model maps to being right."""

import warnings

import numpy as np
import pandas as pd

from ..core import store
from . import score

ENDS = ("omit", "squeeze", "clip")
"""What a confidence of exactly 0 or 1 becomes, as its log-odds are infinite. ``omit``: left out.
``squeeze``: every confidence c becomes (c (n − 1) + ½) / n (Smithson and Verkuilen 2006, eq. 4).
``clip``: every c is brought into [:data:`CLIP`, 1 − :data:`CLIP`]."""
CLIP = 0.001
SCOPES = {"every_clue": "paper", "last_clue": "release"}
"""Rows of a calibration regression → the metric definition whose ECE runs over the same rows."""


def inside_unit_interval(c: np.ndarray, ends: str) -> np.ndarray:
    """Confidences ``c`` (n,) moved inside (0, 1) by a rule of :data:`ENDS`, else ``KeyError``; ``omit`` gives nan at 0 and 1."""
    c = np.asarray(c, dtype=float)
    if ends == "omit":
        return np.where((c > 0) & (c < 1), c, np.nan)
    if ends == "squeeze":
        return (c * (len(c) - 1) + 0.5) / len(c)
    if ends == "clip":
        return np.clip(c, CLIP, 1 - CLIP)
    raise KeyError(ends)


def slope_rows(responses: pd.DataFrame, level: float) -> pd.DataFrame:
    """Table calibration_slopes: logit P(right) = intercept + slope · logit(confidence), errors clustered by question.

    ``responses``: of one segmentation; a row per series, scope (every_clue, last_clue) and rule of :data:`ENDS`.
    Columns intercept, slope and offset have bounds ``…_low`` and ``…_high`` by Student's t on the questions. A slope
    below 1 says that confidences are too extreme; ``offset`` (the intercept at slope 1) below 0 that they are too
    high. ``p_calibrated``: Wald test of slope 1 and intercept 0. ``status``: estimated, or why estimates are nan.
    """
    rows = responses[responses["confidence"].notna()]
    rows = rows.sort_values(["segmentation", *score.SERIES, "question_id", "clue"], kind="stable")
    parts = []
    for scope, definition in SCOPES.items():
        for key, answers in score.scored_clues(rows, definition).groupby(score.SERIES, sort=True):
            c = answers["confidence"].to_numpy(dtype=float)
            y = answers["correct"].to_numpy(dtype=bool)
            question = pd.factorize(answers["question_id"], sort=True)[0]
            fits: dict[bytes, dict] = {}
            for ends in ENDS:
                inside = inside_unit_interval(c, ends)
                # Where no confidence is at an end or near it, two rules are one.
                cache_key = inside.tobytes()
                if cache_key not in fits:
                    fits[cache_key] = _slope_columns(y, inside, question, level)
                row = dict(zip(score.SERIES, key, strict=True))
                row |= {"scope": scope, "ends": ends}
                row |= {"n_at_0": int((c == 0).sum()), "n_at_1": int((c == 1).sum())}
                parts.append(row | fits[cache_key])
    counts = ["n", "n_correct", "n_at_0", "n_at_1", "n_questions"]
    return store.frame(parts, "calibration_slopes").astype(dict.fromkeys(counts, "int64"))


def _slope_columns(y: np.ndarray, inside: np.ndarray, question: np.ndarray, level: float) -> dict:
    """Columns of a regression of ``y`` (bool) on ``inside``, (0, 1) or nan; without a fit counts, status."""
    from scipy.stats import t
    from statsmodels.discrete.discrete_model import Logit
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    finite = np.isfinite(inside)
    y, x = y[finite].astype(float), np.log(inside[finite]) - np.log1p(-inside[finite])
    groups = np.unique(question[finite], return_inverse=True)[1]
    n_questions = int(groups.max()) + 1 if len(groups) else 0
    row = {"n": len(y), "n_correct": int(y.sum()), "n_questions": n_questions}
    if not len(y):
        return row | {"status": "empty"}
    if y.min() == y.max():
        return row | {"status": "all right" if y[0] else "all wrong"}
    if n_questions < 3:
        return row | {"status": "too few clusters"}
    if np.ptp(x) < 1e-9:
        return row | {"status": "constant confidence"}
    right, wrong = x[y > 0], x[y == 0]
    if right.min() >= wrong.max() or right.max() <= wrong.min():
        return row | {"status": "separated"}
    design = np.column_stack([np.ones(len(x)), x])
    kind = {"cov_type": "cluster", "cov_kwds": {"groups": groups}}
    reach = float(t.ppf((1 + level) / 2, n_questions - 1))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            start = GLM(y, design, family=Binomial()).fit(maxiter=200)
            # GLM clips fitted probabilities at 2e-16, which ruins its sandwich; Logit does not.
            fit = Logit(y, design).fit(start_params=start.params, disp=0, **kind)
            test = fit.wald_test((np.eye(2), np.array([0.0, 1.0])), scalar=True, use_f=True)
        except np.linalg.LinAlgError:
            return row | {"status": "not fitted"}
    estimates = {"intercept": (fit.params[0], fit.bse[0]), "slope": (fit.params[1], fit.bse[1])}
    estimates["offset"] = _offset_estimate(y, x, groups)
    if not (start.converged and np.isfinite(list(estimates.values())).all()):
        return row | {"status": "not fitted"}
    row["status"] = "estimated"
    for name, (b, se) in estimates.items():
        row |= {name: float(b), f"{name}_low": b - reach * se, f"{name}_high": b + reach * se}
    return row | {"p_calibrated": float(test.pvalue)}


def _offset_estimate(y: np.ndarray, x: np.ndarray, groups: np.ndarray) -> tuple[float, float]:
    """(a, its clustered standard error) of logit P(y) = a + x.

    Found between bounds, as Newton's method runs away where x is extreme and nearly all answers are alike.
    """
    from scipy.optimize import brentq
    from scipy.special import expit

    # At these ends every single p is below, or above, the mean of y.
    middle = np.log(y.mean()) - np.log1p(-y.mean())
    a = brentq(lambda a: float((y - expit(a + x)).sum()), middle - x.max(), middle - x.min())
    p = expit(a + x)
    sums = np.bincount(groups, weights=y - p)
    g = len(sums)
    # The sandwich; statsmodels' small-sample factor g/(g − 1) · (n − 1)/(n − k) with k = 1.
    return a, float(np.sqrt(g / (g - 1) * (sums @ sums)) / (p * (1 - p)).sum())


def calibration_slopes(responses: pd.DataFrame, primary_segmentation: str, level: float) -> dict:
    """``{"calibration_slopes": table}`` of the primary segmentation: :func:`slope_rows`."""
    primary_rows = responses[responses["segmentation"] == primary_segmentation]
    return {"calibration_slopes": slope_rows(primary_rows, level)}
