"""Figures of thresholds and matches. Functions draw finished tables and estimate nothing."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import TwoSlopeNorm

from ..core import theme

SET_WORDS = {"study": "", "past": ", past questions"}
_RANGE = (3.0, 0.001)
"""Log confidences that the picture shows, negated: 5 % to 99.9 %."""


def _threshold_axis(ax) -> None:
    """Make x a log axis of −threshold: thresholds are logarithms of confidences, at most 0, and crowd there."""
    ax.set_xscale("log")
    ax.set_xlim(*_RANGE)
    ax.set_xticks([1, 0.1, 0.01, 0.001], ["−1", "−0.1", "−0.01", "−0.001"])
    ax.minorticks_off()
    ax.set_xlabel("Threshold on log confidence (natural)")


def _message_figure(text: str) -> plt.Figure:
    """A figure of ``text`` alone, in place of one with nothing to draw."""
    figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.2))
    ax.text(0.5, 0.5, text, ha="center")
    ax.axis("off")
    return figure


def thresholds(
    expected_wins, thresholds, shown_opponents: str, given_thresholds: list[float], names: dict
) -> dict[str, plt.Figure]:
    """``{"expected_wins": figure}``: expected wins against the threshold, a panel for each set and elicitation, a line a model.

    Tables are cut to the π ``shown_opponents``; without such rows of expected_wins the figure only says so. ``given_thresholds``
    are dotted in logit panels. ``names``: model → label, for its style. Bands: bootstrap intervals. Filled marker: the best
    threshold. Bar: thresholds that reach 99 % of it."""
    rows = expected_wins[expected_wins["opponents"] == shown_opponents]
    if rows.empty:
        return {
            "expected_wins": _message_figure("No model has ever been more than 0 sure: no threshold to show")
        }
    styles = theme.model_styles(names, expected_wins["model"])
    panels = set(rows[["set", "elicitation"]].itertuples(index=False, name=None))
    panels = sorted(panels, key=lambda p: (p[0] != "study", p[1]))
    columns = min(2, len(panels))
    lines = -(-len(panels) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(theme.WIDTH, 1.6 + 2.6 * lines), squeeze=False)
    best_of = {
        (row.model, row.set, row.elicitation): f"{row.threshold:.3f}".replace("-", "−")
        for row in rows[rows["best"]].itertuples()
    }
    labels = {
        model: f"{name}: {'; '.join(best_of.get((model, *panel), '–') for panel in panels)}"
        for model, name in rows.drop_duplicates("model").set_index("model")["name"].items()
    }
    for ax, (name, elicitation) in zip(axes.flat, panels, strict=False):
        panel_rows = rows[(rows["set"] == name) & (rows["elicitation"] == elicitation)]
        for model, model_rows in panel_rows.groupby("model", sort=True):
            colour, marker = styles[model]
            best = model_rows[model_rows["best"]].iloc[0]
            model_rows = model_rows[model_rows["threshold"] < 0]
            x = -model_rows["threshold"]
            ax.plot(x, model_rows["expected_wins"], color=colour, linewidth=1.2)
            ax.fill_between(x, model_rows["low"], model_rows["high"], color=colour, alpha=0.12, linewidth=0)
            look = {"color": colour, "markersize": 7, "markeredgecolor": "white", "label": labels[model]}
            ax.plot(max(-best["threshold"], _RANGE[1]), best["expected_wins"], marker, **look)
            key = ["set", "elicitation", "model", "rule", "opponents"]
            tuned = (thresholds[key] == [name, elicitation, model, "tuned", shown_opponents]).all(axis=1)
            for row in thresholds[tuned].itertuples():
                ends = np.maximum([-row.flat_low, -row.flat_high], _RANGE[1])
                bar = {"color": colour, "linewidth": 3, "alpha": 0.6, "solid_capstyle": "butt"}
                ax.plot(ends, [best["expected_wins"]] * 2, **bar)
        if elicitation == "logit":
            for limit in given_thresholds:
                ax.axvline(-limit, color="#777777", linewidth=0.9, linestyle=":")
        questions = int(panel_rows["questions"].max())
        ax.set_title(f"{elicitation.capitalize()} confidence{SET_WORDS[name]}\nn = {questions:,} questions")
        _threshold_axis(ax)
        ax.set_ylim(bottom=0)
    for ax in list(axes.flat)[len(panels) :]:
        ax.set_visible(False)
    for ax in axes[:, 0]:
        ax.set_ylabel(f"Expected wins per question\n(π: {shown_opponents})")
    handles, words = theme.legend_entries(axes)
    handles.append(plt.Line2D([], [], color="#777777", linewidth=3, alpha=0.6))
    words.append("thresholds that reach 99 % of the best")
    if given_thresholds and any(kind == "logit" for _, kind in panels):
        handles.append(plt.Line2D([], [], color="#777777", linewidth=0.9, linestyle=":"))
        words.append("given thresholds")
    order = "; ".join(f"{kind}{SET_WORDS[name]}" for name, kind in panels)
    place = {"loc": "outside lower center", "ncols": 2 if len(panels) < 3 else 1}
    figure.legend(handles, words, title=f"Marker: best threshold ({order})", title_fontsize=8, **place)
    return {"expected_wins": figure}


def _row_label(rule: str, name: str, elicitation: str) -> str:
    """Label of a row of the heat map: name, elicitation and rule, the last shortened."""
    if rule == "live":
        return f"{name}, live"
    rule = rule.replace(" on past questions", " (past)").replace(" -", " −")
    return f"{name}, {elicitation}, {rule}"


def margins(matches, own: dict[str, float]) -> dict[str, plt.Figure]:
    """``{"matches": figure}``: margins, ties to the human, as a heat map: model and rule × human team; a message without any.

    Colour: the model's points less the team's per 20 questions; letter: result for the model, in
    brackets where the margin's interval holds 0. Shown are live buzzes, the
    model's own threshold (``own``: model → mean log-probability) and tuned ones."""
    # Live buzzes were asked for in no way.
    table = matches.assign(elicitation=matches["elicitation"].fillna(""))
    given_threshold = table["model"].map(own).map(lambda limit: f"given {limit:g}")
    is_shown = table["rule"].isin(["live", "tuned", "tuned on past questions"])
    rows = table[(table["ties"] == "human") & (is_shown | (table["rule"] == given_threshold))]
    if rows.empty:
        return {"matches": _message_figure("No model has buzzed here: no match to show")}
    is_decided = (rows["low"] > 0) | (rows["high"] < 0)
    letter = rows["result"].str[0].str.upper()
    rows = rows.assign(
        label=[_row_label(*key) for key in zip(rows["rule"], rows["name"], rows["elicitation"], strict=True)],
        letter=letter.where(is_decided, "(" + letter + ")"),
    )
    order = rows.sort_values(["model", "elicitation", "rule"], kind="stable")["label"].unique()
    teams = rows.groupby("team")["margin"].mean().sort_values(ascending=False).index.tolist()
    margin, letter = (
        rows.pivot(index="label", columns="team", values=name).reindex(order)[teams]
        for name in ("margin", "letter")
    )
    limit = max(1.0, float(np.nanmax(np.abs(margin.to_numpy()))))
    figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.7 + 0.23 * len(margin)))
    norm = TwoSlopeNorm(0.0, -limit, limit)
    ax.set_facecolor("#b8b8b8")
    image = ax.imshow(margin, cmap="PuOr_r", norm=norm, aspect="auto")
    for (i, j), text in np.ndenumerate(letter):
        if isinstance(text, str):
            colour = "white" if abs(margin.iat[i, j]) > 0.6 * limit else "black"
            ax.text(j, i, text, ha="center", va="center", fontsize=8, color=colour)
    ax.set_xticks(range(len(teams)), teams, rotation=90 if len(teams) > 10 else 0)
    ax.set_yticks(range(len(margin)), margin.index)
    ax.grid(visible=False)
    ax.set_xlabel(
        "Human team, the weakest against the models first\n"
        "W, L, D: win, loss, draw; in brackets where the interval of the margin holds 0"
        + ("\nGrey: no question that both heard" if margin.isna().any(axis=None) else "")
    )
    bar = figure.colorbar(image, ax=ax, fraction=0.04, pad=0.02)
    bar.set_label("Margin per 20\nquestions (points)")
    return {"matches": figure}


