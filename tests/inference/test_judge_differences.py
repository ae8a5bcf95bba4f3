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


# ------------------------------------------------------------------ ranks under marks that can be argued

QUESTION = ("q1", "q2")
#: Model → marks of its one run on each question.
GIVEN = {"A": (True, True), "B": (True, False)}


def runs():
    rows = [
        {"segmentation": "authors", "model": model, "elicitation": "logit", "marks": marks}
        | {"reduction": "mean_prob", "question_id": question, "clue": 1, "position": 9}
        | {"confidence": 0.9 if model == "A" else 0.8, "correct": right}
        for marks in ("authors", "adjudicated")
        for model, of in GIVEN.items()
        for question, right in zip(QUESTION, of, strict=True)
    ]
    return pd.DataFrame(rows)


def disagreements(*decided):
    """(model, question, verdict by hand, arguable) of disputed runs."""
    columns = ["model", "question_id", "adjudicated", "arguable"]
    rows = pd.DataFrame(decided, columns=columns).assign(elicitation="logit", position=9)
    return rows.assign(arguable=rows["arguable"].astype("boolean"))


def curve():
    rows = [("authors", q, 1, name, 0.0) for q in QUESTION for name in ("buzzed_so_far", "buzzed_on_question", "heard")]  # fmt: skip
    return pd.DataFrame(rows, columns=["segmentation", "question_id", "clue", "h_definition", "h"])


def test_ranks_with_arguable_marks_left_to_the_authors_and_decided_against_them():
    disputed = disagreements(
        ("A", "q1", "reject", True),  # arguable, decided against the mark
        ("A", "q2", "accept", True),  # arguable, decided for the mark
        ("B", "q2", "accept", False),  # a mark that is wrong
    )
    table = judge_differences.mark_ranks(runs(), curve(), disputed, "authors", ["mean_prob"], {})[
        "mark_ranks"
    ]
    assert not store.validation_errors(table, "mark_ranks")
    rows = table[(table["definition"] == "release") & (table["metric"] == "brier")]
    wide = rows.pivot(index="arguable", columns="model", values=["value", "rank"])
    right = {"given": (2, 1), "left": (2, 2), "decided": (1, 2), "against": (0, 2)}
    for reading, (a, b) in right.items():
        of_a = (a * 0.1**2 + (2 - a) * 0.9**2) / 2
        of_b = (b * 0.2**2 + (2 - b) * 0.8**2) / 2
        assert wide.loc[reading, "value"].to_list() == pytest.approx([of_a, of_b])
        assert wide.loc[reading, "rank"].to_list() == ([1, 2] if of_a < of_b else [2, 1])
    assert (rows.groupby("arguable")["changed"].first() == pd.Series({"against": 2, "decided": 1, "given": 0, "left": 0})).all()  # fmt: skip


def test_without_verdicts_by_hand_there_are_no_ranks_of_marks():
    undecided = disagreements(("A", "q1", None, None))
    table = judge_differences.mark_ranks(runs(), curve(), undecided, "authors", ["mean_prob"], {})
    assert table["mark_ranks"].empty
