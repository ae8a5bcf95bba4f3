"""A multidimensional item response model, after CAIMIRA (Gor et al. 2024, Do great minds think alike?, §3).

Agent i answers item j right with probability σ((s_i − d_j)ᵀ r_j + γ_i z_j − ε_j). With an item's coordinates x_j,

    r_j = softmax(W_R x_j + b_R)          relevance of each aspect, sums to 1
    d_j = W_D x_j, centred                difficulty
    z_j                                   words heard, standardised; γ_i is the agent's slope on them (ours)
    ε_j ~ N(0, τ²)                        difficulty beyond the text (ours; the paper has τ = 0 and γ = 0)

Ours are, too: components in place of the embedding, known columns, normal priors, open cells. The paper's ℓ1 penalty is
off by default.

Coordinates are principal components of the text's embedding and columns of what else is known (words heard, covariates).
Known columns enter difficulty only. Their linear part is taken out of the text first, so relevance is never length.

The objective is the mean cross-entropy, λ_d Σ_j ‖d_j‖₁ + λ_s Σ_i ‖s_i‖₁ (eqs. 9 to 12), and normal priors
(:class:`Penalty`). Responses are a matrix of signs, items × agents: 1 right, −1 wrong, 0 not seen, and 2y − 1 for a cell
that is right with probability y.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike
from scipy.special import softmax

from .censored import OpenOutcomes
from .sparse import Array, SparseResponses, cell_losses, sigmoid
from .variances import estimate_group_sd, estimate_tau, residual_mode, residual_posterior

# Indices of items and of agents, (n,) each. (A string here would have the reference format a signature of it.)
Cells = tuple[Array, Array]
# |v| is replaced by √(v² + SMOOTH²) − SMOOTH: at λ = 1e-5 this moves the objective by less than 1e-7 an entry.
SMOOTH = 1e-2
# Numbers of four bytes do for a descent that stops at a larger relative decrease of the objective.
SHORT = 1e-7
#: Standard deviation of the mean level and the mean slope of a group of agents.
GROUP_SD = 3.0


class Design(NamedTuple):
    """Coordinates of J items.

    ``values`` (J, p): components of the text, then known columns; ``text``: how many are of the text, which relevance
    sees. ``depth`` (J,): words heard, standardised, on which agents have a slope; of length 0 for no slope.
    """

    values: Array
    text: int
    depth: Array

    def astype(self, dtype: DTypeLike) -> Design:
        """The same coordinates in another precision."""
        return Design(self.values.astype(dtype), self.text, self.depth.astype(dtype))


@dataclass(frozen=True)
class Projection:
    """Map from embeddings to coordinates: principal components of the training items' texts without what known columns explain.

    An item's coordinates do not depend on the other items. ``mean`` (n,) of the embeddings, ``basis`` (n, components),
    ``slopes`` (k, n) of embeddings on known columns; ``depth``: whether the first of these is :attr:`Design.depth`.
    """

    mean: Array
    basis: Array
    slopes: Array
    depth: bool

    def __call__(self, embeddings: Array, extra: Array | None = None) -> Design:
        """Coordinates of items with ``embeddings`` (J, n) and ``extra`` columns (J, k), standardised."""
        text = np.asarray(embeddings, dtype=float) - self.mean
        if extra is None:
            extra = np.empty((len(text), 0))
        text = text - np.einsum("jk,kn->jn", extra, self.slopes)
        # einsum adds in one order for any number of rows; matmul picks another kernel for one row.
        values = np.einsum("jn,np->jp", text, self.basis)
        depth = extra[:, 0] if self.depth else np.empty(0)
        scale = known_scale(values.shape[1])
        return Design(np.column_stack([values, scale * extra]), values.shape[1], depth)


def known_scale(components: int) -> float:
    """Standard deviation that a known column gets beside so many ``components`` of the text: their square root, at least 1."""
    return max(components, 1) ** 0.5


def project(embeddings, components: int = 64, extra=None, slope: bool = False) -> tuple:
    """(:class:`Projection`, :class:`Design`) of training items from their ``embeddings`` (J, n).

    ``components``: principal components of the text at most. ``extra`` (J, k): what else is known of items, standardised;
    each column gets the variance of the whole text. ``slope``: whether agents have a slope on the first of these.
    ``ValueError`` for embeddings that are not finite or of another shape.
    """
    embeddings = np.asarray(embeddings, dtype=float)
    if embeddings.ndim != 2 or not np.isfinite(embeddings).all():
        raise ValueError("embeddings must be finite, (items, n)")
    items = len(embeddings)
    extra = np.empty((items, 0)) if extra is None else np.asarray(extra, dtype=float)
    mean = embeddings.mean(axis=0)
    centred = embeddings - mean
    slopes = np.linalg.lstsq(extra, centred, rcond=None)[0]
    centred = centred - extra @ slopes
    if not centred.size:
        values, basis = np.empty(0), np.empty((embeddings.shape[1], 0))
    elif items < centred.shape[1]:
        values, vectors = _leading(centred @ centred.T, components)
        basis = centred.T @ (vectors / np.sqrt(values))
    else:
        values, basis = _leading(centred.T @ centred, components)
    # The sign of a component is arbitrary: its largest entry is positive.
    if basis.shape[1]:
        largest = np.abs(basis).argmax(axis=0)
        basis = basis * np.sign(basis[largest, np.arange(basis.shape[1])])
        basis = basis / np.sqrt(values.mean() / items)
    projection = Projection(mean, basis, slopes, slope and extra.shape[1] > 0)
    return projection, projection(embeddings, extra)


def _leading(products: Array, components: int) -> tuple[Array, Array]:
    """(largest eigenvalues of a symmetric matrix, those above 0 and at most ``components``; their vectors as columns)."""
    from scipy.linalg import eigh

    size = len(products)
    values, vectors = eigh(products, subset_by_index=[max(size - components, 0), size - 1])
    positive = values[::-1] > 1e-10 * max(values.max(), 1e-300)
    return values[::-1][positive], vectors[:, ::-1][:, positive]


def scaled_membership(labels: Array, weight: float = 1.0) -> Array:
    """M (G, I) for ``labels`` (I,): 1 / √(weight + n) where an agent is of the group, which has n agents, else 0.

    With each group's mean integrated out, the precision of agents is I − MᵀM times that within a group; ``weight`` is the
    variance within a group over that of its mean.
    """
    member = (np.unique(labels)[:, None] == np.asarray(labels)).astype(float)
    return member / np.sqrt(weight + member.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class Penalty:
    """λ_d and λ_s of the paper, and our normal priors. None leaves a prior out.

    ``difficulty`` and ``skill``: λ_d and λ_s. Names in ``_sd`` are standard deviations of priors. ``difficulty_sd``,
    ``relevance_sd``: of the raw difficulty and relevance of an average item, weights W ~ N(0, sd² / p). ``aspect_sd``: of an
    agent's skill on an aspect about its own mean over aspects and its kind's part there, and of that part. ``level_sd``: of
    an agent's mean skill about the mean of its group. :func:`fit` estimates it, and ``slope_sd`` alike. ``tau``: of the item
    residual, 0 for none; :func:`fit` starts there and estimates it. ``kinds`` (G, I): of :func:`scaled_membership`.
    ``groups`` (I,): labels of agents whose levels have a common mean. ``centre``: what priors are about; None for 0.
    """

    difficulty: float = 0.0
    skill: float = 0.0
    difficulty_sd: float | None = 1.0
    relevance_sd: float | None = 2.0
    aspect_sd: float | None = 1.0
    level_sd: float | None = 1.5
    slope_sd: float = 0.5
    tau: float = 0.5
    kinds: Array | None = None
    groups: Array | None = None
    centre: Parameters | None = None

    def aspect_deviations(self, skills: Array) -> Array:
        """Skills (I, m) about each agent's mean, less what their kind's part on each aspect explains.

        This is the prior's precision, in units of one over the square of ``aspect_sd``, times the deviations.
        """
        deviations = skills - skills.mean(axis=1, keepdims=True)
        if self.kinds is None:
            return deviations
        return deviations - self.kinds.T @ (self.kinds @ deviations)

    def group_precision(self, values: Array, sd: float) -> Array:
        """Precision of agents' levels or slopes (standard deviation ``sd`` in a group) times ``values`` (I, …)."""
        labels = np.zeros(len(values)) if self.groups is None else self.groups
        member = scaled_membership(labels, sd**2 / GROUP_SD**2)
        return (values - member.T @ (member @ values)) / sd**2

    def draw(self, rng: np.random.Generator, parameters: Parameters) -> Parameters:
        """A draw of skills, slopes and weights from the priors, 0 where a prior is left out, as ``centre`` of a replicate.

        Shapes and ``b_relevance`` are those of ``parameters``; the draw has no residual.
        """
        agents, m = parameters.skills.shape
        labels = np.zeros(agents) if self.groups is None else self.groups
        _, group = np.unique(labels, return_inverse=True)

        def of_agents(sd):
            means = GROUP_SD * rng.standard_normal(group.max() + 1)
            return means[group] + sd * rng.standard_normal(agents)

        skills = np.zeros((agents, m))
        if self.aspect_sd is not None:
            skills += self.aspect_sd * rng.standard_normal((agents, m))
            if self.kinds is not None:
                kind = self.kinds.argmax(axis=0)
                skills += self.aspect_sd * rng.standard_normal((len(self.kinds), m))[kind]
            skills -= skills.mean(axis=1, keepdims=True)
        if self.level_sd is not None:
            skills += of_agents(self.level_sd)[:, None]
        slope = of_agents(self.slope_sd) if parameters.slope.size else parameters.slope
        weights = []
        for part, sd in (
            (parameters.w_difficulty, self.difficulty_sd),
            (parameters.w_relevance, self.relevance_sd),
        ):
            spread = (sd or 0.0) / max(parameters.w_difficulty.shape[1], 1) ** 0.5
            weights.append(spread * rng.standard_normal(part.shape))
        return Parameters(skills, slope, *weights, parameters.b_relevance, np.zeros(0))


