"""Calibration metrics over arrays: MCE, CalScore, SH, ECE, Brier (paper §4, Appendices G, H, K), and the registry
of all metrics, :data:`METRICS`, which says where each is shown.

Shapes: ``g`` correctness (bool or 0/1), ``c`` confidence in [0, 1], ``h`` human curve in [0, 1], all of length N
with the clues of one question next to each other; ``starts`` the index of the first clue of each question, length Q.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from ..core import catalog

DEFINITIONS = {"paper": "buzzed_so_far", "release": "buzzed_on_question"}
"""Metric definition → the definition of h that belongs to it."""

N_BINS = 10
_LOW = 1 / (1 + np.e)
_SPAN = np.e / (1 + np.e) - _LOW
# k / 10 rounded once, so that a confidence written 0.3 lies on the edge 0.3; linspace gives
# 0.30000000000000004 there.
DECIMAL_EDGES = np.array([k / N_BINS for k in range(N_BINS + 1)])
RELEASED_EDGES = np.linspace(0, 1, N_BINS + 1)


def renormalise(x: ArrayLike) -> np.ndarray:
    """Appendix K's r, which maps means ``x`` of g·c in [-1, 1], g = ±1, to [0, 1]: (σ(x) − σ(−1)) / (σ(1) − σ(−1)).

    Elementwise, with the shape of ``x``.

    Examples
    --------
    >>> renormalise([-1, 0, 1]).round(3).tolist()
    [0.0, 0.5, 1.0]
    """
    share: np.ndarray = expit(np.asarray(x, dtype=float))
    share -= _LOW
    share /= _SPAN
    return share


def group_means(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Mean of ``values`` (N,) over each group, (Q,); ``starts``: index of the first value of each. No group is empty."""
    sizes = np.diff(np.append(starts, len(values)))
    return np.add.reduceat(values, starts) / sizes


def validate_arrays(starts: ArrayLike | None = None, **arrays: ArrayLike) -> list[np.ndarray]:
    """``arrays`` as numpy arrays, in their order, without ``starts``, the index of the first clue of each question.

    ``ValueError`` names the argument, its shape or first bad value and what was expected: one dimension, equal
    lengths, numbers from 0 to 1; ``starts`` 0 and then increasing. Arrays may be empty only with ``starts``.
    """
    result = {name: np.asarray(values) for name, values in arrays.items()}
    size = max((len(values) for values in result.values() if values.ndim == 1), default=0)
    for name, values in result.items():
        if values.shape != (size,):
            raise ValueError(f"{name}: found shape {values.shape}, expected ({size},)")
        if values.dtype.kind not in "biuf":
            unlike = [value for value in values.tolist() if not isinstance(value, Real | np.bool_)]
            if unlike:
                raise ValueError(f"{name}: found {unlike[0]!r}, expected numbers from 0 to 1")
            result[name] = values = values.astype(float)
        if size and not (values.min() >= 0 and values.max() <= 1):
            bad_value = values[~((values >= 0) & (values <= 1))][0]
            raise ValueError(f"{name}: found {bad_value}, expected numbers from 0 to 1")
    if starts is not None:
        places = np.append(starts, size)
        if places[0] != 0 or not (np.diff(places) > 0).all():
            expected = f"0, then increasing numbers below {size}"
            raise ValueError(f"starts: found {np.asarray(starts).tolist()[:5]}, expected {expected}")
    elif not size:
        raise ValueError(f"{next(iter(result))}: found no value, expected at least one")
    return list(result.values())


def question_errors(
    g: ArrayLike, c: ArrayLike, h: ArrayLike, starts: ArrayLike, definition: str
) -> tuple[np.ndarray, np.ndarray]:
    """Mean calibration error and CalScore of each question.

    Parameters
    ----------
    g : array_like of bool, shape (N,)
        Whether each clue's guess is right; the clues of a question stand next to each other.
    c : array_like, shape (N,)
        Confidence, in [0, 1].
    h : array_like, shape (N,)
        Human curve, in [0, 1]: the one that belongs to ``definition`` (:data:`DEFINITIONS`).
    starts : array_like of int, shape (Q,)
        Index of the first clue of each question.
    definition : {"paper", "release"}
        ``paper``: 1 − r(mean g·c) and 1 − r(mean (1−h)·g·c) with g = ±1 and r of :func:`renormalise`.
        ``release``: 1 − mean g·c and 1 − mean (1−h)·g·c with g = 0/1.

    Returns
    -------
    mce, calscore : numpy.ndarray, shape (Q,)
        In [0, 1] up to rounding; lower is better.

    Raises
    ------
    KeyError
        Another definition.
    ValueError
        Arrays as :func:`validate_arrays` refuses them.

    References
    ----------
    GRACE, §4.2, §4.3 and Appendix K; the released scorer.

    Examples
    --------
    One question of two clues. Half of the humans knew the second one.

    >>> mce, calscore = question_errors([0, 1], [0.2, 0.9], [0, 0.5], [0], "release")
    >>> mce.round(3).tolist(), calscore.round(3).tolist()
    ([0.55], [0.775])
    """
    if definition not in DEFINITIONS:
        raise KeyError(definition)
    starts = np.asarray(starts)
    g, c, h = validate_arrays(starts, g=g, c=c, h=h)
    gc = (2.0 * g - 1.0 if definition == "paper" else g) * c
    total = np.add.reduceat(gc, starts)
    # Σ(1−h)gc as Σgc − Σh·gc: one pass less over the rows.
    sums = np.stack([total, total - np.add.reduceat(h * gc, starts)])
    plain, adjusted = score_from_mean(sums / np.diff(np.append(starts, len(c))), definition)
    return plain, adjusted


