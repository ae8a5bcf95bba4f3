"""Numbers of the demo, computed again by code that shares nothing with the package's own."""

from collections.abc import Iterator

import pandas as pd
import pytest
from calscore.audit.trace import TOTALS, Trace
from calscore.core import store
from calscore.core.check_result import compare_tables
from calscore.core.results_folder import Study
from oracles import buzz_policy

pytestmark = pytest.mark.full


@pytest.fixture
def study(demo):
    return Study(demo)


def traces(study) -> Iterator[Trace]:
    """Raw rows followed to their terms, under every segmentation and every reduction."""
    for name in study["clues"]["segmentation"].unique():
        yield Trace(study, study.options, name, shown=False)


def test_scores_of_questions(study):
    parts = [trace.questions.assign(segmentation=trace.segmentation) for trace in traces(study)]
    wanted = pd.concat(parts, ignore_index=True)
    key = store.schema("question_scores")["key"]
    outcome = compare_tables(study["question_scores"], wanted, key, ["n_clues", "mce", "calscore"])
    assert outcome.failures == 0, outcome.detail


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
        for definition, total in TOTALS.items()
    ]
    return pd.concat(parts, ignore_index=True)


def test_answers_and_the_human_curve_of_every_clue(study):
    for name, wanted, columns in (
        ("responses", answers(study), ["position", "guess", "confidence", "correct", "carried"]),
        ("human_curve", human_curve(study), ["correct", "total", "h"]),
    ):
        table = study[name].astype({"correct": wanted["correct"].dtype})
        outcome = compare_tables(table, wanted, store.schema(name)["key"], columns)
        assert outcome.failures == 0, outcome.detail


def test_ways_to_buzz(study):
    verdicts = Trace(study, study.options).verdicts
    tables = (study[name] for name in ("guesses", "buzzes", "exposures", "questions"))
    wanted = buzz_policy.decision_value(verdicts, *tables, study.options)
    key = ["model", "elicitation"]
    columns = [name for name in wanted if name not in key]
    outcome = compare_tables(study["decision_value"], wanted, key, columns, 1e-6)
    assert outcome.failures == 0, outcome.detail
