"""CAIMIRA: a content-aware, multidimensional item response model (Gor et al. 2024, §3).

Agent i answers item j right with probability σ((s_i − d_j)ᵀ r_j − ε_j), where, of an item's
embedding e_j,

    r_j = softmax(W_R e_j + b_R)          relevance of each aspect, sums to 1
    d_j = W_D e_j − mean of the same      difficulty, centred over all training items
    ε_j ~ N(0, τ²)                        what the text does not tell (ours; τ = 0 is the paper's model)

The objective is the mean cross-entropy + λ_d Σ_j ‖d_j‖₁ + λ_s Σ_i ‖s_i‖₁
(eqs. 9 to 12) and normal priors (ours, :class:`Penalty`), over all responses at once. Embeddings are reduced by principal
components and centred on the training items, which centres difficulty too: the mean is stored with
the components, so a new item's difficulty does not depend on what it is predicted together with.

Responses come as a matrix of signs, items × agents: 1 right, −1 wrong, 0 not seen; 2y − 1 for a cell that is right
with probability y (:class:`CensoredOutcomes`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

# |x| is replaced by √(x² + SMOOTH²) − SMOOTH: at λ = 1e-5 this moves the objective by less than 1e-7 an entry.
SMOOTH = 1e-2
# Cells of the response matrix that are worked on together stay in the processor's cache.
BLOCK_CELLS = 1 << 15
# Where a smaller share of cells has a response, only those are worked on.
FILLED = 0.2
# Numbers of four bytes do for a descent that stops at a larger relative decrease of the objective.
SHORT = 1e-7
# e^(-|z|) + 1 is at most 2, so that a product of this many does not overflow in four bytes.
PRODUCT = 120


@dataclass(frozen=True)
class Projection:
    """Principal components of the training items' embeddings.

    ``mean``: (n,), ``basis``: (n, p). Reduced coordinates are (e − mean) @ basis, of which the
    training items' have mean 0 and root mean square 1 (one common scale).
    """

    mean: np.ndarray
    basis: np.ndarray

    def __call__(self, embeddings: np.ndarray) -> np.ndarray:
        """Reduced coordinates, shape (J, p). Row by row the same, whatever the other rows are."""
        centred = np.asarray(embeddings, dtype=float) - self.mean
        # einsum adds in one order for any number of rows; matmul picks another kernel for one row.
        return np.einsum("jn,np->jp", centred, self.basis)


def project(embeddings: np.ndarray, components: int) -> tuple[Projection, np.ndarray]:
    """Principal components of ``embeddings`` (J, n), at most ``components`` and their rank.

    Returns the projection and the training items' coordinates.
    """
    embeddings = np.asarray(embeddings, dtype=float)
    mean = embeddings.mean(axis=0)
    centred = embeddings - mean
    rows, columns = centred.shape
    if rows < columns:
        values, left = _leading(centred @ centred.T, components)
        basis = centred.T @ (left / np.sqrt(values))
    else:
        values, basis = _leading(centred.T @ centred, components)
    # The sign of a component is arbitrary: its largest entry is positive.
    if basis.shape[1]:
        largest = np.abs(basis).argmax(axis=0)
        basis = basis * np.sign(basis[largest, np.arange(basis.shape[1])])
        basis = basis / np.sqrt(values.mean() / rows)
    return Projection(mean, basis), centred @ basis


def _leading(products, components: int):
    """The largest eigenvalues, as far as they are above 0, and their vectors."""
    from scipy.linalg import eigh

    size = len(products)
    values, vectors = eigh(products, subset_by_index=[max(size - components, 0), size - 1])
    kept = values[::-1] > 1e-10 * max(values.max(), 1e-300)
    return values[::-1][kept], vectors[:, ::-1][:, kept]


@dataclass(frozen=True)
class Penalty:
    """λ_d and λ_s, and what is ours: standard deviations of normal priors, which hold a small study together.

    ``difficulty_sd`` and ``relevance_sd``: of the raw difficulty and raw relevance of an average item (weights
    W ~ N(0, sd² / p)). ``aspect_sd``: of an agent's skill on one aspect about its own mean over aspects and what its kind has
    there, and of that: what systems have on an aspect is not drawn to what humans have. ``kinds``: of :func:`kinds`.
    None leaves a prior out: with all three None and no residual the objective is the paper's. λ is 0: beside a
    residual whose τ is estimated, even λ_d = 1e-6 over thousands of items takes the text's difficulty to 0.
    ``tau``: standard deviation of the item residual, 0 for none.
    """

    difficulty: float = 0.0
    skill: float = 0.0
    difficulty_sd: float | None = 1.0
    relevance_sd: float | None = 2.0
    aspect_sd: float | None = 1.0
    tau: float = 0.0
    kinds: np.ndarray | None = None

    def aside(self, skills: np.ndarray) -> np.ndarray:
        """Skills on aspects (I, m) about each agent's mean, times the precision of the prior in units of ``aspect_sd``."""
        found = skills - skills.mean(axis=1, keepdims=True)
        if self.kinds is None:
            return found
        return found - self.kinds.T @ (self.kinds @ found)

    def precisions(self, components: int, total: float) -> tuple[float, float, float]:
        """Weights of ½‖W_D‖², ½‖W_R‖² and ½ Σ (s_ik − s̄_i)² in the mean objective."""
        d, r, s = (
            0.0 if sd is None else 1 / (sd**2 * total)
            for sd in (self.difficulty_sd, self.relevance_sd, self.aspect_sd)
        )
        return d * components, r * components, s