def sh_terms(g: np.ndarray, c: np.ndarray, starts: np.ndarray, form: str) -> tuple[np.ndarray, np.ndarray]:
    """SH of Appendix H, linear in h: (coefficient of h at each clue, (N,); value of each question without h, (Q,)).

    SH_q = value_q + Σ_t h_t·coefficient_t, h_t the share of teams that heard the question and were right by clue t (definition
    ``heard``). ``g``, ``c``, ``starts``: as of :func:`question_errors`. ``form`` "completed" weights the rise of h, and b, the
    chance of a buzz, sums to 1 at the last clue, as the text requires; "as_printed" neither; ``KeyError`` for another.
    """
    if form not in ("completed", "as_printed"):
        raise KeyError(form)
    n = len(c)
    sizes = np.diff(np.append(starts, n))
    row = np.repeat(np.arange(len(starts)), sizes)
    column = np.arange(n) - np.repeat(starts, sizes)
    shape = (len(starts), int(sizes.max()))

    def grid(values: np.ndarray) -> np.ndarray:
        out = np.zeros(shape)
        out[row, column] = values
        return out

    confidence, right = grid(c), grid(g)
    before = np.ones(shape)
    before[:, 1:] = np.cumprod(1 - confidence[:, :-1], axis=1)
    b = confidence * before
    if form == "completed":
        last_clue = np.arange(len(starts)), sizes - 1
        b[last_clue] = before[last_clue]
    gain = np.cumsum(b * right, axis=1)
    total = gain[:, -1]
    if form == "as_printed":
        coefficient = gain - total[:, None]
    else:
        # Σ (h_t − h_{t−1})(gain_t − total), gathered by h_t; gain no longer moves after the last clue.
        coefficient = np.zeros(shape)
        coefficient[:, :-1] = gain[:, :-1] - gain[:, 1:]
    return coefficient[row, column], total


def sh_score(g: ArrayLike, c: ArrayLike, h: ArrayLike, starts: ArrayLike, form: str) -> np.ndarray:
    """Human-adjusted calibration score SH of each question (GRACE, Appendix H).

    Parameters
    ----------
    g, c, h, starts
        As in :func:`question_errors`; ``h`` is the share of teams that heard the question and were right by each
        clue (definition ``heard``).
    form : {"completed", "as_printed"}
        ``completed``: h newly right at each clue, and a model that buzzes for sure at the last clue, as the text
        requires. ``as_printed``: cumulative h, and b as the formula has it.

    Returns
    -------
    numpy.ndarray, shape (Q,)
        ``completed`` lies within [0, 1], ``as_printed`` can leave it. Higher is better.

    Raises
    ------
    KeyError, ValueError
        Another form; arrays as :func:`validate_arrays` refuses them.

    Examples
    --------
    A model sure at the second clue only; four in ten teams were right at the first.

    >>> sh_score(np.array([0, 1]), np.array([0.5, 1]), np.array([0.4, 0.6]), np.array([0]), "completed").round(3).tolist()
    [0.3]
    """
    g, c, h = validate_arrays(starts, g=g, c=c, h=h)
    places = np.asarray(starts)
    coefficient, total = sh_terms(g, c, places, form)
    return total + np.add.reduceat(coefficient * h, places)