@dataclass(frozen=True)
class Parameters:
    """What is estimated.

    ``skills`` (I, m), in logits; ``slope`` (I,), logits per standard deviation of words heard, or (0,); ``w_difficulty``
    (m, p); ``w_relevance`` (m, q), of the text's columns; ``b_relevance`` (m,); ``residual`` (J,) of the training items, or
    (0,).
    """

    skills: Array
    slope: Array
    w_difficulty: Array
    w_relevance: Array
    b_relevance: Array
    residual: Array

    def pack(self) -> Array:
        """All parameters in one vector, in the order of the attributes."""
        return np.concatenate([np.ravel(part) for part in vars(self).values()])

    def unpack(self, vector: Array) -> Parameters:
        """Parameters of the same shapes from one vector."""
        parts = vars(self).values()
        pieces = np.split(vector, np.cumsum([part.size for part in parts])[:-1])
        return Parameters(*(v.reshape(p.shape) for v, p in zip(pieces, parts, strict=True)))


#: The paper's penalty, with λ = 1e-5, and no prior of ours but of slopes.
PRINTED = Penalty(1e-5, 1e-5, None, None, None, None, tau=0.0)


def item_terms(parameters: Parameters, design: Design) -> tuple[Array, Array]:
    """(relevance r, difficulty d) of items, each (J, m); an item's rows do not depend on the other items."""
    values, p = design.values, parameters
    raw = np.einsum("jp,mp->jm", values[:, : design.text], p.w_relevance) + p.b_relevance
    return softmax(raw, axis=1), np.einsum("jp,mp->jm", values, p.w_difficulty)


