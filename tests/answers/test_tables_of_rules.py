"""The tables of rewrites and of words beside an answer: each row matches its example and not the other."""

from __future__ import annotations

import pytest
from calscore.answers import judge
from calscore.answers.guess_variants import REWRITES, guess_variants
from calscore.answers.qualifiers import TAILS

PLACES = [
    "France",
    "Spain",
    "Poland",
    "Hungary",
    "Sweden",
    "Norway",
    "Scotland",
    "Jordan",
    "Morocco",
    "Egypt",
    "Brazil",
    "Japan",
    "Tonga",
    "Georgia",
    "Milan",
    "Burgundy",
    "Florence",
    "Naples",
    "Castile",
    "Navarre",
    "Bavaria",
    "Vienna",
    "Geneva",
    "Cordoba",
    "Normandy",
    "Wales",
    "Austria",
    "Kyoto",
    "Virginia",
    "Jersey",
]
RULERS = """Louis XIII of {0}|King of {0}|Marie de {0}|Duke of {0}|Isabella of {0}|Michael {0}
President {0}|Prime Minister of {0}|Saint {0}|Mary, Queen of {0}|Catherine de {0}|Lord {0}"""


@pytest.mark.parametrize("rule", REWRITES, ids=lambda rule: rule.name)
def test_a_rewrite_has_its_example(rule):
    assert rule.pattern.sub(rule.to, rule.example) != rule.example
    assert rule.pattern.sub(rule.to, rule.counterexample) == rule.counterexample


@pytest.mark.parametrize("tail", TAILS, ids=lambda tail: tail.name)
def test_words_beside_an_answer_have_their_example(tail):
    assert judge(tail.line, tail.example).verdict == "accept"
    assert judge(tail.line, tail.counterexample).verdict == "reject"


def test_what_loses_a_word_is_not_the_answer_itself():
    variants = dict(guess_variants("The answer is the city of Constantinople"))
    assert variants["the city of Constantinople"] and not variants["Constantinople"]
    assert judge("Constantinople", "the city of Constantinople")[1:] == (0.9, "more")


@pytest.mark.parametrize("mark", ["{0}", "<u>{0}</u>"], ids=["plain", "marked"])
def test_a_place_accepts_no_person_and_no_title(mark):
    guesses = [form for row in RULERS.splitlines() for form in row.split("|")]
    accepted = [
        guess.format(place)
        for place in PLACES
        for guess in guesses
        if judge(mark.format(place), guess.format(place)).verdict == "accept"
    ]
    assert len(PLACES) * len(guesses) == 360 and accepted == []
