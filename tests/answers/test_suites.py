"""Suites of answer lines with a moderator's rulings: how far the engine agrees, and how often it takes what is wrong."""

import pytest
from answer_suite import Case, agreement, read
from calscore.answers import judge
from support import DATA

AGREE, FALSE_ACCEPTS = 0.92, 0.0075
NEW = {"answer_new_glosses": (0.85, 0.05)}
"""Suite → its own limits: what a long guess adds is often beyond the words of line and question."""
SUITES = sorted(path for path in DATA.glob("answer_*.txt") if path.stem != "answer_classes")


def verdict(line: str, guess: str, question: str | None):
    return judge(line, guess, tossup=question)


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_the_engine_agrees_with_a_moderator(path):
    cases = read(path)
    found = agreement(cases, verdict)
    print(
        f"{path.name}: {found.cases} cases, {100 * found.agree:.1f} % as the moderator, "
        f"{100 * found.false_accepts:.2f} % wrongly accepted, {len(cases) - found.cases} in doubt"
    )
    wrong = "\n".join(" | ".join(row) for row in found.wrong)
    agree, false_accepts = NEW.get(path.stem, (AGREE, FALSE_ACCEPTS))
    assert found.agree >= agree and found.false_accepts <= false_accepts, wrong
    assert sum(bool(case.doubt) for case in cases) <= 0.01 * len(cases)


def test_a_suite_is_read(tmp_path):
    path = tmp_path / "answer_lines_x.txt"
    path.write_text(
        "# a comment\n\nline: tea [or cha]\nkind: drinks, leaves\nquestion: Name this drink.\n+ cha\n"
        "- coffee\n? drink ! the line does not say so\n\nline: milk\n+ milk\n",
        encoding="utf-8",
    )
    tea = ("Name this drink.", ("drinks", "leaves"))
    assert read(path) == [
        Case("tea [or cha]", "cha", "accept", *tea, ""),
        Case("tea [or cha]", "coffee", "reject", *tea, ""),
        Case("tea [or cha]", "drink", "prompt", *tea, "the line does not say so"),
        Case("milk", "milk", "accept", None, ("",), ""),
    ]
    found = agreement(read(path), lambda *_: judge("milk", "milk"))
    assert found[:3] == (3, pytest.approx(2 / 3), pytest.approx(1 / 3))
    path.write_text("line: tea\n* cha\n", encoding="utf-8")
    with pytest.raises(ValueError, match="row 2 of 'tea'"):
        read(path)
