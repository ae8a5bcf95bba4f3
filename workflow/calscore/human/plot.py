"""Figures of live buzzes and quartiles, from finished tables; nothing is estimated here."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ..core import theme

Styles = dict[str, tuple[str, str]]
"""Model → (colour, marker)."""
NORMALISATIONS = {
    "per_question": "Cumulative buzzes per question heard",
    "per_match": "Cumulative buzzes per match (team × packet)",
    "per_clue": "Cumulative buzzes per clue heard",
}
SCORE_WORDS = {
    "total": "total correct buzzes",
    "rate": "rate (per question heard)",
}
HEARD_WORDS = {
    "packets": "questions heard (whole packets where participation is not declared), summed over teams",
    "seen": "questions declared or seen to be heard, summed over teams",
}
CAUSE_STYLES = {
    "right": (theme.RIGHT, "", "right"),
    "wrong": (theme.WRONG, "////", "wrong"),
    "beaten": ("#8a8a8a", "", "opponent right first"),
    "over": ("#dddddd", "", "nobody right"),
}


def _count_words(rows: pd.DataFrame, n: str, styles: Styles, names: dict) -> str:
    """n of each line as text, ``Q1 (bottom) 420 (5 teams), GPT-4 200``, four a line; ``n``: its column."""
    parts = []
    for row in rows.drop_duplicates("group").sort_values(["rule", "group"]).itertuples():
        teams = f" ({row.n_teams} teams)" if row.group in theme.QUARTILES else ""
        parts.append(f"{_group_style(row.group, styles, names)[3]} {getattr(row, n):,}{teams}")
    return ",\n".join(", ".join(parts[k : k + 4]) for k in range(0, len(parts), 4))


def figure4(table, styles, names, rule, normalisation, heard) -> plt.Figure:
    """Figure 4 from ``table`` (cumulative_buzzes): correct and incorrect side by side, a line per quartile and model.

    ``styles``: model → (colour, marker), ``names``: model → name shown, ``rule``: of quartiles; ``normalisation``: a key
    of :data:`NORMALISATIONS`; ``heard``: a key of :data:`HEARD_WORDS`.
    """
    figure, axes = plt.subplots(1, 2, figsize=(theme.WIDTH, 3.9), sharey=True)
    rows = table[table["rule"].isin([rule, "model"])]
    # Quartiles first, then models.
    order = {rule: 0, "model": 1}
    for ax, outcome in zip(axes, ("correct", "incorrect"), strict=True):
        panel_rows = rows[rows["outcome"] == outcome]
        for (_, group), curve in panel_rows.groupby([rows["rule"].map(order), "group"]):
            *style, line, label = _group_style(group, styles, names)
            ends = [curve[f"{normalisation}_{end}"] for end in ("low", "high")]
            if normalisation == "per_question":
                # Teams are resampled too where there are several.
                both = [curve[f"per_question_two_way_{end}"] for end in ("low", "high")]
                ends = [wide.fillna(end) for wide, end in zip(both, ends, strict=True)]
            y = curve[normalisation]
            theme.curve_with_band(ax, curve["clue"], y, ends, style, label, linestyle=line)
        ax.set_xlabel("Clues seen")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_title(f"{outcome.capitalize()} buzzes")
        ax.set_ylim(bottom=0)
    axes[0].set_ylabel(NORMALISATIONS[normalisation])
    counts = _count_words(rows, "questions_heard", styles, names)
    note = f"Q1 to Q4: quartiles of human teams by {theme.RULE_WORDS[rule]}.\n{HEARD_WORDS[heard].capitalize()}:\n{counts}"
    theme.name_lines(figure, axes, note)
    return figure


def buzz_position_figure(table: pd.DataFrame, names: dict) -> plt.Figure:
    """Where teams buzz (buzz_positions): right above the line, wrong below, per twentieth of the question; a panel per group."""
    groups = sorted(table["group"].unique(), key=lambda group: (group != "human", group))
    columns = 2
    lines = -(-len(groups) // columns)
    figure, axes = plt.subplots(
        lines, columns, figsize=(theme.WIDTH, 1.1 + 1.9 * lines), sharex=True, squeeze=False
    )
    for ax, group in zip(axes.flat, groups, strict=False):
        group_rows = table[table["group"] == group]
        for correct, sign, colour, hatch in ((True, 1, theme.RIGHT, None), (False, -1, theme.WRONG, "////")):
            rows = group_rows[group_rows["correct"] == correct]
            ax.bar(
                rows["revealed"] - 0.025,
                sign * rows["buzzes"],
                yerr=np.abs(rows[["low", "high"]].to_numpy().T - rows["buzzes"].to_numpy())[::sign],
                error_kw={"elinewidth": 0.8, "ecolor": "#333333"},
                width=0.045,
                color=colour,
                hatch=hatch,
                edgecolor="white",
                linewidth=0,
                label="right" if correct else "wrong",
            )
        title = "Human teams" if group == "human" else names.get(group, group)
        ax.set_title(f"{title} (n = {group_rows['buzzes'].sum():,})")
        ax.axhline(0, color="#333333", linewidth=0.8)
        ax.set_xlim(0, 1)
        theme.percent_ticks(ax, "x")
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
        ax.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
        ax.grid(axis="x", visible=False)
    for ax in list(axes.flat)[len(groups) :]:
        ax.set_visible(False)
    figure.supxlabel("Share of the question's words heard at the buzz", fontsize=9)
    figure.supylabel("Buzzes (each panel has its own scale)", fontsize=9)
    axes.flat[0].legend(loc="upper left")
    return figure


def precision_figure(table: pd.DataFrame, styles: Styles) -> plt.Figure:
    """P(correct | buzz) by category (precision): the human pool and each live model in ``styles``, with intervals."""
    rows = table[table["group"] != "model"]
    categories = ["all", *sorted(set(rows["category"]) - {"all"})]
    groups = ["human", *(g for g in styles if (rows["group"] == g).any())]
    offsets = np.linspace(-0.3, 0.3, len(groups))
    figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.3 + 0.5 * len(categories)))
    for offset, group in zip(offsets, groups, strict=True):
        group_rows = rows[rows["group"] == group].set_index("category").reindex(categories)
        colour, marker = (theme.HUMAN, "o") if group == "human" else styles[group]
        label = "Human teams" if group == "human" else group_rows["name"].dropna().iloc[0]
        ax.errorbar(
            group_rows["value"],
            np.arange(len(categories)) + offset,
            xerr=np.abs(group_rows[["low", "high"]].to_numpy().T - group_rows["value"].to_numpy()),
            fmt=marker,
            color=colour,
            capsize=2,
            elinewidth=1.2,
            label=f"{label}, n = {int(group_rows['buzzes'].iloc[0]):,}",
        )
        for place, (high, n) in enumerate(group_rows[["high", "buzzes"]].to_numpy(dtype=float)):
            if n == n:
                ax.text(high + 0.012, place + offset, f"{n:,.0f}", va="center", fontsize=8, color="#555555")
    ax.set_yticks(range(len(categories)), [c.capitalize() if c == "all" else c for c in categories])
    ax.set_ylim(len(categories) - 0.5, -0.5)
    ax.axhline(0.5, color="#bbbbbb", linewidth=0.8)
    ax.set_xlabel("Share of buzzes that are right")
    figure.legend(
        *ax.get_legend_handles_labels(),
        loc="outside lower center",
        ncols=2,
        title="Bars resample questions, for humans also teams; all buzzes of a model: Wilson's. Numbers: buzzes",
        title_fontsize=8,
    )
    return figure


def _group_style(group: str, styles: Styles, names: dict) -> tuple[str, str, str, str]:
    """(colour, marker, line style, label) of a quartile, of all humans, or of a model."""
    if group in theme.QUARTILES:
        return theme.QUARTILES[group], theme.QUARTILE_MARKER, "-", theme.quartile_words(group)
    if group == "human":
        return theme.HUMAN, "o", "-", "All human teams"
    colour, marker = styles[group]
    return colour, marker, "--", names.get(group, group)


def _line_with_band(ax, curve, x, y, low, high, style, alpha=0.1) -> None:
    """Draw ``y`` by ``x`` with a band between the columns ``low`` and ``high``; ``style``: of :func:`_group_style`."""
    colour, marker, line, words = style
    ax.plot(curve[x], curve[y], color=colour, label=words, marker=marker, linestyle=line, markersize=3)
    ax.fill_between(curve[x], curve[low], curve[high], color=colour, alpha=alpha, linewidth=0)


def incidence_figure(table, pairings, styles, names, rule, heard) -> plt.Figure:
    """Cumulative incidence of a right buzz by share of the question, and where all opponents are recorded what they change.

    ``table``: incidence; other arguments as in :func:`figure4`. Who played whom where it is inferred is no fair sample of
    quartiles, so that nothing of it is drawn.
    """
    recorded = len(pairings) > 0 and (pairings["source"] == "match").all()
    rows = [["all", "all"], ["known", "ends"]] if recorded else [["all", "all"]]
    figure, axes = plt.subplot_mosaic(rows, figsize=(theme.WIDTH, 0.7 + 3.1 * len(rows)))
    curves = [axes[name] for name in ("all", "known") if name in axes]
    visible = table[table["rule"].isin([rule, "model"])]
    right = visible[visible["cause"] == "right"]
    for group, curve in right[right["estimator"] == "competing"].groupby("group", sort=True):
        style = _group_style(group, styles, names)
        _line_with_band(axes["all"], curve, "time", "incidence", "low", "high", style)
    axes["all"].set_title("Right buzz, all ends competing")
    if recorded:
        groups = set(right["group"])
        _draw_opponent_panels(axes["known"], axes["ends"], table, rule, groups, styles, names)
    top = max(ax.get_ylim()[1] for ax in curves)
    for ax in curves:
        ax.set_ylim(0, top)
        ax.set_ylabel("Cumulative incidence")
        ax.set_xlabel("Share of the question's words heard")
        ax.set_xlim(0, 1.02)
        ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    counts = _count_words(right[right["estimator"] == "competing"], "n", styles, names)
    note = f"{HEARD_WORDS[heard].capitalize()}:\n{counts}"
    theme.name_lines(figure, np.array([axes["all"]]), note)
    return figure


def _draw_opponent_panels(ax, endings, table, rule, groups, styles, names) -> None:
    """Draw a recorded opponent's right answer competing and censoring in ``ax``, and how chances ended in ``endings``."""
    pool = table[(table["rule"] == "all") & (table["cause"] == "right")]
    for estimator, line, words in (
        ("competing_known", "-", "opponent's right answer competes"),
        ("opponent_censors", "--", "opponent's right answer censors"),
    ):
        curve = pool[pool["estimator"] == estimator]
        style = (theme.HUMAN, "o", line, words)
        _line_with_band(ax, curve, "time", "incidence", "low", "high", style, alpha=0.15)
    ax.set_title("Human teams, opponent recorded")
    ax.legend(loc="upper left")
    endpoints = table[table["estimator"] == "competing_known"]
    endpoints = endpoints[endpoints["rule"].isin([rule, "all", "model"]) & (endpoints["time"] == 1)]
    silent = sorted(groups & set(theme.QUARTILES) - set(endpoints["group"]))
    _draw_ends(endings, endpoints, silent, styles, names)


