"""Rules and learned score together: hand cases, tables, other matchers, real guesses."""

import gzip
import json
import subprocess
import sys

import pandas as pd
import pytest
from answer_lines import real
from answer_suite import read
from calscore.answers import condition_met, hybrid_judge
from calscore.answers.hybrid_judge import judge
from calscore.core import store
from calscore.judging.matchers import judge_pairs
from support import DATA, with_package

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
    assert judge(line, guess, condition, question).verdict == verdict
    assert judge(line, guess, condition, question) == hybrid_judge.judge_by_rules(
        line, guess, condition
    )


@pytest.mark.parametrize(
    ("line", "guess", "verdict"),
    [
        ("<u>copper</u> AND <u>tin</u> [both required]", "copper and zinc", "reject"),
        ("<u>Alexander Pope</u>", "Alexander Dumas", "reject"),
        ("<u>refusing to bow</u> [or equivalents]", "bowing", "reject"),
        ("<u>rats</u> [or <u>Rattus</u>]", "black rats", "accept"),
        ("<u>A Tale</u> OR <u>Ein Märchen</u>", "Ein Maerchen", "accept"),
        ("<u>John Adams</u> AND <u>Thomas Jefferson</u> [accept just last names]", "Jefferson and Adams", "accept"),
        ("<u>North Korea</u> [prompt on <u>Korea</u>]", "Republic of Korea", "reject"),
        ("<u>Fahrenheit 451</u>", "Fahrenheit four fifty-one", "accept"),
    ],
)  # fmt: skip
def test_a_line_that_underlines_is_judged_as_a_moderator_does(line, guess, verdict):
    assert judge(line, guess, question="which one is it").verdict == verdict


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


# ------------------------------------------------------------------ tables and matchers


def real_pairs() -> pd.DataFrame:
    with gzip.open(real("quizbowl", "qanta.buzzdev.json.gz"), "rt", encoding="utf-8") as handle:
        loaded = json.load(handle)
    questions = loaded["questions"] if isinstance(loaded, dict) else loaded
    questions = {q["qanta_id"]: q for q in questions}
    rows = []
    with gzip.open(real("quizbowl", "gpr_runs.jsonl.gz"), "rt", encoding="utf-8") as handle:
        for row in map(json.loads, handle):
            q = questions[row["qanta_id"]]
            key = condition_met(q["answer"], q["text"][: row["char_end"]])
            rows.append((str(row["qanta_id"]), row["guess"], key, q["answer"]))
    return pd.DataFrame(rows, columns=["question_id", "guess", "condition", "answerline"])


def test_real_guesses_are_judged():
    frame = real_pairs()
    out = judge_pairs(frame)
    assert len(frame) == 9467
    assert store.validation_errors(out, "judgements") == []
    share = out["verdict"].value_counts(normalize=True)
    assert 0.3 < share["accept"] < 0.6
    assert {"exact", "alias", "typo", "surname", "prompt", "reject", "no match"} <= set(out["rule"])


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
    judged = hybrid_judge.judge(line, guess, tossup=TOSSUP)
    assert judged.verdict == verdict
    assert (judged.rule == "said") == (verdict == "accept")
    pairs = pd.DataFrame(
        [
            {
                "question_id": "q",
                "guess": guess,
                "condition": "",
                "answerline": line,
                "tossup": TOSSUP,
            }
        ]
    )
    assert judge_pairs(pairs)["verdict"].tolist() == [verdict]


def test_only_the_last_sentence_counts():
    earlier = "A river is near. For 10 points, name this battle."
    line = "Battle of the Metaurus River"
    assert hybrid_judge.judge(line, "Battle of the Metaurus", tossup=earlier).verdict == "reject"


@pytest.mark.parametrize(
    ("line", "guess", "ending", "verdict"),
    [
        (
            "substitution [or SN2]",
            "SN2 reaction",
            "name this type of reaction where a group leaves.",
            "accept",
        ),
        (
            "Microwaves",
            "microwave radiation",
            "name this form of radiation that cooks food.",
            "accept",
        ),
        # The noun is said, but not asked for.
        ("iron", "iron oxide", "name this metal whose oxide is rust.", "reject"),
        # In capitals it belongs to another name; in front it narrows.
        ("San Francisco", "San Francisco City", "name this California city.", "reject"),
        ("city", "global city", "name these dense areas that are global.", "reject"),
        ("Psyche", "Cupid and Psyche", "name this woman who loves Cupid.", "reject"),
    ],
)
def test_the_noun_asked_for_may_follow(line, guess, ending, verdict):
    tossup = "It is the answer. For 10 points, " + ending
    assert judge(line, guess, tossup=tossup).verdict == verdict


@pytest.mark.parametrize(
    ("ending", "guess", "verdict"),
    [
        # The question says whose it is: somebody else has not written it.
        ("name this novel by Charles Dickens.", "Great Expectations by Thomas Hardy", "reject"),
        ("name this Charles Dickens novel.", "Great Expectations, by Hardy", "reject"),
        ("name this one of Dickens's novels.", "Great Expectations by Thomas Hardy", "reject"),
        ("name this novel by Charles Dickens.", "Great Expectations by Dickens", "accept"),
        ("name this Charles Dickens novel.", "Great Expectations by Charles Dickens", "accept"),
        # It does not, or another sentence names the author.
        ("name this novel about Pip.", "Great Expectations by Charles Dickens", "accept"),
        ("name this novel that Zola's translator read.", "Great Expectations by Dickens", "accept"),
    ],
)
def test_the_question_says_whose_a_work_is(ending, guess, verdict):
    tossup = "Magwitch is in it. For 10 points, " + ending
    assert judge("Great Expectations", guess, tossup=tossup).verdict == verdict


@pytest.mark.parametrize(
    ("line", "ending", "guess", "verdict"),
    [
        ("<u>Demeter</u>, <u>Ceres</u>", "name this goddess.", "Hera", "reject"),
        # What asks for several is not, nor is a place with what it lies in.
        ("<u>Demeter</u>, <u>Ceres</u>", "name these two goddesses.", "Ceres", "reject"),
        ("<u>Lucy</u>, <u>Edmund</u>, and <u>Susan</u>", "name this trio.", "Lucy", "reject"),
        ("<u>Dover</u>, <u>Delaware</u>", "name this city.", "Delaware", "reject"),
        ("Odysseus", "name this Greek hero.", "Telemachus of Ithaca", "reject"),
        ("Odyssey", "name this epic.", "Odyssey of Ithaca", "reject"),
        ("Troy", "name this city.", "Troy of Anatolia", "reject"),
    ],
)
def test_what_the_question_asks_for_settles_names(line, ending, guess, verdict):
    assert judge(line, guess, tossup="For 10 points, " + ending).verdict == verdict


def test_judging_needs_no_scikit_learn():
    code = (
        "import sys; from calscore.answers import judge;"
        "assert judge('Spektor', 'Qarth Spektor', question='who').rule == 'score';"
        "print(sorted(m for m in sys.modules if m.startswith(('sklearn', 'pickle', 'pandas'))))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=with_package()
    )
    assert "sklearn" not in run.stdout and "pandas" not in run.stdout