def decision_value(
    decision_value, names: dict[str, str], match_points: dict[str, float], level: float
) -> dict[str, plt.Figure]:
    """``{"decision_value": figure}``: points by the stated (hollow) and the recalibrated confidence, ceiling and difference.
    ``names``: model → label, for its style; ``match_points``: keys ``right``, ``wrong``, for the caption."""
    table = decision_value.iloc[::-1].reset_index(drop=True)
    y = np.arange(len(table))
    styles = theme.model_styles(names, table["model"])
    colours = [styles[model][0] for model in table["model"]]
    size = theme.WIDTH, 1.6 + 0.3 * max(len(table), 1)
    figure, (values_ax, right) = plt.subplots(1, 2, figsize=size, sharey=True, width_ratios=[3, 2])
    for ax, name, shift, fill in (
        (values_ax, "points_stated", 0.14, "white"),
        (values_ax, "points_recalibrated", -0.14, colours),
        (right, "value", 0, colours),
    ):
        ax.hlines(y + shift, table[f"{name}_low"], table[f"{name}_high"], color=colours, linewidth=1.3)
        ax.scatter(table[name], y + shift, s=20, facecolor=fill, edgecolor=colours, zorder=3)
    values_ax.plot(table["points_foresight"], y, "|", color="#555555", markersize=9)
    for ax, words in (
        (values_ax, "Points per question over never buzzing"),
        (right, "Worth of recalibration"),
    ):
        ax.axvline(0, color="#888888", linewidth=0.9, linestyle=":")
        ax.set_xlabel(words)
    values_ax.set_title("Against logged teams" if len(table) else "No model to show", loc="left")
    right.set_title("Recalibrated − stated", loc="left")
    values_ax.set_yticks(y, table["name"] + ", " + table["elicitation"])
    values_ax.set_ylim(-0.6, len(table) - 0.4)
    n = f"; n = {table['questions'].max():,} questions" if len(table) else ""
    wrong = f"{match_points['wrong']:g}".replace("-", "−")
    figure.supxlabel(
        f"Hollow: by the stated confidence. Filled: recalibrated on other questions. Tick: perfect foresight.\n"
        f"{100 * level:.0f} % intervals; right {match_points['right']:g}, wrong interruption {wrong} points{n}.",
        fontsize=8,
    )
    return {"decision_value": figure}
