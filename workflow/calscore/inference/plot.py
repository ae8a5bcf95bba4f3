"""Figures of inference: each draws a finished table and computes nothing."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from ..core import theme
from .specification import CHOICES, METRICS

METRIC_NAMES = {"mce": "MCE", "calscore": "CalScore", "ece": "ECE", "brier": "Brier"}
CHOICE_NAMES = {
    "segmentation": "clues",
    "h_definition": "h",
    "form": "definition",
    "scope": "over",
    "edges": "bin edges",
    "reduction": "confidence",
    "matcher": "judge",
}
OPTION_NAMES = {
    "buzzed_so_far": "buzzed so far",
    "buzzed_on_question": "buzzed on question",
    "mean_prob": "mean of tokens",
    "exp_mean_logprob": "geometric mean",
    "exp_sum_logprob": "product of tokens",
    "exact": "exact",
    "f1": "token F1",
    "engine": "answer engine",
}
"""Options as readers call them; the rest stand as they are written in the table."""


def precision(table, styles):
    """P(correct | buzz) by category: the human pool and each live model, with intervals."""
    rows = table[table["group"] != "model"]
    categories = ["all", *sorted(set(rows["category"]) - {"all"})]
    groups = ["human", *(g for g in styles if (rows["group"] == g).any())]
    offsets = np.linspace(-0.3, 0.3, len(groups))
    figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.3 + 0.5 * len(categories)))
    for offset, group in zip(offsets, groups, strict=True):
        of = rows[rows["group"] == group].set_index("category").reindex(categories)
        colour, marker = (theme.HUMAN, "o") if group == "human" else styles[group]
        label = "Human teams" if group == "human" else of["name"].dropna().iloc[0]
        ax.errorbar(
            of["value"],
            np.arange(len(categories)) + offset,
            xerr=np.abs(of[["low", "high"]].to_numpy().T - of["value"].to_numpy()),
            fmt=marker,
            color=colour,
            capsize=2,
            elinewidth=1.2,
            label=f"{label}, n = {int(of['buzzes'].iloc[0])}",
        )
    ax.set_yticks(range(len(categories)), [c.capitalize() if c == "all" else c for c in categories])
    ax.set_ylim(len(categories) - 0.5, -0.5)
    ax.axhline(0.5, color="#bbbbbb", linewidth=0.8)
    ax.set_xlabel("Share of buzzes that are right")
    figure.legend(
        *ax.get_legend_handles_labels(),
        loc="outside lower center",
        ncols=2,
        title="Bars resample questions, for humans questions and teams; n = buzzes",
        title_fontsize=8,
    )
    return figure


def differences(table, level: float):
    """Differences in CalScore of all pairs, one panel per elicitation, two intervals each."""
    rows = table[(table["category"] == "all") & (table["metric"] == "calscore")]
    panels = [
        (f"{kind} confidence", of)
        for kind, of in rows[rows["kind"] == "models"].groupby("elicitation_a")
    ]
    asked = rows[rows["kind"] == "elicitations"]
    if len(asked):
        words = f"{asked['elicitation_a'].iloc[0]} minus {asked['elicitation_b'].iloc[0]}"
        panels.append((words, asked))
    if not panels:
        figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.2))
        ax.text(0.5, 0.5, "Only one set of confidences: nothing to compare", ha="center")
        ax.axis("off")
        return figure
    tallest = max(len(of) for _, of in panels)
    figure, axes = plt.subplots(
        len(panels),
        1,
        figsize=(theme.WIDTH, 1.2 + 0.2 * sum(len(of) + 2 for _, of in panels)),
        sharex=True,
        squeeze=False,
        gridspec_kw={"height_ratios": [max(len(of), 2) / tallest for _, of in panels]},
    )
    for ax, (title, of) in zip(axes[:, 0], panels, strict=True):
        of = of.sort_values("difference", ignore_index=True)
        y = np.arange(len(of))
        ax.hlines(y, of["two_way_low"], of["two_way_high"], color="#9ecae1", linewidth=4)
        ax.hlines(y, of["low"], of["high"], color="#08306b", linewidth=1.4)
        sure = of["p_adjusted"] < 1 - level
        ax.scatter(of["difference"], y, s=22, color=np.where(sure, "#08306b", "white"),
                   edgecolor="#08306b", linewidth=1, zorder=3)  # fmt: skip
        ax.axvline(0, color="#555555", linewidth=0.9, linestyle=":")
        names = of["name_a"]
        if title.endswith("confidence"):
            names = names + " − " + of["name_b"]
        ax.set_yticks(y, names, fontsize=8)
        ax.set_ylim(len(of) - 0.4, -0.6)
        ax.set_title(title.capitalize(), loc="left")
    axes[-1, 0].set_xlabel("Difference in CalScore (below 0: the first is better)")
    figure.supxlabel(
        "Dark: resampling questions. Light: questions and human teams. "
        f"Filled: corrected p < {1 - level:.2g}.",
        fontsize=8,
    )
    return figure


def ranks(table):
    """P(rank) of each model by CalScore, questions and human teams resampled, a panel per elicitation."""
    rows = table[table["metric"] == "calscore"]
    kinds = sorted(rows["elicitation"].unique())
    columns = [name for name in rows if name.startswith("two_way_rank_")]
    most = rows.groupby("elicitation").size().max()
    figure, axes = plt.subplots(
        1, len(kinds), figsize=(theme.WIDTH, 1.1 + 0.34 * most), squeeze=False
    )
    for ax, kind in zip(axes[0], kinds, strict=True):
        of = rows[rows["elicitation"] == kind].sort_values("two_way_expected_rank")
        shares = of[columns[: len(of)]].to_numpy()
        ax.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        for (i, j), share in np.ndenumerate(shares):
            if share >= 0.005:
                text = ">.99" if 0.995 <= share < 1 else f"{share:.2f}".lstrip("0")
                ax.text(j, i, text, ha="center", va="center", fontsize=8,
                        color="white" if share > 0.55 else "black")  # fmt: skip
        ax.set_xticks(range(len(of)), range(1, len(of) + 1))
        ax.set_yticks(range(len(of)), of["name"])
        ax.set_title(f"{kind.capitalize()} confidence")
        ax.set_xlabel("Rank by CalScore (1 is best)")
        ax.grid(False)
    return figure


def _choice_rows(table):
    """(choice, option) in the order in which they are listed below the curves."""
    return [
        (choice, value)
        for choice in CHOICES
        for value in sorted(set(table[choice]) - {""})
        if table.loc[table[choice] != "", choice].nunique() > 1
    ]


def specification_curve(table, scores, styles, names):
    """Scores of every model under every specification, sorted by their mean; choices below.

    ``scores``: table 1 under the definition shown first, whose intervals are drawn at the left of
    each panel.
    """
    listed = _choice_rows(table)
    models = [m for m in styles if (table["model"] == m).any()]
    figure, axes = plt.subplots(
        2,
        len(METRICS),
        figsize=(theme.WIDTH, 3.2 + 0.16 * len(listed)),
        gridspec_kw={"height_ratios": [2.6, 0.16 * len(listed)]},
        squeeze=False,
    )
    for column, metric in enumerate(METRICS):
        of = table[table["metric"] == metric]
        wide = of.pivot(index=["elicitation", *CHOICES], columns="model", values="value")
        wide = wide.loc[wide.mean(axis=1).sort_values(kind="stable").index]
        x = np.arange(len(wide))
        ax, below = axes[0, column], axes[1, column]
        for model in models:
            colour, marker = styles[model]
            ax.scatter(x, wide[model], s=1.8, color=colour, linewidth=0)
            for offset, row in enumerate(scores[scores["model"] == model].itertuples()):
                place = -(0.05 + 0.03 * models.index(model) + 0.012 * offset) * len(x)
                value, low, high = (getattr(row, f"{metric}{s}") for s in ("", "_low", "_high"))
                ax.vlines(place, low, high, color=colour, linewidth=0.9)
                ax.scatter(
                    place, value, s=9, color=colour, marker=marker, linewidth=0,
                    label=names.get(model, model),
                )  # fmt: skip
        ax.set_title(f"{METRIC_NAMES[metric]}\n{len(wide)} specifications", fontsize=8.5)
        ax.set_xticks([])
        levels = wide.index.to_frame(index=False)
        for y, (choice, value) in enumerate(listed):
            on = (levels[choice] == value).to_numpy()
            below.scatter(
                x[on], np.full(on.sum(), y), s=5, marker="|", color="#333333", linewidth=0.4
            )
        below.set_ylim(len(listed) - 0.5, -0.5)
        below.set_xlim(ax.get_xlim())
        below.set_xticks([])
        below.grid(False)
        below.set_yticks(range(len(listed)))
        words = [f"{CHOICE_NAMES[c]}: {OPTION_NAMES.get(v, v)}" for c, v in listed]
        below.set_yticklabels(words if column == 0 else [], fontsize=8)
        below.tick_params(left=column == 0)
        previous = None
        for y, (choice, _) in enumerate(listed):
            if previous and choice != previous:
                below.axhline(y - 0.5, color="#cccccc", linewidth=0.6)
            previous = choice
    axes[0, 0].set_ylabel("Score (lower is better)")
    entries = {}
    for handle, label in zip(*axes[0, 0].get_legend_handles_labels(), strict=True):
        entries.setdefault(label, handle)
    figure.legend(
        list(entries.values()),
        list(entries),
        loc="outside lower center",
        ncols=3,
        markerscale=1.6,
        title="Each column is one specification, sorted by the mean over models;\n"
        "at the left, table 1 with its intervals",
        title_fontsize=8,
    )
    return figure
