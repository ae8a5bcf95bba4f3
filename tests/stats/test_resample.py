"""Resampling against slow, obvious versions of itself; levels by simulation."""

import itertools
import math

import numpy as np
import pytest
from calscore.stats import resample
from calscore.stats.bootstrap import Bootstrap
from scipy import stats


def test_folds_keep_a_group_together():
    labels = [f"q{i % 11}" for i in range(44)]
    fold = resample.group_folds(labels, 3, 0)
    assert all(len(set(fold[i::11])) == 1 for i in range(11))
    assert sorted(np.bincount(fold[:11])) == [3, 4, 4]
    assert (fold != resample.group_folds(labels, 3, 1)).any()


def slow(numerator, denominator, weights):
    """The statistic of one series under one vector of weights, term by term."""
    under = sum(w * d for w, d in zip(weights, denominator, strict=True))
    tops = [
        sum(w * row[k] for w, row in zip(weights, numerator, strict=True)) for k in range(len(numerator[0]))
    ]
    return (tops[0] if len(tops) == 1 else sum(map(abs, tops))) / under if under else math.nan


def sums(rng, series=3, questions=12, k=1, missing=0.2):
    present = rng.random((series, questions)) >= missing
    present[:, 0] = True
    count = present * rng.integers(1, 6, (series, questions))
    return resample.Sums(rng.normal(size=(series, questions, k)) * present[..., None], count * 1.0)


@pytest.mark.parametrize("k", [1, 4])
def test_draws_and_jackknife_agree_with_loops(k):
    one = sums(np.random.default_rng(k), k=k)
    weights = resample.bootstrap_weights(12, 30, 5)
    drawn, left = resample.bootstrap_replicates(one, weights), resample.jackknife(one)
    for s in range(3):
        expected = [slow(one.numerator[s], one.denominator[s], w) for w in weights]
        assert drawn[s] == pytest.approx(expected, abs=1e-12, nan_ok=True)
        for q in range(12):
            without = np.ones(12)
            without[q] = 0
            if one.present[s, q]:
                value = slow(one.numerator[s], one.denominator[s], without)
                assert left[s, q] == pytest.approx(value, abs=1e-12, nan_ok=True)
            else:
                assert np.isnan(left[s, q])


def test_weights_draw_with_replacement():
    weights = resample.bootstrap_weights(50, 4000, 3)
    assert (weights.sum(axis=1) == 50).all()
    assert (weights == resample.bootstrap_weights(50, 4000, 3)).all()
    assert weights.var() == pytest.approx(1 - 1 / 50, abs=0.01)
    assert abs(np.corrcoef(weights[:, 0], weights[:, 1])[0, 1] + 1 / 49) < 0.06


def test_bca_agrees_with_scipy_on_the_same_statistic():
    """scipy draws its own replicates, so bounds agree as far as 40,000 of them go."""
    data = np.random.default_rng(0).exponential(size=20)
    one = resample.Sums(data[None, :, None], np.ones((1, 20)))
    weights = resample.bootstrap_weights(20, 40_000, 1)
    bounds = resample.intervals(
        resample.bootstrap_replicates(one, weights),
        resample.estimate(one),
        resample.jackknife(one),
        0.95,
    )
    expected = stats.bootstrap(
        (data,), np.mean, n_resamples=40_000, method="BCa", random_state=np.random.default_rng(2)
    ).confidence_interval
    assert [bounds.bca_low[0], bounds.bca_high[0]] == pytest.approx(list(expected), abs=0.025)
    # Skewed data: BCa lies above the percentile interval, by more than that tolerance.
    assert bounds.bca_low[0] > bounds.low[0] + 0.025 and bounds.bca_high[0] > bounds.high[0] + 0.025


def test_bca_is_the_percentile_interval_without_bias_and_acceleration():
    ordered = np.linspace(-1, 1, 2001)[None]
    left = np.array([[-1.0, 1.0, -2.0, 2.0]])
    bounds = resample.intervals(ordered, np.array([0.0]), left, 0.9)
    assert bounds.bca_low == pytest.approx(bounds.low, abs=1e-3)
    assert bounds.bca_high == pytest.approx(bounds.high, abs=1e-3)


