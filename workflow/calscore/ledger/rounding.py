"""Runs as their source cut them, and how far printed confidences leave a score open.

Files of model outputs print natural logarithms of confidences with two decimals: a confidence is exp(x ± .005),
at most 1. :func:`rounding_range` gives the lowest and the highest value that a score may have had before.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..scores import metrics

HALF = 0.005
"""Half a unit of the last printed digit of a log-probability."""


class Runs:
    """Logit guesses with a mark of their source and a log-probability, by model, question and position: n
    runs.

    ``questions``: sorted ids, with ``words`` and ``category`` alike. Arrays (n,): ``model``; ``question``
    (index in ``questions``); ``end`` (last word heard, from 0); ``logprob`` and ``confidence``; ``series``
    (number of its model and question), its ``index`` there (from 0) and the ``size`` of the series.
    ``right``: judge → bool (n,), unknown as wrong. ``starts``: index of the first run of each series."""

    def __init__(self, guesses, judgements, questions):
        from ..judging import guess_verdicts

        rows = guesses[
            (guesses["elicitation"] == "logit")
            & guesses["correct_given"].notna()
            & guesses["mean_logprob"].notna()
        ].sort_values(["model", "question_id", "position"], ignore_index=True)
        rows = rows.assign(condition=guess_verdicts.met_conditions(rows, questions))
        right, _ = guess_verdicts.marks_by_judge(rows, judgements)
        questions = questions.set_index("question_id")[["n_words", "category"]].sort_index()
        self.questions = questions.index.to_numpy(dtype=object)
        self.words, self.category = (questions[name].to_numpy() for name in questions)
        self.model = rows["model"].to_numpy(dtype=object)
        self.question = np.searchsorted(self.questions, rows["question_id"].to_numpy(dtype=object))
        self.end = rows["position"].to_numpy() - 1
        self.logprob = rows["mean_logprob"].to_numpy(dtype=float)
        self.confidence = np.exp(self.logprob)
        self.right = {name: marks.fillna(False).to_numpy(dtype=bool) for name, marks in right.items()}
        by_series = rows.groupby(["model", "question_id"])
        self.series = by_series.ngroup().to_numpy()
        self.index = by_series.cumcount().to_numpy()
        self.size = by_series["position"].transform("size").to_numpy()
        self.starts = np.flatnonzero(self.index == 0)

    def rows_of(self, clues: str, model: str | None = None, category: str | None = None) -> np.ndarray:
        """Indices of runs: ``all``, or the ``last`` of each series; only of ``model`` and ``category`` where given."""
        chosen = (clues != "last") | (self.index == self.size - 1)
        if model:
            chosen &= self.model == model
        if category:
            chosen &= self.category[self.question] == category
        return np.flatnonzero(chosen)


def confidences(logprob: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """(least, greatest) confidences, elementwise, whose logarithm is printed as ``logprob`` with two decimals; at most 1."""
    logprob = np.asarray(logprob, dtype=float)
    return np.exp(logprob - HALF), np.exp(np.minimum(logprob + HALF, 0.0))


def signed_weights(right: ArrayLike, share: ArrayLike, form: str) -> np.ndarray:
    """``share`` (1 − h) times g, by which a confidence is multiplied. g is 1 for a right answer; for a wrong one 0 in forms
    ``release`` and ``release_rescaled``, else −1."""
    gain = form in ("release", "release_rescaled")
    return share * np.where(right, 1.0, 0.0 if gain else -1.0)


def series_errors(terms: np.ndarray, series: np.ndarray, form: str) -> np.ndarray:
    """Error (MCE, CalScore) of each series, in order of number, from the ``terms`` (1 − h)·g·c of its
    answers. ``series``: number of the series of each answer, ascending. ``form``: group error of
    :func:`.multiverse.variant_grid`; unknown ones are as paper."""
    if form == "paper_by_clue":
        terms = 1.0 - metrics.renormalise(terms)
    mean = metrics.group_means(terms, np.flatnonzero(np.diff(series, prepend=-1)))
    if form == "paper_by_clue":
        return mean
    if form == "paper_linear":
        return (1.0 - mean) / 2.0
    return 1.0 - (mean if form == "release" else metrics.renormalise(mean))


# --- how far the rounding of confidences leaves a score open -----------------------------------


def _extremes(parts: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """(least, greatest) sum, each (n + 1,), of any j of n values, for j = 0 … n. ``parts``: lows and highs of the values."""
    low, high = np.sort(parts[0]), np.sort(parts[1])[::-1]
    return np.append(0.0, np.cumsum(low)), np.append(0.0, np.cumsum(high))


def ece_range(right: ArrayLike, logprob: ArrayLike) -> tuple[float, float]:
    """A lower and an upper bound of ECE (ten equal bins) over all confidences printed as ``logprob``.

    Within a bin Σ(g − c) lies between its values with all c at their greatest and at their least; an answer
    whose confidence may lie on either side of an edge may count in either bin. All ways of sharing these out
    are tried: of the answers at one edge only the numbers of right and wrong ones below it are followed, and
    j of them are taken to be those with the least (greatest) g − c. That allows a little more than can be,
    never less: the range holds every ECE that can have been, and its ends need not be reached."""
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
        marks, limit, sides = right[open_rows], np.full(open_rows.sum(), edges[edge]), []
        for least, greatest in ((low[open_rows], limit), (limit, high[open_rows])):
            (a, b), (d, e) = (
                _extremes([mark - greatest[marks == mark], mark - least[marks == mark]])
                for mark in (True, False)
            )
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


def score(
    metric: str,
    right: ArrayLike,
    c: ArrayLike,
    series: np.ndarray | None = None,
    share: ArrayLike | None = None,
    form: str = "paper",
) -> float:
    """The score ``metric`` (brier, ece, mce or calscore) of answers with confidences ``c`` (n,); the last two are means over
    series. Other arguments as in :func:`rounding_range`."""
    right = np.asarray(right, dtype=bool)
    if metric in ("ece", "brier"):
        return float(getattr(metrics, metric)(right.astype(float), c))
    terms = signed_weights(right, 1.0 if share is None else share, form) * c
    return float(np.mean(series_errors(terms, series, form)))


def rounding_range(metric: str, right: ArrayLike, logprob: ArrayLike, *extra: object) -> tuple[float, float]:
    """(lowest, highest) value of the score ``metric`` over all confidences printed as ``logprob``; of ``ece``
    see :func:`ece_range`. ``right``, ``logprob``: (n,) answers. Brier and the errors never rise with the
    confidence of a right answer nor fall with that of a wrong one, so their ends are reached. ``extra``, for
    ``mce`` and ``calscore``: ``series`` (n,), the ascending number of each answer's question; ``share``, its
    1 − h (1 where None); and ``form``, one of the grid's."""
    if metric == "ece":
        return ece_range(right, logprob)
    low, high = confidences(logprob)
    # the error is least with right answers surer and wrong ones less
    least, greatest = np.where(right, high, low), np.where(right, low, high)
    return score(metric, right, least, *extra), score(metric, right, greatest, *extra)
