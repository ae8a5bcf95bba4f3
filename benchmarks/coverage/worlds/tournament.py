"""The studies of ``models`` laid out as the tables that the workflow reads, played in matches.

The first model plays too, on every packet, and both have per-clue answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from . import models
from .models import CLUES, PACKETS, QUESTIONS, TEAMS

WORDS = 10
"""Words of each clue."""
IDS = np.array([f"q{i:03d}" for i in range(QUESTIONS)])
PACKET = np.repeat(np.arange(1, PACKETS + 1), QUESTIONS // PACKETS)
CATEGORIES = np.tile(["A", "B", "C", "D"], QUESTIONS // 4)
MODEL = "M"
CONFIDENT = 0.6
"""The model buzzes at the first clue with at least this confidence."""
HUMANS = [f"H{i:02d}" for i in range(TEAMS)]
SEGMENTATION, REDUCTION = "given", "mean_prob"
SERIES = {
    "segmentation": SEGMENTATION,
    "elicitation": "logit",
    "reduction": REDUCTION,
    "marks": "engine",
}
NAMES = {MODEL: "Model", "a": "First", "b": "Second"}
STRICT, LENIENT = 0.15, 0.05
"""Shares of right and of wrong answers, per model and question, on which the second judge differs."""


@dataclass(frozen=True)
class Study:
    """A study of ``models`` and its tables; ``second``: the answers as another judge has them."""

    one: dict[str, np.ndarray]
    questions: pd.DataFrame
    clues: pd.DataFrame
    buzzes: pd.DataFrame
    exposures: pd.DataFrame
    responses: pd.DataFrame
    second: pd.DataFrame

    @property
    def humans(self) -> tuple[pd.DataFrame, ...]:
        return self.clues, self.buzzes, self.exposures

    @property
    def tables(self) -> tuple[pd.DataFrame, ...]:
        return self.questions, *self.humans


def studies(count: int, seed: int, skills=None, twice: bool = False, there=None) -> Iterator[Study]:
    """So many studies; ``skills`` and ``there``: those of the teams and the packets that they hear, drawn anew where None;
    ``twice``: judged again.
    """
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield study(rng, skills, twice, there)


def study(rng, skills=None, twice: bool = False, there=None) -> Study:
    one = models.study(rng, skills, there=there)
    tables = tabled(one, rng)
    found = responses(one)
    return Study(one, *tables, found, judged_again(found, rng) if twice else found)


def _meetings(heard, rng):
    """(packet, one side, other side) of every match, sides as columns of ``heard`` (Q, sides).

    The sides that heard a packet meet in pairs at random; an odd one meets nobody.
    """
    found = []
    for packet in range(1, PACKETS + 1):
        there = rng.permutation(np.flatnonzero(heard[packet == PACKET][0]))
        found += [(packet, a, b) for a, b in zip(there[::2], there[1::2], strict=False)]
    return found


def tabled(one, rng) -> tuple[pd.DataFrame, ...]:
    """The tables (questions, clues, buzzes, exposures) of a study of ``models``.

    In a match a right buzz ends the question: the opponent does not buzz after it. The word within a clue is
    drawn; at the same word either side may be first.
    """
    g, c = one["g"][0].astype(bool), one["c"][0]
    confident = c >= CONFIDENT
    ready = np.where(confident.any(axis=1), confident.argmax(axis=1), CLUES)
    clue = np.column_stack([one["when"], ready])
    at_clue = np.minimum(ready, CLUES - 1)
    right = np.column_stack([one["knows"], g[np.arange(QUESTIONS), at_clue]])
    heard = np.column_stack([one["heard"], np.ones(QUESTIONS, dtype=bool)])
    names = np.array([*HUMANS, MODEL])
    word = clue * WORDS + rng.integers(0, WORDS, clue.shape)
    time = np.where(heard & (clue < CLUES), word + rng.random(clue.shape) / 2, np.inf)
    match = np.full((PACKETS + 1, len(names)), "", dtype=object)
    final = time.copy()
    for packet, a, b in _meetings(heard, rng):
        match[packet, [a, b]] = f"{packet}: {names[a]} – {names[b]}"
        of = packet == PACKET
        for mine, theirs in ((a, b), (b, a)):
            after = of & right[:, theirs] & (time[:, theirs] < time[:, mine])
            final[after, mine] = np.inf
    kind = np.where(names == MODEL, "model", "human")
    q, t = np.nonzero(np.isfinite(final))
    buzzes = pd.DataFrame(
        {
            "question_id": IDS[q],
            "packet": PACKET[q],
            "team": names[t],
            "kind": kind[t],
            "word_index": word[q, t],
            "correct": right[q, t],
            "match": match[PACKET[q], t],
        }
    )
    buzzes["match"] = buzzes["match"].where(buzzes["match"] != "", None)
    q, t = np.nonzero(heard)
    exposures = pd.DataFrame(
        {
            "question_id": IDS[q],
            "packet": PACKET[q],
            "team": names[t],
            "kind": kind[t],
            "source": "declared",
        }
    )
    questions = {
        "question_id": IDS,
        "packet": PACKET,
        "n_words": CLUES * WORDS,
        "category": CATEGORIES,
        "category_fine": "all",
    }
    clues = {
        "segmentation": SEGMENTATION,
        "question_id": np.repeat(IDS, CLUES),
        "clue": np.tile(np.arange(1, CLUES + 1), QUESTIONS),
        "end_word": np.tile(np.arange(1, CLUES + 1) * WORDS, QUESTIONS),
    }
    return pd.DataFrame(questions), pd.DataFrame(clues), buzzes, exposures


def responses(one) -> pd.DataFrame:
    """Per-clue answers of models a and b of a study of ``models``."""
    parts = [
        pd.DataFrame(
            {
                **SERIES,
                "model": name,
                "question_id": np.repeat(IDS, CLUES),
                "clue": np.tile(np.arange(1, CLUES + 1), QUESTIONS),
                "confidence": c.ravel(),
                "correct": g.ravel() > 0,
                "buzz": c.ravel() >= CONFIDENT,
            }
        )
        for name, g, c in zip("ab", one["g"], one["c"], strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


def judged_again(table, rng):
    """Responses as a second judge has them: some right answers rejected, some wrong ones accepted."""
    draw = rng.random((2, QUESTIONS, 1))
    right = table["correct"].to_numpy().reshape(2, QUESTIONS, CLUES)
    second = np.where(right, draw >= STRICT, draw < LENIENT)
    return table.assign(correct=second.ravel())
