"""Answers of one overconfident model, as scored rows: 240 questions of 4 to 9 clues.

The clues of a question share one draw, so that an answer once right stays right, as models' answers mostly do.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

QUESTIONS, LARGE = 240, 60_000
SEED = 20250219


def large(count: int) -> Iterator[pd.DataFrame]:
    """One study of 60,000 questions, however many are asked for."""
    yield study(np.random.default_rng(SEED), LARGE)


def studies(count: int, seed: int = SEED) -> Iterator[pd.DataFrame]:
    """So many studies; their random numbers come after those of the large one."""
    rng = np.random.default_rng(seed)
    study(rng, LARGE)
    for _ in range(count):
        yield study(rng, QUESTIONS)


def study(rng, n: int) -> pd.DataFrame:
    """Scored rows of one overconfident model over ``n`` questions of 4 to 9 clues."""
    sizes = rng.integers(4, 10, n)
    code = np.repeat(np.arange(n), sizes)
    clue = np.arange(len(code)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1
    revealed = clue / sizes[code]
    ease = rng.normal(0, 1, n)[code]
    p = 1 / (1 + np.exp(-(3 * revealed - 2 + ease)))
    human = np.clip(revealed + rng.normal(-0.3, 0.3, n)[code], 0, 1) * rng.random(n)[code]
    return pd.DataFrame(
        {
            "segmentation": "given",
            "model": "a",
            "elicitation": "logit",
            "reduction": "mean_prob",
            "marks": "engine",
            "question_id": code,
            "clue": clue,
            "confidence": 1 / (1 + np.exp(-(3 * revealed - 1 + 1.3 * ease + rng.normal(0, 0.5, len(code))))),
            "correct": rng.random(n)[code] < p,
            "buzzed_so_far": human,
            "buzzed_on_question": human * revealed,
        }
    )
