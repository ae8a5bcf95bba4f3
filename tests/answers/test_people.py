"""Names of people: who is meant by a shorter form."""

from __future__ import annotations

import pytest
from calscore.answers.normalise import normal
from calscore.answers.people import person_in, same_person


@pytest.mark.parametrize(
    ("text", "given", "surname", "sure"),
    [
        ("Richard Milhous Nixon", ("richard", "milhous"), "nixon", True),
        ("W. E. B. Du Bois", ("w", "e", "b"), "dubois", True),
        ("Miguel de Cervantes", ("miguel",), "cervantes", True),
        ("Martin Luther King Jr.", ("martin", "luther"), "king", True),
        ("Golden Apple", ("golden",), "apple", False),
    ],
)
def test_a_name_is_read(text, given, surname, sure):
    assert person_in(text, [text]) == (given, surname, sure)


@pytest.mark.parametrize(
    "text", ["Nixon", "Battle of Hastings", "Vietnam War", "iron oxide", "Henry VIII", "Hamlet!"]
)
def test_no_name_is_seen(text):
    assert person_in(text, [text]) is None


def test_a_fuller_alternative_makes_a_name_sure():
    assert not person_in("Zhuge Liang", ["Zhuge Liang"]).sure
    assert person_in("Zhuge Liang", ["Zhuge Liang", "Zhuge Kongming Liang"]).sure


@pytest.mark.parametrize(
    ("guess", "rule"),
    [
        ("Nixon", "surname"),
        ("President Nixon", "surname"),
        ("Dick Nixon", "name"),
        ("R. Nixon", "name"),
        ("Richard Nixxon", "typo"),
        ("Pat Nixon", None),
        ("Richard", None),
    ],
)
def test_shorter_forms(guess, rule):
    found = same_person(person_in("Richard Nixon", []), normal(guess).tokens)
    assert (found and found[1]) == rule
