"""How sure the ranks of a leaderboard are: joint draws of all submissions, of questions and of human teams."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core import store
from ..stats import resample
from . import tossups

QUESTIONS, BOTH = "questions", "questions and teams"
"""What the draws behind a rank resample."""
BY_TEAM = {
    ("expected_score", "manual"): "beaten",
    ("expected_score", "code"): "beaten",
    **{("win_rate", reading): f"win_{reading}" for reading in tossups.WIN_READINGS},
}
"""(metric, reading) whose humans are a sample → column of :func:`tossups.encounters` that is summed by team.

Not ``manual_all``, which asks for the first of all humans: fewer different teams would be beaten more often.
"""


def ranks(board):
    """tables/leaderboard_ranks without its draws: value, bounds and rank under each metric and reading that ranks.

    A reading with the same values as another of its metric is shown once.
    """
    rows = board[board["metric"].map(tossups.HIGHER).notna()]
    rows = rows.assign(column=rows["metric"] + " (" + rows["reading"] + ")")
    same = rows.pivot(index="submission", columns="column", values="value")
    kept = []
    for metric, of in rows.groupby("metric", sort=False):
        for column in of["column"].unique():
            if not any(m == metric and same[k].equals(same[column]) for m, k in kept):
                kept.append((metric, column))
    columns = [column for _, column in kept]
    known = [name for name in store.columns("leaderboard_ranks") if name in rows]
    return rows.loc[rows["column"].isin(columns), known].reset_index(drop=True)


def question_draws(groups, wanted, replicates: int, seed: int) -> dict:
    """(metric, reading) → {submission: values in each replicate}, one draw of questions for all submissions.

    ``groups``: {submission: (its questions, its :class:`tossups.Term` list)}. The weights are over all
    questions that some submission was asked, so that submissions share what they have in common.
    """
    every = pd.Index(sorted({q for questions, _ in groups.values() for q in questions}))
    weights = resample.bootstrap_weights(len(every), replicates, seed)
    found: dict = {key: {} for key in wanted}
    for name, (questions, terms) in groups.items():
        at = every.get_indexer(questions)
        mine = weights if len(at) == len(every) else weights[:, at]
        for term in terms:
            if (term.metric, term.reading) in found:
                found[term.metric, term.reading][name] = term.draws(mine)
    return found


def _cells(values, question, team, shape) -> np.ndarray:
    """Sums of each column of ``values`` (N, k) by codes of question and team: shape (Q, k · T)."""
    questions, teams = shape
    flat = question * teams + team
    parts = [
        np.bincount(flat, weights=one, minlength=questions * teams).reshape(questions, teams)
        for one in values.T
    ]
    return np.hstack(parts)


def two_way_draws(scored, met, plays, wanted, replicates: int, seed: int) -> dict:
    """As :func:`question_draws`, questions and human teams resampled (the pigeonhole bootstrap).

    ``met`` from :func:`tossups.encounters`. The weight of a play is the product of its question's and its
    team's. A question of whose teams none was drawn keeps its share over all teams in that replicate (left
    out, questions that few teams played would be lost more often than others). Empty where plays do not
    name their teams.
    """
    wanted = [key for key in wanted if key in BY_TEAM]
    if not wanted or not len(plays) or plays["team"].isna().any():
        return {}
    every = pd.Index(sorted(scored["question_id"].unique()))
    plays = plays[plays["question_id"].isin(every)]
    teams = pd.Index(sorted(plays["team"].unique()))
    if len(teams) < 2:
        return {}
    by_question, by_team = resample.two_way_weights(len(every), len(teams), replicates, seed)
    code = every.get_indexer(plays["question_id"]), teams.get_indexer(plays["team"])
    count = _cells(np.ones((len(plays), 1)), *code, (len(every), len(teams)))
    n = count.sum(axis=1)
    drawn = by_team @ count.T
    # Σ_q w_q Σ_t v_t x_qt / Σ_t v_t n_qt: the inner denominator is the same for every submission.
    per_play = np.divide(by_question, drawn, out=np.zeros_like(drawn), where=drawn > 0)
    lost = by_question * ((drawn == 0) & (n > 0))
    columns = sorted({"beaten", *(BY_TEAM[key] for key in wanted)})
    question, team = every.get_indexer(met["question_id"]), teams.get_indexer(met["team"])
    values = met[columns].to_numpy(dtype=float)
    rows_of = met.groupby("submission").indices
    found: dict = {key: {} for key in wanted}
    for name, of in tossups.by_submission(scored):
        at = every.get_indexer(of["question_id"])
        mine = slice(None) if len(at) == len(every) else at
        points = tossups.points(of)
        shares = {column: np.zeros(replicates) for column in columns}
        if name in rows_of:
            rows = rows_of[name]
            local = np.searchsorted(at, question[rows])
            worth = values[rows]
            worth[:, columns.index("beaten")] *= points[local]
            cells = _cells(worth, local, team[rows], (len(at), len(teams)))
            whole = cells.reshape(len(at), len(columns), len(teams)).sum(axis=2)
            whole /= np.maximum(n[mine], 1)[:, None]
            sums = (per_play[:, mine] @ cells).reshape(replicates, len(columns), len(teams))
            sums = np.einsum("rkt,rt->rk", sums, by_team) + lost[:, mine] @ whole
            shares = dict(zip(columns, sums.T, strict=True))
        for key in wanted:
            top, bottom = shares[BY_TEAM[key]], by_question[:, mine] @ (n[mine] > 0).astype(float)
            if key[0] == "expected_score":
                top, bottom = by_question[:, mine] @ points - top, by_question[:, mine].sum(axis=1)
            found[key][name] = np.divide(
                top, bottom, out=np.full(replicates, np.nan), where=bottom > 0
            )
    return found


def with_draws(table, by_question: dict, two_way: dict, among, level: float):
    """:func:`ranks` with the bounds that draws give.

    ``two_way_low`` and ``two_way_high``: bounds of the value, questions and teams resampled; ``rank_low``,
    ``rank_high``: bounds of the rank; ``p_first``: share of replicates with rank 1 (ties share it);
    ``resampled``: what the last three resample, teams too where that can be. In each replicate the rank is
    one more than the submissions of ``among`` that do better.
    """
    tail = (1 - level) / 2
    columns = ["two_way_low", "two_way_high", "rank_low", "rank_high", "p_first", "resampled"]
    values = {name: [None] * len(table) for name in columns}
    for key, of in table.groupby(["metric", "reading"], sort=False):
        both = two_way.get(key)
        drawn = both or by_question[key]
        signed = {
            name: np.round(-one if tossups.HIGHER[key[0]] else one, 12)
            for name, one in drawn.items()
        }
        rivals = [signed[name] for name in among if name in signed]
        for row, name in of["submission"].items():
            mine = signed[name]
            known = np.isfinite(mine)
            if pd.isna(table.at[row, "rank"]) or not known.any():
                continue
            with np.errstate(invalid="ignore"):
                place = 1 + sum((one < mine).astype(int) for one in rivals)[known]
            low, high = _whole(place, tail)
            values["rank_low"][row], values["rank_high"][row] = low, high
            values["p_first"][row] = float((place == 1).mean())
            values["resampled"][row] = BOTH if both else QUESTIONS
            if both:
                low, high = resample.percentile_interval(drawn[name][known], level)
                values["two_way_low"][row], values["two_way_high"][row] = low, high
    table = table.copy()
    for name in columns:
        whole = name.startswith("rank_")
        kind = "Int64" if whole else object if name == "resampled" else float
        table[name] = pd.Series(values[name], index=table.index, dtype=kind)
    return table


def _whole(places, tail: float) -> tuple[int, int]:
    """Percentile bounds of ranks that are ranks: the lower rounded down, the upper up."""
    low = np.quantile(places, tail, method="lower")
    high = np.quantile(places, 1 - tail, method="higher")
    return int(low), int(high)


def sure(table, scored, plays, terms: dict, among, replicates: int, seed: int, level: float):
    """:func:`with_draws` of ``table`` from :func:`ranks`; ``terms``: {submission: its terms}.

    ``scored`` from :func:`tossups.against_humans` of all submissions, ``among`` as for
    :func:`tossups.ranked`.
    """
    wanted = list(dict.fromkeys(zip(table["metric"], table["reading"], strict=True)))
    groups = {
        name: (of["question_id"].to_numpy(), terms[name])
        for name, of in tossups.by_submission(scored)
    }
    met = tossups.encounters(scored, plays)
    two_way = two_way_draws(scored, met, plays, wanted, replicates, seed)
    left = [key for key in wanted if key not in two_way]
    return with_draws(table, question_draws(groups, left, replicates, seed), two_way, among, level)
