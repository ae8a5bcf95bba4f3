"""Scores of human behaviour with questions and human teams resampled together (two-way bootstrap)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..stats.proportions import ratio
from . import metrics
from .score import Clues

RESCALED = tuple(one.name for one in metrics.METRICS.values() if one.human and not one.linear)
"""Scores of human behaviour that are ratios of two sums over the clues of a question."""

_REPLICATES = 256
_BLOCK = 1 << 18
"""Numbers in a block of replicates: small enough for the processor's cache."""


class Form(NamedTuple):
    """The score of a question as a function of linear forms of h.

    Parameters
    ----------
    curve : str
        The h definition.
    terms : tuple of (array (N,), array)
        Coefficient of h at each clue, and a constant for each question of each series.
    then : callable
        The score from one array for each term; nan leaves the question out.
    """

    curve: str
    terms: tuple[tuple[np.ndarray, np.ndarray], ...]
    then: Callable


def registered_forms(of: Clues, definition: str, names, curve: str | None = None) -> dict:
    """Metric → :class:`Form` of the metrics ``names`` that the registry gives as linear in h."""
    g = of.g.astype(float)
    forms = {}
    for name, metric in metrics.METRICS.items():
        if name in names and metric.linear and definition in metric.definitions:
            *term, then = metric.linear(g, of.c, of.starts, definition)
            own = metric.curve or curve or metrics.DEFINITIONS[definition]
            forms[name] = Form(own, (tuple(term),), then)
    return forms


def rescaled_forms(of: Clues, definition: str) -> dict:
    """Metric → :class:`Form` of :data:`RESCALED`."""
    calscore = metrics.METRICS["calscore"].linear
    *gain, error = calscore(of.g.astype(float), of.c, of.starts, definition)
    sizes = np.diff(np.append(of.starts, len(of.c)))
    # Mean 1 − h over the clues of a question.
    rest = -1 / np.repeat(sizes, sizes), np.ones(len(sizes))

    def normalised(gain, rest):
        # Where h is 1 throughout, rounding may leave a little more or less than 0.
        share = np.divide(gain, rest, out=np.full(rest.shape, np.nan), where=rest > 1e-12)
        return np.clip(error(share), 0, 1)

    def greatest(rest):
        return error(-rest if definition == "paper" else np.zeros_like(rest))

    own = metrics.DEFINITIONS[definition]
    return {
        "calscore_normalised": Form(own, (tuple(gain), rest), normalised),
        "calscore_least": Form(own, (rest,), error),
        "calscore_greatest": Form(own, (rest,), greatest),
    }


def two_way_draws(
    of: Clues, crowd, definition: str, weights, names=None, curve: str | None = None
) -> dict[str, np.ndarray]:
    """Scores of each series in each two-way replicate.

    Parameters
    ----------
    of : Clues
        S series over Q questions.
    crowd : TeamClueCounts
        Who made h at the clues of at least these questions.
    definition : str
        Metric definition.
    weights : pair of arrays
        Weights of questions (R, Q) and of teams (R, T).
    names : collection of str, optional
        Metrics; by default those of human behaviour in scores/model_scores.
    curve : str, optional
        Another h definition than that of the metric definition.

    Returns
    -------
    dict
        Metric → draws (S, R); nan where no question of a series was drawn.
    """
    if names is None:
        names = [metric.name for metric in metrics.metrics_for("scores") if metric.human]
    forms = registered_forms(of, definition, names, curve)
    if set(RESCALED) & set(names):
        forms |= {k: form for k, form in rescaled_forms(of, definition).items() if k in names}
    return {key: ratio(*sums) for key, sums in two_way_sums(of, crowd, weights, forms).items()}


