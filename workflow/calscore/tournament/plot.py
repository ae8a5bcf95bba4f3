"""Buzz-point figures, each drawn from tables/buzzpoint_curves and h_t."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ..core import theme
from . import quizbowl

FIELD = theme.BLUES[0]


def _draw_panel(ax: Axes, rows: pd.DataFrame, field: pd.DataFrame, label: str) -> None:
    """Draw right and wrong buzzes and negs of ``rows`` (buzzpoint_curves) and h of ``field`` (x, h) as steps; ``label``: of h."""
    steps = {"drawstyle": "steps-post"}
    x, right, wrong = (rows[name] for name in ("x", "gets_per_heard", "wrong_per_heard"))
    ax.plot(x, right, color=theme.RIGHT, label="right buzzes", **steps)
    ax.plot(x, wrong, color=theme.WRONG, linestyle="--", label="wrong buzzes", **steps)
    if rows["negs"].any():
        shade = {"color": theme.WRONG, "alpha": 0.25, "linewidth": 0}
        words = "of these, negs (cost points)"
        ax.fill_between(x, rows["negs_per_heard"], step="post", label=words, **shade)
    ax.plot(field["x"], field["h"], color=FIELD, linestyle=":", linewidth=1.3, label=label, **steps)


def buzzpoint_figure(
    curves: pd.DataFrame,
    level: str,
    items: list[str],
    lines: pd.DataFrame,
    titles: dict[str, str],
    words: tuple[str, str],
) -> plt.Figure:
    """Figure with a panel for each item of ``items``: cumulative right buzzes, wrong buzzes and negs, beside h. ``curves``:
    tables/buzzpoint_curves; ``level``: "question" or "team"; ``lines``: frame item, x, h; ``titles``: item → title; ``words``:
    labels of the axis and of h. For questions buzzes are per room of two teams and h per team, so h lies below."""
    size = (theme.WIDTH, 2.9)
    figure, (axes,) = plt.subplots(1, len(items), figsize=size, sharey=True, squeeze=False)
    drawn = curves[(curves["level"] == level) & curves["item"].isin(items)]
    # A room has two teams, so wrong buzzes per room can exceed one.
    top = max(1, drawn[["gets_per_heard", "wrong_per_heard"]].to_numpy().max())
    for ax, item in zip(axes, items, strict=True):
        rows = drawn[drawn["item"] == item]
        _draw_panel(ax, rows, lines[lines["item"] == item], words[1])
        ax.set_title(titles[item])
        ax.set_xlabel("Share of the question heard")
        ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0%", "", "50%", "", "100%"])
        ax.set_xlim(0, 1.01)
    axes[0].set_ylabel(words[0])
    axes[0].yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes[0].set_ylim(0, 1.02 * top)
    figure.legend(*theme.legend_entries(axes), loc="outside lower center", ncols=2)
    return figure


def buzzpoint_figures(
    buzzpoint_curves: pd.DataFrame,
    quizbowl_questions: pd.DataFrame,
    quizbowl_teams: pd.DataFrame,
    human_curve: pd.DataFrame,
    clues: pd.DataFrame,
    questions: pd.DataFrame,
    heard: pd.DataFrame,
    primary_segmentation: str,
    names: dict[str, str],
) -> dict[str, Figure]:
    """Figures buzzpoints_questions and buzzpoints_teams by name: up to three questions and three teams
    (:func:`.quizbowl.figure_questions`, :func:`.quizbowl.figure_teams`). ``names``: team → label."""
    h = quizbowl.h_by_share(human_curve, clues, questions, primary_segmentation)
    requested = quizbowl.figure_questions(quizbowl_questions)
    teams = quizbowl.figure_teams(quizbowl_teams)
    field = quizbowl.team_h_curves(h, heard, teams)
    titles = {
        row.question_id: f"{row.question_id}, {row.category}\n{row.gets:,} of {row.heard:,} rooms right, BPA {row.bpa:.0f}"
        for row in quizbowl_questions.itertuples()
    } | {
        row.team: f"{names.get(row.team, row.team)}\n{row.gets:,} of {row.heard:,} tossups, BPA {row.bpa:.0f}"
        for row in quizbowl_teams.itertuples()
    }
    label = "h: teams right so far / teams that heard it"
    return {
        "buzzpoints_questions": buzzpoint_figure(
            buzzpoint_curves, "question", requested, h.rename(columns={"question_id": "item"}),
            titles, ("Buzzes per room", label),
        ),
        "buzzpoints_teams": buzzpoint_figure(
            buzzpoint_curves, "team", teams, field.rename(columns={"team": "item"}),
            titles, ("Buzzes per tossup heard", "mean h of the same questions"),
        ),
    }  # fmt: skip
