"""Ranks of a leaderboard, from pairs on their common questions, and how sure they are.

Two submissions are compared on the questions that both answered or heard. A submission's standing is the number
of those whom it beats less the number of those who beat it; its rank is one more than the number of those who
stand higher. On the same questions that is the order of the values."""

from __future__ import annotations

from collections.abc import Set
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
class Entrants:
    """The submissions to be ranked and what they are compared on. ``terms``: submission → its terms. ``scored``: first buzzes
    against humans. ``among``: those among whom all are ranked (:func:`pool_entrants`). ``answered``: (submission,
    question_id). ``counts_missing``: whether questions without an answer count, so that leaving out wrong answers must gain
    no rank. ``noun``: what notes call questions. ``live``: those who met opponents; ``yours``: those of the user."""

    terms: dict[str, list[tossups.Term]]
    scored: pd.DataFrame
    among: list[str]
    answered: pd.DataFrame
    counts_missing: bool = False
    noun: str = "questions"
    live: Set[str] = frozenset()
    yours: Set[str] = frozenset()

    def split_groups(self, names: dict[str, str]) -> list[Entrants]:
        """An ``Entrants`` for each group of ``names`` (submission → group) and for those without, who are ``live`` apart, in the
        order of ``terms``. Where no member is of ``among``, all but ``yours`` are, or these if they are alone."""
        parts: dict = {}
        for submission in self.terms:
            parts.setdefault((submission in self.live, names.get(submission)), []).append(submission)
        return [
            replace(
                self,
                terms={name: self.terms[name] for name in members},
                scored=self.scored[self.scored["submission"].isin(members)],
                among=sorted({*members} & {*self.among} or {*members} - self.yours or members),
            )
            for members in parts.values()
        ]

    @cached_property
    def event_questions(self) -> pd.Index:
        """Ids, sorted, of the questions that any of ``among`` answered or heard."""
        own = self.answered["submission"].isin(self.among)
        return pd.Index(sorted(set(self.answered.loc[own, "question_id"])))

    def required_coverage(self, metric: str, least: float) -> float:
        """Coverage that a rank under ``metric`` requires: ``least``, or 1 for metrics that could gain by leaving out
        questions (:data:`ANSWERED_ALONE`) where these count."""
        return 1.0 if self.counts_missing and metric in ANSWERED_ALONE else least

    @cached_property
    def universe(self) -> pd.Index:
        """Ids, sorted, of all questions of ``scored``."""
        return pd.Index(sorted(self.scored["question_id"].unique()))

    @cached_property
    def metric_terms(self) -> dict[tuple[str, str], dict[str, tossups.Term]]:
        """(metric, reading) → {submission: its term over :attr:`universe`}, without metrics that rank nobody
        and terms that cannot be computed (``top`` None)."""
        result: dict = {}
        for name, group in tossups.iter_submissions(self.scored):
            place = self.universe.get_indexer(group["question_id"])
            for term in self.terms[name]:
                if term.top is None or tossups.is_higher_better(term.metric, term.reading) is None:
                    continue
                side = term.spread(place, len(self.universe))
                result.setdefault((term.metric, term.reading), {})[name] = side
        return result

    @cached_property
    def coverage(self) -> pd.DataFrame:
        """submission, metric, reading, coverage, counted, total: a row for each of :attr:`metric_terms`. ``coverage`` is the
        share ``counted / total`` of event questions (for win rates, of those a human played) that it answered and the metric
        covers."""
        universe = self.universe
        in_event = universe.isin(self.event_questions)
        played = self.scored.loc[self.scored["n_plays"] > 0, "question_id"]
        played = in_event & universe.isin(set(played))
        answered = {
            name: universe.isin(set(group))
            for name, group in self.answered.groupby("submission")["question_id"]
        }
        rows = []
        for (metric, reading), group in self.metric_terms.items():
            total = played if metric == "win_rate" else in_event
            for name, side in group.items():
                counted = int((side.scope & answered[name] & total).sum())
                share = counted / total.sum() if total.any() else 0.0
                rows.append((name, metric, reading, share, counted, int(total.sum())))
        columns = ["submission", "metric", "reading", "coverage", "counted", "total"]
        return pd.DataFrame(rows, columns=columns)

    def covered_terms(self, key: tuple[str, str], least: float) -> dict[str, tossups.Term]:
        """Submission → term under ``key`` (metric, reading) of those with the coverage that ``least`` requires
        (:meth:`required_coverage`); {} if none of ``among`` has it."""
        table = self.coverage
        own = (table["metric"] == key[0]) & (table["reading"] == key[1])
        enough = set(
            table.loc[own & table["coverage"].ge(self.required_coverage(key[0], least)), "submission"]
        )
        group = {name: side for name, side in self.metric_terms.get(key, {}).items() if name in enough}
        return group if set(group) & set(self.among) else {}


