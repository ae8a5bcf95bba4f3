"""Figures: what is left out of a picture, what it says in words, and captions."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from calscore.buzz_policy import plot as plots_buzzing
from calscore.core import theme
from calscore.inference import plot as plots_inference
from calscore.multiple_choice import plot as option_plots
from calscore.scores import metrics, plot, render
from support import ROOT, words

pytestmark = pytest.mark.usefixtures("style")


def test_every_caption_of_a_figure_says_where_data_are_simulated():
    captions = set((ROOT / "workflow" / "report" / "figures").glob("*.rst"))
    first = "{% if snakemake.params.simulated %}**Simulated data.** {% endif %}"
    silent = [p.name for p in captions if not p.read_text(encoding="utf-8").startswith(first)]
    assert len(captions) > 30 and silent == []


def test_figure5_names_bottom_and_top():
    survey = pd.DataFrame(
        [("at", group, share, 50, 50, 0.5, 0.4, 0.6) for group in theme.QUARTILES for share in (0.5, 1)],
        columns=["reading", "group", "revealed", "n", "n_effective", "accuracy", "low", "high"],
    )  # fmt: skip
    figure = plot.figure5(None, survey, {}, {}, 10)
    labels = [text.get_text() for text in figure.axes[0].texts]
    assert "Players Q1 (bottom)" in labels and "Players Q4 (top)" in labels


def test_figure5_leaves_out_points_of_few_questions():
    """10 % of the clues of 16 of 240 questions: a point of others than the rest of the line."""
    rows = [
        ("at", "logit", "M1", share, n, 0.5, 0.4, 0.6) for share, n in ((0.1, 16), (0.2, 120), (1.0, 240))
    ]
    names = ["reading", "elicitation", "model", "revealed", "n", "accuracy", "low", "high"]
    figure = plot.figure5(pd.DataFrame(rows, columns=names), None, {"M1": ("k", "o")}, {}, 10)
    assert figure.axes[0].lines[0].get_xdata().tolist() == [0.2, 1.0]


def test_bins_of_few_answers_have_their_number_and_no_bar():
    table = pd.DataFrame({"model": "M1", "elicitation": "logit", "n": [3, 40], "confidence": [0.2, 0.8]})
    table = table.assign(accuracy=0.5, accuracy_low=0.1, accuracy_high=0.9)
    nothing = pd.DataFrame(columns=["model", "elicitation"])
    ax = plot.reliability_diagrams(table, nothing, nothing, {"M1": ("k", "o")}, {}).axes[0]
    assert ax.lines[1].get_xdata().tolist() == [0.8]
    assert [text.get_text() for text in ax.texts] == ["3", "40", "n = 43"]


def reliability_tables(counts):
    """option_reliability and option_scores of one model: right answers and answers by bin."""
    rows = [
        (setting, b, b / 10, (b + 1) / 10, n, right, right / n, right / n / 2, right / n / 2 + 0.5)
        for setting, bins in counts.items()
        for b, (right, n) in bins.items()
    ]
    table = pd.DataFrame(
        rows,
        columns=["setting", "bin", "low", "high", "n", "right", "accuracy", "accuracy_low", "accuracy_high"],
    ).assign(model="m", name="M")  # fmt: skip
    return table, pd.DataFrame(
        {
            "model": ["m"],
            "name": "M",
            "N_ece": 0.1,
            "N_ece_low": 0.05,
            "N_ece_high": 0.15,
            "D_ece": 0.2,
            "D_ece_low": 0.1,
            "D_ece_high": 0.3,
        }
    )


def test_small_bins_are_left_out_and_bins_without_a_right_answer_marked():
    table, scores = reliability_tables(
        {"normal": {3: (1, 9), 5: (0, 10), 9: (30, 40)}, "distractor": {9: (1200, 2000)}}
    )
    (ax,) = (ax for ax in option_plots.reliability(table, scores, 10).axes if ax.get_title())
    assert words(ax) == ["0", "30", "1,200"]
    assert (
        ax.get_title() == "M\nECE N 0.100 [0.050, 0.150], drawn 50 of 59\nECE D 0.200 [0.100, 0.300], n 2,000"
    )
    marks = [line.get_ydata().tolist() for line in ax.lines if line.get_marker() in "os"]
    assert marks == [[0.0, 0.75], [0.6]]


def test_small_topics_are_left_out_and_counted():
    rows = [(setting, group) for setting in ("normal", "distractor") for group in ("Art", "Law")]
    table = pd.DataFrame(rows, columns=["setting", "group"]).assign(n_counted=[3, 9] * 2)
    table = table.assign(model="m", name="M", n=table["n_counted"], ece=0.2, ece_low=0.1, ece_high=0.3, ece_calibrated_high=0.4)  # fmt: skip
    for rows, drawn, few in ((table, ["Law (9)"], 1), (table[table["group"] == "Art"], [], 1)):
        (ax,) = option_plots.topics(rows, 0.95).axes
        assert [label.get_text() for label in ax.get_yticklabels()] == drawn
        assert ax.get_xlabel().endswith(f"not drawn, with fewer than 5 answers: {few}")


def test_counts_stay_inside_the_panel_and_apart():
    """The highest bars there can be, in neighbouring bins."""
    bins = {b: (1000 + b, 1100) for b in range(10)}
    table, scores = reliability_tables({"normal": bins, "distractor": bins})
    # Six panels as in the paper.
    six = [table.assign(model=str(k), name=f"Model {k}") for k in range(6)]
    scores = pd.concat([scores.assign(model=str(k)) for k in range(6)])
    figure = option_plots.reliability(pd.concat(six), scores, 10)
    figure.draw_without_rendering()
    ax = figure.axes[0]
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) == 20 and all(box.y1 <= ax.bbox.y1 for box in boxes)
    order = sorted(boxes, key=lambda box: box.x0)
    assert all(a.x1 < b.x0 for a, b in pairwise(order))


def test_the_legend_of_expected_wins_hides_no_curve():
    curve = pd.DataFrame(
        [("study", kind, "m", "Model", "protobowl", t, 0.3, 0.2, 0.4, t == -0.1, 50)
         for kind in ("logit", "verbalized") for t in (-1.0, -0.1, -0.01)],
        columns=["set", "elicitation", "model", "name", "opponents", "threshold", "expected_wins",
                 "low", "high", "best", "questions"],
    )  # fmt: skip
    columns = ["set", "elicitation", "model", "rule", "opponents", "flat_low", "flat_high"]
    rules = pd.DataFrame([("study", "logit", "m", "tuned", "protobowl", -0.2, -0.05)], columns=columns)  # fmt: skip
    figure = plots_buzzing.thresholds(curve, rules, "protobowl", [-0.03], {"m": "Model"})["expected_wins"]
    assert [ax.get_legend() for ax in figure.axes] == [None, None]
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == [
        "Model: −0.100; −0.100",
        "thresholds that reach 99 % of the best",
        "given thresholds",
    ]
    assert figure.axes[0].get_title() == "Logit confidence\nn = 50 questions"


def test_specifications_are_as_wide_as_other_figures_and_named_in_words():
    choices = {name: "" for name in plots_inference.CHOICES}
    rows = [
        {**choices, "form": "paper", "trust": 1.0, "metric": metric, "elicitation": "logit", "model": "m",
         "value": 0.1 * k,
         "reduction": reduction, "h_definition": h if metric == "calscore" else ""}
        for metric in metrics.metric_names("specifications")
        for k, (reduction, h) in enumerate(
            (("mean_prob", "buzzed_so_far"), ("exp_sum_logprob", "buzzed_on_question"))
        )
    ]  # fmt: skip
    scores = pd.DataFrame([{"model": "m", "definition": "paper"} | {
        f"{metric}{end}": 0.1 for metric in metrics.metric_names("specifications") for end in ("", "_low", "_high")
    }])  # fmt: skip
    table = pd.DataFrame(rows)
    figure = plots_inference.specification_figure(table, scores, theme.model_styles(["m"]), {})
    assert figure.get_size_inches()[0] == theme.WIDTH
    labels = [
        text.get_text() for text in figure.axes[len(metrics.metric_names("specifications"))].get_yticklabels()
    ]
    assert labels == [
        "h: buzzed on question", "h: buzzed so far",
        "confidence: product of tokens", "confidence: mean of tokens",
    ]  # fmt: skip
    assert not np.any(["_" in label for label in labels])


def test_the_reliability_diagram_leads_with_the_debiased_error_and_a_test():
    place = {"model": ["A"], "elicitation": ["logit"]}
    bins = pd.DataFrame(place | {"n": 10, "confidence": 0.5, "accuracy": 0.4, "accuracy_low": 0.2, "accuracy_high": 0.6})  # fmt: skip
    errors = pd.DataFrame(place | {"ece_across": 0.2, "ece_across_low": 0.15, "ece_across_high": 0.25})  # fmt: skip
    for p, said in ((0.04, "= 0.040"), (1e-5, "< .001")):
        tests = pd.DataFrame(place | {"p_calibrated": p})
        figure = plot.reliability_diagrams(bins, errors, tests, {"A": ("#000000", "o")}, {})
        assert words(figure.axes[0])[-1] == (
            f"debiased RMS 0.200\n[0.150, 0.250]\nWald test: p {said}\nn = 10"
        )


def test_plain_ece_is_printed_without_an_interval():
    assert not metrics.has_interval("ece")
    assert metrics.has_interval("brier") and metrics.has_interval("win_rate")
    cells = {m.name: [0.2] for m in metrics.metrics_for("table1")}
    ends = {f"{name}_{end}": [x] for name in cells for end, x in (("low", 0.1), ("high", 0.3))}
    ranks = {f"{name}_rank": [1] for name in cells}
    about = {"definition": "paper", "elicitation": "logit", "marks": "engine", "model": "A", "name": "A", "n_questions": 9}  # fmt: skip
    (printed,) = render.table1(pd.DataFrame(cells | ends | ranks | about), 0.95)
    assert printed.frame["ECE"].item() == "0.200"
    assert printed.frame["Brier"].item() == "0.200 [0.100, 0.300]"
