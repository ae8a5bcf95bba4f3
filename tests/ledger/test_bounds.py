"""Bounds of printed scores: no model leaves them, explicit models reach them, and linprog agrees."""

from __future__ import annotations

import numpy as np
import pytest
from calscore.ledger import bounds
from calscore.scores import metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger.paper import model, scores
from scipy.optimize import linprog

LENGTHS = st.lists(st.integers(1, 6), min_size=1, max_size=7)
SEEDS = st.integers(0, 2**32 - 1)
DEFINITIONS = st.sampled_from(["paper", "release"])


def curve(lengths, rng):
    """A human curve with values at both ends now and then, and the first clue of each question."""
    h = np.concatenate(
        [
            rng.choice([0.0, 1.0, 0.5], n) if rng.random() < 0.3 else np.sort(rng.random(n))
            for n in lengths
        ]
    )
    return h, np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(int)


def inverse_renormalise(u):
    """The x with :func:`metrics.renormalise` (x) = u, for u in [0, 1]."""
    s = 1 / (1 + np.e) + np.asarray(u, dtype=float) * np.tanh(0.5)
    return np.clip(np.log(s / (1 - s)), -1.0, 1.0)


def witness(h, starts, definition: str, mce: float, end: str) -> np.ndarray:
    """Signed confidences g·c, shape (N,), of a model with this MCE and (nearly) extreme CalScore.

    ``end``: ``lowest`` or ``highest`` CalScore. The pieces of the merged frontier are taken in
    order until MCE is met; at most one question ends inside a piece (Frontier.gap).
    """
    h, starts = np.asarray(h, dtype=float), np.asarray(starts)
    if end == "highest":
        if definition == "release":
            full = np.ones(len(h))
            return full - witness(h, starts, definition, 1.0 - mce, "lowest")
        return -witness(h, starts, definition, 1.0 - mce, "lowest")
    sizes = np.diff(np.append(starts, len(h)))
    count, budget = len(starts), 1.0 - mce
    if definition == "release":
        weight = np.repeat(1.0 / (count * sizes), sizes)
        order = np.argsort(h, kind="stable")
        before = np.cumsum(weight[order]) - weight[order]
        x = np.empty(len(h))
        x[order] = np.clip((budget - before) / weight[order], 0.0, 1.0)
        return x
    pieces = []
    for q, (first, size) in enumerate(zip(starts, sizes, strict=True)):
        _, u, f = bounds._question(h[first : first + size])
        corner = bounds.majorant(u, f)
        du, df = np.diff(u[corner]), np.diff(f[corner])
        pieces += [(-s, q, i, d) for i, (s, d) in enumerate(zip(df / du, du, strict=True))]
    spent, left = np.zeros(count), budget * count
    for _, q, _, d in sorted(pieces):
        step = min(d, left)
        spent[q] += step
        left -= step
    x = np.empty(len(h))
    for q, (first, size) in enumerate(zip(starts, sizes, strict=True)):
        raised = (float(inverse_renormalise(spent[q])) + 1.0) * size / 2.0
        order = np.argsort(h[first : first + size], kind="stable")
        x[first + order] = 2.0 * np.clip(raised - np.arange(size), 0.0, 1.0) - 1.0
    return x


@settings(max_examples=80, deadline=None)
@given(LENGTHS, SEEDS, DEFINITIONS)
def test_no_model_leaves_the_joint_range(lengths, seed, definition):
    rng = np.random.default_rng(seed)
    h, starts = curve(lengths, rng)
    frontier = bounds.adjusted_frontier(h, starts, definition)
    for _ in range(10):
        x = model(len(h), rng, definition)
        mce, calscore = scores(x, h, starts, definition)
        low, high = bounds.calscore_given_mce(frontier, (mce, mce))
        assert low - 1e-9 <= calscore <= high + 1e-9
        low, high = bounds.mce_given_calscore(frontier, (calscore, calscore))
        assert low - 1e-9 <= mce <= high + 1e-9


@pytest.mark.parametrize("definition", ["paper", "release"])
@pytest.mark.parametrize("sure", ["right", "wrong"])
def test_the_most_extreme_models_are_inside(definition, sure):
    """MCE 0 and 1 lie on the ends of the frontier, which are sums of many floating-point pieces."""
    for seed in range(25):
        rng = np.random.default_rng(seed)
        lengths = rng.integers(1, 9, 30).tolist()
        h, starts = curve(lengths, rng)
        worst = -1.0 if definition == "paper" else 0.0
        x = np.full(len(h), 1.0 if sure == "right" else worst)
        mce, calscore = scores(x, h, starts, definition)
        frontier = bounds.adjusted_frontier(h, starts, definition)
        low, high = bounds.calscore_given_mce(frontier, (mce, mce))
        assert low - 1e-9 <= calscore <= high + 1e-9
        low, high = bounds.mce_given_calscore(frontier, (calscore, calscore))
        assert low - 1e-9 <= mce <= high + 1e-9
        assert not np.isnan(bounds.signed_given_mce(lengths, definition, (mce, mce))).any()