def pool_entrants(
    fields: list[tossups.Field],
    score_stopped: bool = False,
    counts_missing: bool = False,
    live: Set[str] = frozenset(),
    yours: Set[str] = frozenset(),
) -> Entrants:
    """All ``fields`` as one :class:`Entrants`; ``among``: the submissions of the first field that has any, without ``yours``
    unless these are alone.

    ``score_stopped``: early-stopped submissions have calibration too. ``counts_missing``: questions without an answer
    count. ``ValueError`` where no field has a submission."""
    fields = [field for field in fields if len(field.scored)]
    terms: dict = {}
    for field in fields:
        terms |= field.terms(score_stopped)
    own = set(fields[0].scored["submission"])
    return Entrants(
        terms,
        pd.concat([field.scored for field in fields], ignore_index=True),
        sorted(own - yours or own),
        pd.concat([field.answered for field in fields], ignore_index=True).drop_duplicates(),
        counts_missing,
        live=live,
        yours=yours,
    )


class Pairs(NamedTuple):
    """One metric and reading of ``names``: values on the questions that each two have in common. ``values[i]`` (R, U): name i
    under each of R weights on each of its U distinct common sets; ``column[i, j]``: the set common with j, of ``common[i,
    j]`` questions. ``resampled``: what the rows resample."""

    names: list[str]
    values: list[np.ndarray]
    column: np.ndarray
    common: np.ndarray
    resampled: str

    def shared_values(self, i: int, j: int) -> np.ndarray:
        """Values (R,) of name i on the questions that it has in common with j (nan without any); on all its own where j is i."""
        return self.values[i][:, self.column[i, j]]


def pairwise_values(sides: dict[str, tossups.Term], weights: np.ndarray, crossed=None) -> Pairs:
    """:class:`Pairs` of ``sides`` (submission → term) under question ``weights`` (R, N). ``crossed``: submission → (numerators,
    denominators), each (R, N), used instead where teams are resampled too."""
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


def replicate_ranks(pairs: Pairs, among: list[str], higher: bool) -> np.ndarray:
    """Ranks (n, R) of the n names of ``pairs`` in each replicate: 1 is best, ties (to 12 decimals) share the better rank, nan
    without a value. ``higher`` is better, or lower. A name not of ``among`` gets the rank it would have, and moves nobody."""
    n, rows = len(pairs.names), len(pairs.values[0])
    ahead = np.zeros((n, n, rows), dtype=np.int8)
    for i in range(n):
        for j in range(i):
            gap = np.round(pairs.shared_values(i, j), 12) - np.round(pairs.shared_values(j, i), 12)
            sign = np.sign(np.nan_to_num(gap if higher else -gap)).astype(np.int8)
            ahead[i, j], ahead[j, i] = sign, -sign
    lookup = np.array([np.isfinite(pairs.shared_values(i, i)) for i in range(n)])
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


