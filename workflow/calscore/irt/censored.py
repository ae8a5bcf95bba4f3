"""What outcomes leave open, filled with what a model expects: the self-consistent estimate of censored data (Efron 1967).

One draw of each agent and question decides at all its clues. Fits with filled signs, in turn, come to the estimate that
complete responses would give.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

#: Chance that stands for none, so that the likeliest of impossible accounts has one.
NEVER = 1e-9


@dataclass(frozen=True)
class OpenOutcomes:
    """G outcomes of agents who let a clue at which they know the answer pass with probability ``wait``; 0: who buzz at once.

    All arrays are (G,). ``columns``, ``start``, ``clues``: index of the agent, of the question's first item, and number
    of its clues. ``silent``: clues heard to their end in silence; ``right``: clue of a right buzz, ``wrong``: last clue of
    a wrong one, 0 for none. ``share``: of the words of the clue after the silent ones, heard before the question ended.
    """

    columns: np.ndarray
    start: np.ndarray
    clues: np.ndarray
    silent: np.ndarray
    right: np.ndarray
    wrong: np.ndarray
    share: np.ndarray
    wait: float = 0.0

    @cached_property
    def _cells(self) -> tuple[np.ndarray, ...]:
        """Cells of all outcomes: (index of the item, index of the outcome, clue from 1, whether the cell is open).

        Open are clues after the last that was seen; with ``wait``, all but the clue of the buzz.
        """
        outcome = np.repeat(np.arange(len(self.clues)), self.clues)
        before = np.cumsum(self.clues) - self.clues
        clue = np.arange(1, self.clues.sum() + 1) - before[outcome]
        buzz = np.maximum(self.right, self.wrong)
        after = clue > np.maximum(buzz, self.silent)[outcome]
        is_open = clue != buzz[outcome] if self.wait else after
        return self.start[outcome] + clue - 1, outcome, clue, is_open

    @cached_property
    def _masks(self) -> tuple[np.ndarray, ...]:
        """Four masks (outcomes, clues + 1): clues heard in silence, of the right buzz, up to the wrong one, heard in part.

        The last column stands for the clue that was heard in part.
        """
        number = np.arange(1, int(self.clues.max()) + 2)
        number[-1] = np.iinfo(number.dtype).max
        silent, right, wrong = (v[:, None] for v in (self.silent, self.right, self.wrong))
        part = np.zeros((len(self.clues), len(number)), dtype=bool)
        part[:, -1] = True
        return number <= silent, number == right, number <= wrong, part

    def observed_signs(self, signs: np.ndarray) -> np.ndarray:
        """A copy of ``signs`` (J, I) with 0 in open cells."""
        rows, outcome, _, is_open = self._cells
        closed = signs.copy()
        closed[rows[is_open], self.columns[outcome[is_open]]] = 0
        return closed

    def fill(self, signs: np.ndarray, chance: Callable) -> np.ndarray:
        """A copy of ``signs`` (J, I) with 2y − 1 in open cells, y the chance of knowing given the outcome.

        ``chance(rows, columns)``: the model's chances of cells. An agent knows the answer at clues whose chance exceeds its
        draw u, uniform on 0 to 1; y follows by Bayes' rule over the intervals of u between the chances.
        """
        rows, outcome, clue, is_open = self._cells
        silent, right, wrong, part = self._masks
        p = np.ones(silent.shape)
        p[outcome, clue - 1] = chance(rows, self.columns[outcome])
        before = (p * (silent | wrong)).max(axis=1)
        coming = p[np.arange(len(p)), np.minimum(self.silent, p.shape[1] - 2)]
        heard = before + self.share * np.maximum(coming - before, 0)
        p[:, -1] = np.where(self.share > 0, heard, 0.0)
        order = p.argsort(axis=1)
        mass = np.diff(np.take_along_axis(p, order, 1), prepend=0.0, append=1.0)

        def count_known(mask):
            """Number of the clues of ``mask`` at which the agent knows: (outcomes, intervals of u)."""
            mask = np.take_along_axis(mask, order, 1)[:, ::-1]
            return np.pad(mask.cumsum(axis=1, dtype=np.int16)[:, ::-1], ((0, 0), (0, 1)))

        passed = count_known(silent)
        passed += (passed == 0) * count_known(part)
        after = mass * (max(self.wait, NEVER) ** np.arange(p.shape[1] + 1))[passed]
        after *= (count_known(wrong) == 0) & ((self.right == 0)[:, None] | (count_known(right) > 0))
        after /= np.maximum(after.sum(axis=1, keepdims=True), 1e-300)
        share = np.empty(p.shape)
        np.put_along_axis(share, order, after[:, :-1].cumsum(axis=1), 1)
        rows, outcome, clue = rows[is_open], outcome[is_open], clue[is_open]
        value = 2 * np.clip(share[outcome, clue - 1], 0, 1) - 1
        filled = signs.copy()
        # 0 would be a cell that is not seen.
        filled[rows, self.columns[outcome]] = np.where(value == 0, 1e-9, value)
        return filled