def item_offset(parameters: Parameters, relevance: Array, difficulty: Array) -> Array:
    """Difficulty of items (J,): rᵀd of ``relevance`` and ``difficulty`` (J, m), plus the residual where there is one."""
    total = (relevance * difficulty).sum(axis=1)
    return total + parameters.residual if parameters.residual.size else total


def logits_of_cells(parameters: Parameters, design, relevance, offset, cells=None) -> Array:
    """Logits of a right answer: of all items and agents, (J, I), or of some ``cells`` (items, agents), (n,).

    ``design``: :class:`Design`; ``relevance`` (J, m) and ``offset`` (J,): of :func:`item_terms` and :func:`item_offset`.
    """
    skills, slope, depth = parameters.skills, parameters.slope, design.depth
    if cells is None:
        logits = np.einsum("jm,im->ji", relevance, skills) - offset[:, None]
        return logits + depth[:, None] * slope if slope.size else logits
    row, agent = cells
    logits = np.einsum("nm,nm->n", relevance[row], skills[agent]) - offset[row]
    return logits + depth[row] * slope[agent] if slope.size else logits


def e_step(parameters: Parameters, design, signs, pending: OpenOutcomes | None):
    """``signs`` (J, I) with ``pending`` cells filled by what the model expects (:meth:`OpenOutcomes.fill`), a copy.

    As they are, perhaps sparse, where ``pending`` is None.
    """
    if pending is None:
        return signs
    relevance, difficulty = item_terms(parameters, design)
    about = parameters, design, relevance, item_offset(parameters, relevance, difficulty)
    return pending.fill(signs, lambda *cells: sigmoid(logits_of_cells(*about, cells)))


