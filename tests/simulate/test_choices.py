"""The simulator of answer options."""

import json

import pytest
from calscore.core.errors import DataError
from calscore.simulate import choices


@pytest.fixture(scope="module")
def small():
    study = choices.simulate_choices({"questions": 30, "annotators": {"answers": 12}}, 3)
    return study


def test_the_same_seed_gives_the_same_world(small):
    again = choices.simulate_choices({"questions": 30, "annotators": {"answers": 12}}, 3)
    other = choices.simulate_choices({"questions": 30, "annotators": {"answers": 12}}, 4)
    text = [json.dumps(s["questions"]["rows"]) for s in (small, again, other)]
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
