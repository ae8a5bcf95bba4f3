"""Figures of item response models. Every function draws finished tables and computes nothing."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from ..core import theme
from .analysis import ABOUT

# Agents of one kind that a figure has a row for each of.
MOST_ROWS = 40
HUMAN, AI, BOTH = "#2171b5", "#d55e00", "#009e73"
MODEL_STYLES = {
    "caimira": ("#d55e00", "s", "-"),
    "caimira_covariates": ("#56b4e9", "P", "-"),
    "caimira_residual": ("#e69f00", "^", "-"),
    "caimira_text": ("#cc79a7", "v", "-"),
    "mirt": ("#009e73", "D", "-"),
    "1pl_length": ("#08306b", None, "-"),
    "1pl": ("#2171b5", None, "--"),
    "2pl": ("#7a5195", None, ":"),
    "constant": ("#7f7f7f", None, "-."),
}
FEATURE_WORDS = {
    "n_clues": "number of clues",
    "n_words": "number of words",
    "names_per_100_words": "names per 100 words",
    "numbers_per_100_words": "numbers per 100 words",
    "quotes_per_100_words": "quotation marks per 100 words",
    "words_per_sentence": "words per sentence",
    "coleman_liau": "reading grade (Coleman-Liau)",
    "t_range": "names a period",
    "t_relative": "before or after an event",
    "o_superlative": "has a superlative",
    "o_trash": "is about pop culture",
}
"""Features of :func:`calscore.irt.analysis.text_features`; those of categories are ``c_<category>``."""


def feature_words(name: str) -> str:
    """A feature of the text as readers call it."""
    return f"category: {name[2:]}" if name.startswith("c_") else FEATURE_WORDS.get(name, name)


def natural(text: str) -> list:
    """Sort key that takes the numbers in a text as numbers: 5 players before 10 players."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def figures(
    irt_loss,
    irt_calibration,
    irt_skills,
    irt_agent_fit,
    irt_q3,
    irt_clusters,
    irt_cluster_accuracy,
    irt_relevance,
    irt_difficulty,
    irt_categories,
    irt_complementarity,
    irt_pairs,
    irt_groups,
    irt_readings,
    irt_recovery,
) -> dict:
    """Every figure of item response models, from the tables."""
    return {
        "irt_loss": loss(irt_loss),
        "irt_readings": readings(irt_readings, irt_recovery),
        "irt_skills": skills(irt_skills, irt_clusters),
        "irt_cluster_accuracy": cluster_accuracy(irt_cluster_accuracy, irt_groups),
        "irt_clusters": clusters(irt_clusters),
        "irt_relevance": relevance(irt_relevance),
        "irt_difficulty": difficulty(irt_difficulty),
        "irt_categories": categories(irt_categories),
        "irt_complementarity": complementarity(irt_complementarity, irt_pairs),
        "irt_diagnostics": diagnostics(irt_calibration, irt_q3, irt_agent_fit),
    }


def loss(table):
    """Figure 4: held-out loss by number of aspects; text-free models as horizontal lines."""
    figure, axes = plt.subplots(1, 2, figsize=(theme.WIDTH, 3.9))
    titles = {"unseen": "Unseen questions", "seen": "Unseen responses to seen questions"}
    for ax, (split, title) in zip(axes, titles.items(), strict=True):
        part = table[table["split"] == split]
        sweep = sorted(part[part["model"] == "caimira"]["dimensions"])
        for model, (colour, marker, style) in MODEL_STYLES.items():
            of = part[part["model"] == model].sort_values("dimensions")
            if not len(of):
                continue
            label = of["name"].iloc[0]
            if marker is None:
                ax.axhline(of["log_loss"].iloc[0], color=colour, linestyle=style, label=label)
            else:
                ax.plot(of["dimensions"], of["log_loss"], color=colour, marker=marker, label=label)
                ax.fill_between(
                    of["dimensions"], of["low"], of["high"], color=colour, alpha=0.1, lw=0
                )
        ax.set_xticks(sweep)
        ax.set_xlabel("Aspects m")
        ax.set_title(f"{title}\nn = {part['responses'].max():,} responses")
    axes[0].set_ylabel("Mean log-loss (nats)")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


