"""One value of a finished study is changed, and the check that counts it says so."""

import pytest
from calscore.audit import checks
from calscore.core.results_folder import Study
from support import Replaced

pytestmark = pytest.mark.full

# table, rows, column, change → the check that must fail
BROKEN = [
    *(("table1", "model == 'M1'", column, 0.001, "scores of table 1") for column in ("brier", "ece", "mce", "calscore", "calscore_low", "calscore_two_way_high", "mce_high", "brier_rank", "n_questions")),
    *(("table2", "model == 'M1'", column, 0.001, "shares of table 2") for column in ("20%", "60%_low", "100%_high", "80%_n")),
    *(("table5", "category == 'Literature'", column, 0.001, "means of categories") for column in ("mce", "calscore", "n_questions")),
    ("precision", "category == 'all'", "high", 1, "precision counted"),
    ("precision", "category == 'all' and kind == 'human'", "se_two_way", 1, "precision counted"),
    ("cumulative_buzzes", "clue == 3", "per_question_high", 1, "cumulative"),
    ("cumulative_buzzes", "clue == 3 and rule == 'all'", "per_question_two_way_high", 1, "cumulative"),
    ("fair_quartiles", "clue == 3", "two_way_high", 1, "curves of quartiles"),
    *(("fair_quartiles", f"drawn == '{drawn}' and clue == 5", "right", 1, "curves of quartiles") for drawn in ("all", "same_half", "other_half")),
    *(("fair_quartiles", "drawn == 'other_half' and clue == 5", name, 0.001, "curves of quartiles") for name in ("n_teams", "questions_heard")),
    *(("incidence", f"estimator == '{one}' and time == 0.5", "incidence", 0.5, "ends of chances") for one in ("competing", "competing_known", "opponent_censors")),
    ("incidence", "time == 0.5", "n", 1, "ends of chances"),
    ("incidence", "rule == 'rate' and time == 0.5", "n_teams", 1, "ends of chances"),
    ("claims", "difference.notna()", "difference", 1, "verdicts known"),
    ("claims", "id == 'sentences.mean'", "predicate", "abs(x - 5.1) <= 0.05 + 1e-9", "verdicts known"),
    ("printed_cells", "recomputed.notna()", "says", "Printed 0.684, recomputed 0.123.", "said of the numbers"),
    ("printed_cells", "recomputed.notna()", "recomputed", "0.111", "said of the numbers"),
    ("statements", "robustness.notna()", "robustness", -0.003, "statements of the ledger"),
    ("statements", "robustness.notna()", "high", 0.003, "statements of the ledger"),
    ("statements", "cells > 0", "cells_same", 1, "statements of the ledger"),
    ("statements", "checks > 1", "checks", 1, "statements of the ledger"),
    ("statements", "shown", "quote", "another statement", "statements of the ledger"),
    ("statements", "says.str.contains('0.0', regex=False)", "says", "It is 0.123.", "statements of the ledger"),
    ("buzz_given", "n == 38", "low", 0.001, "shares of buzzes"),
    ("buzz_given", "n == 38", "high", -0.001, "shares of buzzes"),
]  # fmt: skip
ITEM_RESPONSES = [
    ("irt_agents", "kind == 'human'", "accuracy", 0.001, "accuracies of agents"),
    ("irt_agents", "kind == 'ai'", "skill", 0.1, "accuracies of agents"),
    ("irt_items", "clue == 2", "responses", 1, "counted items"),
    ("irt_items", "clue == 2", "difficulty", 0.01, "counted items"),
    ("irt_accuracy", "depth == 5", "p", 0.001, "chances by depth"),
    ("irt_accuracy", "depth == 2", "responses", 1, "chances by depth"),
    ("irt_loss", "model == 'caimira'", "beyond_words", 0.001, "mean losses"),
    ("irt_dif", "grouping == 'question'", "human_responses", 1, "counted by group"),
    ("irt_scale", "quantity == 'separation'", "value", 0.01, "numbers of the scale"),
    ("irt_readings", "wait > 0", "p_difference", 0.01, "readings of outcomes"),
]  # fmt: skip
TABLES = [(of, *row) for of, rows in {"demo": BROKEN, "demo_irt": ITEM_RESPONSES}.items() for row in rows]  # fmt: skip


def failures(study, name: str, frame, words: str) -> int:
    (one,) = (each for each in checks.checks() if (each.table, each.name) == (name, words))
    return checks.check_outcome(one, Replaced(study, name, frame)).failures


@pytest.mark.parametrize(("of", "name", "rows", "column", "change", "words"), TABLES)
def test_a_changed_value_is_found(request, of, name, rows, column, change, words):
    study = Study(request.getfixturevalue(of))
    frame = study[name]
    assert failures(study, name, frame, words) == 0
    row = frame.query(rows).index[0]
    broken = frame.copy() if isinstance(change, str) else frame.astype({column: float})
    broken.loc[row, column] = change if isinstance(change, str) else frame.loc[row, column] + change
    assert failures(study, name, broken, words) > 0
