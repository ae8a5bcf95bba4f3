"""Rules and learned score together: hand cases, tables, other matchers, real guesses."""

import pandas as pd
import pytest
from answer_suite import read
from calscore.answers.hybrid_judge import judge, judge_by_rules
from calscore.judging.matchers import judge_pairs
from support import DATA

# ------------------------------------------------------------------ hand cases

CASES = read(DATA / "verdicts_of_guesses.txt")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.line}, {case.guess}")
def test_a_guess_with_and_without_a_question(case):
    found = judge(case.line, case.guess, question=case.question)
    assert found.verdict == case.verdict, found
    assert (found.score >= 0.5) == (case.verdict == "accept")


@pytest.mark.parametrize("question", [None, "which of these things is meant"])
@pytest.mark.parametrize(
    ("line", "guess", "condition", "verdict"),
    [
        ('Nazi party [do not accept "Nazi Germany"]', "Nazi Germany", "", "reject"),
        ('Mark Antony [prompt on "Mark"]', "Mark", "", "prompt"),
        ("comedy of manners [prompt on partial answers]", "manners", "", "prompt"),
        ("Persia [accept Iran until it is read]", "Iran", "", "accept"),
        ("Persia [accept Iran until it is read]", "Iran", "iran", "reject"),
    ],
)
def test_a_clause_that_fires_is_certain(line, guess, condition, verdict, question):
    found = judge(line, guess, condition, question)
    assert found.verdict == verdict
    assert found == judge_by_rules(line, guess, condition)


def test_nearer_to_what_is_rejected_than_to_what_is_accepted():
    question, guess = "what kind of momentum is conserved", "the total angular momentum vector"
    assert judge("momentum", guess, question=question).verdict == "accept"
    line = "momentum [do not accept angular momentum vectors]"
    assert judge(line, guess, question=question)[::2] == ("reject", "score")


@pytest.mark.parametrize("guess", [None, float("nan"), "", "None", "I don't know"])
def test_no_guess_is_rejected(guess):
    assert judge("Paris", guess, question="which city") == ("reject", 0.0, "empty")


def test_strict_can_be_set_either_way():
    assert judge("Spektor", "Qarth Spektor", question="who sings", strict=True).verdict == "reject"
    assert judge("Spektor", "Qarth Spektor", strict=False).verdict == "accept"


# ------------------------------------------------------------------ with the question

TOSSUP = "Hasdrubal lost it. For 10 points, name this battle at a namesake river of iron."


@pytest.mark.parametrize(
    ("line", "guess", "verdict"),
    [
        # The last sentence says river, so a part without it names the same thing.
        ("Battle of the Metaurus River", "Battle of the Metaurus", "accept"),
        # It does not say Second.
        ("Second Battle of the Metaurus", "Battle of the Metaurus", "reject"),
        # All of the guess stands in the question: it names nothing.
        ("Iron Battle River", "battle river", "reject"),
        # A prompt of the line comes first.
        ("Battle of the Metaurus River [prompt on Metaurus]", "Metaurus", "prompt"),
    ],
)
def test_words_that_the_question_says_do_not_distinguish(line, guess, verdict):
    judged = judge(line, guess, tossup=TOSSUP)
    assert judged.verdict == verdict
    assert (judged.rule == "said") == (verdict == "accept")
    row = {"question_id": "q", "guess": guess, "condition": "", "answerline": line}
    pairs = pd.DataFrame([row | {"tossup": TOSSUP}])
    assert judge_pairs(pairs)["verdict"].tolist() == [verdict]


