"""Ranks of a leaderboard, from pairs on their common questions, and how sure they are.

Two submissions are compared on the questions that both answered or heard. A submission's standing is the number
of those whom it beats less the number of those who beat it; its rank is one more than the number of those who
stand higher. On the same questions that is the order of the values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..scores import metrics
from ..stats import proportions, resample
from ..stats.bootstrap import Bootstrap
from . import tossups

KEY = ["submission", "metric", "reading"]
QUESTIONS, BOTH = "questions", "questions and teams"
"""What the draws behind a rank resample."""
BY_TEAM = {
    ("expected_score", "manual"): "beaten",
    ("expected_score", "code"): "beaten",
    ("expected_score", "manual_strict"): "late",
    **{("win_rate", reading): f"win_{reading}" for reading in tossups.WIN_READINGS},
}
"""(metric, reading) whose humans are a sample → column of :func:`tossups.encounters` that is summed by team.

Not ``manual_all``, which asks for the first of all humans: fewer different teams would be beaten more often.
"""

NO_RANK = ", ranks need answers to "
"""What a note says of a submission that answered too few questions."""
ANSWERED_ALONE = {*metrics.metric_names("leaderboard"), "effect", "calibration"}
"""Metrics that say nothing of a question without an answer."""


@dataclass(frozen=True)
class Entered:
    """Who is compared.

    ``terms``: submission → its terms; ``scored``: first buzzes against humans; ``among``: the live and submitted
    ones, among whom all are ranked; ``answered``: (submission, question_id); ``counts_missing``: whether questions
    without an answer count, so that leaving out wrong answers must gain no rank.
    """

    terms: dict
    scored: pd.DataFrame
    among: list[str]
    answered: pd.DataFrame
    counts_missing: bool = False

    def groups(self, names: dict[str, str]) -> list[Entered]:
        """Who is ranked together: those of one group of ``names`` (submission → group), and those without a group."""
        parts: dict = {}
        for submission in self.terms:
            parts.setdefault(names.get(submission), []).append(submission)
        return [
            replace(
                self,
                terms={name: self.terms[name] for name in members},
                scored=self.scored[self.scored["submission"].isin(members)],
                among=[name for name in members if name in set(self.among)] or sorted(members),
            )
            for members in parts.values()
        ]

    @cached_property
    def event(self) -> pd.Index:
        """Questions that one of ``among`` answered or heard."""
        own = self.answered["submission"].isin(self.among)
        return pd.Index(sorted(set(self.answered.loc[own, "question_id"])))

    def least_coverage(self, metric: str, least: float) -> float:
        """Coverage that a rank asks for: ``least``, or all where a metric would gain by what is left out."""
        return 1.0 if self.counts_missing and metric in ANSWERED_ALONE else least

    @cached_property
    def universe(self) -> pd.Index:
        """All questions."""
        return pd.Index(sorted(self.scored["question_id"].unique()))

    @cached_property
    def sides(self) -> dict:
        """(metric, reading) → {submission: its term over all questions}; none where there is no value."""
        result: dict = {}
        for name, group in tossups.by_submission(self.scored):
            place = self.universe.get_indexer(group["question_id"])
            for term in self.terms[name]:
                if term.top is None or tossups.is_higher_better(term.metric, term.reading) is None:
                    continue
                side = term.spread(place, len(self.universe))
                result.setdefault((term.metric, term.reading), {})[name] = side
        return result

    @cached_property
    def coverage(self) -> pd.DataFrame:
        """submission, metric, reading, coverage, counted, total: the share of the event's questions (for win rates of
        those that a human played) that the submission answered or heard and the metric is of."""
        universe = self.universe
        in_event = universe.isin(self.event)
        played = self.scored.loc[self.scored["n_plays"] > 0, "question_id"]
        played = in_event & universe.isin(set(played))
        answered = {
            name: universe.isin(set(group))
            for name, group in self.answered.groupby("submission")["question_id"]
        }
        rows = []
        for (metric, reading), group in self.sides.items():
            total = played if metric == "win_rate" else in_event
            for name, side in group.items():
                counted = int((side.scope & answered[name] & total).sum())
                share = counted / total.sum() if total.any() else 0.0
                rows.append((name, metric, reading, share, counted, int(total.sum())))
        columns = ["submission", "metric", "reading", "coverage", "counted", "total"]
        return pd.DataFrame(rows, columns=columns)

    def covering(self, key: tuple[str, str], least: float) -> dict:
        """The sides of a metric and reading whose coverage is at least :meth:`least_coverage`; none without one of ``among``."""
        table = self.coverage
        own = (table["metric"] == key[0]) & (table["reading"] == key[1])
        enough = set(
            table.loc[own & table["coverage"].ge(self.least_coverage(key[0], least)), "submission"]
        )
        group = {name: side for name, side in self.sides.get(key, {}).items() if name in enough}
        return group if set(group) & set(self.among) else {}


def rankable_submissions(fields: list, score_stopped=False, counts_missing=False) -> Entered:
    """The submissions of all fields, ranked among those of the first that has some."""
    fields = [field for field in fields if len(field.scored)]
    terms: dict = {}
    for field in fields:
        terms |= field.terms(score_stopped)
    return Entered(
        terms,
        pd.concat([field.scored for field in fields], ignore_index=True),
        sorted(set(fields[0].scored["submission"])),
        pd.concat([field.answered for field in fields], ignore_index=True).drop_duplicates(),
        counts_missing,
    )


class Pairs(NamedTuple):
    """One metric and reading of all who have it: values on the questions common to each two.

    ``values[i]`` (R, U), a column of each set of questions; ``column[i, j]``: that of the questions which i and j
    have in common, ``common[i, j]`` of them. ``resampled``: what its rows resample.
    """

    names: list[str]
    values: list[np.ndarray]
    column: np.ndarray
    common: np.ndarray
    resampled: str

    def of(self, i: int, j: int) -> np.ndarray:
        """i's values on what it has in common with j (its own where j is i)."""
        return self.values[i][:, self.column[i, j]]