def add_ranks(board: pd.DataFrame, entered: Entrants, least: float) -> pd.DataFrame:
    """``board`` with ``coverage`` (share) and ``rank``, null without a value or below the coverage that
    ``least`` requires (as the note says). Coverage is null where the metric ranks nobody or cannot be
    computed. If none of ``entered.among`` has that coverage under a metric and reading, nobody has a rank."""
    table = board.merge(entered.coverage, on=KEY, how="left")
    required = table["metric"].map(lambda metric: entered.required_coverage(metric, least))
    low = table["coverage"].lt(required) & table["value"].notna()
    shares = {1.0: "all", 0.5: "half"}
    for row in table[low].itertuples():
        least_share = required[row.Index]
        need = f"{NO_RANK}{shares.get(least_share, f'{100 * least_share:.0f} %')} of them"
        words = f"answered {row.counted:.0f} of {row.total:.0f} {entered.noun}{need}"
        table.loc[row.Index, "note"] = "; ".join(filter(None, (row.note, words)))
    rows: list[tuple] = []
    for key in entered.metric_terms:
        if group := entered.covered_terms(key, least):
            item = pairwise_values(group, np.ones((1, len(entered.universe))))
            place = replicate_ranks(item, entered.among, tossups.is_higher_better(*key))[:, 0]
            rows += [(name, *key, own) for name, own in zip(item.names, place, strict=True)]
    standing = pd.DataFrame(rows, columns=[*KEY, "rank"])
    table = table.drop(columns=["counted", "total"]).merge(standing, on=KEY, how="left")
    return table.assign(rank=table["rank"].astype("Float64").astype("Int64"))


def ranked_rows(board: pd.DataFrame) -> pd.DataFrame:
    """Rows of ``board`` whose metric ranks, with its columns of tables/leaderboard_ranks. Of readings of a metric with equal
    values the first is kept."""
    rows = board[board["metric"].map(tossups.HIGHER).notna()]
    rows = rows.assign(column=rows["metric"] + " (" + rows["reading"] + ")")
    order = pd.MultiIndex.from_frame(rows[["metric", "column"]].drop_duplicates())
    values = rows.pivot(index=order.names, columns="submission", values="value").reindex(order)
    columns = order.get_level_values("column")[~values.reset_index("metric").duplicated()]
    lookup = [name for name in store.columns("leaderboard_ranks") if name in rows]
    return rows.loc[rows["column"].isin(columns), lookup].reset_index(drop=True)


def two_way_metric_sums(entered: Entrants, plays: pd.DataFrame, wanted, bootstrap: Bootstrap) -> dict:
    """(metric, reading) of ``wanted`` and :data:`BY_TEAM` → {submission: (numerators, denominators), each (R, N)}, questions
    and human teams resampled (pigeonhole bootstrap). A play weighs the product of its question's and its team's weight. A
    question none of whose teams was drawn keeps its share over all teams in that replicate; left out, questions that few
    teams played would be lost more often. {} where plays (tidy/human_plays) do not name at least two teams."""
    scored, universe = entered.scored, entered.universe
    result: dict = {key: {} for key in wanted if key in BY_TEAM}
    if not result or plays["team"].isna().any():
        return {}
    plays = plays[plays["question_id"].isin(universe)]
    teams = pd.Index(sorted(plays["team"].unique()))
    if len(teams) < 2:
        return {}
    by_question, by_team = bootstrap.two_way_weights(len(universe), len(teams))

    def cells(rows: pd.DataFrame, values) -> np.ndarray:
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
    for name, group in tossups.iter_submissions(scored):
        rows = met[met["submission"] == name]
        counted, points = np.zeros(len(universe)), np.zeros(len(universe))
        place = universe.get_indexer(group["question_id"])
        counted[place], points[place] = 1.0, tossups.buzz_points(group)
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


def _rank_bounds(key, pairs: Pairs, among, bootstrap: Bootstrap) -> list[dict]:
    """A row for each name with a value: rank_low and rank_high (whole quantiles of its replicate ranks, rounded outwards),
    p_first and, with teams resampled, two_way bounds of the value."""
    result = []
    low, high = bootstrap.tails
    drawn = replicate_ranks(pairs, among, tossups.is_higher_better(*key))
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
            row["two_way_low"], row["two_way_high"] = bootstrap.percentile(pairs.shared_values(i, i)[lookup])
        result.append(row)
    return result


