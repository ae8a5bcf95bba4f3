"""Runs as their source cut them, and how far printed confidences leave a score open.

Files of model outputs print natural logarithms of confidences with two decimals: a confidence is exp(x ± .005),
at most 1. :func:`rounding_range` gives the lowest and the highest value that a score may have had before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..scores import metrics

HALF = 0.005
"""Half a unit of the last printed digit of a log-probability."""


@dataclass(frozen=True)
class Runs:
    """Guesses with a mark of their source and a log-probability, by model, question and place.

    ``question``: index in ``questions``, ``words`` their lengths; ``index``: run from 0, of ``size``;
    ``end``: last word heard, from 0; ``right``: who judged → right or wrong.
    """

    questions: np.ndarray
    words: np.ndarray
    model: np.ndarray
    question: np.ndarray
    end: np.ndarray
    logprob: np.ndarray
    right: dict[str, np.ndarray]

    @classmethod
    def from_tables(cls, guesses, judgements, questions) -> Runs:
        """The runs of table guesses that have a mark of the source and a mean log-probability."""
        from ..judging import guess_verdicts

        rows = guesses[
            (guesses["elicitation"] == "logit")
            & guesses["correct_given"].notna()
            & guesses["mean_logprob"].notna()
        ].sort_values(["model", "question_id", "position"], ignore_index=True)
        rows = rows.assign(condition=guess_verdicts.met_conditions(rows, questions))
        names = np.sort(questions["question_id"].to_numpy(dtype=object))
        words = questions.set_index("question_id")["n_words"].reindex(names).to_numpy()
        right, _ = guess_verdicts.marks_by_judge(rows, judgements)
        return cls(
            names,
            words,
            rows["model"].to_numpy(dtype=object),
            np.searchsorted(names, rows["question_id"].to_numpy(dtype=object)),
            rows["position"].to_numpy() - 1,
            rows["mean_logprob"].to_numpy(dtype=float),
            {name: series.fillna(False).to_numpy(dtype=bool) for name, series in right.items()},
        )

    @property
    def starts_question(self) -> np.ndarray:
        """Whether a run is the first of its model on its question, (runs,)."""
        new = np.ones(len(self.end), bool)
        same_series = (self.model[1:] == self.model[:-1]) & (
            self.question[1:] == self.question[:-1]
        )
        new[1:] = ~same_series
        return new

    @property
    def starts(self) -> np.ndarray:
        return np.flatnonzero(self.starts_question)

    @property
    def series(self) -> np.ndarray:
        """Number of the model × question that a run belongs to."""
        return np.cumsum(self.starts_question) - 1

    @property
    def size(self) -> np.ndarray:
        return np.bincount(self.series)[self.series]

    @property
    def index(self) -> np.ndarray:
        return np.arange(len(self.end)) - self.starts[self.series]

    @property
    def confidence(self) -> np.ndarray:
        return np.exp(self.logprob)

    def rows_of(self, clues: str) -> np.ndarray:
        """Rows of every run, or of the last of each question."""
        ends = np.append(self.starts[1:], len(self.end)) - 1
        return ends if clues == "last" else np.arange(len(self.end))


def confidences(logprob) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest confidence that is printed as these log-probabilities."""
    logprob = np.asarray(logprob, dtype=float)
    return np.exp(logprob - HALF), np.exp(np.minimum(logprob + HALF, 0.0))


def weights_of(right, share, form: str) -> np.ndarray:
    """What a confidence is multiplied by: ``share`` (1 − h) with the sign of the answer, or 0 for a wrong one."""
    gain = form in ("release", "release_rescaled")
    return share * np.where(right, 1.0, 0.0 if gain else -1.0)


def of_mean(mean, form: str):
    """The error of a question from the mean of its terms."""
    if form == "paper_by_clue":
        return mean
    if form == "paper_linear":
        return (1.0 - mean) / 2.0
    return 1.0 - (mean if form == "release" else metrics.renormalise(mean))


def errors(runs: Runs, terms, form: str, clues: str) -> np.ndarray:
    """Error of each series from the ``terms`` (1 − h)·g·c of its runs."""
    if form == "paper_by_clue":
        terms = 1.0 - metrics.renormalise(terms)
    is_last = clues == "last"
    mean = terms[runs.rows_of("last")] if is_last else metrics.group_means(terms, runs.starts)
    return of_mean(mean, form)


# --- how far the rounding of confidences leaves a score open -----------------------------------


def _ends(right, logprob) -> tuple[np.ndarray, np.ndarray]:
    """Confidences of the least error (right answers surer, wrong ones less) and of the greatest."""
    low, high = confidences(logprob)
    return np.where(right, high, low), np.where(right, low, high)


