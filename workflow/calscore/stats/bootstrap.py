"""The bootstrap of questions, and of questions and human teams, with its intervals."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from . import resample


@dataclass(frozen=True)
class Bootstrap:
    """How statistics are resampled: one design, its weights, its intervals.

    A replicate is a vector of weights: how often each unit is drawn. Statistics over equally many questions share their
    weights, so differences over the same questions are paired. ``replicates``: their number R; ``seed``: of the weights
    of questions, those of teams have a stream of their own; ``level``: confidence level of the intervals, such as 0.95.

    References
    ----------
    Efron (1987) for BCa intervals; Owen (2007) for the two-way (pigeonhole) bootstrap; Hesterberg (2015) for its
    interval.

    Examples
    --------
    >>> import numpy as np
    >>> bootstrap = Bootstrap(replicates=1000, seed=1, level=0.9)
    >>> scores = np.arange(20) / 20
    >>> draws = bootstrap.question_weights(20) @ scores / 20
    >>> low, high = bootstrap.percentile(draws)
    >>> bool(low < scores.mean() < high)
    True
    """

    replicates: int
    seed: int
    level: float

    @property
    def tails(self) -> list[float]:
        """Probabilities of the lower and the upper bound: [(1 − level) / 2, (1 + level) / 2]."""
        return [(1 - self.level) / 2, (1 + self.level) / 2]

    def question_weights(self, n_questions: int) -> np.ndarray:
        """How often each question is drawn in each replicate, floats (R, Q); rows sum to Q; the same at each call."""
        return resample.bootstrap_weights(n_questions, self.replicates, self.seed)

    def team_weights(self, n_teams: int) -> np.ndarray:
        """How often each team is drawn in each replicate, floats (R, T), independent of the questions."""
        return resample.bootstrap_weights(n_teams, self.replicates, [self.seed, 1])

    def two_way_weights(self, n_questions: int, n_teams: int) -> tuple[np.ndarray, np.ndarray]:
        """Independent weights of questions (R, Q) and of teams (R, T).

        A cell has the product of the two (pigeonhole bootstrap, Owen 2007), which is slightly
        conservative where cells vary on their own.
        """
        return self.question_weights(n_questions), self.team_weights(n_teams)

    def percentile(self, draws: np.ndarray, axis: int = -1) -> tuple[np.ndarray, np.ndarray]:
        """(low, high): percentile bounds of ``draws`` along ``axis``, which is dropped; nan where any draw is."""
        low, high = np.quantile(draws, self.tails, axis=axis)
        return low, high

    def mean_interval(self, values: np.ndarray) -> tuple[float, float]:
        """(low, high): percentile bounds of the mean of ``values`` (N,), resampled by :meth:`question_weights`."""
        return self.percentile(self.question_weights(len(values)) @ values / len(values))

    def finite_percentile(self, draws: np.ndarray) -> tuple[float, float]:
        """(low, high): percentile bounds of the finite ``draws`` (R,), nan where there are none."""
        return resample.finite_percentile_interval(draws, self.level)

    def two_way_interval(
        self, value, low, high, n_questions: ArrayLike, n_teams: ArrayLike
    ) -> tuple[np.ndarray, np.ndarray]:
        """(low, high) centred on ``value``, as wide as the two-way percentile bounds ``low`` to ``high`` times a factor.

        Arguments are numbers or arrays that broadcast. The factor (:func:`.resample.student_factor`) takes the smaller
        of ``n_questions`` and ``n_teams``; nan where that is below 2. A replicate has fewer distinct teams than the
        data, which biases its CalScore. Percentiles keep that bias, bounds reflected about the estimate turn it around.
        """
        wider = resample.student_factor(np.minimum(n_questions, n_teams), self.level)
        half = wider * (high - low) / 2
        return value - half, value + half
