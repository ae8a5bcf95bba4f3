"""Proper scores against reference libraries, transcriptions and resamples written out."""

import csv
import itertools

import numpy as np
import pandas as pd
import pytest
from calscore.scores import metrics, proper_scoring
from calscore.stats import resample
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from support import data_folder

from benchmarks import compare_scores

# Tenths make ties and lie on bin edges; 0 and 1 are certain.
confidence = st.one_of(st.sampled_from([k / 10 for k in range(11)]), st.floats(0, 1))
answers = st.lists(st.tuples(st.booleans(), confidence), min_size=1, max_size=40)


def arrays(rows):
    g, c = zip(*rows, strict=True)
    return np.array(g), np.array(c)


with compare_scores.TABLE.open(encoding="utf-8") as _handle:
    REFERENCE = list(csv.DictReader(_handle))


@pytest.mark.parametrize("rows", ["drawn", "inner", "hundredths", "certain", "real"])
def test_the_libraries_values(rows):
    if rows == "real":
        data_folder("quizbowl/gpr_runs.jsonl.gz")
    g, c = compare_scores.all_rows()[rows]
    held = [row for row in REFERENCE if row["rows"] == rows and not row["because"]]
    assert {row["library"] for row in held} >= set(compare_scores.LIBRARIES) - {"relplot"}
    for row in held:
        mine = compare_scores.OURS[row["metric"]](g, c)
        assert mine == pytest.approx(float(row["value"]), abs=float(row["within"])), row


def test_every_metric_of_a_library_is_held_to_it_somewhere():
    held = {(row["library"], row["metric"]) for row in REFERENCE if not row["because"]}
    assert held == {(row["library"], row["metric"]) for row in REFERENCE}
    assert {metric for _, metric in held} == set(compare_scores.OURS)


@settings(deadline=None)
@given(answers)
def test_scikit_learn(rows):
    g, c = arrays(rows)
    assert metrics.brier(g, c) == pytest.approx(brier_score_loss(g, c, pos_label=1), abs=1e-12)
    losses = proper_scoring.log_losses(g, c, proper_scoring.CLIP)
    assert losses.mean() == pytest.approx(log_loss(g, c, labels=[False, True]), abs=1e-9)
    if 0 < g.sum() < len(g):
        assert proper_scoring.auroc(g, c) == pytest.approx(roc_auc_score(g, c), abs=1e-12)
        # Its quantiles are interpolated; equal confidences may differ from them in the last bit.
        assume(np.min(np.diff(np.unique(c)), initial=1) > 1e-9)
        equal_mass = compare_scores.ours("ece_equal_mass", g, c)
        assert equal_mass == pytest.approx(compare_scores.equal_mass(g, c), abs=1e-9)
    else:
        assert np.isnan(proper_scoring.auroc(g, c))


@given(answers)
def test_brier_terms_sum_to_the_score_and_are_those_of_the_paper(rows):
    g, c = arrays(rows)
    found = proper_scoring.brier_terms(g, c)
    rate, n = g.mean(), len(g)
    terms = dict.fromkeys(["reliability", "resolution", "within_variance", "within_covariance"], 0.0)
    for b in range(10):
        of = metrics.confidence_bins(c) == b
        if not of.any():
            continue
        f, o = c[of].mean(), g[of].mean()
        terms["reliability"] += of.sum() / n * (f - o) ** 2
        terms["resolution"] += of.sum() / n * (o - rate) ** 2
        terms["within_variance"] += ((c[of] - f) ** 2).sum() / n
        terms["within_covariance"] += 2 * ((c[of] - f) * (g[of] - o)).sum() / n
    for name, value in terms.items():
        assert found[f"brier_{name}"] == pytest.approx(value, abs=1e-12), name
    assert found["brier_uncertainty"] == pytest.approx(rate * (1 - rate), abs=1e-12)
    assert found["brier"] == pytest.approx(metrics.brier(g, c), abs=1e-12)
    total = terms["reliability"] - terms["resolution"] + found["brier_uncertainty"]
    total += terms["within_variance"] - terms["within_covariance"]
    assert total == pytest.approx(found["brier"], abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.3, 0.8])), min_size=1, max_size=6))
def test_aurc_is_the_mean_over_the_orders_of_equal_confidences(rows):
    g, c = arrays(rows)
    k = np.arange(1, len(g) + 1)
    areas = [
        (np.cumsum(~g[list(order)]) / k).mean()
        for order in itertools.permutations(range(len(g)))
        if (np.diff(c[list(order)]) <= 0).all()
    ]
    best = (np.cumsum(np.sort(~g)) / k).mean()
    found = proper_scoring.rank_scores(np.ones((1, 1)), g, c, np.zeros(len(g), int))
    assert found["aurc"] == pytest.approx(np.mean(areas), abs=1e-12)
    assert found["aurc_excess"] == pytest.approx(np.mean(areas) - best, abs=1e-12)


