"""Figures of inference: each draws a finished table and computes nothing."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator, NullFormatter

from ..core import theme
from ..core.mark_sources import first_judge
from ..core.package import DATA
from ..scores import metrics
from . import comparisons
from .specification import CHOICES

SHOWN = {
    "logit_question": ("logit, clusters: questions", "o", "#2171b5"),
    "gee_question": ("GEE, exchangeable within question", "D", "#009e73"),
    "gee_team_bias_reduced": ("GEE, clusters: human teams, bias-reduced", "s", "#d55e00"),
    "logit_two_way": ("logit, clusters: questions and human teams", "^", "#000000"),
}
POPULATION_WORDS = {"all": "All buzzes", "human": "Human teams"}
END_STYLES = {"squeeze": ("o", 0.0), "omit": ("D", -0.22), "clip": ("^", 0.22)}
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


def paired(table, level: float):
    """Differences in CalScore of all pairs, one panel per elicitation, two intervals each; filled where none holds 0.

    Dark are the intervals that hold for all declared pairs at once, light those with teams drawn anew.
    """
    rows = table[(table["category"] == "all") & (table["metric"] == "calscore")]
    panels = [
        (f"{kind} confidence", rows_of_panel)
        for kind, rows_of_panel in rows[rows["kind"] == "models"].groupby("elicitation_a")
    ]
    elicitations = rows[rows["kind"] == "elicitations"]
    if len(elicitations):
        words = (
            f"{elicitations['elicitation_a'].iloc[0]} minus {elicitations['elicitation_b'].iloc[0]}"
        )
        panels.append((words, elicitations))
    if not panels:
        figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.2))
        ax.text(0.5, 0.5, "Only one set of confidences: nothing to compare", ha="center")
        ax.axis("off")
        return figure
    tallest = max(len(rows_of_panel) for _, rows_of_panel in panels)
    figure, axes = plt.subplots(
        len(panels),
        1,
        figsize=(
            theme.WIDTH,
            1.2 + 0.2 * sum(len(rows_of_panel) + 2 for _, rows_of_panel in panels),
        ),
        sharex=True,
        squeeze=False,
        gridspec_kw={
            "height_ratios": [max(len(rows_of_panel), 2) / tallest for _, rows_of_panel in panels]
        },
    )
    for ax, (title, rows_of_panel) in zip(axes[:, 0], panels, strict=True):
        rows_of_panel = rows_of_panel.sort_values("difference", ignore_index=True)
        y = np.arange(len(rows_of_panel))
        ax.hlines(
            y,
            rows_of_panel["two_way_low"],
            rows_of_panel["two_way_high"],
            color="#9ecae1",
            linewidth=4,
        )
        ends = [
            rows_of_panel[f"simultaneous_{end}"].fillna(rows_of_panel[end])
            for end in ("low", "high")
        ]
        ax.hlines(y, *ends, color="#08306b", linewidth=1.4)
        low = np.fmin(ends[0], rows_of_panel["two_way_low"])
        high = np.fmax(ends[1], rows_of_panel["two_way_high"])
        excludes_zero = (low > 0) | (high < 0)
        ax.scatter(rows_of_panel["difference"], y, s=22, color=np.where(excludes_zero, "#08306b", "white"),
                   edgecolor="#08306b", linewidth=1, zorder=3)  # fmt: skip
        ax.axvline(0, color="#555555", linewidth=0.9, linestyle=":")
        names = rows_of_panel["name_a"]
        if title.endswith("confidence"):
            names = names + " − " + rows_of_panel["name_b"]
        ax.set_yticks(y, names, fontsize=8)
        ax.set_ylim(len(rows_of_panel) - 0.4, -0.6)
        ax.set_title(title.capitalize(), loc="left")
    axes[-1, 0].set_xlabel("Difference in CalScore (below 0: the first is better)")
    figure.supxlabel(
        f"Dark: questions resampled, {100 * level:.0f} % for all declared pairs at once. "
        "Light: questions and human teams. Filled: neither holds 0.",
        fontsize=8,
    )
    return figure


def rank_shares(table):
    """Share of draws in which each model has each rank by CalScore, questions and human teams resampled, a panel per elicitation."""
    rows = table[table["metric"] == "calscore"]
    kinds = sorted(rows["elicitation"].unique())
    columns = [name for name in rows if name.startswith("two_way_rank_")]
    most = rows.groupby("elicitation").size().max()
    figure, axes = plt.subplots(
        1, len(kinds), figsize=(theme.WIDTH, 1.1 + 0.34 * most), squeeze=False
    )
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


DEFINITION_WORDS = {"paper": "The paper's definition", "release": "The released code's definition"}


def specification_curve(table, scores, styles, names):
    """Scores of every model under every specification, sorted by their mean; choices below. A row a definition.

    ``scores``: table 1, both definitions, whose intervals are drawn at the left of each panel. The darker a mark
    below, the further the judge of the specification can be trusted.
    """
    models = [m for m in styles if (table["model"] == m).any()]
    panels = metrics.panels("specifications")
    forms = [form for form in DEFINITION_WORDS if (table["form"] == form).any()]
    listed = [
        choice for choice in _choice_rows(table) if choice[0] not in ("form", "scope")
    ]  # fmt: skip
    heights = [2.4, 0.16 * len(listed) + 0.35]
    figure, axes = plt.subplots(
        2 * len(forms),
        len(panels),
        figsize=(theme.WIDTH, 0.8 + len(forms) * sum(heights)),
        gridspec_kw={"height_ratios": heights * len(forms)},
        sharey="row",
        squeeze=False,
    )
    for row, form in enumerate(forms):
        for column, (metric, label, *_) in enumerate(panels):
            ax, below = axes[2 * row, column], axes[2 * row + 1, column]
            panel_rows = table[(table["metric"] == metric) & (table["form"] == form)]
            wide = panel_rows.pivot(
                index=["elicitation", *CHOICES, "trust"], columns="model", values="value"
            )
            wide = wide.loc[wide.mean(axis=1).sort_values(kind="stable").index]
            x = np.arange(len(wide))
            own_scores = scores[scores["definition"] == form]
            for model in models:
                colour, marker = styles[model]
                ax.scatter(x, wide[model], s=2.5, color=colour, linewidth=0)
                for offset, entry in enumerate(
                    own_scores[own_scores["model"] == model].itertuples()
                ):
                    place = -(0.05 + 0.03 * models.index(model) + 0.012 * offset) * len(x)
                    value, low, high = (
                        getattr(entry, f"{metric}{s}") for s in ("", "_low", "_high")
                    )
                    ax.vlines(place, low, high, color=colour, linewidth=0.9)
                    ax.scatter(
                        place, value, s=9, color=colour, marker=marker, linewidth=0,
                        label=names.get(model, model),
                    )  # fmt: skip
            title = f"{label}\n{len(wide)} specifications"
            ax.set_title(f"{DEFINITION_WORDS[form]}\n{title}" if column == 0 else title, fontsize=8.5, loc="left")  # fmt: skip
            ax.set_xticks([])
            levels = wide.index.to_frame(index=False)
            for y, (choice, value) in enumerate(listed):
                used = (levels[choice] == value).to_numpy()
                shade = plt.get_cmap("Greys")(0.25 + 0.75 * levels.loc[used, "trust"].to_numpy(float))  # fmt: skip
                below.scatter(
                    x[used], np.full(used.sum(), y), s=7, marker="|", c=shade, linewidth=0.6
                )
            below.set_ylim(len(listed) - 0.5, -0.5)
            below.set_xlim(ax.get_xlim())
            below.set_xticks([])
            below.grid(False)
            words = [f"{CHOICE_NAMES[c]}: {OPTION_NAMES.get(v, v)}" for c, v in listed]
            below.set_yticks(range(len(listed)), words, fontsize=8)
            below.tick_params(left=column == 0)
            for y in range(1, len(listed)):
                if listed[y][0] != listed[y - 1][0]:
                    below.axhline(y - 0.5, color="#cccccc", linewidth=0.6)
        axes[2 * row, 0].set_ylabel("Score (lower is better)")
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
        "at the left, table 1 with its intervals. Marks below are darker, the further its judge can be trusted",
        title_fontsize=8,
    )
    return figure


def forest(table, names, coverage):
    """Forest plot: odds ratios of a right buzz by term, a panel per population, a mark per method.

    ``coverage``: measured coverage of 95 % intervals (columns method, coverage), shown in the legend.
    """
    measured = coverage.groupby("method")["coverage"].agg(["min", "max"])
    rows = table[table["method"].isin(list(SHOWN)) & (table["term"] != "intercept")]
    all_teams = rows[(rows["population"] == "all") & (rows["method"] == "logit_question")]
    terms = list(all_teams[["term", "level"]].itertuples(index=False, name=None))
    order = {"position": 0, "group": 1, "category": 2}
    terms.sort(key=lambda key: (order[key[0]], key[1]))
    references = {
        (method_rows.term, method_rows.level) for method_rows in all_teams.itertuples() if method_rows.status == "reference"
    }  # fmt: skip
    terms = [key for key in terms if key not in references]
    against = all_teams.set_index("term")["reference"]
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
    size = (theme.WIDTH, 1.6 + 0.5 * len(terms))
    figure, axes = plt.subplots(
        1, len(populations), figsize=size, sharey=True, sharex=True, squeeze=False
    )
    offsets = np.linspace(-0.27, 0.27, len(SHOWN))
    notes = []
    for ax, population in zip(axes[0], populations, strict=True):
        population_rows = rows[rows["population"] == population]
        ax.axvline(1, color="#888888", linewidth=0.9, linestyle=":")
        for (method, (words, marker, colour)), offset in zip(SHOWN.items(), offsets, strict=True):
            method_rows = (
                population_rows[population_rows["method"] == method]
                .set_index(["term", "level"])
                .reindex(terms)
            )
            error = np.abs(
                method_rows[["low", "high"]].to_numpy(float).T
                - method_rows["odds_ratio"].to_numpy(float)
            )
            ax.errorbar(
                method_rows["odds_ratio"].astype(float),
                np.arange(len(terms)) + offset,
                xerr=error,
                fmt=marker,
                color=colour,
                markersize=3.8,
                capsize=2,
                elinewidth=1,
                label=f"{words}\n(measured: {measured.loc[method, 'min']:.0%} to {measured.loc[method, 'max']:.0%})",
            )
        reference_fit = population_rows[population_rows["method"] == "logit_question"].set_index(
            ["term", "level"]
        )
        ax.set_xscale("log")
        for place, key in enumerate(terms):
            if key not in reference_fit.index:
                notes.append((ax, place, "no models here"))
            elif reference_fit.loc[key, "status"] not in ("estimated", "reference"):
                method_rows = reference_fit.loc[key]
                text = f"{method_rows['status']}: {method_rows['n_correct']} of {method_rows['n']} right"
                notes.append((ax, place, text))
        fitted = population_rows["n_fitted"].max()
        ax.set_title(f"{POPULATION_WORDS[population]} (n = {fitted})")
        reference = population_rows.loc[population_rows["term"] == "category", "reference"]
        words = f"\ncategories against {reference.iloc[0]}" if len(reference) else ""
        ax.set_xlabel(f"Odds ratio of a right buzz{words}")
        ax.xaxis.set_major_locator(FixedLocator([0.1, 0.25, 0.5, 1, 2, 4, 10]))
        ax.xaxis.set_major_formatter("{x:g}")
        ax.xaxis.set_minor_formatter(NullFormatter())
    axes[0, 0].set_yticks(range(len(terms)), labels)
    axes[0, 0].set_ylim(len(terms) - 0.5, -0.5)
    # In the wider part beside the line at 1, known only when all is drawn.
    low, high = np.log(axes[0, 0].get_xlim())
    boundary = -low / (high - low)
    for ax, place, text in notes:
        text_x = boundary / 2 if boundary >= 0.5 else (1 + boundary) / 2
        ax.text(text_x, place, text, transform=ax.get_yaxis_transform(), ha="center", va="center", color="#555555")  # fmt: skip
    handles, labels = axes[0, 0].get_legend_handles_labels()
    title = "In brackets: how often 95 % intervals cover the truth in simulated studies"
    figure.legend(handles, labels, loc="outside lower center", ncols=2, title=title, title_fontsize=8)  # fmt: skip
    return figure


def slopes(table, styles, names, reductions):
    """Slope and offset of each model and elicitation over every clue, confidences of 0 and 1 squeezed inside.

    Another rule for 0 and 1 (omit, clip) has a hollow mark where it lies outside of that interval.
    """
    order = {name: rank for rank, name in enumerate([*reductions, "stated"])}
    rows = table[table["scope"] == "every_clue"]
    rank = rows["reduction"].map(order)
    rows = rows[rank == rank.groupby([rows["model"], rows["elicitation"]]).transform("min")]
    rows = first_judge(rows)
    kinds = [kind for kind in ("verbalized", "logit") if (rows["elicitation"] == kind).any()]
    series = [
        (kind, model)
        for kind in kinds
        for model in styles
        if ((rows["elicitation"] == kind) & (rows["model"] == model)).any()
    ]
    figure, axes = plt.subplots(1, 2, figsize=(theme.WIDTH, 1.5 + 0.4 * len(series)), sharey=True)
    for ax, (value, ideal, words) in zip(
        axes,
        (("slope", 1, "Slope"), ("offset", 0, "Offset (log-odds, slope held at 1)")),
        strict=True,
    ):
        ax.axvline(ideal, color="#888888", linewidth=0.9, linestyle=":")
        for ends, (marker, shift) in END_STYLES.items():
            for place, (kind, model) in enumerate(series):
                series_rows = rows[(rows["elicitation"] == kind) & (rows["model"] == model)]
                estimate_row = series_rows[series_rows["ends"] == ends].iloc[0]
                if estimate_row["status"] != "estimated":
                    if ends == "squeeze":
                        ax.text(0.5, place, estimate_row["status"], transform=ax.get_yaxis_transform(), ha="center", va="center", color="#555555")  # fmt: skip
                    continue
                if ends != "squeeze":
                    squeezed = series_rows[series_rows["ends"] == "squeeze"].iloc[0]
                    if (
                        not squeezed[f"{value}_low"]
                        <= estimate_row[value]
                        <= squeezed[f"{value}_high"]
                    ):
                        ax.plot(estimate_row[value], place + shift, marker, mfc="white", color=styles[model][0], markersize=4)  # fmt: skip
                    continue
                error = np.abs(
                    [[estimate_row[f"{value}_low"]], [estimate_row[f"{value}_high"]]]
                    - estimate_row[value]
                )
                ax.errorbar(estimate_row[value], place, xerr=error, fmt=marker, color=styles[model][0], markersize=4, capsize=2, elinewidth=1)  # fmt: skip
        ax.set_xlabel(f"{words}\n{ideal} is calibrated")
    labels = []
    for kind, model in series:
        series_rows = rows[(rows["elicitation"] == kind) & (rows["model"] == model)].iloc[0]
        at_ends = series_rows["n_at_0"] + series_rows["n_at_1"]
        n = rows[(rows["elicitation"] == kind) & (rows["model"] == model)]["n"].max()
        labels.append(f"{names.get(model, model)}, {kind}\nn = {n}, {at_ends} at 0 or 1")
    axes[0].set_yticks(range(len(series)), labels)
    axes[0].set_ylim(len(series) - 0.5, -0.5)
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [],
            [],
            color="#555555",
            mfc="#555555" if name == "squeeze" else "white",
            marker=marker,
            linestyle="",
            label=name,
        )
        for name, (marker, _) in END_STYLES.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, title="Confidences of 0 and 1; hollow marks only outside of the interval", title_fontsize=8)  # fmt: skip
    return figure


def compared(
    differences,
    ranks,
    specifications,
    table1,
    primary_segmentation: str,
    primary_definition: str,
    reductions,
    level: float,
    names: dict,
) -> dict:
    """Figures of differences between models, of their ranks and of the specification curve."""
    primary_choice = primary_segmentation, reductions, names
    scores = first_judge(table1[table1["definition"] == primary_definition])
    pairs = comparisons.comparison_view(differences, *primary_choice)
    judge = dict(zip(scores["model"], scores["marks"], strict=False))
    pairs = pairs[(pairs["kind"] != "judges") & (pairs["marks_a"] == pairs["model_a"].map(judge))]
    shares = first_judge(comparisons.ranks_shown(ranks, *primary_choice))
    # A choice that a metric has not is no choice.
    curve = specifications.fillna({name: "" for name in CHOICE_NAMES})
    styles = theme.model_styles(names, scores["model"])
    return {
        "differences": paired(pairs[pairs["definition"] == primary_definition], level),
        "ranks": rank_shares(shares[shares["definition"] == primary_definition]),
        "specification_curve": specification_curve(curve, first_judge(table1), styles, names),
    }


def odds_ratios(odds_ratios, names: dict) -> dict:
    """Figure of odds ratios, with the measured coverage of each method's intervals."""
    coverage = pd.read_csv(DATA / "odds_ratio_coverage.csv")
    return {"odds_ratios": forest(odds_ratios, names, coverage)}


