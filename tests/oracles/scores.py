"""Scores of questions from raw rows, by the definitions alone."""

from __future__ import annotations

import pandas as pd


def question_scores(traced, segmentations) -> pd.DataFrame:
    """MCE and CalScore of each question; ``traced``: segmentation → raw rows followed to their terms."""
    parts = [traced(name).questions.assign(segmentation=name) for name in segmentations]
    return pd.concat(parts, ignore_index=True)
