"""Figures of item response models, from finished tables; nothing is estimated here."""

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from ..core import theme

# Agents of one kind that a figure has a row for each of.
MOST_ROWS = 40
HUMAN = theme.HUMAN
#: Kind of agents → colour, marker and word.
KINDS = {"human": (HUMAN, "o", "Human"), "ai": (theme.MODELS[0], "s", "AI")}
#: Styles of kinds of agents: humans, then types of systems in turn.
TYPE_STYLES = list(zip(theme.MODELS, "s^vDP", strict=True))
MODEL_STYLES = {
    "caimira": (theme.BLUES[0], "s", "-"),
    "caimira_covariates": (theme.BLUES[1], "P", "-"),
    "mirt": (theme.BLUES[3], "D", "-"),
    "words": (theme.BLUES[0], None, "--"),
    "1pl": (theme.BLUES[1], None, "--"),
    "2pl": (theme.BLUES[2], None, ":"),
    "constant": (theme.GREY, None, "-."),
}


def figures(irt_loss, irt_accuracy, irt_agents, irt_items, irt_dif, irt_scale) -> dict:
    """Figures irt_accuracy, irt_agents, irt_wright, irt_dif and irt_loss, by name, from the tables of the fit."""
    return {
        "irt_accuracy": accuracy(irt_accuracy),
        "irt_agents": skills(irt_agents),
        "irt_wright": wright_map(irt_agents, irt_items, irt_scale),
        "irt_dif": differential(irt_dif),
        "irt_loss": loss(irt_loss),
    }


def text_figure(words: str) -> plt.Figure:
    """A figure of ``words`` alone, where there is nothing to draw."""
    figure = plt.figure(figsize=(theme.WIDTH, 1.2))
    figure.text(0.5, 0.4, words, ha="center", va="center")
    return figure


def _band(ax: plt.Axes, x, table: pd.DataFrame, columns, colour, marker, label) -> None:
    """Draw a line with a band; ``columns`` of ``table``: value, low, high."""
    value, low, high = columns
    ax.fill_between(x, table[low], table[high], color=colour, alpha=0.12, lw=0)
    ax.plot(x, table[value], color=colour, marker=marker, ms=4, label=label)


def accuracy(table: pd.DataFrame) -> plt.Figure:
    """Chance of a right answer of each type of agents (table irt_accuracy), by fifth of the question.

    Where items have no depth, a row for each group; an empty table gives a :func:`text_figure`.
    """
    if table.empty:
        return text_figure("Not drawn: no agent has ten responses, right and wrong ones among them")
    by_depth = table["depth"].max() > 0
    rows = table[table["depth"] > 0] if by_depth else table
    if rows.loc[rows["kind"] == "human", "agent_type"].nunique() > 1:
        rows = rows[rows["agent_type"] != "human"]
    height = 4.2 if by_depth else 1.2 + 0.28 * len(rows)
    figure, ax = plt.subplots(figsize=(theme.WIDTH, height))
    styles, markers = cycle(TYPE_STYLES), cycle("o<>X*")
    for (kind, name), part in rows.groupby(["kind", "agent_type"], sort=False):
        colour, marker = (HUMAN, next(markers)) if kind == "human" else next(styles)
        label = f"{name} (n\u00a0=\u00a0{part['agents'].iloc[0]:,})"
        if by_depth:
            _band(ax, part["depth"], part, ("p", "low", "high"), colour, marker, label)
        else:
            ax.hlines(label, part["low"], part["high"], color=colour)
            ax.plot(part["p"], [label], marker, color=colour)
    if not by_depth:
        ax.set_xlim(0, 1)
        ax.set_xlabel("Chance of a right answer, mean over all items")
        return figure
    ax.set_ylabel("Chance of a right answer")
    ax.set_xlabel("Fifth of the question by words heard")
    ax.set_ylim(0, 1)
    ax.set_xticks(sorted(set(rows["depth"])))
    theme.name_lines(figure, np.array([ax]))
    return figure


