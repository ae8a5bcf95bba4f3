"""Whether the model holds: fit of agents and items, human-AI differences, reliability."""

from functools import partial

import numpy as np
import pandas as pd

from ..core import store
from ..stats import proportions, ranks, resample
from ..stats.bootstrap import Bootstrap
from .model import Fit
from .sparse import Array, sigmoid


def mean_squares(p: Array, signs: Array, axis: int) -> tuple[Array, Array, Array]:
    """(infit, outfit, number of responses) over ``axis`` of (items, agents), which is dropped. 1 is expected, more is noisier.

    ``p``: probabilities of a right answer; ``signs``: 1 right (u = 1), −1 wrong (u = 0), 0 no response.
    Infit: Σ (u − p)² / Σ p (1 − p). Outfit: mean of (u − p)² / (p (1 − p)). nan without responses.
    """
    gap, variance, ratio, answered = _squares(p, signs)
    n = answered.sum(axis=axis)
    with np.errstate(invalid="ignore", divide="ignore"):
        return gap.sum(axis=axis) / variance.sum(axis=axis), ratio.sum(axis=axis) / n, n


def _residuals(p: Array, signs: Array) -> tuple[Array, Array, Array]:
    """Of every response, 0 where there is none: u − p and p (1 − p); and the mask of responses."""
    answered = signs != 0
    return np.where(answered, (signs > 0) - p, 0.0), np.where(answered, p * (1 - p), 0.0), answered


def _squares(p: Array, signs: Array) -> tuple[Array, Array, Array, Array]:
    """Of every response, 0 where there is none: (u − p)², p (1 − p) and their ratio; and the mask of responses."""
    residual, variance, answered = _residuals(p, signs)
    gap = residual**2
    ratio = np.divide(gap, variance, out=np.zeros_like(gap), where=variance > 0)
    return gap, variance, ratio, answered


def agent_fit(p: Array, signs: Array, questions: Array, resampling: Bootstrap) -> dict[str, Array]:
    """``accuracy``, ``infit``, ``outfit`` and each with ``_low`` and ``_high``: column → (I,).

    ``p`` and ``signs`` (J, I) as in :func:`mean_squares`; ``questions`` (J,): of each item. Accuracy has Wilson's
    interval on the effective number of answers, infit and outfit one from resampled questions with the fitted model
    fixed. Their bounds are nan for an agent with answers to one question.
    """
    _, code = np.unique(np.asarray(questions), return_inverse=True)
    sums = partial(_sums_by_question, code)
    gap, variance, ratio, answered = _squares(p, signs)
    right, n = sums(signs > 0), sums(answered)
    worth = proportions.effective_sample_size(right, n)
    accuracy = right.sum(axis=0) / n.sum(axis=0)
    low, high = proportions.wilson(accuracy * worth, worth, resampling.level)
    columns = {"accuracy": accuracy, "accuracy_low": low, "accuracy_high": high}
    weights = resampling.question_weights(len(n))
    infit, outfit, _ = mean_squares(p, signs, axis=0)
    for name, value, top, bottom in (
        ("infit", infit, gap, variance),
        ("outfit", outfit, ratio, answered),
    ):
        drawn = resample.ratio_draws(weights, sums(top), sums(bottom))
        # An agent with answers to few questions has replicates without any.
        ends = np.nanquantile(drawn, resampling.tails, axis=0)
        ends[:, (n > 0).sum(axis=0) < 2] = np.nan
        columns |= {name: value, f"{name}_low": ends[0], f"{name}_high": ends[1]}
    return columns


def _sums_by_question(code: Array, values: Array) -> Array:
    """Sums of ``values`` (J, I) over the items of each question, whose number is ``code`` (J,)."""
    sums = np.zeros((code.max() + 1, values.shape[1]))
    np.add.at(sums, code, values)
    return sums


#: Shifts in logits from which on differential functioning is moderate (B) and large (C), after the classes of ETS.
MODERATE, LARGE = 0.43, 0.64


def _side_scores(p: Array, signs: Array, code: Array) -> tuple[Array, Array, Array, float]:
    """(sums of u − p, information, responses, each (questions,); overdispersion) of the agents of one kind.

    ``code``: index of each item's question. Overdispersion is Σ (Σ u − p of an agent in a question)² over the information,
    at least 1: an agent's answers to clues of one question depend on each other.
    """
    cells = np.array([_sums_by_question(code, values) for values in _residuals(p, signs)])
    dispersion = (cells[0] ** 2).sum() / max(cells[1].sum(), 1e-9)
    return *cells.sum(axis=2), max(dispersion, 1.0)


