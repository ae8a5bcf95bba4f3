"""Figures of a study of answer options; each draws finished tables and estimates nothing."""

from collections.abc import Collection

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ..core import theme
from ..core.render import interval
from ..scores.tables import FEWEST
from . import SETTINGS, STATES

COLOURS = {"normal": theme.MODELS[0], "distractor": theme.BLUES[1]}
MARKERS = {"normal": "o", "distractor": "s"}
LABELS = {"normal": "N: without options", "distractor": "D: with options"}
STATE_COLOURS = {"right": theme.RIGHT, "wrong": theme.WRONG, "not attempted": theme.GREY}
COLUMNS = 3
TALLEST = 6
"""Height of all panels of a figure at most, inches."""


def figures(
    judging: str, not_attempted: str, min_n: int, level: float, **tables: pd.DataFrame
) -> dict[str, Figure]:
    """Five figures by name, for one ``judging`` and reading (``not_attempted``): option_reliability, option_types,
    option_topics, option_transitions, option_harm. ``min_n``: fewest answers of a drawn bin; ``level``: for labels;
    ``tables``: those of the same names (but harm), option_scores and option_comparisons."""
    rows = {name: select_rows(table, judging, not_attempted) for name, table in tables.items()}
    comparisons = rows["option_comparisons"]
    return {
        "option_reliability": reliability(rows["option_reliability"], rows["option_scores"], min_n),
        "option_types": types(rows["option_types"], level),
        "option_topics": topics(rows["option_topics"], level),
        "option_transitions": transitions(rows["option_transitions"], comparisons),
        "option_harm": harm(comparisons, level),
    }


def own_figures(
    option_scores: pd.DataFrame, option_reliability: pd.DataFrame, not_attempted: str, min_n: int
) -> dict[str, Figure]:
    """{"option_reliability_own": figure 4}, for judging "own", reading ``not_attempted``, bins from ``min_n`` answers."""
    tables = (select_rows(table, "own", not_attempted) for table in (option_reliability, option_scores))
    return {"option_reliability_own": reliability(*tables, min_n)}


def select_rows(table: pd.DataFrame, judging: str, reading: str) -> pd.DataFrame:
    """Rows of single models (not of their mean) under a judging, and under a reading where the table has several."""
    rows = table[(table["judging"] == judging) & (table["model"] != "mean")]
    return rows[rows["reading"] == reading] if "reading" in rows else rows