def skills(table: pd.DataFrame) -> plt.Figure:
    """Skill of each agent over all items (table irt_agents) and, where there are any, its slope on words heard.

    At most :data:`MOST_ROWS` agents of a kind, those with the highest skill.
    """
    counts = table["kind"].value_counts()
    rows = table.sort_values("skill", ascending=False, kind="stable").groupby("kind").head(MOST_ROWS)
    rows = rows.sort_values(["kind", "skill"], ascending=[False, True], kind="stable")
    sloped = rows["slope"].notna().any()
    figure, axes = plt.subplots(
        1, 1 + sloped, figsize=(theme.WIDTH, 1.3 + 0.165 * len(rows)), sharey=True, squeeze=False
    )
    y = np.arange(len(rows))
    panels = [("skill", "Skill less the mean (logits)"), ("slope", "Slope on words heard (logits)")]
    for ax, (column, label) in zip(axes.flat, panels, strict=False):
        for kind, (colour, marker, word) in KINDS.items():
            mask = (rows["kind"] == kind).to_numpy()
            part = rows[mask]
            ax.hlines(y[mask], part[f"{column}_low"], part[f"{column}_high"], color=colour, lw=1)
            filled = part["compared"].to_numpy(bool)
            ax.plot(part[column][filled], y[mask][filled], marker, color=colour, ms=3.5, label=word)
            ax.plot(part[column][~filled], y[mask][~filled], marker, color=colour, ms=3.5, mfc="w")
        if column == "skill":
            ax.axvline(0, color="#888888", lw=0.8)
        ax.set_xlabel(label)
        ax.xaxis.set_major_locator(MaxNLocator(5))
        ax.grid(axis="y", visible=False)
    axes[0, 0].set_yticks(y, rows["agent"])
    axes[0, 0].set_ylim(-0.7, len(rows) - 0.3)
    words = "".join(
        f"\nThe {MOST_ROWS} of {counts[kind]:,} {plural} with the highest skill"
        for kind, plural in (("human", "humans"), ("ai", "AI systems"))
        if counts.get(kind, 0) > MOST_ROWS
    )
    if not rows["compared"].all():
        words += "\nHollow: fewer than ten responses, or all alike; not compared"
    axes[0, 0].set_xlabel(f"{axes[0, 0].get_xlabel()}{words}")
    if len(counts) > 1:
        figure.legend(*theme.legend_entries(axes), loc="outside lower center", ncols=2)
    return figure


def wright_map(agents: pd.DataFrame, items: pd.DataFrame, scale: pd.DataFrame) -> plt.Figure:
    """Figure of skills and difficulties (tables irt_agents, irt_items) in logits, whose 0 is the mean agent compared.

    ``scale``: table irt_scale, whose mean difficulty is added to that of each item.
    """
    difficulty = items["difficulty"] + scale.set_index("quantity").loc["mean difficulty", "value"]
    low = min(agents["skill"].min(), difficulty.min())
    high = max(agents["skill"].max(), difficulty.max())
    bins = np.arange(np.floor(2 * low) / 2, high + 0.5, 0.5)
    figure, axes = plt.subplots(1, 2, figsize=(theme.WIDTH, 4.2), sharey=True)
    present = [kind for kind in KINDS if (agents["kind"] == kind).any()]
    colours, _, words = zip(*(KINDS[kind] for kind in present), strict=True)
    axes[0].hist(
        [agents.loc[agents["kind"] == kind, "skill"] for kind in present],
        bins=bins,
        orientation="horizontal",
        stacked=True,
        color=colours,
        label=words,
    )
    axes[0].invert_xaxis()
    axes[0].set_xlabel("Agents")
    axes[0].set_ylabel("Logits above the mean agent (skill or difficulty)")
    axes[0].xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes[0].legend(loc="upper left")
    axes[1].hist(difficulty, bins=bins, orientation="horizontal", color=theme.GREY)
    axes[1].set_xlabel("Items")
    axes[1].set_title(f"{len(items):,} items, harder ones above")
    axes[0].set_title(f"{len(agents):,} agents, better ones above")
    return figure


