"""Expressions of claims: what they can call, and which parts of a value they have looked at."""

import ast
import itertools
import math
import statistics
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache

import numpy as np
import pandas as pd

from ..core.errors import DataError
from ..scores.metrics import renormalise
from .estimates import Events, Quantity

PRINTED = ("printed", "published")
"""Names of what a paper prints, in expressions."""


class Missing(Exception):
    """Raised for a part of a quantity that this study lacks; the message says which."""


class Branch(dict):
    """A nested value that notes in ``log`` which of its parts an expression looks at.

    ``path``: the keys that lead here, first the name (a quantity, ``printed``, ``published``, …). Only
    ``branch[key]`` notes, as the evaluator itself walks through ``values()``. For an absent key it raises
    :class:`Missing`, ``DataError`` below :data:`PRINTED`."""

    def __init__(self, items, path: tuple, log: set):
        super().__init__(items)
        self._path, self._log = path, log

    def __getitem__(self, key):
        value = super().__getitem__(key)
        self._log.add((*self._path, key))
        return value

    def __missing__(self, key):
        if self._path[0] in PRINTED:
            # what is not printed is a fault of the claim
            keys = ", ".join(map(str, self))
            raise DataError.at("published", "", "predicate", key, f"one of {keys}")
        # what a quantity lacks is missing from the study, not a fault of the claim
        raise Missing(", ".join(map(str, [*self._path[1:], key])))


def wrap_traced(value: object, path: tuple, log: set) -> object:
    """A copy of ``value`` for expressions: numpy scalars plain, dicts as :class:`Branch`, tuples as lists, and printed
    texts of numbers as floats. ``path``: the keys that lead to it.

    A branch stays the one that it is: what is looked at in a claim's ``value`` is looked at in the quantity that it names.
    """
    if isinstance(value, Branch):
        return value
    if isinstance(value, dict):
        inner = {key: wrap_traced(item, (*path, key), log) for key, item in value.items()}
        return Branch(inner, path, log)
    if isinstance(value, (list, tuple)):
        return [wrap_traced(item, (*path, place), log) for place, item in enumerate(value)]
    if isinstance(value, str) and path[0] in PRINTED:
        with suppress(ValueError):
            return float(value)
    return value.item() if isinstance(value, np.generic) else value


def leaves_below(log: set, name: str) -> list[tuple]:
    """The places in quantity ``name`` (without the name) that were looked at, the deepest alone, sorted as text."""
    paths = {path[1:] for path in log if path[0] == name}
    inner = {path[:depth] for path in paths for depth in range(len(path))}
    return sorted(paths - inner, key=str)


def evidence(quantity: Quantity, leaves: list[tuple]) -> list[str]:
    """Distinct evidence of the parts at ``leaves``: that of a whole branch in place of all of its parts.

    The quantity's own evidence where there are no leaves, one belongs to no part, or no part has any ("")."""
    parts, rows_shown = quantity.parts, []
    for leaf in leaves if parts else ():
        places = (leaf[:depth] for depth in range(len(leaf), 0, -1))
        place = next((item for item in places if item in parts), None)
        if place is None:
            return [quantity.evidence]
        rows_shown.append(parts[place])
    chosen = {item for item in rows_shown if item}
    inner = {place[:depth] for place in parts for depth in range(len(place))}
    for branch in sorted(inner, key=len):
        below = {
            text
            for place, text in parts.items()
            if text and len(place) > len(branch) and place[: len(branch)] == branch
        }
        branch_evidence = quantity.evidence if not branch else parts.get(branch)
        if branch_evidence and len(below - {branch_evidence}) > 1 and below <= chosen:
            chosen = chosen - below | {branch_evidence}
            rows_shown = [branch_evidence if item in below else item for item in rows_shown]
    return [item for item in dict.fromkeys(rows_shown) if item in chosen] or [quantity.evidence]


_MANY = 4


def printed_evidence(leaves: list[tuple], file: str, keys: Mapping[str, str]) -> list[str]:
    """[``<file>: key, key, …``] with the keys of the published file at ``leaves``, of over four the tables
    alone; [] for none.

    ``keys``: names of ``printed`` → the keys they have in the file; all others are under ``facts``."""
    if len(leaves) > _MANY:
        leaves = [leaf[:1] for leaf in leaves]
    keys = {".".join([keys.get(leaf[0], f"facts.{leaf[0]}"), *map(str, leaf[1:])]): None for leaf in leaves}
    return [f"{file}: {', '.join(keys)}"] if keys else []


def _mean(values: Iterable) -> float:
    """Mean of numbers or arrays, elementwise; of Events their sum. Raises Missing for a None and for no values."""
    values = list(values)
    if not values or any(value is None for value in values):
        raise Missing("nothing to average over")
    if isinstance(values[0], Events):
        return Events(math.fsum(values))
    if any(np.ndim(value) for value in values):
        return sum(values) / len(values)
    return statistics.fmean(values)


def _weighted_mean(values: dict, weights: dict) -> float:
    """Mean of ``values`` weighted by ``weights``. Raises Missing where their keys differ."""
    if set(values) != set(weights):
        raise Missing(f"categories {sorted(values)} weighted by {sorted(weights)}")
    # by key, as an access notes what was looked at
    return statistics.fmean(*([tree[key] for key in values] for tree in (values, weights)))


def _rank(values: Iterable[float]) -> list[int]:
    """Rank of each value in their order, 1 for the smallest; equal values share the better rank."""
    values = list(values)
    return [1 + sum(peer < value for peer in values) for value in values]