READING_WORDS = {
    "censored": "one outcome\n(censored)",
    "silence_wrong": "silence is wrong",
    "backfilled": "backfilled\n(the paper)",
}


def readings(table, recovery):
    """AI systems less humans by how buzzes are read, and (of a simulated study) skills against their truth."""
    told = len(recovery) > 0
    names = [name for name in READING_WORDS if name in set(table["reading"])]
    figure, axes = plt.subplots(
        1, 1 + len(names) * told, figsize=(theme.WIDTH, 3.1 if told else 2.2), squeeze=False,
        width_ratios=[1.1] + [1] * len(names) * told,
    )  # fmt: skip
    ax = axes[0, 0]
    of = table.set_index("reading").loc[names][::-1]
    y = np.arange(len(of))
    if len(of):
        ax.axvline(0, color="#888888", lw=0.8)
    ax.hlines(y, of["low"], of["high"], color=AI, lw=1.4)
    ax.plot(of["difference"], y, "s", color=AI, label="estimate")
    if told:
        ax.plot(of["truth"], y, "x", color="#000000", ls="", label="truth")
    ax.set_yticks(y, [READING_WORDS[name] for name in of.index])
    ax.set_ylim(-0.5, max(len(of), 1) - 0.5)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("AI less human (logits)")
    if not len(of):
        ax.set_axis_off()
        ax.set_title("Nobody buzzed, or one kind alone: nothing to read")
    limits = np.array([-1.0, 1.0])
    if told:
        part = recovery[recovery["quantity"] == "skill"]
        ends = part[["truth", "estimate"]].to_numpy()
        limits = np.array([ends.min() - 0.3, ends.max() + 0.3])
    for ax, name in zip(axes[0, 1:], names, strict=False):
        one = part[part["reading"] == name]
        ax.plot(limits, limits, color="#888888", lw=0.8)
        for kind, colour, marker, label in (("human", HUMAN, "o", "Human"), ("ai", AI, "s", "AI")):
            mine = one[one["kind"] == kind]
            ax.vlines(mine["truth"], mine["low"], mine["high"], color=colour, lw=0.6, alpha=0.5)
            ax.plot(mine["truth"], mine["estimate"], marker, color=colour, ms=2.5, label=label)
        held = ((one["low"] <= one["truth"]) & (one["truth"] <= one["high"])).mean()
        ax.set_title(f"{READING_WORDS[name]}\nholds {100 * held:.0f} %", fontsize=8)
        ax.set_xlabel("True skill")
        ax.set_xlim(*limits)
        ax.set_ylim(*limits)
    if told:
        axes[0, 1].set_ylabel("Estimated skill (logits)")
        handles, labels = theme.labels(axes)
        figure.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure


