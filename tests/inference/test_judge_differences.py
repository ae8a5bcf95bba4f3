"""Scores of the same answers under two judges, from tables written out by hand."""

import pandas as pd
import pytest
from calscore.core import store
from calscore.inference import judge_differences

METRICS = ("brier", "ece", "mce", "calscore")
#: Model → Brier score under the run's own marks and under the engine.
BRIER = {"M1": (0.30, 0.20), "M2": (0.25, 0.24), "M3": (0.10, 0.12)}


def table1():
    rows = []
    for place, marks in enumerate(("authors", "engine")):
        order = sorted(BRIER, key=lambda model: BRIER[model][place])
        for model, pair in BRIER.items():
            row = {"definition": "paper", "elicitation": "logit", "model": model, "marks": marks}
            row |= {"name": f"Model {model}"}
            for metric in METRICS:
                row |= {metric: pair[place], f"{metric}_rank": order.index(model) + 1}
            rows.append(row)
    return pd.DataFrame(rows)


def comparisons():
    base = {"definition": "paper", "category": "all", "kind": "judges", "family": "exploratory"}
    base |= {"marks_a": "authors", "marks_b": "engine", "elicitation_a": "logit", "p_adjusted": 0.5}
    rows = [
        base | {"model_a": m, "metric": metric, "difference": a - b, "low": a - b - 1, "high": 1.0}
        for m, (a, b) in BRIER.items()
        for metric in METRICS
    ]
    other = [one | {"kind": "models", "marks_b": "authors"} for one in rows]
    return pd.DataFrame(rows + other)


def test_values_ranks_and_kept_orders_stand_beside_the_difference():
    table = judge_differences.judge_differences(table1(), comparisons())
    assert not store.validation_errors(table, "judges")
    assert len(table) == 3 * len(METRICS)
    brier = table[table["metric"] == "brier"].set_index("model")
    assert brier[["rank_a", "rank_b"]].T.to_dict("list") == {
        "M1": [3, 2],
        "M2": [2, 3],
        "M3": [1, 1],
    }
    assert brier["difference"].to_dict() == pytest.approx({"M1": 0.1, "M2": 0.01, "M3": -0.02})
    # M1 and M2 change places; either keeps its place against M3.
    assert brier["order_kept"].to_dict() == {"M1": 0.5, "M2": 0.5, "M3": 1.0}
    assert brier.loc["M1", "name"] == "Model M1"


def test_with_one_judge_there_is_nothing_to_compare():
    one = comparisons()
    table = judge_differences.judge_differences(table1(), one[one["kind"] == "models"])
    assert table.empty and list(table) == store.columns("judges")
