"""Numbers of the demo, computed again by code that shares nothing with the package's own."""

import pytest
from calscore.audit.checks import Given
from calscore.core import store
from calscore.core.check_result import compare_tables
from calscore.core.results_folder import Study
from oracles import buzz_policy, scores

pytestmark = pytest.mark.full


@pytest.fixture
def study(demo):
    study = Study(demo)
    return Given(study, list(study.tables), study.options, study.folder)


def test_scores_of_questions(study):
    wanted = scores.question_scores(study.traced, study["clues"]["segmentation"].unique())
    key = store.schema("question_scores")["key"]
    outcome = compare_tables(study["question_scores"], wanted, key, ["n_clues", "mce", "calscore"])
    assert outcome.failures == 0, outcome.detail


def test_ways_to_buzz(study):
    verdicts = study.traced(study.options["primary_segmentation"]).verdicts
    tables = (study[name] for name in ("guesses", "buzzes", "exposures", "questions"))
    wanted = buzz_policy.decision_value(verdicts, *tables, study.options)
    key = ["model", "elicitation"]
    columns = [name for name in wanted if name not in key]
    outcome = compare_tables(study["decision_value"], wanted, key, columns, 1e-6)
    assert outcome.failures == 0, outcome.detail
