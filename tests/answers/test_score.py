"""The learned score: its file and its formula."""

import copy
import json

import numpy as np
import pytest
from calscore.answers import score
from calscore.answers.hybrid_judge import features
from calscore.answers.score import Model
from calscore.core.errors import DataError


def test_model_file_round_trip_and_formula():
    model = score.default_model()
    text = score.MODEL_FILE.read_text(encoding="utf-8")
    assert model.to_json() == text == Model.from_json(text).to_json()
    data = json.loads(text)
    row = features(["Mamanuca Islands, Fiji"], "Fiji", "where is it")
    z = data["intercept"] + sum(
        f["weight"] * (x - f["mean"]) / f["scale"] for f, x in zip(data["features"], row, strict=True)
    )
    by_hand = 1 / (1 + np.exp(-(data["slope"] * z + data["offset"])))
    assert model.probability(row) == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("slope"), "slope"),
        (lambda d: d["features"].pop(), "features of this version"),
        (lambda d: d["features"].reverse(), "another order"),
        (lambda d: d["features"][0].update(scale=0), "scales above 0"),
        (lambda d: d["features"][0].update(weight=float("nan")), "without NaN"),
        (lambda d: d["features"][0].update(weight=1e308), "finite"),
    ],
)
def test_model_file_that_is_damaged(change, message):
    data = copy.deepcopy(json.loads(score.MODEL_FILE.read_text(encoding="utf-8")))
    change(data)
    with pytest.raises(DataError, match=message):
        Model.from_json(json.dumps(data))