def _extremes(parts: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest sum of j of the values between ``parts`` (their lows and highs), j = 0, 1, …"""
    low, high = np.sort(parts[0]), np.sort(parts[1])[::-1]
    return np.append(0.0, np.cumsum(low)), np.append(0.0, np.cumsum(high))


def ece_range(right, logprob) -> tuple[float, float]:
    """A lower and an upper bound of ECE (ten equal bins) over all confidences printed as ``logprob``.

    Within a bin Σ(g − c) lies between its values with all c at their greatest and at their least; an answer
    whose confidence may lie on either side of an edge may count in either bin. All ways of sharing these out are
    tried: of the answers at one edge only the numbers of right and wrong ones below it are followed, and j of them
    are taken to be those with the least (greatest) g − c. That allows a little more than can be, never less: the
    range holds every ECE that can have been, and its ends need not be reached.
    """
    right, (low, high) = np.asarray(right, dtype=bool), confidences(logprob)
    edges, n = metrics.DECIMAL_EDGES, metrics.N_BINS
    sums = np.zeros((n, 2))
    below = np.clip(np.searchsorted(edges, low, "right") - 1, 0, n - 1)
    above = np.clip(np.searchsorted(edges, high, "right") - 1, 0, n - 1)
    certain = below == above
    for end, c in enumerate((high, low)):
        sums[:, end] = np.bincount(below[certain], (right - c)[certain], minlength=n)
    # Each open edge: (low, high) sums of j right and k wrong answers in the bin below it, and in the one above.
    open_edges = []
    for edge in range(1, n):
        open_rows = ~certain & (above == edge)
        sides = []
        for c in (
            (low[open_rows], np.full(open_rows.sum(), edges[edge])),
            (np.full(open_rows.sum(), edges[edge]), high[open_rows]),
        ):
            ways = []
            for mark in (True, False):
                marked = right[open_rows] == mark
                ways.append(_extremes([mark - c[1][marked], mark - c[0][marked]]))
            (a, b), (d, e) = ways
            sides.append((np.add.outer(a, d), np.add.outer(b, e)))
        open_edges.append(sides)
    neutral = (np.zeros((1, 1)), np.zeros((1, 1)))
    ends_of_range = []
    for greatest in (False, True):
        best = np.zeros(1)
        for bin_ in range(n):
            into = open_edges[bin_ - 1][1] if bin_ else neutral
            out = open_edges[bin_][0] if bin_ < n - 1 else neutral
            # Those not below the edge are above it: j of m below leave m − j above.
            ends = [
                sums[bin_, end] + np.add.outer(into[end][::-1, ::-1].ravel(), out[end].ravel())
                for end in (0, 1)
            ]
            far = np.maximum(np.abs(ends[0]), np.abs(ends[1]))
            near = np.where((ends[0] <= 0) & (ends[1] >= 0), 0.0, np.minimum(*map(np.abs, ends)))
            costs = best[:, None] + (far if greatest else near)
            best = costs.max(axis=0) if greatest else costs.min(axis=0)
        ends_of_range.append(float(best.max() if greatest else best.min()) / len(right))
    return ends_of_range[0], ends_of_range[1]


def score(metric: str, right, c, series=None, share=None, form: str = "paper") -> float:
    """A benchmark score of answers with confidences ``c``; as in :func:`rounding_range`."""
    right = np.asarray(right, dtype=bool)
    if metric in ("ece", "brier"):
        return float(getattr(metrics, metric)(right.astype(float), c))
    terms = weights_of(right, np.ones(len(right)) if share is None else share, form) * c
    if form == "paper_by_clue":
        terms = 1.0 - metrics.renormalise(terms)
    return float(np.mean(of_mean(np.bincount(series, terms) / np.bincount(series), form)))


def rounding_range(metric: str, right, logprob, *extra) -> tuple[float, float]:
    """Lowest and highest value of a score over all confidences printed as ``logprob``.

    ``right``, ``logprob``: one value an answer. Brier and the errors fall with the confidence of a right
    answer and rise with that of a wrong one, so their ends are reached; for ``ece`` see :func:`ece_range`. For
    ``mce`` and ``calscore`` ``of`` is ``series``, which numbers the question of each answer from 0,
    ``share``, its 1 − h (1 where None), and ``form``, one of the grid's.
    """
    if metric == "ece":
        return ece_range(right, logprob)
    low, high = (score(metric, right, c, *extra) for c in _ends(right, logprob))
    return low, high
