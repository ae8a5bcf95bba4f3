"""Scores of human behaviour with questions and human teams resampled together (two-way bootstrap)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ..core.progress import progress
from ..human.curves import TeamClueCounts
from ..stats.proportions import ratio
from . import metrics
from .score import Clues

RESCALED = tuple(metric.name for metric in metrics.METRICS.values() if metric.human and not metric.linear)
"""CalScore with its gain over the mean of 1 − h, its least and greatest: human scores with no linear form."""

_REPLICATES = 256
_BLOCK = 1 << 18
"""Numbers in a block of replicates: small enough for the processor's cache."""


class Form(NamedTuple):
    """The score of a question as a function of linear forms of h, whose definition is ``curve``.

    ``terms``: pairs of a coefficient of h at each clue (N,) and a constant for each question of each series.
    ``transform``: gives the score from one array for each term; nan leaves the question out.
    """

    curve: str
    terms: tuple[tuple[np.ndarray, np.ndarray], ...]
    transform: Callable


def metric_forms(clues: Clues, definition: str, names, curve: str | None = None) -> dict[str, Form]:
    """Metric → :class:`Form` of those in ``names`` that the registry gives as linear in h or that are :data:`RESCALED`.

    Others, and those that ``definition`` lacks, are left out. ``definition``: of metrics (:data:`.metrics.DEFINITIONS`);
    ``curve``: h definition in place of that one's, except for metrics with their own and RESCALED.
    """
    g = clues.g.astype(float)
    forms = {}
    for name, metric in metrics.METRICS.items():
        if name in names and metric.linear and definition in metric.definitions:
            *term, transform = metric.linear(g, clues.c, clues.starts, definition)
            own = metric.curve or curve or metrics.DEFINITIONS[definition]
            forms[name] = Form(own, (tuple(term),), transform)
    if set(RESCALED) & set(names):
        rescaled = rescaled_forms(clues, definition)
        forms |= {name: form for name, form in rescaled.items() if name in names}
    return forms


def rescaled_forms(clues: Clues, definition: str) -> dict[str, Form]:
    """Metric → :class:`Form` of :data:`RESCALED`: CalScore with its gain over the mean of 1 − h, and the ends h allows."""
    calscore = metrics.METRICS["calscore"].linear
    *gain, error = calscore(clues.g.astype(float), clues.c, clues.starts, definition)
    sizes = np.diff(np.append(clues.starts, len(clues.c)))
    # Mean 1 − h over the clues of a question.
    remainder = -1 / np.repeat(sizes, sizes), np.ones(len(sizes))

    def normalised(gain, remainder):
        # Where h is 1 throughout, rounding may leave a little more or less than 0.
        share = np.divide(gain, remainder, out=np.full(remainder.shape, np.nan), where=remainder > 1e-12)
        return np.clip(error(share), 0, 1)

    def greatest(remainder):
        return error(-remainder if definition == "paper" else np.zeros_like(remainder))

    own = metrics.DEFINITIONS[definition]
    return {
        "calscore_normalised": Form(own, (tuple(gain), remainder), normalised),
        "calscore_least": Form(own, (remainder,), error),
        "calscore_greatest": Form(own, (remainder,), greatest),
    }


def two_way_draws(
    clues: Clues, crowd: TeamClueCounts, definition: str, weights, names, curve: str | None = None
) -> dict[str, np.ndarray]:
    """Metric → scores (S, R) of each series in each two-way replicate; nan where no question is drawn and heard.

    ``clues``: S series over Q questions; ``crowd``: who made h at the clues of at least these. ``definition``, ``names``
    and ``curve`` as in :func:`metric_forms`; ``weights``: how often questions (R, Q) and teams (R, T) are drawn.
    """
    sums = two_way_sums(clues, crowd, weights, metric_forms(clues, definition, names, curve))
    return {name: ratio(*pair) for name, pair in sums.items()}