def pairwise_statistics(sides: dict, weights, crossed=None) -> Pairs:
    """:class:`Pairs` of ``sides`` under ``weights`` (R, N), or where questions and teams were drawn under
    ``crossed``: submission → sums (R, N) above and below the line."""
    scopes = np.array([side.scope for side in sides.values()])
    values, columns = [], []
    for (name, side), own in zip(sides.items(), scopes, strict=True):
        shared = scopes & own
        earliest, place = resample.distinct_rows(shared)
        masks = shared[earliest].astype(float)
        columns.append(place)
        if crossed is None:
            values.append(side.values(weights, masks))
        else:
            values.append(proportions.ratio(*(part @ masks.T for part in crossed[name])))
    common = scopes.astype(int) @ scopes.T.astype(int)
    resampled = QUESTIONS if crossed is None else BOTH
    return Pairs(list(sides), values, np.array(columns), common, resampled)


def places(pairs: Pairs, among, higher: bool) -> np.ndarray:
    """Rank of each of ``pairs`` (n, R) among ``among``, nan where it has no value.

    One that is not of ``among`` gets the rank that it would have if it entered; it moves nobody.
    """
    n, rows = len(pairs.names), len(pairs.values[0])
    ahead = np.zeros((n, n, rows), dtype=np.int8)
    for i in range(n):
        for j in range(i):
            gap = np.round(pairs.of(i, j), 12) - np.round(pairs.of(j, i), 12)
            sign = np.sign(np.nan_to_num(gap if higher else -gap)).astype(np.int8)
            ahead[i, j], ahead[j, i] = sign, -sign
    lookup = np.array([np.isfinite(pairs.of(i, i)) for i in range(n)])
    rivals = [i for i, name in enumerate(pairs.names) if name in set(among)]
    standing = ahead[:, rivals].sum(axis=1, dtype=int)
    result = np.full((n, rows), np.nan)
    for i in range(n):
        opponents = [j for j in rivals if j != i]
        # One from outside is met by all the others, which is no game of theirs among themselves.
        rival = standing[opponents] + (0 if i in rivals else ahead[opponents, i])
        place = 1 + ((rival > standing[i]) & lookup[opponents]).sum(axis=0)
        result[i] = np.where(lookup[i], place, np.nan)
    return result


