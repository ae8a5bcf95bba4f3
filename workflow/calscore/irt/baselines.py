"""Response models without text, always fitted beside the one that reads it.

Marginal maximum likelihood by quadrature over a grid: agents' skills are free, items' parameters are integrated
out. For a few dozen agents and thousands of items, each answered by few; it predicts unseen items as well.
"""

from dataclasses import dataclass, replace

import numpy as np

from .sparse import SparseResponses, grid_posterior, sigmoid


def _grid(nodes: int, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """``nodes`` equally spaced points from −reach to reach, and their log weights under the standard normal."""
    t = np.linspace(-reach, reach, nodes)
    log_w = -0.5 * t**2
    return t, log_w - np.log(np.exp(log_w).sum())


@dataclass(frozen=True)
class MarginalFit:
    """Agents' skills (I,), with the items' distribution integrated out.

    Item logits are a_j (θ_i − b_j), b ~ N(0, sd²), log a ~ N(0, spread²) (1PL: a = 1). ``table``:
    (Q, I) probability at each grid point, ``prior`` (Q,), ``posterior`` (J, Q) of the training items.
    """

    skills: np.ndarray
    sd: float
    spread: float
    table: np.ndarray
    prior: np.ndarray
    posterior: np.ndarray

    def predict(self) -> np.ndarray:
        """Each agent's probability of a right answer on an unseen item, (I,), over the prior of items."""
        return self.prior @ self.table

    def predict_seen(self) -> np.ndarray:
        """The same on each training item, (J, I), over that item's posterior."""
        return self.posterior @ self.table


def fit_marginal(signs: np.ndarray, model: str) -> MarginalFit:
    """``model`` 2PL, else 1PL (Rasch), with items integrated out; agents' skills have a weak N(0, 3²) prior.

    ``signs`` (J, I): 1 right, −1 wrong, 0 no response. The prior keeps the skill of an agent finite that was
    always right or always wrong. ``spread`` has a N(0, 1) prior.
    """
    from scipy.optimize import minimize
    from scipy.sparse import csr_array

    _items, agents = signs.shape
    right, answered = (signs > 0).astype(float), np.abs(signs)
    heard, n_right = answered.sum(axis=0), right.sum(axis=1)
    right, answered = csr_array(right), csr_array(answered)
    u, log_u = _grid(41, 4.5)
    v, log_v = _grid(7, 2.5) if model == "2PL" else (np.zeros(1), np.zeros(1))
    b_node = np.tile(u, len(v))
    a_node = np.repeat(v, len(u))
    log_prior = np.repeat(log_v, len(u)) + np.tile(log_u, len(v))

    def pieces(vector):
        theta = vector[:agents]
        sd, spread = np.exp(vector[agents]), np.exp(vector[agents + 1]) if model == "2PL" else 0.0
        slope = np.exp(spread * a_node)
        gap = theta[None] - (sd * b_node)[:, None]
        z = slope[:, None] * gap
        # log p is z + log q, and z a line in theta: what is right needs one number an item.
        line = np.column_stack([right @ theta, n_right, np.ones(len(n_right))])
        joint = line @ np.stack([slope, -slope * sd * b_node, log_prior])
        joint -= answered @ np.logaddexp(0, z).T
        return theta, sd, spread, slope, gap, sigmoid(z), *grid_posterior(joint)

    total = answered.sum()
    # Rough standard errors: units in which the likelihood is well conditioned.
    scale = np.append(heard, [total] * (2 if model == "2PL" else 1)) / 5 + 1 / 9
    scale = np.sqrt(total / scale)

    def loss_and_gradient(scaled):
        vector = scaled * scale
        theta, sd, spread, slope, gap, p, posterior, marginal = pieces(vector)
        expected = (posterior.T @ answered) * p
        by_theta = right.T @ (posterior @ slope) - slope @ expected - theta / 9
        of_node = posterior.T @ n_right - expected.sum(axis=1)
        gradient = [*by_theta, -(of_node * slope * b_node).sum() * sd]
        if model == "2PL":
            by_slope = posterior.T @ (right @ theta) - (posterior.T @ n_right) * sd * b_node
            by_slope = by_slope - (expected * gap).sum(axis=1)
            gradient.append((by_slope * slope * a_node).sum() * spread - spread**2)
        loss = marginal.sum()
        loss -= (theta**2).sum() / 18 + (spread**2 / 2 if model == "2PL" else 0.0)
        return -loss / total, -np.array(gradient) / total * scale

    share = (right.sum(axis=0) + 1) / (heard + 2)
    start = np.concatenate([np.log(share / (1 - share)), [0.0], [np.log(0.3)] * (model == "2PL")])
    bounds = np.array([(-12, 12)] * agents + [(-4, 2.5)] + [(-4, 0.5)] * (model == "2PL"))
    best = minimize(
        loss_and_gradient,
        start / scale,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds / scale[:, None],
        options={"maxiter": 300, "ftol": 1e-8, "gtol": 1e-7},
    )
    theta, sd, spread, _, _, p, posterior, _ = pieces(best.x * scale)
    return MarginalFit(theta, float(sd), float(spread), p, np.exp(log_prior), posterior)


def fit_mirt(signs: np.ndarray, dimensions: int, seed: int = 0) -> np.ndarray:
    """Probability of right answers (J, I) under σ(s_iᵀα_j − d_j) (§2.2), fitted to ``signs`` (J, I) by penalised likelihood.

    Priors: s ~ N(0, 1), d ~ N(0, 2²), α gamma of shape 2 and mean 1/√m, so positive.
    """
    from scipy.optimize import minimize

    rng = np.random.default_rng(seed)
    items, agents = signs.shape
    m, total = dimensions, np.abs(signs).sum()
    rate = 2 * np.sqrt(m)
    easy, met = (signs > 0).sum(axis=1), np.abs(signs).sum(axis=1)
    right, n_seen = (signs > 0).sum(axis=0), np.abs(signs).sum(axis=0)
    skills = np.log((right + 1) / (n_seen - right + 1))[:, None] / np.sqrt(m)
    start = np.concatenate(
        [
            (skills + 0.5 * rng.standard_normal((agents, m))).ravel(),
            np.full(items * m, np.log(1 / np.sqrt(m))) + 0.1 * rng.standard_normal(items * m),
            -np.log((easy + 1) / (met - easy + 1)),
        ]
    )
    # As in model.descend: half the bytes for a large table.
    dtype, cells = np.float32, SparseResponses.from_signs(signs)
    cells = replace(cells, sign=cells.sign.astype(dtype))

    def loss_and_gradient(vector):
        vector = vector.astype(dtype, copy=False)
        s = vector[: agents * m].reshape(agents, m)
        log_a = vector[agents * m : -items].reshape(items, m)
        d = vector[-items:]
        a = np.exp(log_a)
        loss, g = cells.cross_entropy(a.T, s, d, None)
        loss += (s**2).sum() / 2 + (d**2).sum() / 8 + (rate * a - 2 * log_a).sum()
        by_s = g.T @ a + s
        by_a = (g @ s) * a + rate * a - 2
        by_d = -g.sum(axis=1) + d / 4
        return loss / total, np.concatenate([by_s.ravel(), by_a.ravel(), by_d]) / total

    best = minimize(
        loss_and_gradient,
        start,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 300, "ftol": 1e-6},
    )
    skills = best.x[: agents * m].reshape(agents, m)
    discrimination = np.exp(best.x[agents * m : -items].reshape(items, m))
    return sigmoid(discrimination @ skills.T - best.x[-items:, None])
