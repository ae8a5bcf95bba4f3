"""Misspelled and transliterated words."""

import math

import pytest
from calscore.answers.typos import spelling_distance


@pytest.mark.parametrize(
    ("word", "guess", "name", "near"),
    [
        ("boltzmann", "boltzman", True, True),
        ("tchaikovsky", "chaikovskii", True, True),
        ("photosynthesis", "photosynthisis", False, True),
        ("jacobs", "jacob", True, False),
        ("monet", "manet", True, False),
        ("convection", "conduction", False, False),
        ("hypothermia", "hyperthermia", False, False),
        ("sulfate", "sulfite", False, False),
        ("iron", "irom", False, False),
    ],
)
def test_distance(word, guess, name, near):
    far = spelling_distance(word, guess, name)
    assert math.isfinite(far) == near
    assert far >= 0.5 and far == spelling_distance(word, guess, name)