DICKENS = "Great Expectations by Charles Dickens"
# answer line, last sentence after "For 10 points, name", guess, verdict
ASKED = [
    # Only the last sentence says what is asked for.
    ("Battle of the Metaurus River", "this battle.", "Battle of the Metaurus", "reject"),
    # The noun that is asked for may follow.
    ("substitution [or SN2]", "this type of reaction where a group leaves.", "SN2 reaction", "accept"),
    ("Microwaves", "this form of radiation that cooks food.", "microwave radiation", "accept"),
    # The noun is said, but not asked for.
    ("iron", "this metal whose oxide is rust.", "iron oxide", "reject"),
    # In capitals it belongs to another name; in front it narrows.
    ("San Francisco", "this California city.", "San Francisco City", "reject"),
    ("city", "these dense areas that are global.", "global city", "reject"),
    ("Psyche", "this woman who loves Cupid.", "Cupid and Psyche", "reject"),
    # The question says whose a work is: somebody else has not written it.
    ("Great Expectations", "this novel by Charles Dickens.", "Great Expectations by Thomas Hardy", "reject"),
    ("Great Expectations", "this Charles Dickens novel.", "Great Expectations, by Hardy", "reject"),
    ("Great Expectations", "this one of Dickens's novels.", "Great Expectations by Thomas Hardy", "reject"),
    ("Great Expectations", "this novel by Charles Dickens.", "Great Expectations by Dickens", "accept"),
    ("Great Expectations", "this Charles Dickens novel.", DICKENS, "accept"),
    ("Parasite", "this Korean film.", "Parasite by Bong Joon-ho", "accept"),
    ("Moby-Dick", "this novel narrated by Ishmael.", "Moby-Dick by Herman Melville", "accept"),
    # Nor has a league or conference the name of a war or film.
    ("<u>Casablanca</u>", "this film.", "the Casablanca Conference", "reject"),
    ("Treaty of <u>Tordesillas</u>", "this treaty.", "the Spanish town of Tordesillas", "reject"),
    ("<u>Big 12</u>", "this athletic conference.", "the Big 12 Conference", "accept"),
    ("Stanford prison experiment", "this study in which students were guards.", "Stanford prison experiment by Zimbardo", "accept"),
    ("<u>Compromise of 1820</u> [prompt on <u>Compromise</u>]", "this deal.", "Compromise of 1850", "reject"),
    # It does not, or another sentence names the author.
    ("Great Expectations", "this novel about Pip.", DICKENS, "accept"),
    ("Great Expectations", "this novel that Zola's translator read.", "Great Expectations by Dickens", "accept"),
    ("<u>Demeter</u>, <u>Ceres</u>", "this goddess.", "Hera", "reject"),
    # What asks for several settles no names, nor does a place with what it lies in.
    ("<u>Demeter</u>, <u>Ceres</u>", "these two goddesses.", "Ceres", "reject"),
    ("<u>Lucy</u>, <u>Edmund</u>, and <u>Susan</u>", "this trio.", "Lucy", "reject"),
    ("<u>Dover</u>, <u>Delaware</u>", "this city.", "Delaware", "reject"),
    # A guess that is itself a place lacks more than the noun that is asked for.
    ("<u>Kansas City</u>, Missouri", "this city.", "Kansas", "reject"),
    ("Odysseus", "this Greek hero.", "Telemachus of Ithaca", "reject"),
    ("Odyssey", "this epic.", "Odyssey of Ithaca", "reject"),
    ("Troy", "this city.", "Troy of Anatolia", "reject"),
    # A class before "of" is said where it is what is asked for.
    ("Lepanto", "this naval battle.", "the Battle of Lepanto", "accept"),
    ("Lepanto", "this battle.", "Siege of Lepanto", "reject"),
    ("Lepanto", "this town, site of this battle.", "Battle of Lepanto", "reject"),
    ("Versailles", "this palace.", "Treaty of Versailles", "reject"),
    ("Job", "this namesake of a book of the Bible.", "Book of Job", "reject"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "ending", "guess", "verdict"), ASKED)
def test_what_the_question_asks_for_decides(line, ending, guess, verdict):
    tossup = f"A river and Magwitch are in it. For 10 points, name {ending}"
    assert judge(line, guess, tossup=tossup).verdict == verdict
