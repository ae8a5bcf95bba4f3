"""Intervals, paired tests and ranks from resampling, as matrix products over per-unit sums.

The statistic of :class:`Sums` is a ratio of sums over questions, or of absolute values of such sums (ECE). A
replicate is a vector of weights over questions, so all replicates of all series are one matrix product: no
statistic is computed replicate by replicate.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .proportions import ratio


class Sums(NamedTuple):
    """Per-question sums of one metric for S series over Q questions.

    ``numerator`` (S, Q, k), ``denominator`` (S, Q), both 0 where a series lacks a question. The statistic is Σ
    numerator / Σ denominator for k = 1, and Σ_k |Σ numerator| / Σ denominator for the k bins of an ECE.
    """

    numerator: np.ndarray
    denominator: np.ndarray

    @property
    def present(self) -> np.ndarray:
        """Which series has which question, boolean (S, Q)."""
        return self.denominator > 0


class Interval(NamedTuple):
    """Bootstrap standard error, percentile bounds and BCa bounds of each statistic, arrays (S,)."""

    se: np.ndarray
    low: np.ndarray
    high: np.ndarray
    bca_low: np.ndarray
    bca_high: np.ndarray


def group_folds(labels: ArrayLike, n: int, seed: int) -> np.ndarray:
    """Fold 0…n−1 of each of ``labels`` (N,): equal labels share one; folds differ by at most one distinct label."""
    names, codes = np.unique(np.asarray(labels), return_inverse=True)
    return (np.random.default_rng(seed).permutation(len(names)) % n)[codes]


def bootstrap_weights(n_units: int, replicates: int, seed) -> np.ndarray:
    """How often each unit is drawn in each replicate: floats (replicates, n_units), rows sum to n_units.

    ``seed``: anything that ``numpy.random.default_rng`` takes.
    """
    return _counts(np.random.default_rng(seed), n_units, replicates).astype(float)


def _counts(rng, n_units: int, replicates: int) -> np.ndarray:
    """The next replicates of :func:`bootstrap_weights`, as whole numbers."""
    drawn = rng.integers(0, n_units, size=(replicates, n_units), dtype=np.int32)
    drawn += np.arange(replicates, dtype=np.int32)[:, None] * n_units
    counts = np.bincount(drawn.ravel(), minlength=replicates * n_units)
    return counts.reshape(replicates, n_units)


_DRAWN_TOGETHER = 5_000_000
"""Units of replicates that are drawn at a time where not all weights are kept in memory."""


def weights_by_part(
    n_units: int, replicates: int, seed, folder: Path | None = None
) -> Callable[[slice], np.ndarray]:
    """A function from a slice of k units to their columns of :func:`bootstrap_weights`, shape (R, k).

    The weights lie in the file ``weights.npy`` of ``folder``, a byte each, or in memory where it is None.
    """
    if folder is None:
        weights = bootstrap_weights(n_units, replicates, seed)
        return lambda part: weights[:, part]
    path, rng = folder / "weights.npy", np.random.default_rng(seed)
    np.lib.format.open_memmap(path, "w+", np.uint8, (replicates, n_units))
    step = max(1, _DRAWN_TOGETHER // n_units)
    for start in range(0, replicates, step):
        count = min(step, replicates - start)
        # As many as 255 of one unit never come up among the many units of a study that needs a file.
        # Opened for each part: what is mapped counts as memory.
        np.load(path, mmap_mode="r+")[start : start + count] = _counts(rng, n_units, count)
    return lambda part: np.load(path, mmap_mode="r")[:, part].astype(float)


def percentile_interval(draws: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """(low, high): percentile bounds over the first axis of ``draws``, which is dropped; nan where any draw is nan."""
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def ratio_draws(weights: np.ndarray, numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Σ w·numerator / Σ w·denominator for each replicate, (R,) or (R, k); nan where the denominator is not positive.

    ``weights`` (R, Q); ``numerator`` and ``denominator`` are per-question sums, shape (Q,) or (Q, k).
    """
    return ratio(weights @ numerator, weights @ denominator)


