"""How h and CalScore depend on how many human teams there are (rarefaction).

Under the paper's and the released code's h, a question that two teams heard is mostly at h = 0, and one that twenty heard is not:
more humans lower the weight 1 − h of every answer, so that scores of two tournaments differ by their crowds alone. Under
``heard``, h is the mean over teams of what each was right about by then: the chance that a team drawn from those that heard the
question is right by then. The mean over all subsets of k teams of a mean over the subset is the mean over all teams, whatever k
is, so that its expectation, and that of CalScore where it is linear in h (``release``), do not depend on the size of the crowd,
but for questions that no drawn team heard.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..core.mark_sources import first_judge
from ..human import curves
from ..scores import metrics, score, two_way_bootstrap
from ..scores.score import SERIES

SUBSETS = 200
"""Draws of teams for each size; all subsets where there are no more."""

ENDS = {"greatest": False, "least": True}
"""CalScores that bound every model's: all answers wrong, or all right, each with confidence 1."""


def subset_sizes(teams: int) -> list[int]:
    """1, 2, 4, … up to two thirds of ``teams``, and ``teams`` itself."""
    return [*(2**power for power in range(teams.bit_length()) if 3 * 2**power <= 2 * teams), teams]


def team_subsets(teams: int, size: int, seed: int) -> np.ndarray:
    """Subsets of ``size`` teams as weights 0 or 1, (subsets, teams): all if at most :data:`SUBSETS`, else so many at random."""
    if comb(teams, size) <= SUBSETS:
        chosen = np.array(list(combinations(range(teams), size)))
    else:
        rng = np.random.default_rng([seed, size])
        chosen = rng.permuted(np.tile(np.arange(teams), (SUBSETS, 1)), axis=1)[:, :size]
    weights = np.zeros((len(chosen), teams))
    np.put_along_axis(weights, chosen, 1.0, axis=1)
    return weights


def mean_h(crowd: curves.TeamClueCounts, h_definition: str, weights: np.ndarray) -> np.ndarray:
    """Mean over questions of the mean h of their clues, (R,), for each row of team ``weights`` (R, teams).

    A question that no team with weight heard is left out of that mean; it is nan if none was heard.
    """
    _, first_rows, question = np.unique(crowd.rows["question_id"], return_index=True, return_inverse=True)
    of_question = np.zeros((len(first_rows), len(question)))
    of_question[question, np.arange(len(question))] = 1 / np.bincount(question)[question]
    curves_by_name, heard = crowd.curves([h_definition], weights)
    mean = of_question @ curves_by_name[h_definition]
    return np.where(heard[first_rows], mean, 0).sum(axis=0) / heard[first_rows].sum(axis=0)


