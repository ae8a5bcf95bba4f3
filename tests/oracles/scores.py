"""Answers, the human curve and scores of questions from raw rows, by the definitions alone."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from calscore.audit.explain import TOTALS
from calscore.audit.trace import Trace


def traces(study) -> Iterator[Trace]:
    """Raw rows followed to their terms, under every segmentation and every reduction."""
    for name in study["clues"]["segmentation"].unique():
        yield Trace(study, study.options, name, shown=False)


def answers(study) -> pd.DataFrame:
    """The answer of each clue."""
    parts = [trace.states.assign(segmentation=trace.segmentation) for trace in traces(study)]
    rows = pd.concat(parts, ignore_index=True)
    carried = rows["position"] < rows["end_word"]
    right = rows["right"].astype(bool)
    return rows.assign(confidence=rows["c"], correct=right, carried=carried)


def human_curve(study) -> pd.DataFrame:
    """h of each clue under every definition."""
    parts = [
        trace.human.assign(
            segmentation=trace.segmentation,
            h_definition=definition,
            correct=trace.human["human_right"],
            total=trace.human[total],
            h=trace.human[definition],
        )
        for trace in traces(study)
        for definition, (total, _) in TOTALS.items()
    ]
    return pd.concat(parts, ignore_index=True)


def question_scores(study) -> pd.DataFrame:
    """MCE and CalScore of each question."""
    parts = [trace.questions.assign(segmentation=trace.segmentation) for trace in traces(study)]
    return pd.concat(parts, ignore_index=True)
