"""Figure of studies side by side: it draws tables/studies and estimates nothing."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from ..core import theme

PANELS = {
    "accuracy": "Share right",
    "minus_crowd": "Share right,\nmodel − crowd",
    "precision_minus_human": "P(correct | buzz),\nmodel − people",
    "calscore": "CalScore\n(lower is better)",
}
DIFFERENCES = ("minus_crowd", "precision_minus_human")
SCOPES = {
    "every clue": ("o", True),
    "last clue": ("o", False),
    "with options": ("s", True),
    "without options": ("s", False),
    "live": ("D", True),
}
"""Scope → marker, and whether it is filled."""
COLOUR = theme.MODELS[0]


def label(row: pd.Series) -> str:
    """``name, elicitation`` of a row of tables/studies; without one ``name, live`` in scope "live", else the name.

    Missing texts have to be ""."""
    elicitation = row["elicitation"] or ("live" if row["scope"] == "live" else "")
    return f"{row['name']}, {elicitation}" if elicitation else row["name"]


def studies(studies: pd.DataFrame) -> dict[str, Figure]:
    """studies_side_by_side → figure of tables/studies: a block of rows for each study, a panel for each of :data:`PANELS` there."""
    table = studies.fillna({"scope": "", "elicitation": "", "warning": ""})
    drawn = table[table["quantity"].isin(PANELS) & table["model"].notna()]
    drawn = drawn.assign(label=[label(row) for _, row in drawn.iterrows()])
    panels = [quantity for quantity in PANELS if (drawn["quantity"] == quantity).any()] or ["accuracy"]
    place, titles, height = {}, [], 0.0
    for study, study_rows in table.groupby("study", sort=False):
        simulated = " (simulated)" if study_rows["simulated"].iloc[0] else ""
        models = drawn.loc[drawn["study"] == study, "label"].drop_duplicates()
        titles.append((height, f"{study}{simulated}"))
        place |= {(study, name): height + 1 + row for row, name in enumerate(models)}
        height += 1.6 + len(models)
    size = theme.WIDTH, 1.5 + min(0.17 * height, 5.4)
    figure, axes = plt.subplots(1, len(panels), figsize=size, sharey=True, squeeze=False)
    for ax, panel in zip(axes[0], panels, strict=True):
        panel_rows = drawn[drawn["quantity"] == panel]
        if panel in DIFFERENCES:
            ax.axvline(0, color="#888888", linewidth=0.9, linestyle=":")
        for scope, (marker, filled) in SCOPES.items():
            scope_rows = panel_rows[panel_rows["scope"] == scope]
            shift = -0.14 if filled else 0.14
            y = [place[key] + shift for key in zip(scope_rows["study"], scope_rows["label"], strict=True)]
            error = np.abs(
                scope_rows[["low", "high"]].to_numpy(float).T - scope_rows["value"].to_numpy(float)
            )
            ax.errorbar(
                scope_rows["value"],
                y,
                xerr=error,
                fmt=marker,
                color=COLOUR,
                markersize=3.4,
                capsize=0,
                elinewidth=0.9,
                markerfacecolor=COLOUR if filled else "white",
            )
        ax.set_xlabel(PANELS[panel])
        ax.xaxis.set_major_locator(MaxNLocator(4))
        warned = sorted({quantity for quantity in panel_rows["warning"] if quantity})
        if warned:
            ax.set_title(
                "\n".join(["not comparable:", *warned[0].split(": ")[1].split(", ")]),
                fontsize=8,
                color="#b30000",
            )
    if panels[0] == "accuracy":
        people = table[table["quantity"] == "conversion"].set_index("study")
        for study, row in people.iterrows():
            rows = [y for (name, _), y in place.items() if name == study]
            if rows:
                ends = [min(rows) - 0.5, max(rows) + 0.5]
                axes[0, 0].fill_betweenx(
                    ends, row["low"], row["high"], color=theme.HUMAN, alpha=0.15, linewidth=0
                )
                axes[0, 0].plot([row["value"]] * 2, ends, color=theme.HUMAN, linewidth=1)
    top = axes[0, 0]
    ticks = titles + [(y, name) for (_, name), y in place.items()]
    for text, _ in zip(top.set_yticks(*zip(*ticks, strict=True)), titles, strict=False):
        text.label1.set_weight("bold")
    top.set_ylim(height - 0.5, -0.8)
    used = [quantity for quantity in SCOPES if (drawn["scope"] == quantity).any()]
    handles = [
        Line2D([], [], marker=SCOPES[quantity][0], color=COLOUR, linestyle="", markersize=4, markerfacecolor=COLOUR if SCOPES[quantity][1] else "white", label=quantity)
        for quantity in used
    ]  # fmt: skip
    handles.append(Line2D([], [], color=theme.HUMAN, label="people: conversion (last clue)"))
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return {"studies_side_by_side": figure}
