"""How sure skills are: joint Laplace approximation, question-cluster bootstrap, contrasts.

The level of all skills on an aspect is only weakly told from the difficulty of the items that it is relevant to.
What is well identified, and reported, are contrasts between agents on an aspect: an agent's skill
less the mean of all agents.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .model import (
    Fit,
    Parameters,
    SparseResponses,
    e_step,
    is_sparse,
    item_terms,
    mode,
    objective,
    permuted,
    sigmoid,
    text_logits,
)


def skill_covariance(fit: Fit, signs) -> np.ndarray:
    """Joint covariance of all skills, (I·m, I·m) in row order (agent, aspect): Laplace approximation."""
    size = fit.parameters.skills.size
    return np.linalg.inv(information(fit, signs))[:size, :size]


def information(fit: Fit, signs) -> np.ndarray:
    """Of skills (agent, aspect), and of each aspect's weights and constant, those of difficulty before those of relevance.

    Fisher information of the responses at the estimate, over skills and text weights together,
    with the items' residuals integrated out, plus the precision of the normal priors. The
    corner of ‖·‖₁ at 0 is left out, which errs towards wider intervals.
    """
    p, x, penalty = fit.parameters, fit.x, fit.penalty
    relevance, difficulty = item_terms(p, x)
    items, m = relevance.shape
    agents = len(p.skills)
    offset = (relevance * difficulty).sum(axis=1)
    if fit.tau:
        offset = offset + p.residual
    logits = relevance @ p.skills.T - offset[:, None]
    probability = sigmoid(logits)
    w = np.abs(signs) * probability * (1 - probability)
    # Slope of a logit by the raw relevance of each aspect: r_k ((s − d)_k − (s − d)ᵀ r).
    level = logits + (offset - (relevance * difficulty).sum(axis=1))[:, None]
    coordinates = np.column_stack([x, np.ones(items)])
    columns = coordinates.shape[1]
    size = agents * m
    total = size + 2 * m * columns
    information = np.zeros((total, total))
    slopes = [-np.broadcast_to(relevance[:, [k]], w.shape) for k in range(m)] + [
        relevance[:, [k]] * ((p.skills[:, k] - difficulty[:, [k]]) - level) for k in range(m)
    ]
    # One column per item for its residual, integrated out by the Schur complement.
    root = 1 / np.sqrt(w.sum(axis=1) + (1 / fit.tau**2 if fit.tau else np.inf))
    by_residual = np.empty((items, total))
    for k in range(m):
        for k2 in range(m):
            block = (w * (relevance[:, k] * relevance[:, k2])[:, None]).sum(axis=0)
            information[np.arange(agents) * m + k, np.arange(agents) * m + k2] = block
        by_residual[:, k:size:m] = w * relevance[:, [k]] * root[:, None]
    weighed = [w * slope for slope in slopes]
    for a in range(2 * m):
        at = slice(size + a * columns, size + (a + 1) * columns)
        for k in range(m):
            information[k:size:m, at] = (weighed[a] * relevance[:, [k]]).T @ coordinates
        for b in range(a + 1):
            both = (weighed[a] * slopes[b]).sum(axis=1)
            block = coordinates.T @ (both[:, None] * coordinates)
            other = slice(size + b * columns, size + (b + 1) * columns)
            information[at, other] = block
            information[other, at] = block.T
        by_residual[:, at] = (weighed[a].sum(axis=1) * root)[:, None] * coordinates
    information[size:, :size] = information[:size, size:].T
    information -= by_residual.T @ by_residual
    n = np.abs(signs).sum()
    of_d, of_r, of_s = (value * n for value in penalty.precisions(x.shape[1], n))
    shared = 0 if penalty.kinds is None else penalty.kinds.T @ penalty.kinds
    information[:size, :size] += of_s * np.kron(np.eye(agents) - shared, np.eye(m) - 1 / m)
    diagonal = np.zeros(total)
    diagonal[size : size + m * columns] = of_d
    diagonal[size + m * columns :] = of_r
    ends = size + columns * np.arange(1, 2 * m + 1) - 1
    diagonal[ends[m:]] = 0.0
    # Difficulty has no constant: its column is pinned.
    diagonal[ends[:m]] = 1e9
    # A weak N(0, 10²) on everything keeps directions that no response speaks to finite.
    information[np.arange(total), np.arange(total)] += diagonal + 1e-2
    return information


def _free(fit: Fit) -> np.ndarray:
    """Places in :func:`information` of the fit's parameters without residuals, as they are packed."""
    agents, m = fit.parameters.skills.shape
    columns = fit.x.shape[1] + 1
    blocks = agents * m + np.arange(2 * m * columns).reshape(2, m, columns)
    return np.concatenate([np.arange(agents * m), blocks[:, :, :-1].ravel(), blocks[1, :, -1]])


