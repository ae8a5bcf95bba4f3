"""Uncertainty of estimates: refits to resampled questions and redrawn priors, and standard errors of items.

A replicate weighs questions by a multinomial draw and redraws what the priors are about. Where responses determine a
quantity it varies as questions do; where they do not it varies as its prior, so no interval has width 0.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from ..stats.bootstrap import Bootstrap
from .model import Fit, descend, e_step, item_terms, text_logits, with_mean_slope_in_difficulty
from .sparse import SparseResponses
from .variances import residual_mode


def bootstrap(fit: Fit, signs, questions, resampling: Bootstrap, summarise, pending=None) -> dict:
    """Name → summaries of refits to resampled questions and redrawn priors, arrays with replicates first.

    ``signs`` (J, I); ``questions`` (J,): of each item, whose clues are drawn together. ``summarise``: of parameters,
    relevance (J, m) and weights of items (J,): a dict of arrays. Each refit starts at the estimate, with τ as it was, and
    imputes undecided cells (``pending``, outcomes or None) anew.
    """
    _, codes = np.unique(questions, return_inverse=True)
    summaries = []
    if pending is None:
        signs = SparseResponses.from_signs(signs)
    for number, weights in enumerate(resampling.question_weights(codes.max() + 1)):
        parameters = fit.parameters
        centre = fit.penalty.draw(np.random.default_rng([resampling.seed, number]), parameters)
        penalty = replace(fit.penalty, centre=centre)
        for tolerance in (TOLERANCE,) if pending is None else (LOOSE, LOOSE, TOLERANCE):
            cells = e_step(parameters, fit.design, signs, pending)
            parameters, _ = descend(
                parameters, fit.design, cells, penalty, weights[codes], ITERATIONS, tolerance
            )
        if penalty.tau:
            # A question that was not drawn has residuals all the same.
            cells = SparseResponses.from_signs(cells)
            logits = text_logits(parameters, fit.design, cells)
            residual = residual_mode(logits, cells, penalty.tau)[0]
            parameters = replace(parameters, residual=residual)
        parameters = with_mean_slope_in_difficulty(parameters, fit.design)
        relevance = item_terms(parameters, fit.design)[0]
        summaries.append(summarise(parameters, relevance, weights[codes]))
    return {name: np.array([summary[name] for summary in summaries]) for name in summaries[0]}


def percentile_bounds(draws: np.ndarray, level: float) -> np.ndarray:
    """(low, high) over the first axis, shape (2, …), such that a share ``level`` of further draws would lie between.

    ``numpy.quantile``'s own of 40 refits would leave out 9.6 % instead of 5 %. Of fewer, 95 % bounds are the extremes.
    """
    return np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0, method="weibull")


#: Iterations of a refit at most, and the relative decrease of the objective at which it stops: before and after open
#: cells are imputed for the last time.
ITERATIONS, LOOSE, TOLERANCE = 100, 1e-4, 2e-7
#: Step in logits for numerical slopes of the score.
STEP = 0.05


def item_errors(fit: Fit, signs, questions, drawn, pending=None) -> np.ndarray:
    """Standard error of each item's difficulty about the mean difficulty, (J,), by the law of total variance.

    The variance of replicates of difficulty (``drawn``, (replicates, J)) is that of skills, texts and scale. The variance
    of the residual given those is added, at most that of its prior. Other arguments as in :func:`bootstrap`.
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
    """Sampling variance of each item's residual (J,) where cells are open: the diagonal of H⁻¹ (B + 1 / τ²) H⁻¹ᵀ of each question.

    B is the variance of the score and H its slope, both with open cells as the model fills them. One draw decides
    at all clues of a question for an agent with open cells there.
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
            unseen, total = (np.minimum(q[:, a], q[:, b]) - q[:, a] * q[:, b] for q in (share, chance))
            score[:, a, b] += (one_draw * (total - unseen)).sum(axis=1)
    inverse = np.linalg.inv(slope)
    return np.einsum("qab,qbc,qac->qa", inverse, score, inverse)[question, clue]