def _draw_ends(ax: plt.Axes, table: pd.DataFrame, silent, styles: Styles, names: dict) -> None:
    """Draw stacked bars of how each group's chances ended, with the interval of the share right.

    ``silent``: quartiles none of whose opponents is recorded; their place says so.
    """
    order = {"human": 0, "Q4": 1, "Q3": 2, "Q2": 3, "Q1": 4}
    groups = sorted(table["group"].unique(), key=lambda g: (order.get(g, 9), g))
    start = np.zeros(len(groups))
    labels = []
    wide = table.set_index(["group", "cause"])
    for cause, (colour, hatch, words) in CAUSE_STYLES.items():
        if cause == "over":
            values = 1 - start
        else:
            values = np.array([wide.loc[(group, cause), "incidence"] for group in groups])
        ax.barh(
            range(len(groups)),
            values,
            left=start,
            color=colour,
            hatch=hatch,
            edgecolor="white",
            linewidth=0,
            height=0.62,
            label=words,
        )
        if cause == "right":
            low = [wide.loc[(group, cause), "low"] for group in groups]
            high = [wide.loc[(group, cause), "high"] for group in groups]
            ax.errorbar(
                values,
                range(len(groups)),
                xerr=np.abs([low, high] - values),
                fmt="none",
                color="black",
                capsize=2,
                elinewidth=1,
            )
        start = start + values
    for group in groups:
        n = wide.loc[(group, "right"), "n"]
        words = {"human": "All humans"}.get(group, _group_style(group, styles, names)[3])
        labels.append(f"{words}\nn = {n:,}")
    for place, group in enumerate(silent, start=len(groups)):
        ax.text(0.5, place, "no opponent recorded", ha="center", va="center", color="#555555")
        labels.append(f"{theme.quartile_words(group)}\nn = 0")
    ax.set_yticks(range(len(labels)), labels)
    ax.set_ylim(-0.5, len(labels) - 0.5)
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set_title("How chances ended, opponent recorded")
    ax.set_xlabel("Share of questions heard")
    ax.grid(axis="y", visible=False)
    ax.legend(loc="upper center", bbox_to_anchor=(0.42, -0.16), ncols=2, handlelength=1.2)