def confidence_bins(c: ArrayLike, edges: str = "exact") -> np.ndarray:
    """Bin 0 to 9 of each confidence.

    Parameters
    ----------
    c : array_like, shape (N,)
        Confidence, in [0, 1].
    edges : {"exact", "released"}
        ``exact``: [a, b) with the last bin closed, edges exact in decimal. ``released``: (a, b] with floating-point
        edges, and exactly 0 in the *last* bin, as the released code has it. ``KeyError`` for others.

    Returns
    -------
    numpy.ndarray of int, shape (N,)

    Examples
    --------
    >>> confidence_bins([0, 0.3, 1]).tolist(), confidence_bins([0, 0.3, 1], "released").tolist()
    ([0, 3, 9], [9, 2, 9])
    """
    c = np.asarray(c, dtype=float)
    index: np.ndarray
    if edges == "exact":
        index = np.digitize(c, DECIMAL_EDGES[1:-1])
    elif edges == "released":
        index = (np.digitize(c, RELEASED_EDGES, right=True) - 1) % N_BINS
    else:
        raise KeyError(edges)
    return index


def reliability(
    g: ArrayLike, c: ArrayLike, edges: str = "exact"
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(number of answers, sum of confidence, number of right answers) in each bin, three arrays (10,), 0 in empty ones.

    Arguments as in :func:`ece`, but not checked.
    """
    index = confidence_bins(c, edges)
    return (
        np.bincount(index, minlength=N_BINS),
        np.bincount(index, weights=c, minlength=N_BINS),
        np.bincount(index, weights=np.asarray(g, dtype=float), minlength=N_BINS),
    )


def ece(g: ArrayLike, c: ArrayLike, edges: str = "exact") -> float:
    """Expected calibration error with ten equal bins (GRACE, Appendix G), in [0, 1].

    Parameters
    ----------
    g, c : array_like, shape (N,)
        Right or not, and confidence in [0, 1].
    edges : {"exact", "released"}
        As in :func:`confidence_bins`.

    Raises
    ------
    KeyError, ValueError
        Other edges; arrays as :func:`validate_arrays` refuses them, such as empty ones.

    Examples
    --------
    >>> round(ece([1, 0], [0.9, 0.1]), 3)
    0.1
    """
    g, c = validate_arrays(g=g, c=c)
    n, confidence, right = reliability(g, c, edges)
    return float(np.abs(right - confidence).sum() / n.sum())


def brier(g: ArrayLike, c: ArrayLike) -> float:
    """Mean squared difference of confidence ``c`` and correctness ``g``, both (N,), in [0, 1].

    ``ValueError`` for arrays that :func:`validate_arrays` refuses, such as empty ones. GRACE, Appendix G.

    Examples
    --------
    >>> round(brier([1, 0], [0.9, 0.1]), 3)
    0.01
    """
    difference = np.subtract(*reversed(validate_arrays(g=g, c=c)), dtype=float)
    return float(difference @ difference / len(difference))


class Metric(NamedTuple):
    """One metric: its declaration in ``tables/metrics.yaml`` and its formula in :data:`FORMULAS`.

    ``over`` says what ``function`` gives. ``clues``: a term of each clue in scope from (g, c), whose mean is the score.
    ``bins``: a term of each clue from (g, c); the score is Σ abs(sum over a bin of confidence) / clues. ``questions``:
    name → score of each question from (g, c, h, starts, definition), whose mean it is; metrics that share ``function``
    are computed together. ``resamples``: no formula of its own here, drawn in :mod:`calscore.scores.proper_tables`.

    ``linear``: of a metric that rests on human behaviour (``human``), from (g, c, starts,
    definition) the coefficient of h at each clue (N,), what is added for each question (Q,), and
    what then gives the score; ``curve``: the h that it takes, None for that of the definition.
    """

    name: str
    label: str
    over: str = "resamples"
    function: Callable[..., Any] | None = None
    description: str = ""
    unit: str = catalog.METRIC_UNIT
    higher: bool | None = False
    """Whether higher is better; None where neither is."""
    least: float | None = 0.0
    greatest: float | None = 1.0
    definitions: Sequence[str] = tuple(DEFINITIONS)
    formula: Mapping[str, str] = MappingProxyType({})
    """Definition → how it comes from the rows, in words."""
    human: bool = False
    linear: Callable[..., Any] | None = None
    curve: str | None = None
    places: Sequence[str] = ("scores",)
    """Of :data:`PLACES`."""
    panel: int = 99
    """Its place from the left in figures that have a panel for each metric."""
    interval: bool = True
    """Whether the bounds of its resamples are an interval to print. A plain ECE is biased upward, resampling adds the same
    bias once more, and where a model is calibrated no bounds hold: tables have them as the spread of resamples."""


def clip_to_range(name: str, values: ArrayLike) -> np.ndarray:
    """``values`` of the metric ``name`` of :data:`METRICS`, cut to its least and greatest; unbounded where that is None."""
    metric = METRICS[name]
    return np.clip(
        values,
        -np.inf if metric.least is None else metric.least,
        np.inf if metric.greatest is None else metric.greatest,
    )


def has_interval(name: str) -> bool:
    """Whether the bounds of a metric may be printed as an interval; True for a name that is no metric."""
    return name not in METRICS or METRICS[name].interval


PLACES = {
    "scores": "scores/model_scores",
    "table1": "table 1",
    "categories": "table 5, and comparisons within categories",
    "comparisons": "differences between models and ranks",
    "specifications": "the specification curve",
    "judges": "what the choice of judge moves",
    "leaderboard": "the leaderboard of tossups",
    "explorer": "the page for looking",
    "proper": "scores/proper and tables/proper_scores",
    "proper_comparisons": "differences in proper scores",
}
"""Where a metric can be shown."""


def score_from_mean(share: ArrayLike, definition: str) -> np.ndarray:
    """Score from means ``share`` of g·c, elementwise: 1 − r(share) under ``paper``, 1 − share under ``release``."""
    return 1 - (renormalise(share) if definition == "paper" else np.asarray(share))


_Arrays = dict[str, np.ndarray]
_Terms = tuple[np.ndarray, np.ndarray, Callable[..., Any]]


def _errors(g: np.ndarray, c: np.ndarray, h: np.ndarray, starts: np.ndarray, definition: str) -> _Arrays:
    """{"mce": …, "calscore": …} of each question: :func:`question_errors` as :attr:`Metric.function` gives it."""
    return dict(zip(("mce", "calscore"), question_errors(g, c, h, starts, definition), strict=True))


def _calscore_terms(g: np.ndarray, c: np.ndarray, starts: np.ndarray, definition: str) -> _Terms:
    """CalScore as :attr:`Metric.linear` has it: coefficients (N,), constants (Q,), and the score from their sum."""
    sizes = np.diff(np.append(starts, len(c)))
    gc = (2 * g - 1 if definition == "paper" else g) * c / np.repeat(sizes, sizes)
    return -gc, np.add.reduceat(gc, starts), partial(score_from_mean, definition=definition)


SH_FORMS = ("completed", "as_printed")


def _sh_scores(
    form: str, g: np.ndarray, c: np.ndarray, h: np.ndarray, starts: np.ndarray, definition: str
) -> _Arrays:
    """SH of each question in a form, by the metric's name; the same under every definition."""
    return {f"sh_{form}": sh_score(g, c, h, starts, form)}


def _sh_terms(form: str, g: np.ndarray, c: np.ndarray, starts: np.ndarray, definition: str) -> _Terms:
    """SH as :attr:`Metric.linear` has it: :func:`sh_terms`, whose sum is the score."""
    return (*sh_terms(g, c, starts, form), lambda score: score)


FORMULAS: dict[str, dict[str, Any]] = {
    "accuracy": {"over": "clues", "function": lambda g, c: g},
    "brier": {"over": "clues", "function": lambda g, c: (c - g) ** 2},
    "ece": {"over": "bins", "function": lambda g, c: g - c},
    "mce": {"over": "questions", "function": _errors},
    "calscore": {"over": "questions", "function": _errors, "linear": _calscore_terms},
    **{
        f"sh_{form}": {
            "over": "questions",
            "function": partial(_sh_scores, form),
            "linear": partial(_sh_terms, form),
            "curve": "heard",
        }
        for form in SH_FORMS
    },
}
"""Metric → how it is computed. Metrics without an entry are drawn in :mod:`calscore.scores.proper_tables`."""

METRICS: dict[str, Metric] = {
    name: Metric(name=name, **FORMULAS.get(name, {}) | declaration)
    for name, declaration in catalog.metrics().items()
}
"""Name → metric, in the order of ``tables/metrics.yaml``."""


def metrics_for(place: str) -> list[Metric]:
    """Metrics shown at ``place``, in the registry's order; ``KeyError`` unless it is one of :data:`PLACES`."""
    if place not in PLACES:
        raise KeyError(place)
    return [metric for metric in METRICS.values() if place in metric.places]


def metric_names(place: str) -> list[str]:
    """Names of :func:`metrics_for`."""
    return [metric.name for metric in metrics_for(place)]


def panel_metrics(place: str) -> list[Metric]:
    """:func:`metrics_for` a place, in the order of their panels from left to right."""
    return sorted(metrics_for(place), key=lambda metric: metric.panel)


def per_question(
    wanted: Iterable[Metric],
    g: np.ndarray,
    c: np.ndarray,
    h: np.ndarray,
    starts: np.ndarray,
    definition: str,
) -> dict[str, np.ndarray]:
    """Scores of each question, name → (Q,), of the metrics ``wanted``, all of which must be over questions.

    Other arguments as in :func:`question_errors`.
    """
    values: dict[str, np.ndarray] = {}
    for function in dict.fromkeys(metric.function for metric in wanted if metric.function):
        values |= function(g, c, h, starts, definition)
    return {metric.name: values[metric.name] for metric in wanted}
