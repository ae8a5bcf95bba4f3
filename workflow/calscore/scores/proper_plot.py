"""The figure of the risk–coverage curves; it draws finished tables and computes nothing."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.ticker import PercentFormatter

from ..core import theme


def risk_coverage(curve, scores, styles, names):
    """Share wrong among the most confident answers by share answered, a panel per elicitation.

    ``curve``: tables/risk_coverage.csv and ``scores``: tables/proper_scores.csv, of one definition.
    """
    kinds = sorted(curve["elicitation"].unique(), reverse=True)
    found = set(curve["model"])
    models = [model for model in styles if model in found]
    lines = max(curve.loc[curve["elicitation"] == kind, "model"].nunique() for kind in kinds)
    figure, axes = plt.subplots(
        1, len(kinds), figsize=(theme.WIDTH, 3.2 + 0.17 * lines), sharey=True, squeeze=False
    )
    for ax, kind in zip(axes[0], kinds, strict=True):
        for model in models:
            of = curve[(curve["model"] == model) & (curve["elicitation"] == kind)]
            if of.empty:
                continue
            score = scores[(scores["model"] == model) & (scores["elicitation"] == kind)].iloc[0]
            colour, marker = styles[model]
            area = f"{score['aurc']:.3f} [{score['aurc_low']:.3f}, {score['aurc_high']:.3f}]"
            ax.plot(
                of["coverage"],
                of["risk"],
                color=colour,
                marker=marker,
                markevery=[19, 39, 59, 79, 99],
                clip_on=False,
                label=f"{names.get(model, model)}: {area}",
            )
            ax.fill_between(
                of["coverage"], of["low"], of["high"], color=colour, alpha=0.12, linewidth=0
            )
        ax.set_title(f"{kind.capitalize()} confidence, n = {of_rows(curve, kind)}")
        ax.set_xlabel("Coverage: share answered, most confident first")
        ax.set_xlim(0, 1)
        ax.set_ylim(bottom=0)
        ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, -0.2),
            title="Area under the curve (AURC), with interval",
            title_fontsize=8,
            handlelength=1.6,
        )
    axes[0, 0].set_ylabel("Share wrong among those answered")
    return figure


def of_rows(curve, kind: str) -> str:
    """How many answers the curves of one panel rest on, a range where models differ."""
    rows = curve.loc[curve["elicitation"] == kind, "n_rows"]
    least, most = rows.min(), rows.max()
    return f"{most}" if least == most else f"{least} to {most}"
