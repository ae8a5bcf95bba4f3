"""The simulator of answer options."""

import json

import pytest
from calscore.core.errors import DataError
from calscore.simulate import choices


def test_the_same_seed_gives_the_same_world():
    sizes = {"questions": 30, "annotators": {"answers": 12}}
    studies = [choices.simulate_choices(sizes, seed) for seed in (3, 3, 4)]
    text = [json.dumps(study["questions"]["rows"]) for study in studies]
    assert text[0] == text[1] != text[2]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"question": 5}, "did you mean 'questions'"),
        ({"questions": 0}, "minimum 1"),
        ({"models": {"m": {"skill": 1}}}, "row models/m, column attempts: found None"),
        ({"confidence": 5}, "type object"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(DataError, match=message):
        choices.simulate_choices(parameters, 0)
