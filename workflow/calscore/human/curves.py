"""The human side: h_t, what teams knew at each clue, rankings and quartiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..clues import segment as clues_module
from ..core import store
from ..stats.proportions import ratio

H_DEFINITIONS = ("buzzed_so_far", "buzzed_on_question", "heard")
CURVES = (*H_DEFINITIONS, "heard_seen")
RULES = ("paper", "release", "rate")
ROWS_OF_A_MEGABYTE = 500
"""Clues, buzzes and exposures that are read together for each MB of memory."""


def observed_exposures(exposures: pd.DataFrame) -> pd.DataFrame:
    """``exposures`` without those assumed for a whole packet: the declared ones and those that follow from a match or buzz."""
    return exposures[exposures["source"] != "packet"]


def _buzzes_at_clues(clues: pd.DataFrame, buzzes: pd.DataFrame) -> pd.DataFrame:
    """Buzzes on the questions of ``clues`` (one segmentation), with the number of the ``clue`` that each falls in.

    A team is right once on a question: see :func:`count_right_once`.
    """
    inside = count_right_once(buzzes[buzzes["question_id"].isin(clues["question_id"].unique())])
    return inside.assign(clue=clues_module.assign_clues(clues, inside).to_numpy())


def first_buzz_rows(buzzes: pd.DataFrame) -> pd.DataFrame:
    """Each team's first buzz on a question, of equals the upper: rows of ``buzzes``, sorted by word_index."""
    ordered = buzzes.sort_values("word_index", kind="stable")
    return ordered.drop_duplicates(["question_id", "team"])


def count_right_once(buzzes: pd.DataFrame) -> pd.DataFrame:
    """``buzzes``, sorted by word_index; ``correct`` is False where the team was right on the question before.

    So does the released scorer count: all buzzes of a team on a question in the total, and it among the right ones once.
    """
    ordered = buzzes.sort_values("word_index", kind="stable")
    repeated = ordered.duplicated(["question_id", "team", "correct"])
    return ordered.assign(correct=ordered["correct"].astype(bool) & ~repeated)


def share_heard(questions: pd.DataFrame, buzzes: pd.DataFrame) -> pd.Series:
    """Share of the question's words heard, a Series like ``buzzes``, above 1 past the end; nan for other questions.

    ``questions``: question_id, n_words; ``buzzes``: question_id, word_index (0-based, the last word heard).
    """
    words = buzzes["question_id"].map(questions.set_index("question_id")["n_words"])
    return (buzzes["word_index"] + 1) / words.astype(float)