def skills(table, clusters):
    """Figure 6: mean effective difficulty (``clusters``, all items) and centred skill of each agent (of each kind the
    40 best) on each aspect that items are about, with intervals from resampled questions."""
    every = table["aspect"].nunique()
    table = table[table["items"] >= ABOUT]
    left = every - table["aspect"].nunique()
    aspects = sorted(table["aspect"].unique())
    agents = table.groupby(["kind", "agent_type", "agent"])["centred"].mean().reset_index()
    every = agents["kind"].value_counts()
    best = agents.sort_values("centred", ascending=False, kind="stable").groupby("kind")
    agents = best.head(MOST_ROWS)
    table = table[table["agent"].isin(agents["agent"])]
    # An agent that is a type of its own stands with the others of its kind that are.
    alike = agents.groupby("agent_type")["agent"].transform("size") > 1
    agents = agents.assign(type=agents["agent_type"].where(alike, agents["kind"]))
    ranked = {name: i for i, name in enumerate(sorted(set(agents["type"]), key=natural))}
    # Drawn from below: AI systems on top, the first type and the best of each type above.
    agents = agents.assign(place=agents["type"].map(ranked)).sort_values(
        ["kind", "place", "centred"], ascending=[False, False, True]
    )
    order, types = agents["agent"].to_list(), agents["type"].to_list()
    figure, axes = plt.subplots(
        1, len(aspects), figsize=(theme.WIDTH, 1.3 + 0.165 * len(order)), sharey=True, squeeze=False
    )
    place = {name: i for i, name in enumerate(order)}
    for ax, k in zip(axes.flat, aspects, strict=True):
        of = table[table["aspect"] == k]
        for kind, colour, marker in (("human", HUMAN, "o"), ("ai", AI, "s")):
            one = of[of["kind"] == kind]
            y = one["agent"].map(place)
            ax.hlines(y, one["bootstrap_low"], one["bootstrap_high"], color=colour, lw=1, alpha=0.6)
            label = "Human" if kind == "human" else "AI"
            ax.plot(one["centred"], y, marker, color=colour, ms=3.5, label=label)
        ax.axvline(0, color="#888888", lw=0.8)
        # Skills are drawn less the mean of all agents, and so is what they are held against.
        level = (of["skill"] - of["centred"]).iloc[0]
        hard = clusters[(clusters["cluster"] == 0) & (clusters["aspect"] == k)]
        for at in hard["effective_difficulty"] - level:
            ax.axvline(at, color="#333333", lw=1.2, ls="--", label="Mean effective difficulty")
        for i in range(1, len(types)):
            if types[i] != types[i - 1]:
                ax.axhline(i - 0.5, color="#bbbbbb", lw=0.6)
        ax.set_title(f"Aspect {k}")
        ax.xaxis.set_major_locator(MaxNLocator(3))
        ax.grid(axis="y", visible=False)
    axes[0, 0].set_yticks(range(len(order)), order)
    axes[0, 0].set_ylim(-0.7, len(order) - 0.3)
    label = "Skill less the mean of all agents (logits)"
    if left:
        label += f"\nNot drawn: {left} aspects that no {ABOUT:.0f} items are about"
    label += _left_out(every, "the highest mean skill")
    figure.supxlabel(label, fontsize=9)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=2)
    return figure


def _left_out(counts, by: str) -> str:
    """Lines that say of which kinds only the first :data:`MOST_ROWS` are drawn."""
    words = {"human": "humans", "ai": "AI systems"}
    return "".join(
        f"\nThe {MOST_ROWS} of {counts[kind]:,} {words[kind]} with {by}"
        for kind in words
        if counts.get(kind, 0) > MOST_ROWS
    )


def _heat(ax, values, rows, columns, cmap, low, high, digits):
    """``values`` as cells, each with its number; returned is what a colour bar takes."""
    import seaborn as sns

    sns.heatmap(
        values, ax=ax, cmap=cmap, vmin=low, vmax=high, cbar=False,
        annot=values.round(digits) + 0.0, fmt=f".{digits}f", annot_kws={"fontsize": 8},
        xticklabels=columns, yticklabels=rows,
    )  # fmt: skip
    ax.tick_params(axis="y", rotation=0)
    ax.grid(visible=False)
    return ax.collections[0]


