"""Scores of many questions with questions and human teams resampled together, as sums that batches add up."""

from __future__ import annotations

import numpy as np

from . import metrics

_REPLICATES = 256
_BLOCK = 1 << 18
"""Numbers that are worked on together: few enough for the processor's cache."""


def two_way_bootstrap_sums(of, crowd, question_weights, team_weights) -> dict:
    """(definition, metric) → (Σ w·score, Σ w) over questions, each (S, R), of metrics that rest on human behaviour.

    ``of``: :class:`calscore.scores.score.Clues`; ``crowd``: of at least its questions; weights (R, Q) and (R, T). The sums
    that :func:`calscore.scores.score.two_way_sums` gives, of both definitions from the same draws of h, and in another
    order: where a score is a + b·Σ_t h_t·coefficient_t the sum over clues of all questions is one product, so that they
    differ by rounding. What has an h of its own stands under ``paper`` alone, being the same under every definition.
    """
    starts, g, c = of.starts, of.g.astype(float), of.c
    n_series, n_questions = of.shape
    question = of.questions.get_indexer(crowd.rows["question_id"])
    known = question >= 0
    question, clue = question[known], crowd.rows["clue"].to_numpy()[known] - 1
    n_clues = int(max(clue.max(), of.clue.max() - 1)) + 1
    row = np.full((n_questions, n_clues), -1)
    row[question, clue] = np.arange(len(question))
    at = row[of.question, of.clue - 1]
    there = at >= 0
    parts = {name: [part[known] for part in pair] for name, pair in crowd.parts.items()}
    heard = np.zeros((n_questions, len(crowd.teams)))
    heard[question] = parts["heard"][1]
    present = np.zeros((n_questions, n_series))
    present[of.question, of.number] = 1

    straight: dict[str, list] = {}
    bent: dict[str, list] = {}
    found = {}
    for definition, h_definition in metrics.DEFINITIONS.items():
        for one in metrics.metrics_for("scores"):
            twice = one.curve is not None and ("paper", one.name) in found
            if not one.human or twice or definition not in one.definitions:
                continue
            found[definition, one.name] = np.zeros((2, n_series, len(team_weights)))
            coefficient, value, then = one.linear(g, c, starts, definition)
            constant = np.zeros((n_questions, n_series))
            constant[of.question[starts], of.number[starts]] = value
            low, middle, high = then(np.array([0.0, 0.5, 1.0]))
            curve = one.curve or h_definition
            if 2 * middle == low + high:
                flat = np.zeros((n_series, len(question)))
                flat[of.number[there], at[there]] = coefficient[there]
                straight.setdefault(curve, []).append(((definition, one.name), low, high - low, flat, constant))  # fmt: skip
            else:
                grid = np.zeros((n_questions, n_series, n_clues))
                grid[of.question[there], of.number[there], clue[at[there]]] = coefficient[there]
                bent.setdefault(curve, []).append(((definition, one.name), then, grid, constant))
    flats = {curve: np.vstack([flat for *_, flat, _ in ones]) for curve, ones in straight.items()}
    # Of most curves the denominator is the same at all clues of a question.
    whole = {}
    for curve in {*straight, *bent}:
        total = np.zeros((n_questions, len(crowd.teams)))
        total[question] = parts[curve][1]
        whole[curve] = total if (parts[curve][1] == total[question]).all() else None

    step = max(1, _BLOCK // (_REPLICATES * max(n_series, n_clues)))
    for begin in range(0, n_questions, step):
        end = min(begin + step, n_questions)
        first, last = np.searchsorted(question, [begin, end])
        of_row, has = question[first:last] - begin, present[begin:end]
        regular = last - first == (end - begin) * n_clues
        teams = np.flatnonzero(
            heard[begin:end].any(axis=0) | parts["buzzed_so_far"][1][first:last].any(axis=0)
        )
        for part in range(0, len(team_weights), _REPLICATES):
            columns = slice(part, part + _REPLICATES)
            drawn = team_weights[columns][:, teams].T
            products: dict[int, np.ndarray] = {}

            def product(array, rows, drawn=drawn, teams=teams, products=products):
                if id(array) not in products:
                    products[id(array)] = array[rows][:, teams] @ drawn
                return products[id(array)]

            some, rows = slice(begin, end), slice(first, last)
            w = question_weights[columns, begin:end].T * (product(heard, some) > 0)
            under = has.T @ w

            def over(curve, top, rows=rows, some=some, of_row=of_row):
                """``top`` (1, or Q weights) times correct over total at each clue, 0 where nothing counts."""
                if whole[curve] is None:
                    total = np.maximum(product(parts[curve][1], rows), 1)
                    share = product(parts[curve][0], rows) / total
                    return share if top is None else np.multiply(share, top[of_row], out=share)
                total = np.maximum(product(whole[curve], some), 1)
                share = np.divide(1.0 if top is None else top, total)[of_row]
                return np.multiply(share, product(parts[curve][0], rows), out=share)

            for curve, ones in straight.items():
                tops = flats[curve][:, rows] @ over(curve, w)
                for number, (key, low, slope, _, constant) in enumerate(ones):
                    top = tops[number * n_series : (number + 1) * n_series]
                    top += constant[some].T @ w
                    found[key][0, :, columns] += low * under + slope * top
                    found[key][1, :, columns] += under
            for curve, of_curve in bent.items():
                h = over(curve, None)
                if regular:
                    h = h.reshape(end - begin, n_clues, -1)
                else:
                    spread = np.zeros((end - begin, n_clues, h.shape[1]))
                    spread[of_row, clue[rows]] = h
                    h = spread
                for key, then, grid, constant in of_curve:
                    value = grid[some] @ h
                    value += constant[some, :, None]
                    value = then(value)
                    if not has.all():
                        value *= has[:, :, None]
                    found[key][0, :, columns] += np.einsum("qsr,qr->sr", value, w)
                    found[key][1, :, columns] += under
    return {key: tuple(pair) for key, pair in found.items()}
