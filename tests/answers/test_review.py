"""The engine on real guesses, beside a hundred verdicts given by reading.

tests/data/review.csv holds the guesses of a language model on past questions about which the engine
was least certain when they were drawn, with a verdict and a reason by somebody who read question,
answer line and guess. They are the hardest of 4,309, not a sample.
"""

import gzip
import json

import pandas as pd
import pytest
from answer_lines import real
from calscore.answers import condition_met, parse, rules
from calscore.core import store
from calscore.inference import judge_sensitivity
from calscore.judging.matchers import match_pairs
from support import DATA

KEY = ["question_id", "guess", "condition"]


@pytest.fixture(scope="module")
def questions():
    with gzip.open(real("quizbowl", "qanta.buzzdev.json.gz"), "rt", encoding="utf-8") as handle:
        return {str(q["qanta_id"]): q for q in json.load(handle)}


@pytest.fixture(scope="module")
def guesses(questions):
    """Every distinct guess of the runs, judged."""
    rows = []
    with gzip.open(real("quizbowl", "gpr_runs.jsonl.gz"), "rt", encoding="utf-8") as handle:
        for run in map(json.loads, handle):
            question = questions[str(run["qanta_id"])]
            line = parse(question["answer"])
            heard = " ".join(question["text"].split()[: run["word_end"]])
            condition = condition_met(line, heard) if line.conditional else ""
            rows.append((str(run["qanta_id"]), run["guess"], condition))
    table = pd.DataFrame(rows, columns=KEY)
    assert len(table) == 9467
    pairs = table.drop_duplicates(ignore_index=True)
    pairs["answerline"] = [questions[q]["answer"] for q in pairs["question_id"]]
    pairs["tossup"] = [questions[q]["text"] for q in pairs["question_id"]]
    return match_pairs(pairs)


@pytest.fixture(scope="module")
def review():
    return pd.read_csv(DATA / "review.csv", dtype="str", keep_default_na=False)


def test_every_guess_is_judged(guesses):
    assert store.validation_errors(guesses, "judgements") == []
    assert 0.3 < (guesses["verdict"] == "accept").mean() < 0.6
    seen = set(guesses["rule"])
    assert {"exact", "alias", "typo", "surname", "prompt", "reject", "no match"} <= seen
    assert seen <= set(rules.RULES) | {"score", "sentence", "said"}


def test_the_review_is_of_real_guesses(review, guesses, questions):
    assert len(review) == 100
    assert not review.duplicated(KEY).any()
    assert set(review["verdict"]) <= {"accept", "prompt", "reject"}
    assert (review["reason"].str.len() > 10).all()
    assert set(review.set_index(KEY).index) <= set(guesses.set_index(KEY).index)
    text = " ".join(review["reason"])
    assert not any(question["text"][:60] in text for question in questions.values())


def test_agreement_with_the_review(review, guesses, capsys):
    both = review.merge(guesses, on=KEY, suffixes=("_read", "_engine"), validate="one_to_one")
    assert len(both) == 100
    right = both["verdict_read"] == "accept"
    accepted = both["verdict_engine"] == "accept"
    found = judge_sensitivity.bootstrap_kappa(right, accepted, both["question_id"], 2000, 1, 0.95)
    with capsys.disabled():
        print(
            f"\nhardest 100: engine and reader agree on {(right == accepted).sum()}, engine accepts "
            f"{accepted.sum()}, reader {right.sum()}, kappa {found['kappa']:.2f}"
        )
    # Among the hardest the engine holds back; what it accepts must be right.
    assert not (accepted & ~right).any()