def calibration_slopes(calibration_slopes, reductions, names: dict) -> dict:
    """Figure of slopes and offsets of the calibration regressions."""
    styles = theme.model_styles(names, calibration_slopes["model"])
    return {"calibration_slopes": slopes(calibration_slopes, styles, names, reductions)}


H_NAMES = {
    "buzzed_so_far": ("of buzzes so far (§4.1)", "o", "#08306b"),
    "buzzed_on_question": ("of all buzzes (released code)", "s", "#d55e00"),
    "heard": ("of teams that heard it", "^", "#009e73"),
}


def crowd_size(crowd_sizes, names: dict) -> dict:
    """Figure of mean h and of CalScore (definition ``paper``) against the number of human teams."""
    figure, (h_axis, score_axis) = plt.subplots(1, 2, figsize=(theme.WIDTH, 3.4))

    def line(ax, curve, marker, color, label, style="-"):
        curve = curve.sort_values("teams")
        ax.fill_between(
            curve["teams"], curve["low"], curve["high"], color=color, alpha=0.13, linewidth=0
        )
        ax.plot(
            curve["teams"], curve["value"], marker=marker, color=color, label=label, linestyle=style
        )

    h = crowd_sizes[crowd_sizes["quantity"] == "mean_h"]
    for name, (words, marker, color) in H_NAMES.items():
        curve = h[h["h_definition"] == name].drop_duplicates("teams")
        line(h_axis, curve, marker, color, words)
    paper = crowd_sizes[(crowd_sizes["definition"] == "paper") & (crowd_sizes["h_definition"] == "buzzed_so_far")]  # fmt: skip
    ends = paper.pivot_table(index="teams", columns="quantity", values="value")
    score_axis.fill_between(ends.index, ends["least"], ends["greatest"], color="#e3e3e3", linewidth=0, label="range of any model")  # fmt: skip
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
    h_axis.legend(title="h, right buzzes so far as a share", loc="upper left", title_fontsize=8)
    figure.legend(*score_axis.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return {"crowd_size": figure}


MOST_TEAMS = 40
"""Human teams shown one by one, those that heard most."""


def buzz_effects(buzz_effects, names: dict, level: float) -> dict:
    """Figure of right and wrong buzzes per question: as counted (hollow) and pooled in part (filled, with interval)."""
    styles = theme.model_styles(names, buzz_effects.loc[buzz_effects["kind"] == "model", "unit"])
    right = buzz_effects[buzz_effects["outcome"] == "right"].reset_index(drop=True)
    # Participants by their rate of right buzzes, then the categories of each group.
    overall = right[right["category"] == "all"]
    teams = overall[
        (overall["kind"] == "human") & (overall["heard"] > 0) & (overall["unit"] != "all teams")
    ]
    drawn_teams = teams.sort_values("heard", ascending=False, kind="stable").head(MOST_TEAMS)
    overall = overall.drop(teams.index.difference(drawn_teams.index)).sort_values(
        "estimate", ascending=False
    )
    order = [(unit, "all") for unit in overall["unit"]]
    pooled_units = [*[entry for entry in overall["unit"] if entry == "all teams"], *[entry for entry in overall["unit"] if entry in styles]]  # fmt: skip
    groups = [
        right[(right["unit"] == entry) & (right["category"] != "all")] for entry in pooled_units
    ]
    rows = [order, *([(entry, c) for c in g["category"]] for entry, g in zip(pooled_units, groups, strict=True))]  # fmt: skip
    rows = [entry for entry in rows if entry]
    figure, axes = plt.subplots(
        len(rows),
        2,
        figsize=(theme.WIDTH, 1.1 + sum(0.155 * len(entry) + 0.3 for entry in rows)),
        gridspec_kw={"height_ratios": [len(entry) + 1 for entry in rows]},
        sharex="col",
        sharey="row",
        squeeze=False,
    )
    for pair, keys in zip(axes, rows, strict=True):
        for ax, outcome in zip(pair, ("right", "wrong"), strict=True):
            rates = buzz_effects[buzz_effects["outcome"] == outcome].set_index(["unit", "category"])
            rates = rates.loc[keys]
            y = np.arange(len(rates))
            colours = [styles[unit][0] if unit in styles else "#2171b5" for unit, _ in keys]
            ax.hlines(y, rates["low"], rates["high"], color=colours, linewidth=1.3)
            ax.scatter(rates["estimate"], y, s=17, color=colours, zorder=3)
            ax.scatter(rates["rate"], y, s=17, facecolor="white", edgecolor=colours, linewidth=0.9, zorder=2.5)  # fmt: skip
            ax.set_ylim(len(rates) - 0.4, -0.6)
        called = [
            names.get(unit, unit) if category == "all" else category for unit, category in keys
        ]
        heard = right.set_index(["unit", "category"])["heard"].loc[keys]
        n = [f" ({count:,})" if count else "" for count in heard]
        pair[0].set_yticks(y, [a + b for a, b in zip(called, n, strict=True)], fontsize=8)
        if keys is not order:
            title = names.get(keys[0][0], keys[0][0]).replace("all teams", "All teams")
            pair[0].set_title(f"{title}, by category", loc="left", fontsize=8.5)
    subset_note = (
        f", {len(drawn_teams)} of {len(teams)} teams" if len(drawn_teams) < len(teams) else ""
    )
    axes[0, 0].set_title(f"Right buzzes per question{subset_note}", loc="left")
    axes[0, 1].set_title("Wrong buzzes per question", loc="left")
    for ax in axes[-1]:
        ax.set_xlabel("Share of questions")
        ax.set_xlim(left=0)
        theme.percent(ax, "x")
    figure.supxlabel(
        "Hollow: as counted over the questions heard (their number in brackets).\n"
        f"Filled: pooled in part, with {100 * level:.0f} % interval, over all questions.",
        fontsize=8,
    )
    return {"buzz_effects": figure}