def test_intervals_where_there_is_little():
    one = resample.Sums(np.array([[[0.3], [0.0]], [[0.2], [0.2]]]), np.array([[1.0, 0], [1, 1]]))
    bounds = resample.intervals(
        resample.bootstrap_replicates(one, resample.bootstrap_weights(2, 200, 1)),
        resample.estimate(one),
        resample.jackknife(one),
        0.95,
    )
    assert np.isnan([bounds.low[0], bounds.bca_high[0], bounds.se[0]]).all()
    assert [bounds.low[1], bounds.bca_low[1], bounds.bca_high[1]] == pytest.approx([0.2] * 3)


@pytest.mark.parametrize("k", [1, 3])
def test_differences_are_over_shared_questions(k):
    one = sums(np.random.default_rng(7), k=k, missing=0.3)
    which = resample.index_pairs(3)
    weights = resample.bootstrap_weights(12, 400, 2)
    value, count, lower, bounds, _ = resample.series_differences(one, which, weights, 0.9)
    for number, (a, b) in enumerate(which):
        mask = one.present[a] & one.present[b]
        assert count[number] == mask.sum()

        def at(w, a=a, b=b, mask=mask):
            return slow(one.numerator[a], one.denominator[a], w * mask) - slow(
                one.numerator[b], one.denominator[b], w * mask
            )

        assert value[number] == pytest.approx(at(np.ones(12)), abs=1e-12)
        drawn = np.array([at(w) for w in weights])
        drawn = drawn[np.isfinite(drawn)]
        assert lower[number] == pytest.approx((drawn < 0).mean())
        assert bounds.low[number] == pytest.approx(np.quantile(drawn, 0.05), abs=1e-12)
        assert bounds.se[number] == pytest.approx(drawn.std(ddof=1))


@pytest.mark.parametrize("k", [1, 3])
def test_sign_flips_exchange_the_two_series(k):
    """Every exchange of six questions, done by hand, and the p value that they give."""
    rng = np.random.default_rng(k)
    one = resample.Sums(rng.normal(size=(2, 6, k)), rng.integers(1, 4, (2, 6)) * 1.0)
    signs = np.array(list(itertools.product([1.0, -1.0], repeat=6)))
    observed, permuted = resample.sign_flips(one, resample.index_pairs(2), signs)
    for sign, found in zip(signs, permuted[0], strict=True):
        swap = sign < 0
        first, second = ([one.numerator[s][q] for q in range(6)] for s in (0, 1))
        below = [list(one.denominator[s]) for s in (0, 1)]
        for q in np.flatnonzero(swap):
            first[q], second[q] = second[q], first[q]
            below[0][q], below[1][q] = below[1][q], below[0][q]
        expected = slow(first, below[0], np.ones(6)) - slow(second, below[1], np.ones(6))
        assert found == pytest.approx(expected, abs=1e-12)
    assert permuted[0, 0] == pytest.approx(observed[0])
    far = sum(abs(x) >= abs(observed[0]) - 1e-12 for x in permuted[0])
    assert resample.permutation_p(observed, permuted)[0] == pytest.approx((1 + far) / 65)


def test_permutation_test_and_max_t_hold_their_level():
    """400 studies without a difference: p ≤ .05 in about 5 %, and any of six pairs after max-T too."""
    rng = np.random.default_rng(4)
    which = resample.index_pairs(4)
    alone = family = 0
    for number in range(400):
        question = rng.normal(size=(1, 60, 1))
        one = resample.Sums(question + rng.normal(size=(4, 60, 1)), np.ones((4, 60)))
        observed, permuted = resample.sign_flips(one, which, resample.random_signs(60, 199, number))
        p = resample.permutation_p(observed, permuted)
        alone += p[0] <= 0.05
        scaled, spread = resample.studentise(observed, permuted)
        family += (resample.max_t_p_values(scaled, spread.max(axis=0)) <= 0.05).any()
    # Within three standard errors of a binomial of 400 at .05.
    assert 0.017 <= alone / 400 <= 0.083
    assert 0.017 <= family / 400 <= 0.083