def two_way_sums(clues: Clues, crowd: TeamClueCounts, weights, forms: dict) -> dict:
    """(Σ w·score, Σ w) over questions of each form, for each series and replicate: key → array (2, S, R).

    h is estimated again from the teams of each replicate. A question that none of them heard is left out of that
    replicate. ``forms``: key → :class:`Form`; the rest as in :func:`two_way_draws`.
    """
    question_weights, team_weights = weights
    n_series, n_questions = clues.shape
    replicates = len(team_weights)
    sums = {key: np.zeros((2, n_series, replicates)) for key in forms}
    question = clues.questions.get_indexer(crowd.rows["question_id"])
    order = np.argsort(question, kind="stable")
    clue = crowd.rows["clue"].to_numpy() - 1
    n_clues = int(max(clue.max(), clues.clue.max() - 1)) + 1
    step = max(1, _BLOCK // (_REPLICATES * max(n_series, n_clues)))
    for begin in progress(range(0, n_questions, step), "resampling questions and teams"):
        questions = slice(begin, min(begin + step, n_questions))
        rows = order[slice(*np.searchsorted(question[order], [begin, questions.stop]))]
        in_block = (clues.question >= begin) & (clues.question < questions.stop)
        if not in_block.any():
            continue
        part = crowd.select(rows)
        teams = None
        if part.teams is not crowd.teams:
            teams = crowd.teams.get_indexer(part.teams)
        block = _Block.of_questions(clues, in_block, questions, (question[rows], clue[rows], n_clues), forms)
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
        """h definitions that the forms take, sorted."""
        return sorted({*self.straight, *self.bent})

    @classmethod
    def of_questions(cls, clues: Clues, in_block, questions: slice, layout, forms: dict) -> _Block:
        """The block of ``questions``; ``in_block``: mask of their clues.

        ``layout``: question and clue of each row of the crowd, and the most clues of a question.
        """
        question_index, clue, n_clues = layout
        size, n_series = questions.stop - questions.start, len(clues.series)
        row = np.full((size, n_clues), -1)
        row[question_index - questions.start, clue] = np.arange(len(question_index))
        number, question = clues.number[in_block], clues.question[in_block] - questions.start
        crowd_row = row[question, clues.clue[in_block] - 1]
        # Clues that the crowd does not have count with h = 0.
        covered = crowd_row >= 0
        starts = in_block[clues.starts]
        cell = (
            clues.question[clues.starts][starts] - questions.start,
            clues.number[clues.starts][starts],
        )
        present = np.zeros((size, n_series))
        present[cell] = 1

        def spread(values, shape, *index):
            array = np.zeros(shape)
            array[index] = values
            return array

        straight: dict[str, list] = {}
        bent: dict[str, list] = {}
        for key, form in forms.items():
            constants = [spread(c[starts], (size, n_series), *cell) for _, c in form.terms]
            coefficients = [coefficient[in_block][covered] for coefficient, _ in form.terms]
            low, slope = _line(form)
            if slope is not None:
                flat = spread(
                    coefficients[0],
                    (n_series, len(question_index)),
                    number[covered],
                    crowd_row[covered],
                )
                straight.setdefault(form.curve, []).append((key, low, slope, flat, constants[0]))
                continue
            index = question[covered], number[covered], clue[crowd_row[covered]]
            grids = [spread(c, (size, n_series, n_clues), *index) for c in coefficients]
            terms = list(zip(grids, constants, strict=True))
            bent.setdefault(form.curve, []).append((key, form.transform, terms))
        return cls(question_index - questions.start, clue, n_clues, present, straight, bent)

    def sums(self, h: dict, heard, weights) -> Iterator[tuple]:
        """Yields (key, Σ w·score and Σ w, (2, S, R)) for ``h`` (curve → (rows, R)).

        ``heard`` (rows, R): whether a team drawn heard the question; ``weights`` (Q, R).
        """
        heard_by_question = np.zeros(weights.shape, dtype=bool)
        heard_by_question[self.question] = heard
        w = weights * heard_by_question
        under = self.present.T @ w
        for curve, forms in self.straight.items():
            tops = np.vstack([flat for *_, flat, _ in forms]) @ (h[curve] * w[self.question])
            for top, (key, low, slope, _, constant) in zip(np.split(tops, len(forms)), forms, strict=True):
                yield key, np.stack([low * under + slope * (top + constant.T @ w), under])
        for curve, forms in self.bent.items():
            spread = np.zeros((len(weights), self.n_clues, weights.shape[1]))
            spread[self.question, self.clue] = h[curve]
            for key, transform, terms in forms:
                value = transform(*(grid @ spread + constant[..., None] for grid, constant in terms))
                counts = self.present[..., None] * np.isfinite(value)
                counted = under
                if not np.isfinite(value).all():
                    counted = np.einsum("qsr,qr->sr", counts, w)
                    value[counts == 0] = 0
                yield key, np.stack([np.einsum("qsr,qr->sr", value * counts, w), counted])


def _line(form: Form) -> tuple[float, float | None]:
    """(value at 0, slope) of a form that is one linear function of h; (…, None) for any other."""
    if len(form.terms) > 1:
        return 0.0, None
    low, middle, high = form.transform(np.array([0.0, 0.5, 1.0]))
    return low, high - low if 2 * middle == low + high else None
