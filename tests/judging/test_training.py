"""The fit of the learned score, and the folds that it is judged in."""

import numpy as np
import pytest
from calscore.answers.hybrid_judge import features
from calscore.answers.score import FEATURES
from calscore.core.errors import DataError
from calscore.judging import evaluation, training
from sklearn.linear_model import LogisticRegression


def some_pairs(n: int = 40) -> list[dict]:
    """Made-up labelled pairs: a name right, another name wrong."""
    first, last = ("Ada", "Ben", "Cara", "Dan"), ("Mills", "Stone", "Rivers", "Woods", "Hart")
    out = []
    for i in range(n):
        name, other = last[i % 5], last[(i + 2) % 5]
        for given_name, surname, label in ((first[i % 4], name, 1), ("Zoe", other, 0)):
            out.append(
                {
                    "source": "made up",
                    "system": "fid",
                    "question": f"who wrote book {i}",
                    "refs": [name],
                    "candidate": f"{given_name} {surname}",
                    "human_label": label,
                }
            )
    return out


def test_fit_learns_calibrates_and_repeats_itself():
    rows = some_pairs()
    one, two = training.fit_model(rows, 3), training.fit_model(rows, 3)
    assert one.to_json() == two.to_json()
    right = one.probability(features(["Mills"], "Ada Mills", "who wrote book 1"))
    wrong = one.probability(features(["Mills"], "Zoe Stone", "who wrote book 1"))
    assert right > 0.9 and wrong < 0.1
    for feature, scale in zip(FEATURES, one.scale, strict=True):
        assert scale > 0, feature


def test_fit_agrees_with_scikit_learn():
    rng = np.random.default_rng(1)
    x, w = rng.normal(size=(200, 3)), rng.random(200)
    y = (rng.random(200) < 1 / (1 + np.exp(-x.sum(axis=1)))).astype(float)
    reference = LogisticRegression(C=1 / 4.0, tol=1e-10, max_iter=1000).fit(x, y, w)
    beta = training._logistic_coefficients(x, y, w, 4.0)
    assert beta == pytest.approx([*reference.coef_[0], *reference.intercept_], abs=1e-5)


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"source": "x"}', '{"source": 1, "refs": [], "human_label": 2}', ""]
)
def test_pairs_that_cannot_be_read(tmp_path, line):
    path = tmp_path / "pairs.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(DataError, match=r"pairs\.jsonl"):
        training.read_pairs(path)


def test_pairs_that_cannot_be_fitted():
    with pytest.raises(DataError, match="both labels"):
        training.fit_model([row for row in some_pairs() if row["human_label"]])
    with pytest.raises(DataError, match="at least 5"):
        training.fit_model(some_pairs(2))


def test_folds_take_questions_that_differ_by_case_for_one():
    rows = some_pairs(12)
    for row in rows[::2]:
        row["question"] = row["question"].upper()
    fold = evaluation.cross_validate(rows)["fold"].to_numpy()
    assert (fold[::2] == fold[1::2]).all()