def test_max_t_counts_the_largest():
    largest = np.array([1.0, 2.0, 3.0, 4.0])
    assert resample.max_t_p_values(np.array([2.5, 9.0, np.nan]), largest) == pytest.approx(
        [3 / 5, 1 / 5, np.nan], nan_ok=True
    )


def test_share_lower_counts_ties_half_and_leaves_out_what_is_missing():
    drawn = np.array([[-1, 1, 0, np.nan], [np.nan] * 4, [-1, -1, -1, -1e-15], [-np.inf, np.inf, -1, np.nan]])
    assert resample.prob_less(drawn) == pytest.approx([0.5, np.nan, 0.875, 2 / 3], nan_ok=True)


def test_crossed_draws_agree_with_loops():
    rng = np.random.default_rng(0)
    cells = rng.random((5, 3))
    w, v = Bootstrap(20, 1, 0.95).two_way_weights(5, 3)
    found = resample.two_way_replicates(cells, w, v)
    for r in range(20):
        expected = sum(w[r, q] * v[r, t] * cells[q, t] for q in range(5) for t in range(3))
        assert found[r] == pytest.approx(expected)
    assert resample.two_way_replicates(cells, w) == pytest.approx(w @ cells.sum(axis=1))
    assert resample.two_way_replicates(cells, None, v) == pytest.approx(v @ cells.sum(axis=0))
    assert not np.allclose(w[:, :3], v)


def test_simultaneous_intervals_by_hand():
    """Two statistics, five replicates: se 1 and 2; the largest |draw − value|/se of each replicate is known."""
    drawn = np.array([[-1.0, 0.0, 1.0, 1.0, -1.0], [4.0, 10.0, 6.0, 4.0, 6.0]])
    value = np.array([0.0, 5.0])
    se = drawn.std(axis=1, ddof=1)
    largest = [max(abs(a) / se[0], abs(b - 5) / se[1]) for a, b in drawn.T]
    low, high = resample.simultaneous_intervals(drawn, value, 0.5)
    c = sorted(largest)[2]
    assert low == pytest.approx(value - c * se)
    assert high == pytest.approx(value + c * se)


def test_what_has_no_spread_leaves_the_others_their_interval():
    drawn = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 4.0], [np.nan, np.nan, np.nan]])
    low, high = resample.simultaneous_intervals(drawn, np.array([0.0, 2.0, np.nan]), 0.9)
    assert np.isnan(low[[0, 2]]).all() and np.isfinite([low[1], high[1]]).all()


def test_simultaneous_intervals_hold_all_truths_at_once():
    """A world of its own: normal differences of 45 pairs of ten models. Percentile intervals miss one of them often."""
    rng = np.random.default_rng(5)
    which = resample.index_pairs(10)
    together = apart = 0
    for study in range(200):
        scores = rng.normal(size=(10, 80)) + rng.normal(size=80)
        gaps = scores[which[:, 0]] - scores[which[:, 1]]
        drawn = gaps @ resample.bootstrap_weights(80, 400, study).T / 80
        low, high = resample.simultaneous_intervals(drawn, gaps.mean(axis=1), 0.95)
        together += ((low <= 0) & (high >= 0)).all()
        low, high = resample.percentile_interval(drawn.T, 0.95)
        apart += ((low <= 0) & (high >= 0)).all()
    assert 0.88 <= together / 200 <= 0.99
    assert apart / 200 < 0.6


