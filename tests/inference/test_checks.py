"""One value of a finished study is changed, and the check that counts it says so."""

import pytest
from calscore.audit import checks
from calscore.core.study import Study
from support import Replaced

pytestmark = pytest.mark.full

# table, rows, column, change → the check that must fail
BROKEN = [
    ("crowd_sizes", "teams == 1 and quantity == 'mean_h'", "value", 0.001, "few teams"),
    ("crowd_sizes", "teams == 2 and quantity == 'calscore'", "low", -0.001, "few teams"),
    ("crowd_sizes", "teams == 2 and quantity == 'least'", "high", 0.001, "few teams"),
    ("crowd_sizes", "teams == 8 and quantity == 'greatest'", "value", -0.05, "few teams"),
    ("conclusions", "metric == 'calscore'", "weight_a_better", 0.01, "shares of specifications"),
    ("conclusions", "metric == 'ece'", "weighted_median", 0.001, "shares of specifications"),
    ("conclusions", "metric == 'mce'", "p_joint", 0.002, "shares of specifications"),
    ("differences", "category == 'all' and family == 'declared'", "p", 1e-5, "drawn"),
    ("differences", "category == 'Arts'", "p_adjusted", -1e-5, "drawn"),
    ("differences", "category == 'all'", "draws_a_better", 1e-5, "drawn"),
    ("differences", "category == 'Arts'", "low", -0.01, "drawn"),
    ("differences", "metric == 'calscore'", "two_way_high", 1, "drawn"),
    ("differences", "category == 'all'", "bca_low", -1, "drawn"),
    ("differences", "category == 'all'", "se", 1, "drawn"),
    ("differences", "category == 'all'", "equivalent_within", 1, "drawn"),
    ("model_scores", "metric == 'mce'", "high", 1, "means of questions"),
    ("model_scores", "metric == 'calscore'", "two_way_se", 1, "means of questions"),
    ("model_minus_human", "scope == 'every clue'", "two_way_high", 1, "accuracies"),
    ("proper_scores", "definition == 'paper'", "brier_low", -0.01, "shown of the long"),
    ("proper_scores", "definition == 'paper'", "auroc_high", 0.01, "shown of the long"),
    ("proper_comparisons", "metric == 'auroc'", "high", 1, "bounds of differences"),
    ("precision", "category == 'all'", "high", 1, "precision counted"),
    ("precision", "category == 'all' and kind == 'human'", "se_two_way", 1, "precision counted"),
    ("cumulative_buzzes", "clue == 3", "per_question_high", 1, "cumulative"),
    ("cumulative_buzzes", "clue == 3 and rule == 'all'", "per_question_two_way_high", 1, "cumulative"),
    ("fair_quartiles", "clue == 3", "two_way_high", 1, "rising quartiles"),
]  # fmt: skip


def failures(study, name: str, frame, words: str) -> int:
    given = checks.Given(Replaced(study, name, frame), list(study.tables), study.options)
    (one,) = (each for each in checks.checks() if (each.table, each.name) == (name, words))
    return given.outcome(one).failures


@pytest.mark.parametrize(("name", "rows", "column", "change", "words"), BROKEN)
def test_a_changed_value_is_found(demo, name, rows, column, change, words):
    study = Study(demo)
    frame = study[name]
    assert failures(study, name, frame, words) == 0
    row = frame.query(rows).index[0]
    broken = frame.astype({column: float})
    broken.loc[row, column] += change
    assert failures(study, name, broken, words) > 0