def _spearman(a, b) -> float:
    """Spearman's rank correlation of two lists or dicts, ties at their mean rank; nan where one does not vary.

    A pair counts where both values are there (no None or nan). Raises Missing where keys or lengths differ.
    """
    keys = [list(values) if isinstance(values, dict) else range(len(values)) for values in (a, b)]
    if set(keys[0]) != set(keys[1]):
        raise Missing(f"values of {list(keys[0])} correlated with those of {list(keys[1])}")
    pairs = pd.DataFrame([[values[key] for values in (a, b)] for key in keys[0]], dtype=float).dropna()
    ranks = pairs.rank()
    return float(ranks[0].corr(ranks[1])) if len(ranks) else math.nan


def _polynomial(coefficients, x: float) -> float:
    """Value at x of the polynomial with coefficients of x⁰, x¹, ..."""
    return math.fsum(factor * x**power for power, factor in enumerate(coefficients))


def _counts(percentages, decimals: int, n: int) -> list[int]:
    """How many of ``n`` people each rounded percentage stands for (the nearest); [] if one fits none."""
    counts = []
    for percentage in percentages:
        k = round(percentage * n / 100)
        if abs(100 * k / n - percentage) > 0.5 * 10.0**-decimals + 1e-9:
            return []
        counts.append(k)
    return counts


def _splits(least: dict, total: float) -> list[dict]:
    """Every way to share a whole ``total`` among the names of ``least``, each with at least its number: name → number.

    Raises Missing where there is none."""
    names, spare = list(least), int(total) - sum(least.values())
    if spare < 0 or not names:
        raise Missing(f"no way to share {int(total)} among {names}, each with its least number")
    splits = []
    for cuts in itertools.combinations(range(spare + len(names) - 1), len(names) - 1):
        edges = (-1, *cuts, spare + len(names) - 1)
        extra = (after - before - 1 for before, after in itertools.pairwise(edges))
        shares = {name: least[name] + addition for name, addition in zip(names, extra, strict=True)}
        splits.append(Branch(shares, ("matches",), set()))
    return splits


def _rates(counts: dict, least: dict, total: float) -> list[dict]:
    """``counts`` over the matches of each name, under every way to share ``total`` matches (:func:`_splits`)."""
    return [
        Branch({name: counts[name] / n for name, n in split.items()}, ("rates",), set())
        for split in _splits(least, total)
    ]


def _nth(values: list, place: int):
    """The number at ``place`` (from 0; −1: the highest) in ascending order, of arrays (R,) in each replicate, of Events by
    count."""
    if isinstance(values[0], Events):
        return sorted(values)[place]
    value = np.sort(np.stack([np.asarray(array, dtype=float) for array in values]), axis=0)[place]
    return value if np.ndim(value) else float(value)


_BUILTINS = (abs, min, max, all, any, len, sum, round, set, sorted, str)
FUNCTIONS = {function.__name__: function for function in _BUILTINS} | {
    "range": lambda *ends: list(range(*ends)),
    "mean": _mean,
    "weighted_mean": _weighted_mean,
    "rank": _rank,
    "spearman": _spearman,
    "polynomial": _polynomial,
    "counts": _counts,
    "splits": _splits,
    "rates": _rates,
    "peak": lambda curve: _nth(curve, -1),
    "nth": _nth,
    "renormalise": lambda x: float(renormalise(x)),
}

#: Functions that are what a claim is about → where they stand.
COMPUTED_BY = {"renormalise": "workflow/calscore/scores/metrics.py: renormalise"}

LOCAL = ("published", "tolerance", "value")


def names_in(*written: str) -> set[str]:
    """Names that expressions need, without functions and comprehension variables. Raises SyntaxError."""
    return set().union(*(_names(text)[0] - _names(text)[1] for text in written)) - set(FUNCTIONS)


def all_names(*written: str) -> set[str]:
    """All names in expressions: quantities, functions and comprehension variables."""
    return set().union(*(_names(text)[0] for text in written))


@cache
def _parsed(expression: str) -> ast.expr:
    return ast.parse(expression.strip(), mode="eval").body


@cache
def _names(expression: str) -> tuple[frozenset[str], frozenset[str]]:
    """All names of an expression, and those that it binds itself."""
    nodes = [node for node in ast.walk(_parsed(expression)) if isinstance(node, ast.Name)]
    bound = (node.id for node in nodes if isinstance(node.ctx, ast.Store))
    return frozenset(node.id for node in nodes), frozenset(bound)


@cache
def _evaluator():
    """The class of simpleeval that expressions are evaluated with, imported when first used."""
    import simpleeval

    # Ways to share matches out are thousands in a small study, each with a value for every model.
    simpleeval.MAX_COMPREHENSION_LENGTH = 200_000
    # No expression makes a branch: it holds numbers of the study or of print, some thousands.
    harmless = {Branch, Events, np.ndarray, np.float64, float, int, bool, str}

    class Evaluator(simpleeval.EvalWithCompoundTypes):
        def _check_disallowed_items(self, item):
            if type(item) not in harmless:
                super()._check_disallowed_items(item)

    return Evaluator


def evaluate(expression: str, names: dict) -> object:
    """Value of the expression, with nothing but ``names`` and FUNCTIONS in reach; parts of branches are logged."""
    evaluator = _evaluator()(functions=dict(FUNCTIONS), names=names)
    return evaluator.eval(expression.strip(), _parsed(expression))
