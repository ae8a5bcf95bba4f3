"""π(t), the share of opponents who have not yet answered correctly (Appendix E, Eq. 2 and 3)."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..human.curves import first_buzz_rows, share_heard
from ..stats import resample
from ..stats.bootstrap import Bootstrap

PROTOBOWL = (0.9930799808912602, 0.07753813168299144, -1.278222873334493, 0.5879804678680423)
"""Coefficients of t⁰…t³ (Rodriguez et al. 2019); Eq. 3 of the paper prints them without the first."""

_REVEALED = np.arange(101) / 100
_BOUNDS = ("share_low", "share_high", "pi_low", "pi_high")


class Opponents(NamedTuple):
    """A curve π: its name and the coefficients of t⁰…t³."""

    name: str
    coefficients: tuple[float, ...]

    def __call__(self, revealed) -> np.ndarray:
        """π at each share of the question heard, 0 to 1 (not clipped: a fit may leave [0, 1])."""
        return np.polynomial.polynomial.polyval(np.asarray(revealed, float), self.coefficients)


def opponent_curve_observed(
    questions: pd.DataFrame, buzzes: pd.DataFrame, exposures: pd.DataFrame
) -> pd.DataFrame:
    """1 − N_t/N of Eq. 2 at t = 0, .01, …, 1 over a study's own human buzzes, a row each: revealed (t), share.

    N counts human team × question heard (the player-question records); N_t those with a correct buzz by t; one past
    the last word counts at the end. Empty where no human heard a question."""
    heard = int((exposures["kind"] == "human").sum())
    if not heard:
        return pd.DataFrame({"revealed": _REVEALED[:0], "share": _REVEALED[:0]})
    revealed = np.sort(_first_right_buzzes(questions, buzzes)["revealed"].to_numpy())
    answered = np.searchsorted(revealed, _REVEALED + 1e-12, side="right")
    return pd.DataFrame({"revealed": _REVEALED, "share": 1 - answered / heard})


def _first_right_buzzes(questions: pd.DataFrame, buzzes: pd.DataFrame) -> pd.DataFrame:
    """First right buzz of each human team on each question: question_id, team, ``revealed`` (share heard, 1 past the end)."""
    right = first_buzz_rows(buzzes[(buzzes["kind"] == "human") & buzzes["correct"]])
    return right[["question_id", "team"]].assign(revealed=share_heard(questions, right).clip(upper=1))


def opponent_bounds(questions, buzzes, exposures, bootstrap: Bootstrap) -> pd.DataFrame:
    """Pointwise bounds of :func:`opponent_curve_observed` and its cubic: revealed, share_low, share_high, pi_low, pi_high.

    Questions and human teams (of the tables questions, buzzes, exposures) are resampled at once, and the cubic is fitted
    again in every replicate. Where nobody was right yet both bounds of share are 1. Empty where no human heard a question."""
    heard = exposures.loc[exposures["kind"] == "human", ["question_id", "team"]]
    if heard.empty:
        return pd.DataFrame(columns=["revealed", *_BOUNDS], dtype=float)
    right = _first_right_buzzes(questions, buzzes)
    first_right = heard.merge(right, on=["question_id", "team"], how="left")["revealed"]
    question, names = pd.factorize(heard["question_id"], sort=True)
    team, teams = pd.factorize(heard["team"], sort=True)
    by_question, by_team = bootstrap.two_way_weights(len(names), len(teams))
    # First point at which the pair counts as answered; the last bin holds those that never do.
    bins = np.searchsorted(_REVEALED + 1e-12, first_right.fillna(np.inf).to_numpy())
    answered = resample.binned_draws((question, team), bins, len(_REVEALED) + 1, by_question, by_team)
    total, answered = answered.sum(axis=1), answered[:, :-1]
    drawn = 1 - np.cumsum(answered, axis=1)[total > 0] / total[total > 0, None]
    design = np.vander(_REVEALED, 4, increasing=True)
    cubic = drawn @ (design @ np.linalg.pinv(design)).T
    ends = [*bootstrap.percentile(drawn, axis=0), *bootstrap.percentile(cubic, axis=0)]
    return pd.DataFrame({"revealed": _REVEALED, **dict(zip(_BOUNDS, ends, strict=True))})


def opponent_curve_cubic(points: pd.DataFrame) -> Opponents:
    """The curve ``fitted``: the least squares cubic with intercept through the points of :func:`opponent_curve_observed`."""
    design = np.vander(points["revealed"], 4, increasing=True)
    solution, *_ = np.linalg.lstsq(design, points["share"].to_numpy(), rcond=None)
    return Opponents("fitted", tuple(map(float, solution)))


def opponent_curves(points: pd.DataFrame) -> list[Opponents]:
    """The curves π of a study: ``protobowl`` and, where :func:`opponent_curve_observed` has rows, ``fitted``."""
    opponents = [Opponents("protobowl", PROTOBOWL)]
    return [*opponents, opponent_curve_cubic(points)] if len(points) else opponents


def opponent_table(points, curves: list[Opponents], limits=None) -> pd.DataFrame:
    """tables/opponents.csv: a row per curve and share heard 0, .01, …, 1, of ``curves`` and Eq. 3 ``as printed`` (no constant).

    ``points``: of :func:`opponent_curve_observed`, for the column ``share``. ``limits``: of :func:`opponent_bounds`; of
    π they are shown for the curve ``fitted`` alone."""
    printed = Opponents("as printed", (0.0, 0.0775, -1.278, 0.588))
    nothing = pd.DataFrame(np.nan, index=_REVEALED, columns=["share", *_BOUNDS])
    observed = nothing.assign(**points.set_index("revealed"))
    if limits is not None:
        observed = observed.assign(**limits.set_index("revealed"))
    observed = observed.astype(float).reset_index(names="revealed")
    parts = []
    for curve in (*curves, printed):
        powers = {f"c{power}": c for power, c in enumerate(curve.coefficients)}
        part = observed.assign(opponents=curve.name, pi=curve(_REVEALED), **powers)
        if curve.name != "fitted":
            part[["pi_low", "pi_high"]] = np.nan
        parts.append(part)
    return store.frame(pd.concat(parts, ignore_index=True), "opponents")
