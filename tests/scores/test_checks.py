"""What checks of scores take for right where a study is small."""

import numpy as np
import pandas as pd
import pytest
from calscore.scores import checks

KEY = {"segmentation": "given", "definition": "release", "model": "M1", "elicitation": "logit",
       "reduction": "geometric", "marks": "engine"}  # fmt: skip


@pytest.mark.parametrize(
    ("ends", "se", "failures"),
    [
        ((0.82, 1.0), 0.046, 0),
        # An interval that is cut where no score can be says less of its width.
        ((0.88, 1.0), 0.063, 0),
        ((0.0, 1.0), 0.9, 0),
        ((0.88, 0.999), 0.063, 1),
        ((0.001, 0.999), 0.063, 1),
    ],
)
def test_a_bound_that_is_cut_at_the_greatest_score_is_no_fault(ends, se, failures):
    questions = pd.DataFrame(
        {**KEY, "question_id": [f"q{n}" for n in range(12)], "mce": 0.5, "calscore": 0.94}
    )
    other = KEY | {"segmentation": "of no score", "question_id": ["q0"], "form": "completed"}
    sh = pd.DataFrame(other | {"sh": 0.5}).drop(columns="definition")
    same = {"value": 0.94, "se": 0.02, "low": 0.9, "high": 0.98, "bca_low": 0.9, "bca_high": 0.98}
    rows = {**KEY, "metric": ["calscore", "mce"], **same, "n_questions": 12, "n_rows": 12}
    scores = pd.DataFrame(rows).assign(two_way_se=np.nan, two_way_low=np.nan, two_way_high=np.nan)
    scores.loc[1, "value"] = 0.5
    scores.loc[0, ["two_way_se", "two_way_low", "two_way_high"]] = se, *ends
    found = checks.means_of_questions(scores, questions, sh, {"level": 0.95})
    assert found.failures == failures
