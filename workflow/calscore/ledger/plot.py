"""Figure of printed scores against their attainable ranges, drawn from tables/forensics.csv."""

from __future__ import annotations

import matplotlib.pyplot as plt

from ..core import theme

_ALLOWED, _BAD, _ALONE, _JOINT = "#000000", "#d55e00", "#b5b5b5", "#5fa2d0"
MARKS = {
    "allowed": {"color": _ALLOWED, "marker": "o", "s": 14, "label": "printed, allowed"},
    "inconsistent": {
        "color": _BAD,
        "marker": "D",
        "s": 16,
        "label": "printed, excluded given the printed MCE",
    },
    "impossible": {
        "color": _BAD,
        "marker": "X",
        "s": 30,
        "label": "printed, excluded for any model",
    },
}
WORDS = {"as_printed": "as printed", "exchanged": "columns exchanged", "": "as printed"}
H_WORDS = {
    "buzzed_so_far": "h: buzzed so far",
    "buzzed_on_question": "h: buzzed on question",
    "heard": "h: heard\n",
}


def _panel(ax, rows, series) -> None:
    """One reading: a line per printed row, ranges as bars and the printed number as a mark."""
    for y, key in enumerate(series):
        own_rows = rows[(rows["elicitation"] == key[0]) & (rows["model"] == key[1])]
        checks = {row.check: row for row in own_rows.itertuples()}
        if "range" not in checks:
            continue
        alone, joint = checks["range"], checks.get("joint")
        ax.plot([alone.low, alone.high], [y, y], color=_ALONE, lw=1.2, zorder=1)
        if joint is not None:
            ax.plot(
                [joint.low, joint.high], [y, y], color=_JOINT, lw=5, zorder=2, solid_capstyle="butt"
            )
        verdicts = {alone.verdict, joint.verdict if joint is not None else ""}
        kind = next(
            (
                kind_of_verdict
                for kind_of_verdict in ("impossible", "inconsistent")
                if kind_of_verdict in verdicts
            ),
            "allowed",
        )
        ax.scatter(float(alone.printed), y, zorder=3, **MARKS[kind])
    ax.set_ylim(len(series) - 0.4, -0.6)
    ax.set_xlim(0, 1.02)
    ax.set_xticks([0, 0.5, 1], ["0", ".5", "1"])
    ax.grid(axis="y", visible=False)


def attainable(table, segmentation: str, names: dict[str, str]):
    """Printed CalScores against attainable ranges: a column per reading, a row per use of the columns.

    ``table``: tables/forensics.csv, blanks empty or missing. Only scores over all questions are
    drawn; a study without any gets a figure that says so.
    """
    blank = ["elicitation", "model", "category", "columns", "definition", "h_definition"]
    table = table.assign(**{name: table[name].astype(object).fillna("") for name in blank})
    rows = table[
        (table["read_as"] == "calscore")
        & table["check"].isin(["range", "joint"])
        & (table["category"] == "")
    ]
    segmentations = sorted(rows["segmentation"].unique())
    chosen = segmentation if segmentation in segmentations else (segmentations or [""])[0]
    rows = rows[rows["segmentation"] == chosen].copy()
    for name in ("low", "high"):
        rows[name] = rows[name].astype(float)
    if rows.empty:
        figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.2))
        ax.text(0.5, 0.5, "No CalScore over all questions is declared.", ha="center", va="center")
        ax.axis("off")
        return figure
    kinds = [kind for kind in ("", "as_printed", "exchanged") if kind in set(rows["columns"])]
    readings = list(rows[["definition", "h_definition"]].drop_duplicates().itertuples(index=False))
    series = list(rows[["elicitation", "model"]].drop_duplicates().itertuples(index=False))
    figure, axes = plt.subplots(
        len(kinds),
        len(readings),
        figsize=(theme.WIDTH, 1.3 + len(kinds) * (0.55 + 0.16 * len(series))),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for line, kind in zip(axes, kinds, strict=True):
        for ax, (definition, h_definition) in zip(line, readings, strict=True):
            panel_rows = rows[
                (rows["columns"] == kind)
                & (rows["definition"] == definition)
                & (rows["h_definition"] == h_definition)
            ]
            _panel(ax, panel_rows, series)
            if ax in axes[0]:
                words = H_WORDS.get(h_definition, h_definition).replace("buzzed ", "buzzed\n")
                ax.set_title(f"definition:\n{definition}\n{words}", fontsize=8)
        line[0].set_yticks(
            range(len(series)), [f"{names.get(m, m)}, {e}" for e, m in series], fontsize=8
        )
        line[0].set_ylabel(WORDS[kind])
    axes[-1, len(readings) // 2].set_xlabel("CalScore")
    drawn = {
        label: handle
        for ax in axes.flat
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    bars = [
        plt.Line2D([], [], color=_ALONE, lw=1.2, label="any model, given the human curve"),
        plt.Line2D([], [], color=_JOINT, lw=5, label="given also the printed MCE"),
    ]
    marks = [drawn[mark["label"]] for mark in MARKS.values() if mark["label"] in drawn]
    figure.legend(handles=[*bars, *marks], loc="outside lower center", ncols=2)
    return figure


def forensics_figure(forensics, primary_segmentation: str, model_names: dict[str, str]) -> dict:
    """figures/forensics: printed scores against what any model could reach."""
    return {"forensics": attainable(forensics, primary_segmentation, model_names)}
