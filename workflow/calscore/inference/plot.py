"""Figures of inference, from finished tables; nothing is estimated here."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator, NullFormatter

from ..core import theme
from ..core.mark_sources import first_judge
from ..scores import metrics
from . import comparisons
from .specifications import CHOICES

POPULATION_WORDS = {"all": "All buzzes", "human": "Human teams"}
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
    "exact": "exact",
    "engine": "answer engine",
} | theme.REDUCTIONS
"""Options as readers call them; the rest stand as they are written in the table."""


def difference_figure(table: pd.DataFrame, level: float) -> plt.Figure:
    """Differences in CalScore of all pairs, a panel per elicitation, and one between elicitations.

    Dark intervals hold for all declared pairs at once (other pairs have their own), light ones have teams drawn anew; a
    point is filled where neither holds 0. ``table``: comparisons of one definition; ``level``: theirs, for the caption.
    """
    rows = table[(table["category"] == "all") & (table["metric"] == "calscore")]
    panels = [
        (f"{kind} confidence", rows_of_panel)
        for kind, rows_of_panel in rows[rows["kind"] == "models"].groupby("elicitation_a")
    ]
    elicitations = rows[rows["kind"] == "elicitations"]
    if len(elicitations):
        words = f"{elicitations['elicitation_a'].iloc[0]} minus {elicitations['elicitation_b'].iloc[0]}"
        panels.append((words, elicitations))
    if not panels:
        figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.2))
        ax.text(0.5, 0.5, "Only one set of confidences: nothing to compare", ha="center")
        ax.axis("off")
        return figure
    # Panels of the same pairs stand beside each other, in the order of the first.
    pairs = [title for title, _ in panels if title.endswith("confidence")]
    single_rows = [[title] * max(len(pairs), 1) for title, _ in panels if title not in pairs]
    rows_of = dict(panels)
    layout, orders = [row for row in (pairs, *single_rows) if row], []
    for row in layout:
        order = pd.concat([rows_of[title].sort_values("difference") for title in dict.fromkeys(row)])
        orders.append(list(dict.fromkeys(zip(order["name_a"], order["name_b"], strict=True))))
    heights = [max(len(order), 2) + 2 for order in orders]
    figure, axes = plt.subplot_mosaic(
        layout,
        figsize=(theme.WIDTH, 1.1 + min(0.2, 5.2 / sum(heights)) * sum(heights)),
        height_ratios=heights,
        sharex=True,
    )
    for row, order in zip(layout, orders, strict=True):
        names = [f"{a} − {b}" if row is pairs else a for a, b in order]
        for title in dict.fromkeys(row):
            panel, ax = rows_of[title].sort_values("difference"), axes[title]
            ax.set_title(title.capitalize(), loc="left")
            keys = zip(panel["name_a"], panel["name_b"], strict=True)
            _draw_pairs(ax, panel, np.array([order.index(key) for key in keys]))
            ax.set_yticks(range(len(order)), names if title == row[0] else [""] * len(order), fontsize=8)
            ax.set_ylim(len(order) - 0.4, -0.6)
    figure.supxlabel(
        "Difference in CalScore (below 0: the first is better). "
        f"Dark: questions resampled, {100 * level:.0f} % for all\ndeclared pairs at once. "
        "Light: questions and human teams. Filled: neither holds 0.",
        fontsize=8,
    )
    return figure


def _draw_pairs(ax: plt.Axes, rows: pd.DataFrame, y: np.ndarray) -> None:
    """Draw differences with both intervals at the heights ``y``."""
    ax.hlines(y, rows["two_way_low"], rows["two_way_high"], color="#9ecae1", linewidth=4)
    ends = [rows[f"simultaneous_{end}"].fillna(rows[end]) for end in ("low", "high")]
    ax.hlines(y, *ends, color="#08306b", linewidth=1.4)
    low = np.fmin(ends[0], rows["two_way_low"])
    high = np.fmax(ends[1], rows["two_way_high"])
    fill = np.where((low > 0) | (high < 0), "#08306b", "white")
    ax.scatter(rows["difference"], y, s=22, color=fill, edgecolor="#08306b", linewidth=1, zorder=3)
    ax.axvline(0, color="#555555", linewidth=0.9, linestyle=":")


def rank_figure(table: pd.DataFrame) -> plt.Figure:
    """Share of two-way draws in which each model has each rank by CalScore, a panel per elicitation; ``table``: rank_shares of
    one definition and judge."""
    rows = table[table["metric"] == "calscore"]
    kinds = sorted(rows["elicitation"].unique())
    columns = [name for name in rows if name.startswith("two_way_rank_")]
    most = rows.groupby("elicitation").size().max()
    figure, axes = plt.subplots(1, len(kinds), figsize=(theme.WIDTH, 1.1 + 0.34 * most), squeeze=False)
    for ax, kind in zip(axes[0], kinds, strict=True):
        panel_rows = rows[rows["elicitation"] == kind].sort_values("two_way_expected_rank")
        shares = panel_rows[columns[: len(panel_rows)]].to_numpy()
        ax.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        for (i, j), share in np.ndenumerate(shares):
            if share >= 0.005:
                text = ">.99" if 0.995 <= share < 1 else f"{share:.2f}".lstrip("0")
                ax.text(j, i, text, ha="center", va="center", fontsize=8,
                        color="white" if share > 0.55 else "black")  # fmt: skip
        ax.set_xticks(range(len(panel_rows)), range(1, len(panel_rows) + 1))
        ax.set_yticks(range(len(panel_rows)), panel_rows["name"])
        ax.set_title(f"{kind.capitalize()} confidence")
        ax.set_xlabel("Rank by CalScore (1 is best)\nNumbers: share of resampled studies")
        ax.grid(False)
    return figure


def _choice_rows(table: pd.DataFrame) -> list[tuple[str, str]]:
    """(choice, option) of the choices that have several options in ``table``, in the order of :data:`CHOICES`."""
    return [
        (choice, value)
        for choice in CHOICES
        for value in sorted(set(table[choice]) - {""})
        if table.loc[table[choice] != "", choice].nunique() > 1
    ]


LEAST_TRUST = 0.9
"""Judges below are not drawn; tables/specifications.csv has them."""


def specification_figure(
    table: pd.DataFrame, scores: pd.DataFrame, styles: dict[str, tuple[str, str]], names: dict[str, str]
) -> plt.Figure:
    """Scores of every model under every specification of one definition, sorted by their mean, a panel per metric; choices below.

    ``table``: specifications; judges of trust below :data:`LEAST_TRUST` are not drawn. ``scores``: table 1 of that definition,
    for intervals left of each panel. ``styles``: model → (colour, marker), in the order of drawing; ``names``: model → label.
    """
    table = table[table["trust"].astype(float) >= LEAST_TRUST]
    models = [m for m in styles if (table["model"] == m).any()]
    panels = metrics.panel_metrics("specifications")
    listed = [choice for choice in _choice_rows(table) if choice[0] not in ("form", "scope")]
    heights = [2.8, 0.17 * len(listed) + 0.35]
    figure, axes = plt.subplots(
        2,
        len(panels),
        figsize=(theme.WIDTH, 0.8 + sum(heights)),
        gridspec_kw={"height_ratios": heights},
        sharey="row",
        squeeze=False,
    )
    for (ax, below), (metric, label, *_) in zip(axes.T, panels, strict=True):
        rows = table[table["metric"] == metric]
        wide = rows.pivot(index=["elicitation", *CHOICES, "trust"], columns="model", values="value")
        wide = wide.loc[wide.mean(axis=1).sort_values(kind="stable").index]
        x = np.arange(len(wide))
        for place, model in enumerate(models):
            colour, marker = styles[model]
            ax.scatter(x, wide[model], s=2.5, color=colour, linewidth=0)
            for offset, entry in enumerate(scores[scores["model"] == model].itertuples()):
                x_left = -(0.05 + 0.03 * place + 0.012 * offset) * len(x)
                value, low, high = (getattr(entry, f"{metric}{s}") for s in ("", "_low", "_high"))
                ax.vlines(x_left, low, high, color=colour, linewidth=0.9)
                ax.scatter(
                    x_left, value, s=9, color=colour, marker=marker, linewidth=0,
                    label=names.get(model, model),
                )  # fmt: skip
        ax.set_title(f"{label}\n{len(wide)} specifications", fontsize=8.5, loc="left")
        ax.set_xticks([])
        levels = wide.index.to_frame(index=False)
        for y, (choice, value) in enumerate(listed):
            used = x[(levels[choice] == value).to_numpy()]
            below.scatter(used, np.full(len(used), y), s=7, marker="|", color="#444444", linewidth=0.6)
            if y and choice != listed[y - 1][0]:
                below.axhline(y - 0.5, color="#cccccc", linewidth=0.6)
        below.set_ylim(len(listed) - 0.5, -0.5)
        below.set_xlim(ax.get_xlim())
        below.set_xticks([])
        below.grid(False)
        words = [f"{CHOICE_NAMES[c]}: {OPTION_NAMES.get(v, v)}" for c, v in listed]
        below.set_yticks(range(len(listed)), words, fontsize=8)
        below.tick_params(left=ax is axes[0, 0])
    axes[0, 0].set_ylabel("Score (lower is better)")
    figure.legend(
        *theme.legend_entries(axes[:1, :1]),
        loc="outside lower center",
        ncols=3,
        markerscale=1.6,
        title="Each column is one specification, sorted by the mean over models; at the left, table 1 with its intervals",
        title_fontsize=8,
    )
    return figure


METHOD = "logit_two_way"
"""Fit that is drawn: clusters of questions and of human teams; the table has the others."""


def odds_ratio_figures(odds_ratios: pd.DataFrame, names: dict[str, str]) -> dict[str, plt.Figure]:
    """{odds_ratios: figure}: odds ratios of a right buzz by term, a panel for all buzzes and one for human teams.

    Intervals are clustered by question and team (method ``logit_two_way``). ``names``: model → label.
    """
    rows = odds_ratios[odds_ratios["method"] == METHOD]
    rows = rows[rows["term"] != "intercept"]
    order = {"position": 0, "group": 1, "category": 2}
    all_buzzes = rows[(rows["population"] == "all") & (rows["status"] != "reference")]
    terms = sorted(
        all_buzzes[["term", "level"]].itertuples(index=False, name=None),
        key=lambda term: (order[term[0]], term[1]),
    )
    against = all_buzzes.set_index("term")["reference"]
    labels = []
    for term, level in terms:
        if term == "position":
            labels.append("10 % more of\nthe question heard")
        elif term == "group":
            opponent = "human teams" if against[term].eq("human").all() else against[term].iloc[0]
            labels.append(f"{names.get(level, level)}\nagainst {opponent}")
        else:
            labels.append(level)
    populations = [name for name in POPULATION_WORDS if (rows["population"] == name).any()]
    figure, axes = plt.subplots(
        1,
        len(populations),
        figsize=(theme.WIDTH, 1.2 + 0.42 * len(terms)),
        sharey=True,
        sharex=True,
        squeeze=False,
    )
    for ax, population in zip(axes[0], populations, strict=True):
        fitted = rows[rows["population"] == population].set_index(["term", "level"])
        estimates = fitted.reindex(terms)
        ratio = estimates["odds_ratio"].astype(float)
        error = np.abs(estimates[["low", "high"]].to_numpy(float).T - ratio.to_numpy())
        ax.axvline(1, color="#888888", linewidth=0.9, linestyle=":")
        ax.errorbar(
            ratio, np.arange(len(terms)), xerr=error, fmt="o", color="#2171b5", markersize=4.5,
            capsize=2, elinewidth=1.2,
        )  # fmt: skip
        ax.set_xscale("log")
        for place, term in enumerate(terms):
            status = estimates["status"].iloc[place]
            note = "no models here" if term not in fitted.index else ""
            if not note and status != "estimated":
                note = f"{status}: {estimates['n_correct'].iloc[place]:,} of {estimates['n'].iloc[place]:,} right"
            ax.text(
                0.5,
                place,
                note,
                transform=ax.get_yaxis_transform(),
                ha="center",
                va="center",
                color="#555555",
            )
        ax.set_title(f"{POPULATION_WORDS[population]} (n = {fitted['n_fitted'].max():,})")
        reference = fitted.loc[fitted.index.get_level_values("term") == "category", "reference"]
        words = f"\ncategories against {reference.iloc[0]}" if len(reference) else ""
        ax.set_xlabel(f"Odds ratio of a right buzz{words}")
        ax.xaxis.set_major_locator(FixedLocator([0.1, 0.25, 0.5, 1, 2, 4, 10]))
        ax.xaxis.set_major_formatter("{x:g}")
        ax.xaxis.set_minor_formatter(NullFormatter())
    axes[0, 0].set_yticks(range(len(terms)), labels)
    axes[0, 0].set_ylim(len(terms) - 0.5, -0.5)
    return {"odds_ratios": figure}


def comparison_figures(
    differences: pd.DataFrame,
    ranks: pd.DataFrame,
    specifications: pd.DataFrame,
    table1: pd.DataFrame,
    primary_segmentation: str,
    primary_definition: str,
    reductions: list[str],
    level: float,
    names: dict[str, str],
) -> dict[str, plt.Figure]:
    """{differences, ranks, specification_curve}: figures of ``primary_definition``; the first two by each model's first judge.

    The tables are those of their names. ``reductions``: of these the first that a series has; ``level``: for the caption."""
    primary_choice = primary_segmentation, reductions, names
    scores = first_judge(table1[table1["definition"] == primary_definition])
    pairs = comparisons.named_comparisons(differences, *primary_choice)
    judge = dict(zip(scores["model"], scores["marks"], strict=False))
    pairs = pairs[(pairs["kind"] != "judges") & (pairs["marks_a"] == pairs["model_a"].map(judge))]
    shares = first_judge(comparisons.rank_shares_table(ranks, *primary_choice))
    # A choice that a metric has not is no choice.
    curve = specifications[specifications["form"] == primary_definition]
    curve = curve.fillna({name: "" for name in CHOICE_NAMES})
    styles = theme.model_styles(names, scores["model"])
    return {
        "differences": difference_figure(pairs[pairs["definition"] == primary_definition], level),
        "ranks": rank_figure(shares[shares["definition"] == primary_definition]),
        "specification_curve": specification_figure(curve, scores, styles, names),
    }


H_NAMES = {
    "buzzed_so_far": ("buzzes so far\n(§4.1)", "o", theme.BLUES[0]),
    "buzzed_on_question": ("all buzzes\n(released code)", "s", theme.BLUES[1]),
    "heard": ("teams that\nheard it", "^", theme.BLUES[2]),
}


def crowd_size_figure(crowd_sizes: pd.DataFrame, names: dict[str, str]) -> dict[str, plt.Figure]:
    """{crowd_size: figure}: mean h and CalScore (definition ``paper``) by number of human teams; ``names``: model → label."""
    figure, (h_axis, score_axis) = plt.subplots(1, 2, figsize=(theme.WIDTH, 3.7))

    def line(ax, curve, marker, color, label, style="-"):
        curve = curve.sort_values("teams")
        if ax is h_axis:
            ax.fill_between(curve["teams"], curve["low"], curve["high"], color=color, alpha=0.13, linewidth=0)
        ax.plot(curve["teams"], curve["value"], marker=marker, color=color, label=label, linestyle=style)

    h = crowd_sizes[crowd_sizes["quantity"] == "mean_h"]
    for name, (words, marker, color) in H_NAMES.items():
        curve = h[h["h_definition"] == name].drop_duplicates("teams")
        line(h_axis, curve, marker, color, words)
    paper = crowd_sizes[
        (crowd_sizes["definition"] == "paper") & (crowd_sizes["h_definition"] == "buzzed_so_far")
    ]
    ends = paper.pivot_table(index="teams", columns="quantity", values="value")
    score_axis.fill_between(ends.index, ends["least"], ends["greatest"], color="#e3e3e3", linewidth=0)
    score_axis.plot(ends.index, ends[["least", "greatest"]], color="#888888", linewidth=1)
    scored = paper[paper["quantity"] == "calscore"]
    styles = theme.model_styles(names, scored["model"])
    elicitations = scored["elicitation"].nunique()
    for (model, kind), curve in scored.groupby(["model", "elicitation"], sort=True):
        color, marker = styles[model]
        label = names.get(model, model) + (f", {kind}" if elicitations > 1 else "")
        line(
            score_axis,
            curve,
            marker,
            color,
            label,
            ":" if kind == "verbalized" and elicitations > 1 else "-",
        )
    for ax, words in ((h_axis, "Mean h"), (score_axis, "CalScore (lower is better)")):
        sizes = sorted(crowd_sizes["teams"].unique())
        ax.set_xscale("log", base=2)
        ax.set_xticks(sizes, sizes)
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set_xlabel("Human teams")
        ax.set_ylabel(words)
        ax.set_ylim(0, 1)
    if len(scored):
        # Models fill a small part of what any model could have: the lower end is told, not drawn.
        bottom, top = scored["value"].min(), ends["greatest"].max()
        score_axis.set_ylim(np.floor(bottom * 20 - 1) / 20, np.ceil(top * 20) / 20)
    note = "Left: h, right buzzes so far as a share of what the line is named after."
    if len(ends):
        least = ends["least"]
        note += f"\nRight, grey: the range of any model; its lower end is {least.iloc[0]:.2f}, with all teams {least.iloc[-1]:.2f}."
    theme.name_lines(figure, np.array([h_axis]))
    theme.name_lines(figure, np.array([score_axis]), note)
    return {"crowd_size": figure}


MOST_TEAMS = 24
"""Human teams shown one by one, those that heard most."""


def buzz_effect_figures(
    buzz_effects: pd.DataFrame, names: dict[str, str], level: float
) -> dict[str, plt.Figure]:
    """{buzz_effects: figure}: right and wrong buzzes per question, as counted (hollow) and pooled in part (filled);
    ``names``: model → label; ``level``: for the caption."""
    styles = theme.model_styles(names, buzz_effects.loc[buzz_effects["kind"] == "model", "unit"])
    right = buzz_effects[buzz_effects["outcome"] == "right"].reset_index(drop=True)
    # Participants by their rate of right buzzes, then the categories of each group.
    overall = right[right["category"] == "all"]
    teams = overall[(overall["kind"] == "human") & (overall["heard"] > 0) & (overall["unit"] != "all teams")]
    drawn_teams = teams.sort_values("heard", ascending=False, kind="stable").head(MOST_TEAMS)
    overall = overall.drop(teams.index.difference(drawn_teams.index)).sort_values("estimate", ascending=False)
    order = [(unit, "all") for unit in overall["unit"]]
    pooled_units = [
        *[entry for entry in overall["unit"] if entry == "all teams"],
        *[entry for entry in overall["unit"] if entry in styles],
    ]
    categories = sorted(set(right["category"]) - {"all"})
    # Groups within a category stand one below the other.
    gap = 0.8 / max(len(pooled_units), 1)
    inner = [
        ((unit, category), place + gap * n - 0.4 + gap / 2)
        for place, category in enumerate(categories)
        for n, unit in enumerate(pooled_units)
        if ((right["unit"] == unit) & (right["category"] == category)).any()
    ]
    rows = [list(zip(order, range(len(order)), strict=True)), *([inner] if inner else [])]
    heights = [0.15 * len(order) + 0.2, *([0.42 * len(categories) + 0.2] if inner else [])]
    figure, axes = plt.subplots(
        len(rows),
        2,
        figsize=(theme.WIDTH, 1.1 + min(sum(heights), 5.7)),
        gridspec_kw={"height_ratios": heights},
        sharex="col",
        sharey="row",
        squeeze=False,
    )
    heard = right.set_index(["unit", "category"])["heard"]
    for pair, placed, size in zip(axes, rows, (17, 11), strict=False):
        keys, y = zip(*placed, strict=True)
        for ax, outcome in zip(pair, ("right", "wrong"), strict=True):
            rates = buzz_effects[buzz_effects["outcome"] == outcome].set_index(["unit", "category"])
            for unit in dict.fromkeys(unit for unit, _ in keys):
                colour, marker = styles.get(unit, (theme.HUMAN, theme.QUARTILE_MARKER))
                places = [place for place, (key, _) in enumerate(keys) if key == unit]
                unit_rates = rates.loc[[keys[place] for place in places]]
                rows_y = [y[place] for place in places]
                ax.hlines(rows_y, unit_rates["low"], unit_rates["high"], color=colour, linewidth=1.2)
                ax.scatter(unit_rates["estimate"], rows_y, s=size, color=colour, marker=marker, zorder=3)
                ax.scatter(
                    unit_rates["rate"],
                    rows_y,
                    s=size,
                    facecolor="white",
                    edgecolor=colour,
                    marker=marker,
                    linewidth=0.9,
                    zorder=2.5,
                )
        called = [
            (names.get(unit, unit), f" ({n:,})" if (n := heard[unit, "all"]) else "") for unit, _ in order
        ]
        pair[0].set_yticks(range(len(order)), [a + b for a, b in called], fontsize=8)
        pair[0].set_ylim(len(order) - 0.4, -0.6)
    if inner:
        axes[1, 0].set_yticks(range(len(categories)), categories)
        axes[1, 0].set_ylim(len(categories) - 0.45, -0.55)
        axes[1, 0].set_title("By category: all teams, and models in their colours", loc="left", fontsize=8.5)
    subset_note = f", {len(drawn_teams)} of {len(teams)} teams" if len(drawn_teams) < len(teams) else ""
    axes[0, 0].set_title(f"Right buzzes per question{subset_note}", loc="left")
    axes[0, 1].set_title("Wrong buzzes per question", loc="left")
    for ax in axes[-1]:
        ax.set_xlabel("Share of questions")
        ax.set_xlim(left=0)
        theme.percent_ticks(ax, "x")
    figure.supxlabel(
        "Hollow: as counted over the questions heard (their number in brackets).\n"
        f"Filled: pooled in part, with {100 * level:.0f} % interval, over all questions.",
        fontsize=8,
    )
    return {"buzz_effects": figure}
