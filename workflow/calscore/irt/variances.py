"""Variance components: the item residual, integrated out, and how agents of a group differ (empirical Bayes)."""

import numpy as np

from .sparse import SparseResponses, cell_losses, grid_posterior, sigmoid

#: Bounds of the estimated standard deviations of agents within a group.
LEVEL_BOUNDS = 0.2, 3.0


def residual_posterior(logits: np.ndarray, cells: SparseResponses, tau: float) -> tuple:
    """(posterior mean, its variance, log marginal likelihood) of each item's residual, (J,) each, by Gauss-Hermite quadrature.

    ``logits``: of each response of ``cells``, before its item's residual, normal with standard deviation ``tau``, is subtracted.
    """
    values, joint, width, t, log_w = _quadrature(logits, cells, tau)
    joint += -0.5 * (values / tau) ** 2 - np.log(tau) - 0.5 * np.log(2 * np.pi)
    joint += log_w + 0.5 * t**2 + np.log(width)[:, None]
    weight, marginal = grid_posterior(joint)
    mean = (weight * values).sum(axis=1)
    variance = (weight * (values - mean[:, None]) ** 2).sum(axis=1)
    return mean, variance, marginal


def residual_mode(logits, cells, tau) -> tuple[np.ndarray, np.ndarray]:
    """(posterior mode of each item's residual, standard deviation there), (J,) each, by Newton's method.

    ``logits``, ``cells`` and ``tau`` as in :func:`residual_posterior`.
    """
    residual, right = np.zeros(len(cells.start) - 1), 0.5 * (1 + cells.sign)
    for _ in range(8):
        p = sigmoid(logits - np.repeat(residual, cells.counts))
        slope = cells.item_sums(p - right) - residual / tau**2
        curvature = cells.item_sums(p * (1 - p)) + 1 / tau**2
        residual = residual + np.clip(slope / curvature, -2, 2)
    return residual, 1 / np.sqrt(curvature)


def _quadrature(logits: np.ndarray, cells: SparseResponses, tau: float) -> tuple[np.ndarray, ...]:
    """Residuals (J, Q) around each item's mode, their log-likelihoods (J, Q), the modes' widths (J,), nodes and log weights."""
    centre, width = residual_mode(logits, cells, tau)
    # Nodes of ∫ f(t) e^(−t²/2) dt, for use as f = g e^(t²/2).
    t, w = np.polynomial.hermite_e.hermegauss(15)
    values = centre[:, None] + width[:, None] * t
    sums = np.empty(values.shape)
    for q in range(len(t)):
        z = logits - np.repeat(values[:, q], cells.counts)
        sums[:, q] = -cells.item_sums(cell_losses(z, cells.sign))
    return values, sums, width, t, np.log(w)


def estimate_tau(logits: np.ndarray, cells: SparseResponses, tau: float) -> float:
    """τ that maximises the marginal likelihood of all responses, at most a factor of three from the present ``tau``.

    ``logits``: of each response without residual, held fixed.
    """
    from scipy.optimize import minimize_scalar

    values, base, _, t, log_w = _quadrature(logits, cells, tau)
    base = base + log_w + 0.5 * t**2

    def loss(log_tau):
        joint = base - 0.5 * (values * np.exp(-log_tau)) ** 2 - log_tau
        return -grid_posterior(joint)[1].mean()

    # The quadrature points follow the current τ: no further than a factor of three at once.
    around = np.log(tau)
    best = minimize_scalar(loss, bounds=(around - 1.1, around + 1.1), method="bounded")
    return float(np.exp(best.x))


def estimate_group_sd(values, information, groups, sd: float) -> float:
    """Standard deviation of agents about the mean of their group, by EM (empirical Bayes), within :data:`LEVEL_BOUNDS`.

    ``values`` (I,): levels or slopes, estimated with a prior of standard deviation ``sd``; ``information`` (I,): Fisher
    information of the responses on each; ``groups`` (I,), None for one. Where groups have one agent each it is ``sd``.
    """
    _, group = np.unique(np.zeros(len(values)) if groups is None else groups, return_inverse=True)
    size = np.bincount(group)
    if len(values) <= len(size):
        return sd
    means = np.bincount(group, values) / size
    # Estimates without the prior, whose weight is their information.
    free = values + (values - means[group]) / (sd**2 * np.maximum(information, 1e-9))
    for _ in range(50):
        variance = 1 / (information + 1 / sd**2)
        shrunk = variance * (information * free + means[group] / sd**2)
        means = np.bincount(group, shrunk) / size
        spread = ((shrunk - means[group]) ** 2 + variance).sum() / (len(values) - len(size))
        sd = float(np.clip(np.sqrt(spread), *LEVEL_BOUNDS))
    return sd
