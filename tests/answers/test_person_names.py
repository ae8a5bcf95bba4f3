"""Names of people: who is meant by a shorter form."""

import pytest
from calscore.answers.normalise import normal
from calscore.answers.person_names import family_first, person_in, same_person


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
    assert person_in(text, [text])[:3] == (given, surname, sure)


@pytest.mark.parametrize(
    "text", ["Nixon", "Battle of Hastings", "Vietnam War", "iron oxide", "Henry VIII", "Hamlet!"]
)
def test_no_name_is_seen(text):
    assert person_in(text, [text]) is None


@pytest.mark.parametrize(
    ("text", "likely"),
    [
        ("Yasujirō Ozu", True),
        ("Golden Apple", False),
        ("Puerto Rico", False),
        ("Haitian Vodou", False),
        ("Invisible Cities", False),
        ("Harlem Renaissance", False),
    ],
)
def test_a_name_shows_in_its_shape(text, likely):
    found = person_in(text, [text])
    assert (found.sure, found.likely) == (False, likely)


@pytest.mark.parametrize(
    ("text", "surname"),
    [
        ("Mao Zedong", "mao"),
        ("Park Chung-hee", "park"),
        ("Kurosawa Akira", "kurosawa"),
        ("Lee Harvey Oswald", None),
        ("Hong Kong", None),
        ("Kim", None),
    ],
)
def test_a_family_name_may_stand_first(text, surname):
    found = family_first(text)
    assert (found and found.surname) == surname


def test_a_fuller_alternative_makes_a_name_sure():
    assert not person_in("Zhuge Liang", ["Zhuge Liang"]).sure
    assert person_in("Zhuge Liang", ["Zhuge Liang", "Zhuge Kongming Liang"]).sure


@pytest.mark.parametrize(
    ("guess", "rule"),
    [
        ("Nixon", "surname"),
        ("President Nixon", "surname"),
        ("Dick Nixon", None),
        ("R. Nixon", "name"),
        ("Richard Nixxon", "typo"),
        ("Pat Nixon", None),
        ("Richard", None),
    ],
)
def test_shorter_forms(guess, rule):
    found = same_person(person_in("Richard Nixon", []), normal(guess).tokens)
    assert (found and found[1]) == rule
