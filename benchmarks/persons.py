"""The classical response models: abilities N(0, 1) integrated out, item parameters free.

Marginal maximum likelihood for test data with many persons (Bock and Aitkin 1981), by the quadrature and
the descent of :mod:`calscore.irt.baselines`, to be held against other software.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from calscore.irt.baselines import _grid, _posterior
from calscore.irt.sparse import sigmoid


@dataclass(frozen=True)
class Persons:
    """Item parameters of σ(a (θ − b)), θ ~ N(0, 1): ``discrimination`` and ``difficulty`` (n_items,),
    ``covariance`` of (a, b) in that order (1PL: one a), ``log_likelihood``, ``ability`` (persons,)."""

    discrimination: np.ndarray
    difficulty: np.ndarray
    covariance: np.ndarray
    log_likelihood: float
    ability: np.ndarray


def fit_persons(signs, model: str = "2PL", nodes: int = 41, reach: float = 6.0) -> Persons:
    """1PL (one discrimination for all items) or 2PL by marginal maximum likelihood.

    ``signs``: (persons, items) in {−1, 0, 1}. Raises ``ValueError`` for an item that all or none got
    right: its difficulty has no finite estimate.
    """
    from scipy.optimize import minimize

    if model not in ("1PL", "2PL"):
        raise ValueError("model must be 1PL or 2PL")
    right, seen = (signs > 0).astype(float), np.abs(signs)
    share = right.sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    if (share <= 0).any() or (share >= 1).any():
        raise ValueError("every item needs right and wrong responses")
    theta, log_w = _grid(nodes, reach)
    items = signs.shape[1]
    slopes = 1 if model == "1PL" else items

    def scores(vector):
        # Slope and intercept, z = a θ + c: close to quadratic; difficulty is −c / a.
        a, c = np.broadcast_to(vector[:slopes], items), vector[slopes:]
        z = np.outer(a, theta) + c[:, None]
        log_p, log_q = -np.logaddexp(0, -z), -np.logaddexp(0, z)
        posterior, marginal = _posterior(right @ log_p + (seen - right) @ log_q + log_w)
        return a, c, sigmoid(z), posterior, marginal

    def value(vector):
        _, _, p, posterior, marginal = scores(vector)
        gap = right.T @ posterior - (seen.T @ posterior) * p
        by_a, by_c = gap @ theta, gap.sum(axis=1)
        if slopes == 1:
            by_a = by_a.sum(keepdims=True)
        n = len(signs)
        return -marginal.sum() / n, -np.concatenate([by_a, by_c]) / n

    start = np.concatenate([np.ones(slopes), np.log(share / (1 - share)) * 1.2])
    found = minimize(
        value, start, jac=True, method="L-BFGS-B",
        options={"maxiter": 500, "ftol": 1e-13, "gtol": 1e-7},
    )  # fmt: skip
    a, c, p, posterior, marginal = scores(found.x)
    if (a < 0).all():
        raise ValueError("responses run against each other: negative discrimination throughout")
    # Information: sum of outer products of each person's score.
    ability = posterior @ theta
    mean_p, mean_tp = posterior @ p.T, posterior @ (p * theta).T
    score_c = right - seen * mean_p
    score_a = right * ability[:, None] - seen * mean_tp
    if slopes == 1:
        score_a = score_a.sum(axis=1, keepdims=True)
    score = np.hstack([score_a, score_c])
    inner = np.linalg.inv(score.T @ score)
    # Delta method: (a, c) → (a, −c / a).
    jacobian = np.eye(slopes + items)
    for j in range(items):
        column = 0 if slopes == 1 else j
        jacobian[slopes + j, column] = c[j] / a[j] ** 2
        jacobian[slopes + j, slopes + j] = -1 / a[j]
    return Persons(a.copy(), -c / a, jacobian @ inner @ jacobian.T, float(marginal.sum()), ability)
