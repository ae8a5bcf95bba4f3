"""Which computation printed what: every reading of a declared grid against the printed columns.

The grid stands in ``readings.yaml``: groups of metrics, dimensions, values. :func:`scores_under_variants` scores the
study's runs under all of them and never sees a printed number; :func:`rank_readings` sets what came out beside the
cells of the published file. Runs are those that came with their source's mark; each model keeps its own cuts.
"""

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..core.package import FOLDER
from ..scores import metrics
from ..stats.proportions import ratio
from .printed_cells import AS_PRINTED, EXCHANGED, Cell, cells
from .rounding import Runs, rounding_range, score, series_errors, signed_weights

FIFTHS = 5
_TIE = 1e-9
ERRORS = ("mce", "calscore")
H_DIMENSIONS = ("h_definition", "h_source", "h_counted", "h_since", "h_positions")
DIMENSIONS = ("form", "clues", "marks", "edges", *H_DIMENSIONS, "share", "fifth", "below")


@cache
def variant_grid() -> dict[str, dict]:
    """Group of metrics → dimension → value → its meaning. In group ``error``, ``h`` → dimensions of h → value → meaning."""
    import yaml

    text = (FOLDER / "ledger" / "readings.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)


def describe_reading(reading: dict) -> str:
    """Meanings of the values of a row of tables/readings, joined by semicolons; dimensions without a value are left out."""
    group = variant_grid()["error" if reading["read_as"] in ERRORS else reading["read_as"]]
    meaning = {**group, **group.get("h", {})}
    chosen = ((name, reading[name]) for name in DIMENSIONS if name in meaning)
    return "; ".join(meaning[name][value] for name, value in chosen if isinstance(value, str))


class VariantScores(NamedTuple):
    """Scores ``values`` (readings, cells); of a model without runs in a fifth nan, in a category 0.
    ``readings``: metric and dimension → value; ``keys`` of a cell: model, and perhaps category or share."""

    readings: list[dict]
    keys: list[dict]
    values: np.ndarray


def _combinations(dimensions: dict[str, dict], runs: Runs | None = None) -> list[dict[str, str]]:
    """Every combination of one value of each dimension: dimension → value; of judges only those that ``runs`` have."""
    names, values = list(dimensions), [list(value) for value in dimensions.values()]
    if "marks" in names:
        position = names.index("marks")
        values[position] = [value for value in values[position] if value in runs.right]
    return [dict(zip(names, choice, strict=True)) for choice in product(*values)]


# --- the human side --------------------------------------------------------------------------


class HumanCurveVariants:
    """h of every run under each reading: whose buzzes are counted, how, and over which total.

    ``sources``: name → its human buzzes in order, with their ``question`` (an index), ``word``, whether ``right``, and
    whether a value of h_positions counts them. ``totals``: source → h_definition → its denominator for each question.
    """

    def __init__(
        self,
        runs: Runs,
        buzzes: pd.DataFrame | None,
        output_buzzes: pd.DataFrame | None,
        exposures: pd.DataFrame,
    ):
        self.runs = runs
        human = exposures[exposures["kind"] == "human"]
        heard = human.groupby("question_id")["team"].nunique()
        teams = {
            "heard": heard.reindex(runs.questions, fill_value=0).to_numpy(),
            "all_teams": np.full(len(runs.questions), human["team"].nunique()),
        }
        tables = {"release": buzzes, "outputs": output_buzzes}
        self.sources = {n: self._human(table) for n, table in tables.items() if table is not None}
        self.totals = {}
        for name, own in self.sources.items():
            counted = {"buzzed_on_question": own, "positions_on_question": own[own["first"]]}
            self.totals[name] = teams | {
                definition: np.bincount(rows["question"], minlength=len(runs.questions))
                for definition, rows in counted.items()
            }

    def _human(self, buzzes: pd.DataFrame) -> pd.DataFrame:
        """The entry of ``sources`` for the buzzes of one source."""
        questions = self.runs.questions
        human = buzzes[(buzzes["kind"] == "human") & buzzes["question_id"].isin(questions)]
        # Tables are sorted by team; the source lists buzzes in an order of its own.
        entry = human["source_row"].astype(str).str.extract(r"(\d+)$")[0].astype(float)
        human = human.assign(entry=entry).sort_values(["question_id", "word_index", "entry"])
        place = human[["question_id", "word_index"]]
        return pd.DataFrame(
            {
                "question": np.searchsorted(questions, human["question_id"].to_numpy(dtype=object)),
                "word": human["word_index"],
                "right": human["correct"].astype(bool),
                "all": True,
                "first": ~place.duplicated(),
                "last": ~place.duplicated(keep="last"),
            }
        )

    def _up_to(self, buzzes: pd.DataFrame, end: np.ndarray) -> np.ndarray:
        """For each run, the number of ``buzzes`` on its question at word ``end`` (runs,), from 0, or before."""
        step = int(self.runs.words.max()) + 2
        places = np.sort(buzzes["question"] * step + buzzes["word"])
        start = self.runs.question * step
        return np.searchsorted(places, start + end, "right") - np.searchsorted(places, start)

    def h(self, reading: dict) -> np.ndarray:
        """h (runs,) under a ``reading`` (:data:`H_DIMENSIONS` → value): right buzzes so far, or in this run,
        over its total; at most 1, 0 over 0. ``KeyError`` if its source is none of ``sources``."""
        runs, own = self.runs, self.sources[reading["h_source"]]
        buzzes, end = own[own[reading["h_positions"]]], runs.end
        if reading["h_counted"] == "next_run":
            end = end - 1
        elif reading["h_counted"] == "before_end":
            buzzes = buzzes[buzzes["word"] < runs.words[buzzes["question"]] - 1]
        right = self._up_to(buzzes[buzzes["right"]], end)
        if reading["h_definition"] == "buzzed_so_far":
            total = self._up_to(buzzes, end)
        else:
            total = self.totals[reading["h_source"]][reading["h_definition"]][runs.question]
        if reading["h_since"] == "run":
            right = right - np.where(runs.index == 0, 0, np.roll(right, 1))
        return np.minimum(np.divide(right, total, out=np.zeros(len(right)), where=total > 0), 1.0)


# --- the groups ------------------------------------------------------------------------------


def _score_errors(runs: Runs, humans: HumanCurveVariants) -> tuple[list[dict], np.ndarray]:
    """(readings of MCE and CalScore, their errors (readings, series)); a series is a model's runs on a question."""
    dimensions = dict(variant_grid()["error"])
    h_dimensions = dimensions.pop("h")
    human = [(dict.fromkeys(h_dimensions), np.zeros(len(runs.end)))]
    human += [
        (variant, humans.h(variant))
        for variant in _combinations(h_dimensions)
        if variant["h_source"] in humans.sources
    ]
    readings, values = [], []
    for variant in _combinations(dimensions, runs):
        rows, form = runs.rows_of(variant["clues"]), variant["form"]
        right, c = runs.right[variant["marks"]][rows], runs.confidence[rows]
        for place, h in human:
            metric = "calscore" if place["h_source"] else "mce"
            readings.append({"metric": metric, **variant, **place})
            terms = signed_weights(right, 1.0 - h[rows], form) * c
            values.append(series_errors(terms, runs.series[rows], form))
    return readings, np.array(values)


def _fifths(share: np.ndarray, reading: dict[str, str]) -> np.ndarray:
    """The fifth (1 to 5) of the question that each run counts in, at ``share`` (runs,) of it; 0 for none."""
    exact = share * FIFTHS
    fifth = {
        "nearest_up": np.floor(exact + 0.5 + _TIE),
        "nearest_down": np.ceil(exact - 0.5 - _TIE),
        "nearest_even": np.rint(np.round(exact, 9)),
        "whole": np.floor(exact + _TIE),
        "begun": np.ceil(exact - _TIE),
    }[reading["fifth"]]
    return np.maximum(fifth, 1.0) if reading["below"] == "first" else fifth


def _accuracy(runs: Runs, reading: dict, models: list[str]) -> list[float]:
    """Share right of each model in each fifth of the question under a reading: five values per model; nan without runs."""
    share = {
        "runs": (runs.index + 1) / runs.size,
        "runs_before": runs.index / runs.size,
        "words": (runs.end + 1) / runs.words[runs.question],
    }[reading["share"]]
    edge = {"last_run": {"append": -1}, "first_run": {"prepend": -1}}.get(reading["fifth"])
    fifths = None if edge else _fifths(share, reading)
    right, accuracies = runs.right[reading["marks"]], []
    of_model = {model: runs.model == model for model in models}
    for model, fifth in product(models, range(1, FIFTHS + 1)):
        if reading["fifth"] == "last_run":
            near = share <= fifth / FIFTHS + _TIE
        elif reading["fifth"] == "first_run":
            near = share >= fifth / FIFTHS - _TIE
        else:
            near = fifths == fifth
        rows = np.flatnonzero(of_model[model] & near)
        if edge:
            rows = rows[np.diff(runs.series[rows], **edge) != 0]
        accuracies.append(right[rows].mean() if len(rows) else np.nan)
    return accuracies


def scores_under_variants(runs: Runs, humans: HumanCurveVariants) -> dict[str, VariantScores]:
    """Group → its scores under every reading: ``brier``, ``ece`` and ``error`` (MCE and CalScore) by model, ``category`` (the
    same errors by model and category), ``accuracy`` by model and fifth; nan where a model has no runs."""
    models = sorted(set(runs.model))
    of_models = [{"model": model} for model in models]
    groups = {}
    for name, metric_function in (("brier", metrics.brier), ("ece", metrics.ece)):
        readings = [{"metric": name, **variant} for variant in _combinations(variant_grid()[name], runs)]
        values = np.empty((len(readings), len(models)))
        for (row, reading), (column, model) in product(enumerate(readings), enumerate(models)):
            edges = [reading["edges"]] if "edges" in reading else []
            rows = runs.rows_of(reading["clues"], model)
            right = runs.right[reading["marks"]][rows].astype(float)
            values[row, column] = metric_function(right, runs.confidence[rows], *edges)
        groups[name] = VariantScores(readings, of_models, values)
    readings, values = _score_errors(runs, humans)
    of_categories = [
        {"model": model, "category": category}
        for model, category in product(models, sorted(set(runs.category)))
    ]
    series = {"model": runs.model[runs.starts]}
    series["category"] = runs.category[runs.question[runs.starts]]
    for name, places in (("error", of_models), ("category", of_categories)):
        own = np.array([[series[k] == v for k, v in place.items()] for place in places]).all(axis=1)
        means = ratio(own, own.sum(axis=1, keepdims=True))
        groups[name] = VariantScores(readings, places, values @ means.T)
    readings = [{"metric": "accuracy", **variant} for variant in _accuracy_readings(runs)]
    places = [
        {"model": model, "share": str(100 * fifth // FIFTHS)}
        for model, fifth in product(models, range(1, FIFTHS + 1))
    ]
    values = np.array([_accuracy(runs, variant, models) for variant in readings])
    groups["accuracy"] = VariantScores(readings, places, values)
    return groups


def _accuracy_readings(runs: Runs) -> list[dict]:
    """Readings of accuracy; runs below the first fifth are a choice only where every run counts somewhere."""
    variants = _combinations(variant_grid()["accuracy"], runs)
    for variant in variants:
        if variant["fifth"] in ("last_run", "first_run"):
            variant["below"] = None if variant["below"] == "first" else "no choice"
    return [variant for variant in variants if variant["below"] != "no choice"]


# --- held against what is printed ------------------------------------------------------------


def _columns(
    groups: dict[str, VariantScores], published: dict
) -> dict[tuple[str, str], tuple[list[Cell], VariantScores, list[int]]]:
    """(table, metric) → (printed cells that a reading of log-probabilities can give, their group of scores, their columns in its
    ``values``); without columns of which a group lacks a cell or no reading has a score of every cell."""
    columns: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells(published):
        if cell.of_the_study and cell.keys.get("elicitation", "logit") == "logit":
            columns.setdefault((cell.table, cell.metric), []).append(cell)
    testable = {}
    for (table, metric), column in columns.items():
        error = "category" if "category" in column[0].keys else "error"
        group = groups.get(error if metric in ERRORS else metric)
        axes = ("model", "category", "share")
        keys = [{k: cell.keys[k] for k in axes if k in cell.keys} for cell in column]
        if group and all(place in group.keys for place in keys):
            positions = [group.keys.index(place) for place in keys]
            if not np.isnan(group.values[:, positions]).any(axis=1).all():
                testable[table, metric] = column, group, positions
    return testable


def reading_name(reading: dict) -> str:
    """A reading as one text: its metric and the values of its dimensions, joined by ``·``, without those that it lacks."""
    parts = [reading["metric"], *(reading.get(name) for name in DIMENSIONS)]
    return " · ".join(part for part in parts if part)


def rank_readings(
    groups: dict[str, VariantScores], published: dict
) -> tuple[pd.DataFrame, dict[tuple[str, str], int]]:
    """(table readings, (table, metric) → the index of its best reading in its group).

    ``within``: number of cells at most half a unit of the last printed digit off. Readings are ranked by mean deviation,
    then by the largest one, then in order of the grid; one with a nan score has no row, but counts in ``tried``.
    """
    rows, best = [], {}
    for (table, metric), (column, group, positions) in _columns(groups, published).items():
        low, high = np.array([(cell.low, cell.high) for cell in column]).T
        off = np.abs(group.values[:, positions] - (low + high) / 2)
        half = (high - low) / 2
        frame = pd.DataFrame(group.readings).reindex(columns=["metric", *DIMENSIONS])
        frame = frame.rename(columns={"metric": "read_as"}).assign(
            table=table,
            metric=metric,
            reading=[reading_name(variant) for variant in group.readings],
            columns=[
                (AS_PRINTED if metric == variant["metric"] else EXCHANGED) if metric in ERRORS else None
                for variant in group.readings
            ],
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


# --- what the rounding of confidences allows ----------------------------------------------------


def _rounded_score(humans: HumanCurveVariants, reading: dict, keys: dict) -> tuple[float, float, float]:
    """(score, low, high) of a model, or of its questions of a category, under a reading. low and high: the range of scores over
    all confidences that are printed alike. ``keys``: model and perhaps category."""
    runs = humans.runs
    rows = runs.rows_of(reading["clues"], **keys)
    right, extra = runs.right[reading["marks"]][rows], ()
    if reading["metric"] in ERRORS:
        share = 1.0 - humans.h(reading)[rows] if reading.get("h_source") else 1.0
        extra = runs.series[rows], share, reading["form"]
    ends = rounding_range(reading["metric"], right, runs.logprob[rows], *extra)
    return score(reading["metric"], right, runs.confidence[rows], *extra), *ends


def _definition_reading(definition: str, metric: str, marks: str, source: str) -> dict:
    """The reading (dimension → value) that a metric has under a named definition, with the buzzes of ``source``."""
    clues = "last" if definition == "release" and metric in ("brier", "ece") else "all"
    h = metrics.DEFINITIONS[definition], source, "in_run", "start", "all"
    h = h if metric == "calscore" else [None] * len(H_DIMENSIONS)
    reading = {"metric": metric, "form": definition, "clues": clues, "marks": marks}
    return reading | dict(zip(H_DIMENSIONS, h, strict=True))


def rounding_rows(humans: HumanCurveVariants) -> list[dict]:
    """Rows of table rounding, by judge, definition, metric and model: the score, and its range over all confidences that are
    printed alike; with the buzzes of the first source."""
    rows = []
    for marks, definition, metric in product(
        humans.runs.right, metrics.DEFINITIONS, ("brier", "ece", *ERRORS)
    ):
        reading = _definition_reading(definition, metric, marks, next(iter(humans.sources)))
        for model in sorted(set(humans.runs.model)):
            value, low, high = _rounded_score(humans, reading, {"model": model})
            place = {"model": model, "marks": marks, "definition": definition, "metric": metric}
            rows.append(place | {"value": value, "low": low, "high": high})
    return rows


def reading_cell_rows(
    groups: dict[str, VariantScores],
    best: dict[tuple[str, str], int],
    published: dict,
    humans: HumanCurveVariants,
) -> list[dict]:
    """Rows of table reading_cells: every testable printed cell beside what the best reading of its column
    gives, in shares, with its range under rounding (of accuracies the value alone)."""
    rows = []
    for (table, metric), (column, group, positions) in _columns(groups, published).items():
        reading = group.readings[best[table, metric]]
        for cell, place in zip(column, positions, strict=True):
            value = low = high = float(group.values[best[table, metric], place])
            if metric != "accuracy":
                _, low, high = _rounded_score(humans, reading, group.keys[place])
            printed = (cell.low + cell.high) / 2
            rows.append(
                {"table": table, "cell": cell.name, **group.keys[place], "metric": metric}
                | {"reading": reading_name(reading), "printed": cell.text, "recomputed": value}
                | {"deviation": value - printed, "low": low, "high": high}
                | {"within": bool(cell.low - _TIE <= value <= cell.high + _TIE)}
                | {"allowed": bool(low <= cell.high + _TIE and cell.low - _TIE <= high)}
            )
    return rows


def tables(
    published: dict,
    guesses: pd.DataFrame,
    judgements: pd.DataFrame,
    questions: pd.DataFrame,
    buzzes: pd.DataFrame,
    output_buzzes: pd.DataFrame,
    exposures: pd.DataFrame,
    human_buzzes: str,
) -> dict[str, pd.DataFrame]:
    """Tables readings, reading_cells and rounding, by name. Printed numbers are used only after all is recomputed.

    ``human_buzzes``: the source of ``buzzes``, release or outputs; with outputs only ``output_buzzes`` are counted.
    """
    if human_buzzes == "outputs":
        buzzes = None
    runs = Runs(guesses, judgements, questions)
    humans = HumanCurveVariants(runs, buzzes, output_buzzes, exposures)
    groups = scores_under_variants(runs, humans)
    rounding = store.frame(rounding_rows(humans), "rounding")
    all_readings, best = rank_readings(groups, published)
    cells_ = store.frame(reading_cell_rows(groups, best, published, humans), "reading_cells")
    return {"readings": all_readings, "reading_cells": cells_, "rounding": rounding}
