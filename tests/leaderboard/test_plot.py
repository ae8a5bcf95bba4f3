"""The figure of the leaderboard."""

from boards import everything, ranked
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
    assert drawn == set(
        rows[["submission", "rank_low", "rank_high"]].itertuples(index=False, name=None)
    )
    assert not replay.is_replayed(labels[:2]).any() and replay.is_replayed(labels[2:]).all()
    hollow = [line.get_markerfacecolor() == "white" for line in ax.lines[: len(labels)]]
    assert hollow == replay.is_replayed(labels).tolist()
