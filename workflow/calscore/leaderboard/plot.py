"""Where each submission stands under each metric, and how sure that is."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from ..core import theme
from ..scores import metrics
from . import replay

WORDS = {
    "expected_score": "Expected\nScore",
    "buzz_precision": "Buzz\nPrecision",
    "win_rate": "Win\nRate",
}
READINGS = dict.fromkeys(WORDS, "manual") | dict.fromkeys(metrics.metric_names("leaderboard"), "paper")
"""The reading drawn of each metric; tables/leaderboard_ranks.csv holds all."""
WORDS |= {metric.name: metric.label for metric in metrics.panel_metrics("leaderboard")}


def submission_order(table: pd.DataFrame, live=()) -> list[str]:
    """Submissions of tables/leaderboard_ranks by their rank in the first column, Expected Score (``manual``), ``live`` ones first
    and replayed ones last. Equal ranks are by falling value; submissions without a rank follow."""
    score = "expected_score"
    group = table[(table["metric"] == score) & (table["reading"] == READINGS[score])]
    group = group.assign(place=_places(group["submission"], live), worse=-group["value"])
    order = ["place", "rank", "worse", "submission"]
    return group.sort_values(order)["submission"].to_list()


def _places(submissions, live) -> np.ndarray:
    """−1 for each of ``submissions`` that is ``live``, 1 for one replayed, 0 for another."""
    return replay.is_replayed(submissions).astype(int) - np.isin(list(submissions), list(live))


def rank_figure(table, styles, names: dict[str, str], live=()) -> plt.Figure:
    """Rank of each submission with its bounds, a column of ranks (1 leftmost) for each metric. ``table``:
    tables/leaderboard_ranks; ``styles``: submission → (colour, marker), hollow for replayed ones; ``names``: submission →
    label; ``live``: submissions above a line. Rows without a rank are not drawn; where nobody has one the figure only says so."""
    rows = table[table["metric"].map(READINGS).eq(table["reading"]) & table["rank"].notna()]
    if rows.empty:
        figure = plt.figure(figsize=(theme.WIDTH, 1.2))
        figure.text(0.5, 0.4, "Not drawn: no submission has a rank", ha="center", va="center")
        return figure
    labels = [metric for metric in WORDS if (rows["metric"] == metric).any()]
    submissions = submission_order(table, live)
    places = _places(submissions, live)
    worst = int(rows["rank_high"].max())
    start = {metric: i * (worst + 1) for i, metric in enumerate(labels)}
    remaining = rows["metric"].map(start)
    place = rows["submission"].map({s: y for y, s in enumerate(submissions)})
    points = pd.DataFrame({"submission": rows["submission"], "y": place})
    for name in ("rank", "rank_low", "rank_high"):
        points[name] = remaining + rows[name].astype(float)
    figure, ax = plt.subplots(figsize=(theme.WIDTH, 1.2 + 0.19 * len(submissions)))
    colours = [styles[s][0] for s in points["submission"]]
    bars = ax.hlines(points["y"], points["rank_low"], points["rank_high"], colours, linewidth=4, alpha=0.4)
    bars.set_capstyle("round")
    for y, submission in enumerate(submissions):
        (colour, marker), group = styles[submission], points[points["y"] == y]
        face = "white" if places[y] == 1 else colour
        ax.plot(group["rank"], group["y"], marker, color=colour, markerfacecolor=face, markersize=6)
    for y in np.flatnonzero(np.diff(places)):
        ax.axhline(y + 0.5, color="#888888", linewidth=0.8)
    # Every rank, or a handful where there are many.
    ticks = range(1, worst + 1, max(1, -(-worst // 6)))
    ax.set_xticks([start[metric] + rank for metric in labels for rank in ticks], [*ticks] * len(labels))
    for metric in labels:
        middle = start[metric] + (worst + 1) / 2
        words = f"{WORDS[metric]}\n({READINGS[metric]})"
        ax.text(middle, -0.8, words, ha="center", va="bottom", fontsize=8)
    ax.set_xlim(0.3, len(labels) * (worst + 1) - 0.3)
    ax.set_yticks(range(len(submissions)), [names.get(s, s) for s in submissions])
    ax.set_ylim(len(submissions) - 0.4, -0.6)
    ax.set_xlabel("Rank (1 is best)")
    ax.grid(axis="y", visible=False)
    return figure


def leaderboard_figures(leaderboard_ranks, runs, buzzpoints, names, own, opponents: str) -> dict:
    """{"leaderboard_ranks": :func:`rank_figure`} from the tables leaderboard_ranks, runs and buzzpoints (or None). A replayed
    submission looks like its model and is left out beside live ones. ``names``: model → label; ``own`` and ``opponents``: as :func:`.replay.replay_rules`."""
    rules = replay.replay_rules(buzzpoints, own, opponents)
    live = set(runs.loc[runs["live"], "submission"])
    if live:
        # A live model may meet an opponent who is first, a replayed one never does.
        again = replay.is_replayed(leaderboard_ranks["submission"])
        leaderboard_ranks = leaderboard_ranks[~again]
    styles = theme.model_styles(names, {*runs["submission"], *rules["model"]})
    styles |= {rule.submission: styles[rule.model] for rule in rules.itertuples()}
    names = names | replay.display_names(rules, names)
    return {"leaderboard_ranks": rank_figure(leaderboard_ranks, styles, names, live)}