class _ResampledCurves(NamedTuple):
    """A stand-in for :class:`.TeamClueCounts` with h of each draw of teams worked out; a draw is known by its number."""

    rows: pd.DataFrame
    by_name: dict[str, np.ndarray]
    heard: np.ndarray
    teams: None = None

    def select(self, rows: np.ndarray) -> _ResampledCurves:
        """The clues at positions ``rows``."""
        curves_by_name = {name: h[rows] for name, h in self.by_name.items()}
        return self._replace(rows=self.rows.iloc[rows], by_name=curves_by_name, heard=self.heard[rows])

    def curves(
        self, definitions: Iterable[str], numbers: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """h and heard, as :meth:`.TeamClueCounts.curves` gives them, of the draws ``numbers``."""
        return {name: self.by_name[name][:, numbers] for name in definitions}, self.heard[:, numbers]


def _extreme_models(crowd: curves.TeamClueCounts) -> pd.DataFrame:
    """Rows of two models that answer every clue with confidence 1: all wrong (``greatest``), all right (``least``)."""
    parts = [
        crowd.rows.assign(segmentation="", **dict.fromkeys(SERIES, name), correct=right, confidence=1.0)
        for name, right in ENDS.items()
    ]
    return pd.concat(parts, ignore_index=True)


def crowd_size_curves(
    rows: pd.DataFrame | None, crowd: curves.TeamClueCounts, seed: int, level: float
) -> pd.DataFrame:
    """Table crowd_sizes: mean h and CalScore of each series, and its limits for any model, by number of human teams.

    ``rows``: :func:`calscore.scores.score.scored_rows` of one segmentation and the series shown, None without models.
    ``value``: mean over subsets of so many ``teams``; ``low``, ``high``: percentiles at ``level``, widened to hold it. Sizes
    at which no question was heard have no row. Sorted by definition, h_definition, quantity, series, teams."""
    tails = [(1 - level) / 2, (1 + level) / 2]
    series = pd.DataFrame(columns=SERIES, dtype=str)
    parts = [_extreme_models(crowd)]
    if rows is not None:
        series = rows[SERIES].drop_duplicates().sort_values(SERIES, ignore_index=True)
        parts.append(rows)
    scored = [
        clues
        for rows_of_part in parts
        for clues in score.clues_of(
            rows_of_part.assign(segmentation="").sort_values([*SERIES, "question_id", "clue"])
        )
    ]
    entries = []

    def add(drawn, size, **place):
        # Of a model with few questions a small crowd may have heard none.
        drawn = drawn[np.isfinite(drawn)]
        if not len(drawn):
            return
        low, high = np.quantile(drawn, tails)
        # Where most subsets are alike, their mean may lie beyond the share of them.
        low, high = min(low, drawn.mean()), max(high, drawn.mean())
        entries.append(place | {"teams": size, "value": drawn.mean(), "low": low, "high": high})

    h_names = {h for own in metrics.DEFINITIONS.values() for h in (own, "heard")}
    for size in subset_sizes(len(crowd.teams)):
        drawn_teams = team_subsets(len(crowd.teams), size, seed)
        once = _ResampledCurves(crowd.rows, *crowd.curves(sorted(h_names), drawn_teams))
        numbers = np.arange(len(drawn_teams))
        means = {h: mean_h(once, h, numbers) for h in h_names}
        for definition, own in metrics.DEFINITIONS.items():
            for h in dict.fromkeys([own, "heard"]):
                place = {"definition": definition, "h_definition": h}
                add(means[h], size, **place, quantity="mean_h")
                for number, clues in enumerate(scored):
                    weights = np.ones((len(numbers), len(clues.questions)))
                    drawn = two_way_bootstrap.two_way_draws(
                        clues, once, definition, (weights, numbers), ("calscore",), curve=h
                    )["calscore"]
                    names = series.to_dict("records") if number else sorted(ENDS)
                    for entry, values in zip(names, drawn, strict=True):
                        key = entry | {"quantity": "calscore"} if number else {"quantity": entry}
                        add(values, size, **place, **key)
    table = pd.DataFrame(entries).reindex(columns=store.columns("crowd_sizes"))
    order = ["definition", "h_definition", "quantity", *SERIES, "teams"]
    return table.sort_values(order, ignore_index=True)


def crowd_sizes(
    clues: pd.DataFrame,
    crowd: pd.DataFrame,
    responses: pd.DataFrame | None,
    human_curve: pd.DataFrame,
    primary_segmentation: str,
    reductions: list[str],
    seed: int,
    level: float,
) -> dict[str, pd.DataFrame]:
    """``{"crowd_sizes": table}`` for the primary segmentation, reductions and judge; ``responses`` may be None."""
    primary_clues = clues[clues["segmentation"] == primary_segmentation]
    team_counts = curves.team_clue_counts_from_table(crowd, primary_clues)[primary_segmentation]
    rows = None
    if responses is not None:
        responses = responses[responses["segmentation"] == primary_segmentation]
        rows = score.scored_rows(first_judge(responses), human_curve)
        rows = rows[score.has_shown_reduction(rows, reductions)]
    return {"crowd_sizes": crowd_size_curves(rows, team_counts, seed, level)}