def _terms(p: Parameters, design: Design) -> tuple[Array, Array, Array, Array, Array]:
    """Relevance and difficulty (m, J), rᵀd (J,), loadings (k, J) and agents' traits (I, k).

    Traits are skills and, where there is one, the slope (k = m + 1).
    """
    values = design.values
    raw = p.w_relevance @ values[:, : design.text].T + p.b_relevance[:, None]
    relevance, difficulty = softmax(raw, axis=0), p.w_difficulty @ values.T
    offset = (relevance * difficulty).sum(axis=0)
    if not p.slope.size:
        return relevance, difficulty, offset, relevance, p.skills
    loadings = np.concatenate([relevance, design.depth[None]])
    return relevance, difficulty, offset, loadings, np.column_stack([p.skills, p.slope])


def text_logits(p: Parameters, design: Design, cells: SparseResponses) -> Array:
    """Logit of each response of ``cells``, (n,), without the item residual."""
    _, _, offset, loadings, traits = _terms(p, design)
    return cells.logits(loadings, traits, offset)


def objective(vector, shapes, design, signs, penalty, weights=None, total=None) -> tuple:
    """(penalised mean cross-entropy, its gradient by the packed parameters): a number and an array like ``vector``.

    ``vector``: packed :class:`Parameters` of the shapes of ``shapes``; ``design``: :class:`Design`; ``signs``: (J, I) or
    :class:`SparseResponses`; ``penalty``: :class:`Penalty`. ``weights`` (J,): multiplicity of each item (question
    bootstrap), or None. ``total``: number of responses, where the caller has it.
    """
    x = design.values
    p = shapes.unpack(vector.astype(x.dtype, copy=False))
    m = len(p.b_relevance)
    relevance, difficulty, offset, loadings, traits = _terms(p, design)
    if p.residual.size:
        offset = offset + p.residual
    cells = SparseResponses.from_signs(signs)
    times = 1.0 if weights is None else weights
    if total is None:
        total = float(cells.counts.sum() if weights is None else cells.counts @ weights)
    loss, g = cells.cross_entropy(loadings, traits, offset, weights)
    loss /= total
    by_offset = -g.sum(axis=1) / total
    by_trait = g.T @ loadings.T / total
    by_skill, by_slope = by_trait[:, :m], by_trait[:, m:].ravel()
    by_relevance = (g @ p.skills).T / total + by_offset * difficulty
    by_difficulty = by_offset * relevance

    if penalty.difficulty:
        size_d = np.sqrt(difficulty**2 + SMOOTH**2)
        loss += penalty.difficulty * ((size_d - SMOOTH) * times).sum()
        by_difficulty += penalty.difficulty * times * difficulty / size_d
    if penalty.skill:
        size_s = np.sqrt(p.skills**2 + SMOOTH**2)
        loss += penalty.skill * (size_s - SMOOTH).sum()
        by_skill += penalty.skill * p.skills / size_s
    by_raw = relevance * (by_relevance - (by_relevance * relevance).sum(axis=0))
    # Weights of ½‖W_D‖², ½‖W_R‖² and ½ Σ (s_ik − s̄_i)², 0 where a prior is left out.
    of_d, of_r, of_s = (
        0.0 if sd is None else 1 / (sd**2 * total)
        for sd in (penalty.difficulty_sd, penalty.relevance_sd, penalty.aspect_sd)
    )
    of_d, of_r = of_d * x.shape[1], of_r * x.shape[1]
    skills, slope, w_d, w_r = p.skills, p.slope, p.w_difficulty, p.w_relevance
    if penalty.centre is not None:
        c = penalty.centre
        skills, slope = skills - c.skills, slope - c.slope
        w_d, w_r = w_d - c.w_difficulty, w_r - c.w_relevance
    by_wr = by_raw @ x[:, : design.text] + of_r * w_r
    by_wd = by_difficulty @ x + of_d * w_d
    loss += 0.5 * (of_d * (w_d**2).sum() + of_r * (w_r**2).sum())
    deviations = penalty.aspect_deviations(skills)
    loss += 0.5 * of_s * (deviations * skills).sum()
    by_skill += of_s * deviations
    if penalty.level_sd is not None:
        level = skills.mean(axis=1)
        pull = penalty.group_precision(level, penalty.level_sd) / total
        loss += 0.5 * (pull * level).sum()
        by_skill += pull[:, None] / m
    if slope.size:
        pull = penalty.group_precision(slope, penalty.slope_sd) / total
        loss += 0.5 * (pull * slope).sum()
        by_slope = by_slope + pull
    by_residual = np.empty(0)
    if p.residual.size:
        precision = 1 / (penalty.tau**2 * total)
        loss += 0.5 * precision * (times * p.residual**2).sum()
        by_residual = by_offset + precision * times * p.residual
    by_b = by_raw.sum(axis=1)
    return loss, np.concatenate([by_skill.ravel(), by_slope, by_wd.ravel(), by_wr.ravel(), by_b, by_residual])


