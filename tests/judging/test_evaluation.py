"""The engine on held-out pairs, and the committed model beside a new fit."""

import hashlib

import numpy as np
import pytest
from answer_lines import labelled_pairs
from calscore.answers import score
from calscore.judging import evaluation, training
from scipy.stats import binomtest


@pytest.fixture(scope="module")
def rows() -> list[dict]:
    return labelled_pairs()[1]


@pytest.fixture(scope="module")
def judged(rows):
    return evaluation.cross_validate(rows)


def test_reliability_by_hand():
    assert evaluation.balanced_accuracy([1, 1, 0, 0], [1, 0, 0, 0]) == pytest.approx(5 / 6)
    assert np.isnan(evaluation.balanced_accuracy([1], [1]))
    bins = evaluation.reliability_table([0.05, 0.3, 0.35, 1.0], [0, 1, 0, 1])
    assert bins["pairs"].to_dict() == {0.0: 1, 0.3: 2, 0.9: 1}
    assert bins["right"].tolist() == [0.0, 0.5, 1.0]


REACHED = {
    # source: accuracy on fid, balanced accuracy where not exact, Brier (all systems and fid)
    "EVOUNA-NQ": (0.958, 0.87, 0.036),
    "EVOUNA-TQ": (0.980, 0.92, 0.019),
}


@pytest.mark.parametrize("source", REACHED)
def test_held_out_figures(judged, source):
    accuracy, balanced, brier = REACHED[source]
    figures = evaluation.accuracy_by_source(judged).loc[[source, f"{source} / fid"]]
    assert figures.loc[f"{source} / fid", "accuracy"] >= accuracy
    assert (figures["balanced_not_exact"] >= balanced).all()
    assert (figures["brier"].round(3) <= brier).all()
    assert (figures["ece"] <= 0.02).all()


@pytest.mark.parametrize("source", REACHED)
def test_paired_with_other_matchers(rows, judged, source):
    from benchmarks.compare_equivalence import matcher, token_set

    mine = (judged["source"] == source) & (judged["system"] == "fid")
    label = judged["label"] == 1
    engine = (judged["accepted"] == label)[mine]
    for name, accepted in (
        ("exact", matcher(rows, "exact")),
        ("token set", token_set(rows, judged["fold"].to_numpy())),
    ):
        other = (accepted == label)[mine]
        better, worse = int((engine & ~other).sum()), int((~engine & other).sum())
        p = binomtest(worse, better + worse).pvalue
        assert better > worse, name
        assert name != "exact" or (better - worse > 0.05 * mine.sum() and p < 1e-6)


def test_committed_model_is_the_fit(rows, judged):
    path, _ = labelled_pairs()
    kept, refitted = score.default_model(), training.fit_model(rows, 0)
    again = "the rules or features have changed: run python -m benchmarks.compare_equivalence --write"
    for name in ("weight", "mean", "scale", "intercept", "slope", "offset", "threshold"):
        assert getattr(kept, name) == pytest.approx(getattr(refitted, name), abs=1e-6), again
    known = kept.provenance
    assert known["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert known["file"] == path.name and known["pairs"] == len(rows) == 5296
    assert known["right"] == sum(row["human_label"] for row in rows)
    assert known["seed"] == 0 and known["penalty"] == training.PENALTY
    assert set(known["versions"]) == {"anyascii", "numpy", "PyStemmer", "rapidfuzz"}
    figures = evaluation.accuracy_by_source(judged).round(4).to_dict("index")
    assert known["cross_validated"]["figures"] == figures, again
