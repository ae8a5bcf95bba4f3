"""The engine on real guesses, beside a hundred verdicts given by reading.

tests/data/review.csv holds the guesses of a language model on past questions about which the engine
was least certain when they were drawn, with a verdict and a reason by somebody who read question,
answer line and guess. They are the hardest of 4,309, not a sample.
"""

import gzip
import json

import pandas as pd
import pytest
from calscore.answers import condition_met, parse, rules
from calscore.inference import judge_sensitivity
from calscore.judging.matchers import match_pairs
from support import ROOT, data_folder


@pytest.fixture(scope="module")
def questions():
    folder = data_folder("quizbowl/qanta.buzzdev.json.gz")
    with gzip.open(folder / "quizbowl" / "qanta.buzzdev.json.gz", "rt", encoding="utf-8") as handle:
        return {str(q["qanta_id"]): q for q in json.load(handle)}


@pytest.fixture(scope="module")
def guesses(questions):
    """Every distinct guess of the runs, judged."""
    folder = data_folder("quizbowl/gpr_runs.jsonl.gz")
    rows = []
    with gzip.open(folder / "quizbowl" / "gpr_runs.jsonl.gz", "rt", encoding="utf-8") as handle:
        for run in map(json.loads, handle):
            question = questions[str(run["qanta_id"])]
            line = parse(question["answer"])
            heard = " ".join(question["text"].split()[: run["word_end"]])
            condition = condition_met(line, heard) if line.conditional else ""
            rows.append((str(run["qanta_id"]), run["guess"], condition))
    table = pd.DataFrame(rows, columns=["question_id", "guess", "condition"])
    assert len(table) == 9467
    pairs = table.drop_duplicates(ignore_index=True)
    pairs["answerline"] = [questions[q]["answer"] for q in pairs["question_id"]]
    pairs["tossup"] = [questions[q]["text"] for q in pairs["question_id"]]
    return match_pairs(pairs)


@pytest.fixture(scope="module")
def review():
    return pd.read_csv(ROOT / "tests" / "data" / "review.csv", dtype="str", keep_default_na=False)


def test_every_guess_is_judged(guesses):
    assert guesses["verdict"].isin(["accept", "prompt", "reject"]).all()
    assert guesses["score"].between(0, 1).all()
    assert set(guesses["rule"]) <= set(rules.RULES) | {"score", "sentence", "said"}


def test_the_review_is_of_real_guesses(review, guesses, questions):
    assert len(review) == 100
    assert not review.duplicated(["question_id", "guess", "condition"]).any()
    assert set(review["verdict"]) <= {"accept", "prompt", "reject"}
    assert (review["reason"].str.len() > 10).all()
    known = set(zip(guesses["question_id"], guesses["guess"], guesses["condition"], strict=True))
    assert (
        set(zip(review["question_id"], review["guess"], review["condition"], strict=True)) <= known
    )
    text = " ".join(review["reason"])
    assert not any(question["text"][:60] in text for question in questions.values())


def test_agreement_with_the_review(review, guesses, capsys):
    key = ["question_id", "guess", "condition"]
    both = review.merge(guesses, on=key, suffixes=("_read", "_engine"), validate="one_to_one")
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
