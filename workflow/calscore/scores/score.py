"""Scores per question and per study, from responses and human curves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..human import curves
from ..stats import resample
from . import metrics

SERIES = ["model", "elicitation", "reduction", "marks"]
"""What names one set of confidences: a model, how it was asked, how log-probabilities were reduced."""


def scored_rows(responses: pd.DataFrame, human_curve: pd.DataFrame) -> pd.DataFrame:
    """``responses`` with a confidence, and h in a column named after each h definition, nan where the curve lacks the clue.

    Sorted by segmentation, series, question and clue. A reply that could not be parsed has no confidence and no row.
    """
    rows = responses[responses["confidence"].notna()]
    wide = human_curve.pivot(
        index=["segmentation", "question_id", "clue"], columns="h_definition", values="h"
    )
    rows = rows.merge(
        wide.reset_index(),
        on=["segmentation", "question_id", "clue"],
        how="left",
        validate="many_to_one",
    )
    return rows.sort_values(
        ["segmentation", *SERIES, "question_id", "clue"], kind="stable", ignore_index=True
    )


class Clues(NamedTuple):
    """Scored clues of one segmentation as arrays of length N, sorted by series, question and clue.

    ``series``: S rows model, elicitation, reduction, marks; ``questions``: Q ids; ``number`` and ``question``: index of
    each clue's series and question in the two; ``clue`` from 1; ``g`` right or not, ``c`` confidence, ``h``: h definition
    → h.
    """

    segmentation: str
    series: pd.DataFrame
    questions: pd.Index
    number: np.ndarray
    question: np.ndarray
    clue: np.ndarray
    g: np.ndarray
    c: np.ndarray
    h: dict[str, np.ndarray]

    @property
    def shape(self) -> tuple[int, int]:
        """(S, Q)."""
        return len(self.series), len(self.questions)

    @property
    def cell(self) -> np.ndarray:
        """Index of each clue's series and question in a flat S × Q array, (N,)."""
        return self.number * len(self.questions) + self.question

    @property
    def starts(self) -> np.ndarray:
        """Index of the first clue of each question of each series; those that a series lacks are left out."""
        cell = self.cell
        return np.flatnonzero(np.append(True, cell[1:] != cell[:-1])[: len(cell)])

    def select(self, places: slice | np.ndarray) -> Clues:
        """The clues at ``places`` (a slice or mask); ``series`` and ``questions`` stay whole."""
        arrays = {name: getattr(self, name)[places] for name in ("number", "question", "clue", "g", "c")}
        return self._replace(**arrays, h={name: h[places] for name, h in self.h.items()})

    def restrict(self, questions: np.ndarray, series: np.ndarray) -> Clues:
        """The clues of questions in a mask (Q,) and of series at indices (k,), in their order; both are numbered anew."""
        place = np.full(len(self.series), -1)
        place[series] = np.arange(len(series))
        part = self.select(questions[self.question] & (place[self.number] >= 0))
        return part._replace(
            series=self.series.iloc[series].reset_index(drop=True),
            questions=self.questions[questions],
            number=place[part.number],
            question=(np.cumsum(questions) - 1)[part.question],
        )

    def spread(self, values: np.ndarray) -> np.ndarray:
        """``values`` of each question of each series (one for each of ``starts``) in an array (S, Q, 1), 0 elsewhere."""
        out = np.zeros(self.shape)
        out.ravel()[self.cell[self.starts]] = values
        return out[..., None]

    def scope(self, definition: str) -> slice | np.ndarray:
        """Index of the clues that ECE, Brier and accuracy run over: all (``paper``), else the last of each question."""
        if definition == "paper":
            return slice(None)
        return np.append(self.starts[1:], len(self.c))[: len(self.starts)] - 1


def clues_of(rows: pd.DataFrame) -> list[Clues]:
    """:class:`Clues` of each segmentation, sorted by its name; ``rows``: from :func:`scored_rows`."""
    parts = []
    for segmentation, rows_of_part in rows.groupby("segmentation", sort=True):
        series = rows_of_part[SERIES].drop_duplicates().sort_values(SERIES, ignore_index=True)
        questions = pd.Index(sorted(rows_of_part["question_id"].unique()))
        number = pd.MultiIndex.from_frame(series).get_indexer(pd.MultiIndex.from_frame(rows_of_part[SERIES]))
        h = {name: rows_of_part[name].to_numpy() for name in curves.H_DEFINITIONS if name in rows_of_part}
        g = rows_of_part["correct"].to_numpy(dtype=bool)
        c = rows_of_part["confidence"].to_numpy(dtype=float)
        place = questions.get_indexer(rows_of_part["question_id"])
        clue = rows_of_part["clue"].to_numpy()
        parts.append(Clues(segmentation, series, questions, number, place, clue, g, c, h))
    return parts


def scored_clues(rows: pd.DataFrame, definition: str) -> pd.DataFrame:
    """Rows that ECE, Brier and accuracy run over, of :func:`scored_rows`: all (``paper``), or each question's last."""
    if definition == "paper":
        return rows
    return rows.drop_duplicates(["segmentation", *SERIES, "question_id"], keep="last")


