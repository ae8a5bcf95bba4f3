"""One against another: models, question types and judges, and whether better models lose more.

Intervals resample questions, the same resamples on both sides.
"""

import itertools

import numpy as np
import pandas as pd

from ..core import store
from ..stats import proportions, ranks
from . import JUDGINGS, SETTINGS, scoring
from .bootstrap import MEAN, Resamples, Totals, bounds, nondegenerate_interval, set_estimate

BY_MODELS, BY_TYPES, BY_JUDGES = "models", "question types", "judges"


def _eces(normal: np.ndarray, distractor: np.ndarray) -> dict[str, np.ndarray]:
    """Draws (1 + replicates,) of ECE without and with options, of the change, and of the change relative to without."""
    return {
        "N_ece": normal,
        "D_ece": distractor,
        "ece_change": distractor - normal,
        "ece_relative": proportions.ratio(distractor - normal, normal),
    }


def _model_measures(
    totals: Totals, pair: tuple, moved: dict[str, np.ndarray]
) -> dict[tuple[str, str], np.ndarray]:
    """(measure, reading or "") → draws (1 + replicates,) of a model with both settings; ``pair``: (judging, model); ``moved``:
    its :meth:`.bootstrap.Totals.moves`."""
    measures = {
        ("right_change", ""): proportions.ratio(moved["gained"] - moved["lost"], moved["n"]),
        ("harmed_of_right", ""): proportions.ratio(moved["harmed"], moved["right_before"]),
    }
    for setting, short in zip(SETTINGS, ("N", "D"), strict=True):
        measures[f"{short}_right_share", ""] = totals.right((*pair, setting))
        measures[f"{short}_none_share", ""] = totals.none((*pair, setting))
    for reading in scoring.READINGS:
        eces = (totals.ece((*pair, setting), reading) for setting in SETTINGS)
        measures |= {(name, reading): draws for name, draws in _eces(*eces).items()}
    return measures


def _type_measures(
    type_draws: dict[tuple, tuple[np.ndarray, np.ndarray]], judging: str, kind: str
) -> dict[tuple[str, str], np.ndarray]:
    """(measure, reading or "") → draws (1 + replicates,) of the mean over models for a question type ``kind``; may be {}."""
    measures = {}
    for reading in scoring.READINGS:
        means = [type_draws.get((judging, setting, reading, kind)) for setting in SETTINGS]
        if None in means:
            continue
        (right, ece), (right_after, ece_after) = means
        measures["N_right_share", ""] = right
        measures["D_right_share", ""] = right_after
        measures["right_change", ""] = right_after - right
        measures |= {(name, reading): draws for name, draws in _eces(ece, ece_after).items()}
    return measures


def contrasts(
    resamples: Resamples,
    type_draws: dict[tuple, tuple[np.ndarray, np.ndarray]],
    names: dict[str, str],
    level: float,
) -> pd.DataFrame:
    """option_contrasts.csv: every two models with both settings, every two question types (means over models)
    and the two judgings of a model: ``difference``, that of ``first`` less that of ``second``. ``measure`` under
    ``reading`` ("" for shares). Intervals resample questions, paired, not widened for their number; nan if ends coincide.
    ``type_draws``: the second of :func:`.tables.options_by_group` by ``answer_type``; ``names``: model key → name, in order."""
    order = {model: i for i, model in enumerate(names)}
    moves = resamples.totals.moves().items()
    moves = sorted(moves, key=lambda item: order.get(item[0][1], len(order)))
    of_models = {pair: _model_measures(resamples.totals, pair, moved) for pair, moved in moves}
    kinds = sorted({key[3] for key in type_draws})
    comparisons = []
    for judging in JUDGINGS:
        models = {pair[1]: draws for pair, draws in of_models.items() if pair[0] == judging}
        comparisons.append((BY_MODELS, judging, "", models))
        types = {kind: _type_measures(type_draws, judging, kind) for kind in kinds}
        comparisons.append((BY_TYPES, judging, MEAN, types))
    for model in dict.fromkeys(model for _, model in of_models):
        judged = {judging: of_models.get((judging, model), {}) for judging in JUDGINGS}
        comparisons.append((BY_JUDGES, "", model, judged))
    rows = []
    for compared, judging, model, candidates in comparisons:
        for (name, of_first), (second, of_second) in itertools.combinations(candidates.items(), 2):
            for measure, reading in of_first:
                if (measure, reading) in of_second:
                    place = (compared, judging, model, name, second, measure, reading)
                    gap = of_first[measure, reading] - of_second[measure, reading]
                    rows.append((*place, *nondegenerate_interval(gap, level)))
    return pd.DataFrame(rows, columns=store.columns("option_contrasts"))


def distraction_correlation(resamples: Resamples, level: float) -> pd.DataFrame:
    """option_distraction.csv: does a better model lose more? A row per judging with models and way to count harm: Spearman's
    ρ over models of right answers without options and harm; nan with fewer than three models, or a share of 0 / 0."""
    rows = []
    moves = resamples.totals.moves()
    for judging in JUDGINGS:
        counts = [moved for pair, moved in moves.items() if pair[0] == judging]
        if not counts:
            continue
        right, helped, harmed = (
            np.column_stack([counted[name] for counted in counts])
            for name in ("right_before", "helped", "harmed")
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            ways = {
                "harmed, number": harmed,
                "harmed, share of helped and harmed": harmed / (helped + harmed),
                "harmed, share of right before": harmed / right,
            }
        for way, values in ways.items():
            row = {"judging": judging, "measure": way, "n_models": values.shape[1]}
            is_defined = ~np.isnan(values).any(axis=1)
            draws = np.full(len(values), np.nan)
            if values.shape[1] > 2:
                draws[is_defined] = ranks.spearman(np.stack([right[is_defined], values[is_defined]]))
            set_estimate(row, "spearman", bounds(draws, level))
            rows.append(row)
    return store.frame(rows, "option_distraction")
