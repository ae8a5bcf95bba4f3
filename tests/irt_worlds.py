"""Simulated response data that tests, the comparison script and the benchmark share."""

from __future__ import annotations

import numpy as np
from calscore.irt.model import sigmoid
from calscore.simulate import irt

AGENTS, ITEMS, TRAINING = 100, 3042, 247_000


def paper_size(seed: int, tau: float = 0.0):
    """A world of the paper's size: (world, training signs (3042, 100), mask of held-out cells)."""
    world = irt.world(seed, agents=AGENTS, items=ITEMS, unseen_questions=100, tau=tau)
    rng = np.random.default_rng([seed, 1])
    trained = np.zeros(ITEMS * AGENTS, dtype=bool)
    trained[rng.permutation(trained.size)[:TRAINING]] = True
    trained = trained.reshape(ITEMS, AGENTS)
    signs = np.where(world.right[:ITEMS], 1.0, -1.0) * trained
    return world, signs, ~trained


def log_loss(p, right) -> float:
    """Mean negative log-likelihood in nats."""
    return float(-np.log(np.where(right, p, 1 - p)).mean())


def exam(seed: int, persons: int = 500, items: int = 15, model: str = "2PL"):
    """Responses of test takers with N(0, 1) abilities: (signs (persons, items), a, b)."""
    rng = np.random.default_rng(seed)
    b = np.linspace(-1.5, 1.5, items)
    a = (
        np.full(items, 1.2)
        if model == "1PL"
        else np.linspace(0.8, 1.6, items)[rng.permutation(items)]
    )
    theta = rng.standard_normal(persons)
    right = rng.random((persons, items)) < sigmoid(a * (theta[:, None] - b))
    return np.where(right, 1.0, -1.0), a, b