def _grid(
    models: Collection[str], height: float, across: int = COLUMNS, **kwargs
) -> tuple[Figure, dict[str, Axes]]:
    """(figure, model → panel), at most ``across`` panels a row, each at most ``height`` inches high; unused ones are off."""
    columns = min(across, len(models))
    rows = -(-len(models) // columns)
    figure, axes = plt.subplots(
        rows,
        columns,
        figsize=(max(theme.WIDTH * columns / across, 3.6), 0.75 + min(height * rows, TALLEST)),
        squeeze=False,
        **kwargs,
    )
    for ax in axes.flat[len(models) :]:
        ax.axis("off")
    # An unused panel below hides the labels of the one above it, which shares its axis.
    for column in range(columns):
        bottom_row = max(r for r in range(rows) if r * columns + column < len(models))
        axes[bottom_row, column].tick_params(labelbottom=True)
    return figure, dict(zip(models, axes.flat, strict=False))


def _legend(figure: Figure, handles: list[Artist], panels: int) -> None:
    """One legend below, a single column under a single panel."""
    ncol = len(handles) if panels > 1 else 1
    figure.legend(handles=handles, loc="outside lower center", ncol=ncol)


def _xlabel(axes: dict[str, Axes], label: str, across: int = COLUMNS) -> None:
    """The label under the lowest panel of each column."""
    panels = list(axes.values())
    for ax in panels[-min(across, len(panels)) :]:
        ax.set_xlabel(label)


def _names(table: pd.DataFrame) -> dict[str, str]:
    """Model → its name, each once, in the order of the table."""
    return dict(zip(table["model"], table["name"], strict=True))


def reliability(table: pd.DataFrame, scores: pd.DataFrame, min_n: int) -> Figure:
    """Figures 2 and 4: share right by confidence, N and D side by side, number right on the bars; ECE with its interval above.
    ``table``: option_reliability of one judging and reading; ``scores``: option_scores likewise. Bins of fewer than ``min_n``
    answers are left out; the table and the ECE hold them."""
    names = _names(table)
    # Two panels a row: a count, printed upright, must be no wider than its bar.
    across, half = 2, 0.022
    figure, axes = _grid(names, 2.45, across, sharex=True, sharey=True)
    enough = table[table["n"] >= min_n]
    tallest = 1.0
    # A digit is .07 inches long; a panel is 2.45 inches high with its title, or lower where there are many.
    panel = min(2.45, TALLEST / -(-len(names) // across))
    digit = 0.06 * (2.45 - 0.9) / (panel - 0.9)
    for model, ax in axes.items():
        ax.plot([0, 1], [0, 1], color="#777777", linewidth=1, linestyle="--", zorder=1)
        score = scores[scores["model"] == model].iloc[0]
        title = [names[model]]
        for setting, shift in zip(SETTINGS, (-half, half), strict=True):
            own = (table["model"] == model) & (table["setting"] == setting)
            bins = enough[(enough["model"] == model) & (enough["setting"] == setting)]
            short, n_drawn, total = LABELS[setting][0], bins["n"].sum(), table.loc[own, "n"].sum()
            ece = interval(*(score[f"{short}_ece{end}"] for end in ("", "_low", "_high")))
            part = "n" if n_drawn == total else f"drawn {n_drawn:,} of"
            title.append(f"ECE {short} {ece}, {part} {total:,}")
            x = (bins["low"] + bins["high"]) / 2 + shift
            ax.bar(x, bins["accuracy"], width=0.042, color=COLOURS[setting], alpha=0.75, zorder=2)
            low, high = bins["accuracy_low"].clip(upper=bins["accuracy"]), bins["accuracy_high"]
            ax.vlines(x, low, high, color="#222222", linewidth=0.8, zorder=3)
            # A bar of height zero is told from none by its mark.
            ax.plot(
                x, bins["accuracy"], MARKERS[setting], color=COLOURS[setting], markersize=3.2,
                markeredgecolor="#222222", markeredgewidth=0.5, zorder=4, clip_on=False,
            )  # fmt: skip
            for x_bar, top, count in zip(x, high, bins["right"], strict=True):
                # On white, so that the dashed line passes behind the digits.
                ax.text(
                    x_bar, top + 0.02, f"{count:,}", rotation=90, ha="center", va="bottom", fontsize=8,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 0}, zorder=2.5,
                )  # fmt: skip
                tallest = max(tallest, top + 0.02 + digit * len(f"{count:,}"))
        ax.set_title("\n".join(title), fontsize=8.5)
        ax.set_xlim(0, 1)
        ax.set_yticks(np.arange(0, 1.01, 0.25))
        ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.grid(axis="x", visible=False)
    next(iter(axes.values())).set_ylim(0, tallest)
    _xlabel(axes, "Stated confidence", across)
    figure.supylabel("Share right (on the bars: right answers)", fontsize=9)
    handles = [Patch(color=COLOURS[s], alpha=0.75, label=LABELS[s]) for s in SETTINGS]
    line = plt.Line2D([], [], color="#777777", linestyle="--", linewidth=1, label="calibrated")
    _legend(figure, [*handles, line], len(axes))
    return figure


def _groups(table: pd.DataFrame, groups: list[str], value: str, label: str, level: float) -> Figure:
    """``value`` (column of ``table``) of each group with its interval, the first one lowest, both settings, one panel a model.
    For an ECE also ``ece_calibrated_high``. Numbers after groups: ``n`` of their rows, from least to most. ``label``: of the x axis."""
    names, mark = _names(table), {"color": "#222222", "marker": "|", "markersize": 8}
    sizes = {
        group: "–".join(map("{:,}".format, sorted({n.min(), n.max()})))
        for group, n in table.groupby("group")["n"]
    }
    # At least four rows high, so that labels and legend leave room for a panel.
    figure, axes = _grid(names, 0.55 + 0.27 * max(len(groups), 4), sharex=True, sharey=True)
    for model, ax in axes.items():
        for setting, shift in zip(SETTINGS, (0.14, -0.14), strict=True):
            rows = table[(table["model"] == model) & (table["setting"] == setting)]
            rows, y = rows.set_index("group").reindex(groups), np.arange(len(groups)) + shift
            look = {"color": COLOURS[setting]}
            ax.hlines(y, rows[f"{value}_low"], rows[f"{value}_high"], linewidth=1.3, **look)
            ax.plot(rows[value], y, MARKERS[setting], markersize=4.5, **look)
            if value == "ece":
                ax.plot(rows["ece_calibrated_high"], y, linestyle="", markeredgewidth=1.2, **mark)
        ax.set_yticks(range(len(groups)), [f"{group} ({sizes[group]})" for group in groups])
        ax.set_title(names[model], fontsize=8.5)
        ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0) if value != "ece" else "{x:g}")
        ax.set_ylim(-0.5, max(len(groups), 1) - 0.5)
    _xlabel(axes, label)
    handles = [plt.Line2D([], [], color=COLOURS[s], marker=MARKERS[s], label=LABELS[s]) for s in SETTINGS]
    if value == "ece":
        words = f"{level:.0%} of calibrated models lie below"
        handles.append(plt.Line2D([], [], linestyle="", label=words, **mark))
    _legend(figure, handles, len(axes))
    return figure