def ratio_statistic(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Σ ``numerator`` (S, k, …) over the second axis / ``denominator`` (S, …); nan where that is not above 0.

    With k > 1 (bins of an ECE) absolute values are summed. Shape (S, …).
    """
    top = numerator[:, 0] if numerator.shape[1] == 1 else np.abs(numerator).sum(axis=1)
    return ratio(top, denominator)


def weighted_sums(sums: Sums, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Σ_q w·numerator, shape (S, k, R), and Σ_q w·denominator, shape (S, R), for ``weights`` (R, Q), a replicate a row."""
    series, questions, k = sums.numerator.shape
    flat = sums.numerator.transpose(0, 2, 1).reshape(series * k, questions)
    # The denominator is the same for most series: multiply each distinct one once.
    distinct, place = sums.denominator[:1], np.zeros(series, dtype=int)
    if (sums.denominator != distinct).any():
        distinct, place = np.unique(sums.denominator, axis=0, return_inverse=True)
    drawn = np.vstack([flat, distinct]) @ weights.T
    top = drawn[: series * k].reshape(series, k, len(weights))
    return top, drawn[series * k :][place.ravel()]


def estimate(sums: Sums) -> np.ndarray:
    """The statistic of each series on the data as they are, shape (S,); nan for a series without questions."""
    return ratio_statistic(sums.numerator.sum(axis=1), sums.denominator.sum(axis=1))


def bootstrap_replicates(sums: Sums, weights: np.ndarray) -> np.ndarray:
    """The statistic of each series in each replicate, shape (S, R); nan where nothing was drawn."""
    return ratio_statistic(*weighted_sums(sums, weights))


def jackknife(sums: Sums) -> np.ndarray:
    """The statistic of each series without each of its questions, (S, Q); nan for one it lacks, or its only one."""
    rest_sums = sums.numerator.sum(axis=1)[:, None, :] - sums.numerator
    under = sums.denominator.sum(axis=1)[:, None] - sums.denominator
    return np.where(sums.present, ratio_statistic(rest_sums.transpose(0, 2, 1), under), np.nan)


def _row_quantiles(ordered: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Quantiles of sorted rows (…, R) at a ``share`` per row (…,), which is cut to [0, 1]; linear; nan for a share of nan."""
    place = np.clip(share, 0, 1) * (ordered.shape[-1] - 1)
    below = np.floor(np.where(np.isnan(place), 0, place)).astype(int)
    above = np.minimum(below + 1, ordered.shape[-1] - 1)
    lower = np.take_along_axis(ordered, below[..., None], axis=-1)[..., 0]
    second = np.take_along_axis(ordered, above[..., None], axis=-1)[..., 0]
    return lower + (place - below) * (second - lower)


def intervals(drawn: np.ndarray, value: np.ndarray, left_out: np.ndarray, level: float) -> Interval:
    """Percentile and BCa intervals (Efron 1987) of statistics ``value`` (S,) from replicates ``drawn`` (S, R).

    ``left_out``: jackknife values (S, Q), nan for questions that a series lacks. Replicates of nan are left
    out. Bounds and se are nan where fewer than two questions or no replicates carry the statistic. BCa's are
    nan also where all replicates lie on one side of it, unless all are equal.
    """
    from scipy.special import ndtr, ndtri

    drawn = np.atleast_2d(drawn)
    ordered = np.sort(drawn, axis=-1)
    # nan sorts to the end; a row with some is redone over what it has.
    if np.isnan(ordered[:, -1]).any():
        rows = [
            intervals(d[None, np.isfinite(d)], v[None], j[None], level)
            if np.isfinite(d).any()
            else Interval(*[np.array([np.nan])] * 5)
            for d, v, j in zip(drawn, value, left_out, strict=True)
        ]
        return Interval(*(np.concatenate(column) for column in zip(*rows, strict=True)))
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    finite = np.isfinite(left_out)
    count = finite.sum(axis=1)
    enough = count > 1
    low, high = (np.where(enough, _row_quantiles(ordered, np.full(len(ordered), t)), np.nan) for t in tails)
    se = np.where(enough, ordered.std(axis=-1, ddof=1), np.nan)
    middle = np.where(finite, left_out, 0).sum(axis=1) / np.maximum(count, 1)
    spread = np.where(finite, middle[:, None] - left_out, 0.0)
    square = (spread**2).sum(axis=1)
    power = 6 * square**1.5
    acceleration = np.divide((spread**3).sum(axis=1), power, out=np.zeros(len(power)), where=power > 0)
    # Ties with the value count half, so that a lattice of values is not taken for a bias; sums that differ by the
    # order of their terms alone are ties too.
    near, far = (value + 1e-12)[:, None], (value - 1e-12)[:, None]
    below = ((ordered < far).mean(axis=1) + (ordered <= near).mean(axis=1)) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        bias = ndtri(below)
        moved = bias[:, None] + ndtri(tails)[None, :]
        share = ndtr(bias[:, None] + moved / (1 - acceleration[:, None] * moved))
    constant = ordered[:, 0] == ordered[:, -1]
    usable = enough & (np.isfinite(bias) | constant)
    share = np.where(constant[:, None], 0.5, share)
    bca_low, bca_high = (np.where(usable, _row_quantiles(ordered, share[:, i]), np.nan) for i in (0, 1))
    return Interval(se, low, high, bca_low, bca_high)


def _student_quantile(n, level: float) -> np.ndarray:
    """Quantile (1 + level)/2 of Student's t with n − 1 degrees of freedom; nan for n below two."""
    from scipy.special import stdtrit

    n = np.asarray(n, dtype=float)
    return np.where(n > 1, stdtrit(np.maximum(n - 1, 1), (1 + level) / 2), np.nan)


def t_interval_jackknife(
    value: np.ndarray, left_out: np.ndarray, level: float
) -> tuple[np.ndarray, np.ndarray]:
    """(low, high) of Student's t interval of statistics ``value`` (S,), from their jackknife standard errors.

    ``left_out``: jackknife values (S, Q), nan where a series lacks a question; bounds are nan for fewer than two. For a
    mean over questions it is the t interval of the mean. Percentiles of few values are too narrow.
    """
    finite = np.isfinite(left_out)
    n = finite.sum(axis=1)
    middle = np.where(finite, left_out, 0).sum(axis=1) / np.maximum(n, 1)
    square = (np.where(finite, left_out - middle[:, None], 0) ** 2).sum(axis=1)
    half = _student_quantile(n, level) * np.sqrt(square * (n - 1) / np.maximum(n, 1))
    return value - half, value + half


def student_factor(n: ArrayLike, level: float) -> np.ndarray:
    """Width of Student's t interval of a mean of n units divided by that of its bootstrap; nan for n below two.

    It has the shape of ``n``.
    """
    from scipy.special import ndtri

    n = np.asarray(n, dtype=float)
    return _student_quantile(n, level) / ndtri((1 + level) / 2) * np.sqrt(n / np.maximum(n - 1, 1))


def inflate_to_t(value: float, drawn: np.ndarray, n: int, level: float) -> np.ndarray:
    """Replicates ``drawn`` (R,) of a share, their distance from its ``value`` times :func:`student_factor` of n questions.

    All nan where the share is 0, 1 or nan, or n is below two: such draws do not say how sure it is.
    """
    return value + (student_factor(n, level) if 0 < value < 1 else np.nan) * (drawn - value)


def index_pairs(n_series: int) -> np.ndarray:
    """All pairs a < b of the numbers 0…``n_series``−1, shape (P, 2), in lexical order."""
    return np.array(list(combinations(range(n_series), 2)), dtype=int).reshape(-1, 2)


def restrict(sums: Sums, series: np.ndarray, questions: np.ndarray) -> Sums:
    """The sums of the series at indices ``series`` (k,), set to 0 outside ``questions`` (a mask (Q,))."""
    mask = questions[None, :]
    return Sums(sums.numerator[series] * mask[..., None], sums.denominator[series] * mask)


def distinct_rows(masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of a boolean array (N, k): (index of the first of each distinct row (U,), number of its distinct row for each (N,))."""
    # Eight of a row in a byte: as booleans np.unique sorts slowly.
    bits = np.packbits(masks, axis=1)
    _, places, group = np.unique(bits, axis=0, return_index=True, return_inverse=True)
    return places, group.ravel()


def pairwise_complete(sums: Sums, pairs: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Groups ``pairs`` (P, 2) by the questions that both series have, maybe none; yields (mask (Q,), indices into ``pairs``)."""
    present = sums.present
    both = present[pairs[:, 0]] & present[pairs[:, 1]]
    # Most often all pairs have the same questions.
    places, inverse = np.zeros(len(both[:1]), dtype=int), np.zeros(len(both), dtype=int)
    if (both != both[:1]).any():
        places, inverse = distinct_rows(both)
    for number, mask in enumerate(both[places]):
        yield mask, np.flatnonzero(inverse == number)


def _paired_sums(sums: Sums, pairs: np.ndarray) -> Iterator[tuple]:
    """:func:`pairwise_complete` pairs that share a question: yields (number of shared questions, places in ``pairs``, sums
    of the series among them on these questions, the two series of each pair there)."""
    for mask, places in pairwise_complete(sums, pairs):
        if mask.any():
            members, local = np.unique(pairs[places], return_inverse=True)
            yield mask.sum(), places, restrict(sums, members, mask), local.reshape(-1, 2).T


def prob_less(drawn: np.ndarray) -> np.ndarray:
    """Share of the replicates of each difference ``drawn`` (P, R) in which it is below 0, shape (P,).

    Ties, within 1e-12, count half. Infinite differences count, nan ones are left out; nan where all are.
    """
    ties = np.isclose(drawn, 0, atol=1e-12)
    defined = (~np.isnan(drawn)).sum(axis=1)
    lower = ((drawn < 0) & ~ties).sum(axis=1) + ties.sum(axis=1) / 2
    return ratio(lower, defined)


def series_differences(
    sums: Sums, pairs: np.ndarray, weights: np.ndarray, level: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, Interval, np.ndarray]:
    """Paired differences a − b of the statistic for ``pairs`` (P, 2) of series, over the questions that both have.

    Returns (difference (P,), number of shared questions (P,), share of replicates in which a is lower, ties half (P,),
    :class:`Interval`, difference in each replicate (P, R)). Without a shared question the number is 0, all else nan.
    """
    size = len(pairs)
    value, count, lower = np.full(size, np.nan), np.zeros(size, dtype=int), np.full(size, np.nan)
    draws_of_pairs = np.full((size, len(weights)), np.nan)
    bounds = Interval(*(np.full(size, np.nan) for _ in range(5)))
    for shared, places, part, (a, b) in _paired_sums(sums, pairs):
        values, left_out = estimate(part), jackknife(part)
        drawn = bootstrap_replicates(part, weights)
        count[places], value[places] = shared, values[a] - values[b]
        drawn = drawn[a] - drawn[b]
        draws_of_pairs[places], lower[places] = drawn, prob_less(drawn)
        for target, bound in zip(
            bounds, intervals(drawn, value[places], left_out[a] - left_out[b], level), strict=True
        ):
            target[places] = bound
    return value, count, lower, bounds, draws_of_pairs


def t_interval_differences(sums: Sums, pairs: np.ndarray, value, level: float) -> np.ndarray:
    """(low, high) of :func:`t_interval_jackknife` for differences ``value`` (P,) of ``pairs`` (P, 2): shape (2, P).

    nan with fewer than two shared questions.
    """
    ends = np.full((2, len(pairs)), np.nan)
    for _, places, part, (a, b) in _paired_sums(sums, pairs):
        left_out = jackknife(part)
        ends[:, places] = t_interval_jackknife(value[places], left_out[a] - left_out[b], level)
    return ends


def simultaneous_intervals(drawn: np.ndarray, value: np.ndarray, level: float) -> np.ndarray:
    """Intervals value ± c·se that hold for a whole family at once (max-t), shape (2, P).

    c is the quantile at ``level``, over replicates ``drawn`` (P, R), of the largest |draw − value|/se. nan for
    statistics without value or spread, or with a replicate of nan; c leaves them out.
    """
    se = drawn.std(axis=1, ddof=1)
    usable = np.isfinite(value) & (np.nan_to_num(se) > 0)
    ends = np.full((2, len(value)), np.nan)
    if usable.any():
        far = np.abs(drawn[usable] - value[usable, None]) / se[usable, None]
        c = np.quantile(far.max(axis=0), level)
        ends[:, usable] = value[usable] - c * se[usable], value[usable] + c * se[usable]
    return ends


def equivalent_within(drawn: np.ndarray, level: float) -> np.ndarray:
    """The least δ for which two one-sided tests at 1 − level conclude |difference| < δ (Schuirmann 1987).

    It is the end farther from 0 of the percentile interval at 2·level − 1. ``drawn`` (P, R); result (P,).
    """
    low, high = np.quantile(drawn, [1 - level, level], axis=1)
    return np.maximum(np.abs(low), np.abs(high))


def random_signs(n_questions: int, permutations: int, seed) -> np.ndarray:
    """±1.0 with equal chance for each question in each permutation: shape (permutations, n_questions)."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2, size=(permutations, n_questions), dtype=np.int8)
    return bits * 2.0 - 1.0


def sign_flips(sums: Sums, pairs: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Paired sign-flip test: (difference a − b (P,), the same with answers exchanged (P, permutations)).

    ``signs``: from :func:`random_signs`; where −1, the two series exchange their sums of that question, bins of an ECE
    before absolute values are taken. nan for pairs without a shared question.
    """
    observed = np.full(len(pairs), np.nan)
    permuted = np.full((len(pairs), len(signs)), np.nan)
    for _, places, part, (a, b) in _paired_sums(sums, pairs):
        top, bottom = part.numerator.sum(axis=1), part.denominator.sum(axis=1)
        observed[places] = estimate(part)[a] - estimate(part)[b]
        flipped, under = weighted_sums(part, signs)
        half = (flipped[a] - flipped[b]) / 2, (under[a] - under[b]) / 2
        mean = (top[a] + top[b])[:, :, None] / 2, (bottom[a] + bottom[b])[:, None] / 2
        permuted[places] = ratio_statistic(mean[0] + half[0], mean[1] + half[1]) - ratio_statistic(
            mean[0] - half[0], mean[1] - half[1]
        )
    return observed, permuted


def permutation_p(observed: np.ndarray, permuted: np.ndarray) -> np.ndarray:
    """Two-sided p values (P,): (1 + permutations at least as far from 0) / (1 + N); nan where ``observed`` (P,) is.

    ``permuted``: (P, N). Distances within 1e-12 are equal.
    """
    # Exchanges that undo each other differ in the last bits only.
    far = np.abs(permuted) >= (np.abs(observed) - 1e-12)[:, None]
    p = (1 + far.sum(axis=1)) / (1 + permuted.shape[1])
    return np.where(np.isnan(observed), np.nan, p)


def studentise(observed: np.ndarray, permuted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(|``observed``| (P,), |``permuted``| (P, N)), each divided by the root mean square of its ``permuted``; 0 if that is 0."""
    spread = np.sqrt((permuted**2).mean(axis=1))
    scale = np.divide(1.0, spread, out=np.zeros(len(spread)), where=spread > 1e-12)
    return np.abs(observed) * scale, np.abs(permuted) * scale[:, None]


def max_t_p_values(observed: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Single-step max-T p values (P,) (Westfall and Young 1993); nan where ``observed`` is.

    ``observed`` (P,): from :func:`studentise`; ``largest`` (N,): the family's in each permutation; 1e-12 apart is a tie.
    """
    ordered = np.sort(largest)
    above = len(ordered) - np.searchsorted(ordered, observed - 1e-12, side="left")
    return np.where(np.isnan(observed), np.nan, (1 + above) / (1 + len(ordered)))


def question_team_cells(rows, questions, teams, weights: np.ndarray | None = None) -> np.ndarray:
    """Number of ``rows`` of each question and team, or the sum of their ``weights`` (N,), shape (Q, T).

    ``rows``: a frame with question_id and team; ``questions`` and ``teams``: ``pandas.Index`` of all their ids.
    """
    place = questions.get_indexer(rows["question_id"]) * len(teams)
    place = place + teams.get_indexer(rows["team"])
    shape = len(questions), len(teams)
    return np.bincount(place, weights, shape[0] * shape[1]).reshape(shape)


def two_way_replicates(cells: np.ndarray, question_weights=None, team_weights=None) -> np.ndarray:
    """Σ w_q v_t·cell over questions and teams in each replicate, shape (R,).

    ``cells`` (Q, T); weights (R, Q) and (R, T). None counts every unit once, so that the other alone is resampled.
    """
    if team_weights is None:
        return question_weights @ cells.sum(axis=1)
    if question_weights is None:
        return team_weights @ cells.sum(axis=0)
    return (_product(question_weights, cells) * team_weights).sum(axis=1)


_ROWS_AT_A_TIME = 256


def binned_draws(place, bins: np.ndarray, count: int, question_weights, team_weights) -> np.ndarray:
    """Σ w_q v_t over the rows in each of ``count`` bins, in each replicate: shape (R, count).

    ``place``: indices of the rows' questions and teams, two arrays (N,); ``bins`` (N,): the bin of each row, from
    0. Weights (R, Q) and (R, T), whole numbers. The same as :func:`two_way_replicates` of the counts in a bin.
    """
    from scipy.sparse import csr_array

    most = len(bins) * question_weights.max(initial=0) * team_weights.max(initial=0)
    kind = np.float32 if most < 2**24 else np.float64
    w, v = (np.ascontiguousarray(weights.T, kind) for weights in (question_weights, team_weights))
    order = np.lexsort((place[1], bins))
    question, team, bin_of = place[0][order], place[1][order], np.asarray(bins)[order]
    new = np.append(True, (bin_of[1:] != bin_of[:-1]) | (team[1:] != team[:-1]))[: len(bin_of)]
    starts = np.flatnonzero(new)
    shape = len(starts), len(w)
    rows = csr_array((np.ones(len(bin_of), kind), question, np.append(starts, len(bin_of))), shape=shape)
    sums = np.zeros((count, w.shape[1]))
    for start in range(0, len(starts), _ROWS_AT_A_TIME):
        row_starts = starts[start : start + _ROWS_AT_A_TIME]
        part = rows[start : start + len(row_starts)] @ w
        part *= v[team[row_starts]]
        own, begin = np.unique(bin_of[row_starts], return_index=True)
        sums[own] += np.add.reduceat(part, begin, axis=0)
    return sums.T


_SPARSE = 0.02
"""Share of the cells below which zeros are passed over; so few are met only where thousands of teams are."""


def _product(weights, cells) -> np.ndarray:
    """weights @ cells; skips zeros where nearly all cells are 0 and all numbers are whole, so that sums are exact."""
    places = np.nonzero(cells)
    values = cells[places]
    if len(values) >= _SPARSE * cells.size or (values % 1).any() or (weights % 1).any():
        return weights @ cells
    from scipy.sparse import csr_array

    turned = csr_array((values.astype(float), places[::-1]), shape=cells.shape[::-1])
    return (turned @ weights.T).T


def finite_percentile_interval(draws: np.ndarray, level: float) -> tuple[float, float]:
    """(low, high): percentile bounds of the finite ``draws`` (N,), nan where there are none."""
    draws = draws[np.isfinite(draws)]
    return percentile_interval(draws, level) if len(draws) else (np.nan, np.nan)
