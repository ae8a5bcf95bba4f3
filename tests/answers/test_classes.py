"""Classes of cases that moderators decide alike: what is accepted, prompted on and rejected, on both sides."""

import unicodedata
from collections import Counter
from itertools import product

import pytest
from answer_lines import classes
from calscore.answers import hybrid_judge
from support import DATA

CLASSES = classes(DATA / "answer_classes.txt")


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_is_decided_as_moderators_do(name):
    wrong = [
        (verdict, found.verdict, found.rule, guess, line)
        for line, guess, verdict in CLASSES[name]
        if (found := hybrid_judge.judge(line, guess)).verdict != verdict
    ]
    assert not wrong, "\n".join(" | ".join(row) for row in wrong)


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_has_enough_cases_on_both_sides(name):
    counts = Counter(verdict for *_, verdict in CLASSES[name])
    assert counts["accept"] >= 20 and counts["reject"] >= 10
    assert len(set(CLASSES[name])) == len(CLASSES[name]) >= 40


def test_decomposed_letters_are_the_same():
    for (line, guess, verdict), form in product(CLASSES["signs"], ("NFD", "NFKC")):
        normal_line, normal_guess = (unicodedata.normalize(form, text) for text in (line, guess))
        for given in ((normal_line, guess), (line, normal_guess)):
            assert hybrid_judge.judge_by_rules(*given).verdict == verdict, (given, form)