def kernel_sum(g, c, sigma):
    """smECE_σ from the images of each point in the mirrors at 0 and 1, on 20,000 cells."""
    t = (np.arange(20_000) + 0.5) / 20_000
    height = np.zeros(len(t))
    for right, at in zip(g, c, strict=True):
        images = [2 * k + sign * at for k in range(-8, 9) for sign in (1, -1)]
        for image in images:
            height += (right - at) * np.exp(-((t - image) ** 2) / (2 * sigma**2))
    return np.abs(height).mean() / (len(c) * sigma * np.sqrt(2 * np.pi))


@pytest.mark.parametrize("sigma", [0.01, 0.1, 1.0])
def test_smooth_ece_at_a_bandwidth(sigma):
    rng = np.random.default_rng(3)
    c = np.concatenate([rng.random(20), [0, 0, 1, 1]])
    g = rng.random(24) < 0.5
    found = compare_scores.smooth_ece_at(g, c, sigma)
    assert found == pytest.approx(kernel_sum(g, c, sigma), abs=2e-5)


@settings(deadline=None, max_examples=50)
@given(answers)
def test_smooth_ece_equals_its_bandwidth(rows):
    g, c = arrays(rows)
    found = compare_scores.ours("ece_smooth", g, c)
    assert abs(np.mean(g - c)) - 2e-5 <= found <= np.abs(g - c).mean() + 2e-5
    if found > 0.001:
        assert compare_scores.smooth_ece_at(g, c, found) == pytest.approx(found, abs=2e-5)


def test_smooth_ece_of_a_perfect_model_is_as_small_as_can_be_told():
    c = np.repeat([0.0, 1.0], 50)
    assert compare_scores.ours("ece_smooth", c == 1, c) <= proper_scoring.FINEST


def calibrated(rng, questions: int, clues: int):
    """A calibrated model whose clues of one question share confidence and outcome."""
    c = rng.random(questions)
    g = rng.random(questions) < c
    return np.repeat(g, clues), np.repeat(c, clues), np.repeat(np.arange(questions), clues)


def z_scores(drawn) -> dict:
    """Distance of the mean of each binned score from 0 in its Monte-Carlo errors."""
    values = []
    for g, c, code in drawn:
        questions = code.max() + 1
        sums = proper_scoring.bin_sums(g, c, code, questions)
        values.append(proper_scoring.binned_scores(np.ones((1, questions)), sums))
    values = pd.DataFrame(values).map(lambda value: value[0])
    return (values.mean() / (values.std() / np.sqrt(len(values)))).to_dict()


def test_the_debiased_error_of_a_calibrated_model_averages_zero():
    rng = np.random.default_rng(20250219)
    distance = z_scores(calibrated(rng, 300, 1) for _ in range(1500))
    assert abs(distance["ece2_debiased"]) < 3 and abs(distance["ece2_across"]) < 3
    assert distance["brier_reliability"] > 30


def test_clues_of_one_question_bias_the_published_form_only():
    rng = np.random.default_rng(20250220)
    distance = z_scores(calibrated(rng, 120, 6) for _ in range(1000))
    assert abs(distance["ece2_across"]) < 3
    assert distance["ece2_debiased"] > 30


@pytest.fixture(scope="module")
def resampled():
    """Twenty questions of one to eight clues, and 30 resamples of them."""
    rng = np.random.default_rng(7)
    code = np.repeat(np.arange(20), rng.integers(1, 9, 20))
    c = rng.random(len(code)).round(1)
    g = rng.random(len(code)) < 0.3 + 0.4 * c
    weights = np.vstack([np.ones(20), resample.bootstrap_weights(20, 30, 1)])
    return g, c, code, weights


def test_each_replicate_is_the_score_of_the_resample_written_out(resampled):
    g, c, code, weights = resampled
    found = proper_scoring.answer_draws(weights, g, c, code)
    for row, weight in enumerate(weights.astype(int)):
        rows = np.repeat(np.arange(len(code)), weight[code])
        # One replicate of rows that are no longer drawn; what is across questions is below.
        alone = proper_scoring.answer_draws(np.ones((1, 1)), g[rows], c[rows], np.zeros(len(rows), int))
        for name in set(alone) - {"ece2_across", "ece_across"}:
            assert found[name][row] == pytest.approx(alone[name][0], abs=3e-6), name
        distinct = [(i, j) for i in rows for j in rows if code[i] != code[j]] if row < 3 else []
        if distinct:
            total, index = 0.0, metrics.confidence_bins(c)
            for b in range(10):
                of = [(g[i] - c[i]) * (g[j] - c[j]) for i, j in distinct if index[i] == index[j] == b]
                total += (index[rows] == b).mean() * (np.mean(of) if of else 0.0)
            assert found["ece2_across"][row] == pytest.approx(total, abs=1e-12)


