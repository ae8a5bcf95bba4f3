"""Figures of finished tables; nothing is estimated here. ``names``: model → name shown, else its key."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from ..core import theme
from ..core.mark_sources import first_judge
from . import tables

Styles = dict[str, tuple[str, str]]
"""Model → (colour, marker)."""


def _elicitations(table: pd.DataFrame) -> list[str]:
    """Of ``verbalized`` and ``logit``, in this order, those that the table has."""
    return [name for name in ("verbalized", "logit") if (table["elicitation"] == name).any()]


def _empty(ax: plt.Axes, min_n: int) -> None:
    """Write into a panel without a finite point why it is empty."""
    if not ax.lines or not any(np.isfinite(line.get_ydata()).any() for line in ax.lines):
        text = f"fewer than {min_n} answers\nat every point"
        ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", color="#555555")


def _share_axes(ax: plt.Axes) -> None:
    """Label and limit the axes of a panel of shares by share of clues revealed."""
    ax.set_xlabel("Share of clues revealed")
    ax.set_xlim(0.05, 1.03)
    ax.set_ylim(0, 1)
    theme.percent_ticks(ax)
    theme.percent_ticks(ax, "x")


FEWEST_ANSWERS = 10
"""Answers in a bin of a reliability diagram below which the share right is not drawn."""


def _half_of_the_most(table: pd.DataFrame | None, line: list[str]) -> pd.DataFrame | None:
    """Rows with at least half the greatest ``n`` of their ``line``, the columns that name a line; None for None."""
    if table is None:
        return None
    return table[2 * table["n"] >= table.groupby(line)["n"].transform("max")]


def _curve(ax: plt.Axes, curve, value: str, style, label: str, **kwargs) -> None:
    """Draw the column ``value`` of ``curve`` by share of clues revealed, with a band from its low to high."""
    band = curve["low"], curve["high"]
    theme.curve_with_band(ax, curve["revealed"], curve[value], band, style, label, **kwargs)


def figure5(accuracy, survey, styles: Styles, names: dict, min_n: int) -> plt.Figure:
    """Figure 5: accuracy by share of clues revealed; a panel per elicitation, players the same in each.

    ``accuracy``: accuracy_by_share, ``survey``: survey_accuracy; either may be None. Not drawn: points of fewer than
    ``min_n`` answers, or of half the most in their line, and bands on fewer than twice ``min_n`` effective answers.
    """
    accuracy = _half_of_the_most(accuracy, ["reading", "elicitation", "model"])
    survey = _half_of_the_most(survey, ["reading", "group"])
    accuracy, survey = theme.mask_small_n(accuracy, min_n), theme.mask_small_n(survey, min_n)
    kinds = [None] if accuracy is None else _elicitations(accuracy)
    size = (theme.WIDTH, 4.4)
    figure, axes = plt.subplots(1, len(kinds), figsize=size, sharey=True, squeeze=False)
    for ax, elicitation in zip(axes[0], kinds, strict=True):
        if survey is not None:
            for group, curve in survey[survey["reading"] == "at"].groupby("group"):
                label = f"Players {theme.quartile_words(group)}"
                _curve(ax, curve, "accuracy", (theme.QUARTILES[group], "o"), label)
        if elicitation is not None:
            rows = accuracy[accuracy["reading"] == "at"]
            for model, curve in rows[rows["elicitation"] == elicitation].groupby("model"):
                label = names.get(model, model)
                _curve(ax, curve, "accuracy", styles[model], label, linestyle="--")
            ax.set_title(f"Guesses with {elicitation} confidence")
        _share_axes(ax)
        _empty(ax, min_n)
    axes[0, 0].set_ylabel("Share right")
    both_panels = survey is not None and len(kinds) > 1
    most = [int(table["n"].max()) for table in (accuracy, survey) if table is not None]
    note = f"At most {' and '.join(f'{n:,}' for n in most)} answers at a point"
    note += " (models, players); players are the same in both panels" if both_panels else ""
    theme.name_lines(figure, axes, note)
    return figure


def figure6(models, survey, styles: Styles, names: dict, min_n: int) -> plt.Figure:
    """Figure 6: P(buzz | right) and P(buzz | wrong) by share of clues revealed; of models only logit confidences.

    ``models``: buzz_given, ``survey``: survey_buzz_given; either may be None. Points of fewer than ``min_n``
    answers are not drawn.
    """
    models, survey = theme.mask_small_n(models, min_n), theme.mask_small_n(survey, min_n)
    figure, axes = plt.subplots(1, 2, figsize=(theme.WIDTH, 4.3), sharey=True)
    counts: dict[str, int] = {}
    for ax, outcome in zip(axes, ("correct", "incorrect"), strict=True):
        if survey is not None:
            for half, curve in survey[survey["given"] == outcome].groupby("half", sort=False):
                label = f"Players, {half} half"
                counts[label] = survey.loc[survey["half"] == half, "n"].sum()
                _curve(ax, curve, "p", (theme.HALVES[half], "o"), label)
        if models is not None:
            rows = models[models["elicitation"] == "logit"]
            for model, curve in rows[rows["given"] == outcome].groupby("model"):
                label = names.get(model, model)
                counts[label] = rows.loc[rows["model"] == model, "n"].sum()
                _curve(ax, curve, "p", styles[model], label, linestyle="--")
        ax.set_title("P(buzz | right)" if outcome == "correct" else "P(buzz | wrong)")
        _share_axes(ax)
        _empty(ax, min_n)
    axes[0].set_ylabel("P(buzz), up to the first buzz")
    parts = [f"{label} {n:,}" for label, n in counts.items()]
    lines = ",\n".join(", ".join(parts[k : k + 4]) for k in range(0, len(parts), 4))
    theme.name_lines(figure, axes, f"Answers up to the first buzz, right and wrong:\n{lines}")
    return figure


def reliability_diagrams(table, errors, tests, styles: Styles, names: dict) -> plt.Figure:
    """Reliability diagrams of ``table`` (reliability): share right against mean confidence per bin, area of a point as its n.

    Thick lines are intervals of the share right, thin ones the gap to perfect calibration; below stands n. Of bins with
    fewer than ``FEWEST_ANSWERS`` answers only n is shown.

    ``errors``: rows of proper_scores, ``tests``: rows of calibration_slopes, of one definition: the debiased root-mean-square
    calibration error with its interval and the p value of being calibrated are printed, as plain ECE is biased upward.
    """

    def own(frame, model, kind):
        return frame[(frame["model"] == model) & (frame["elicitation"] == kind)]

    panels = [
        (model, kind) for kind in _elicitations(table) for model in styles if len(own(table, model, kind))
    ]
    columns = min(3, len(panels))
    height = -(-len(panels) // columns)
    figure, axes = plt.subplots(
        height,
        columns,
        figsize=(theme.WIDTH, 0.6 + min(2.1, 6.1 / height) * height),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for ax in axes.flat[len(panels) :]:
        ax.set_visible(False)
    most = table["n"].max()
    # Counts below 0 need more of a lower panel.
    line = 0.06 if height < 4 else 0.08
    for ax, (model, elicitation) in zip(axes.flat, panels, strict=False):
        ax.plot([0, 1], [0, 1], color="#888888", linewidth=0.9, linestyle=":")
        filled_bins = own(table[table["n"] > 0], model, elicitation)
        colour, _ = styles[model]
        total = filled_bins["n"].sum()
        for place, bin_ in enumerate(filled_bins.itertuples()):
            # neighbours stand one above the other
            low = -line - line * (place % 2)
            ax.text(
                bin_.confidence, low, f"{bin_.n:,}", ha="center", va="center", fontsize=8, color="#555555"
            )
        filled_bins = filled_bins[filled_bins["n"] >= FEWEST_ANSWERS]
        x, y = filled_bins["confidence"], filled_bins["accuracy"]
        gap = filled_bins[["confidence", "accuracy"]]
        ax.vlines(x, gap.min(axis=1), gap.max(axis=1), color=colour, alpha=0.45, linewidth=1)
        ax.plot(x, y, color=colour, linewidth=1)
        ends = filled_bins["accuracy_low"], filled_bins["accuracy_high"]
        ax.vlines(x, *ends, color=colour, linewidth=2.2)
        ax.scatter(x, y, s=150 * filled_bins["n"] / most, color=colour, alpha=0.8, linewidth=0)
        lines = [f"n = {total:,}"]
        score, test = (own(frame, model, elicitation) for frame in (errors, tests))
        if len(test) and np.isfinite(p := test.iloc[0]["p_calibrated"]):
            lines.insert(0, f"Wald test: p {f'= {p:.3f}' if p >= 0.001 else '< .001'}")
        if len(score):
            errors_row = score.iloc[0]
            ends = f"[{errors_row['ece_across_low']:.3f}, {errors_row['ece_across_high']:.3f}]"
            lines.insert(0, f"debiased RMS {errors_row['ece_across']:.3f}\n{ends}")
        text = "\n".join(lines)
        ax.text(0.03, 0.97, text, transform=ax.transAxes, va="top", fontsize=8)
        ax.set_title(f"{names.get(model, model)}, {elicitation}", fontsize=8.5)
        ax.set_xlim(-0.02, 1.02)
        ax.set_ylim(-0.05 - 2 * line, 1.02)
    words = "Mean confidence in the bin (thin: the gap, thick: intervals; numbers: answers)"
    figure.supxlabel(words, fontsize=9)
    figure.supylabel("Share right", fontsize=9)
    return figure


def calscore_by_category(table, styles: Styles, names: dict, definition: str) -> plt.Figure:
    """CalScore under ``definition`` per merged category and model, a panel per elicitation, from ``table`` (table 5).

    Thin bars: Student's intervals over questions; broad pale ones behind them resample questions and human teams.
    """
    rows = table[(table["level"] == "merged") & (table["definition"] == definition)]
    kinds = _elicitations(rows)
    categories = sorted(rows["category"].unique())
    counts = rows.groupby("category")["n_questions"].max()
    models = [m for m in styles if (rows["model"] == m).any()]
    figure, axes = plt.subplots(
        1,
        len(kinds),
        figsize=(theme.WIDTH, 1.2 + 0.75 * len(categories)),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    offsets = np.linspace(-0.33, 0.33, len(models)) if len(models) > 1 else [0.0]
    for ax, elicitation in zip(axes[0], kinds, strict=True):
        for offset, model in zip(offsets, models, strict=True):
            points = rows[(rows["model"] == model) & (rows["elicitation"] == elicitation)]
            points = points.set_index("category").reindex(categories)
            error = np.abs(
                points[["calscore_low", "calscore_high"]].to_numpy().T - points["calscore"].to_numpy()
            )
            colour, marker = styles[model]
            y = np.arange(len(categories)) + offset
            ends = points["calscore_two_way_low"], points["calscore_two_way_high"]
            ax.hlines(y, *ends, color=colour, alpha=0.3, linewidth=4)
            ax.errorbar(
                points["calscore"],
                y,
                xerr=error,
                fmt=marker,
                color=colour,
                capsize=2,
                elinewidth=1,
                markersize=4,
                label=names.get(model, model),
            )
        ax.set_title(f"{elicitation.capitalize()} confidence")
        ax.set_xlabel("CalScore (lower is better)")
        ax.set_yticks(range(len(categories)), [f"{c}\nn = {counts[c]:,}" for c in categories])
        ax.set_ylim(len(categories) - 0.5, -0.5)
    figure.legend(
        *theme.legend_entries(axes),
        loc="outside lower center",
        ncols=3,
        title=f"Definition: {definition}; bars: t intervals over questions; pale: questions and human teams resampled",
        title_fontsize=8,
    )
    return figure


def score_figures(
    table1: pd.DataFrame,
    table5: pd.DataFrame,
    reliability: pd.DataFrame,
    proper_scores: pd.DataFrame,
    calibration_slopes: pd.DataFrame,
    primary_segmentation: str,
    primary_definition: str,
    reductions: list[str],
    names: dict[str, str],
) -> dict[str, plt.Figure]:
    """Figures reliability and calscore_by_category, by name, under ``primary_definition``, the first judge's answers alone."""
    styles = theme.model_styles(names, table1["model"])
    bins = reliability[reliability["definition"] == primary_definition]
    bins = tables.primary_rows(bins, primary_segmentation, reductions)
    table5, errors, tests = map(first_judge, (table5, proper_scores, calibration_slopes))
    errors = errors[errors["definition"] == primary_definition]
    scope = {"paper": "every_clue", "release": "last_clue"}[primary_definition]
    tests = tests[(tests["scope"] == scope) & (tests["ends"] == "squeeze")]
    used = bins[["model", "elicitation", "reduction"]].drop_duplicates()
    return {
        "reliability": reliability_diagrams(bins, errors.merge(used), tests.merge(used), styles, names),
        "calscore_by_category": calscore_by_category(table5, styles, names, primary_definition),
    }


def answer_figures(
    survey_accuracy: pd.DataFrame | None,
    survey_buzz_given: pd.DataFrame | None,
    min_n: int,
    names: dict[str, str],
    accuracy_by_share: pd.DataFrame | None = None,
    buzz_given: pd.DataFrame | None = None,
) -> dict[str, plt.Figure]:
    """Figures figure5 and figure6, by name, from tables of models, of the survey (None if absent), or both; first judge only."""
    present = [] if accuracy_by_share is None else accuracy_by_share["model"]
    styles = theme.model_styles(names, present)
    accuracy_by_share, buzz_given = (
        None if table is None else first_judge(table) for table in (accuracy_by_share, buzz_given)
    )
    return {
        "figure5": figure5(accuracy_by_share, survey_accuracy, styles, names, min_n),
        "figure6": figure6(buzz_given, survey_buzz_given, styles, names, min_n),
    }