class TeamClueCounts(NamedTuple):
    """What each human team contributes to h at each clue of one segmentation.

    ``rows``: question_id and clue of the N clues; ``teams``: the T teams; ``parts``: h definition →
    (correct, total), each (N, T). h of a clue is Σ correct / Σ total over teams.
    """

    rows: pd.DataFrame
    teams: pd.Index
    parts: dict[str, tuple[np.ndarray, np.ndarray]]

    def select(self, rows: np.ndarray) -> TeamClueCounts:
        """The counts of the clues at positions ``rows``; where less than half of the teams count there, these teams alone."""
        parts: dict[int, np.ndarray] = {}
        columns: np.ndarray | slice = slice(None)
        present = np.logical_or(*(self.parts[h][1][rows].any(axis=0) for h in ("heard", "buzzed_so_far")))
        if 2 * present.sum() < len(present):
            columns = np.flatnonzero(present)
        for array in {id(a): a for pair in self.parts.values() for a in pair}.values():
            parts[id(array)] = array[rows][:, columns]
        counts = {h: (parts[id(a)], parts[id(b)]) for h, (a, b) in self.parts.items()}
        return TeamClueCounts(self.rows.iloc[rows], self.teams[columns], counts)

    def curves(
        self, definitions: Iterable[str], weights: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """(h definition → h (N, R), mask (N, R): a team that heard the question has weight).

        ``weights``: of teams, (R, T). h is 0 where nothing counts; where no hearer has weight a replicate knows nothing of
        the question, which is not nobody being right.
        """
        products: dict[int, np.ndarray] = {}

        def sums(part: np.ndarray) -> np.ndarray:
            # The same array stands under several definitions.
            if id(part) not in products:
                products[id(part)] = part @ weights.T
            return products[id(part)]

        curves = {}
        for definition in definitions:
            correct, total = map(sums, self.parts[definition])
            # Where nothing counts nothing is correct.
            under = np.maximum(total, np.finfo(float).tiny)
            curves[definition] = np.divide(correct, under, out=under)
        return curves, sums(self.parts["heard"][1]) > 0


def team_clue_counts(clues: pd.DataFrame, buzzes: pd.DataFrame, exposures: pd.DataFrame) -> pd.DataFrame:
    """Table crowd: right and all buzzes of each human team in each clue that it buzzed in, for every segmentation.

    Columns segmentation, question_id, clue, team, correct, buzzes, heard. A team that heard the question and
    did not buzz has one row of clue 0, with counts of 0.
    """
    buzzes = buzzes[buzzes["kind"] == "human"]
    heard = exposures.loc[exposures["kind"] == "human", ["question_id", "team"]].drop_duplicates()
    parts = []
    for name, rows in clues.groupby("segmentation", sort=True):
        grouped = _buzzes_at_clues(rows, buzzes).groupby(["question_id", "clue", "team"], as_index=False)[
            "correct"
        ]
        counts = grouped.agg(correct="sum", buzzes="size")
        hearers = heard[heard["question_id"].isin(rows["question_id"].unique())].assign(heard=True)
        joined = counts.merge(hearers, on=["question_id", "team"], how="outer")
        parts.append(joined.assign(segmentation=name, heard=joined["heard"].notna()))
    table = pd.concat(parts, ignore_index=True)
    counts = ["clue", "correct", "buzzes"]
    table[counts] = table[counts].astype("Float64").fillna(0).astype("int64")
    return table[store.columns("crowd")]


def team_clue_counts_from_table(crowd: pd.DataFrame, clues: pd.DataFrame) -> dict[str, TeamClueCounts]:
    """Segmentation → :class:`TeamClueCounts` of the table ``crowd``, at all ``clues`` of each segmentation.

    With all weights 1 its h is that of :func:`human_curve`; ``heard_seen`` is lacking.
    """
    teams = pd.Index(sorted(crowd["team"].unique()))
    counts = {}
    for name, rows in clues.groupby("segmentation", sort=True):
        rows = rows[["question_id", "clue"]].sort_values(["question_id", "clue"], ignore_index=True)
        question = rows["question_id"]
        numbers = pd.Index(question.unique())
        own_rows = crowd[crowd["segmentation"] == name]
        hearers = own_rows[own_rows["heard"]]
        heard = np.zeros((len(numbers), len(teams)))
        heard[numbers.get_indexer(hearers["question_id"]), teams.get_indexer(hearers["team"])] = 1
        buzzed = own_rows[own_rows["clue"] > 0]
        place = pd.MultiIndex.from_frame(rows).get_indexer(
            pd.MultiIndex.from_frame(buzzed[["question_id", "clue"]])
        )
        right, buzz_counts = np.zeros((2, len(rows), len(teams)))
        right[place, teams.get_indexer(buzzed["team"])] = buzzed["correct"]
        buzz_counts[place, teams.get_indexer(buzzed["team"])] = buzzed["buzzes"]
        by_question = pd.DataFrame(buzz_counts).groupby(question)
        so_far = pd.DataFrame(right).groupby(question).cumsum().to_numpy()
        parts = {
            "buzzed_so_far": (so_far, by_question.cumsum().to_numpy()),
            "buzzed_on_question": (so_far, by_question.transform("sum").to_numpy()),
            "heard": (so_far, heard[numbers.get_indexer(question)]),
        }
        counts[name] = TeamClueCounts(rows, teams, parts)
    return counts


def human_curve(
    clues: pd.DataFrame,
    buzzes: pd.DataFrame,
    exposures: pd.DataFrame,
    definitions: Iterable[str] = CURVES,
) -> pd.DataFrame:
    """The human curve h of each clue under its definitions, for every segmentation.

    Parameters
    ----------
    clues, buzzes, exposures : pandas.DataFrame
        The tables; rows of models are left out.
    definitions : sequence of str
        ``buzzed_so_far`` (§4.1): right buzzes over all human buzzes up to the clue. ``buzzed_on_question``
        (released code): right buzzes up to the clue over all human buzzes on the question. ``heard``
        (Appendix H): right buzzes up to the clue over the human teams that heard the question.
        ``heard_seen``: over those of :func:`observed_exposures`.

    Returns
    -------
    pandas.DataFrame
        Table ``human_curve``; h is 0 where nothing counts, and in [0, 1]; only the first right buzz of a team counts.

    References
    ----------
    GRACE, §4.1 and Appendix H; the released scorer.

    Examples
    --------
    Two teams buzz on a question of two clues that three heard: one wrongly in the first clue, one rightly in the second.

    >>> question = {"question_id": ["q"] * 2, "segmentation": "all"}
    >>> clues = pd.DataFrame({**question, "clue": [1, 2], "start_word": [0, 5], "end_word": [5, 9]})
    >>> buzzes = pd.DataFrame(
    ...     {"question_id": "q", "kind": "human", "team": ["H1", "H2"], "word_index": [3, 8], "correct": [False, True]}
    ... )
    >>> exposures = pd.DataFrame({"question_id": "q", "kind": "human", "team": ["H1", "H2", "H3"], "source": "declared"})
    >>> curve = human_curve(clues, buzzes, exposures).pivot(index="clue", columns="h_definition", values="h")
    >>> curve.loc[2].round(3).to_dict()
    {'buzzed_on_question': 0.5, 'buzzed_so_far': 0.5, 'heard': 0.333, 'heard_seen': 0.333}
    """
    buzzes = buzzes[buzzes["kind"] == "human"]
    exposures = exposures[exposures["kind"] == "human"]
    heard = exposures.groupby("question_id").size()
    observed = observed_exposures(exposures).groupby("question_id").size()
    parts = []
    for name, rows in clues.groupby("segmentation", sort=True):
        rows = rows.sort_values(["question_id", "clue"], ignore_index=True)
        question = rows["question_id"]
        counts = _buzzes_at_clues(rows, buzzes).groupby(["question_id", "clue"])["correct"]
        counts = counts.agg(["sum", "size"]).astype(int)
        counts = counts.reindex(pd.MultiIndex.from_frame(rows[["question_id", "clue"]]), fill_value=0)
        by_question = counts.groupby(question.to_numpy())
        cumulative, so_far = by_question.cumsum().to_numpy().T
        totals = {
            "buzzed_so_far": so_far,
            "buzzed_on_question": by_question["size"].transform("sum").to_numpy(),
            "heard": question.map(heard).fillna(0).to_numpy(dtype=int),
            "heard_seen": question.map(observed).fillna(0).to_numpy(dtype=int),
        }
        for definition in definitions:
            denominator = totals[definition]
            parts.append(
                pd.DataFrame(
                    {
                        "segmentation": name,
                        "h_definition": definition,
                        "question_id": question,
                        "clue": rows["clue"],
                        "correct": cumulative,
                        "total": denominator,
                        "h": ratio(cumulative, denominator, 0.0),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def team_responses(clues: pd.DataFrame, buzzes: pd.DataFrame) -> pd.DataFrame:
    """Table team_responses: live answers of human teams at each clue, backfilled, under each segmentation of ``clues``.

    Columns segmentation, question_id, team, clue, correct, buzz and ``backfilled`` (not the clue of the buzz).
    A right first buzz makes a team right from its clue on, a wrong one wrong up to it; unknown answers have no row. Later
    buzzes of a team on the question are left out.
    """
    buzzes = buzzes[buzzes["kind"] == "human"]
    parts = []
    for name, rows in clues.groupby("segmentation", sort=True):
        first_buzz = first_buzz_rows(_buzzes_at_clues(rows, buzzes)).rename(columns={"clue": "at"})
        grid = first_buzz[["question_id", "team", "correct", "at"]].merge(
            rows[["question_id", "clue"]], on="question_id"
        )
        keep = np.where(grid["correct"], grid["clue"] >= grid["at"], grid["clue"] <= grid["at"])
        grid = grid[keep].copy()
        grid["buzz"] = grid["clue"] == grid["at"]
        grid["backfilled"] = ~grid["buzz"]
        parts.append(grid.assign(segmentation=name))
    return pd.concat(parts, ignore_index=True)[store.columns("team_responses")]


def team_order(teams: int, *done: tuple[np.ndarray, np.ndarray]) -> list[int]:
    """Indices 0 … ``teams`` − 1 sorted by what each team heard and did, so that names move no bounds.

    ``done``: pairs of equally long arrays: a team, and the question (or question and clue) of what it did.
    """
    keys: list[list[list[int]]] = [[] for _ in range(teams)]
    for team, place in done:
        order = np.lexsort((place, team))
        ends = np.searchsorted(team[order], np.arange(teams + 1))
        places = (-place[order]).tolist()
        for key, start, end in zip(keys, ends, ends[1:], strict=False):
            key.append(places[start:end])
    return sorted(range(teams), key=keys.__getitem__)


def quartile(values: ArrayLike) -> np.ndarray:
    """Quartile of each of ``values`` (n,), integers 1 (bottom) to 4 (top); at least one value, and no nan.

    Cut at the 25th, 50th and 75th percentiles, linearly interpolated; what equals a cut goes below it.

    Examples
    --------
    >>> quartile([1, 2, 3, 4]).tolist()
    [1, 2, 3, 4]
    """
    values = np.asarray(values, dtype=float)
    cuts = np.percentile(values, [25, 50, 75])
    return np.searchsorted(cuts, values, side="left") + 1


def rank_teams(clues: pd.DataFrame, buzzes: pd.DataFrame, exposures: pd.DataFrame) -> pd.DataFrame:
    """Table teams: counts and ``score_<rule>`` of every team, and of human ones ``quartile_<rule>`` (1 to 4, 4 best).

    Rows are sorted by team. ``paper``: right buzzes (§5.1); ``rate``: those per question heard, nan (and
    quartile NA) where none was; ``release``: the sum over clue numbers of cumulative right buzzes. ``clues``:
    one segmentation, whose highest clue number is the last (13 in the released code).
    """
    placed_buzzes = buzzes.assign(clue=clues_module.assign_clues(clues, buzzes).to_numpy())
    kinds = pd.concat([exposures[["team", "kind"]], buzzes[["team", "kind"]]])
    table = kinds.drop_duplicates("team").set_index("team").sort_index()
    right = placed_buzzes[placed_buzzes["correct"]].groupby("team")["clue"]
    table["packets"] = exposures.groupby("team")["packet"].nunique()
    table["questions_heard"] = exposures.groupby("team").size()
    table["buzzes"] = buzzes.groupby("team").size()
    table["correct"] = right.size()
    table["clues"] = right.sum()
    counts = ["packets", "questions_heard", "buzzes", "correct", "clues"]
    table[counts] = table[counts].fillna(0).astype("int64")
    table["incorrect"] = table["buzzes"] - table["correct"]
    table["score_paper"] = table["correct"].astype(float)
    # A correct buzz in clue t is counted in the cumulative counts of clues t, t+1, …, T.
    n_numbers = int(clues["clue"].max())
    table["score_release"] = ((n_numbers + 1) * table["correct"] - table["clues"]).astype(float)
    heard = table["questions_heard"].where(table["questions_heard"] > 0)
    table["score_rate"] = table["correct"] / heard
    humans = table["kind"] == "human"
    for rule in RULES:
        column = pd.Series(pd.NA, index=table.index, dtype="Int64")
        scored = humans & table[f"score_{rule}"].notna()
        if scored.any():
            column[scored] = quartile(table.loc[scored, f"score_{rule}"])
        table[f"quartile_{rule}"] = column
    return table.reset_index()[store.columns("teams")]


def human_tables(
    clues: store.Stored,
    buzzes: store.Stored,
    exposures: store.Stored,
    memory: int,
    parts: Sequence[Path] | None = None,
) -> dict[str, Iterator[pd.DataFrame]]:
    """Tables team_responses, crowd and human_curve on the questions of ``clues``, each as pieces to write.

    The inputs are tables on disk, read some questions at a time as ``memory`` (MB) allows. ``parts``: files of the same
    tables on ranges of questions, which are then merged instead.
    """
    if parts:
        return {name: store.iter_shards(name, parts) for name in ("team_responses", "crowd", "human_curve")}
    tables = (clues, buzzes, exposures)
    ranges = store.question_ranges(tables, memory * ROWS_OF_A_MEGABYTE)
    # The last part stays at hand: where there is one alone, it is read once.
    read_part = lru_cache(maxsize=1)(lambda ends: store.read_questions(tables, ends))

    def pieces(*functions: Callable[..., pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for segmentation, function, ends in product(sorted(segmentations), functions, ranges):
            part_clues, *other_tables = read_part(ends)
            own_clues = part_clues[part_clues["segmentation"] == segmentation]
            if len(own_clues):
                yield function(own_clues, *other_tables)

    segmentations = {name for ends in ranges for name in read_part(ends)[0]["segmentation"].unique()}
    return {
        "team_responses": pieces(lambda clues, buzzes, _: team_responses(clues, buzzes)),
        "crowd": pieces(team_clue_counts),
        "human_curve": pieces(*(partial(human_curve, definitions=[name]) for name in sorted(CURVES))),
    }