def test_blocks_of_replicates_do_not_matter(resampled, monkeypatch):
    g, c, code, weights = resampled
    whole = proper_scoring.rank_scores(weights, g, c, code)
    curve, least = proper_scoring.risk_coverage(weights, g, c, code, [0.1, 0.55, 1])
    monkeypatch.setattr(proper_scoring, "_ELEMENTS", 64)
    for name, values in proper_scoring.rank_scores(weights, g, c, code).items():
        np.testing.assert_array_equal(values, whole[name])
    again, least_again = proper_scoring.risk_coverage(weights, g, c, code, [0.1, 0.55, 1])
    np.testing.assert_array_equal(again, curve)
    np.testing.assert_array_equal(least_again, least)


def test_weights_must_be_counts(resampled):
    g, c, code, weights = resampled
    with pytest.raises(ValueError, match="whole numbers"):
        proper_scoring.rank_scores(weights / 2, g, c, code)


def test_risk_coverage_at_the_ends_of_groups_and_within_them():
    c = np.array([0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.2, 0.2, 0.2, 0.2])
    g = np.array([1, 1, 1, 0, 1, 0, 0, 0, 0, 0])
    weights = np.array([np.ones(10), [2] + [0] * 8 + [1]])
    risk, least = proper_scoring.risk_coverage(weights, g, c, np.arange(10), [0.2, 0.4, 0.5, 1.0])
    np.testing.assert_allclose(risk[0], [0.25, 0.25, 1.5 / 5, 0.6], atol=1e-12)
    np.testing.assert_allclose(least, [0.9, 0.9, 0.5, 0.2])
    # Three rows: two right at .9, one wrong at .2.
    np.testing.assert_allclose(risk[1], [0, 0, 0, 1 / 3], atol=1e-12)


def test_the_mean_of_the_curve_is_the_area():
    g, c = compare_scores.drawn("hundredths")
    code = np.zeros(len(c), int)
    risk, _ = proper_scoring.risk_coverage(np.ones((1, 1)), g, c, code, np.arange(1, 2001) / 2000)
    assert risk[0].mean() == pytest.approx(compare_scores.ours("aurc", g, c), abs=1e-9)


def test_the_log_score_is_infinite_only_where_a_certain_answer_is_wrong():
    losses, clip = proper_scoring.log_losses, proper_scoring.CLIP
    assert losses([1, 0], [1.0, 0.0]).tolist() == [0, 0]
    assert losses([1, 0], [0.5, 0.75]) == pytest.approx([np.log(2), np.log(4)])
    assert losses([0, 0], [1.0, 0.0]).tolist() == [np.inf, 0]
    assert losses([0, 0], [1.0, 0.0], clip) == pytest.approx([52 * np.log(2), 0])


hs = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


@given(
    st.lists(
        st.lists(st.tuples(st.booleans(), confidence, hs), min_size=1, max_size=6),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from(["paper", "release"]),
)
def test_normalised_calscore(questions, definition):
    g, c, h = map(np.array, zip(*itertools.chain(*questions), strict=True))
    starts = np.cumsum([0, *map(len, questions)])[:-1]
    found = proper_scoring.calscore_normalised(g, c, h, starts, definition)
    for value, question in zip(found, questions, strict=True):
        left = [1 - hi for *_, hi in question]
        if sum(left) == 0:
            assert np.isnan(value)
            continue
        signs = [(1 if gi else -1) if definition == "paper" else float(gi) for gi, *_ in question]
        share = sum(w * s * ci for w, s, (_, ci, _) in zip(left, signs, question, strict=True))
        share /= sum(left)
        expected = 1 - (metrics.renormalise(share) if definition == "paper" else share)
        assert value == pytest.approx(expected, abs=1e-9)
        assert 0 <= value <= 1
    plain, _ = metrics.question_errors(g, c, h, starts, definition)
    alone = proper_scoring.calscore_normalised(g, c, np.zeros(len(h)), starts, definition)
    np.testing.assert_allclose(alone, plain, atol=1e-12)
    least, greatest = proper_scoring.calscore_range(h, starts, definition)
    _, published = metrics.question_errors(g, c, h, starts, definition)
    assert (least - 1e-12 <= published).all() and (published <= greatest + 1e-12).all()


def test_bins_are_exact_on_and_beside_every_edge():
    edges = metrics.DECIMAL_EDGES
    c = np.concatenate([edges, np.nextafter(edges[1:], 0), np.nextafter(edges[:-1], 1)])
    c = np.concatenate([c, np.nextafter(np.nextafter(edges[1:], 0), 0), [5e-324]])
    expected = [max(k for k in range(10) if value >= edges[k]) for value in c]
    np.testing.assert_array_equal(metrics.confidence_bins(c), expected)
