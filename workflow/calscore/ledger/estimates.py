"""Numbers that are estimated: each with its replicates in resampled studies and the events behind it.

Questions are resampled, and human teams where several are pooled, with the same weights for all groups: a
difference of two numbers is a difference within one resampled study. P(b | g) of players resamples players
instead. Quartiles are taken as they are. Shares by category are widened from the normal to Student's t.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..stats.bootstrap import Bootstrap
from ..stats.proportions import ratio

Tables = dict[str, pd.DataFrame]


class Events(float):
    """A count of the events behind a number. ``+ - * /`` and ``**`` with another count give the smaller one;
    with a plain number, or negated, the count itself. ``abs``, ``2 ** count`` and others give plain floats."""

    def _with(self, other: float) -> Events:
        return min(self, other) if isinstance(other, Events) else self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _with  # type: ignore[assignment]
    __truediv__ = __rtruediv__ = __pow__ = _with  # type: ignore[assignment]

    def __neg__(self) -> Events:
        return self


class Estimate(NamedTuple):
    """A number of the study, None where it is divided by 0.

    ``replicates`` (R,): the same number in resampled studies, perhaps not finite. ``events``: the number of
    those behind it; of a share, on its rarer side. ``size``: what it is divided by, 1 for a count."""

    value: float | None
    replicates: np.ndarray
    events: Events
    size: float


def nest(flat: Mapping[tuple, object]) -> dict:
    """Nested dicts of the values in ``flat``; its keys are places, tuples of the keys that lead to a value (one or more)."""
    tree: dict = {}
    for place, value in flat.items():
        branch = tree
        for key in place[:-1]:
            branch = branch.setdefault(key, {})
        branch[place[-1]] = value
    return tree


def flatten(tree: object, place: tuple = ()) -> Iterator[tuple[tuple, object]]:
    """Yields (place, value) of each value in nested dicts, the inverse of :func:`nest`; a list is one value, an empty dict none.
    ``place`` is put before all places."""
    if isinstance(tree, dict):
        for key, part in tree.items():
            yield from flatten(part, (*place, key))
    else:
        yield place, tree


def values(tree: object) -> object:
    """A copy of nested dicts and lists with its ``value`` in place of each :class:`Estimate`; other items as they are."""
    if isinstance(tree, dict):
        return {key: values(part) for key, part in tree.items()}
    if isinstance(tree, list):
        return [values(part) for part in tree]
    return tree.value if isinstance(tree, Estimate) else tree


def _fields(tree: object, name: str) -> object:
    """The field ``name`` of each :class:`Estimate` in nested dicts and lists, other values left out. None
    where nothing is left, and for a list of which any item leaves nothing."""
    if isinstance(tree, dict):
        parts = {key: _fields(part, name) for key, part in tree.items()}
        return {key: part for key, part in parts.items() if part is not None} or None
    if isinstance(tree, list):
        parts = [_fields(part, name) for part in tree]
        return parts if parts and all(part is not None for part in parts) else None
    return getattr(tree, name) if isinstance(tree, Estimate) else None


@dataclass(frozen=True)
class Quantity:
    """A recomputed number, list or nested mapping, and the file and rows it comes from.

    ``estimates``: the value with an :class:`Estimate` in place of each number that has one. ``parts``: for a
    nested value, the keys on the way to a part → the file and rows of that part."""

    estimates: object
    evidence: str
    parts: dict[tuple, str] = field(default_factory=dict)

    @functools.cached_property
    def value(self) -> object:
        """``estimates`` (a number, list or nested dict) with the number in place of each :class:`Estimate`."""
        return values(self.estimates)

    @functools.cached_property
    def replicates(self) -> object:
        """``estimates`` with replicates (R,) in place of each :class:`Estimate`, other parts left out; None without any."""
        return _fields(self.estimates, "replicates")

    @functools.cached_property
    def events(self) -> object:
        """``estimates`` with :class:`Events` in place of each :class:`Estimate`, other parts left out; None without any."""
        return _fields(self.estimates, "events")


class StudySums:
    """Sums over the questions and teams of a study, and of R resampled ones: row 0 is the study itself.

    Questions are those of the first of tables questions, responses and survey_responses that is there; ``w``
    (R, questions) and ``v`` (R, human teams) are their weights. ``segmentation`` is used where a quantity
    needs one."""

    def __init__(self, tables: Tables, segmentation: str, bootstrap: Bootstrap):
        self.segmentation, self.bootstrap = segmentation, bootstrap
        sources = ("questions", "responses", "survey_responses")
        ids = next((set(tables[name]["question_id"]) for name in sources if name in tables), ())
        self.questions = pd.Index(sorted(ids))
        # by what they did, not by name: teams under pseudonyms get the same draws
        buzzes = tables.get("buzzes", pd.DataFrame(columns=["team", "kind", "question_id", "word_index"]))
        did = {
            team: rows.to_records(index=False).tolist()
            for team, rows in buzzes.groupby("team")[["question_id", "word_index"]]
        }
        kind = tables.get("teams", buzzes).drop_duplicates("team").set_index("team")["kind"]
        humans = sorted(kind.index[kind == "human"], key=lambda team: sorted(did.get(team, [])))
        self.teams = pd.Index([*humans, *sorted(kind.index[kind == "model"])])
        self.humans = len(humans)
        self.w, self.v = bootstrap.two_way_weights(len(self.questions), max(self.humans, 1))

    def with_indices(self, rows: pd.DataFrame) -> pd.DataFrame:
        """``rows`` with columns ``q`` and ``t``: index of their question and team, −1 for an unknown one."""
        return rows.assign(
            q=self.questions.get_indexer(rows["question_id"]),
            t=self.teams.get_indexer(rows["team"]),
        )

    def sums(
        self,
        rows: pd.DataFrame,
        members: Iterable[str],
        values: ArrayLike | None = None,
        clue: pd.Series | None = None,
        n_clues: int = 1,
    ) -> np.ndarray:
        """Sums (1 + R, ``n_clues``) of ``values`` (None: 1 each) over ``rows`` (of :meth:`with_indices`, no
        -1) of teams ``members``, by ``clue`` from 1 (None: one column); later clues are left out. If
        ``members`` are several human teams, they are resampled too."""
        members = self.teams.get_indexer(list(members))
        pooled = len(members) > 1 and bool((members < self.humans).all())
        place = np.full(len(self.teams), -1)
        place[members] = np.arange(len(members))
        place = place[rows["t"].to_numpy()]
        clue_index = np.zeros(len(rows), dtype=int) if clue is None else clue.to_numpy() - 1
        inside = (place >= 0) & (clue_index < n_clues)
        shape = len(self.questions), len(members) if pooled else 1, n_clues
        index = np.ravel_multi_index(
            (rows["q"].to_numpy()[inside], place[inside] * pooled, clue_index[inside]), shape
        )
        weight = None if values is None else np.asarray(values, dtype=float)[inside]
        cells = np.bincount(index, weight, np.prod(shape)).reshape(shape[0], -1)
        sums = (self.w @ cells).reshape(len(self.w), *shape[1:])
        sums = np.einsum("rtk,rt->rk", sums, self.v[:, members]) if pooled else sums[:, 0]
        return np.vstack([cells.sum(axis=0).reshape(shape[1:]).sum(axis=0), sums])

    def estimate(
        self,
        form: Callable,
        rows: pd.DataFrame,
        values: ArrayLike,
        unit: str = "question_id",
        units: list | None = None,
    ) -> Estimate:
        """``form(sum of values, number of rows)``, such as :func:`share` or :func:`mean`, with units resampled.

        ``unit``: the column of ``rows`` with what is resampled; ``units``: all of them (None: questions of the study).
        """
        weights = self.w if units is None else self.bootstrap.question_weights(len(units))
        units = self.questions if units is None else pd.Index(units)
        place, values = units.get_indexer(rows[unit]), np.asarray(values, dtype=float)
        cells = [np.bincount(place, part, len(units)) for part in (values, np.ones(len(rows)))]
        cells = np.column_stack(cells)
        return form(*np.vstack([cells.sum(axis=0), weights @ cells]).T)


def count(sums: np.ndarray) -> Estimate:
    """The estimate of a number of occurrences, from its sums (1 + R,); the events are the occurrences."""
    return Estimate(int(sums[0]), sums[1:], Events(sums[0]), 1)


def share(part: np.ndarray, total: np.ndarray) -> Estimate:
    """The estimate part / total, both sums (1 + R,); its events are the fewer of ``part`` and the rest."""
    return _divided(part, total, min(part[0], total[0] - part[0]))


def rate(events: np.ndarray, chances: np.ndarray) -> Estimate:
    """The estimate events / chances, both sums (1 + R,); ``events[0]`` are its events."""
    return _divided(events, chances, events[0])


def per_match(counts: np.ndarray, matches: np.ndarray) -> Estimate:
    """The estimate whose value is ``counts[0]``, an integer, and whose replicates are ``counts`` / ``matches``. Both are sums
    (1 + R,); ``matches``: matches of a resampled study over those of the study, so ``matches[0]`` is 1."""
    return rate(counts, matches)._replace(value=int(counts[0]))


def mean(total: np.ndarray, size: np.ndarray) -> Estimate:
    """The estimate total / size, from sums (1 + R,) of a number and of how many there are; ``size[0]`` are its events."""
    return _divided(total, size, size[0])


def _divided(over: np.ndarray, under: np.ndarray, events: float) -> Estimate:
    """over / under, from sums (1 + R,) of which row 0 is the study; value None where there is nothing to divide by."""
    divided = ratio(over, under)
    value = float(divided[0]) if under[0] > 0 else None
    return Estimate(value, divided[1:], Events(events), float(under[0]))