def types(table: pd.DataFrame, level: float) -> Figure:
    """Figure 3: share right by question type, N and D; ``table``: option_types of one judging and reading, ``level``: for labels."""
    groups = sorted(set(table["group"]), reverse=True)
    return _groups(table, groups, "right_share", f"Share right ({level:.0%} intervals)", level)


def topics(table: pd.DataFrame, level: float) -> Figure:
    """ECE by topic, N and D, beside ``ece_calibrated_high``. Topics are left out of which a model counts fewer than
    :data:`FEWEST` answers. ``table``: option_topics of one judging and reading; ``level``: for labels."""
    size = table.groupby("group")["n_counted"].min()
    n_small = int((size < FEWEST).sum())
    words = f"\nnot drawn, with fewer than {FEWEST} answers: {n_small}" if n_small else ""
    groups = sorted(size.index[size >= FEWEST], reverse=True)
    return _groups(table, groups, "ece", f"ECE ({level:.0%} intervals){words}", level)


def _ribbon(ax: Axes, x0: float, x1: float, start: float, right: float, height: float, colour: str) -> None:
    """Draw a band of one ``height`` from (x0, start) to (x1, right) with S-shaped edges; both are lower ends."""
    middle = (x0 + x1) / 2
    points = [
        (x0, start), (middle, start), (middle, right), (x1, right),
        (x1, right + height), (middle, right + height), (middle, start + height), (x0, start + height),
        (x0, start),
    ]  # fmt: skip
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    ax.add_patch(PathPatch(Path(points, codes), facecolor=colour, alpha=0.45, linewidth=0))


