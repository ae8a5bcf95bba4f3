"""What outcomes leave open, filled with what a model expects: the self-consistent estimate of censored data (Efron 1967).

One draw of each agent and question decides at all its clues. Fits with filled signs, in turn, come to the estimate that
complete responses would give.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


def _signs_with(signs, rows, columns, share):
    """Signs with the cells (rows, columns) right with probability ``share``."""
    value = 2 * np.clip(share, 0, 1) - 1
    filled = signs.copy()
    # 0 would be a cell that is not seen.
    filled[rows, columns] = np.where(value == 0, 1e-9, value)
    return filled


@dataclass(frozen=True)
class CensoredOutcomes:
    """Outcomes of agents who buzz once they know.

    Attributes
    ----------
    columns : (G,) array
        Agent of each outcome.
    first, stop : (G,) arrays
        On the items from ``first`` up to ``stop`` the agent was not right.
    right : (G,) array
        Item on which it was right; −1 for none.
    rows, outcome : (N,) arrays
        Open items, and the outcome of each.
    share : (G,) array
        Of the words that item ``stop`` adds, those that the agent heard without being right.
    """

    columns: np.ndarray
    first: np.ndarray
    stop: np.ndarray
    right: np.ndarray
    rows: np.ndarray
    outcome: np.ndarray
    share: np.ndarray

    def part(self, items) -> CensoredOutcomes:
        """What is open of some ``items`` (in order, questions whole), numbered among them."""
        own = np.isin(self.first, items)
        place = np.cumsum(own) - 1
        open_rows = own[self.outcome]
        first, stop, right, rows = (
            np.searchsorted(items, numbers)
            for numbers in (
                self.first[own],
                self.stop[own],
                self.right[own],
                self.rows[open_rows],
            )
        )
        right = np.where(self.right[own] < 0, -1, right)
        outcome = place[self.outcome[open_rows]]
        return CensoredOutcomes(
            self.columns[own], first, stop, right, rows, outcome, self.share[own]
        )

    def observed_signs(self, signs):
        """Signs without what is open."""
        closed = signs.copy()
        closed[self.rows, self.columns[self.outcome]] = 0
        return closed

    def fill(self, signs, chance):
        """Signs whose open cells are as right as ``chance(rows, columns)`` says of those like the agent.

        Of those who were not right at p₀ and were at p₁ (1 if nobody saw), min((p − p₀) / (p₁ − p₀), 1) are right at p.
        Who has heard a share of the next clue in silence was not right at p₀ and that share of what the clue adds.
        """
        count = self.stop - self.first
        each = np.repeat(np.arange(len(count)), count)
        place = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        low, high = np.zeros(len(count)), np.ones(len(count))
        np.maximum.at(low, each, chance(self.first[each] + place, self.columns[each]))
        buzzed = np.flatnonzero(self.right >= 0)
        high[buzzed] = chance(self.right[buzzed], self.columns[buzzed])
        heard = np.flatnonzero(self.share > 0)
        next_item = chance(self.stop[heard], self.columns[heard])
        low[heard] += self.share[heard] * np.maximum(next_item - low[heard], 0)
        columns = self.columns[self.outcome]
        above = chance(self.rows, columns) - low[self.outcome]
        share = above / np.maximum(high - low, 1e-9)[self.outcome]
        return _signs_with(signs, self.rows, columns, share)


@dataclass(frozen=True)
class WaitingOutcomes:
    """Outcomes of agents who let a clue at which they know the answer pass with probability ``wait``.

    Attributes
    ----------
    columns, start, clues : (G,) arrays
        Agent, first item of the question, and number of its clues.
    silent, right, wrong : (G,) arrays
        Clues heard to their end in silence, clue of a right buzz (0: none), last clue of a wrong one (0: none).
    share : (G,) array
        Of the words of the clue after the silent ones, those heard before the question ended.
    """

    columns: np.ndarray
    start: np.ndarray
    clues: np.ndarray
    silent: np.ndarray
    right: np.ndarray
    wrong: np.ndarray
    share: np.ndarray
    wait: float

    @property
    def rows(self) -> np.ndarray:
        """All items of the questions."""
        return self._cells()[0]

    def _cells(self):
        """(items, number of the outcome, number of the clue from 0) of all outcomes."""
        outcome = np.repeat(np.arange(len(self.clues)), self.clues)
        ends = np.cumsum(self.clues)
        clue = np.arange(self.clues.sum()) - np.repeat(ends - self.clues, self.clues)
        return self.start[outcome] + clue, outcome, clue

    def observed_signs(self, signs):
        """Signs of clues with a buzz; silence says less."""
        rows, outcome, clue = self._cells()
        buzzed = np.maximum(self.right, self.wrong)[outcome] == clue + 1
        closed = signs.copy()
        closed[rows[~buzzed], self.columns[outcome[~buzzed]]] = 0
        return closed

    def fill(self, signs, chance):
        """Signs as right as they are given the silence, by Bayes' rule over the clue from which the agent knows."""
        rows, outcome, clue = self._cells()
        most = int(self.clues.max())
        knowledge = np.zeros((len(self.clues), most))
        knowledge[outcome, clue] = chance(rows, self.columns[outcome])
        knowledge = np.maximum.accumulate(knowledge, axis=1)
        # Chance that an agent knows from each clue on, and never.
        prior = np.diff(knowledge, axis=1, prepend=0.0, append=1.0)
        since = np.arange(1, most + 2)
        silent, right, wrong = (v[:, None] for v in (self.silent, self.right, self.wrong))
        likelihood = self.wait ** np.maximum(silent - since + 1, 0)
        likelihood = likelihood * ((right == 0) | (since <= right)) * (since > wrong)
        heard = (since == silent + 1) & (self.share[:, None] > 0)
        likelihood = np.where(heard, 1 - self.share[:, None] * (1 - self.wait), likelihood)
        after = prior * likelihood
        after = after / np.maximum(after.sum(axis=1, keepdims=True), 1e-300)
        share = after.cumsum(axis=1)[outcome, clue]
        return _signs_with(signs, rows, self.columns[outcome], share)
