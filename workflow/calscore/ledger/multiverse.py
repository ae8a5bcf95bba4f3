"""Which computation printed what: every reading of a declared grid against the printed columns.

The grid stands in ``readings.yaml``: groups of metrics, dimensions, values. :func:`scores_under_variants` scores the
study's runs under all of them and never sees a printed number; :func:`rank_variants` sets what came out beside the
cells of the published file. Runs are those that came with their source's mark; each model keeps its own cuts.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..core.package import FOLDER
from ..scores import metrics
from .printed_cells import AS_PRINTED, EXCHANGED, Cell, cells
from .rounding import Runs, errors, rounding_range, score, weights_of

FIFTHS = 5
_TIE = 1e-9
ERRORS = ("mce", "calscore")
H_DIMENSIONS = ("h_definition", "h_source", "h_counted", "h_since", "h_positions")
DIMENSIONS = ("form", "clues", "marks", "edges", *H_DIMENSIONS, "share", "fifth", "below")


@cache
def variant_grid() -> dict[str, dict]:
    """Group of metrics → dimension → value → what it means; of ``error``, h has its own dimensions."""
    import yaml

    text = (FOLDER / "ledger" / "readings.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)


def in_words(reading: dict) -> str:
    """What a row of tables/readings computes, dimension by dimension."""
    group = variant_grid()["error" if reading["read_as"] in ERRORS else reading["read_as"]]
    meaning = {**group, **group.get("h", {})}
    chosen = ((name, reading[name]) for name in DIMENSIONS if name in meaning)
    return "; ".join(meaning[name][value] for name, value in chosen if isinstance(value, str))


class VariantScores(NamedTuple):
    """Scores of one group: ``readings`` (a dict of dimensions each) × cells (``keys``)."""

    readings: list[dict]
    keys: list[dict]
    values: np.ndarray


def _all_of(dimensions: dict, runs: Runs | None = None) -> list[dict]:
    """Every combination; of judges those that ``runs`` have."""
    names, values = list(dimensions), [list(one) for one in dimensions.values()]
    if "marks" in names:
        at = names.index("marks")
        values[at] = [one for one in values[at] if one in runs.right]
    return [dict(zip(names, some, strict=True)) for some in product(*values)]


# --- the human side --------------------------------------------------------------------------


class _Buzzes:
    """Human buzzes of one source, counted up to the end of every run."""

    def __init__(self, buzzes: pd.DataFrame, runs: Runs):
        human = buzzes[(buzzes["kind"] == "human") & buzzes["question_id"].isin(runs.questions)]
        # Tables are sorted by team; the source lists buzzes in an order of its own.
        entry = human["source_row"].astype(str).str.extract(r"(\d+)$")[0].astype(float)
        human = human.assign(entry=entry).sort_values(["question_id", "word_index", "entry"])
        self.runs = runs
        self.question = np.searchsorted(runs.questions, human["question_id"].to_numpy(dtype=object))
        self.word = human["word_index"].to_numpy()
        self.right = human["correct"].to_numpy(dtype=bool)
        place = human[["question_id", "word_index"]]
        self.kept = {
            "all": np.ones(len(human), bool),
            "first": ~place.duplicated().to_numpy(),
            "last": ~place.duplicated(keep="last").to_numpy(),
        }
        self.step = int(runs.words.max()) + 2

    def per_question(self, keep) -> np.ndarray:
        return np.bincount(self.question[keep], minlength=len(self.runs.questions))

    def up_to(self, keep, end) -> np.ndarray:
        """Buzzes of ``keep`` on a run's question at word ``end`` or before, for each run."""
        places = np.sort(self.question[keep] * self.step + self.word[keep])
        first = self.runs.question * self.step
        return np.searchsorted(places, first + end, "right") - np.searchsorted(
            places, first, "left"
        )

    def h(self, teams: dict[str, np.ndarray], reading: dict) -> np.ndarray:
        runs, keep = self.runs, self.kept[reading["h_positions"]]
        end, live = runs.end, keep
        if reading["h_counted"] == "next_run":
            end = end - 1
        elif reading["h_counted"] == "before_end":
            live = keep & (self.word < runs.words[self.question] - 1)
        right = self.up_to(live & self.right, end)
        name = reading["h_definition"]
        if name == "buzzed_so_far":
            total = self.up_to(live, end)
        elif name == "buzzed_on_question":
            total = self.per_question(self.kept["all"])[runs.question]
        elif name == "positions_on_question":
            total = self.per_question(self.kept["first"])[runs.question]
        else:
            total = teams[name][runs.question]
        if reading["h_since"] == "run":
            right = right - np.where(runs.first, 0, np.roll(right, 1))
        return np.minimum(np.divide(right, total, out=np.zeros(len(right)), where=total > 0), 1.0)