def cluster_accuracy(table, groups):
    """Figures 7 and 9: observed accuracy per cluster of items, of AI systems one by one and of types of agents (of each
    kind the 40 that are most right).

    ``groups``: tables/irt_groups; beside players that were grouped stands how right groups at random are.
    """
    together = table[(table["agent"] == "all") & (table["cluster"] == 0)]
    every = together["kind"].value_counts()
    best = together.sort_values("accuracy", ascending=False, kind="stable").groupby("kind")
    kinds = best.head(MOST_ROWS).set_index("agent_type")["kind"]
    alone = table[(table["agent"] != "all") & (table["kind"] == "ai")]
    singly = alone["agent"].nunique() <= MOST_ROWS
    shown = []
    for name in sorted(kinds.index, key=lambda name: (kinds[name], natural(name))):
        of = sorted(set(alone[alone["agent_type"] == name]["agent"]), key=natural)
        if len(of) != 1 or not singly:
            shown.append((name, "all", name))
        shown += [(name, one, f"– {one}" if len(of) > 1 else one) for one in of if singly]
    clusters = sorted(set(table["cluster"]) - {0})
    index = ["agent_type", "agent"]
    keys = pd.MultiIndex.from_tuples([one[:2] for one in shown], names=index)
    value = table.pivot(index=index, columns="cluster", values="accuracy").loc[keys]
    share = 100 * value[[*clusters, 0]].to_numpy(float)
    n = table[table["cluster"] == 0].set_index(index)["responses"].loc[keys]
    rows = [f"{label} (n = {count:,})" for (*_, label), count in zip(shown, n, strict=True)]
    columns = [*map(str, clusters), "all"]
    figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.9 + 0.27 * len(rows)))
    at_random = groups[groups["reading"] == "random"]
    if len(at_random):
        share = np.column_stack([share, np.full((len(share), 3), np.nan)])
        columns += ["", "at random", ""]
        for one in at_random.itertuples():
            name = f"human, {one.size} player{'s' * (one.size > 1)}"
            said = f"{100 * one.accuracy:.0f} [{100 * one.low:.0f}, {100 * one.high:.0f}]"
            at = [label for *_, label in shown].index(name)
            ax.text(len(columns) - 1.5, at + 0.5, said, ha="center", va="center", fontsize=8)
    image = _heat(ax, share, rows, columns, "Blues", 0, 100, digits=0)
    label = "Cluster of items, 1 the easiest by effective difficulty"
    label += _left_out(every, "the most right responses")
    if len(at_random):
        ax.tick_params(axis="x", length=0)
        if (groups["reading"] == "for coverage").any():
            label += "\nGroups are formed for coverage: who answered most is in the small ones"
        label += "\nAt random: groups of the same sizes formed by lot, mean and interval over draws"
    ax.set_xlabel(label)
    bar = figure.colorbar(image, ax=ax, fraction=0.03, pad=0.01)
    bar.set_label("Right responses (%)")
    return figure


def clusters(table):
    """Figure 10: mean relevance and mean effective difficulty of each cluster and aspect."""
    table = table[table["cluster"] > 0]
    aspects = sorted(table["aspect"].unique())
    names = table.drop_duplicates("cluster").sort_values("cluster")
    rows = [f"{c} (n = {n})" for c, n in zip(names["cluster"], names["items"], strict=True)]
    panels = [
        ("relevance", "Mean relevance", "Greens"),
        ("effective_difficulty", "Mean effective difficulty (logits)", "PuOr_r"),
    ]
    # One aspect alone is all that each item is about.
    panels = panels[len(aspects) == 1 :]
    figure, axes = plt.subplots(
        1, len(panels), figsize=(theme.WIDTH, 1.6 + 0.26 * len(rows)), sharey=True, squeeze=False
    )
    axes = axes[0]
    for ax, (column, title, cmap) in zip(axes, panels, strict=True):
        value = table.pivot(index="cluster", columns="aspect", values=column).to_numpy(float)
        most = max(np.nanmax(np.abs(value)), 1e-9)
        low, high = (0, 1) if column == "relevance" else (-most, most)
        image = _heat(ax, value, rows, aspects, cmap, low, high, digits=2)
        ax.set_title(title)
        ax.set_xlabel("Aspect")
        figure.colorbar(image, ax=ax, fraction=0.05, pad=0.02)
    axes[0].set_ylabel("Cluster (items)")
    return figure


def _largest(table, most):
    """The coefficients largest in size, significant ones first, to be drawn from below."""
    of = table.assign(size=table["coefficient"].abs(), no=table["p_holm"] >= 0.05)
    return of.sort_values(["no", "size"], ascending=[True, False]).head(most)[::-1]


