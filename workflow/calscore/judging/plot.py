"""Figure of marks against the engine. It draws one finished table and computes nothing."""

import matplotlib.pyplot as plt
import pandas as pd

from ..core import theme
from .mark_audit import ALL, CAUSES

# Blues, reds, a yellow and greys, no model's hue, with hatches that tell neighbours apart without colour.
_PALETTE = (
    *(theme.BLUES[3], theme.BLUES[1], theme.MODELS[2], "#f0e442", theme.BLUES[0], theme.MODELS[0]),
    *(theme.MODELS[4], theme.GREY, "#ffffff"),
)
_HATCHES = ("", "////", "", "xxxx", "", "\\\\\\\\", "....", "", "////")
_PANELS = {
    "both": "Both",
    "engine": "The engine alone",
    "authors": "The marks alone",
}


def _bars(ax, rows, places, says) -> None:
    """Draw one bar for each series: its runs that ``says`` calls right, in parts by cause, the number at the end."""
    category_rows = rows[rows["says"] == says]
    ends = dict.fromkeys(places.values(), 0)
    present = [cause for cause in CAUSES if (category_rows["cause"] == cause).any()]
    if says == "both":
        styles = {None: (theme.HUMAN, "", None)}
    else:
        styles = {cause: (_PALETTE[i % 9], _HATCHES[i % 9], cause) for i, cause in enumerate(present)}
    for cause, (colour, hatch, label) in styles.items():
        part = category_rows if cause is None else category_rows[category_rows["cause"] == cause]
        positions = [places[series] for series in zip(part["model"], part["elicitation"], strict=True)]
        ax.barh(
            positions, part["runs"], left=[ends[y] for y in positions], height=0.62, color=colour, hatch=hatch,
            edgecolor="#333333", linewidth=0.5, label=label,
        )  # fmt: skip
        for y, runs in zip(positions, part["runs"], strict=True):
            ends[y] += runs
    for y, end in ends.items():
        ax.text(end, y, f" {end}", va="center", fontsize=8)
    ax.set_xlim(0, max(1, *ends.values()) * 1.2)
    ax.set_title(_PANELS[says])
    ax.set_xlabel("Runs")
    ax.grid(axis="y", visible=False)


def marks_figure(marks: pd.DataFrame, names: dict[str, str]) -> dict[str, plt.Figure]:
    """``{"marks": figure}``: bars of the runs of each model and elicitation that both, the engine alone or the marks alone call
    right. The last two are stacked by cause. ``marks``: the table; ``names``: model → label (the model where it has none)."""
    rows = marks[marks["model"] != ALL]
    series = rows[["model", "elicitation"]].drop_duplicates().sort_values(["model", "elicitation"])
    many = series["elicitation"].nunique() > 1
    keys = list(series.itertuples(index=False, name=None))
    places = {key: index for index, key in enumerate(keys)}
    figure, axes = plt.subplots(
        1,
        3,
        figsize=(theme.WIDTH, 2.3 + 0.28 * len(keys)),
        sharey=True,
        gridspec_kw={"width_ratios": [1, 1.2, 1.2]},
    )
    for ax, says in zip(axes, _PANELS, strict=True):
        _bars(ax, rows, places, says)
    words = [names.get(m, m) + (f" ({e})" if many else "") for m, e in keys]
    axes[0].set_yticks(range(len(keys)), words)
    axes[0].invert_yaxis()
    limit = max(ax.get_xlim()[1] for ax in axes[1:])
    for ax, side in zip(axes[1:], ("left", "right"), strict=True):
        ax.set_xlim(0, limit)
        handles, labels = ax.get_legend_handles_labels()
        if labels:
            figure.legend(
                handles, labels, loc=f"outside lower {side}", ncols=2, handlelength=1.5,
                columnspacing=1.0, title=f"{ax.get_title()}, by cause", title_fontsize=8,
            )  # fmt: skip
    figure.suptitle("Runs called right by", fontsize=9.5)
    return {"marks": figure}
