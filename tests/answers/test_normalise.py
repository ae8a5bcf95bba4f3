"""Texts in normal form, and the word lists behind it."""

import pytest
from calscore.answers import lexicon
from calscore.answers.normalise import as_digits, normal, plain_words, roman_value, root, stem
from calscore.core import lexicon as files


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Trial", "trial"),
        ("Salvador Dalí", "SALVADOR DALI"),
        ("J. D. Vance", "JD Vance"),
        ("nineteen eighty-four", "1984"),
        ("Henry VIII", "Henry the Eighth"),
        ("colour theatre", "color theater"),
        ("mice", "mouse"),
        ("War & Peace", "peace and war"),
        ("α decay", "alpha decay"),
        ("Mt. Fuji", "mount fuji"),
        ("10,000 days", "10000 Days"),
        ("double-layer", "doublelayer"),
    ],
)
def test_same_by_a_key(first, second):
    assert set(normal(first).keys) & set(normal(second).keys)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("flight from Rome to Paris", "flight from Paris to Rome"),
        ("3.14", "314"),
        ("World War II", "World War I"),
        ("organ", "organization"),
    ],
)
def test_different_by_every_key(first, second):
    assert not set(normal(first).keys) & set(normal(second).keys)


def test_words_and_numbers():
    assert plain_words("Snorri’s “Edda”, 1940's") == "snorri edda 1940s"
    assert as_digits(["twenty", "first"]) == ["21"]
    assert as_digits(["nineteen", "eighties"]) == ["1980s"]
    assert as_digits(["two", "hundred", "five"]) == ["205"]
    assert [roman_value(w) for w in ("xiv", "xl", "mix", "")] == [14, 40, None, None]
    assert stem("jumping") == stem("jumped") == stem("jump") != stem("jumper")
    assert root("jumper") == root("jumping")
    assert normal("of the").strict == "of the" and not normal("of the").content


def test_every_list_is_read_and_says_one_thing_once():
    sections = files.sections("answers")
    assert all(sections.values())
    for name in ("given names", "states", "countries", "kinds", "small words", "titles", "endings"):
        words = lexicon.words(name, list)
        assert len(set(words)) == len(words), name
    for name in ("short forms", "plurals", "symbols", "greek"):
        assert len(lexicon.word_map(name)) == len(lexicon.words(name)), name