def kinds(labels) -> np.ndarray:
    """(G, I): the agents of each of ``labels``, over √(1 + n) of the n that it has.

    The kind's part integrated out, the precision of its agents on an aspect is I − 11ᵀ / (1 + n).
    """
    belongs = (np.unique(labels)[:, None] == np.asarray(labels)).astype(float)
    return belongs / np.sqrt(1 + belongs.sum(axis=1, keepdims=True))


#: The paper's own penalty (λ = 1e-5) and nothing else.
PRINTED = Penalty(1e-5, 1e-5, None, None, None)


@dataclass(frozen=True)
class Parameters:
    """``skills`` (I, m), ``w_difficulty`` and ``w_relevance`` (m, p), ``b_relevance`` (m,),
    ``residual`` (J,) of the training items or (0,)."""

    skills: np.ndarray
    w_difficulty: np.ndarray
    w_relevance: np.ndarray
    b_relevance: np.ndarray
    residual: np.ndarray

    def pack(self) -> np.ndarray:
        """All parameters in one vector."""
        return np.concatenate([np.ravel(part) for part in self.parts()])

    def parts(self):
        """The arrays in packing order."""
        return (
            self.skills,
            self.w_difficulty,
            self.w_relevance,
            self.b_relevance,
            self.residual,
        )

    def unpack(self, vector: np.ndarray) -> Parameters:
        """Parameters of the same shapes from one vector."""
        found, at = [], 0
        for part in self.parts():
            found.append(vector[at : at + part.size].reshape(part.shape))
            at += part.size
        return Parameters(*found)