def _coefficients(ax, of):
    y = np.arange(len(of))
    ax.axvline(0, color="#888888", lw=0.8)
    ax.hlines(y, of["low"], of["high"], color=HUMAN, lw=1.2)
    sure = (of["p_holm"] < 0.05).to_numpy()
    ax.plot(of["coefficient"][sure], y[sure], "o", color=HUMAN, label="p < 0.05 (Holm)")
    ax.plot(of["coefficient"][~sure], y[~sure], "o", mfc="white", color=HUMAN, label="p ≥ 0.05")
    ax.set_yticks(y, [feature_words(name) for name in of["feature"]])
    ax.grid(axis="y", visible=False)


def difficulty(table, most: int = 14):
    """The largest coefficients of the regression of items' whole difficulty; filled where significant."""
    of = table[table["aspect"] == 0]
    shown = _largest(of[of["status"] == "fitted"], most)
    figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.2 + 0.22 * max(len(shown), 1)))
    _coefficients(ax, shown)
    ax.set_title(f"n = {of['items'].max():,.0f} items")
    ax.set_xlabel("Coefficient (logits of difficulty; right of 0: harder)")
    figure.legend(*theme.labels(np.array([[ax]])), loc="outside upper right", ncols=2)
    return figure


def categories(table):
    """Figure 2: questions of each category."""
    of = table[::-1]
    figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.2 + 0.24 * len(of)))
    y = np.arange(len(of))
    ax.barh(y, of["questions"], color=HUMAN, height=0.7)
    for at, one in zip(y, of.itertuples(), strict=True):
        said = f" {one.questions:,} ({one.items:,} items)"
        ax.text(one.questions, at, said, va="center", fontsize=8)
    ax.set_yticks(y, of["category"])
    ax.set_xlim(0, 1.3 * of["questions"].max())
    ax.set_xlabel("Questions")
    ax.grid(axis="y", visible=False)
    return figure


def relevance(table, most: int = 8):
    """Figure 5: the largest coefficients of each aspect's regression; filled where significant."""
    aspects = sorted(table["aspect"].unique())
    parts = {}
    for k in aspects:
        of = table[(table["aspect"] == k) & (table["status"] == "fitted")]
        parts[k] = _largest(of, most)
    shown = [k for k in aspects if len(parts[k])]
    columns = 2 if len(shown) > 1 else 1
    lines = -(-len(shown) // columns)
    figure, axes = plt.subplots(
        max(lines, 1),
        columns,
        figsize=(theme.WIDTH, 0.8 + lines * (0.7 + 0.19 * most)),
        squeeze=False,
    )
    for ax in axes.flat[len(shown) :]:
        ax.set_axis_off()
    for ax, k in zip(axes.flat, shown, strict=False):
        n = table[table["aspect"] == k]["items_above"].iloc[0]
        ax.set_title(f"Aspect {k} ({n} items)")
        _coefficients(ax, parts[k])
    label = "Coefficient (log odds of relevance above the threshold)"
    rest = [str(k) for k in aspects if k not in shown]
    if rest:
        label += f"\nNo regression for aspects {', '.join(rest)}: relevant to too few or to nearly all items"
    figure.supxlabel(label, fontsize=9)
    handles, labels = theme.labels(axes)
    if handles:
        figure.legend(handles, labels, loc="outside upper right", ncols=2)
    return figure


def complementarity(summary, pairs, most: int = 12):
    """Best human, best AI system and either by clue; observed gain of the pairs that gain most."""
    top = pairs.head(most)[::-1]
    heights = [3.0, 0.6 + 0.31 * max(len(top), 1)]
    figure, axes = plt.subplots(2, 1, figsize=(theme.WIDTH, sum(heights)), height_ratios=heights)
    of = summary[summary["grouping"] == "clue"].copy()
    above, below = axes
    if len(of):
        of["clue"] = of["group"].astype(int)
        for quantity, colour, marker, label in (
            ("p_human", HUMAN, "o", "Best human"),
            ("p_ai", AI, "s", "Best AI system"),
            ("p_union", BOTH, "D", "Either of them"),
        ):
            one = of[of["quantity"] == quantity].sort_values("clue")
            above.plot(one["clue"], one["mean"], color=colour, marker=marker, label=label)
            above.fill_between(one["clue"], one["low"], one["high"], color=colour, alpha=0.12, lw=0)
        above.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=3)
    above.set_ylim(0, 1.02)
    above.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    above.set_xlabel("Clue")
    above.set_ylabel("Probability of a right answer")
    above.set_title("Best of each kind, by the model\n(mean over items)")
    y = np.arange(len(top))
    below.axvline(0, color="#888888", lw=0.8)
    below.hlines(y, top["low"], top["high"], color=BOTH, lw=1.2)
    below.plot(top["gain"], y, "D", color=BOTH, label="observed")
    words = "if right independently, given the model"
    below.plot(top["gain_independent"], y, "x", color="#000000", label=words)
    below.set_yticks(
        y,
        [f"{h} + {a} ({n})" for h, a, n in zip(top["human"], top["ai"], top["items"], strict=True)],
    )
    below.set_xlabel("Gain over the better half (share of items)")
    below.set_title("Pairs that gain most over their better half\n(number of shared items)")
    below.grid(axis="y", visible=False)
    if len(top):
        below.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2)
    return figure