@dataclass(frozen=True)
class Fit:
    """A fitted model. ``variance`` (J,): posterior variance of the training items' residuals.

    ``objective``: penalised mean negative log-likelihood with residuals integrated out.
    """

    parameters: Parameters
    projection: Projection
    design: Design
    penalty: Penalty
    variance: Array
    objective: float

    @property
    def tau(self) -> float:
        """Standard deviation of the item residual."""
        return self.penalty.tau

    @property
    def relevance(self) -> Array:
        """Relevance of the training items, (J, m)."""
        return item_terms(self.parameters, self.design)[0]

    @property
    def offset(self) -> Array:
        """Difficulty of the training items over their aspects and beyond the text, (J,)."""
        return item_offset(self.parameters, *item_terms(self.parameters, self.design))

    def predict_unseen(self, design: Design, cells: Cells | None = None) -> Array:
        """Probability of a right answer on unseen items, (J, I), the residual marginalised; of some ``cells`` (items, agents) alone, (n,)."""
        relevance, difficulty = item_terms(self.parameters, design)
        offset = (relevance * difficulty).sum(axis=1)
        return probability(self.parameters, design, relevance, offset, self.tau**2, cells)

    def predict_seen(self, cells: Cells | None = None) -> Array:
        """P(right) on the training items, over their residuals' posterior: (J, I), or (n,) of ``cells`` (items, agents)."""
        return probability(self.parameters, self.design, self.relevance, self.offset, self.variance, cells)


def probability(parameters, design, relevance, offset, variance, cells=None) -> Array:
    """Probability of a right answer, (J, I) or of ``cells`` (n,), the arguments as in :func:`logits_of_cells`.

    ``variance``, a number or (J,): of what ``offset`` (J,) leaves out, marginalised by the probit approximation.
    """
    shrink = np.sqrt(1 + np.pi * np.broadcast_to(variance, offset.shape) / 8)
    logits = logits_of_cells(parameters, design, relevance, offset, cells)
    return sigmoid(logits / (shrink[:, None] if cells is None else shrink[cells[0]]))


def permuted(fit: Fit, order: Iterable[int]) -> Fit:
    """The same model with its aspects in ``order``, numbers of the present aspects from 0."""
    p, order = fit.parameters, list(order)
    weights = p.w_difficulty[order], p.w_relevance[order], p.b_relevance[order]
    parameters = Parameters(p.skills[:, order], p.slope, *weights, p.residual)
    return replace(fit, parameters=parameters)


def with_mean_slope_in_difficulty(p: Parameters, design: Design) -> Parameters:
    """The same model with slopes of mean 0: their mean goes into difficulty, which changes no prediction."""
    if not p.slope.size:
        return p
    mean, weights = p.slope.mean(), p.w_difficulty.copy()
    weights[:, design.text] -= mean / known_scale(design.text)
    return replace(p, slope=p.slope - mean, w_difficulty=weights)


def _scales(shapes: Parameters, design: Design, cells: SparseResponses, tau: float) -> Array:
    """Rough standard errors of all parameters, packed into (P,): units in which the objective is well conditioned."""
    agents, items = 0.2 * cells.agent_sums(), 0.2 * cells.counts
    tiny = 1e-9 * items.sum()
    share = 1 / max(shapes.b_relevance.size, 1) ** 0.5
    weights = share * (items @ design.values**2) + tiny
    parts = [
        np.broadcast_to(share * agents[:, None] + tiny, shapes.skills.shape),
        (agents + tiny)[: shapes.slope.size],
        np.broadcast_to(weights, shapes.w_difficulty.shape),
        np.broadcast_to(weights[: design.text], shapes.w_relevance.shape),
        np.full(shapes.b_relevance.shape, share * items.sum()),
    ]
    if shapes.residual.size:
        parts.append(items + 1 / tau**2)
    return 1 / np.sqrt(np.concatenate([np.ravel(part) for part in parts]) / items.sum())