def centred(skills: np.ndarray) -> np.ndarray:
    """Skills less the mean of all agents, aspect by aspect."""
    return skills - skills.mean(axis=0)


def standard_errors(covariance: np.ndarray, agents: int) -> tuple[np.ndarray, np.ndarray]:
    """Standard errors of raw and of centred skills, each (I, m)."""
    m = covariance.shape[0] // agents
    cube = covariance.reshape(agents, m, agents, m)
    of_aspect = np.einsum("ikjk->kij", cube)
    raw = np.sqrt(np.einsum("kii->ik", of_aspect))
    # C Σ Cᵀ with C = I − 11ᵀ/I.
    variance = (
        np.einsum("kii->ik", of_aspect)
        - 2 * of_aspect.mean(axis=2).T
        + of_aspect.mean(axis=(1, 2))[None]
    )
    return raw, np.sqrt(np.maximum(variance, 0))


def match(reference: np.ndarray, other: np.ndarray) -> list[int]:
    """Order of the columns of ``other`` that best matches ``reference`` (Hungarian, by correlation)."""
    from scipy.optimize import linear_sum_assignment

    m = reference.shape[1]
    if m == 1:
        return [0]
    with np.errstate(invalid="ignore", divide="ignore"):
        between = np.corrcoef(reference.T, other.T)[:m, m:]
    return list(linear_sum_assignment(-np.nan_to_num(between))[1])


#: Widths of the prior on aspects that are tried, as multiples of the configured one.
WIDTHS = (0.25, 0.5, 1.0, 2.0)


def sensitivity(first: Fit, signs, weight, level: float, fitted) -> list[dict]:
    """A contrast of agents (``weight``, (I,)) on each aspect and over all (0, by relevance) at several widths of the prior on aspects.

    ``first``: at the configured width; ``fitted(penalty, first)``: the same at another; ``signs``: what was
    observed. ``log_evidence``: of the responses, all but τ integrated out around the best fit (Laplace), less the largest; the
    width that has it is the one of empirical Bayes.
    """
    from scipy.stats import norm

    free, z, rows = _free(first), norm.ppf((1 + level) / 2), []
    agents, m = first.parameters.skills.shape
    size = agents * m
    for width in WIDTHS:
        sd = width * first.penalty.aspect_sd
        found = first if width == 1 else fitted(replace(first.penalty, aspect_sd=sd), first)
        found = permuted(found, match(first.relevance, found.relevance))
        known = information(found, signs)[np.ix_(free, free)]
        # What the width changes in the normal prior on m − 1 differences of each agent.
        prior = -agents * (m - 1) * np.log(sd)
        evidence = prior - found.n * found.objective - 0.5 * np.linalg.slogdet(known)[1]
        covariance, items = np.linalg.inv(known)[:size, :size], found.relevance.sum(axis=0)
        for aspect, share in enumerate([items / items.sum(), *np.eye(m)]):
            both = np.outer(weight, share).ravel()
            value, error = both @ found.parameters.skills.ravel(), np.sqrt(both @ covariance @ both)
            rows.append(
                {
                    "aspect_sd": sd, "aspect": aspect, "items": items[aspect - 1] if aspect else items.sum(),
                    "difference": value, "standard_error": error,
                    "low": value - z * error, "high": value + z * error, "log_evidence": evidence,
                }
            )  # fmt: skip
    best = max(row["log_evidence"] for row in rows)
    return [
        row | {"log_evidence": row["log_evidence"] - best, "chosen": row["log_evidence"] == best}
        for row in rows
    ]


