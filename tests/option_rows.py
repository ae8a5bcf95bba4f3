"""The published rows of "Mind the Confidence Gap" that lie with the real data, and its printed numbers."""

import numpy as np
from calscore.multiple_choice import scoring
from support import configuration

QUESTION_FILE = "simpleQA_with_distractors.csv"
FILES = {
    "normal": "gpt-4o-mini_normal_0_20_results.json",
    "distractor": "gpt-4o-mini_distractors_0_20_results.json",
}
PUBLISHED = configuration("published/confidence_gap")


def ece(c, output, reading: str) -> float:
    """Expected calibration error of answers under a reading; nan where none counts."""
    labels, edges = scoring.READINGS[reading]
    n = scoring.is_counted(output, labels).sum()
    gaps = scoring.residuals(c, output, labels, edges).sum(axis=0)
    return np.abs(gaps).sum() / n if n else float("nan")