class HumanCurveVariants:
    """The human side of every run: whose buzzes, and how many teams there are to each question."""

    def __init__(self, runs: Runs, buzzes, output_buzzes, exposures):
        human = exposures[exposures["kind"] == "human"]
        heard = human.groupby("question_id")["team"].nunique()
        self.teams = {
            "heard": heard.reindex(runs.questions, fill_value=0).to_numpy(),
            "all_teams": np.full(len(runs.questions), human["team"].nunique()),
        }
        tables = {"release": buzzes, "outputs": output_buzzes}
        self.sources = {n: _Buzzes(one, runs) for n, one in tables.items() if one is not None}

    def h(self, reading: dict) -> np.ndarray:
        return self.sources[reading["h_source"]].h(self.teams, reading)


# --- the groups ------------------------------------------------------------------------------


def _of_errors(runs, humans: HumanCurveVariants) -> tuple[list[dict], np.ndarray]:
    """Readings of MCE and CalScore, and their scores of each series (model × question)."""
    dimensions = dict(variant_grid()["error"])
    h_dimensions = dimensions.pop("h")
    human = [(dict.fromkeys(h_dimensions), np.zeros(len(runs.end)))]
    human += [
        (one, humans.h(one)) for one in _all_of(h_dimensions) if one["h_source"] in humans.sources
    ]
    readings, values = [], []
    for one in _all_of(dimensions, runs):
        for place, h in human:
            weight = weights_of(runs.right[one["marks"]], 1.0 - h, one["form"])
            readings.append({"metric": "calscore" if place["h_source"] else "mce", **one, **place})
            values.append(errors(runs, weight * runs.confidence, one["form"], one["clues"]))
    return readings, np.array(values)


def _fifths(share, reading: dict) -> np.ndarray:
    """The fifth (1 to 5) that each run counts in, 0 for none."""
    exact = share * FIFTHS
    whole = np.floor(exact + _TIE)
    found = {
        "nearest_up": np.floor(exact + 0.5 + _TIE),
        "nearest_down": np.ceil(exact - 0.5 - _TIE),
        "nearest_even": np.rint(np.round(exact, 9)),
        "whole": whole,
        "begun": np.ceil(exact - _TIE),
    }[reading["fifth"]]
    return np.maximum(found, 1.0) if reading["below"] == "first" else found


def _accuracy(runs: Runs, reading: dict, models) -> np.ndarray:
    share = {
        "runs": (runs.index + 1) / runs.size,
        "runs_before": runs.index / runs.size,
        "words": (runs.end + 1) / runs.words[runs.question],
    }[reading["share"]]
    right, found = runs.right[reading["marks"]], []
    series = runs.series
    for model in models:
        mine = runs.model == model
        for fifth in range(1, FIFTHS + 1):
            if reading["fifth"] in ("last_run", "first_run"):
                last = reading["fifth"] == "last_run"
                near = share <= fifth / FIFTHS + _TIE if last else share >= fifth / FIFTHS - _TIE
                at = np.flatnonzero(mine & near)
                _, where = np.unique(series[at][::-1] if last else series[at], return_index=True)
                at = at[::-1][where] if last else at[where]
            else:
                at = np.flatnonzero(mine & (_fifths(share, reading) == fifth))
            found.append(right[at].mean() if len(at) else np.nan)
    return np.array(found)