def differential_functioning(
    p: Array, signs: Array, kinds: Array, groups: Array, questions: Array, name: str, level: float
) -> pd.DataFrame:
    """Rows of irt_dif for ``groups`` (J,) of items: shifts (logits) of systems less humans', less anchors'.

    A shift is Σ (u − p) / Σ p (1 − p); anchors are groups without a significant one, chosen by purification.
    Positive: systems' ``signs`` beat ``p``, (J, I) both, by more than humans'. ``size``: A, B, C (:data:`MODERATE`,
    :data:`LARGE`), A unless Holm's p is below .05. ``kinds`` (I,): human or ai; ``questions`` (J,); ``name``: the
    column ``grouping``. Groups with less than one unit of information from a kind are left out.
    """
    # Errors cluster by question (t on questions less 1); a single question has the model's, times overdispersion.
    from scipy.stats import norm, t

    human = np.asarray(kinds) == "human"
    groups = np.asarray(groups, dtype=str)
    _, code = np.unique(np.asarray(questions), return_inverse=True)
    rows = []
    sides = [
        (sign, _side_scores(p[:, side], signs[:, side], code)[3], side)
        for sign, side in ((1, ~human), (-1, human))
    ]
    for group in pd.unique(groups):
        items = groups == group
        _, inside = np.unique(code[items], return_inverse=True)
        shift, variance, scores, counts, least = 0.0, 0.0, 0.0, [], np.inf
        for sign, dispersion, side in sides:
            cells = np.ix_(items, side)
            gaps, information, n, _ = _side_scores(p[cells], signs[cells], inside)
            total = max(information.sum(), 1e-9)
            shift += sign * gaps.sum() / total
            scores = scores + sign * (gaps - information * gaps.sum() / total) / total
            variance += dispersion / total
            counts.append(int(n.sum()))
            least = min(least, total)
        if least < 1:
            continue
        number = len(np.unique(inside))
        if number > 1:
            variance = number / (number - 1) * (scores**2).sum()
        rows.append((name, group, number, *counts, shift, max(variance, 1e-12) ** 0.5))
    columns = ["grouping", "group", "questions", "ai_responses", "human_responses", "shift", "standard_error"]
    table = pd.DataFrame(rows, columns=columns)
    if table.empty:
        return store.empty("irt_dif")
    raw, error = table["shift"].to_numpy(), table["standard_error"].to_numpy()
    single = table["questions"].to_numpy() == 1
    freedom = np.maximum(table["questions"].to_numpy() - 1, 1)
    anchor = np.ones(len(table), dtype=bool)
    for _ in range(20):
        shift = raw - np.average(raw[anchor], weights=error[anchor] ** -2)
        z = np.abs(shift) / error
        chance = np.where(single, 2 * norm.sf(z), 2 * t.sf(z, freedom))
        clean = chance >= 0.05
        if not clean.any() or (clean == anchor).all():
            break
        anchor = clean
    half = error * np.where(single, norm.ppf((1 + level) / 2), t.ppf((1 + level) / 2, freedom))
    holm = ranks.holm_adjust(chance)
    size = np.abs(shift)
    classes = np.where(size >= LARGE, "C", np.where(size >= MODERATE, "B", "A"))
    table = table.assign(
        shift=shift, low=shift - half, high=shift + half, p=chance, p_holm=holm, anchor=anchor,
        size=np.where(holm < 0.05, classes, "A"),
        errors=np.where(single, "overdispersed", "question-clustered"),
    )  # fmt: skip
    return store.frame(table, "irt_dif")


#: Skills at which the information of all items is tabulated, in logits about the mean.
SKILLS = range(-4, 5)


def scale_table(fit: Fit, skills, compared, skill_errors, difficulty_errors) -> pd.DataFrame:
    """Table irt_scale: aspects, spreads, reliability R, separation √(R / (1 − R)), test information at SKILLS.

    ``skills``, ``compared`` (mask) and ``skill_errors``: (I,); ``difficulty_errors``: (J,). R is the share of the
    estimates' variance that is not error. The mean difficulty is less the mean skill of those ``compared`` (none: of all).
    """
    penalty, rows = fit.penalty, [("aspects", "number", fit.relevance.shape[1])]
    rows.append(("item residual", "sd", fit.tau))
    if penalty.level_sd is not None:
        rows.append(("agents' levels", "sd", penalty.level_sd))
        if fit.parameters.slope.size:
            rows.append(("agents' slopes", "sd", penalty.slope_sd))
    for name, values, errors in (
        ("agents", skills, skill_errors),
        ("items", fit.offset, difficulty_errors),
    ):
        variance = max(float(np.var(values, ddof=1)), 1e-12)
        reliability = float(np.clip(1 - np.mean(errors**2) / variance, 0, 1 - 1e-9))
        rows += [("reliability", name, reliability)]
        rows += [("separation", name, (reliability / (1 - reliability)) ** 0.5)]
    origin = skills[compared].mean() if compared.any() else skills.mean()
    rows.append(("mean difficulty", "items", float(fit.offset.mean() - origin)))
    middle = float(np.mean(fit.parameters.skills @ fit.relevance.mean(axis=0)))
    for skill in SKILLS:
        p = sigmoid(middle + skill - fit.offset)
        rows.append(("test information", f"{skill:+d}", float((p * (1 - p)).sum())))
    return pd.DataFrame(rows, columns=store.columns("irt_scale"))
