"""Pairs on their common questions (tables/leaderboard_pairs): the meetings of models and human teams.

In a meeting the earlier buzz plays first; if it is wrong, the other's own buzz counts. At one position the right one
wins, and both right is a tie."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from ..buzz_policy.matches import natural_order
from ..core import store
from ..stats import proportions, resample
from ..stats.bootstrap import Bootstrap
from . import submissions, tossups
from .ranks import BOTH

CROWD = "all human teams"
MEETINGS = {"metric": "head_to_head", "reading": "first right"}
"""Metric and reading of rows whose values are shares of the questions that one of the two won, ties half."""


def team_first_buzzes(buzzes: pd.DataFrame, exposures: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """:func:`.tossups.first_buzzes` of each human team (in column submission) on each question that it heard."""
    runs = submissions.live_runs(buzzes, questions, "human")
    return tossups.first_buzzes(runs, submissions.live_exposures(exposures, "human"))


class _Buzzes:
    """Arrays (names, questions): ``had`` (whether the name had the question), ``place`` of its first buzz (words heard, inf
    without one) and ``right``. ``rows``: :func:`.tossups.first_buzzes`."""

    def __init__(self, rows: pd.DataFrame, names: list[str], questions: list[str]):
        def grid(column) -> np.ndarray:
            """``column`` of the rows by name and question, nan without a row."""
            wide = rows.pivot(index="submission", columns="question_id", values=column)
            wide = wide.reindex(index=names, columns=questions)
            return wide.to_numpy(dtype=float, na_value=np.nan)

        rows, place = rows.assign(had=1.0), grid("position")
        self.had, self.right = grid("had") == 1, grid("right") == 1
        self.place = np.where(np.isnan(place), np.inf, place)

    def results_against(self, i: int, rivals: _Buzzes) -> np.ndarray:
        """Booleans (3, rivals, questions): which common questions the name ``i`` won, lost and tied against each of
        ``rivals``. Questions on which neither was right are in none."""
        right, place, common = self.right[i], self.place[i], self.had[i] & rivals.had
        tie = right & rivals.right & (place == rivals.place)
        won = right & ~tie & ((place <= rivals.place) | ~rivals.right)
        lost = rivals.right & ~tie & ~won
        return np.array([won, lost, tie]) & common


def _meeting_row(a: str, b: str, met: np.ndarray, common: np.ndarray, level: float) -> dict:
    """Row of tables/leaderboard_pairs for a against b, with Wilson's interval at ``level``. ``met``: booleans won, lost, tied
    (3, …, questions); ``common``: mask (questions,) of those that both had. Shares are nan where nothing was decided."""
    won, lost, ties = (int(part.sum()) for part in met)
    decided = won + lost + ties
    share = (won + ties / 2) / decided if decided else np.nan
    low, high = proportions.wilson(won + ties / 2, decided, level)
    row = {"a": a, "b": b, **MEETINGS, "questions": int(common.sum()), "decided": decided}
    row |= {"a_wins": won, "b_wins": lost, "ties": ties, "a_value": share, "b_value": 1 - share}
    row |= {"difference": 2 * share - 1, "low": 2 * low - 1, "high": 2 * high - 1}
    better = proportions.chance_above_half(won + ties / 2, decided) if decided else np.nan
    return row | {"p_better": better}


def _crowd_row(model: str, met: np.ndarray, common, weights, bootstrap: Bootstrap) -> dict:
    """:func:`_meeting_row` of a model against all teams, ``met`` (3, teams, questions). Its interval resamples questions and
    teams, unless all replicates agree."""
    row = _meeting_row(model, CROWD, met, common.any(axis=0), bootstrap.level)
    gap, decided = (
        resample.two_way_replicates(item.T, *weights) for item in (met[0] * 1.0 - met[1], met.sum(axis=0))
    )
    low, high = bootstrap.finite_percentile(proportions.ratio(gap, decided))
    drawn = {"low": low, "high": high, "resampled": BOTH} if low < high else {}
    if drawn:
        gap = gap[decided > 0]
        drawn["p_better"] = float((gap > 0).mean() + (gap == 0).mean() / 2)
    return row | {"b_kind": "human teams"} | drawn


def meeting_rows(scored, teams, bootstrap: Bootstrap) -> list[dict]:
    """Rows (dicts) of tables/leaderboard_pairs: each model against each other one, each human team, and all teams. ``scored``:
    :func:`.tossups.score_against_humans` of every model; ``teams``: :func:`team_first_buzzes`, None without human teams."""
    models = sorted(scored["submission"].unique())
    rivals = [] if teams is None else sorted(teams["submission"].unique(), key=natural_order)
    universe = scored if teams is None else pd.concat([scored, teams], ignore_index=True)
    questions = sorted(universe["question_id"].unique())
    own, rows, level = _Buzzes(scored, models, questions), [], bootstrap.level
    for i, j in combinations(range(len(models)), 2):
        met = own.results_against(i, own)[:, j]
        rows.append(_meeting_row(models[i], models[j], met, own.had[i] & own.had[j], level))
    if rivals:
        team_buzzes = _Buzzes(teams, rivals, questions)
        weights = bootstrap.two_way_weights(len(questions), len(rivals))
        for i, model in enumerate(models):
            met, common = own.results_against(i, team_buzzes), own.had[i] & team_buzzes.had
            for j, team in enumerate(rivals):
                row = _meeting_row(model, team, met[:, j], common[j], level)
                rows.append(row | {"b_kind": "human team"})
            rows.append(_crowd_row(model, met, common, weights, bootstrap))
    return rows


def pairs_table(rows: list[dict], kinds: dict, names: dict, yours: set[str]) -> pd.DataFrame:
    """tables/leaderboard_pairs from the rows of :func:`meeting_rows` and :func:`.ranks.rank_intervals`, in their order; empty
    without any. ``kinds``: model → live, submitted or replayed; ``names``: model → label; ``yours``: models of the user."""
    if not rows:
        return store.empty("leaderboard_pairs")
    table = pd.DataFrame(rows)
    met = table.get("b_kind", pd.Series(index=table.index, dtype=object))
    table["a_kind"], table["b_kind"] = table["a"].map(kinds), met.fillna(table["b"].map(kinds))
    for side in ("a", "b"):
        table[f"{side}_name"] = table[side].map(lambda key: names.get(key, key))
        table[f"{side}_yours"] = table[side].isin(yours) & table[f"{side}_kind"].isin(kinds.values())
    return store.frame(table, "leaderboard_pairs")
