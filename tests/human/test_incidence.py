"""Cumulative incidence: a hand-made example, statsmodels, who played whom, figure 4's ratio."""

import json

import numpy as np
import pandas as pd
import pytest
from calscore.core import store
from calscore.human import incidence, plot
from calscore.stats.bootstrap import Bootstrap
from statsmodels.duration.survfunc import CumIncidenceRight

# Eight chances worked by hand: (time, cause), 0 is censored.
TIMES = [1, 2, 2, 3, 4, 4, 5, 6]
CAUSES = [1, 2, 1, 0, 1, 0, 2, 1]
# t=1: 8 at risk, 1 right: I1 = 1/8, S = 7/8. t=2: 7 at risk, 1 right, 1 wrong: I1 = 1/8 + 7/8·1/7 = 2/8,
# I2 = 1/8, S = 5/8. t=3: censored. t=4: 4 at risk, 1 right (one censored after it): I1 = 2/8 + 5/8·1/4 =
# 13/32, S = 15/32. t=5: 2 at risk, 1 wrong: I2 = 1/8 + 15/64 = 23/64, S = 15/64. t=6: I1 = 13/32 + 15/64.
RIGHT = [1 / 8, 2 / 8, 2 / 8, 13 / 32, 13 / 32, 41 / 64]
WRONG = [0, 1 / 8, 1 / 8, 1 / 8, 23 / 64, 23 / 64]


def cumulative(time, cause, weights=None):
    """Times, and the incidence of cases of one time and cause each."""
    weights = np.ones((1, len(time))) if weights is None else weights
    times, at = np.unique(time, return_inverse=True)
    ended = np.zeros((max(cause) + 1, len(weights), len(times)))
    np.add.at(ended, (np.asarray(cause), slice(None), at), weights.T)
    return times, incidence.aalen_johansen(ended)


def test_the_example_worked_by_hand():
    times, found = cumulative(TIMES, CAUSES)
    np.testing.assert_array_equal(times, [1, 2, 3, 4, 5, 6])
    np.testing.assert_allclose(found[0], [RIGHT, WRONG], atol=1e-15)


def test_statsmodels_gives_the_same():
    rng = np.random.default_rng(1)
    times, causes = rng.integers(1, 30, 300), rng.integers(0, 4, 300)
    theirs = CumIncidenceRight(times, causes)
    at, ours = cumulative(times, causes)
    np.testing.assert_allclose(ours[0], np.stack(theirs.cinc)[:, np.isin(theirs.times, at)], atol=1e-12)  # fmt: skip


def test_weights_count_as_repeats_and_order_does_not_matter():
    rng = np.random.default_rng(2)
    weights = rng.integers(0, 4, (3, 8))
    times, causes = np.array(TIMES), np.array(CAUSES)
    at, found = cumulative(times, causes, weights.astype(float))
    for row, mine in zip(weights, found, strict=True):
        repeated = np.repeat(np.arange(8), row)[::-1]
        shown, expected = cumulative(times[repeated], causes[repeated])
        place = np.searchsorted(shown, at, side="right")
        padded = np.pad(expected[0], ((0, 2 - len(expected[0])), (1, 0)))
        np.testing.assert_allclose(mine, padded[:, place], atol=1e-12)


def test_nobody_at_all_is_unknown_not_zero():
    _, found = cumulative([1, 2], [1, 1], np.array([[0.0, 0], [1, 1]]))
    assert np.isnan(found[0]).all() and found[1, 0, -1] == 1


# A packet of two questions of ten words; A plays B, C plays nobody that is known.
QUESTIONS = pd.DataFrame({"question_id": ["q1", "q2"], "packet": [1, 1], "n_words": [10, 10]})
CLUES = pd.DataFrame(
    {"segmentation": "s", "question_id": ["q1", "q1", "q2", "q2"], "clue": [1, 2, 1, 2], "end_word": [5, 10, 5, 10]}
)  # fmt: skip
BUZZES = pd.DataFrame(
    [("q1", "A", 3, False), ("q1", "B", 7, True), ("q2", "A", 4, True), ("q2", "C", 9, True)],
    columns=["question_id", "team", "word_index", "correct"],
).assign(packet=1, kind="human", match=None)  # fmt: skip
EXPOSURES = pd.DataFrame(
    [(q, 1, t, "human", "declared") for q in ("q1", "q2") for t in "ABC"],
    columns=["question_id", "packet", "team", "kind", "source"],
)
PAIRINGS = pd.DataFrame([(1, "A", "B", "match"), (1, "B", "A", "match")], columns=["packet", "team", "opponent", "source"])  # fmt: skip


