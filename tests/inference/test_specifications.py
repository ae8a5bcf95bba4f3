"""Scores under every combination of choices, and which conclusions hold under them."""

import numpy as np
import pandas as pd
import pytest
from calscore.inference import specifications
from calscore.scores import (
    metrics,
)
from calscore.stats import resample


@pytest.fixture(scope="module")
def curve(demo):
    return pd.read_csv(demo / "tables" / "specifications.csv", keep_default_na=False)


def test_every_combination_of_choices_is_there_once(curve):
    sizes = curve.groupby("metric")["model"].size() / 6
    # 3 segmentations × 4 judges × 4 confidences, times what the metric itself depends on.
    assert sizes.to_dict() == {"mce": 96, "calscore": 288, "ece": 192, "brier": 96}
    key = ["metric", "elicitation", *specifications.CHOICES, "model"]
    assert not curve.duplicated(key).any()


def test_the_shown_specification_is_table_1(demo, curve):
    table1 = pd.read_csv(demo / "tables" / "table1.csv")
    for definition, h, scope, edges in (
        ("paper", "buzzed_so_far", "every clue", "exact"),
        ("release", "buzzed_on_question", "last clue", "released"),
    ):
        of = curve[(curve["segmentation"] == "sentence-100") & (curve["matcher"] == "engine")]
        of = of[(of["form"] == definition) & of["h_definition"].isin(["", h])]
        of = of[of["scope"].isin(["", scope]) & of["edges"].isin(["", edges])]
        wide = of.pivot(index=["elicitation", "model", "reduction"], columns="metric", values="value")
        expected = table1[table1["definition"] == definition]
        expected = expected.set_index(["elicitation", "model", "reduction"])
        found = wide.reindex(expected.index)
        for metric in metrics.metric_names("specifications"):
            assert found[metric].to_numpy() == pytest.approx(expected[metric].to_numpy(), abs=1e-12)


def test_conclusions_count_specifications(demo, curve):
    table = pd.read_csv(demo / "tables" / "conclusions.csv")
    one = table[(table["metric"] == "ece") & (table["elicitation"] == "logit")].iloc[3]
    of = curve[
        (curve["metric"] == "ece") & (curve["elicitation"] == "logit") & (curve["form"] == one["form"])
    ]
    wide = of.pivot(index=list(specifications.CHOICES), columns="model", values="value")
    difference = wide[one["model_a"]] - wide[one["model_b"]]
    assert one["specifications"] == len(difference)
    assert one["share_a_better"] == pytest.approx((difference < 0).mean())
    assert one["lowest_difference"] == pytest.approx(difference.min())
    gap = float(one["published_a"]) - float(one["published_b"])
    assert one["share_holding"] == pytest.approx((np.sign(difference) == np.sign(gap)).mean())
    assert table["share_holding"].between(0, 1).all() and table["share_holding"].nunique() > 10


# right by the judge, right by the reference → sensitivity + specificity − 1, at least 0
TRUST = [
    ([1, 1, 0, 0], [1, 1, 0, 0], 1.0),
    ([1, 0, 0, 0], [1, 1, 0, 0], 0.5),
    ([1, 1, 1, 1], [1, 1, 0, 0], 0.0),
    ([0, 0, 1, 1], [1, 1, 0, 0], 0.0),
    ([1, 0], [1, 1], 1.0),
]


@pytest.mark.parametrize(("right", "reference", "trust"), TRUST)
def test_how_far_a_judge_can_be_trusted(right, reference, trust):
    assert specifications.informedness(right, reference) == trust


def test_a_weighted_median_counts_weight():
    values = np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 3.0]])
    assert specifications.weighted_median(values, np.array([1, 1, 1])).tolist() == [2, 2]
    assert specifications.weighted_median(values, np.array([5, 1, 1])).tolist() == [3, 1]
    assert specifications.weighted_median(values[:, 0], np.array([1, 5, 1])) == 1


def _sums(a, b, trust, form="paper"):
    """One specification of two models, each with one score a question."""
    series = pd.DataFrame({"model": ["A", "B"], "elicitation": "logit", "reduction": "stated"})
    one = resample.Sums(np.stack([a, b])[..., None], np.ones((2, len(a))))
    return {"metric": "mce", "form": form, "trust": trust}, series, one


def test_the_joint_test_looks_at_all_specifications_of_a_definition_at_once():
    rng = np.random.default_rng(0)
    a = rng.random((3, 60))
    alike = [_sums(one, one + rng.normal(0, 0.2, 60), 1.0) for one in a]
    apart = [_sums(one, one + 0.1 + rng.normal(0, 0.2, 60), 1.0, "release") for one in a]
    found = specifications.joint_test(alike + apart, 200, 1).set_index("form")
    assert found.loc["paper", "p_joint"] > 0.05 and found.loc["release", "p_joint"] == 1 / 201
    assert found.loc["release", "weight_a_better"] == 1.0
    each = [(b - c).mean() for b, c in (one[2].numerator[..., 0] for one in apart)]
    assert found.loc["release", "weighted_median"] == pytest.approx(np.median(each))
    # a judge that cannot be trusted does not count
    other = _sums(a[0] + 5, a[0], 0.0, "release")
    again = specifications.joint_test([*apart, other], 200, 1).iloc[0]
    assert again["weight_a_better"] == 1.0 and again["p_joint"] == 1 / 201


def test_a_printed_tie_holds_where_scores_round_together():
    difference = pd.Series([0.0, 0.0004, -0.0006, 0.2])
    printed = {"logit": {"A": {"ece": "0.100"}, "B": {"ece": "0.100"}}}
    found = specifications._published_columns(printed, "logit", "ece", "A", "B", difference)
    assert found["share_holding"] == 0.5 and found["published_order"] == "A = B"
    assert specifications._published_columns(None, "logit", "ece", "A", "B", difference) == {}