def scores_under_variants(
    runs: Runs, questions, humans: HumanCurveVariants
) -> dict[str, VariantScores]:
    """Group → its scores under every reading: ``brier``, ``ece``, ``error`` (benchmark), ``category``, ``accuracy``."""
    models = sorted(set(runs.model))
    keys = [{"model": model} for model in models]
    found = {}
    for name, of in (("brier", metrics.brier), ("ece", metrics.ece)):
        readings, values = _all_of(variant_grid()[name], runs), []
        for one in readings:
            chosen = runs.chosen(one["clues"])
            edges = [one["edges"]] if "edges" in one else []
            right = runs.right[one["marks"]]
            values.append(
                [
                    of(right[at].astype(float), runs.confidence[at], *edges)
                    for at in (chosen[runs.model[chosen] == model] for model in models)
                ]
            )
        found[name] = VariantScores(
            [{"metric": name, **one} for one in readings], keys, np.array(values)
        )
    readings, values = _of_errors(runs, humans)
    category = questions.set_index("question_id")["category"].reindex(runs.questions).to_numpy()
    for name, labels in (("error", None), ("category", category[runs.question[runs.starts]])):
        places = [
            {"model": model} if labels is None else {"model": model, "category": one}
            for model in models
            for one in ([None] if labels is None else sorted(set(category)))
        ]
        means = np.empty((len(places), len(runs.starts)))
        for row, place in enumerate(places):
            mine = runs.model[runs.starts] == place["model"]
            mine = mine if labels is None else mine & (labels == place["category"])
            means[row] = mine / max(mine.sum(), 1)
        found[name] = VariantScores(readings, places, values @ means.T)
    readings = [{"metric": "accuracy", **one} for one in _accuracy_readings(runs)]
    places = [
        {"model": model, "share": str(100 * fifth // FIFTHS)}
        for model in models
        for fifth in range(1, FIFTHS + 1)
    ]
    values = np.array([_accuracy(runs, one, models) for one in readings])
    found["accuracy"] = VariantScores(readings, places, values)
    return found


def _accuracy_readings(runs) -> list[dict]:
    """Runs below the first fifth are only where every run counts somewhere."""
    found = []
    for one in _all_of(variant_grid()["accuracy"], runs):
        if one["fifth"] in ("last_run", "first_run"):
            if one["below"] != "first":
                continue
            one = one | {"below": None}
        found.append(one)
    return found


# --- held against what is printed ------------------------------------------------------------


def _columns(published: dict) -> dict[tuple[str, str], list[Cell]]:
    """(table, metric) → its printed cells that a reading of log-probabilities can give."""
    found: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells(published):
        if cell.of_the_study and cell.keys.get("elicitation", "logit") == "logit":
            found.setdefault((cell.table, cell.metric), []).append(cell)
    return found


def _group(cell: Cell) -> str:
    if cell.metric in ERRORS:
        return "category" if "category" in cell.keys else "error"
    return cell.metric


def name_of(reading: dict) -> str:
    """A reading as one text: its metric and the values of its dimensions."""
    parts = [reading["metric"], *(reading.get(name) for name in DIMENSIONS)]
    return " · ".join(part for part in parts if part)


def _exchanged(heading: str, metric: str) -> str | None:
    if heading not in ERRORS:
        return None
    return AS_PRINTED if heading == metric else EXCHANGED


def rank_variants(found: dict[str, VariantScores], published: dict) -> tuple[pd.DataFrame, dict]:
    """readings.csv, and (table, metric) → the place of its best reading in its group.

    ``within``: cells at most half a unit of the last printed digit off. Best: the smallest mean deviation,
    then the smallest largest one, then the order of the grid.
    """
    rows, best = [], {}
    for (table, metric), column in _columns(published).items():
        group = found.get(_group(column[0]))
        at = [_place(group, cell) for cell in column] if group else [None]
        if None in at:
            continue
        off = np.abs(group.values[:, at] - _printed(column))
        half = np.array([(cell.high - cell.low) / 2 for cell in column])
        frame = pd.DataFrame(group.readings).reindex(columns=["metric", *DIMENSIONS])
        frame = frame.rename(columns={"metric": "read_as"}).assign(
            table=table,
            metric=metric,
            reading=[name_of(one) for one in group.readings],
            columns=[_exchanged(metric, one["metric"]) for one in group.readings],
            cells=len(column),
            within=(off <= half + _TIE).sum(axis=1),
            deviation_max=off.max(axis=1),
            deviation_mean=off.mean(axis=1),
            tried=len(group.readings),
        )
        frame = frame[frame["deviation_mean"].notna()]
        order = frame.sort_values(["deviation_mean", "deviation_max"], kind="stable")
        best[table, metric] = int(order.index[0])
        rows.append(order.assign(rank=range(1, len(order) + 1)))
    table = pd.concat(rows, ignore_index=True) if rows else None
    return store.frame(table, "readings") if rows else store.empty("readings"), best


def _printed(column: list[Cell]) -> np.ndarray:
    return np.array([(cell.low + cell.high) / 2 for cell in column])


def _place(group: VariantScores, cell: Cell) -> int | None:
    keys = {axis: cell.keys[axis] for axis in ("model", "category", "share") if axis in cell.keys}
    return next((i for i, place in enumerate(group.keys) if place == keys), None)


# --- what the rounding of confidences allows ----------------------------------------------------


class _Open:
    """How far the rounding of confidences leaves the score of a cell under a reading."""

    def __init__(self, runs: Runs, questions, humans: HumanCurveVariants):
        self.runs, self.humans = runs, humans
        category = questions.set_index("question_id")["category"].reindex(runs.questions)
        self.category = category.to_numpy()[runs.question]

    def score(self, reading: dict, keys: dict) -> tuple[float, float, float]:
        """The score, its least and its greatest value."""
        runs = self.runs
        at = runs.chosen(reading["clues"])
        at = at[runs.model[at] == keys["model"]]
        if "category" in keys:
            at = at[self.category[at] == keys["category"]]
        right, of = runs.right[reading["marks"]][at], ()
        if reading["metric"] in ERRORS:
            share = np.ones(len(runs.end))
            if reading.get("h_source"):
                share = 1.0 - self.humans.h(reading)
            series = np.unique(runs.series[at], return_inverse=True)[1]
            of = series, share[at], reading["form"]
        ends = rounding_range(reading["metric"], right, runs.logprob[at], *of)
        return score(reading["metric"], right, runs.confidence[at], *of), *ends


def _of_definition(definition: str, metric: str, marks: str, source: str) -> dict:
    """The reading that a metric has under a named definition, with the buzzes of ``source``."""
    clues = "last" if definition == "release" and metric in ("brier", "ece") else "all"
    reading = {"metric": metric, "clues": clues, "marks": marks}
    if metric in ERRORS:
        reading["form"] = definition
    if metric == "calscore":
        first = dict(zip(H_DIMENSIONS, ("", source, "in_run", "start", "all"), strict=True))
        reading |= first | {"h_definition": metrics.DEFINITIONS[definition]}
    return reading


def _rounding_rows(open_: _Open) -> list[dict]:
    rows = []
    for marks, definition, metric in product(
        open_.runs.right, metrics.DEFINITIONS, ("brier", "ece", *ERRORS)
    ):
        reading = _of_definition(definition, metric, marks, next(iter(open_.humans.sources)))
        for model in sorted(set(open_.runs.model)):
            value, low, high = open_.score(reading, {"model": model})
            place = {"model": model, "marks": marks, "definition": definition, "metric": metric}
            rows.append(place | {"value": value, "low": low, "high": high})
    return rows


def _cell_rows(
    found: dict[str, VariantScores], best: dict, published: dict, open_: _Open
) -> list[dict]:
    """Every printed cell beside what the best reading of its column gives."""
    rows = []
    for (table, metric), column in _columns(published).items():
        if (table, metric) not in best:
            continue
        group = found[_group(column[0])]
        reading = group.readings[best[table, metric]]
        for cell in column:
            place = _place(group, cell)
            value = float(group.values[best[table, metric], place])
            low = high = value
            if metric != "accuracy":
                _, low, high = open_.score(reading, group.keys[place])
            printed = (cell.low + cell.high) / 2
            rows.append(
                {"table": table, "cell": cell.name, **group.keys[place], "metric": metric}
                | {"reading": name_of(reading), "printed": cell.text, "recomputed": value}
                | {"deviation": value - printed, "low": low, "high": high}
                | {"within": bool(cell.low - _TIE <= value <= cell.high + _TIE)}
                | {"allowed": bool(low <= cell.high + _TIE and cell.low - _TIE <= high)}
            )
    return rows


def tables(
    published: dict,
    guesses,
    judgements,
    questions,
    buzzes,
    output_buzzes,
    exposures,
    human_buzzes: str,
) -> dict:
    """The tables readings, reading_cells and rounding. Printed numbers enter after all is recomputed.

    ``human_buzzes``: whose buzzes ``buzzes`` are; where they are the outputs', the release's are not at hand.
    """
    if human_buzzes == "outputs":
        buzzes = None
    runs = Runs.of(guesses, judgements, questions)
    humans = HumanCurveVariants(runs, buzzes, output_buzzes, exposures)
    found = scores_under_variants(runs, questions, humans)
    open_ = _Open(runs, questions, humans)
    rounding = store.frame(_rounding_rows(open_), "rounding")
    every, best = rank_variants(found, published)
    cells_ = store.frame(_cell_rows(found, best, published, open_), "reading_cells")
    return {"readings": every, "reading_cells": cells_, "rounding": rounding}
