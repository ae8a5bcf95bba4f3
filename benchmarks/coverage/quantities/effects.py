"""Rates of buzzes with partial pooling: the truth less the estimate, and bounds of that, at three levels."""

from __future__ import annotations

import warnings

import numpy as np
from calscore.inference import mixed_model
from calscore.inference.mixed_model import ALL_TEAMS, NEW_TEAM, SPREAD

from ..engine import LEVEL, taken
from ..worlds.tournament import HUMANS
from .tables import on_grid

LEVELS = (0.5, 0.8, 0.95)


def _said(key: tuple[str, str, str]) -> str:
    kind, unit, category = key
    if unit == NEW_TEAM:
        return "another team"
    whom = {ALL_TEAMS: "mean team"}.get(unit, "team" if kind == "human" else "model")
    return whom if category == "all" else f"{whom}, category"


def _cells(found: dict, truth: dict) -> dict:
    """Quantity → (mean, low, high) less the truth."""
    rows: dict[str, list] = {}
    for key, values in found.items():
        for level in LEVELS:
            ends = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
            name = f"buzz rate, {_said(key)}, {100 * level:.0f} % interval"
            rows.setdefault(name, []).append(np.array([values.mean(), *ends]) - truth[key])
    return {name: tuple(np.array(of).T) for name, of in rows.items()}


def rates(study, replicates: int, number: int) -> dict:
    """As the workflow has them, and by the variational fit of statsmodels."""
    layout = mixed_model.layout_of_rows(study.rows, "right")
    ways = {
        "Laplace, spreads on a grid": mixed_model.posterior_draws(layout.design, replicates, number),
        "statsmodels, variational": _variational(layout.design, replicates, number),
    }
    return {
        (name, way): cells
        for way, drawn in ways.items()
        for name, cells in _cells(mixed_model.share_draws(layout, drawn, number), study.truth).items()
    }


def _variational(design, replicates: int, number: int) -> mixed_model.Draws:
    """Draws of the approximation of BinomialBayesMixedGLM with the same priors."""
    from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM

    kinds, units, parts, questions = design.sizes
    rows = np.arange(len(design.right))
    x = np.zeros((len(rows), sum(design.sizes)))
    for column in design.columns.T:
        x[rows, column] = 1
    x[rows, design.n_effects + design.question] = 1
    # statsmodels has the logarithm of a standard deviation around 0: the scale stands in the design.
    scale = np.exp(SPREAD[0])
    ident = np.repeat([0, 1, 2], [units, parts, questions])
    given = {"vcp_p": SPREAD[1], "fe_p": mixed_model.MEAN_SD}
    model = BinomialBayesMixedGLM(design.right, x[:, :kinds], x[:, kinds:] * scale, ident, **given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = model.fit_vb(rng=np.random.default_rng(number))
    rng = np.random.default_rng([number, 1])
    fixed, spread, effects = (
        mean + sd * rng.standard_normal((replicates, len(mean)))
        for mean, sd in (
            (one.fe_mean, one.fe_sd),
            (one.vcp_mean, one.vcp_sd),
            (one.vc_mean, one.vc_sd),
        )
    )
    few, own = np.split(effects * scale, [units + parts], axis=1)
    return mixed_model.Draws(np.column_stack([fixed, few]), own, spread + SPREAD[0])


def none(apart, intervals) -> dict:
    """What is left where the estimate is the truth."""
    return {key: np.zeros(1) for key in intervals(next(iter(apart)), 2, 0)}


def of_teams(study, replicates: int, number: int) -> dict:
    """Rates of each human team, right and wrong, in a world that is not the model's."""
    tables = study.questions, study.buzzes, study.exposures
    table = mixed_model.buzz_effects(*tables, seed=number, level=LEVEL)["buzz_effects"]
    found = {}
    for outcome, of in table[table["unit"].isin(HUMANS)].groupby("outcome"):
        cells = taken(on_grid(of, unit=HUMANS), "estimate", "low", "high", weight="heard")
        found[f"{outcome} buzzes per question heard, of a team", "partial pooling"] = cells
    return found


def raw(study, replicates: int, number: int) -> dict:
    """The rates of :func:`of_teams` as they are counted."""
    rows = mixed_model.rows_heard(study.questions, study.buzzes, study.exposures)
    of = rows[rows["group"] == "human"].groupby("team")[["right", "wrong"]]
    rate, heard = of.mean().reindex(HUMANS), of.size().reindex(HUMANS)
    return {
        (f"{outcome} buzzes per question heard, of a team", "partial pooling"): (
            *[rate[outcome].to_numpy()] * 3,
            heard.to_numpy(float),
        )
        for outcome in rate
    }
