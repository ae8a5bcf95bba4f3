"""Responses of a matrix of signs in sparse form, logistic functions of their logits, and posteriors over grids."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

Array = np.ndarray


def sigmoid(z: Array) -> Array:
    """1 / (1 + e^−z) elementwise, without overflow and in the precision of ``z``; that of scipy differs in the last bits."""
    return 0.5 + 0.5 * np.tanh(0.5 * z)


def cell_losses(z: Array, sign: Array) -> Array:
    """Cross-entropy of each cell in nats, log(2 cosh(z/2)) − s z/2, from its logit z and sign s in [−1, 1]."""
    size = np.abs(z)
    return 0.5 * (size - sign * z) + np.log(1 + np.exp(-size))


def grid_posterior(joint: Array) -> tuple[Array, Array]:
    """(posterior over grid points, log marginal likelihood of each row) from log-likelihood + log prior, (rows, points).

    ``joint`` is overwritten.
    """
    top = joint.max(axis=1, keepdims=True)
    joint -= top
    weight = np.exp(joint, out=joint)
    total = weight.sum(axis=1, keepdims=True)
    weight /= total
    return weight, top[:, 0] + np.log(total[:, 0])


@dataclass(frozen=True)
class SparseResponses:
    """The cells other than 0 of a matrix of signs (J, I): ``row``, ``column`` and ``sign`` of each response, by item.

    Item j's are from ``start[j]`` to ``start[j + 1]``; ``agents`` is I.
    """

    row: Array
    column: Array
    sign: Array
    start: Array
    agents: int

    @classmethod
    def from_signs(cls, signs: Array | SparseResponses) -> SparseResponses:
        """From a matrix (J, I); what is sparse already is returned as it is."""
        if isinstance(signs, SparseResponses):
            return signs
        row, column = (index.astype(np.int32) for index in np.nonzero(signs))
        start = np.searchsorted(row, np.arange(len(signs) + 1)).astype(np.int32)
        return cls(row, column, signs[row, column], start, signs.shape[1])

    @cached_property
    def counts(self) -> Array:
        """Responses of each item, (J,)."""
        return np.diff(self.start)

    def item_sums(self, values: Array) -> Array:
        """Sum of ``values`` (one a response) over each item's responses, (J,)."""
        return np.bincount(self.row, values, minlength=len(self.start) - 1)

    def agent_sums(self, values: Array | None = None) -> Array:
        """Sum of ``values`` (default: 1) over each agent's responses, (I,)."""
        return np.bincount(self.column, values, minlength=self.agents)

    def logits(self, loadings: Array, skills: Array, offset: Array) -> Array:
        """Logit of each response: ``loadings`` (k, J) times ``skills`` (I, k), less ``offset`` (J,)."""
        counts = self.counts
        total = np.repeat(-offset, counts)
        # Column by column: picking numbers from one row is faster than picking short rows.
        for items, agents in zip(loadings, skills.T.copy(), strict=True):
            total += np.repeat(items, counts) * agents.take(self.column)
        return total

    def cross_entropy(self, loadings: Array, skills: Array, offset: Array, weights: Array | None):
        """(sum of cross-entropies of responses, its derivative by each logit as a sparse matrix (J, I)).

        Other arguments as of :meth:`logits`; ``weights``: of items (J,), or None. The next call overwrites the matrix.
        """
        z = self.logits(loadings, skills, offset)
        losses, slope = cell_losses(z, self.sign), 0.5 * (np.tanh(0.5 * z) - self.sign)
        if weights is not None:
            times = np.repeat(weights, self.counts)
            losses, slope = losses * times, slope * times
        derivatives = self._matrix
        derivatives.data = slope
        return losses.sum(dtype=float), derivatives

    @cached_property
    def _matrix(self):
        """Sparse matrix (J, I) with a place for each response, whose numbers :meth:`cross_entropy` replaces."""
        from scipy.sparse import csr_array

        shape = len(self.start) - 1, self.agents
        return csr_array((self.sign, self.column, self.start), shape)
