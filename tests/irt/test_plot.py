"""Figures of item responses."""

import numpy as np
import pandas as pd
from calscore.core import store
from calscore.irt import plot


def agent_rows(counts, **changes):
    """Rows of tables/irt_agents for so many agents of each kind."""
    rows = [(f"{kind} {i}", kind, i / 10) for kind, n in counts.items() for i in range(n)]
    table = pd.DataFrame(rows, columns=["agent", "kind", "skill"])
    bounds = {"skill_low": table["skill"] - 1, "skill_high": table["skill"] + 1}
    given = {"compared": True, "slope": np.nan, "slope_low": np.nan, "slope_high": np.nan}
    return table.assign(**bounds, **(given | changes))


def test_of_many_agents_the_best_of_each_kind_have_a_row(style):
    figure = plot.skills(agent_rows({"human": 45, "ai": 3}))
    ticks = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    # From below, systems over humans, the best of each on top.
    assert ticks == [f"human {i}" for i in range(5, 45)] + [f"ai {i}" for i in range(3)]
    assert "The 40 of 45 humans with the highest skill" in figure.axes[0].get_xlabel()
    assert len(figure.axes) == 1
    sloped = agent_rows({"human": 3}, slope=0.5, slope_low=0, slope_high=1)
    assert len(plot.skills(sloped).axes) == 2


def test_what_says_nothing_is_not_drawn(style):
    """One kind of agents: no empty axes."""
    for figure in (
        plot.accuracy(store.empty("irt_accuracy")),
        plot.differential(store.empty("irt_dif")),
        plot.readings(store.empty("irt_readings"))["irt_readings"],
    ):
        assert not figure.axes
        assert figure.texts[0].get_text().startswith("Not drawn")
    chances = pd.DataFrame(
        [("human", "human", d, 7, 0.1 * d, 0.1, 0.6) for d in range(6)],
        columns=["kind", "agent_type", "depth", "agents", "p", "low", "high"],
    )
    drawn = plot.accuracy(chances)
    assert len(drawn.axes) == 1
    assert drawn.axes[0].texts[0].get_text() == "human (n\u00a0=\u00a07)"
    items = pd.DataFrame({"difficulty": [-1.0, 0, 1]})
    scale = pd.DataFrame({"quantity": ["mean difficulty"], "value": [-2.0]})
    left, right = plot.wright_map(agent_rows({"human": 4}), items, scale).axes
    # Items are drawn on the agents' origin, two logits below the mean agent.
    assert min(bar.get_y() for bar in right.patches if bar.get_width()) == -3
    assert left.get_xlabel() == "Agents"


def test_figures_say_that_they_are_simulated(demo_irt):
    for path in sorted((demo_irt / "figures").glob("irt_*.svg")):
        assert "SIMULATED DATA" in path.read_text(encoding="utf-8"), path.name
