"""Proper scores beside CalScore, of many weighted resamples of one set of answers.

Shapes: ``g`` correctness (bool or 0/1) and ``c`` confidence in [0, 1], length N. What resamples has
``code`` (N,), the question 0…Q−1 of each row, and ``weights`` (R, Q), how often each question is
drawn in each of R replicates: whole numbers, the first row all ones for the data themselves.

Lower is better but for AUROC, resolution and within-bin covariance; of uncertainty neither end is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..core.progress import progress
from ..stats import proportions, resample
from . import metrics

Array = np.ndarray
CLIP = float(np.finfo(float).eps)
"""Least probability of an outcome in the clipped log score, 2⁻⁵² (as scikit-learn has it)."""

SORTED_REPLICATES = 1000
"""Replicates of SmoothECE and of the scores that need the confidences in order; the others take all."""

MODES = 64
"""Cosine modes that SmoothECE starts from; doubled where the bandwidth found asks for more."""
MOST_MODES = 4096
# Modes left out are damped to below 1e-9: exp(−(kπσ)²/2) at kσ = 2.05.
_REACH = 2.05
FINEST = _REACH / MOST_MODES
"""Least bandwidth that SmoothECE resolves; a value below it is a lower bound."""
_ELEMENTS = 1 << 16


def brier_terms(g: ArrayLike, c: ArrayLike, edges: str = "exact") -> dict[str, float]:
    """Brier score and its exact decomposition (:func:`binned_scores`) over ten bins, ``edges`` exact or
    released: name → number.

    Names are ``brier`` and ``brier_`` with reliability, resolution, uncertainty, within_variance, within_covariance.
    """
    sums = bin_sums(g, c, np.zeros(len(c), dtype=int), 1, edges)
    return {name: float(value[0]) for name, value in _brier(sums).items()}


def auroc(g: ArrayLike, c: ArrayLike) -> float:
    """P(a right answer has more confidence than a wrong one), ties ½; nan where one kind is absent.

    ``g`` (N,): right or not; ``c`` (N,): confidence.

    Examples
    --------
    >>> auroc([1, 0, 1], [0.9, 0.8, 0.7])
    0.5
    """
    return float(rank_scores(np.ones((1, 1)), g, c, np.zeros(len(c), dtype=int))["auroc"][0])


def log_losses(g: ArrayLike, c: ArrayLike, clip: float = 0.0) -> Array:
    """−ln of the probability given to what happened, (N,), at most −ln(``clip``); inf where that is 0 and ``clip`` is.

    ``g`` (N,): right or not; ``c`` (N,): confidence in [0, 1], the probability of being right.
    """
    g, c = _float_arrays(g, c)
    with np.errstate(divide="ignore"):
        return -np.log(np.maximum(np.where(g > 0, c, 1 - c), clip))


def calscore_normalised(
    g: ArrayLike, c: ArrayLike, h: ArrayLike, starts: ArrayLike, definition: str
) -> Array:
    """CalScore of each question with weights (1−h)/Σ(1−h) in place of (1−h)/T, shape (Q,); lower is better.

    Arguments as in :func:`.metrics.question_errors`, but not checked.
    ``paper``: 1 − r(Σ w·g·c) with g = ±1; ``release``: 1 − Σ w·g·c with g = 0/1. Unlike the published form it spans [0,
    1] whatever the human curve. nan for a question where every clue has h = 1: no clue is left to be scored.
    """
    g = np.asarray(g, dtype=float)
    open_share = 1.0 - np.asarray(h, dtype=float)
    gain = (2 * g - 1 if definition == "paper" else g) * np.asarray(c, dtype=float)
    total = np.add.reduceat(open_share, starts)
    share = proportions.ratio(np.add.reduceat(open_share * gain, starts), total)
    # Rounding can leave a bound by one unit in the last place.
    return np.clip(metrics.score_from_mean(share, definition), 0, 1)


def calscore_range(h: ArrayLike, starts: ArrayLike, definition: str) -> tuple[Array, Array]:
    """(least, greatest) CalScore of each question that any model can get, (Q,) each.

    Least: c = 1 and always right. Greatest: c = 1 and always wrong (``paper``) or c = 0 (``release``). ``h`` (N,) in
    [0, 1], ``starts`` (Q,) and errors as in :func:`.metrics.question_errors`.

    Examples
    --------
    >>> least, greatest = calscore_range([0, 0.5], [0], "release")
    >>> least.tolist(), greatest.tolist()
    ([0.25], [1.0])
    """
    h = np.asarray(h, dtype=float)
    always = np.ones(len(h))
    _, least = metrics.question_errors(always, always, h, starts, definition)
    _, most = metrics.question_errors(1 - always, always, h, starts, definition)
    return least, most


def _float_arrays(g: Array, c: Array) -> tuple[Array, Array]:
    return np.asarray(g, dtype=float), np.asarray(c, dtype=float)


class BinSums(NamedTuple):
    """Sums over the rows of each question (or replicate) in each bin, arrays (Q, 10): n, Σc, Σg, Σc², Σc·g."""

    n: Array
    c: Array
    g: Array
    cc: Array
    cg: Array

    def resampled(self, weights: Array) -> BinSums:
        """The same sums over the questions drawn in each replicate, arrays (R, 10)."""
        return BinSums(*(weights @ values for values in self))


def bin_sums(g: Array, c: Array, code: Array, n_questions: int, edges: str = "exact") -> BinSums:
    """:class:`BinSums` of answers (N,) by question (``code``, from 0) and bin; ``edges``: exact or released
    (:func:`.metrics.confidence_bins`)."""
    g, c = _float_arrays(g, c)
    cell = np.asarray(code) * metrics.N_BINS + metrics.confidence_bins(c, edges)
    size = n_questions * metrics.N_BINS

    def total(values):
        return np.bincount(cell, values, size).reshape(n_questions, metrics.N_BINS)

    return BinSums(total(np.ones(len(c))), total(c), total(g), total(c * c), total(c * g))


def binned_scores(weights: Array, sums: BinSums) -> dict[str, Array]:
    """Brier score and its terms, and debiased errors, of each replicate: name → (R,); nan without rows.

    ``weights`` (R, Q): how often each question is drawn; ``sums``: of the Q questions (:func:`bin_sums`).

    brier = reliability − resolution + uncertainty + within_variance − within_covariance over ten
    bins: Murphy (1973) with the within-bin terms of Stephenson, Coelho & Jolliffe (2008), eq. 5.

    ``ece2_debiased``: squared ten-bin calibration error less its noise, as published (Kumar et al. 2019,
    §4.2), Σ_b n_b/N·((ḡ_b − c̄_b)² − ḡ_b(1 − ḡ_b)/(n_b − 1)), after Bröcker (2012); can be negative. A bin of
    one row counts as 0. It takes rows as independent and a bin's confidences as equal; where they differ, the
    noise subtracted is too much by their variance / (n_b − 1).

    ``ece2_across``: the same from products of rows of *different* questions, Σ_b n_b/N·Σ_{q≠r} D_qb·D_rb / Σ_{q≠r}
    n_qb·n_rb with D_qb = Σ (g − c) of question q in bin b. The clues of one question may depend on each other in any
    way: the mean is 0 for a calibrated model whose questions are independent. A bin with one question counts as 0.

    ``ece_…``: their roots, 0 where the square is negative.
    """
    drawn = sums.resampled(weights)
    metrics_drawn = _brier(drawn)
    squares = {"debiased": _ece2_published(drawn), "across": _ece2_across(sums, weights, drawn.n)}
    for name, square in squares.items():
        metrics_drawn[f"ece2_{name}"] = square
        metrics_drawn[f"ece_{name}"] = np.sqrt(np.maximum(square, 0))
    return metrics_drawn


def _brier(drawn: BinSums) -> dict[str, Array]:
    """Brier score and its terms from bin sums (R, 10), name → (R,); nan for a replicate without rows."""
    n, c, g, cc, cg = drawn
    rows = n.sum(axis=1)
    rate = proportions.ratio(g.sum(axis=1), rows)
    terms = {
        "reliability": proportions.ratio((c - g) ** 2, n, 0.0),
        "resolution": proportions.ratio(g**2, n, 0.0),
        "within_variance": cc - proportions.ratio(c**2, n, 0.0),
        "within_covariance": 2 * (cg - proportions.ratio(c * g, n, 0.0)),
    }
    mean = {name: proportions.ratio(value.sum(axis=1), rows) for name, value in terms.items()}
    return {
        "brier": proportions.ratio((cc - 2 * cg + g).sum(axis=1), rows),
        "brier_reliability": mean["reliability"],
        "brier_resolution": mean["resolution"] - rate**2,
        "brier_uncertainty": rate * (1 - rate),
        "brier_within_variance": mean["within_variance"],
        "brier_within_covariance": mean["within_covariance"],
    }


def _ece2_published(drawn: BinSums) -> Array:
    """``ece2_debiased`` of :func:`binned_scores`, (R,), from bin sums (R, 10)."""
    n, c, g, *_ = drawn
    rate = proportions.ratio(g, n, 0.0)
    gap = proportions.ratio(g - c, n, 0.0) ** 2
    noise = proportions.ratio(rate * (1 - rate), n - 1, 0.0)
    return proportions.ratio((n * np.where(n >= 2, gap - noise, 0.0)).sum(axis=1), n.sum(axis=1))


def _ece2_across(sums: BinSums, weights: Array, n: Array) -> Array:
    """``ece2_across`` of :func:`binned_scores`, (R,); ``n``: rows of each bin in each replicate, (R, 10)."""
    difference = sums.g - sums.c
    # A question drawn twice is still one question: its own products are left out with weight w².
    own = weights**2
    pairs = n**2 - own @ sums.n**2
    products = (weights @ difference) ** 2 - own @ difference**2
    return proportions.ratio((n * proportions.ratio(products, pairs, 0.0)).sum(axis=1), n.sum(axis=1))


def rank_scores(weights: Array, g: Array, c: Array, code: Array) -> dict[str, Array]:
    """AUROC, AURC, E-AURC and equal-mass ECE of each replicate: name → (R,).

    ``auroc``: :func:`auroc`. ``aurc`` (Geifman & El-Yaniv 2017): (1/N) Σ_k (share wrong among the k most confident answers),
    k = 1…N; where confidences are equal, the mean over all orders of them. ``aurc_excess`` (Geifman, Uziel & El-Yaniv 2019):
    less that of the best order of these answers, every wrong one last, summed exactly and not by the paper's limit r + (1 −
    r)·ln(1 − r). ``ece_equal_mass``: ECE over ten bins cut at the deciles of confidence, equal ones together.

    ``weights`` (R, Q): how often each question is drawn, ``ValueError`` unless whole; ``code`` (N,): each answer's
    question, from 0; ``g`` (N,): right or not; ``c`` (N,): confidence. Draws of one answer are tied; nan where none is drawn.
    """
    parts = []
    for levels, total, wrong in _levels(weights, g, c, code):
        upto, upto_wrong = np.cumsum(total, axis=0), np.cumsum(wrong, axis=0)
        rows, wrongs = upto[-1], upto_wrong[-1]
        rights = rows - wrongs
        # Places of the wrong answers, level ones in the middle (Mann and Whitney).
        places = np.einsum("ur,ur->r", wrong, upto) - np.einsum("ur,ur->r", wrong, total) / 2
        area = _area(total, wrong, upto, upto_wrong)
        parts.append(
            (
                proportions.ratio(places - wrongs**2 / 2, rights * wrongs),
                area,
                area - _least_area(rows, rights),
                _equal_mass(levels, total, upto, upto_wrong),
            )
        )
    names = ("auroc", "aurc", "aurc_excess", "ece_equal_mass")
    return {
        name: np.concatenate(blocks) for name, blocks in zip(names, zip(*parts, strict=True), strict=True)
    }


def risk_coverage(weights: Array, g: Array, c: Array, code: Array, coverage) -> tuple[Array, Array]:
    """(share wrong among the most confident ``coverage`` of the rows (R, k), least confidence among them (k,)).

    ``coverage`` (k,): shares of rows, above 0; a part of a row counts in part. Where confidences are equal
    the share is the mean over their orders. The confidence is that of the data themselves, the first
    replicate. Others as in :func:`rank_scores`; share nan where nothing is drawn.
    """
    coverage = np.asarray(coverage, dtype=float)
    parts, threshold = [], None
    for levels, total, wrong in _levels(weights, g, c, code):
        upto = np.cumsum(total, axis=0)
        taken = coverage[:, None] * upto[-1]
        level = _level_of(upto, taken, closed=True)
        # Errors up to the end of that level, less those of its rows not taken.
        slope = np.take_along_axis(proportions.ratio(wrong, total, 0.0), level, axis=0)
        errors = np.take_along_axis(np.cumsum(wrong, axis=0), level, axis=0)
        errors -= (np.take_along_axis(upto, level, axis=0) - taken) * slope
        parts.append(proportions.ratio(errors, taken))
        threshold = levels[level[:, 0]] if threshold is None else threshold
    return np.concatenate(parts, axis=1).T, threshold


def _levels(weights: Array, g: Array, c: Array, code: Array) -> Iterator[tuple]:
    """Rows and wrong rows of each replicate at each distinct confidence, highest first.

    Yields (confidences (U,), rows (U, r), wrong rows (U, r)) for blocks of r replicates that fit in memory.
    """
    from scipy.sparse import csr_array

    g, c = _float_arrays(g, c)
    weights = np.asarray(weights, dtype=float)
    if (weights != np.rint(weights)).any():
        raise ValueError("weights must be whole numbers: how often each question is drawn")
    levels, inverse = np.unique(-c, return_inverse=True)
    shape = (len(levels), weights.shape[1])
    count = csr_array((np.ones(len(c)), (inverse, code)), shape)
    wrong = csr_array((1 - g, (inverse, code)), shape)
    step = max(1, _ELEMENTS // len(levels))
    for start in progress(range(0, len(weights), step), "resampling questions"):
        block = np.ascontiguousarray(weights[start : start + step].T)
        yield -levels, count @ block, wrong @ block


def _level_of(upto: Array, rank: Array, closed: bool) -> Array:
    """Index of the level that has the row at ``rank`` (k, r) from the top: the first with more than rank rows up to it.

    ``closed``: the first with at least that many. ``upto``: rows up to each level, (U, r). Result (k, r).
    """
    # One search in all replicates: each shifted above the one before.
    shift = np.arange(upto.shape[1]) * (upto[-1].max() + 1)
    flat = (upto + shift).T.ravel()
    place = np.searchsorted(flat, (rank + shift).ravel(), side="left" if closed else "right")
    place = place.reshape(rank.shape) - np.arange(upto.shape[1]) * len(upto)
    return np.minimum(place, len(upto) - 1)


def _equal_mass(levels, total, upto: Array, upto_wrong) -> Array:
    """Equal-mass ECE of each replicate, (R,); arguments from :func:`_levels`, the last two summed from the top."""
    rows = upto[-1]
    claimed = np.cumsum(total * levels[:, None], axis=0)

    def gap(level):
        terms = (np.take_along_axis(sums, level, axis=0) for sums in (upto, upto_wrong, claimed))
        return reduce(np.subtract, terms)

    # Cuts just above the value of ascending rank ⌊(n−1)·b/10⌋, the decile or what lies under it.
    cut = np.arange(1, metrics.N_BINS)[:, None]
    rank = rows - 1 - np.floor_divide((rows - 1) * cut, metrics.N_BINS)
    level = _level_of(upto, np.maximum(rank, 0), closed=False)
    above = np.where(level > 0, gap(np.maximum(level - 1, 0)), 0.0)
    top_level = np.full((1, len(rows)), len(upto) - 1)
    marks = np.concatenate([gap(top_level), above, np.zeros((1, len(rows)))])
    return proportions.ratio(np.abs(np.diff(marks, axis=0)).sum(axis=0), rows)


def _harmonic(rows: Array) -> Array:
    """Harmonic numbers H_0…H_n for n the greatest of ``rows``, shape (n + 1,)."""
    most = int(rows.max())
    return np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])


def _area(total, wrong, upto: Array, upto_wrong) -> Array:
    # Over m equal confidences with e wrong, after N rows with E wrong:
    # Σ_j (E + j·e/m)/(N + j) = e + (E − N·e/m)·(H_{N+m} − H_N) = e + (E' − N'·e/m)·(…)
    # with E' = E + e and N' = N + m, the counts up to and with them.
    """AURC of each replicate, (R,), averaged over orders of equal confidences."""
    span = _harmonic(upto[-1])[upto.astype(np.intp)]
    span[1:] -= span[:-1]
    part = wrong / np.maximum(total, 1)
    part *= upto
    np.subtract(upto_wrong, part, out=part)
    part *= span
    return proportions.ratio(upto_wrong[-1] + part.sum(axis=0), upto[-1])


def _least_area(rows: Array, rights: Array) -> Array:
    """AURC of each replicate with every wrong answer last, (R,)."""
    harmonic = _harmonic(rows)
    n, right = rows.astype(np.intp), rights.astype(np.intp)
    return proportions.ratio(rows - rights - rights * (harmonic[n] - harmonic[right]), rows)


def cosine_sums(g: Array, c: Array, code: Array, n_questions: int, modes: int) -> Array:
    """Σ (g − c)·cos(kπc) over the rows (N,) of each question ``code``, k = 0…modes−1: array (Q, modes).

    The reflected Gaussian kernel is the heat kernel of [0, 1] with insulated ends,
    K_σ(t, c) = 1 + 2 Σ_k exp(−(kπσ)²/2)·cos(kπt)·cos(kπc): these sums are all that it needs of the
    data, at any bandwidth, and they add up over questions.
    """
    order = np.argsort(code, kind="stable")
    c, residual, code = c[order], (g - c)[order], code[order]
    cosines = np.zeros((n_questions, modes))
    step = max(1, _ELEMENTS // modes)
    for start in range(0, len(c), step):
        part = slice(start, start + step)
        waves = np.cos(np.pi * np.outer(c[part], np.arange(modes))) * residual[part, None]
        starts = np.flatnonzero(np.diff(code[part], prepend=-1))
        cosines[code[part][starts]] += np.add.reduceat(waves, starts, axis=0)
    return cosines


def smoothed_error(mass: Array, sigma: Array) -> Array:
    """smECE_σ of each replicate, (R,), from its cosine means ``mass`` (R, modes) and its bandwidth ``sigma`` (R,)."""
    from scipy.fft import dct

    modes = mass.shape[1]
    damped = mass * np.exp(-0.5 * (np.pi * np.outer(sigma, np.arange(modes))) ** 2)
    # The transform sums x_0 + 2 Σ x_k cos(kπt) at the midpoints of 4·modes cells.
    return np.abs(dct(damped, type=3, n=4 * modes, axis=1)).mean(axis=1)


def smooth_ece_draws(weights: Array, g: Array, c: Array, code: Array) -> Array:
    """SmoothECE (Błasiok & Nakkiran 2023) of replicates, (R,): the σ with smECE_σ = σ, to 1e-6; nan if none is drawn.

    Arguments as in :func:`answer_draws`. smECE_σ = ∫₀¹ |(1/N) Σ_i (g_i − c_i)·K_σ(t, c_i)| dt, K_σ the
    Gaussian kernel reflected at 0 and 1. It falls in σ, so that there is one solution. Below :data:`FINEST`
    it is smECE at that bandwidth, a lower bound of σ as :data:`FINEST` is an upper one.
    """
    from scipy.optimize.elementwise import find_root

    g, c = _float_arrays(g, c)
    n_questions = weights.shape[1]
    rows = weights @ np.bincount(code, minlength=n_questions)
    bandwidths = np.full(len(weights), np.nan)
    open_ = np.flatnonzero(rows > 0)
    modes = MODES
    while len(open_):
        mass = weights[open_] @ cosine_sums(g, c, code, n_questions, modes) / rows[open_, None]
        least = _REACH / modes
        wider = smoothed_error(mass, np.full(len(open_), least)) >= least
        inside = np.flatnonzero(wider)
        if len(inside):
            root = find_root(
                lambda sigma, row, mass=mass: smoothed_error(mass[row], sigma) - sigma,
                (np.full(len(inside), least), np.ones(len(inside))),
                args=(inside,),
                tolerances={"xatol": 1e-6, "xrtol": 0, "fatol": 1e-6, "frtol": 0},
            )
            bandwidths[open_[inside]] = root.x
        unresolved = np.flatnonzero(~wider)
        if modes == MOST_MODES:
            # Below the finest bandwidth resolved: what it is there bounds it from below, as it falls.
            bandwidths[open_[unresolved]] = smoothed_error(mass[unresolved], np.full(len(unresolved), least))
            break
        open_, modes = open_[unresolved], modes * 2
    return bandwidths


def answer_draws(weights, g, c, code, edges: str = "exact") -> dict[str, Array]:
    """Metric → replicates (R,) of the proper scores that rest on answers and confidences alone, but ``log_score_clipped``.

    ``weights`` (R, Q): whole numbers, how often each question is drawn, the first row all ones. ``g`` right
    or not, ``c`` confidence and ``code`` question from 0: arrays (N,). ``edges``: exact or released
    (:func:`.metrics.confidence_bins`). SmoothECE and :func:`rank_scores` have the first row and at most
    :data:`SORTED_REPLICATES` more. The log score is inf where an answer of probability 0 is drawn.
    """
    losses = log_losses(g, c)
    certain = np.isinf(losses)
    size = weights.shape[1]
    plain = np.bincount(code, np.where(certain, 0.0, losses), size)
    rows = np.bincount(code, minlength=size).astype(float)
    log_scores = resample.ratio_draws(weights, plain, rows)
    log_scores[weights @ np.bincount(code, certain, size) > 0] = np.inf
    ordered = weights[: SORTED_REPLICATES + 1]
    return (
        {"log_score": log_scores, "ece_smooth": smooth_ece_draws(ordered, g, c, code)}
        | binned_scores(weights, bin_sums(g, c, code, size, edges))
        | rank_scores(ordered, g, c, code)
    )
