"""A model of buzzes with partial pooling: who, which question, which category.

A row is a question that a human team or a live model heard, the outcome whether it buzzed there and was right
(or wrong). Log-odds = mean of humans or of models + participant + category within a group (all human teams, or one
model) + question: crossed random effects, each normal around 0 with a standard deviation of its own. Few questions
say little, and what they say is drawn towards the mean of its kind.

Given the three standard deviations the effects are taken as normal; over the standard deviations the posterior is
summed on a grid around its mode (Rue, Martino and Chopin 2009). The variational fit of statsmodels takes effects as
independent of each other, and is too wide for a mean over teams (docs/inference.md has both measured).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit

from ..core import store
from ..human.curves import first_buzz_rows
from .odds_ratios import HUMAN

OUTCOMES = ("right", "wrong")
MEAN_SD = 2.0
"""Prior of the mean log-odds of humans and of models: normal around 0."""
SPREAD = (np.log(0.5), 0.75)
"""Prior of the logarithm of each standard deviation: normal with this mean and standard deviation, 95 % in .11 to 2.2."""
_NODES = np.linspace(-2.4, 2.4, 5)
_MOST_DENSE = 300
"""With more effects than these the standard deviations are taken as known."""
_ROUNDS = 6
_STEP = 0.25
_DRAWS = 1000
ALL_TEAMS, NEW_TEAM = "all teams", "another team"


@dataclass(frozen=True)
class Design:
    """n rows as codes. ``right`` (n,): outcome, 0 or 1; ``columns`` (n, 3): kind, participant and part; ``question`` (n,).

    A part is a category within a group. Codes of participants follow those of kinds, codes of parts those of participants.
    ``sizes``: numbers of kinds, participants, parts and questions. If it ``is_turned``, participants and questions have each
    other's places.
    """

    right: np.ndarray
    columns: np.ndarray
    question: np.ndarray
    sizes: tuple[int, int, int, int]
    is_turned: bool = False

    def swapped(self) -> Design:
        """A design of the same rows with questions and participants in each other's place; ``is_turned`` is reversed."""
        kinds, units, parts, questions = self.sizes
        columns = self.columns + np.array([0, 0, questions - units])
        columns[:, 1] = kinds + self.question
        sizes = kinds, questions, parts, units
        return Design(self.right, columns, self.columns[:, 1] - kinds, sizes, not self.is_turned)

    @cached_property
    def n_effects(self) -> int:
        """Number of kinds, participants and parts."""
        return sum(self.sizes[:3])

    @cached_property
    def pairs(self) -> np.ndarray:
        """Flat cells of the (n_effects, n_effects) block that each row adds to, (9·n,), nine of each row."""
        return (self.columns[:, :, None] * self.n_effects + self.columns[:, None]).ravel()

    def sums(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(sums of ``values`` (n,) over the rows of each effect, (n_effects,), and over those of each question, (questions,))."""
        effects = np.bincount(self.columns.ravel(), np.repeat(values, 3), self.n_effects)
        return effects, np.bincount(self.question, values, self.sizes[3])


class Fit(NamedTuple):
    """Mode and curvature for given standard deviations.

    ``effects`` (n_effects,), in order kinds, participants, parts, and ``questions`` (questions,): the mode, as log-odds.
    Blocks of the precision: ``across`` (n_effects, questions), sparse, and ``own`` (questions,), a diagonal; ``schur``
    (n_effects, n_effects): precision of the effects with questions summed out. ``log``: log marginal posterior, up to a constant.
    """

    effects: np.ndarray
    questions: np.ndarray
    across: np.ndarray
    own: np.ndarray
    schur: np.ndarray
    log: float


class _Prior(NamedTuple):
    """Prior precisions: of each effect, and of every question (``own``)."""

    effects: np.ndarray
    own: float

    @classmethod
    def from_spread(cls, design: Design, spread: np.ndarray) -> _Prior:
        """Precisions from ``spread``, log standard deviations of participants, parts and questions."""
        variance = np.exp(2 * np.asarray(spread))[:: -1 if design.is_turned else 1]
        return cls(1 / np.repeat([MEAN_SD**2, *variance[:2]], design.sizes[:3]), 1 / variance[2])


def _predictor(design: Design, x: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Log-odds of each row, (n,), at effects ``x`` and questions ``z``."""
    return x[design.columns].sum(axis=1) + z[design.question]


def _curvature(design: Design, weight: np.ndarray, prior: _Prior) -> tuple:
    """(across, own, schur) of the precision, as in :class:`Fit`; ``weight`` (n,): of each row."""
    from scipy.sparse import csr_array

    size = design.n_effects
    effects = np.bincount(design.pairs, np.repeat(weight, 9), size**2).reshape(size, size)
    cells = design.columns.ravel(), np.repeat(design.question, 3)
    across = csr_array((np.repeat(weight, 3), cells), (size, design.sizes[3]))
    own = prior.own + design.sums(weight)[1]
    # What summing out questions takes from the precision of the effects.
    explained = across @ (across.toarray() / own).T
    return across, own, effects + np.diag(prior.effects) - explained


def _step(
    design: Design,
    gap: np.ndarray,
    prior: _Prior,
    x: np.ndarray,
    z: np.ndarray,
    across: object,
    own: np.ndarray,
    schur: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, float]:
    """(step of effects, step of questions, log determinant of ``schur``) of Newton's method at ``x`` and ``z``.

    ``gap`` (n,): outcome less what is expected; the last three: from :func:`_curvature`.
    """
    from scipy.linalg import cho_factor, cho_solve

    effects, questions = design.sums(gap)
    effects, questions = effects - prior.effects * x, questions - prior.own * z
    factor = cho_factor(schur, check_finite=False)
    step = cho_solve(factor, effects - across @ (questions / own), check_finite=False)
    return step, (questions - across.T @ step) / own, 2 * np.log(np.diag(factor[0])).sum()


def posterior_mode(
    design: Design, spread: np.ndarray, start: tuple[np.ndarray, np.ndarray] | None = None
) -> Fit:
    """Mode of the posterior for ``spread`` (3,), log standard deviations of participants, parts and questions.

    By Newton's method from ``start`` (effects, questions), or from 0; at most 50 steps.
    """
    prior = _Prior.from_spread(design, spread)
    x, z = start or (np.zeros(design.n_effects), np.zeros(design.sizes[3]))
    for _ in range(50):
        eta = _predictor(design, x, z)
        p = expit(eta)
        blocks = _curvature(design, p * (1 - p), prior)
        step, own_step, bend = _step(design, design.right - p, prior, x, z, *blocks)
        if max(np.abs(step).max(), np.abs(own_step).max()) < 1e-6:
            break
        x, z = x + step, z + own_step
    own = blocks[1]
    log = (design.right * eta - np.logaddexp(0, eta)).sum()
    log += 0.5 * (np.log(prior.effects).sum() - (prior.effects * x**2).sum())
    log += 0.5 * (len(z) * np.log(prior.own) - prior.own * (z**2).sum())
    log -= 0.5 * (np.log(own).sum() + bend)
    log -= 0.5 * (((np.asarray(spread) - SPREAD[0]) / SPREAD[1]) ** 2).sum()
    return Fit(x, z, *blocks, float(log))


def gaussian_variational_fit(design: Design, spread: np.ndarray, start_fit: Fit) -> Fit:
    """The normal distribution closest to the posterior (Opper and Archambeau 2009), three steps from ``start_fit``.

    Outcomes and weights are averaged over the distribution: around the mode alone rates below a half come out too high, as
    the mean of p over a normal log-odds is not p at its centre. ``log`` is that of ``start_fit``.
    """
    prior = _Prior.from_spread(design, spread)
    nodes, weights = np.polynomial.hermite_e.hermegauss(5)
    weights = weights / weights.sum()
    columns, q = design.columns, design.question
    x, z, (across, own, schur) = start_fit.effects, start_fit.questions, start_fit[2:5]
    for _ in range(3):
        covariance = np.linalg.inv(schur)
        ratio = across.toarray() / own
        shared = covariance @ ratio
        variance = covariance[columns[:, :, None], columns[:, None]].sum(axis=(1, 2))
        variance -= 2 * shared[columns.T, q].sum(axis=0)
        variance += (1 / own + (ratio * shared).sum(axis=0))[q]
        eta = _predictor(design, x, z)[:, None] + np.sqrt(variance)[:, None] * nodes
        p = expit(eta)
        across, own, schur = _curvature(design, (p * (1 - p)) @ weights, prior)
        gap = design.right - p @ weights
        step, own_step, _ = _step(design, gap, prior, x, z, across, own, schur)
        x, z = x + step, z + own_step
    return Fit(x, z, across, own, schur, start_fit.log)


def spread_grid(design: Design) -> tuple[list[np.ndarray], np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    """(log standard deviations (3,) at each of G points, posterior share of each point (G,), mode (effects, questions) at each).

    There are 5³ points around the mode; with more than 300 effects the mode alone.
    """
    centre = np.full(3, SPREAD[0])
    width = np.full(3, SPREAD[1])
    best = posterior_mode(design, centre)
    for _ in range(_ROUNDS):
        before = centre
        for axis in np.eye(3):
            low, high = (posterior_mode(design, centre + d * _STEP * axis, best[:2]).log for d in (-1, 1))
            bend = max((2 * best.log - low - high) / _STEP**2, 0.5 / SPREAD[1] ** 2)
            width = np.where(axis > 0, bend**-0.5, width)
            centre = centre + np.clip((high - low) / (2 * _STEP) / bend, -1, 1) * axis
            best = posterior_mode(design, centre, best[:2])
        if np.abs(centre - before).max() < 0.01:
            break
    points = _NODES if design.n_effects <= _MOST_DENSE else [0.0]
    nodes = [centre + width * z for z in product(points, repeat=3)]
    modes, logs = [], np.empty(len(nodes))
    for number, node in enumerate(nodes):
        *mode, _, _, _, logs[number] = posterior_mode(design, node, best[:2])
        modes.append(tuple(mode))
    share = np.exp(logs - logs.max())
    return nodes, share / share.sum(), modes


class Draws(NamedTuple):
    """Posterior draws: ``effects`` (count, n_effects), ``questions`` (count, questions), ``spread`` (count, 3), log SDs."""

    effects: np.ndarray
    questions: np.ndarray
    spread: np.ndarray


def posterior_draws(design: Design, count: int, seed: int) -> Draws:
    """``count`` draws of the posterior, stratified over the points of :func:`spread_grid`, in their order.

    The more numerous of participants and questions are summed out first, so that the dense block is the smaller.
    """
    kinds, units, _, questions = design.sizes
    if units > questions:
        swapped = posterior_draws(design.swapped(), count, seed)
        effects, own = swapped.effects.copy(), swapped.effects[:, kinds : kinds + questions]
        effects = np.column_stack([effects[:, :kinds], swapped.questions, effects[:, kinds + questions :]])
        return Draws(effects, own, swapped.spread)
    nodes, share, modes = spread_grid(design)
    rng = np.random.default_rng(seed)
    picked = np.searchsorted(np.cumsum(share), (np.arange(count) + rng.random()) / count)
    effects, questions, spread = [], [], []
    for node, times in zip(*np.unique(picked.clip(max=len(nodes) - 1), return_counts=True), strict=True):
        node_fit = gaussian_variational_fit(
            design, nodes[node], posterior_mode(design, nodes[node], modes[node])
        )
        normal = rng.standard_normal((design.n_effects, times))
        off = np.linalg.solve(np.linalg.cholesky(node_fit.schur).T, normal).T
        own = rng.standard_normal((times, len(node_fit.own))) / np.sqrt(node_fit.own)
        effects.append(node_fit.effects + off)
        questions.append(node_fit.questions - off @ node_fit.across / node_fit.own + own)
        spread.append(np.tile(nodes[node], (times, 1)))
    return Draws(*map(np.concatenate, (effects, questions, spread)))


# --- rates -----------------------------------------------------------------------------------


def rows_heard(questions: pd.DataFrame, buzzes: pd.DataFrame, exposures: pd.DataFrame) -> pd.DataFrame:
    """A row per participant and question heard, sorted by both: question_id, team, group, category, right, wrong.

    ``group``: human, or the model's key; ``category``: "none" without one. The first buzz counts; without one right and
    wrong are both false, even if another team's right buzz ended the question.
    """
    first_buzz = first_buzz_rows(buzzes)[["team", "question_id", "correct"]]
    rows = exposures.drop_duplicates(["team", "question_id"]).merge(
        first_buzz, how="left", on=["team", "question_id"]
    )
    category = rows["question_id"].map(questions.set_index("question_id")["category"])
    rows = pd.DataFrame(
        {
            "question_id": rows["question_id"],
            "team": rows["team"],
            "group": rows["team"].where(rows["kind"] == "model", HUMAN),
            "category": category.astype(object).where(category.notna(), "none"),
            "right": (rows["correct"] == True).fillna(False).to_numpy(bool),  # noqa: E712
            "wrong": (rows["correct"] == False).fillna(False).to_numpy(bool),  # noqa: E712
        }
    )
    return rows.sort_values(["team", "question_id"], ignore_index=True)


class Layout(NamedTuple):
    """A design and what its codes mean: sorted names of ``units`` (participants), ``groups`` and ``categories``.

    Codes: ``of_question``, category of each question; ``of_unit``, group of each unit; ``kind`` of each group, human first.
    """

    design: Design
    units: list
    groups: list
    categories: list
    of_question: np.ndarray
    of_unit: np.ndarray
    kind: np.ndarray


def layout_of_rows(rows: pd.DataFrame, outcome: str) -> Layout:
    """The :class:`Layout` of ``rows`` (from :func:`rows_heard`) for an ``outcome``, right or wrong."""
    (ids, names), (unit, units), (group, groups), (part, categories) = (
        pd.factorize(rows[name], sort=True) for name in ("question_id", "team", "group", "category")
    )
    kinds = sorted({name != HUMAN for name in groups})
    kind = np.array([kinds.index(name != HUMAN) for name in groups])
    sizes = len(kinds), len(units), len(groups) * len(categories), len(names)
    offsets = len(kinds), len(kinds) + len(units)
    columns = np.column_stack([kind[group], offsets[0] + unit, offsets[1] + group * len(categories) + part])
    of_question, of_unit = (pd.Series(x).groupby(y).first() for x, y in ((part, ids), (group, unit)))
    design = Design(rows[outcome].to_numpy(float), columns, ids, sizes)
    return Layout(
        design, [*units], [*groups], [*categories], of_question.to_numpy(), of_unit.to_numpy(), kind
    )


def share_draws(layout: Layout, drawn: Draws, seed: int) -> dict[tuple[str, str, str], np.ndarray]:
    """(kind, unit, category) → draws (count,) of the share of all questions heard (of the category) with the outcome.

    Human teams have category all alone; their mean (``all teams``) and models have each, and all. ``another team``, which is
    not in the data, has a new draw of its effect. Kinds are human and model.
    """
    kinds, units, *_ = layout.design.sizes
    many = len(layout.categories)
    cells = drawn.effects[:, kinds + units :].reshape(len(drawn.effects), -1, many)
    counts = np.bincount(layout.of_question, minlength=many)

    def category_shares(group: int, effect) -> np.ndarray:
        about = (drawn.effects[:, layout.kind[group]] + effect)[:, None]
        p = expit(about + cells[:, group, layout.of_question] + drawn.questions)
        sums = np.column_stack([p[:, layout.of_question == c].sum(axis=1) for c in range(many)])
        return np.column_stack([sums / counts, sums.sum(axis=1) / counts.sum()])

    draws_by_cell, humans, models = {}, [], {}
    for unit, name in enumerate(layout.units):
        group = layout.of_unit[unit]
        values = category_shares(group, drawn.effects[:, kinds + unit])
        if layout.groups[group] == HUMAN:
            humans.append(values)
            draws_by_cell[HUMAN, name, "all"] = values[:, -1]
        else:
            models["model", name] = values
    if humans:
        normal = np.random.default_rng([seed, 1]).standard_normal(len(drawn.effects))
        effect = normal * np.exp(drawn.spread[:, 0])
        draws_by_cell[HUMAN, NEW_TEAM, "all"] = category_shares(layout.groups.index(HUMAN), effect)[:, -1]
        models[HUMAN, ALL_TEAMS] = np.mean(humans, axis=0)
    for key, values in models.items():
        for place, category in enumerate([*layout.categories, "all"]):
            draws_by_cell[*key, category] = values[:, place]
    return draws_by_cell


def buzz_rates(rows: pd.DataFrame, outcome: str, seed: int, level: float) -> pd.DataFrame:
    """Rows of table buzz_effects of one ``outcome``: rate as counted; estimate, bounds (6 decimals) with partial pooling.

    ``rows``: of :func:`rows_heard`. A row per key of :func:`share_draws`; rate nan if none heard. ``seed``: of 100 (large
    studies) to 1,000 draws."""
    layout = layout_of_rows(rows, outcome)
    # Of many teams on many questions fewer draws: each is a rate of every team on every question.
    count = int(np.clip(2e8 / (layout.design.sizes[1] * layout.design.sizes[3]), 100, _DRAWS))
    drawn = posterior_draws(layout.design, count, seed)
    entries = []
    for (kind, unit, category), values in share_draws(layout, drawn, seed).items():
        own_rows = rows[rows["group"] == HUMAN] if unit == ALL_TEAMS else rows[rows["team"] == unit]
        own_rows = own_rows if category == "all" else own_rows[own_rows["category"] == category]
        heard, happened = len(own_rows), int(own_rows[outcome].sum())
        ends = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        # Sums in another order differ in the last bits.
        estimate, low, high = np.round([values.mean(), *ends], 6)
        rate = happened / heard if heard else np.nan
        entries.append((outcome, kind, unit, category, heard, happened, rate, estimate, low, high))
    return pd.DataFrame(entries, columns=store.columns("buzz_effects"))


def buzz_effects(
    questions: pd.DataFrame, buzzes: pd.DataFrame, exposures: pd.DataFrame, seed: int, level: float
) -> dict[str, pd.DataFrame]:
    """``{"buzz_effects": table}`` of right and of wrong buzzes; empty where nothing was heard."""
    rows = rows_heard(questions, buzzes, exposures)
    table = store.empty("buzz_effects")
    if len(rows):
        table = pd.concat([buzz_rates(rows, outcome, seed, level) for outcome in OUTCOMES], ignore_index=True)
    return {"buzz_effects": table}