def two_way_sums(of: Clues, crowd, weights, forms: dict) -> dict:
    """What a score divides in each replicate: Σ w·score and Σ w over questions, shape (2, S, R).

    h is estimated again from the teams of each replicate. A question that none of them heard is left out of that
    replicate. ``forms``: key → :class:`Form`; the rest as in :func:`two_way_draws`.
    """
    question_weights, team_weights = weights
    n_series, n_questions = of.shape
    replicates = len(team_weights)
    sums = {key: np.zeros((2, n_series, replicates)) for key in forms}
    asked = of.questions.get_indexer(crowd.rows["question_id"])
    order = np.argsort(asked, kind="stable")
    clue = crowd.rows["clue"].to_numpy() - 1
    n_clues = int(max(clue.max(), of.clue.max() - 1)) + 1
    step = max(1, _BLOCK // (_REPLICATES * max(n_series, n_clues)))
    for begin in range(0, n_questions, step):
        questions = slice(begin, min(begin + step, n_questions))
        rows = order[slice(*np.searchsorted(asked[order], [begin, questions.stop]))]
        some = (of.question >= begin) & (of.question < questions.stop)
        if not some.any():
            continue
        part = crowd.only(rows)
        teams = None
        if part.teams is not crowd.teams:
            teams = crowd.teams.get_indexer(part.teams)
        block = _Block.of_questions(of, some, questions, (asked[rows], clue[rows], n_clues), forms)
        for start in range(0, replicates, _REPLICATES):
            columns = slice(start, start + _REPLICATES)
            drawn = team_weights[columns] if teams is None else team_weights[columns][:, teams]
            h, heard = part.curves(block.curves, drawn)
            for key, pair in block.sums(h, heard, question_weights[columns, questions].T):
                sums[key][:, :, columns] += pair
    return sums


class _Block(NamedTuple):
    """Some questions and the forms over them, as arrays.

    ``question`` and ``clue`` say where each row of the crowd lies; ``present`` (Q, S): which series has which
    question. ``straight``: curve → forms that are linear in h to the end, with coefficients (S, rows);
    ``bent``: curve → the others, with coefficients (Q, S, clues). Each has constants (Q, S).
    """

    question: np.ndarray
    clue: np.ndarray
    n_clues: int
    present: np.ndarray
    straight: dict[str, list]
    bent: dict[str, list]

    @property
    def curves(self) -> list[str]:
        return sorted({*self.straight, *self.bent})

    @classmethod
    def of_questions(cls, of: Clues, some, questions: slice, layout, forms: dict) -> _Block:
        """``some``: mask of the clues of ``questions``; ``layout``: question and clue of the crowd's rows, clues at most."""
        asked, clue, n_clues = layout
        size, n_series = questions.stop - questions.start, len(of.series)
        row = np.full((size, n_clues), -1)
        row[asked - questions.start, clue] = np.arange(len(asked))
        number, question = of.number[some], of.question[some] - questions.start
        at = row[question, of.clue[some] - 1]
        # Clues that the crowd does not have count with h = 0.
        there = at >= 0
        starts = some[of.starts]
        first = of.question[of.starts][starts] - questions.start, of.number[of.starts][starts]
        present = np.zeros((size, n_series))
        present[first] = 1

        def spread(values, shape, *index):
            array = np.zeros(shape)
            array[index] = values
            return array

        straight: dict[str, list] = {}
        bent: dict[str, list] = {}
        for key, form in forms.items():
            constants = [spread(c[starts], (size, n_series), *first) for _, c in form.terms]
            coefficients = [coefficient[some][there] for coefficient, _ in form.terms]
            low, slope = _line(form)
            if slope is not None:
                flat = spread(coefficients[0], (n_series, len(asked)), number[there], at[there])
                straight.setdefault(form.curve, []).append((key, low, slope, flat, constants[0]))
                continue
            index = question[there], number[there], clue[at[there]]
            grids = [spread(c, (size, n_series, n_clues), *index) for c in coefficients]
            terms = list(zip(grids, constants, strict=True))
            bent.setdefault(form.curve, []).append((key, form.then, terms))
        return cls(asked - questions.start, clue, n_clues, present, straight, bent)

    def sums(self, h: dict, heard, weights):
        """Yield (key, Σ w·score and Σ w) for h (rows, R) by curve, ``heard`` (rows, R), ``weights`` (Q, R)."""
        seen = np.zeros(weights.shape, dtype=bool)
        seen[self.question] = heard
        w = weights * seen
        under = self.present.T @ w
        for curve, forms in self.straight.items():
            tops = np.vstack([flat for *_, flat, _ in forms]) @ (h[curve] * w[self.question])
            for top, (key, low, slope, _, constant) in zip(
                np.split(tops, len(forms)), forms, strict=True
            ):
                yield key, np.stack([low * under + slope * (top + constant.T @ w), under])
        for curve, forms in self.bent.items():
            spread = np.zeros((len(weights), self.n_clues, weights.shape[1]))
            spread[self.question, self.clue] = h[curve]
            for key, then, terms in forms:
                value = then(*(grid @ spread + constant[..., None] for grid, constant in terms))
                known = self.present[..., None] * np.isfinite(value)
                counted = under
                if not np.isfinite(value).all():
                    counted = np.einsum("qsr,qr->sr", known, w)
                    value[known == 0] = 0
                yield key, np.stack([np.einsum("qsr,qr->sr", value * known, w), counted])


def _line(form: Form) -> tuple[float, float | None]:
    """(value at 0, slope) of a form that is linear to the end, no slope otherwise."""
    if len(form.terms) > 1:
        return 0.0, None
    low, middle, high = form.then(np.array([0.0, 0.5, 1.0]))
    return low, high - low if 2 * middle == low + high else None
