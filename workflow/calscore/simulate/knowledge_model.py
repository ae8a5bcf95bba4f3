"""What agents know and how sure they are of it, drawn from skill, difficulty and share revealed."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.random import Generator

from .vocabulary import answer_bank


def logit(p: np.ndarray) -> np.ndarray:
    """Log-odds of ``p``, elementwise; infinite at 0 and 1, with numpy's warning."""
    return np.log(p) - np.log1p(-p)


def quantiles(rng: Generator, mean: float, sd: float, count: int) -> np.ndarray:
    """``count`` evenly spaced quantiles of N(``mean``, ``sd``²) in random order: only their order is left to chance."""
    points = [NormalDist().inv_cdf((i + 0.5) / count) for i in range(count)]
    return mean + sd * rng.permutation(points)


@dataclass
class Agents:
    """Latents: ``skill`` s (agents,), ``special`` e (agents, categories), ``edge`` s + e − d and ``draw`` (agents, questions)."""

    skill: np.ndarray
    special: np.ndarray
    edge: np.ndarray
    draw: np.ndarray


def draw_agents(
    rng: Generator, skill: np.ndarray, slots: np.ndarray, difficulty: np.ndarray, values: dict
) -> Agents:
    """:class:`Agents` of these skills (agents,), with specialisms from N(0, ``values["specialism_sd"]``²) and uniform draws.

    ``slots`` (index of the category) and ``difficulty`` are of each question.
    """
    special = rng.normal(0, values["specialism_sd"], (len(skill), len(answer_bank())))
    edge = skill[:, None] + special[:, slots] - difficulty
    return Agents(skill, special, edge, rng.uniform(size=edge.shape))


def signals(rng: Generator, delta: float, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """(δz while wrong, δz while right), each of ``shape``: log-likelihood ratios of N(δ/2, 1) against N(−δ/2, 1)."""
    return (delta * rng.normal(-delta / 2, 1, shape), delta * rng.normal(delta / 2, 1, shape))