def ranked(board, entered: Entered, least: float):
    """The board with ``coverage`` and ``rank``: no rank below the coverage ``least``, or without a value.

    Coverage is empty for a metric that ranks nobody or cannot be had. Where none of the live and submitted ones has a rank under a metric and reading, nobody has one.
    """
    table = board.merge(entered.coverage, on=KEY, how="left")
    required = table["metric"].map(lambda metric: entered.least_coverage(metric, least))
    low = table["coverage"].lt(required) & table["value"].notna()
    shares = {1.0: "all", 0.5: "half"}
    for row in table[low].itertuples():
        least_share = required[row.Index]
        need = f"{NO_RANK}{shares.get(least_share, f'{100 * least_share:.0f} %')} of them"
        words = f"answered {row.counted:.0f} of {row.total:.0f} questions{need}"
        table.loc[row.Index, "note"] = "; ".join(filter(None, (row.note, words)))
    rows: list[tuple] = []
    for key in entered.sides:
        if group := entered.covering(key, least):
            item = pairwise_statistics(group, np.ones((1, len(entered.universe))))
            place = places(item, entered.among, tossups.is_higher_better(*key))[:, 0]
            rows += [(name, *key, own) for name, own in zip(item.names, place, strict=True)]
    standing = pd.DataFrame(rows, columns=[*KEY, "rank"])
    table = table.drop(columns=["counted", "total"]).merge(standing, on=KEY, how="left")
    return table.assign(rank=table["rank"].astype("Float64").astype("Int64"))


def ranks(board):
    """tables/leaderboard_ranks without its draws: value, bounds and rank under each metric and reading that ranks.

    A reading with the same values as another of its metric is shown once.
    """
    rows = board[board["metric"].map(tossups.HIGHER).notna()]
    rows = rows.assign(column=rows["metric"] + " (" + rows["reading"] + ")")
    order = pd.MultiIndex.from_frame(rows[["metric", "column"]].drop_duplicates())
    values = rows.pivot(index=order.names, columns="submission", values="value").reindex(order)
    columns = order.get_level_values("column")[~values.reset_index("metric").duplicated()]
    lookup = [name for name in store.columns("leaderboard_ranks") if name in rows]
    return rows.loc[rows["column"].isin(columns), lookup].reset_index(drop=True)


def two_way_rank_replicates(entered: Entered, plays, wanted, bootstrap: Bootstrap) -> dict:
    """(metric, reading) → {submission: sums (R, N) above and below the line}, questions and human teams
    resampled (the pigeonhole bootstrap).

    The weight of a play is the product of its question's and its team's. A question of whose teams none was
    drawn keeps its share over all teams in that replicate (left out, questions that few teams played would be
    lost more often than others). Empty where plays do not name their teams.
    """
    scored, universe = entered.scored, entered.universe
    result: dict = {key: {} for key in wanted if key in BY_TEAM}
    if not result or plays["team"].isna().any():
        return {}
    plays = plays[plays["question_id"].isin(universe)]
    teams = pd.Index(sorted(plays["team"].unique()))
    if len(teams) < 2:
        return {}
    by_question, by_team = bootstrap.two_way_weights(len(universe), len(teams))

    def cells(rows, values) -> np.ndarray:
        """Sums of ``values`` by question and team of the rows."""
        table = np.zeros((len(universe), len(teams)))
        codes = universe.get_indexer(rows["question_id"]), teams.get_indexer(rows["team"])
        np.add.at(table, codes, values)
        return table

    count = cells(plays, 1.0)
    n = count.sum(axis=1)
    drawn = by_team @ count.T
    # Σ_q w_q Σ_t v_t x_qt / Σ_t v_t n_qt: the inner denominator is the same for every submission.
    per_play = np.divide(by_question, drawn, out=np.zeros_like(drawn), where=drawn > 0)
    lost = by_question * ((drawn == 0) & (n > 0))
    met = tossups.encounters(scored, plays)
    for name, group in tossups.by_submission(scored):
        rows = met[met["submission"] == name]
        counted, points = np.zeros(len(universe)), np.zeros(len(universe))
        place = universe.get_indexer(group["question_id"])
        counted[place], points[place] = 1.0, tossups.points(group)
        heard, played = by_question * counted, by_question * (counted * (n > 0))
        for key, values in result.items():
            is_score = key[0] == "expected_score"
            worth = rows[BY_TEAM[key]].to_numpy(dtype=float)
            if is_score:
                worth = worth * points[universe.get_indexer(rows["question_id"])]
            part = cells(rows, worth)
            sums = (by_team @ part.T) * per_play + lost * (part.sum(axis=1) / np.maximum(n, 1))
            values[name] = (by_question * points - sums, heard) if is_score else (sums, played)
    return result