def bin_edges_of(definition: str) -> str:
    """Bin edges of the ECE for :func:`.metrics.confidence_bins`: ``released`` under definition release, else ``exact``."""
    return "released" if definition == "release" else "exact"


class Tally(NamedTuple):
    """Per-question sums of the metrics at place scores that have the definition, for all series of one segmentation.

    ``series``: a frame of :data:`SERIES`, one row per series; ``questions``: the Q question ids; ``clues``: what
    they come from; ``sums``: metric → :class:`calscore.stats.resample.Sums`.
    """

    segmentation: str
    definition: str
    series: pd.DataFrame
    questions: pd.Index
    clues: Clues
    sums: dict[str, resample.Sums]


def tally_metrics(clues: Clues, definition: str, scored: dict[str, np.ndarray]) -> Tally:
    """The :class:`Tally` of the metrics of a definition; ``scored``: metric over questions → its scores (S, Q, 1).

    ECE, Brier and accuracy are ratios of sums over the clues of :meth:`Clues.scope`; MCE, CalScore and SH are means
    over questions.
    """
    in_scope, shape = clues.scope(definition), clues.shape
    cell, g, c = clues.cell[in_scope], clues.g[in_scope].astype(float), clues.c[in_scope]
    size = shape[0] * shape[1]
    count = np.bincount(cell, minlength=size).reshape(shape).astype(float)
    present = (count > 0).astype(float)
    sums = {}
    for metric in metrics.metrics_for("scores"):
        if definition not in metric.definitions:
            continue
        if metric.over == "questions":
            sums[metric.name] = resample.Sums(scored[metric.name], present)
        else:
            place, n = cell, 1
            if metric.over == "bins":
                n = metrics.N_BINS
                place = cell * n + metrics.confidence_bins(c, bin_edges_of(definition))
            total = np.bincount(place, metric.function(g, c), size * n)
            sums[metric.name] = resample.Sums(total.reshape(*shape, n), count)
    return Tally(clues.segmentation, definition, clues.series, clues.questions, clues, sums)


def iter_tallies(clues: Clues) -> Iterator[Tally]:
    """Yields the :class:`Tally` of each definition, ``paper`` first; ``ValueError`` unless every h is in [0, 1]."""
    starts = clues.starts
    wanted = [metric for metric in metrics.metrics_for("scores") if metric.over == "questions"]
    g = clues.g.astype(float)
    forms = {
        f"sh_{form}": clues.spread(metrics.sh_score(g, clues.c, clues.h["heard"], starts, form))
        for form in metrics.SH_FORMS
    }
    for definition, h_definition in metrics.DEFINITIONS.items():
        own = [m for m in wanted if not m.curve and definition in m.definitions]
        h = clues.h[h_definition]
        values = metrics.per_question(own, clues.g, clues.c, h, starts, definition)
        # Rounding can leave a bound by one unit in the last place.
        scored = {m.name: clues.spread(np.clip(values[m.name], m.least, m.greatest)) for m in own}
        yield tally_metrics(clues, definition, scored | forms)


def has_shown_reduction(series: pd.DataFrame, reductions: list[str]) -> np.ndarray:
    """Mask of the rows of ``series``: the reduction is the first of ``reductions`` (then ``stated``) that model and
    elicitation have. Others, and rows without a known reduction, are False."""
    order = {name: rank for rank, name in enumerate([*reductions, "stated"])}
    rank = series["reduction"].map(order)
    return (rank == rank.groupby([series["model"], series["elicitation"]]).transform("min")).to_numpy()


def series_pairs(series: pd.DataFrame, reductions: list[str]) -> pd.DataFrame:
    """Frame a, b, kind, shown of the pairs of rows of ``series`` that are compared: row numbers a < b from 0.

    ``shown``: whether both have the reduction shown first. Values of ``kind`` are:

    ``models``: two models asked alike, with one reduction or each with the shown one; ``elicitations``: a
    model asked in two ways; ``judges``: the same answers under two judges. Only the last differ in ``marks``;
    the last two are shown ones.
    """
    places = resample.index_pairs(len(series))
    a, b = series.iloc[places[:, 0]], series.iloc[places[:, 1]]
    a, b = a.reset_index(drop=True), b.reset_index(drop=True)
    default_reduction = has_shown_reduction(series, reductions)
    both_default = default_reduction[places].all(axis=1)
    equal = a[SERIES] == b[SERIES]
    models = ~equal["model"] & equal["elicitation"] & equal["marks"] & (equal["reduction"] | both_default)
    elicitations = equal["model"] & ~equal["elicitation"] & equal["marks"] & both_default
    judged = equal["model"] & equal["elicitation"] & equal["reduction"] & ~equal["marks"] & both_default
    kind = np.select([models, elicitations, judged], ["models", "elicitations", "judges"], "")
    table = pd.DataFrame({"a": places[:, 0], "b": places[:, 1], "kind": kind, "shown": both_default})
    return table[table["kind"] != ""].reset_index(drop=True)