def _interval_words(row, words: str, column: str, form: str = ".2f") -> str:
    """``words value [low, high]`` of a column and its two-way bounds; empty where there is no value."""
    if not np.isfinite(row[column]):
        return ""
    value, low, high = (
        f"{row[f'{column}{end}']:{form}}".replace("-", "−") for end in ("", "_two_way_low", "_two_way_high")
    )
    return f"{words} {value} [{low}, {high}]"


def fair_quartiles_figure(curves: pd.DataFrame, shrinkage: pd.DataFrame, heard: str) -> plt.Figure:
    """Right buzzes of quartiles by two scores, on all packets and on the other half; ``heard``: of :data:`HEARD_WORDS`."""
    scores = [name for name in SCORE_WORDS if (curves["score"] == name).any()]
    ways = {"all": "same packets", "other_half": "other half of the packets"}
    figure, axes = plt.subplots(
        len(scores), 2, figsize=(theme.WIDTH, 0.9 + 2.6 * len(scores)), sharex=True, sharey=True, squeeze=False
    )  # fmt: skip
    about = shrinkage.set_index("score")
    for row, score in enumerate(scores):
        for ax, (way, words) in zip(axes[row], ways.items(), strict=True):
            panel_rows = curves[(curves["score"] == score) & (curves["drawn"] == way)]
            for group, curve in panel_rows.groupby("group", sort=True):
                style = _group_style(group, {}, {})
                _line_with_band(ax, curve, "clue", "right", "two_way_low", "two_way_high", style, alpha=0.15)
            lines = [_interval_words(about.loc[score], "gap", f"gap_{way}")]
            if way == "other_half":
                lines.insert(0, _interval_words(about.loc[score], "gap on the same half", "gap_same_half"))
                lines.append(_interval_words(about.loc[score], "shrinkage", "shrinkage", ".0%"))
            text = "\n".join(line for line in lines if line) or "no halves"
            ax.text(0.03, 0.97, text, transform=ax.transAxes, va="top", fontsize=8)
            sizes = panel_rows.drop_duplicates("group").sort_values("group")["questions_heard"]
            mean = "" if way == "all" else ", mean"
            count = f"n = {', '.join(f'{n:,.0f}' for n in sizes)} (Q1 to Q4{mean})" if len(sizes) else ""
            ax.set_title(f"By {SCORE_WORDS[score]},\n{words}\n{count}", fontsize=8.5)
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    for ax in axes[-1]:
        ax.set_xlabel("Clues seen")
    # Axes are shared, and a limit freezes them: after all is drawn, with room for the text.
    axes[0, 0].set_ylim(0, 1.2 * axes[0, 0].get_ylim()[1])
    figure.supylabel("Right buzzes per question heard", fontsize=9)
    note = f"n = {HEARD_WORDS[heard]}\nBands and brackets: teams like these (questions and teams resampled)"
    theme.name_lines(figure, axes, note)
    return figure