def softmax(raw: np.ndarray, axis: int = -1) -> np.ndarray:
    """Along ``axis``."""
    raised = np.exp(raw - raw.max(axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)


def sigmoid(z: np.ndarray) -> np.ndarray:
    """1 / (1 + e^−z), without overflow; differs from ``stats.means.sigmoid`` in the last bits."""
    return 0.5 + 0.5 * np.tanh(0.5 * z)


def item_terms(parameters: Parameters, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Relevance r and difficulty d of items with reduced coordinates ``x`` (J, p): each (J, m).

    Row by row the same, whatever the other rows are.
    """
    relevance = softmax(np.einsum("jp,mp->jm", x, parameters.w_relevance) + parameters.b_relevance)
    return relevance, np.einsum("jp,mp->jm", x, parameters.w_difficulty)


def is_sparse(signs) -> bool:
    """Whether so few cells have a response that only those are worked on."""
    return np.count_nonzero(signs) < FILLED * signs.size


def _cell_losses(z, sign) -> np.ndarray:
    """log(2 cosh(z/2)) − s z/2 of each cell."""
    size = np.abs(z)
    return 0.5 * (size - sign * z) + np.log(1 + np.exp(-size))


@dataclass(frozen=True)
class SparseResponses:
    """The responses that there are of a matrix of signs (J, I): ``row``, ``column`` and ``sign`` of each, by item."""

    row: np.ndarray
    column: np.ndarray
    sign: np.ndarray
    start: np.ndarray
    agents: int

    @classmethod
    def of(cls, signs) -> SparseResponses:
        """Those that are not 0; item j's are from ``start[j]`` to ``start[j + 1]``."""
        if isinstance(signs, SparseResponses):
            return signs
        row, column = (one.astype(np.int32) for one in np.nonzero(signs))
        start = np.searchsorted(row, np.arange(len(signs) + 1)).astype(np.int32)
        return cls(row, column, signs[row, column], start, signs.shape[1])

    @property
    def counts(self) -> np.ndarray:
        """Responses of each item, (J,)."""
        return np.diff(self.start)

    def sums(self, values) -> np.ndarray:
        """Sum of ``values`` (one a response) over each item's responses, (J,)."""
        return np.bincount(self.row, values, minlength=len(self.start) - 1)

    def by_agent(self, values=None) -> np.ndarray:
        """Sum of ``values`` (default: 1) over each agent's responses, (I,)."""
        return np.bincount(self.column, values, minlength=self.agents)

    def logits(self, relevance, skills, offset) -> np.ndarray:
        """Of each response; ``offset`` (J,) is taken off."""
        counts = self.counts
        found = np.repeat(-offset, counts)
        # Aspect by aspect: picking numbers from one row is faster than picking short rows.
        for items, agents in zip(relevance.T, skills.T.copy(), strict=True):
            found += np.repeat(items, counts) * agents.take(self.column)
        return found

    def cross_entropy(self, relevance, skills, offset, weights):
        """As :func:`cross_entropy`, the gradient as a sparse matrix."""
        from scipy.sparse import csr_array

        z = self.logits(relevance, skills, offset)
        losses, slope = _cell_losses(z, self.sign), 0.5 * (np.tanh(0.5 * z) - self.sign)
        if weights is not None:
            times = np.repeat(weights, self.counts)
            losses, slope = losses * times, slope * times
        shape = len(self.start) - 1, self.agents
        return losses.sum(dtype=float), csr_array((slope, self.column, self.start), shape)


@dataclass(frozen=True)
class CensoredOutcomes:
    """What outcomes leave open. Outcome g is of agent ``columns[g]`` on the items ``first[g]`` up to ``stop[g]``, on which it was
    not right, and right on item ``right[g]`` (−1: not seen to be). Open is item ``rows[n]`` of outcome ``of[n]``. Of the words that
    item ``stop[g]`` adds, the agent has heard ``share[g]`` and was not right by then.
    """

    columns: np.ndarray
    first: np.ndarray
    stop: np.ndarray
    right: np.ndarray
    rows: np.ndarray
    of: np.ndarray
    share: np.ndarray

    def part(self, items: np.ndarray) -> CensoredOutcomes:
        """What is open of some ``items`` (in order, questions whole), numbered among them."""
        mine = np.isin(self.first, items)
        place = np.cumsum(mine) - 1
        kept = mine[self.of]
        first, stop, right, rows = (
            np.searchsorted(items, one)
            for one in (self.first[mine], self.stop[mine], self.right[mine], self.rows[kept])
        )
        right = np.where(self.right[mine] < 0, -1, right)
        return CensoredOutcomes(
            self.columns[mine], first, stop, right, rows, place[self.of[kept]], self.share[mine]
        )

    def known(self, signs) -> np.ndarray:
        """Signs without what is open."""
        found = signs.copy()
        found[self.rows, self.columns[self.of]] = 0
        return found


def observed_mask(signs) -> np.ndarray:
    """1 where a cell has a response, 0 elsewhere."""
    return (signs != 0).astype(signs.dtype)


def e_step(parameters: Parameters, x, signs, pending: CensoredOutcomes | None) -> np.ndarray:
    """Signs whose undecided cells are as right as the model expects.

    One draw of each agent and question decides on all its items: of those who were not right at p₀ and were at p₁ (1 if
    nobody saw), min((p − p₀) / (p₁ − p₀), 1) are right at p. Where clues get easier, who is right stays right. Who has heard a
    share of the next clue in silence was not right at p₀ and that share of what the clue adds. Fits with these signs in turn come to the self-consistent estimate of censored data (Efron 1967), that of complete responses.
    """
    if pending is None or not len(pending.rows):
        return signs
    relevance, difficulty = item_terms(parameters, x)
    offset = (relevance * difficulty).sum(axis=1)
    if parameters.residual.size:
        offset = offset + parameters.residual

    def chance(rows, of):
        skills = parameters.skills[pending.columns[of]]
        return sigmoid(np.einsum("nm,nm->n", relevance[rows], skills) - offset[rows])

    count = pending.stop - pending.first
    each = np.repeat(np.arange(len(count)), count)
    place = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    low, high = np.zeros(len(count)), np.ones(len(count))
    np.maximum.at(low, each, chance(pending.first[each] + place, each))
    seen_right = np.flatnonzero(pending.right >= 0)
    high[seen_right] = chance(pending.right[seen_right], seen_right)
    heard = np.flatnonzero(pending.share > 0)
    next_one = chance(pending.stop[heard], heard)
    low[heard] += pending.share[heard] * np.maximum(next_one - low[heard], 0)
    above = chance(pending.rows, pending.of) - low[pending.of]
    value = 2 * np.clip(above / np.maximum(high - low, 1e-9)[pending.of], 0, 1) - 1
    found = signs.copy()
    # 0 would be a cell that is not seen.
    found[pending.rows, pending.columns[pending.of]] = np.where(value == 0, 1e-9, value)
    return found


def cross_entropy(logits_of, signs, weights, gradient):
    """Sum of weighted cross-entropies, and (in ``gradient``) its derivative by each logit.

    ``logits_of(rows)`` gives the logits of a slice of items. ``weights`` (J,) or None. With sign s a cell's is
    log(2 cosh(z/2)) − s z/2; one with sign 0 adds the constant log 2, which is taken off.
    """
    items, agents = signs.shape
    step = max(1, BLOCK_CELLS // max(agents, 1))
    total = 0.0
    for start in range(0, items, step):
        rows = slice(start, start + step)
        sign = signs[rows]
        u = logits_of(rows)
        known = observed_mask(sign)
        np.multiply(u, known, out=u)
        size = np.abs(u)
        raised = np.exp(-size)
        above = raised + 1.0
        # log of a product instead of a sum of logs: one logarithm for many cells.
        if agents <= PRODUCT:
            logs = np.log(above.prod(axis=1))
        else:
            edges = np.arange(0, agents, PRODUCT)
            logs = np.log(np.multiply.reduceat(above, edges, axis=1)).sum(axis=1)
        logs -= np.log(2) * (agents - known.sum(axis=1))
        losses = 0.5 * (size.sum(axis=1) - (sign * u).sum(axis=1)) + logs
        # tanh(z/2) is (1 − e)/(1 + e) above 0.
        np.subtract(1.0, raised, out=raised)
        np.divide(raised, above, out=above)
        np.copysign(above, u, out=above)
        np.subtract(above, sign, out=above)
        above *= 0.5
        if weights is not None:
            losses = losses * weights[rows]
            above *= weights[rows, None]
        gradient[rows] = above
        total += losses.sum(dtype=float)
    return total


def _terms(p: Parameters, x):
    """Relevance, difficulty (m, J) and rᵀd (J,) of items; :func:`item_terms` in another order of sums."""
    # Sums over aspects are of whole rows, and both products with x are one.
    m = len(p.b_relevance)
    both = np.concatenate([p.w_relevance, p.w_difficulty]) @ x.T
    relevance = softmax(both[:m] + p.b_relevance[:, None], axis=0)
    return relevance, both[m:], (relevance * both[m:]).sum(axis=0)


def text_logits(p: Parameters, x, cells: SparseResponses) -> np.ndarray:
    """Of each response, the residual left out."""
    relevance, _, offset = _terms(p, x)
    return cells.logits(relevance.T, p.skills, offset)


def objective(vector, shapes, x, signs, penalty, weights=None, total=None):
    """Penalised mean cross-entropy and its gradient by the packed parameters.

    ``shapes``: parameters whose shapes are used. ``x``: (J, p) centred coordinates. ``signs``:
    (J, I), or the cells that there are of it. ``weights``: (J,) multiplicity of each item (question bootstrap)
    or None. ``total``: the number of responses, where it is known. Numbers are of the kind that ``x`` has.
    """
    p = shapes.unpack(vector.astype(x.dtype, copy=False))
    m = len(p.b_relevance)
    relevance, difficulty, offset = _terms(p, x)
    if p.residual.size:
        offset = offset + p.residual
    if total is None:
        counts = observed_mask(signs).sum(axis=1)
        total = float(counts.sum() if weights is None else counts @ weights)
    if isinstance(signs, SparseResponses):
        loss, g = signs.cross_entropy(relevance.T, p.skills, offset, weights)
    else:
        g = np.empty_like(signs)

        def logits_of(rows):
            return (p.skills @ relevance[:, rows] - offset[rows]).T

        loss = cross_entropy(logits_of, signs, weights, g)
    loss /= total
    by_offset = -g.sum(axis=1) / total
    by_skill = g.T @ relevance.T / total
    by_relevance = (g @ p.skills).T / total + by_offset * difficulty
    by_difficulty = by_offset * relevance

    if penalty.difficulty:
        size_d = np.sqrt(difficulty**2 + SMOOTH**2)
        of_items = 1.0 if weights is None else weights
        loss += penalty.difficulty * ((size_d - SMOOTH) * of_items).sum()
        by_difficulty += penalty.difficulty * of_items * difficulty / size_d
    if penalty.skill:
        size_s = np.sqrt(p.skills**2 + SMOOTH**2)
        loss += penalty.skill * (size_s - SMOOTH).sum()
        by_skill += penalty.skill * p.skills / size_s
    by_raw = relevance * (by_relevance - (by_relevance * relevance).sum(axis=0))
    of_d, of_r, of_s = penalty.precisions(x.shape[1], total)
    by_both = np.concatenate([by_raw, by_difficulty]) @ x
    by_wr = by_both[:m] + of_r * p.w_relevance
    by_wd = by_both[m:] + of_d * p.w_difficulty
    loss += 0.5 * (of_d * (p.w_difficulty**2).sum() + of_r * (p.w_relevance**2).sum())
    aside = penalty.aside(p.skills)
    loss += 0.5 * of_s * (aside * p.skills).sum()
    by_skill += of_s * aside
    by_residual = np.empty(0)
    if p.residual.size:
        precision = 1 / (penalty.tau**2 * total)
        times = 1.0 if weights is None else weights
        loss += 0.5 * precision * (times * p.residual**2).sum()
        by_residual = by_offset + precision * times * p.residual
    gradient = (by_skill.ravel(), by_wd.ravel(), by_wr.ravel(), by_raw.sum(axis=1), by_residual)
    return loss, np.concatenate(gradient)


@dataclass(frozen=True)
class Fit:
    """A fitted model. ``tau``: residual standard deviation (0 without one). ``variance``: (J,)
    posterior variance of the training items' residuals. ``objective``: value reached. ``n``:
    number of responses. ``history``: objective of every restart, the best first."""

    parameters: Parameters
    projection: Projection
    x: np.ndarray
    penalty: Penalty
    variance: np.ndarray
    objective: float
    n: int
    restarts: tuple[Fit, ...] = ()

    @property
    def tau(self) -> float:
        """Standard deviation of the item residual."""
        return self.penalty.tau

    @property
    def relevance(self) -> np.ndarray:
        """Relevance of the training items, (J, m)."""
        return item_terms(self.parameters, self.x)[0]

    @property
    def difficulty(self) -> np.ndarray:
        """Raw difficulty d of the training items, (J, m); only weakly identified."""
        return item_terms(self.parameters, self.x)[1]

    def predict(self, embeddings: np.ndarray) -> np.ndarray:
        """Probability of a right answer on unseen items: (J, I). The residual is marginalised."""
        return self.at(self.projection(embeddings))

    def at(self, x: np.ndarray, cells=None) -> np.ndarray:
        """As :meth:`predict`, of items by their coordinates; of some ``cells`` (items, agents) alone, (n,)."""
        return self._probability(item_terms(self.parameters, x), 0.0, self.tau**2, cells)

    def predict_seen(self, cells=None) -> np.ndarray:
        """Probability of a right answer on the training items, (J, I); of some ``cells`` (items, agents) alone, (n,)."""
        residual = self.parameters.residual if self.tau else 0.0
        terms = item_terms(self.parameters, self.x)
        return self._probability(terms, residual, self.variance, cells)

    def _probability(self, terms, residual, variance, cells):
        relevance, difficulty = terms
        skills, offset = self.parameters.skills, (relevance * difficulty).sum(axis=1) + residual
        shrink = np.sqrt(1 + np.pi * np.broadcast_to(variance, offset.shape) / 8)
        if cells is None:
            logits = np.einsum("jm,im->ji", relevance, skills) - offset[:, None]
            return sigmoid(logits / shrink[:, None])
        row, agent = cells
        logits = np.einsum("nm,nm->n", relevance[row], skills[agent]) - offset[row]
        return sigmoid(logits / shrink[row])


def permuted(fit: Fit, order) -> Fit:
    """The same model with its aspects in another order."""
    p = fit.parameters
    order = list(order)
    moved = Parameters(
        p.skills[:, order],
        p.w_difficulty[order],
        p.w_relevance[order],
        p.b_relevance[order],
        p.residual,
    )
    return replace(fit, parameters=moved)


def _scales(shapes: Parameters, x, cells, tau) -> np.ndarray:
    """Rough standard errors of all parameters: units in which the objective is well conditioned."""
    agents, items = 0.2 * cells.by_agent(), 0.2 * cells.counts
    share = 1 / max(shapes.b_relevance.size, 1) ** 0.5
    weights = share * (items @ x**2) + 1e-9 * items.sum()
    parts = [
        np.broadcast_to(share * agents[:, None] + 1e-9 * items.sum(), shapes.skills.shape),
        np.broadcast_to(weights, shapes.w_difficulty.shape),
        np.broadcast_to(weights, shapes.w_relevance.shape),
        np.full(shapes.b_relevance.shape, share * items.sum()),
    ]
    if shapes.residual.size:
        parts.append(items + 1 / tau**2)
    return 1 / np.sqrt(np.concatenate([np.ravel(part) for part in parts]) / items.sum())


def descend(start: Parameters, x, signs, penalty, weights=None, iterations=400, tolerance=1e-6):
    """Quasi-Newton descent (L-BFGS) from ``start``: parameters and the objective reached."""
    from scipy.optimize import minimize

    cells = SparseResponses.of(signs)
    counts = cells.counts
    total = float(counts.sum() if weights is None else counts @ weights)
    scale = _scales(start, x, cells, penalty.tau)
    # Half the bytes, where a descent stops long before these numbers run out of digits.
    kind = np.float32 if tolerance > SHORT else float
    if isinstance(signs, SparseResponses) or is_sparse(signs):
        signs = replace(cells, sign=cells.sign.astype(kind))
    else:
        # Agent by agent: sums over agents are of whole columns.
        signs = signs.astype(kind, order="F")
    x = x.astype(kind)
    weights = None if weights is None else weights.astype(kind)

    def value(vector):
        loss, gradient = objective(vector * scale, start, x, signs, penalty, weights, total)
        return loss, gradient * scale

    found = minimize(
        value,
        start.pack() / scale,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": iterations, "maxcor": 20, "ftol": tolerance, "gtol": 1e-8},
    )
    return start.unpack(found.x * scale), float(found.fun)


def starting_point(rng, x, signs, dimensions, residual) -> Parameters:
    """A random start near a one-dimensional solution.

    Skills start at each agent's smoothed logit, difficulty at the ridge regression of the items'
    smoothed logits on the coordinates, relevance at random directions.
    """
    cells = SparseResponses.of(signs)
    yes = cells.sign > 0
    right, heard = cells.by_agent(yes), cells.by_agent()
    ability = np.log((right + 1) / (heard - right + 1))
    easy, met = cells.sums(yes), cells.counts
    hard = -np.log((easy + 1) / (met - easy + 1))
    p = x.shape[1]
    weight = np.linalg.solve(x.T @ x + len(x) * 0.1 * np.eye(p), x.T @ (hard - hard.mean()))
    return Parameters(
        ability[:, None] + 0.3 * rng.standard_normal((cells.agents, dimensions)),
        weight + 0.1 / np.sqrt(max(p, 1)) * rng.standard_normal((dimensions, p)),
        rng.standard_normal((dimensions, p)) / np.sqrt(max(p, 1)),
        np.zeros(dimensions),
        np.zeros(len(x) if residual else 0),
    )


def expected_penalty(difficulty, skill, signs, batch: int | None) -> tuple[float, float]:
    """λ_d and λ_s of the full-batch objective that is the mini-batch objective's expectation.

    The paper sums ‖d‖₁ and ‖s‖₁ over the distinct items and agents of a batch of 512 responses, beside
    the batch's *mean* cross-entropy. An item is in a batch with probability 1 − (1 − n_j/N)^batch, so
    over all items λ_d weighs that much less. ``batch`` None takes λ as the weight of the sum over all.
    """
    if batch is None:
        return difficulty, skill
    cells = SparseResponses.of(signs)
    total = len(cells.row)
    met = cells.counts, cells.by_agent()
    shares = [1 - (1 - counts / total) ** batch for counts in met]
    return difficulty * shares[0].mean(), skill * shares[1].mean()


def residual_posterior(logits, cells: SparseResponses, tau, nodes=15):
    """Posterior mean and variance of each item's residual, and each item's log marginal likelihood.

    ``logits``: of each response without residual. By Gauss-Hermite quadrature around the mode.
    """
    centre, width = mode(logits, cells, tau)
    t, log_w = _hermite(nodes)
    values = centre[:, None] + width[:, None] * t
    joint = _likelihoods(logits, cells, values)
    joint += -0.5 * (values / tau) ** 2 - np.log(tau) - 0.5 * np.log(2 * np.pi)
    joint += log_w + 0.5 * t**2 + np.log(width)[:, None]
    top = joint.max(axis=1, keepdims=True)
    weight = np.exp(joint - top)
    total = weight.sum(axis=1, keepdims=True)
    weight /= total
    mean = (weight * values).sum(axis=1)
    variance = (weight * (values - mean[:, None]) ** 2).sum(axis=1)
    return mean, variance, top[:, 0] + np.log(total[:, 0])


def _hermite(nodes):
    """Nodes t and log weights of ∫ f(t) e^(−t²/2) dt, for use as f = g e^(t²/2)."""
    t, w = np.polynomial.hermite_e.hermegauss(nodes)
    return t, np.log(w)


def mode(logits, cells, tau, steps=8, start=0.0):
    """Mode of each item's residual and its standard deviation, by Newton's method."""
    residual, right = np.full(len(cells.start) - 1, start), 0.5 * (1 + cells.sign)
    for _ in range(steps):
        p = sigmoid(logits - np.repeat(residual, cells.counts))
        slope = cells.sums(p - right) - residual / tau**2
        curvature = cells.sums(p * (1 - p)) + 1 / tau**2
        residual = residual + np.clip(slope / curvature, -2, 2)
    return residual, 1 / np.sqrt(curvature)


def _likelihoods(logits, cells, values):
    """Log-likelihood of each item's responses at each of its residual values: (J, Q)."""
    found = np.empty(values.shape)
    for q in range(values.shape[1]):
        z = logits - np.repeat(values[:, q], cells.counts)
        found[:, q] = -cells.sums(_cell_losses(z, cells.sign))
    return found


def estimate_tau(logits, cells, tau, nodes=15) -> float:
    """τ that maximises the marginal likelihood of all responses, their logits without residual held fixed."""
    from scipy.optimize import minimize_scalar

    centre, width = mode(logits, cells, tau)
    t, log_w = _hermite(nodes)
    values = centre[:, None] + width[:, None] * t
    base = _likelihoods(logits, cells, values) + log_w + 0.5 * t**2

    def loss(log_tau):
        joint = base - 0.5 * (values * np.exp(-log_tau)) ** 2 - log_tau
        top = joint.max(axis=1)
        return -(top + np.log(np.exp(joint - top[:, None]).sum(axis=1))).mean()

    # The quadrature points follow the current τ: no further than a factor of three at once.
    around = np.log(tau)
    found = minimize_scalar(loss, bounds=(around - 1.1, around + 1.1), method="bounded")
    return float(np.exp(found.x))


#: Below this residual standard deviation the residual is left out.
NO_RESIDUAL = 0.05


def _with_residual(parameters, x, signs, penalty, rounds, iterations, tolerance, pending):
    """Descent with the residual: τ by marginal likelihood and all else by penalised likelihood, in turn."""
    observed = signs
    tau = 0.5
    parameters = replace(parameters, residual=np.zeros(len(x)))
    for _ in range(rounds):  # τ settles within a few rounds
        signs = e_step(parameters, x, observed, pending)
        cells = SparseResponses.of(signs)
        logits = text_logits(parameters, x, cells)
        tau = estimate_tau(logits, cells, tau)
        if tau < NO_RESIDUAL:
            return replace(parameters, residual=np.zeros(0)), replace(penalty, tau=0.0)
        penalty = replace(penalty, tau=tau)
        parameters = replace(parameters, residual=mode(logits, cells, tau)[0])
        parameters, _ = descend(parameters, x, signs, penalty, None, iterations, tolerance)
    return parameters, penalty


def _finish(parameters, projection, x, signs, penalty) -> Fit:
    """Posterior of the residuals and the marginal objective of one descent."""
    cells = SparseResponses.of(signs)
    n, items = len(cells.row), len(x)
    plain = replace(parameters, residual=np.zeros(0))
    logits = text_logits(plain, x, cells)
    nothing = SparseResponses.of(np.zeros((items, cells.agents)))
    penalties = objective(plain.pack(), plain, x, nothing, penalty, None, n)[0]
    if not penalty.tau:
        value = _cell_losses(logits, cells.sign).sum() / n + penalties
        return Fit(plain, projection, x, penalty, np.zeros(items), value, n)
    mean, variance, marginal = residual_posterior(logits, cells, penalty.tau)
    value = penalties - marginal.sum() / n
    parameters = replace(parameters, residual=mean)
    return Fit(parameters, projection, x, penalty, variance, float(value), n)


#: Rounds of imputing undecided cells, and iterations of each descent between two.
ROUNDS, IMPUTED = 5, 40


def fit(
    embeddings,
    signs,
    dimensions: int = 5,
    components: int = 64,
    penalty: Penalty | None = None,
    residual: bool = True,
    restarts: int = 4,
    seed: int = 0,
    batch: int | None = None,
    iterations: int = 400,
    tolerance: float = 1e-6,
    rounds: int = 3,
    after: Fit | None = None,
    pending: CensoredOutcomes | None = None,
    projection: Projection | None = None,
) -> Fit:
    """Fit the model from several random starts and keep the best (marginal) objective.

    ``embeddings``: (J, n). ``signs``: (J, I) in {−1, 0, 1}. ``penalty``: as the paper states it,
    see :func:`expected_penalty` for ``batch``. ``residual``: whether items have a residual beyond their
    text. ``after``: a fit of the same responses in the same coordinates, whose starts are gone on from. ``pending``: cells that are undecided.
    ``projection``: that of the items, where ``embeddings`` are the coordinates already. ``tolerance``: relative decrease of the objective at which a descent stops. ``restarts`` of the result holds
    every start's fit, best first. Raises ``ValueError`` for values that are not finite or of other shapes.
    """
    embeddings, signs = np.asarray(embeddings, dtype=float), np.asarray(signs, dtype=float)
    if embeddings.ndim != 2 or signs.ndim != 2 or len(embeddings) != len(signs):
        raise ValueError("embeddings must be (items, n) and signs (items, agents)")
    if not np.isfinite(embeddings).all() or not (signs * signs * signs == signs).all():
        raise ValueError("embeddings must be finite and signs −1, 0 or 1")
    penalty = penalty or Penalty()
    weigh_d, weigh_s = expected_penalty(penalty.difficulty, penalty.skill, signs, batch)
    penalty = replace(penalty, difficulty=weigh_d, skill=weigh_s, tau=0.0)
    projection, x = (projection, embeddings) if projection else project(embeddings, components)
    signs = SparseResponses.of(signs) if pending is None and is_sparse(signs) else signs
    again = 0 if pending is None or not len(pending.rows) else ROUNDS
    found = []
    for number, rng in enumerate(np.random.default_rng(seed).spawn(restarts)):
        if after:
            parameters = replace(after.restarts[number].parameters, residual=np.zeros(0))
        else:
            parameters = starting_point(rng, x, signs, dimensions, False)
        if not after or not residual:
            parameters, _ = descend(parameters, x, signs, penalty, None, iterations, tolerance)
        for _ in range(again):
            full = e_step(parameters, x, signs, pending)
            parameters, _ = descend(parameters, x, full, penalty, None, IMPUTED, tolerance)
        final = penalty
        if residual:
            parameters, final = _with_residual(
                parameters, x, signs, penalty, rounds + again, iterations, tolerance, pending
            )
        full = e_step(parameters, x, signs, pending)
        found.append(_finish(parameters, projection, x, full, final))
    found.sort(key=lambda one: one.objective)
    return replace(found[0], restarts=tuple(found))