def bootstrap(
    fit: Fit, signs, questions, replicates: int, seed: int, iterations: int = 60, pending=None
):
    """Skills refitted to resampled questions, (replicates, I, m), aspects matched to ``fit``; and what items are about on
    average, (replicates, m).

    All clues of a question are drawn together. Each refit starts at the estimate, with τ as it was, and imputes
    undecided cells (``pending``) anew. It goes down in coordinates in which the information at the estimate is 1, residuals
    at their best for all else: a few steps where single parameters need hundreds.
    """
    from ..stats.resample import bootstrap_weights

    _, codes = np.unique(questions, return_inverse=True)
    draws = bootstrap_weights(codes.max() + 1, replicates, seed)
    known = signs if pending is None else pending.known(signs)
    free = _free(fit)
    factor = np.linalg.cholesky(information(fit, known)[np.ix_(free, free)])
    root = np.linalg.inv(factor).T * np.sqrt(np.abs(known).sum())
    base, kind = fit.relevance, np.float32 if is_sparse(known) else float
    x, root, draws = fit.x.astype(kind), root.astype(kind), draws.astype(kind)
    signs = signs if pending else SparseResponses.of(signs)
    found = []
    for weights in draws:
        parameters = fit.parameters
        for _ in range(1 if pending is None else 3):
            cells = SparseResponses.of(e_step(parameters, fit.x, signs, pending))
            cells = replace(cells, sign=cells.sign.astype(kind))
            parameters = _refitted(
                parameters, x, cells, fit.penalty, weights[codes], root, iterations
            )
        relevance = item_terms(parameters, fit.x)[0]
        order = match(base, relevance)
        found.append((parameters.skills[:, order], relevance.mean(axis=0)[order]))
    skills, shares = zip(*found, strict=True)
    return np.array(skills), np.array(shares)


def percentile_bounds(draws, level: float) -> np.ndarray:
    """Lower and upper bound over the first axis such that a share ``level`` of further draws would lie between.

    ``numpy.quantile``'s own quantiles of 40 refits would leave out 9.5 % instead of 5 %.
    """
    return np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0, method="weibull")


def _refitted(
    start: Parameters, x, cells: SparseResponses, penalty, weights, root, iterations: int
):
    """Parameters from ``start`` with items weighted; ``root``: columns are steps of information 1."""
    from scipy.optimize import minimize

    bare, residual = replace(start, residual=np.zeros(0)), start.residual.astype(x.dtype)
    middle, total = bare.pack().astype(x.dtype), float(cells.counts @ weights)

    def at(step):
        nonlocal residual
        parameters = bare.unpack(middle + root @ step.astype(x.dtype))
        if penalty.tau:
            logits = text_logits(parameters, x, cells)
            residual = mode(logits, cells, penalty.tau, 2, residual)[0].astype(x.dtype)
        return replace(parameters, residual=residual)

    def value(step):
        parameters = at(step)
        vector = parameters.pack()
        loss, gradient = objective(vector, parameters, x, cells, penalty, weights, total)
        return loss, gradient[: len(step)] @ root

    options = {"maxiter": iterations, "ftol": 1e-6, "gtol": 1e-8}
    found = minimize(value, np.zeros(len(middle)), jac=True, method="L-BFGS-B", options=options)
    return at(found.x)
