"""Numbers of the demo, computed again by code that shares nothing with the package's own."""

import pytest
from calscore.audit.trace import Trace
from calscore.core import store
from calscore.core.check_result import compare_tables
from calscore.core.results_folder import Study
from oracles import buzz_policy, scores

pytestmark = pytest.mark.full


@pytest.fixture
def study(demo):
    return Study(demo)


def test_scores_of_questions(study):
    wanted = scores.question_scores(study)
    key = store.schema("question_scores")["key"]
    outcome = compare_tables(study["question_scores"], wanted, key, ["n_clues", "mce", "calscore"])
    assert outcome.failures == 0, outcome.detail


def test_answers_and_the_human_curve_of_every_clue(study):
    answers, curves = scores.answers(study), scores.human_curve(study)
    for name, wanted, columns in (
        ("responses", answers, ["position", "guess", "confidence", "correct", "carried"]),
        ("human_curve", curves, ["correct", "total", "h"]),
    ):
        table, key = (
            study[name].astype({"correct": wanted["correct"].dtype}),
            store.schema(name)["key"],
        )
        outcome = compare_tables(table, wanted, key, columns)
        assert outcome.failures == 0, outcome.detail


def test_ways_to_buzz(study):
    verdicts = Trace(study, study.options).verdicts
    tables = (study[name] for name in ("guesses", "buzzes", "exposures", "questions"))
    wanted = buzz_policy.decision_value(verdicts, *tables, study.options)
    key = ["model", "elicitation"]
    columns = [name for name in wanted if name not in key]
    outcome = compare_tables(study["decision_value"], wanted, key, columns, 1e-6)
    assert outcome.failures == 0, outcome.detail
