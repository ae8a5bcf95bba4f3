"""Models and human teams on the questions that both had, with intervals (tables/common_questions).

A meeting on a question is decided as in ``head_to_head``: the earlier buzz plays first; if it is wrong, the other's
own buzz counts; at one position the right one wins, both right is a tie.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from ..buzz_policy.matches import natural
from ..core import store
from ..stats import proportions, resample

CROWD = "all human teams"


def _grid(rows, names, questions, column) -> np.ndarray:
    """(names, questions) of a column, nan where there is no row."""
    wide = rows.pivot(index="submission", columns="question_id", values=column)
    return wide.reindex(index=names, columns=questions).to_numpy(dtype=float, na_value=np.nan)


def _met(a, b) -> tuple[np.ndarray, np.ndarray]:
    """Points of a (1, ½ or 0) and whether the question is decided; ``a``, ``b``: positions and whether right."""
    (place, right), (other_at, other_right) = a, b
    tie = right & other_right & (place == other_at)
    won = right & ~tie & ((place <= other_at) | ~other_right)
    return won + tie / 2, (right | other_right).astype(float)


def common_questions(
    scored, teams, kinds: dict, names: dict, yours: set, replicates: int, seed: int, level: float
):
    """tables/common_questions.

    ``scored``: :func:`tossups.against_humans` of every model (``kinds``: model → live, submitted, replayed);
    ``teams``: :func:`tossups.team_firsts`, None without human teams. ``names`` are shown in place of keys; ``yours``
    are models of the user. Resampling takes whole questions, the same ones for every pair.
    """
    models = sorted(scored["submission"].unique())
    rivals = [] if teams is None else sorted(teams["submission"].unique(), key=natural)
    universe = scored if teams is None else pd.concat([scored, teams], ignore_index=True)
    questions = sorted(universe["question_id"].unique())

    def buzzes(rows, of):
        had = _grid(rows.assign(had=1.0), of, questions, "had") == 1
        place = _grid(rows, of, questions, "position")
        right = _grid(rows, of, questions, "right") == 1
        return had, (np.where(np.isnan(place), np.inf, place), right)

    had, played = buzzes(scored, models)
    own_values = [tuple(of[i] for of in played) for i in range(len(models))]
    score = np.nan_to_num(_grid(scored, models, questions, "score"))
    weights = resample.bootstrap_weights(len(questions), replicates, seed)
    pairs = list(combinations(range(len(models)), 2))
    result = [
        _row(
            had[i] & had[j],
            *_met(own_values[i], own_values[j]),
            weights,
            level,
            score[i] - score[j],
        )
        | _scores(had[i] & had[j], score[i], score[j])
        | {"a": models[i], "b": models[j], "b_kind": kinds[models[j]]}
        for i, j in pairs
    ]
    if rivals:
        heard, rival = buzzes(teams, rivals)
        of_teams = resample.bootstrap_weights(len(rivals), replicates, [seed, 1])
        for i, model in enumerate(models):
            points, decided = _met(own_values[i], rival)
            for j, team in enumerate(rivals):
                row = _row(had[i] & heard[j], points[j], decided[j], weights, level)
                result.append(row | {"a": model, "b": team, "b_kind": "human team"})
            both = had[i] & heard
            won, of = (points * both).T, (decided * both).T
            top, bottom = (
                resample.two_way_replicates(item, weights, of_teams) for item in (won, of)
            )
            with np.errstate(invalid="ignore"):
                row = _share(won.sum(), of.sum(), top / bottom, level)
            row |= {"a": model, "b": CROWD, "b_kind": "human teams"}
            result.append(row | {"questions": int(both.any(axis=0).sum())})
    if not result:
        return store.empty("common_questions")
    table = pd.DataFrame(result, columns=store.columns("common_questions"))
    for side in ("a", "b"):
        table[f"{side}_name"] = table[side].map(lambda key: names.get(key, key))
        table[f"{side}_yours"] = table[side].isin(yours) & ~table["b_kind"].isin(
            ["human team", "human teams"]
        )
    table["a_yours"] = table["a"].isin(yours)
    table["a_kind"] = table["a"].map(kinds)
    return table


def _share(won: float, decided: float, drawn, level: float) -> dict:
    low, high = resample.finite_percentile_interval(drawn, level)
    if low == high:
        # Replicates that all agree, as of five wins in five, say nothing of the spread.
        low, high = map(float, proportions.wilson(won, decided, level))
    share = won / decided if decided else np.nan
    return {"decided": decided, "share": share, "low": low, "high": high}


def _row(common, points, decided, weights, level, apart=None) -> dict:
    """One pair on its ``common`` questions; ``apart``: of two models the difference of scores by question."""
    won, group = points * common, decided * common
    row = _share(won.sum(), group.sum(), resample.ratio_draws(weights, won, group), level)
    row |= {"questions": int(common.sum())}
    if apart is not None:
        drawn = resample.ratio_draws(weights, apart * common, common.astype(float))
        low, high = resample.finite_percentile_interval(drawn, level)
        row |= {"difference_low": low, "difference_high": high}
    return row


def _scores(common, a, b) -> dict:
    if not common.any():
        return {}
    a, b = a[common].mean(), b[common].mean()
    return {"a_score": a, "b_score": b, "difference": a - b}
