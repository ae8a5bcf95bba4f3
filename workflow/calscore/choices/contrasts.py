"""One against another: models, question types and judges, and whether better models lose more.

Intervals resample questions, the same resamples on both sides.
"""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from ..core import store
from ..stats import proportions, ranks
from . import JUDGINGS, SETTINGS, scoring
from .resamples import MEAN, Resamples, bounds, change, put

BY_MODELS, BY_TYPES, BY_JUDGES = "models", "question types", "judges"


def _eces(normal, distractor) -> dict[str, np.ndarray]:
    """Draws of ECE without and with options, of the change, and of the change relative to without."""
    return {
        "N_ece": normal,
        "D_ece": distractor,
        "ece_change": distractor - normal,
        "ece_relative": proportions.ratio(distractor - normal, normal),
    }


def _model_measures(resamples: Resamples, key: tuple, moved: dict) -> dict[tuple, np.ndarray]:
    """(measure, reading) → draws of a model that has both settings."""
    totals = resamples.totals()
    found = {("right_change", ""): proportions.ratio(moved["gained"] - moved["lost"], moved["n"])}
    found["harmed_of_right", ""] = proportions.ratio(moved["harmed"], moved["right_before"])
    for setting, short in zip(SETTINGS, ("N", "D"), strict=True):
        found[f"{short}_right_share", ""] = resamples.right(totals, (*key, setting))
        found[f"{short}_none_share", ""] = resamples.none(totals, (*key, setting))
    for reading in scoring.READINGS:
        eces = (resamples.ece(totals, (*key, setting), reading) for setting in SETTINGS)
        found |= {(name, reading): draws for name, draws in _eces(*eces).items()}
    return found


def _type_measures(type_draws: dict, judging: str, kind: str) -> dict[tuple, np.ndarray]:
    """(measure, reading) → draws of the mean over models for a question type."""
    found = {}
    for reading in scoring.READINGS:
        means = [type_draws.get((judging, setting, reading, kind)) for setting in SETTINGS]
        if None in means:
            continue
        (right, ece), (right_after, ece_after) = means
        found["N_right_share", ""] = right
        found["D_right_share", ""] = right_after
        found["right_change", ""] = right_after - right
        found |= {(name, reading): draws for name, draws in _eces(ece, ece_after).items()}
    return found


def contrasts(resamples: Resamples, type_draws: dict, names: dict[str, str], level: float):
    """option_contrasts.csv: every two models, every two question types (means over models) and the two
    judgings of a model against each other, ``first`` less ``second``.

    ``measure`` under ``reading`` (empty where none is needed); intervals resample questions, paired,
    and are those of single differences: none is widened for the number of them. ``type_draws``: from
    :func:`calscore.choices.tables.by_group` over ``answer_type``.
    """
    order = {model: i for i, model in enumerate(names)}
    moves = sorted(resamples.moves().items(), key=lambda one: order.get(one[0][1], len(order)))
    of_models = {pair: _model_measures(resamples, pair, moved) for pair, moved in moves}
    kinds = sorted({key[3] for key in type_draws})
    whole = []
    for judging in JUDGINGS:
        models = {model: found for (where, model), found in of_models.items() if where == judging}
        whole.append((BY_MODELS, judging, "", models))
        types = {kind: _type_measures(type_draws, judging, kind) for kind in kinds}
        whole.append((BY_TYPES, judging, MEAN, types))
    for model in dict.fromkeys(model for _, model in of_models):
        judged = {judging: of_models.get((judging, model), {}) for judging in JUDGINGS}
        whole.append((BY_JUDGES, "", model, judged))
    rows = []
    for compared, judging, model, found in whole:
        for (first, of_first), (second, of_second) in itertools.combinations(found.items(), 2):
            for measure, reading in of_first:
                if (measure, reading) in of_second:
                    place = (compared, judging, model, first, second, measure, reading)
                    gap = of_first[measure, reading] - of_second[measure, reading]
                    rows.append((*place, *change(gap, level)))
    return pd.DataFrame(rows, columns=store.columns("option_contrasts"))


def distraction(resamples: Resamples, level: float):
    """option_distraction.csv: does a better model lose more? Spearman's ρ over the models of a judging
    between what is right without options and harmed, counted in three ways.

    Intervals resample questions, with these models; nan with fewer than three.
    """
    rows = []
    moves = resamples.moves()
    for judging in (name for name in JUDGINGS if name in {key[0] for key in moves}):
        counts = [moved for key, moved in moves.items() if key[0] == judging]
        right, helped, harmed = (
            np.column_stack([one[name] for one in counts])
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
            whole = ~np.isnan(values).any(axis=1)
            draws = np.full(len(values), np.nan)
            if values.shape[1] > 2:
                draws[whole] = ranks.spearman(np.stack([right[whole], values[whole]]))
            put(row, "spearman", bounds(draws, level))
            rows.append(row)
    return store.frame(rows, "option_distraction")