@settings(max_examples=60, deadline=None)
@given(LENGTHS, SEEDS, DEFINITIONS, st.floats(0.02, 0.98))
def test_explicit_models_reach_both_ends(lengths, seed, definition, mce):
    rng = np.random.default_rng(seed)
    h, starts = curve(lengths, rng)
    frontier = bounds.adjusted_frontier(h, starts, definition)
    low, high = bounds.calscore_given_mce(frontier, (mce, mce))
    for end, bound in (("lowest", low), ("highest", high)):
        x = witness(h, starts, definition, mce, end)
        found, calscore = scores(x, h, starts, definition)
        assert found == pytest.approx(mce, abs=1e-9)
        assert abs(calscore - bound) <= frontier.gap + frontier.error + 1e-9
    if definition == "release":
        assert frontier.gap == 0.0
    assert low <= high


def test_the_gap_shrinks_with_the_number_of_questions():
    rng = np.random.default_rng(4)
    h, starts = curve([5] * 200, rng)
    assert bounds.adjusted_frontier(h, starts, "paper").gap < 2e-4


def test_release_joint_range_is_the_linear_program():
    rng = np.random.default_rng(8)
    h, starts = curve([3, 1, 5, 4], rng)
    sizes = np.array([3, 1, 5, 4])
    weight = np.repeat(1 / (4 * sizes), sizes)
    frontier = bounds.adjusted_frontier(h, starts, "release")
    for low, high in ((0.3, 0.3), (0.55, 0.6), (0.0, 1.0)):
        ends = []
        for sign in (1, -1):
            # CalScore = 1 − Σ w(1−h)x with 1 − Σ wx in [low, high].
            found = linprog(
                sign * -weight * (1 - h),
                A_ub=[weight, -weight],
                b_ub=[1 - low, high - 1],
                bounds=(0, 1),
            )
            ends.append(1 + sign * found.fun)
        assert bounds.calscore_given_mce(frontier, (low, high)) == pytest.approx(ends, abs=1e-9)


def test_paper_joint_range_is_the_relaxed_linear_program():
    """Over mixtures of each question's grid points: the dual of the coupled problem, by HiGHS."""
    rng = np.random.default_rng(9)
    lengths = [3, 2, 4]
    h, starts = curve(lengths, rng)
    frontier = bounds.adjusted_frontier(h, starts, "paper")
    us, fs = [], []
    for first, size in zip(starts, lengths, strict=True):
        _, u, f = bounds._question(h[first : first + size])
        us.append(u)
        fs.append(f)
    rows = np.zeros((3, sum(map(len, us))))
    at = np.cumsum([0, *map(len, us)])
    for q in range(3):
        rows[q, at[q] : at[q + 1]] = 1
    u, f = np.concatenate(us) / 3, np.concatenate(fs) / 3
    for mce in (0.2, 0.5, 0.83):
        found = linprog(-f, A_eq=np.vstack([rows, u]), b_eq=[1, 1, 1, 1 - mce])
        low, _ = bounds.calscore_given_mce(frontier, (mce, mce))
        assert low == pytest.approx(1 + found.fun - frontier.error, abs=1e-9)


def test_renormalisation_is_inverted():
    x = np.linspace(-1, 1, 41)
    assert inverse_renormalise(metrics.renormalise(x)) == pytest.approx(x, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(LENGTHS, SEEDS, DEFINITIONS)
def test_no_model_leaves_the_range_of_signed_confidence(lengths, seed, definition):
    rng = np.random.default_rng(seed)
    h, starts = curve(lengths, rng)
    for _ in range(5):
        x = model(len(h), rng, definition)
        mce, _ = scores(x, h, starts, definition)
        rows = x if definition == "paper" else x[np.append(starts[1:], len(x)) - 1]
        low, high = bounds.signed_given_mce(lengths, definition, (mce, mce))
        assert low - 1e-9 <= rows.mean() <= high + 1e-9


def test_range_of_signed_confidence_is_reached():
    """Questions of equal length with the same mean, or of one kind each, at the ends."""
    sizes = [4] * 50
    low, high = bounds.signed_given_mce(sizes, "paper", (0.8, 0.8))
    same = float(inverse_renormalise(0.2))
    assert low - 1e-5 <= same <= high
    # r is convex below 0, so equal questions give the least error; the majorant mixes sure ones in.
    assert min(abs(same - low), abs(same - high)) < 2e-5


def _rows(rng, n):
    """Correctness and confidence of some model: calibrated, sure, or neither."""
    c = rng.choice([0.0, 0.25, 0.3, 0.5, 1.0], n) if rng.random() < 0.4 else rng.random(n)
    if rng.random() < 0.3:
        c = np.round(c, 1)
    return rng.random(n) < (c if rng.random() < 0.5 else rng.random()), c


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), SEEDS, DEFINITIONS)
def test_no_model_leaves_the_ranges_of_ece_brier_and_accuracy(n, seed, definition):
    rng = np.random.default_rng(seed)
    g, c = _rows(rng, n)
    edges = "released" if definition == "release" else "exact"
    signed = (np.where(g, c, -c) if definition == "paper" else g * c).mean()
    values = {
        "ece": metrics.ece(g, c, edges),
        "brier": metrics.brier(g, c),
        "accuracy": g.mean(),
        "signed": signed,
    }
    values = {name: float(value) for name, value in values.items()}
    for target, others in (
        ("ece", ["brier", "signed"]),
        ("brier", ["ece"]),
        ("brier", ["ece", "signed"]),
        ("accuracy", ["ece", "brier"]),
    ):
        given_ = tuple((o, (values[o] - 1e-9, values[o] + 1e-9)) for o in others)
        low, high = bounds.joint_range(target, definition, given_)
        assert low - 1e-7 <= values[target] <= high + 1e-7, (target, others)


