"""Studies of answer options as ``calscore.simulate.choices`` makes them by default: 4,326 questions, six models."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from calscore.multiple_choice.option_files import VERDICTS
from calscore.simulate import choices

LARGE = {"questions": 100_000, "annotators": {"answers": 30_000}}
"""The study behind the truth."""
NEARLY = {"confidence": {"a": 0, "b": 1, "noise_sd": 0, "full": 0}}
"""Models that state their chance to be right, to the nearest 5 % between 5 and 95: where they do not
attempt a question that does not count, they are calibrated but for that."""


def studies(count: int, seed: int, parameters: dict | None = None) -> Iterator[tuple]:
    """So many studies as (results, annotations, questions, seed)."""
    for number in range(1, count + 1):
        yield *tabled(parameters or {}, seed + number), seed + number


def large(count: int, seed: int, parameters: dict | None = None) -> Iterator[tuple]:
    """One large study, however many are asked for."""
    yield *tabled(LARGE | (parameters or {}), seed), seed


def tabled(parameters: dict, seed: int):
    """(results, annotations, questions) of one simulated study, as the workflow reads them."""
    one = choices.simulate_choices(parameters, seed)
    results = pd.concat(
        [
            pd.DataFrame(
                {
                    "model": model,
                    "judging": judging,
                    "setting": setting,
                    "row": np.arange(len(verdicts)),
                    "confidence": confidence / 100,
                    "output": verdicts,
                }
            )
            for (model, judging, setting), (_, confidence, verdicts) in one["results"].items()
        ],
        ignore_index=True,
    )
    columns = ["model", "setting", "row", "annotator", "verdict"]
    annotations = pd.DataFrame(one["annotations"], columns=columns)
    annotations["output"] = annotations["verdict"].map(VERDICTS)
    kinds = one["questions"]["type"]
    questions = pd.DataFrame({"row": np.arange(len(kinds)), "answer_type": kinds})
    return results, annotations, questions