def differential(table: pd.DataFrame) -> plt.Figure:
    """Shifts of categories and of questions (irt_dif), the 14 of each with the least p; filled where Holm's is below 0.05."""
    parts = {
        name: part.sort_values("p", kind="stable").head(14).sort_values("shift")
        for name, part in table.groupby("grouping")
    }
    if not parts:
        return text_figure("Not drawn: humans and AI systems did not both answer enough")
    rows = max(map(len, parts.values()))
    figure, axes = plt.subplots(1, len(parts), figsize=(theme.WIDTH, 1.6 + 0.22 * rows), squeeze=False)
    titles = {"category": "Categories", "question": "Questions that differ most"}
    for ax, (name, part) in zip(axes.flat, parts.items(), strict=True):
        y = np.arange(len(part))
        differs = (part["p_holm"] < 0.05).to_numpy()
        ax.axvline(0, color="#888888", lw=0.8)
        ax.hlines(y, part["low"], part["high"], color=HUMAN, lw=1.2)
        ax.plot(part["shift"][~differs], y[~differs], "o", mfc="w", color=HUMAN, label="p ≥ 0.05")
        ax.plot(part["shift"][differs], y[differs], "o", color=HUMAN, label="p < 0.05 (Holm)")
        ax.set_yticks(y, [f"{g} ({s})" for g, s in zip(part["group"], part["size"], strict=True)])
        ax.set_title(f"{titles.get(name, name)} (n = {(table['grouping'] == name).sum():,})")
        ax.grid(axis="y", visible=False)
        ax.set_xlabel("Shift (logits; right of 0: AI\nbetter than the model says)")
    figure.legend(*theme.legend_entries(axes), loc="outside lower center", ncols=2)
    return figure


def loss(table: pd.DataFrame) -> plt.Figure:
    """Figure 4: held-out loss (irt_loss) by number of aspects; models without any are horizontal lines."""
    figure, axes = plt.subplots(1, 2, figsize=(theme.WIDTH, 3.9))
    titles = {"unseen": "Unseen questions", "seen": "Unseen responses to seen questions"}
    for ax, (split, title) in zip(axes, titles.items(), strict=True):
        part = table[table["split"] == split]
        sweep = sorted(part[part["model"] == "caimira"]["dimensions"])
        for model, (colour, marker, style) in MODEL_STYLES.items():
            rows = part[part["model"] == model].sort_values("dimensions")
            if not len(rows):
                continue
            label = rows["name"].iloc[0]
            if marker is None:
                ax.axhline(rows["log_loss"].iloc[0], color=colour, linestyle=style, label=label)
            else:
                columns = ("log_loss", "low", "high")
                _band(ax, rows["dimensions"], rows, columns, colour, marker, label)
        ax.set_xticks(sweep)
        ax.set_xlabel("Aspects m")
        ax.set_title(f"{title}\nn = {part['responses'].max():,} responses")
    axes[0].set_ylabel("Mean log-loss (nats)")
    theme.name_lines(figure, axes)
    return figure


READING_WORDS = {
    "censored": "buzz once they know\n(censored)",
    "silence_wrong": "silence is wrong",
    "backfilled": "backfilled\n(the paper)",
}


def readings(irt_readings: pd.DataFrame) -> dict[str, plt.Figure]:
    """Figure irt_readings: systems less humans under each assumption, as chances in a question's last fifth and in logits."""
    if irt_readings.empty:
        return {"irt_readings": text_figure("Not drawn: one kind of agents")}
    table = irt_readings[::-1]
    names = [
        f"wait with chance {row.wait:.2f}\n({row.wait_source})" if row.wait else READING_WORDS[row.reading]
        for row in table.itertuples()
    ]
    figure, axes = plt.subplots(1, 2, figsize=(theme.WIDTH, 1.3 + 0.42 * len(table)), sharey=True)
    y = np.arange(len(table))
    for ax, columns, label in (
        (
            axes[0],
            ("p_difference", "p_difference_low", "p_difference_high"),
            "AI − human, chance in the last fifth",
        ),
        (axes[1], ("difference", "low", "high"), "AI − human, skill (logits)"),
    ):
        value, low, high = (table[name] for name in columns)
        ax.axvline(0, color="#888888", lw=0.8)
        ax.hlines(y, low, high, color=HUMAN, lw=1.2)
        ax.plot(value, y, "o", color=HUMAN)
        ax.set_xlabel(label)
        ax.grid(axis="y", visible=False)
    truth = table["truth"].iloc[0]
    if np.isfinite(truth):
        axes[1].axvline(truth, color="#222222", lw=1.2, ls="--", label="true difference")
        axes[1].legend(loc="lower left", bbox_to_anchor=(0, 1))
    axes[0].set_yticks(y, names)
    return {"irt_readings": figure}
