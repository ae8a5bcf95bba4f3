"""What agents know and how sure they are of it, drawn from skill, difficulty and share revealed."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from .vocabulary import bank


def logit(p):
    return np.log(p) - np.log1p(-p)


def quantiles(rng, mean: float, sd: float, count: int) -> np.ndarray:
    """Normal quantiles in random order: few agents still have the spread that was asked for."""
    points = [NormalDist().inv_cdf((i + 0.5) / count) for i in range(count)]
    return mean + sd * rng.permutation(points)


@dataclass
class Agents:
    """Latents of a group: ``skill`` (agent), ``edge`` = s + e − d, ``draw`` (agent × question)."""

    skill: np.ndarray
    special: np.ndarray
    edge: np.ndarray
    draw: np.ndarray


def agents(rng, skill, slots, difficulty, values) -> Agents:
    special = rng.normal(0, values["specialism_sd"], (len(skill), len(bank())))
    edge = skill[:, None] + special[:, slots] - difficulty
    return Agents(skill, special, edge, rng.uniform(size=edge.shape))


def signals(rng, delta: float, shape) -> tuple[np.ndarray, np.ndarray]:
    """δz while wrong and while right: log-likelihood ratios of the two normal laws."""
    return (delta * rng.normal(-delta / 2, 1, shape), delta * rng.normal(delta / 2, 1, shape))