def descend(
    start: Parameters, design, signs, penalty, weights=None, iterations=400, tolerance=1e-06
) -> tuple[Parameters, float]:
    """Quasi-Newton descent (L-BFGS) from ``start``: (parameters, objective reached).

    ``signs``: responses (J items × I agents, +1, −1, 0 for none) or :class:`SparseResponses`; ``design``, ``penalty``:
    as :func:`objective` takes them. ``weights``: multiplicity of items (J,), default 1. ``tolerance``: relative decrease
    at which it stops; above ``SHORT``, as by default, numbers are float32. It ends silently after ``iterations``.
    """
    from scipy.optimize import minimize

    cells = SparseResponses.from_signs(signs)
    scale = _scales(start, design, cells, penalty.tau)
    # Half the bytes, where a descent stops long before these numbers run out of digits.
    kind = np.float32 if tolerance > SHORT else float
    cells, design = replace(cells, sign=cells.sign.astype(kind)), design.astype(kind)
    weights = None if weights is None else weights.astype(kind)

    def loss_and_gradient(vector):
        loss, gradient = objective(vector * scale, start, design, cells, penalty, weights)
        return loss, gradient * scale

    best = minimize(
        loss_and_gradient,
        start.pack() / scale,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": iterations, "maxcor": 20, "ftol": tolerance, "gtol": 1e-8},
    )
    return start.unpack(best.x * scale), float(best.fun)


def starting_point(rng, design, signs, dimensions) -> Parameters:
    """Random parameters near a one-dimensional solution, with slopes and ``b_relevance`` of 0 and no residual.

    ``rng``: NumPy generator; ``signs``: (J, I) or :class:`SparseResponses`; ``dimensions``: number of aspects.
    Skills are near each agent's smoothed logit, weights of difficulty near the ridge regression of items' smoothed logits
    on the coordinates; weights of relevance are random.
    """
    x, cells = design.values, SparseResponses.from_signs(signs)
    yes = cells.sign > 0
    right, heard = cells.agent_sums(yes), cells.agent_sums()
    ability = np.log((right + 1) / (heard - right + 1))
    easy, met = cells.item_sums(yes), cells.counts
    hard = -np.log((easy + 1) / (met - easy + 1))
    p, q = x.shape[1], design.text
    weight = np.linalg.solve(x.T @ x + len(x) * 0.1 * np.eye(p), x.T @ (hard - hard.mean()))
    return Parameters(
        ability[:, None] + 0.3 * rng.standard_normal((cells.agents, dimensions)),
        np.zeros(cells.agents if design.depth.size else 0),
        weight + 0.1 / np.sqrt(max(p, 1)) * rng.standard_normal((dimensions, p)),
        rng.standard_normal((dimensions, q)) / np.sqrt(max(q, 1)),
        np.zeros(dimensions),
        np.zeros(0),
    )


def _with_agent_spread(parameters, design, cells, penalty) -> Penalty:
    """The penalty with ``level_sd`` and ``slope_sd`` estimated from the fit; as it is where it has no ``level_sd``."""
    if penalty.level_sd is None:
        return penalty
    logits = text_logits(parameters, design, cells)
    if parameters.residual.size:
        logits = logits - np.repeat(parameters.residual, cells.counts)
    p = sigmoid(logits)
    weight, levels = p * (1 - p), parameters.skills.mean(axis=1)
    traits = [("level_sd", levels, weight)]
    if parameters.slope.size:
        squares = np.repeat(design.depth**2, cells.counts)
        traits.append(("slope_sd", parameters.slope, weight * squares))
    for name, values, information in traits:
        sums, sd = cells.agent_sums(information), getattr(penalty, name)
        penalty = replace(penalty, **{name: estimate_group_sd(values, sums, penalty.groups, sd)})
    return penalty


#: Below this residual standard deviation the residual is left out.
NO_RESIDUAL = 0.05


