"""Buzz-point figures, each drawn from tables/buzzpoint_curves and h_t."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.ticker import FixedFormatter, FixedLocator, PercentFormatter

from ..core import theme
from . import stats

FIELD = theme.BLUES[0]


def _draw(ax, rows, field, label: str) -> None:
    """Draws right and wrong buzzes per tossup heard as steps."""
    steps = {"drawstyle": "steps-post"}
    x, right, wrong = (rows[name] for name in ("x", "gets_per_heard", "wrong_per_heard"))
    ax.plot(x, right, color=theme.RIGHT, label="right buzzes", **steps)
    ax.plot(x, wrong, color=theme.WRONG, linestyle="--", label="wrong buzzes", **steps)
    if rows["negs"].any():
        shade = {"color": theme.WRONG, "alpha": 0.25, "linewidth": 0}
        words = "of these, negs (cost points)"
        ax.fill_between(x, rows["negs_per_heard"], step="post", label=words, **shade)
    ax.plot(field["x"], field["h"], color=FIELD, linestyle=":", linewidth=1.3, label=label, **steps)


def buzz_points(curves, level: str, shown: list[str], lines, titles: dict, words: tuple[str, str]):
    """Cumulative right and wrong buzzes and negs of each shown item of a ``level`` (question or team), beside h.

    ``lines``: x and h of each item; ``titles``: item → title; ``words``: what the axis and the line of h are called.
    Per room of a question: h counts teams that heard the question, of which a room has two; so it lies below.
    """
    size = (theme.WIDTH, 2.9)
    figure, (axes,) = plt.subplots(1, len(shown), figsize=size, sharey=True, squeeze=False)
    drawn = curves[(curves["level"] == level) & curves["item"].isin(shown)]
    # A room has two teams, so wrong buzzes per room can exceed one.
    top = max(1, drawn[["gets_per_heard", "wrong_per_heard"]].to_numpy().max())
    for ax, item in zip(axes, shown, strict=True):
        rows = drawn[drawn["item"] == item]
        _draw(ax, rows, lines[lines["item"] == item], words[1])
        ax.set_title(titles[item])
        ax.set_xlabel("Share of the question heard")
        ax.xaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
        ax.xaxis.set_major_formatter(FixedFormatter(["0%", "", "50%", "", "100%"]))
        ax.set_xlim(0, 1.01)
    axes[0].set_ylabel(words[0])
    axes[0].yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes[0].set_ylim(0, 1.02 * top)
    figure.legend(*theme.legend_entries(axes), loc="outside lower center", ncols=2)
    return figure


def buzzpoints(
    buzzpoint_curves,
    quizbowl_questions,
    quizbowl_teams,
    human_curve,
    clues,
    questions,
    heard,
    primary_segmentation: str,
    names: dict[str, str],
) -> dict:
    """Both figures; ``names``: model key → name shown."""
    h = stats.mean_h(human_curve, clues, questions, primary_segmentation)
    requested = stats.shown_questions(quizbowl_questions)
    teams = stats.shown_teams(quizbowl_teams)
    field = stats.field_curve(h, heard, teams)
    titles = {
        row.question_id: f"{row.question_id}, {row.category}\n{row.gets} of {row.heard} rooms right, BPA {row.bpa:.0f}"
        for row in quizbowl_questions.itertuples()
    } | {
        row.team: f"{names.get(row.team, row.team)}\n{row.gets} of {row.heard} tossups, BPA {row.bpa:.0f}"
        for row in quizbowl_teams.itertuples()
    }
    label = "h: teams right so far / teams that heard it"
    return {
        "buzzpoints_questions": buzz_points(
            buzzpoint_curves, "question", requested, h.rename(columns={"question_id": "item"}),
            titles, ("Buzzes per room", label),
        ),
        "buzzpoints_teams": buzz_points(
            buzzpoint_curves, "team", teams, field.rename(columns={"team": "item"}),
            titles, ("Buzzes per tossup heard", "mean h of the same questions"),
        ),
    }  # fmt: skip
