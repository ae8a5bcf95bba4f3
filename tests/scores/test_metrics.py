"""The metrics against direct transcriptions of the formulas."""

import math

import numpy as np
import pytest
from calscore.scores import metrics
from hypothesis import given, settings
from hypothesis import strategies as st

unit = st.floats(0, 1)
clue = st.tuples(
    st.booleans(), st.one_of(st.sampled_from([0.0, 1.0]), unit), st.sampled_from(["", "+", "-"])
)
question = st.lists(clue, min_size=1, max_size=13)


def sigma(x):
    return 1 / (1 + math.exp(-x))


def r(x):
    return (sigma(x) - sigma(-1)) / (sigma(1) - sigma(-1))


def transcription(question, definition):
    """(MCE_q, CalScore_q) term by term; each clue has a guess, a confidence and at most one buzz."""
    all_buzzes = sum(buzz != "" for _, _, buzz in question)
    right = so_far = 0
    plain, adjusted = [], []
    for g, c, buzz in question:
        so_far += buzz != ""
        right += buzz == "+"
        total = so_far if definition == "paper" else all_buzzes
        h = right / total if total else 0.0
        sign = (1 if g else -1) if definition == "paper" else (1 if g else 0)
        plain.append(sign * c)
        adjusted.append((1 - h) * sign * c)
    means = math.fsum(plain) / len(plain), math.fsum(adjusted) / len(adjusted)
    return tuple(1 - r(m) if definition == "paper" else 1 - m for m in means)


def arrays(questions, definition):
    g, c, h, starts = [], [], [], []
    for one in questions:
        starts.append(len(g))
        total = sum(buzz != "" for _, _, buzz in one)
        right = so_far = 0
        for correct, confidence, buzz in one:
            so_far += buzz != ""
            right += buzz == "+"
            under = so_far if definition == "paper" else total
            g.append(correct)
            c.append(confidence)
            h.append(right / under if under else 0.0)
    return np.array(g), np.array(c), np.array(h), np.array(starts)


@settings(deadline=None)
@given(st.lists(question, min_size=1, max_size=6), st.sampled_from(["paper", "release"]))
def test_question_errors_agree_with_formulas(questions, definition):
    mce, calscore = metrics.question_errors(*arrays(questions, definition), definition)
    for got, one in zip(zip(mce, calscore, strict=True), questions, strict=True):
        assert got == pytest.approx(transcription(one, definition), abs=1e-12)


@pytest.mark.parametrize(
    ("questions", "paper", "release"),
    [
        # One clue, sure and right, nobody buzzed: no error at all.
        ([[(True, 1.0, "")]], (0, 0), (0, 0)),
        # Sure and wrong: the largest error under paper; release knows no worse than not right.
        ([[(False, 1.0, "")]], (1, 1), (1, 1)),
        # No confidence at all: the middle under paper.
        ([[(True, 0.0, ""), (False, 0.0, "+")]], (0.5, 0.5), (1, 1)),
        # A right human buzz in the only clue: h = 1, nothing is left to gain.
        ([[(True, 1.0, "+")]], (0, 0.5), (0, 1)),
        # Only a wrong human buzz: h = 0.
        ([[(True, 1.0, "-")]], (0, 0), (0, 0)),
    ],
)
def test_question_errors_at_the_corners(questions, paper, release):
    for definition, expected in (("paper", paper), ("release", release)):
        mce, calscore = metrics.question_errors(*arrays(questions, definition), definition)
        assert (mce[0], calscore[0]) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(st.lists(question, min_size=1, max_size=6))
def test_release_never_scores_below_mce(questions):
    mce, calscore = metrics.question_errors(*arrays(questions, "release"), "release")
    assert (calscore >= mce - 1e-12).all()


def test_paper_can_score_below_mce():
    mce, calscore = metrics.question_errors(*arrays([[(False, 1.0, "+")]], "paper"), "paper")
    assert calscore[0] < mce[0]


def sh_transcription(g, c, cumulative, form):
    """Appendix H, sums written out."""
    size = len(g)
    b = [c[t] * math.prod(1 - c[i] for i in range(t)) for t in range(size)]
    h = list(cumulative)
    if form == "completed":
        b[-1] = math.prod(1 - c[i] for i in range(size - 1))
        h = [cumulative[t] - (cumulative[t - 1] if t else 0) for t in range(size)]
    first = sum(h[t] * sum(b[e] * g[e] for e in range(t + 1)) for t in range(size))
    return first + (1 - sum(h)) * sum(b[t] * g[t] for t in range(size))


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.booleans(), unit, st.floats(0, 0.1)), min_size=1, max_size=9),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from(["completed", "as_printed"]),
)
def test_sh_agrees_with_formula(questions, form):
    g, c, h, starts, expected = [], [], [], [], []
    for one in questions:
        starts.append(len(g))
        cumulative = np.cumsum([step for _, _, step in one])
        expected.append(
            sh_transcription([int(x[0]) for x in one], [x[1] for x in one], cumulative, form)
        )
        g += [x[0] for x in one]
        c += [x[1] for x in one]
        h += list(cumulative)
    got = metrics.sh(np.array(g, float), np.array(c), np.array(h), np.array(starts), form)
    assert got == pytest.approx(expected, abs=1e-12)
    if form == "completed":
        assert ((got >= -1e-12) & (got <= 1 + 1e-12)).all()


@pytest.mark.parametrize("k", range(11))
def test_exact_bins_put_decimal_edges_up(k):
    assert metrics.bins(np.array([k / 10]), "exact")[0] == min(k, 9)
    assert metrics.bins(np.array([float(f"0.{k}") if k < 10 else 1.0]), "exact")[0] == min(k, 9)


def test_released_bins_close_on_the_right_and_put_zero_last():
    values = np.array([0.0, 1e-9, 0.1, 0.15, 0.5, 1.0])
    assert metrics.bins(values, "released").tolist() == [9, 0, 0, 1, 4, 9]


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), unit), min_size=1, max_size=60))
def test_ece_and_brier_agree_with_loops(rows):
    g = np.array([x[0] for x in rows])
    c = np.array([x[1] for x in rows])
    sums = [0.0] * 10
    for right, confidence in rows:
        place = max(k for k in range(10) if confidence >= k / 10)
        sums[place] += right - confidence
    assert metrics.ece(g, c) == pytest.approx(sum(map(abs, sums)) / len(rows), abs=1e-12)
    assert metrics.brier(g, c) == pytest.approx(
        sum((x - y) ** 2 for y, x in rows) / len(rows), abs=1e-12
    )


def test_renormalise_maps_the_ends():
    assert metrics.renormalise(np.array([-1.0, 0.0, 1.0])) == pytest.approx([0, 0.5, 1], abs=1e-15)