def _with_variances(parameters, design, signs, penalty, rounds, pending) -> tuple:
    """(parameters, penalty): in turn standard deviations of the ``penalty`` by marginal likelihood, all else by penalised likelihood.

    A residual is added unless τ is 0. Where τ falls below :data:`NO_RESIDUAL` it becomes 0 and the residual is left out.
    """
    if penalty.tau:
        parameters = replace(parameters, residual=np.zeros(len(design.values)))
    for _ in range(rounds):  # τ settles within a few rounds
        cells = SparseResponses.from_signs(e_step(parameters, design, signs, pending))
        if penalty.tau:
            logits = text_logits(parameters, design, cells)
            penalty = replace(penalty, tau=estimate_tau(logits, cells, penalty.tau))
            if penalty.tau < NO_RESIDUAL:
                return replace(parameters, residual=np.zeros(0)), replace(penalty, tau=0.0)
            residual, _ = residual_mode(logits, cells, penalty.tau)
            parameters = replace(parameters, residual=residual)
        penalty = _with_agent_spread(parameters, design, cells, penalty)
        parameters, _ = descend(parameters, design, cells, penalty)
    return parameters, penalty


def _finish(parameters, projection, design, signs, penalty) -> Fit:
    """The :class:`Fit` of one descent, with the posterior of residuals and the objective with residuals integrated out."""
    cells = SparseResponses.from_signs(signs)
    n, items = len(cells.row), len(design.values)
    parameters = with_mean_slope_in_difficulty(parameters, design)
    plain = replace(parameters, residual=np.zeros(0))
    logits = text_logits(plain, design, cells)
    nothing = SparseResponses.from_signs(np.zeros((items, cells.agents)))
    penalties = objective(plain.pack(), plain, design, nothing, penalty, None, n)[0]
    if not penalty.tau:
        value = cell_losses(logits, cells.sign).sum() / n + penalties
        return Fit(plain, projection, design, penalty, np.zeros(items), float(value))
    mean, variance, marginal = residual_posterior(logits, cells, penalty.tau)
    value = penalties - marginal.sum() / n
    parameters = replace(parameters, residual=mean)
    return Fit(parameters, projection, design, penalty, variance, float(value))


#: Rounds of imputing undecided cells, and iterations of each descent between two.
ROUNDS, IMPUTED = 5, 40


def fit(
    coordinates: tuple[Projection, Design],
    signs: Array,
    dimensions: int = 5,
    penalty: Penalty | None = None,
    restarts: int = 4,
    seed: int = 0,
    pending: OpenOutcomes | None = None,
) -> Fit:
    """Fit the model from ``restarts`` random starts (``seed``) and keep the least (marginal) objective.

    ``coordinates``: of :func:`project`; ``signs`` (J, I): 1 right, −1 wrong, 0 no response, else ``ValueError``;
    ``dimensions``: aspects m; ``penalty``: by default that of :class:`Penalty`; ``pending``: cells that are undecided.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> ability, text = rng.standard_normal(30), rng.standard_normal((80, 2))
    >>> chance = sigmoid(ability - text[:, :1])
    >>> signs = np.where(rng.random(chance.shape) < chance, 1, -1)
    >>> fitted = fit(project(text), signs, dimensions=1, restarts=1)
    >>> bool(np.corrcoef(fitted.parameters.skills[:, 0], ability)[0, 1] > 0.9)
    True
    """
    projection, design = coordinates
    signs = np.asarray(signs, dtype=float)
    if signs.ndim != 2 or len(signs) != len(design.values):
        raise ValueError("signs must be (items, agents)")
    if not (signs * signs * signs == signs).all():
        raise ValueError("signs must be −1, 0 or 1")
    penalty = penalty or Penalty()
    plain = replace(penalty, tau=0.0)
    cells = SparseResponses.from_signs(signs) if pending is None else signs
    again = 0 if pending is None else ROUNDS
    rounds = 3 + again if penalty.tau else int(penalty.level_sd is not None)
    fits = []
    for rng in np.random.default_rng(seed).spawn(restarts):
        parameters = starting_point(rng, design, cells, dimensions)
        parameters, _ = descend(parameters, design, cells, plain)
        for _ in range(again):
            full = e_step(parameters, design, signs, pending)
            parameters, _ = descend(parameters, design, full, plain, None, IMPUTED)
        parameters, final = _with_variances(parameters, design, cells, penalty, rounds, pending)
        full = e_step(parameters, design, cells, pending)
        fits.append(_finish(parameters, projection, design, full, final))
    return min(fits, key=lambda fitted: fitted.objective)
