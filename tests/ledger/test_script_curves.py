"""Figure 4 as the public script draws it: by hand."""

import numpy as np
import pandas as pd
import pytest
from calscore.ledger import script_curves


def frame(rows):
    columns = ["question_id", "team", "word_index", "correct"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(kind=np.where(table["team"].str.startswith("H"), "human", "model"))


def seen_by(*teams):
    rows = [("combined", question, team, True) for question in ("a", "b") for team in teams]
    return pd.DataFrame(rows, columns=["table", "question_id", "team", "is_team"])


GUESSES = pd.DataFrame({"model": "M1", "elicitation": "logit", "question_id": ["a", "a", "b"], "position": [5, 9, 4]})  # fmt: skip

# buzzes on question a (runs end at words 5 and 9) → right buzzes of H1 in runs 1 and 2, with the script's loop and once
CASES = [
    ([("a", "H1", 4, True)], [1, 1], [1, 1]),
    ([("a", "H1", 5, True)], [0, 1], [0, 1]),
    ([("a", "H1", 9, True)], [0, 0], [0, 0]),
    # two teams in one run: each buzz counts twice, right or wrong
    ([("a", "H1", 1, True), ("a", "H2", 3, False)], [2, 2], [1, 1]),
    ([("a", "H1", 1, True), ("a", "H2", 6, True)], [1, 1], [1, 1]),
    # a model is of another kind
    ([("a", "H1", 1, True), ("a", "M1", 2, True)], [1, 1], [1, 1]),
]


@pytest.mark.parametrize(("rows", "looped", "once"), CASES)
def test_a_buzz_counts_for_every_team_of_its_run(rows, looped, once):
    teams = ["H1", "H2", "H3", "H4", "M1"]
    table = script_curves.script_curves(GUESSES, {"release": frame(rows)}, seen_by(*teams))
    mine = table[(table["group"] == "H1") & (table["outcome"] == "correct")]
    for counted, counts in (("script", looped), ("once", once)):
        values = mine[mine["counted"] == counted].sort_values("run")["value"].tolist()
        # over runs seen: the first of a and b, then the second of a
        assert values[:2] == pytest.approx([counts[0] / 2, counts[1] / 3])
