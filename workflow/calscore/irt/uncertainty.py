"""How sure estimates are: refits to resampled questions and redrawn priors, and standard errors of items.

A replicate weighs questions by a multinomial draw and redraws what the priors are about. Where responses determine a
quantity it varies as questions do; where they do not it varies as its prior, so no interval has width 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from .model import (
    Fit,
    Parameters,
    e_step,
    item_terms,
    objective,
    text_logits,
    with_mean_slope_in_difficulty,
)
from .sparse import SparseResponses, sigmoid
from .variances import residual_mode


def information(fit: Fit, signs) -> np.ndarray:
    """Fisher information of the responses and the priors, over packed parameters without residuals.

    Residuals are integrated out. The corner of ‖·‖₁ at 0 is left out.
    """
    p, design, penalty = fit.parameters, fit.design, fit.penalty
    relevance, difficulty = item_terms(p, design)
    (items, m), agents = relevance.shape, len(p.skills)
    text = relevance @ p.skills.T - (relevance * difficulty).sum(axis=1)[:, None]
    logits, loadings = text, list(relevance.T)
    index = [np.arange(agents) * m + k for k in range(m)]
    if p.slope.size:
        logits = logits + design.depth[:, None] * p.slope
        loadings.append(design.depth)
        index.append(agents * m + np.arange(agents))
    if fit.tau:
        logits = logits - p.residual[:, None]
    probability = sigmoid(logits)
    w = np.abs(signs) * probability * (1 - probability)
    x, q = design.values, design.text
    start_d = agents * len(loadings)
    start_r = start_d + p.w_difficulty.size
    start_b = start_r + p.w_relevance.size
    total = start_b + m
    with_one = np.column_stack([x[:, :q], np.ones(items)])
    blocks = []
    for k in range(m):
        slope = -np.broadcast_to(relevance[:, [k]], w.shape)
        blocks.append((slope, x, start_d + k * x.shape[1] + np.arange(x.shape[1])))
        # Slope of a logit by the raw relevance of an aspect: r_k ((s − d)_k − (s − d)ᵀ r).
        slope = relevance[:, [k]] * ((p.skills[:, k] - difficulty[:, [k]]) - text)
        blocks.append((slope, with_one, np.append(start_r + k * q + np.arange(q), start_b + k)))
    result = np.zeros((total, total))
    # One column per item for its residual, integrated out by the Schur complement.
    root = 1 / np.sqrt(w.sum(axis=1) + (1 / fit.tau**2 if fit.tau else np.inf))
    by_residual = np.empty((items, total))
    for a, load in zip(index, loadings, strict=True):
        for b, load_b in zip(index, loadings, strict=True):
            result[a, b] = (w * (load * load_b)[:, None]).sum(axis=0)
        by_residual[:, a] = w * (load * root)[:, None]
    weighed = [w * slope for slope, _, _ in blocks]
    for number, (_, columns, place) in enumerate(blocks):
        for a, load in zip(index, loadings, strict=True):
            block = (weighed[number] * load[:, None]).T @ columns
            result[np.ix_(a, place)] = block
            result[np.ix_(place, a)] = block.T
        for slope, values_b, place_b in blocks[: number + 1]:
            both = (weighed[number] * slope).sum(axis=1)
            block = columns.T @ (both[:, None] * values_b)
            result[np.ix_(place, place_b)] = block
            result[np.ix_(place_b, place)] = block.T
        by_residual[:, place] = (weighed[number].sum(axis=1) * root)[:, None] * columns
    result -= by_residual.T @ by_residual
    n = np.abs(signs).sum()
    of_d, of_r, of_s = (value * n for value in penalty.precisions(x.shape[1], n))
    skills, identity = slice(0, agents * m), np.eye(agents)
    shared = 0 if penalty.kinds is None else penalty.kinds.T @ penalty.kinds
    result[skills, skills] += of_s * np.kron(identity - shared, np.eye(m) - 1 / m)
    if penalty.level_sd is not None:
        level = penalty.group_precision(identity, penalty.level_sd)
        result[skills, skills] += np.kron(level, np.full((m, m), 1 / m**2))
    if p.slope.size:
        result[np.ix_(index[-1], index[-1])] += penalty.group_precision(identity, penalty.slope_sd)
    # A weak N(0, 10²) on everything keeps directions that nothing speaks to finite.
    diagonal = np.full(total, 1e-2)
    diagonal[start_d:start_r] += of_d
    diagonal[start_r:start_b] += of_r
    result[np.arange(total), np.arange(total)] += diagonal
    return result


def match(reference, candidate) -> list[int]:
    """Order of the columns of ``other`` that best matches ``reference`` (Hungarian, by correlation)."""
    from scipy.optimize import linear_sum_assignment

    m = reference.shape[1]
    if m == 1:
        return [0]
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = np.corrcoef(reference.T, candidate.T)[:m, m:]
    return list(linear_sum_assignment(-np.nan_to_num(correlation))[1])


def bootstrap(fit: Fit, signs, questions, replicates: int, seed: int, summarise, pending=None):
    """Summaries of refits to resampled questions and redrawn priors.

    All clues of a question are drawn together. Each refit starts at the estimate, with τ as it was, and imputes
    undecided cells (``pending``) anew. It goes down in coordinates in which the information at the estimate is 1.

    Parameters
    ----------
    summarise : callable
        Of parameters (aspects matched to ``fit``), relevance (J, m) and weights of items (J,): a dict of arrays.

    Returns
    -------
    dict of arrays, replicates first
    """
    from ..stats.resample import bootstrap_weights

    _, codes = np.unique(questions, return_inverse=True)
    draws = bootstrap_weights(codes.max() + 1, replicates, seed)
    closed = signs if pending is None else pending.observed_signs(signs)
    factor = np.linalg.cholesky(information(fit, closed))
    root = (np.linalg.inv(factor).T * np.sqrt(np.abs(closed).sum())).astype(np.float32)
    design, draws = fit.design.astype(np.float32), draws.astype(np.float32)
    base, summaries = fit.relevance, []
    if pending is None:
        signs = SparseResponses.from_signs(signs)
    for number, weights in enumerate(draws):
        parameters = fit.parameters
        centre = fit.penalty.draw(np.random.default_rng([seed, number]), parameters)
        penalty = replace(fit.penalty, centre=centre)
        for _ in range(1 if pending is None else 3):
            cells = SparseResponses.from_signs(e_step(parameters, fit.design, signs, pending))
            cells = replace(cells, sign=cells.sign.astype(np.float32))
            parameters = _refit(parameters, design, cells, penalty, weights[codes], root)
        scale = fit.projection.scale
        parameters = with_mean_slope_in_difficulty(parameters, fit.design, scale)
        relevance = item_terms(parameters, fit.design)[0]
        order = match(base, relevance)
        moved = (parameters.w_difficulty[order], parameters.w_relevance[order])
        parameters = Parameters(
            parameters.skills[:, order], parameters.slope, *moved,
            parameters.b_relevance[order], parameters.residual,
        )  # fmt: skip
        summaries.append(summarise(parameters, relevance[:, order], weights[codes]))
    return {name: np.array([identity[name] for identity in summaries]) for name in summaries[0]}


def _refit(start: Parameters, design, cells, penalty, weights, root, iterations: int = 60):
    """Parameters from ``start`` with items weighted; ``root``: columns are steps of information 1."""
    from scipy.optimize import minimize

    dtype = design.values.dtype
    bare, residual = replace(start, residual=np.zeros(0)), start.residual.astype(dtype)
    middle, total = bare.pack().astype(dtype), float(cells.counts @ weights)

    def parameters_at(step):
        nonlocal residual
        parameters = bare.unpack(middle + root @ step.astype(dtype))
        if penalty.tau:
            logits = text_logits(parameters, design, cells)
            residual = residual_mode(logits, cells, penalty.tau, 2, residual)[0].astype(dtype)
        return replace(parameters, residual=residual)

    def value(step):
        parameters = parameters_at(step)
        vector = parameters.pack()
        loss, gradient = objective(vector, parameters, design, cells, penalty, weights, total)
        return loss, gradient[: len(step)] @ root

    options = {"maxiter": iterations, "ftol": 1e-6, "gtol": 1e-8}
    best = minimize(value, np.zeros(len(middle)), jac=True, method="L-BFGS-B", options=options)
    return parameters_at(best.x)


def percentile_bounds(draws, level: float) -> np.ndarray:
    """Lower and upper bound over the first axis such that a share ``level`` of further draws would lie between.

    ``numpy.quantile``'s own quantiles of 40 refits would leave out 9.5 % instead of 5 %.
    """
    return np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0, method="weibull")


#: Step in logits by which slopes of the score are told.
STEP = 0.05


def item_errors(fit: Fit, signs, questions, drawn, pending=None) -> np.ndarray:
    """Standard error of each item's difficulty, (J,), by the law of total variance.

    What replicates vary by (``drawn``, (replicates, J), about their mean over items) is that of skills, texts and scale.
    To it comes the variance of the residual given those, at most that of its prior.
    """
    variance = (drawn - drawn.mean(axis=1, keepdims=True)).var(axis=0, ddof=1)
    if not fit.tau:
        return np.sqrt(variance)
    if pending is None:
        p = fit.predict_seen()
        own = 1 / (np.where(signs != 0, p * (1 - p), 0.0).sum(axis=1) + fit.tau**-2)
    else:
        own = _residual_variance(fit, signs, questions, pending)
    return np.sqrt(variance + np.minimum(own, fit.tau**2))


def _residual_variance(fit: Fit, signs, questions, pending) -> np.ndarray:
    """Sampling variance of each item's residual where cells are open: the diagonal of H⁻¹ (B + 1 / τ²) H⁻¹ᵀ of each question.

    B is the variance of the score and H its slope, both with open cells as the model fills them. One draw decides
    at all clues of a question of an agent who left it.
    """
    _, question = np.unique(questions, return_inverse=True)
    clue = pd.Series(question).groupby(question).cumcount().to_numpy()
    clues = range(clue.max() + 1)

    def by_question(values):
        """Values of items as (questions, clues, …), 0 where a question has fewer."""
        table = np.zeros((question.max() + 1, len(clues), *values.shape[1:]))
        table[question, clue] = values
        return table

    def fill_at(step):
        residual = fit.parameters.residual + step
        return e_step(replace(fit.parameters, residual=residual), fit.design, signs, pending)

    full = fill_at(0.0)
    met = by_question(full != 0)
    chance, share = by_question(fit.predict_seen()) * met, by_question((1 + full) / 2) * met
    opened = by_question(pending.observed_signs(full) != full).any(axis=1)
    prior = np.eye(len(clues)) * fit.tau**-2
    score, slope = (np.tile(prior, (len(met), 1, 1)) for _ in range(2))
    for a in clues:
        slope[:, a, a] += (chance[:, a] * (1 - chance[:, a])).sum(axis=1)
        step = STEP * (clue == a)
        slope[:, :, a] += by_question((fill_at(step) - fill_at(-step)).sum(axis=1)) / (4 * STEP)
        for b in clues:
            one_draw = met[:, a] * met[:, b] * (opened | (a == b))
            unseen, total = (
                np.minimum(q[:, a], q[:, b]) - q[:, a] * q[:, b] for q in (share, chance)
            )
            score[:, a, b] += (one_draw * (total - unseen)).sum(axis=1)
    inverse = np.linalg.inv(slope)
    return np.einsum("qab,qbc,qac->qa", inverse, score, inverse)[question, clue]