def diagnostics(calibration, q3, agent_fit):
    """Calibration on unseen questions, Q3 by distance in clues, infit and outfit of agents."""
    figure, axes = plt.subplots(1, 3, figsize=(theme.WIDTH, 3.1))
    ax = axes[0]
    ax.plot([0, 1], [0, 1], color="#888888", lw=0.8)
    of = calibration[calibration["split"] == "unseen"]
    names = {"caimira": "CAIMIRA", "1pl_length": "Rasch + words", "1pl": "Rasch"}
    for model in ("caimira", "1pl_length", "1pl"):
        one = of[of["model"] == model]
        colour, marker, style = MODEL_STYLES[model]
        ax.plot(one["predicted"], one["observed"], color=colour, marker=marker or ".", ls=style,
                label=names[model])  # fmt: skip
        if model == "caimira":
            ax.vlines(one["predicted"], one["low"], one["high"], color=colour, lw=1)
    ax.set_xlabel("Predicted probability")
    ax.set_ylabel("Share right")
    ax.set_title("Calibration, unseen questions")
    ax.legend(loc="upper left")
    ax = axes[1]
    one = q3[q3["pairs_of"] == "one question"]
    ax.vlines(one["distance"], one["q25"], one["q75"], color=HUMAN, lw=1.2)
    ax.plot(one["distance"], one["median"], "o", color=HUMAN, label="one question")
    other = q3[q3["pairs_of"] == "other questions"]
    if len(other):
        ax.axhline(other["median"].iloc[0], color=AI, label="other questions")
        ax.axhspan(other["q25"].iloc[0], other["q75"].iloc[0], color=AI, alpha=0.12, lw=0)
    ax.set_xlabel("Distance (clues)")
    ax.set_ylabel("Q3 (median, quartiles)")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.set_title("Local dependence")
    if len(one) or len(other):
        ax.legend(loc="best")
    ax = axes[2]
    for kind, colour, marker, label in (("human", HUMAN, "o", "Human"), ("ai", AI, "s", "AI")):
        part = agent_fit[agent_fit["kind"] == kind]
        bars = {"color": colour, "lw": 0.7, "alpha": 0.5}
        ax.hlines(part["outfit"], part["infit_low"], part["infit_high"], **bars)
        ax.vlines(part["infit"], part["outfit_low"], part["outfit_high"], **bars)
        ax.plot(part["infit"], part["outfit"], marker, color=colour, label=label, ls="")
    ax.axvline(1, color="#888888", lw=0.8)
    ax.axhline(1, color="#888888", lw=0.8)
    ax.set_xlabel("Infit")
    ax.set_ylabel("Outfit")
    ax.set_title("Fit of agents")
    ax.legend(loc="best")
    return figure