def test_draws_of_few_are_as_much_wider_as_student_t():
    """Student's .975 quantiles with 4 and 1 degrees of freedom from a table; a bootstrap of n has the variance (n − 1)/n."""
    drawn = np.array([0.2, 0.4, 0.9])
    for n, t in ((5, 2.776445), (2, 12.706205)):
        wider = t / 1.959964 * (n / (n - 1)) ** 0.5
        expected = 0.4 + wider * np.array([-0.2, 0, 0.5])
        assert resample.inflate_to_t(0.4, drawn, n, 0.95) == pytest.approx(expected, rel=1e-6)
    for value, n in ((0.0, 5), (1.0, 5), (0.4, 1)):
        assert np.isnan(resample.inflate_to_t(value, drawn, n, 0.95)).all()


def test_a_two_way_interval_is_about_the_estimate():
    """Percentiles to one side, 0.2 apart; Student's .975 quantile with 4 degrees of freedom from a table."""
    half = 0.1 * 2.776445 / 1.959964 * (5 / 4) ** 0.5
    for size in ((5, 17), (200, 5)):
        ends = Bootstrap(100, 1, 0.95).two_way_interval(0.5, 0.3, 0.5, *size)
        assert ends == pytest.approx((0.5 - half, 0.5 + half), rel=1e-6)


def test_equivalence_is_the_farther_end_of_the_interval_at_twice_the_level():
    drawn = np.linspace(-1.0, 3.0, 401)[None, :]
    assert resample.equivalent_within(drawn, 0.95) == pytest.approx([2.8])
    assert resample.equivalent_within(-drawn, 0.95) == pytest.approx([2.8])


def test_weights_of_some_units_are_those_of_all(tmp_path, monkeypatch):
    monkeypatch.setattr(resample, "_DRAWN_TOGETHER", 100)
    every = resample.bootstrap_weights(30, 17, 4)
    for folder in (None, tmp_path):
        of = resample.weights_by_part(30, 17, 4, folder)
        np.testing.assert_array_equal(of(slice(0, 11)), every[:, :11])
        np.testing.assert_array_equal(of(slice(11, 30)), every[:, 11:])


def test_draws_that_differ_from_the_value_by_rounding_are_ties():
    # Half a replicate for each tie: with all of them ties nothing is moved.
    drawn = np.array([[0.1, 0.1 + 1e-16, 0.1 - 1e-16, 0.3, 0.0]])
    left = np.array([[0.1, 0.2, 0.0]])
    exact = np.array([[0.1, 0.1, 0.1, 0.3, 0.0]])
    for a, b in zip(
        resample.intervals(drawn, np.array([0.1]), left, 0.9),
        resample.intervals(exact, np.array([0.1]), left, 0.9),
        strict=True,
    ):
        np.testing.assert_allclose(a, b, atol=1e-12)


@pytest.mark.parametrize("part", [1.0, 0.5])
def test_a_few_teams_of_many_on_each_question_give_the_same_draws_to_the_last_bit(part):
    rng = np.random.default_rng(3)
    cells = np.where(rng.random((40, 600)) < 0.01, rng.integers(1, 4, (40, 600)) * part, 0.0)
    questions, teams = Bootstrap(50, 1, 0.95).two_way_weights(40, 600)
    wanted = ((questions @ cells) * teams).sum(axis=1)
    assert resample.two_way_replicates(cells, questions, teams).tolist() == wanted.tolist()


def test_draws_by_bin_are_those_of_the_cells_of_each_bin():
    rng = np.random.default_rng(4)
    places = [rng.integers(0, size, 900) for size in (30, 50, 4)]
    w, v = Bootstrap(20, 1, 0.95).two_way_weights(30, 50)
    found = resample.binned_draws(places[:2], places[2], 5, w, v)
    for number in range(5):
        cells = np.zeros((30, 50))
        np.add.at(cells, tuple(of[places[2] == number] for of in places[:2]), 1)
        assert found[:, number].tolist() == resample.two_way_replicates(cells, w, v).tolist()
    nothing = np.array([], dtype=int)
    assert not resample.binned_draws((nothing, nothing), nothing, 2, w, v).any()