def test_ends_of_brier_given_ece_are_reached():
    low, high = bounds.joint_range("brier", "paper", (("ece", (0.4, 0.4)),))
    # All wrong at confidence .4: Brier = ECE². And .6 mixed so that its bin has no gap, .4 sure and wrong.
    c, g = np.full(10, 0.4), np.zeros(10, bool)
    assert metrics.ece(g, c) == pytest.approx(0.4)
    assert metrics.brier(g, c) == pytest.approx(0.16)
    assert 0 <= 0.16 - low <= bounds.BRIER_ERROR + 3 * bounds.SOLVER
    near = 0.6 - 1e-9  # the open end of its bin
    share = near / (near + 0.5)
    n = 200_000
    right = round(0.6 * n * share)
    wrong = round(0.6 * n) - right
    c = np.concatenate([np.full(right, 0.5), np.full(wrong, near), np.ones(round(0.4 * n))])
    g = np.arange(len(c)) < right
    assert metrics.ece(g, c) == pytest.approx(0.4, abs=1e-5)
    assert metrics.brier(g, c) == pytest.approx(high, abs=1e-5)
    assert high == pytest.approx(0.3 + 0.7 * 0.4, abs=3e-6)


def test_released_bins_hide_any_error():
    """Confidence 0 shares a bin with 1: wrong at 1 and right at 0 cancel, ECE 0 with Brier 1."""
    g, c = np.array([1, 0]), np.array([0.0, 1.0])
    assert (metrics.ece(g, c, "released"), metrics.brier(g, c)) == (0.0, 1.0)
    assert bounds.joint_range("brier", "release", (("ece", (0.0, 0.0)),))[1] == pytest.approx(
        1, abs=3e-6
    )
    assert bounds.joint_range("brier", "paper", (("ece", (0.0, 0.0)),))[1] == pytest.approx(
        0.3, abs=3e-6
    )


def test_contradicting_conditions_leave_nothing():
    found = bounds.joint_range("accuracy", "paper", (("brier", (0.0, 0.1)), ("ece", (0.5, 0.6))))
    assert np.isnan(found).all()
    frontier = bounds.adjusted_frontier(np.array([0.5, 1.0]), np.array([0]), "paper")
    assert np.isnan(bounds.calscore_given_mce(frontier, (1.1, 1.2))).all()
    assert np.isnan(bounds.mce_given_calscore(frontier, (0.9, 0.95))).all()


@pytest.mark.parametrize(
    ("value", "n", "fits"),
    [(0.5219, 343, True), (0.5219, 240, False), (0.0749, 227, True), (1.0, 7, True)],
)
def test_counts(value, n, fits):
    low, high = bounds.counts_within((value - 5e-5, value + 5e-5), n)
    brute = [k for k in range(n + 1) if abs(k / n - value) <= 5e-5 + 1e-12]
    assert list(range(low, min(high, n) + 1)) == brute
    assert bool(brute) == fits


def test_smallest_total_by_brute_force():
    shares = [(v - 5e-5, v + 5e-5) for v in (0.3913, 0.2174, 0.5217)]
    fits = [
        n
        for n in range(1, 60)
        if all(any(lo <= k / n <= hi for k in range(n + 1)) for lo, hi in shares)
    ]
    assert bounds.smallest_total(shares, 1000) == fits[0] == 23
    assert bounds.smallest_total(shares, 22) is None


def test_ranks_allow_ties_of_rounded_values():
    values = [(0.10, 0.11), (0.11, 0.12), (0.3, 0.31)]
    ranges = [bounds.rank_range(v, values[:i] + values[i + 1 :]) for i, v in enumerate(values)]
    assert ranges == [(1, 1), (1, 2), (3, 3)]
    tie = (0.2, 0.21)
    assert bounds.rank_range(tie, [tie, (0.5, 0.51)]) == (1, 2)


def test_part_given_total():
    low, high = bounds.part_given_total((0.5, 0.5), [(30, (0.6, 0.6))], 10)
    assert (low, high) == (pytest.approx(0.2), pytest.approx(0.2))
    low, high = bounds.part_given_total((0.49, 0.51), [(30, (0.59, 0.61))], 10)
    assert (low, high) == (pytest.approx(0.13), pytest.approx(0.27))
