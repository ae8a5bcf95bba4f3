"""Bonuses of three parts that a submission answers before and after a helper's guess."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from .models import sigmoid

BONUSES = 60


def studies(count: int, seed: int) -> Iterator[pd.DataFrame]:
    """The parts of two submissions in so many studies; parts of a bonus share its difficulty."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        hard = rng.normal(0, 0.8, BONUSES)
        yield pd.concat([parts(rng, name, hard + shift) for name, shift in (("a", -0.3), ("b", 0.3))])


def parts(rng, name: str, hard) -> pd.DataFrame:
    bonus, part = (one.ravel() for one in np.indices((BONUSES, 3)))
    easy = 0.4 - hard[bonus]
    first = rng.random(len(bonus)) < sigmoid(easy)
    helper = rng.random(len(bonus)) < 0.65
    taken = rng.random(len(bonus)) < np.where(helper, 0.6, 0.25)
    final = np.where(taken, helper, first)
    return pd.DataFrame(
        {
            "submission": name,
            "question_id": np.char.add("b", bonus.astype(str)),
            "part": part + 1,
            "correct": final,
            "first_correct": pd.array(first, "boolean"),
            "final_correct": pd.array(final, "boolean"),
            "confidence": sigmoid(easy + rng.normal(0, 0.7, len(bonus))),
            "guess": np.where(helper, "right", "wrong"),
            "final_guess": np.where(final, "right", "wrong"),
            "decision": np.where(taken, "switch", "keep"),
        }
    )