def _pair_rows(key, point: Pairs, drawn: Pairs, bootstrap: Bootstrap) -> list[dict]:
    """Rows of tables/leaderboard_pairs, one for each two names, under ``key`` (metric, reading): values of ``point``,
    interval of ``drawn``."""
    result = []
    for i, j in combinations(range(len(point.names)), 2):
        x, y = (float(point.shared_values(*pair)[0]) for pair in ((i, j), (j, i)))
        low, high = bootstrap.finite_percentile(drawn.shared_values(i, j) - drawn.shared_values(j, i))
        row = {"a": point.names[i], "b": point.names[j], "metric": key[0], "reading": key[1]}
        row |= {"questions": int(point.common[i, j]), "a_value": x, "b_value": y}
        row |= {"difference": x - y, "low": low, "high": high}
        result.append(row | {"resampled": drawn.resampled})
    return result


def rank_intervals(
    table, entered: Entrants, plays, least: float, bootstrap: Bootstrap
) -> tuple[pd.DataFrame, list[dict]]:
    """(``table`` of :func:`ranked_rows` with bounds from replicates, rows of tables/leaderboard_pairs).

    ``two_way_low``, ``two_way_high``: bounds of the value, questions and teams resampled; ``rank_low``, ``rank_high``: of the
    rank; ``p_first``: share of replicates with rank 1, tied or not; ``resampled``: what the last three resample, teams too
    where possible (else two_way is nan). In each replicate all are ranked anew. Rows without a rank have no bounds; pairs are of
    all who have the metric. ``plays``: tidy/human_plays; ``least``: coverage that a rank requires."""
    wanted = list(dict.fromkeys(zip(table["metric"], table["reading"], strict=True)))
    both = two_way_metric_sums(entered, plays, wanted, bootstrap)
    weights = bootstrap.question_weights(len(entered.universe))
    bounds: list[dict] = []
    rows: list[dict] = []
    for key in wanted:
        group = entered.metric_terms.get(key, {})
        if not set(group) & set(entered.among):
            continue
        point = pairwise_values(group, np.ones((1, len(entered.universe))))
        drawn = pairwise_values(group, weights, both.get(key))
        rows += _pair_rows(key, point, drawn, bootstrap)
        covering = entered.covered_terms(key, least)
        if covering and len(covering) < len(group):
            drawn = pairwise_values(covering, weights, both.get(key))
        if covering:
            bounds += _rank_bounds(key, drawn, entered.among, bootstrap)
    kinds: dict = dict.fromkeys(("two_way_low", "two_way_high"), float)
    kinds |= {"rank_low": "Int64", "rank_high": "Int64", "p_first": float, "resampled": object}
    columns = pd.DataFrame(bounds, columns=[*KEY, *kinds]).astype(kinds)
    return table.merge(columns, on=KEY, how="left"), rows


def rank_within_groups(
    board, entered: Entrants, groups, plays, least, bootstrap: Bootstrap, bounded=ranked_rows
) -> tuple[pd.DataFrame, pd.DataFrame, list[dict]]:
    """(``board`` with ``group`` and :func:`add_ranks`, :func:`rank_intervals` of the rows that ``bounded`` keeps, rows of
    tables/leaderboard_pairs). ``groups``: submission → group, ranked apart, as are those without one (group None).
    ``plays``: tidy/human_plays; ``least``: share of questions answered that a rank requires."""
    parts = entered.split_groups(groups)
    names = board["submission"].map(groups).astype(object)
    board = board.assign(group=names.where(names.notna(), None))

    def map_groups(table: pd.DataFrame, function) -> list:
        """``function`` of (rows of ``table`` of a group, its entrants), for each group."""
        return [
            function(table[table["submission"].isin(list(part.terms))].reset_index(drop=True), part)
            for part in parts
        ]

    board = pd.concat(map_groups(board, partial(add_ranks, least=least)), ignore_index=True)
    intervals = partial(rank_intervals, plays=plays, least=least, bootstrap=bootstrap)
    bounds, pairs = zip(*map_groups(bounded(board), intervals), strict=True)
    return board, pd.concat(bounds, ignore_index=True), [*chain(*pairs)]