def test_endings_of_a_match_read_by_hand():
    found = incidence.competing_events(QUESTIONS, CLUES, BUZZES, EXPOSURES, PAIRINGS)
    found = found.set_index(["question_id", "team"])[["cause", "share", "clue", "known"]]
    expected = {
        ("q1", "A"): [2, 0.4, 1, True],
        ("q1", "B"): [1, 0.8, 2, True],
        ("q1", "C"): [4, 1.0, 2, False],
        ("q2", "A"): [1, 0.5, 1, True],
        ("q2", "B"): [3, 0.5, 1, True],
        ("q2", "C"): [1, 1.0, 2, False],
    }
    assert {key: list(row) for key, row in zip(found.index, found.to_numpy(), strict=True)} == expected  # fmt: skip


def table(replicates=200, **changes):
    """Incidence of the hand-made packet."""
    values = {"pairings": PAIRINGS, "exposures": EXPOSURES} | changes
    groups = {("all", "human"): ["A", "B", "C"]}
    return incidence.cumulative_incidence(QUESTIONS, CLUES, BUZZES, values["exposures"], values["pairings"], groups, Bootstrap(replicates, 1, 0.95))  # fmt: skip


def test_competing_and_censoring_read_by_hand():
    found = table()
    end = found[found["time"] == 1].set_index(["estimator", "cause"])["incidence"]
    assert end["competing", "right"] == pytest.approx(3 / 6)
    assert end["competing_known", "right"] == pytest.approx(2 / 4)
    assert end["competing_known", "beaten"] == pytest.approx(1 / 4)
    # At .4 one of 4 is wrong; at .5 one of 3 is right and one censored; at .8 the last one is right.
    assert end["opponent_censors", "right"] == pytest.approx(3 / 4 * 1 / 3 + 3 / 4 * 2 / 3)
    assert not store.validation_errors(table(), "incidence")


def test_a_right_buzz_past_the_end_counts_at_the_end():
    """Two of four chances end rightly, one after the last word, where figure 4 counts it."""
    rows = BUZZES.iloc[2:].assign(word_index=[4, 11])
    heard = EXPOSURES[EXPOSURES["team"] != "B"]
    found = incidence.cumulative_incidence(QUESTIONS, CLUES, rows, heard, PAIRINGS, {("all", "human"): ["A", "C"]}, Bootstrap(20, 1, 0.95))  # fmt: skip
    right = found[(found["cause"] == "right") & (found["estimator"] != "competing_known")]
    curves = right.set_index(["estimator", "time"])["incidence"]
    assert curves["competing", 0.95] == pytest.approx(1 / 4)
    assert curves["competing", 1.0] == pytest.approx(2 / 4)


def test_without_known_opponents_there_is_no_row_that_needs_them():
    assert set(table(pairings=PAIRINGS.iloc[:0])["estimator"]) == {"competing"}


def test_a_model_of_several_matches_has_no_known_opponent():
    two = pd.concat([PAIRINGS, PAIRINGS.assign(opponent=["C", "A"])])
    found = incidence.competing_events(QUESTIONS, CLUES, BUZZES, EXPOSURES, two)
    assert not found["known"].any()


def test_inferred_pairs_of_the_simulation_are_true(demo):
    """The simulator wrote down who met whom; the engine has seen only the buzzes."""
    found = store.read(demo / "inference" / "pairings.parquet")
    truth = json.loads((demo / "simulated" / "truth.json").read_text(encoding="utf-8"))["matches"]
    met = {(packet, *pair) for packet, a, b in truth for pair in ((a, b), (b, a))}
    pairs = set(found[["packet", "team", "opponent"]].itertuples(index=False, name=None))
    assert len(pairs) >= 20
    # At most one pair of the 12 packets may be there by chance.
    assert len(pairs - met) <= 2
    assert set(found["source"]) == {"inferred"} and (found["contradictions"] == 0).all()


def test_recorded_matches_are_taken_as_they_are():
    buzzes = BUZZES.assign(match=["m1", "m1", "m1", "m2"])
    found = incidence.pairings(QUESTIONS, buzzes, EXPOSURES)
    assert set(found["source"]) == {"match"}
    assert set(zip(found["team"], found["opponent"], strict=True)) == {("A", "B"), ("B", "A")}


@pytest.mark.parametrize(("source", "panels"), [("match", 3), ("inferred", 1)])
def test_what_rests_on_inferred_opponents_is_not_drawn(source, panels):
    pairs = PAIRINGS.assign(source=source)
    figure = plot.incidence_figure(table(100, pairings=pairs), pairs, {}, {}, "paper", "packets")
    assert len(figure.axes) == panels