def buzz_figures(
    cumulative_buzzes: pd.DataFrame,
    buzz_positions: pd.DataFrame,
    quartile_rule: str,
    normalisation: str,
    heard: str,
    names: dict,
) -> dict[str, plt.Figure]:
    """Figures figure4 and buzz_positions, from live buzzes alone, by name; options as in :func:`figure4`."""
    styles = _live_styles(cumulative_buzzes, names)
    return {
        "figure4": figure4(cumulative_buzzes, styles, names, quartile_rule, normalisation, heard),
        "buzz_positions": buzz_position_figure(buzz_positions, names),
    }


def precision_figures(precision: pd.DataFrame, names: dict) -> dict[str, plt.Figure]:
    """``{"precision": figure}``: :func:`precision_figure`."""
    live = precision.loc[(precision["kind"] == "model") & (precision["group"] != "model"), "group"]
    return {"precision": precision_figure(precision, theme.model_styles(names, live))}


def quartile_figures(
    incidence: pd.DataFrame,
    pairings: pd.DataFrame,
    cumulative_buzzes: pd.DataFrame,
    fair_quartiles: pd.DataFrame,
    quartile_shrinkage: pd.DataFrame,
    quartile_rule: str,
    heard: str,
    names: dict,
) -> dict[str, plt.Figure]:
    """Figures incidence and fair_quartiles, by name; options as in :func:`figure4`."""
    styles = _live_styles(cumulative_buzzes, names)
    return {
        "incidence": incidence_figure(incidence, pairings, styles, names, quartile_rule, heard),
        "fair_quartiles": fair_quartiles_figure(fair_quartiles, quartile_shrinkage, heard),
    }


def _live_styles(cumulative: pd.DataFrame, names: dict) -> Styles:
    """Model → style, of the models in ``names`` and those that buzzed."""
    return theme.model_styles(names, cumulative.loc[cumulative["rule"] == "model", "group"])
