"""Why a guess is judged so: alternative, clause, question to ask back; the command line."""

import json

import pytest
from calscore.answers.__main__ import main
from calscore.answers.explain import explain
from calscore.answers.hybrid_judge import judge
from calscore.answers.parse import parse

LINE = (
    "<b><u>Water</u></b> Music [or Wassermusik; accept Handel suites before “suite” is read;"
    " prompt on music by asking “What is played where?”; do not accept “Fireworks”]"
)
PAIR = "James Watson and Francis Crick [prompt on just one by asking “and who else?”]"


@pytest.mark.parametrize(
    ("line", "guess", "expected"),
    [
        # verdict, rule, certain, alternative, clause, what to ask
        (LINE, "Water Music", ("accept", "exact", True, "Water Music", "Water Music", "")),
        (LINE, "Wassermusik", ("accept", "alias", True, "Wassermusik", "or Wassermusik", "")),
        (LINE, "music", ("prompt", "prompt", True, "music", "prompt on music by asking “What is played where?”", "What is played where?")),
        (LINE, "Fireworks", ("reject", "reject", True, "Fireworks", "do not accept “Fireworks”", "")),
        (LINE, "Messiah", ("reject", "no match", False, None, "", "")),
        (PAIR, "Watson", ("prompt", "partial", True, None, "", "and who else?")),
    ],
)  # fmt: skip
def test_what_decided(line, guess, expected):
    found = explain(line, guess)
    text = found.alternative and found.alternative.text
    assert (found.verdict, found.rule, found.certain, text, found.clause, found.ask) == expected
    assert found[:3] == judge(line, guess)


@pytest.mark.parametrize(
    ("line", "guess", "certain"),
    [
        # What a clause that is not understood might take is not certainly wrong; what is told stands.
        ("Apollo 11", "Apollo 13", True),
        ("Apollo 11 [players must be close]", "Apollo 13", False),
        ("John Coltrane", "John", True),
        ("John Coltrane [the first name must do]", "John", False),
        ("John Coltrane [the first name must do]", "Coltrane", True),
        ("John Coltrane [the first name must do; do not accept “Alice”]", "Alice", True),
        ("John Coltrane [the first name must do; prompt on “changes”]", "changes", True),
        ("John Coltrane [the first name must do]", "", True),
    ],
)
def test_a_clause_that_is_not_understood_weakens_certainty(line, guess, certain):
    found = explain(line, guess)
    assert found[:3] == judge(line, guess)
    assert found.certain is certain, found
    assert bool(parse(line).notes) == ("[" in line)


def test_a_condition_that_is_past_is_told(capsys):
    main([LINE, "Handel suites", "--read", "A suite", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["rule"]) == ("reject", "too late")
    assert found["alternative"]["until"] == 'before "suite" is read'
    assert found["clause"] == "accept Handel suites before “suite” is read"


def test_the_command_line(capsys):
    main([LINE, "music"])
    assert capsys.readouterr().out == "prompt (ask: What is played where?)\n"
    main(["--explain", LINE, "Wassermusik"])
    said = capsys.readouterr().out
    told = (
        "  accept: Wassermusik",
        "  accept (alias, 1) by Wassermusik",
        "  rule: alias, another accepted alternative",
        "  clause: or Wassermusik",
    )
    assert all(words in said for words in told), said
