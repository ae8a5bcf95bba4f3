"""Simulated response data that tests, the comparison script and the benchmark share."""

from dataclasses import dataclass

import numpy as np
from calscore.irt.sparse import sigmoid
from scipy.optimize import linear_sum_assignment
from scipy.special import softmax

AGENTS, ITEMS, TRAINING = 100, 3042, 247_000


@dataclass(frozen=True)
class World:
    """A known model and its data. Items are in question order.

    ``embeddings`` (J, n), ``question`` (J,), ``clue`` (J,) from 1, ``skills`` (I, m),
    ``relevance`` and ``difficulty`` (J, m), ``residual`` (J,), ``probability`` (J, I), ``right``
    (J, I) boolean.
    """

    embeddings: np.ndarray
    question: np.ndarray
    clue: np.ndarray
    skills: np.ndarray
    relevance: np.ndarray
    difficulty: np.ndarray
    residual: np.ndarray
    probability: np.ndarray
    right: np.ndarray


def world(
    seed: int,
    agents: int = 100,
    questions: int = 782,
    items: int = 3042,
    unseen_questions: int = 0,
    size: int = 768,
    factors: int = 24,
    dimensions: int = 5,
    tau: float = 0.0,
) -> World:
    """Agents and items of the model, by default as many as the paper has.

    Embeddings are ``factors`` latent factors (of the question, and less of the clue) spread over
    ``size`` dimensions, plus noise. ``unseen_questions`` further questions with 4 items each come last.
    Skills have a general part and one of each aspect; later clues are easier.
    """
    rng = np.random.default_rng(seed)
    counts = np.full(questions, items // questions)
    counts[rng.permutation(questions)[: items - counts.sum()]] += 1
    counts = np.concatenate([counts, np.full(unseen_questions, 4)])
    question = np.repeat(np.arange(len(counts)), counts)
    clue = np.concatenate([np.arange(1, c + 1) for c in counts])
    share = clue / counts[question]
    latent = rng.standard_normal((len(counts), factors))[question]
    latent = 0.9 * latent + 0.45 * rng.standard_normal((len(question), factors))
    latent[:, 0] = 2.0 * (share - share.mean()) / share.std()
    spread = rng.standard_normal((factors, size)) / np.sqrt(size)
    embeddings = latent @ spread * 4 + 0.05 * rng.standard_normal((len(question), size))
    raw = latent @ (1.3 * rng.standard_normal((factors, dimensions)) / np.sqrt(factors) * 2)
    relevance = softmax(raw, axis=1)
    weight = rng.standard_normal((factors, dimensions)) / np.sqrt(factors)
    weight[0] = -0.35
    difficulty = latent @ weight
    difficulty = difficulty - difficulty[:items].mean(axis=0)
    skills = 0.8 * rng.standard_normal((agents, 1)) + rng.standard_normal((agents, dimensions))
    residual = tau * rng.standard_normal(len(question))
    logits = relevance @ skills.T - ((relevance * difficulty).sum(axis=1) + residual)[:, None]
    probability = sigmoid(logits)
    right = rng.random(probability.shape) < probability
    return World(embeddings, question, clue, skills, relevance, difficulty, residual, probability, right)


def paper_size(seed: int, tau: float = 0.0):
    """A world of the paper's size: (world, training signs (3042, 100), mask of held-out cells)."""
    made = world(seed, agents=AGENTS, items=ITEMS, unseen_questions=100, tau=tau)
    rng = np.random.default_rng([seed, 1])
    trained = np.zeros(ITEMS * AGENTS, dtype=bool)
    trained[rng.permutation(trained.size)[:TRAINING]] = True
    trained = trained.reshape(ITEMS, AGENTS)
    signs = np.where(made.right[:ITEMS], 1.0, -1.0) * trained
    return made, signs, ~trained


def log_loss(p, right) -> float:
    """Mean negative log-likelihood in nats."""
    return float(-np.log(np.where(right, p, 1 - p)).mean())


def match(reference, candidate) -> list[int]:
    """Order of the columns of ``candidate`` that best matches ``reference`` (Hungarian, by correlation)."""
    m = reference.shape[1]
    correlation = np.corrcoef(reference.T, candidate.T)[:m, m:] if m > 1 else np.ones((1, 1))
    return list(linear_sum_assignment(-correlation)[1])
