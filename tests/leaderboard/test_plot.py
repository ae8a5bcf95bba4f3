"""The figure of the leaderboard."""

import pandas as pd
from boards import OWN, everything, ranked
from calscore.core import theme
from calscore.leaderboard import plot, replay


def test_the_figure_draws_the_bounds():
    _, _, plays, _, fields = everything(11)
    board, _, table = ranked(plays, fields)
    theme.apply_style()
    styles = theme.model_styles({}, board["submission"])
    figure = plot.rank_figure(table, styles, {})
    (ax,) = figure.axes
    (bars,) = ax.collections
    labels = [text.get_text() for text in ax.get_yticklabels()]
    worst = table.loc[table["metric"].isin(plot.READINGS), "rank_high"].max()
    drawn = {
        (labels[int(one[0, 1])], *(int((x - 1) % (worst + 1)) + 1 for x in one[:, 0]))
        for one in bars.get_segments()
    }
    rows = table[table["metric"].map(plot.READINGS).eq(table["reading"]) & table["rank"].notna()]
    assert drawn == set(rows[["submission", "rank_low", "rank_high"]].itertuples(index=False, name=None))
    assert not replay.is_replayed(labels[:2]).any() and replay.is_replayed(labels[2:]).all()
    nobody = plot.rank_figure(table.assign(rank=pd.NA, rank_low=pd.NA, rank_high=pd.NA), styles, {})
    assert [text.get_text() for text in nobody.texts] == ["Not drawn: no submission has a rank"]
    hollow = [line.get_markerfacecolor() == "white" for line in ax.lines[: len(labels)]]
    assert hollow == replay.is_replayed(labels).tolist()


def test_rows_stand_in_the_order_of_the_first_columns_ranks():
    """Ranks compare on common questions, so the greatest value may have a lower rank, or none on few questions."""
    columns = ["submission", "value", "rank", "metric", "reading"]
    rows = [("a", 0.9, None), ("b", 0.6, 2), ("c", 0.5, 1), ("d", 0.7, 2)]
    rows = [(*row, "expected_score", "manual") for row in rows]
    table = pd.DataFrame([*rows, ("a", 1.0, 1, "win_rate", "manual")], columns=columns)
    assert plot.submission_order(table) == ["c", "d", "b", "a"]


def test_replayed_models_are_not_drawn_among_live_ones():
    _, points, plays, _, fields = everything(11)
    _, _, table = ranked(plays, fields)
    theme.apply_style()
    for live in (True, False, [True, False], [False, True]):
        runs = pd.DataFrame({"submission": ["live-a", "live-b"], "live": live})
        figure = plot.leaderboard_figures(table, runs, points, {}, OWN, "fitted")["leaderboard_ranks"]
        labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
        assert replay.is_replayed(labels).any() == (not live) and labels[0].startswith("live-")
        # A live model stands above the submitted one, whichever has the better rank.
        assert labels[0] == ("live-b" if live == [False, True] else "live-a") or live in (True, False)