def _bounds(key, pairs: Pairs, among, bootstrap: Bootstrap) -> list[dict]:
    """Bounds that draws give the ranks under one metric and reading: whole ranks, the lower rounded down, the upper up."""
    result = []
    low, high = bootstrap.tails
    drawn = places(pairs, among, tossups.is_higher_better(*key))
    for i, name in enumerate(pairs.names):
        lookup = np.isfinite(drawn[i])
        if not lookup.any():
            continue
        own = drawn[i][lookup]
        row = dict(zip(KEY, (name, *key), strict=True)) | {"resampled": pairs.resampled}
        row["rank_low"] = np.quantile(own, low, method="lower")
        row["rank_high"] = np.quantile(own, high, method="higher")
        row["p_first"] = (own == 1).mean()
        if pairs.resampled == BOTH:
            row["two_way_low"], row["two_way_high"] = bootstrap.percentile(pairs.of(i, i)[lookup])
        result.append(row)
    return result


def _rows(key, point: Pairs, drawn: Pairs, bootstrap: Bootstrap) -> list[dict]:
    """Rows of tables/leaderboard_pairs of one metric and reading."""
    result = []
    for i, j in combinations(range(len(point.names)), 2):
        x, y = (float(point.of(*pair)[0]) for pair in ((i, j), (j, i)))
        low, high = bootstrap.finite_percentile(drawn.of(i, j) - drawn.of(j, i))
        row = {"a": point.names[i], "b": point.names[j], "metric": key[0], "reading": key[1]}
        row |= {"questions": int(point.common[i, j]), "a_value": x, "b_value": y}
        row |= {"difference": x - y, "low": low, "high": high}
        result.append(row | {"resampled": drawn.resampled})
    return result


def rank_intervals(table, entered: Entered, plays, least: float, bootstrap: Bootstrap):
    """``table`` from :func:`ranks` with the bounds that draws give, and rows of tables/leaderboard_pairs.

    ``two_way_low`` and ``two_way_high``: bounds of the value, questions and teams resampled; ``rank_low``,
    ``rank_high``: bounds of the rank; ``p_first``: share of replicates with rank 1 (ties share it);
    ``resampled``: what the last three resample, teams too where that can be. In each replicate all are drawn
    together and ranked anew. Pairs are of all who have the metric, those without a rank included.
    Rows without a rank have no bounds, and two-way bounds are missing where teams cannot be resampled.
    ``least``: coverage that a rank asks for.
    """
    wanted = list(dict.fromkeys(zip(table["metric"], table["reading"], strict=True)))
    both = two_way_rank_replicates(entered, plays, wanted, bootstrap)
    weights = bootstrap.question_weights(len(entered.universe))
    bounds: list[dict] = []
    rows: list[dict] = []
    for key in wanted:
        group = entered.sides.get(key, {})
        if not set(group) & set(entered.among):
            continue
        point = pairwise_statistics(group, np.ones((1, len(entered.universe))))
        drawn = pairwise_statistics(group, weights, both.get(key))
        rows += _rows(key, point, drawn, bootstrap)
        covering = entered.covering(key, least)
        if covering and len(covering) < len(group):
            drawn = pairwise_statistics(covering, weights, both.get(key))
        if covering:
            bounds += _bounds(key, drawn, entered.among, bootstrap)
    kinds: dict = dict.fromkeys(("two_way_low", "two_way_high"), float)
    kinds |= {"rank_low": "Int64", "rank_high": "Int64", "p_first": float, "resampled": object}
    columns = pd.DataFrame(bounds, columns=[*KEY, *kinds]).astype(kinds)
    return table.merge(columns, on=KEY, how="left"), rows


def rank_within_groups(board, entered: Entered, groups, plays, least, bootstrap, bounded=ranks):
    """The board with ``group`` and the columns of :func:`ranked`, the rows that ``bounded`` keeps of it with bounds, and
    rows of tables/leaderboard_pairs; submissions of a group (``groups``: submission → group) are ranked by themselves."""
    parts = entered.groups(groups)
    names = board["submission"].map(groups).astype(object)
    board = board.assign(group=names.where(names.notna(), None))

    def of_each(table, function) -> list:
        """``function`` of the rows of each group, and of the group."""
        return [
            function(table[table["submission"].isin(list(part.terms))].reset_index(drop=True), part)
            for part in parts
        ]

    board = pd.concat(of_each(board, partial(ranked, least=least)), ignore_index=True)
    intervals = partial(rank_intervals, plays=plays, least=least, bootstrap=bootstrap)
    bounds, pairs = zip(*of_each(bounded(board), intervals), strict=True)
    return board, pd.concat(bounds, ignore_index=True), [*chain(*pairs)]
