"""Answer lines: clauses, conditions, what is not understood."""

import pytest
from answer_lines import FLOWERS
from calscore.answers import condition_met, explain, parse
from calscore.answers.hybrid_judge import judge_by_rules
from calscore.core.errors import DataError


def tree(line: str) -> list[tuple]:
    return [(a.verdict, a.text, a.until, a.directed_prompt) for a in parse(line).alternatives]


def test_tree_of_a_line_with_every_clause():
    line = (
        "ice [or <b>frozen</b> water; accept ice sheets or bergs until “sheet” is read; prompt on"
        " snow or firn by asking “What does that become?”; anti-prompt on hail; do not accept"
        " “steam”; accept word forms of freezing; clear-knowledge equivalents]"
        " (Read slowly now, please.)"
    )
    assert tree(line) == [
        ("accept", "ice", None, None),
        ("accept", "frozen water", None, None),
        ("accept", "ice sheets", 'until "sheet" is read', None),
        ("accept", "bergs", 'until "sheet" is read', None),
        ("prompt", "snow", None, "What does that become?"),
        ("prompt", "firn", None, "What does that become?"),
        ("prompt", "hail", None, None),
        ("reject", "steam", None, None),
        ("accept", "freezing", None, None),
    ]
    parsed = parse(line)
    assert [a.text for a in parsed.alternatives if a.anti] == ["hail"]
    assert [a.text for a in parsed.alternatives if a.word_forms] == ["freezing"]
    assert any("equivalents" in note for note in parsed.notes)
    assert parsed.remarks == ("Read slowly now, please.",)
    assert parsed.main == "ice"
    assert 'accept: bergs; until "sheet" is read, then reject' in str(parsed)
    assert "anti-prompt: hail" in parsed.describe()


@pytest.mark.parametrize(
    ("line", "until"),
    [
        ("love [or philia before mention]", "before mention"),
        ("love [or philia until mentioned]", "until mention"),
        ("love [or philia before it is read]", "before mention"),
        ("love [or philia until read]", "until mention"),
        ('love [or philia before "friend" is mentioned]', 'before "friend" is read'),
        ("love [or philia before “friend”]", 'before "friend" is read'),
        ("love [or philia until friend is read]", 'until "friend" is read'),
        ('love [or philia until "a" or "b" is read]', 'until "a" or "b" is read'),
        ('love [or philia after "friend" is read]', 'until after "friend" is read'),
    ],
)
def test_wordings_of_a_condition(line, until):
    assert tree(line)[1][:3] == ("reject" if "after" in until else "accept", "philia", until)


def test_what_is_not_understood_is_kept_and_reported():
    parsed = parse("James Baldwin [James Arthur Baldwin; the lead-in is from his first novel of all]")
    assert [a.text for a in parsed.alternatives] == ["James Baldwin", "James Arthur Baldwin"]
    assert len(parsed.notes) == 2
    assert parse("dogs [or obvious equivalents that mention fur]").notes == (
        "obvious equivalents that mention fur",
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        # What only describes an answer is no answer: it is reported.
        ("fasting [accept answers that convey deciphering a code]", ["convey"]),
        ("Ottawa Trek [prompt on answers that imply “a march”]", ["imply"]),
        ("fasting [accept not eating meat and other answers specific to certain foods]", ["other answers"]),
        ("Police Strike [or obvious equivalents that refer to striking, Boston, and officers]", ["refer to"]),
        ("treason [prompt on “medism” or obvious equivalents that do not mention “Persia”]", ["do not mention"]),
        ("Stanford prison [accept obvious synonyms for “prison”]", ["synonyms"]),
        ("menstruation [accept word forms and equivalent answers]", ["equivalent answers"]),
        ("guano [accept reasonable equivalents that suggest birds]", ["suggest"]),
        ("cantatas [\"Bach\" is not needed after it is read]", ["not needed"]),
    ],
)  # fmt: skip
def test_what_describes_an_answer_is_reported_and_no_answer(line, told):
    parsed = parse(line)
    assert not any(word in a.text for word in told for a in parsed.alternatives)
    assert all(any(word in note for note in parsed.notes) for word in told)
    assert not explain(line, "something else").certain


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("spying for the Soviet Union [or espionage for the Soviet Union; accept Russia for “Soviet Union”]",
         [f"{crime} for the {country}" for country in ("Soviet Union", "Russia") for crime in ("spying", "espionage")]),
        ("sarcomeres [prompt on skeletal or cardiac muscle, myocytes, muscle cells, and cross-bridges]",
         ["sarcomeres", "skeletal", "cardiac muscle", "myocytes", "muscle cells", "cross-bridges"]),
        ("Livonian Order [or Livonian Order after “order” is read]", ["Livonian Order"]),
        ("the flag [accept red, white, and blue]", ["the flag", "red, white, and blue"]),
    ],
)  # fmt: skip
def test_what_a_clause_lists(line, texts):
    assert [a.text for a in parse(line).alternatives] == texts


def test_an_answer_line_must_be_text():
    with pytest.raises(DataError, match="answerline"):
        parse(None)


def test_condition_key_is_canonical():
    assert condition_met("flowers", "spring petal") == ""
    assert condition_met(FLOWERS, "nothing of that") == ""
    key = condition_met(FLOWERS, "Spring! The petals and a THORN.")
    assert key == condition_met(parse(FLOWERS), "thorn petal spring") == "petal | spring | thorn"
    assert condition_met(FLOWERS, "thornbush springtime") == ""
    assert judge_by_rules(FLOWERS, "petal", key).rule == "too late"