def transitions(table: pd.DataFrame, comparisons: pd.DataFrame) -> Figure:
    """Verdicts in N (left) and D (right) on the same questions: bars are shares of answers, bands those from one to the other,
    also to the same, in the colour of where they start. Above each panel what the share right gains, with its interval.
    ``table``: option_transitions of one judging; ``comparisons``: option_comparisons likewise. One panel a model."""
    names, states = _names(table), list(STATES.values())
    gap, width = 0.03, 0.1
    figure, axes = _grid(names, 2.45)
    for model, ax in axes.items():
        rows = table[table["model"] == model]
        share = rows.pivot(index="before", columns="after", values="of_all")
        share = share.reindex(index=states, columns=states)
        tops = {}
        for side, totals, x, outside, ha in (
            ("before", share.sum(axis=1), 0, -0.03, "right"),
            ("after", share.sum(axis=0), 1 - width, 1.03, "left"),
        ):
            level = 1 + gap * (len(states) - 1)
            for state in states:
                height, colour = totals[state], STATE_COLOURS[state]
                level -= height
                tops[side, state] = level + height
                ax.add_patch(Rectangle((x, level), width, height, color=colour, linewidth=0))
                if height > 0:
                    middle = level + height / 2
                    ax.text(outside, middle, f"{height:.1%}", ha=ha, va="center", fontsize=8)
                level -= gap
        after = {state: tops["after", state] for state in states}
        for before in states:
            start = tops["before", before]
            for second in states:
                height = share.loc[before, second]
                start -= height
                after[second] -= height
                if height > 0:
                    ends = start, after[second], height, STATE_COLOURS[before]
                    _ribbon(ax, width, 1 - width, *ends)
        ax.set_xlim(-0.33, 1.33)
        ax.set_ylim(-0.02, 1 + gap * (len(states) - 1) + 0.02)
        ax.set_xticks([width / 2, 1 - width / 2], ["N", "D"])
        ax.set_yticks([])
        ax.grid(visible=False)
        for side in ("left", "bottom"):
            ax.spines[side].set_visible(False)
        ax.tick_params(length=0)
        comparison = comparisons[comparisons["model"] == model].iloc[0]
        change = (100 * comparison[f"right_change{end}"] for end in ("", "_low", "_high"))
        words = f"gain {interval(*change, digits=1)} points"
        ax.set_title(f"{names[model]}, n = {rows['n'].sum():,}\n{words}", fontsize=8.5)
    _legend(figure, [Patch(color=STATE_COLOURS[state], label=state) for state in states], len(axes))
    return figure


def harm(table: pd.DataFrame, level: float) -> Figure:
    """What options harm: answers, and share of those right without. ``table``: option_comparisons of a judging; ``level``: label."""
    figure, axes = plt.subplots(
        1, 2, figsize=(theme.WIDTH, 1.4 + 0.33 * len(table)), sharey=True, squeeze=False
    )
    counts, right = axes[0]
    y = np.arange(len(table))[::-1]
    counts.barh(y, table["harmed"], color=COLOURS["normal"], alpha=0.75, height=0.6)
    counts.hlines(y, table["harmed_low"], table["harmed_high"], color="#222222", linewidth=0.8)
    for y_bar, count, end, before in zip(
        y, table["harmed"], table["harmed_high"], table["right_before"], strict=True
    ):
        counts.text(end, y_bar, f" {count:,} of {before:,}", va="center", fontsize=8)
    counts.set_xlim(0, max(1, table["harmed_high"].max()) * 1.4)
    counts.set_xlabel(f"Harmed: right without options, wrong\nwith them (answers, {level:.0%} intervals)")
    share = [table[f"harmed_of_right{end}"] for end in ("", "_low", "_high")]
    right.hlines(y, *share[1:], color=COLOURS["normal"])
    right.plot(share[0], y, "o", color=COLOURS["normal"])
    right.set_xlim(left=0)
    right.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    right.set_xlabel(f"Harmed, share of what was right\nwithout options ({level:.0%} intervals)")
    counts.set_yticks(y, table["name"])
    counts.set_ylim(-0.7, len(table) - 0.3)
    counts.xaxis.set_major_locator(MaxNLocator(integer=True))
    counts.xaxis.set_major_formatter("{x:,.0f}")
    counts.grid(axis="y", visible=False)
    return figure
