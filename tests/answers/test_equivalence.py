"""Learned answer equivalence: hand cases, the model file, other matchers, held-out figures."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from calscore.answers import equivalence
from calscore.answers import match as answers
from calscore.answers.equivalence import (
    FEATURES,
    Model,
    features,
    judge,
    judge_pairs,
    match,
    match_pairs,
)
from calscore.core import store
from calscore.core.errors import DataError
from hypothesis import given, settings
from hypothesis import strategies as st
from support import ROOT

DATA = Path(os.environ.get("CALSCORE_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="module")
def pairs_file() -> Path:
    path = DATA / "answers" / "evouna_dev.jsonl"
    if not path.exists():
        pytest.skip(f"answers/evouna_dev.jsonl is not in {DATA} (set CALSCORE_DATA)")
    return path


@pytest.fixture(scope="module")
def rows(pairs_file) -> list[dict]:
    return equivalence.read_pairs(pairs_file)


@pytest.fixture(scope="module")
def judged(rows):
    return equivalence.cross_validate(rows)


def some_pairs(n: int = 40) -> list[dict]:
    """Made-up labelled pairs: a name right, another name wrong."""
    first, last = ("Ada", "Ben", "Cara", "Dan"), ("Mills", "Stone", "Rivers", "Woods", "Hart")
    out = []
    for i in range(n):
        name, other = last[i % 5], last[(i + 2) % 5]
        for given_name, surname, label in ((first[i % 4], name, 1), ("Zoe", other, 0)):
            out.append(
                {
                    "source": "made up",
                    "system": "fid",
                    "question": f"who wrote book {i}",
                    "refs": [name],
                    "candidate": f"{given_name} {surname}",
                    "human_label": label,
                }
            )
    return out


# ------------------------------------------------------------------ hand cases

QUIZBOWL = [
    # line, guess, verdict: no question is given, so nothing may be added or dropped
    ("The Catcher in the Rye", "the", "reject"),
    ("The Catcher in the Rye", "in the", "reject"),
    ("The Catcher in the Rye", "Rye", "reject"),
    ("The Catcher in the Rye", "Catcher in the Rye", "accept"),
    ("iron", "iron oxide", "reject"),
    ("iron", "Iron", "accept"),
    ("three", "3", "accept"),
    ("Virginia", "West Virginia", "reject"),
    ("electron", "electron microscope", "reject"),
    ("sodium", "sodium chloride", "reject"),
    ("Athens", "History of Athens", "reject"),
    ("Columbia University", "Columbia University protests of 1968", "reject"),
    ("Austria", "Australia", "reject"),
    ("Niger", "Nigeria", "reject"),
    ("convection", "conduction", "reject"),
    ("organ", "organization", "reject"),
    ("sulfuric acid", "sulfurous acid", "reject"),
    ("flight from Rome to Paris", "flight from Paris to Rome", "reject"),
    ("World War II", "World War I", "reject"),
    ("electrical double layer", "electric double-layer", "accept"),
    ("Regina Spektor", "The song is sung by Regina Spektor.", "accept"),
    ("Regina Spektor", "The song is sung by Ingrid Michaelson.", "reject"),
]

ASKED = [
    # question, line, guess, verdict
    ("what metal is added to steel", "iron", "iron oxide", "reject"),
    ("which novel did Salinger write", "The Catcher in the Rye", "the", "reject"),
    ("who sings the theme tune", "Spektor", "Regina Spektor", "accept"),
    ("where is the show filmed", "Mamanuca Islands, Fiji", "Fiji", "accept"),
    ("when did the game come out", "8 September 2010", "2010", "accept"),
    ("when did the game come out", "8 September 2010", "2011", "reject"),
    ("when did the game come out", "8 September 2010", "9 March 2012", "reject"),
    ("how many seasons are there", "three", "3", "accept"),
    ("how many seasons are there", "three", "There are 4 seasons.", "reject"),
    ("who is the lead singer of Staind", "Aaron Lewis", "Staind: Aaron Lewis.", "accept"),
    ("who is the lead singer of Staind", "Aaron Lewis", "Chester Bennington", "reject"),
    ("which wine region is it", "Burgundy", "Bordeaux", "reject"),
]


@pytest.mark.parametrize(("line", "guess", "verdict"), QUIZBOWL)
def test_quizbowl_guess(line, guess, verdict):
    assert judge(line, guess).verdict == verdict, judge(line, guess)


@pytest.mark.parametrize(("question", "line", "guess", "verdict"), ASKED)
def test_answer_to_a_question(question, line, guess, verdict):
    found = judge(line, guess, question=question)
    assert found.verdict == verdict, found
    assert (found.score >= 0.5) == (verdict == "accept")


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
    assert judge(line, guess, condition, question) == answers.judge(line, guess, condition)


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


# ------------------------------------------------------------------ features


def vector(*arguments, **named) -> dict:
    return dict(zip(FEATURES, features(*arguments, **named), strict=True))


def test_features_of_a_pair():
    one = vector(["Fiji", "Mamanuca Islands, Fiji"], "Fiji Islands", "where are the islands")
    assert one["best_recall"] == one["nothing_missing"] == one["asked_where"] == 1
    assert one["only_question_words_added"] == 1  # "Islands" stands in the question
    assert one["alternatives"] == pytest.approx(np.log(2))
    date = vector(["8 September 2010"], "2010")
    assert (date["year_agrees"], date["coarser_date"], date["date_conflict"]) == (1, 1, 0)
    assert date["reference_date"] == date["guess_date"] == 1
    other = vector(["8 September 2010"], "9 September 2010")
    assert other["day_conflict"] == other["date_conflict"] == 1
    assert vector(["the 1980s"], "1984")["within_span"] == 1
    assert vector(["the 1980s"], "1991")["within_span"] == 0
    assert vector(["iron"], "iron oxide")["appended"] == 1
    assert vector(["iron"], "iron oxide", "what oxide is it")["appended"] == 0
    assert vector(["three"], "3")["rule_accepts"] == 1
    assert not features(["—"], "Paris").any() and not features(["Paris"], "").any()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=4), st.text(max_size=40), st.text())
def test_any_text_has_finite_features_and_a_verdict(alternatives, guess, question):
    row = features(alternatives, guess, question)
    assert row.shape == (len(FEATURES),) and np.isfinite(row).all()
    found = judge(equivalence.line_of(alternatives), guess, question=question)
    assert found.verdict in ("accept", "prompt", "reject") and 0 <= found.score <= 1


# ------------------------------------------------------------------ tables and matchers


def table(**columns) -> pd.DataFrame:
    return pd.DataFrame({"condition": "", **columns})


def test_a_table_is_judged_like_its_rows():
    frame = table(
        question_id=["a", "a", "b", "b", "c", "c", "d"],
        guess=["Fiji", "Fiji", "iron oxide", None, "Regina Spektor", "Bob", "3"],
        answerline=["Mamanuca Islands, Fiji"] * 2 + ["iron"] * 2 + ["Spektor"] * 2 + ["three"],
        question=["where is it filmed"] * 2 + [None] * 2 + ["who sings"] * 2 + [" "],
    )
    out = judge_pairs(frame)
    assert len(out) == 6 and store.faults(out, "judgements") == []
    for row in out.itertuples():
        line, question = frame.loc[frame["question_id"] == row.question_id].iloc[0][
            ["answerline", "question"]
        ]
        question = question if isinstance(question, str) and question.strip() else None
        one = judge(line, row.guess, row.condition, question)
        assert (row.verdict, row.score, row.rule) == tuple(one)
    assert out.set_index("guess")["rule"]["Fiji"] == "score"
    assert judge_pairs(frame.iloc[:0]).empty


def test_a_table_that_cannot_be_judged():
    frame = table(question_id=["a", "a"], guess=["x", "y"], answerline=["one", "two"])
    with pytest.raises(DataError, match="the same as 'one'"):
        judge_pairs(frame)
    with pytest.raises(DataError, match="answerline"):
        match_pairs(frame.drop(columns="answerline"), "exact")
    with pytest.raises(DataError, match="text"):
        judge_pairs(frame.assign(answerline=[1, 1]))


MATCHED = [
    # line, guess, verdicts of exact, f1, fuzzy
    ("The Great Gatsby [or Gatsby]", "great gatsby!", "accept", "accept", "accept"),
    ("The Great Gatsby [or Gatsby]", "gatsby", "accept", "accept", "accept"),
    ("Constantine Cavafy", "Constantine P. Cavafy", "reject", "accept", "accept"),
    ("Ludwig van Beethoven", "Beethoven", "reject", "accept", "reject"),
    ("Tchaikovsky", "Tchaikovski", "reject", "reject", "accept"),
    ("Paris [do not accept London]", "London", "reject", "reject", "reject"),
    ("Persia", "", "reject", "reject", "reject"),
]


@pytest.mark.parametrize(("line", "guess", "exact", "f1", "fuzzy"), MATCHED)
def test_other_matchers(line, guess, exact, f1, fuzzy):
    names = equivalence.MATCHERS[1:]
    found = {name: match(line, guess, matcher=name) for name in names}
    assert [found[n].verdict for n in names] == [exact, f1, fuzzy]
    assert {j.rule for j in found.values()} <= {*names, "empty"}
    frame = table(question_id=["q"], guess=[guess], answerline=[line])
    for name in names:
        out = match_pairs(frame, name)
        assert tuple(out.iloc[0][["verdict", "score", "rule"]]) == tuple(found[name])
        assert store.faults(out, "judgements") == []


def test_matchers_measure_what_they_say():
    assert equivalence.token_f1(["a b c d", "x"], "b c") == pytest.approx(0.8)  # "a" is an article
    assert equivalence.token_f1(["one two"], "three") == 0
    assert equivalence.character_ratio(["abcd"], "abce") == pytest.approx(0.75)
    assert match("abcd", "abce", matcher="fuzzy", threshold=0.7).verdict == "accept"
    line = "Persia [accept Iran until it is read]"
    assert match(line, "Iran", "", "exact").verdict == "accept"
    assert match(line, "Iran", "iran", "exact").verdict == "reject"
    frame = table(question_id=["q"], guess=["iron"], answerline=["iron"])
    assert match_pairs(frame).equals(judge_pairs(frame))
    with pytest.raises(DataError, match="one of engine, exact, f1, fuzzy"):
        match("a", "b", matcher="best")


# ------------------------------------------------------------------ the model


def test_fit_learns_calibrates_and_repeats_itself():
    rows = some_pairs()
    one, two = equivalence.fit(rows, 3), equivalence.fit(rows, 3)
    assert one.to_json() == two.to_json()
    right = one.probability([features(["Mills"], "Ada Mills", "who wrote book 1")])
    wrong = one.probability([features(["Mills"], "Zoe Stone", "who wrote book 1")])
    assert right > 0.9 and wrong < 0.1
    for feature, scale in zip(FEATURES, one.scale, strict=True):
        assert scale > 0, feature


def test_penalised_regression_is_at_its_minimum():
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(300, 4)), rng.random(300)
    y = (rng.random(300) < 1 / (1 + np.exp(-x[:, 0] + 0.5 * x[:, 1]))).astype(float)
    beta = equivalence._logistic(x, y, w, 2.0)
    p = 1 / (1 + np.exp(-(x @ beta[:-1] + beta[-1])))
    assert np.abs(x.T @ (w * (p - y)) + 2.0 * beta[:-1]).max() < 1e-9
    assert abs((w * (p - y)).sum()) < 1e-9


def test_fit_agrees_with_scikit_learn():
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3))
    y = (rng.random(200) < 1 / (1 + np.exp(-x.sum(axis=1)))).astype(float)
    reference = linear.LogisticRegression(C=1 / 4.0, tol=1e-10, max_iter=1000).fit(x, y)
    beta = equivalence._logistic(x, y, np.ones(200), 4.0)
    assert beta == pytest.approx([*reference.coef_[0], *reference.intercept_], abs=1e-5)


def test_model_file_round_trip_and_formula():
    model = equivalence.default_model()
    text = equivalence.MODEL_FILE.read_text(encoding="utf-8")
    assert model.to_json() == text == Model.from_json(text).to_json()
    data = json.loads(text)
    row = features(["Mamanuca Islands, Fiji"], "Fiji", "where is it")
    z = data["intercept"] + sum(
        f["weight"] * (x - f["mean"]) / f["scale"]
        for f, x in zip(data["features"], row, strict=True)
    )
    by_hand = 1 / (1 + np.exp(-(data["slope"] * z + data["offset"])))
    assert model.probability(row) == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("slope"), "slope"),
        (lambda d: d["features"].pop(), "features of this version"),
        (lambda d: d["features"].reverse(), "another order"),
        (lambda d: d["features"][0].update(scale=0), "scales above 0"),
        (lambda d: d["features"][0].update(weight=float("nan")), "finite"),
    ],
)
def test_model_file_that_is_damaged(change, message):
    data = copy.deepcopy(json.loads(equivalence.MODEL_FILE.read_text(encoding="utf-8")))
    change(data)
    with pytest.raises(DataError, match=message):
        Model.from_json(json.dumps(data))


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"source": "x"}', '{"source": 1, "refs": [], "human_label": 2}', ""]
)
def test_pairs_that_cannot_be_read(tmp_path, line):
    path = tmp_path / "pairs.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(DataError, match=r"pairs\.jsonl"):
        equivalence.read_pairs(path)


def test_pairs_that_cannot_be_fitted():
    with pytest.raises(DataError, match="both labels"):
        equivalence.fit([row for row in some_pairs() if row["human_label"]])
    with pytest.raises(DataError, match="at least 5"):
        equivalence.fit(some_pairs(2))


def test_judging_needs_no_scikit_learn():
    code = (
        "import sys; from calscore import equivalence as e;"
        "assert e.judge('Spektor', 'Qarth Spektor', question='who').rule == 'score';"
        "print(sorted(m for m in sys.modules if m.startswith(('sklearn', 'pickle', 'pandas'))))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "sklearn" not in run.stdout and "pandas" not in run.stdout


# ------------------------------------------------------------------ figures


def test_folds_keep_a_question_together():
    questions = [f"Question {i % 30}" for i in range(90)] + [f"question {i}" for i in range(30)]
    fold = equivalence.folds(questions, 10, 0)
    assert set(fold) == set(range(10))
    assert all(
        len({f for f, q in zip(fold, questions, strict=True) if q.casefold() == name}) == 1
        for name in {q.casefold() for q in questions}
    )
    assert (fold != equivalence.folds(questions, 10, 1)).any()


def test_paired_test_and_reliability_by_hand():
    first = [True] * 8 + [False] * 2 + [True] * 5
    second = [False] * 8 + [True] * 2 + [True] * 5
    assert equivalence.mcnemar(first, second) == (8, 2, pytest.approx(0.109375))
    assert equivalence.mcnemar(first, first) == (0, 0, 1.0)
    assert equivalence.balanced_accuracy([1, 1, 0, 0], [1, 0, 0, 0]) == pytest.approx(5 / 6)
    assert np.isnan(equivalence.balanced_accuracy([1], [1]))
    bins = equivalence.reliability([0.05, 0.3, 0.35, 1.0], [0, 1, 0, 1])
    assert bins["pairs"].to_dict() == {0.0: 1, 0.3: 2, 0.9: 1}
    assert bins["right"].tolist() == [0.0, 0.5, 1.0]


REACHED = {
    # source: accuracy on fid, balanced accuracy where not exact, Brier (all systems and fid)
    "EVOUNA-NQ": (0.950, 0.84, 0.042),
    "EVOUNA-TQ": (0.973, 0.90, 0.025),
}


@pytest.mark.parametrize("source", REACHED)
def test_held_out_figures(judged, source):
    accuracy, balanced, brier = REACHED[source]
    figures = equivalence.summary(judged).loc[[source, f"{source} / fid"]]
    assert figures.loc[f"{source} / fid", "accuracy"] >= accuracy
    assert (figures["balanced_not_exact"] >= balanced).all()
    assert (figures["brier"] <= brier).all()
    assert (figures["ece"] <= 0.02).all()


@pytest.mark.parametrize("source", REACHED)
def test_paired_with_other_matchers(rows, judged, source):
    from benchmarks.compare_equivalence import matcher, token_set

    mine = (judged["source"] == source) & (judged["system"] == "fid")
    label = judged["label"] == 1
    engine = (judged["accepted"] == label)[mine]
    for name, accepted in (
        ("exact", matcher(rows, "exact")),
        ("token set", token_set(rows, judged["fold"].to_numpy())),
    ):
        better, worse, p = equivalence.mcnemar(engine, (accepted == label)[mine])
        assert better > worse, name
        assert name != "exact" or (better - worse > 0.05 * mine.sum() and p < 1e-6)


def test_committed_model_is_the_fit(pairs_file, rows, judged):
    kept, refitted = equivalence.default_model(), equivalence.fit(rows, 0)
    again = (
        "the rules or features have changed: run python -m benchmarks.compare_equivalence --write"
    )
    for name in ("weight", "mean", "scale", "intercept", "slope", "offset", "threshold"):
        assert getattr(kept, name) == pytest.approx(getattr(refitted, name), abs=1e-6), again
    known = kept.provenance
    assert known["sha256"] == hashlib.sha256(pairs_file.read_bytes()).hexdigest()
    assert known["file"] == pairs_file.name and known["pairs"] == len(rows) == 5296
    assert known["right"] == sum(row["human_label"] for row in rows)
    assert known["seed"] == 0 and known["penalty"] == equivalence.PENALTY
    assert set(known["versions"]) == {"anyascii", "numpy", "PyStemmer", "rapidfuzz"}
    figures = equivalence.summary(judged).round(4).to_dict("index")
    assert known["cross_validated"]["figures"] == figures, again


def test_features_do_not_see_labels(rows):
    some = rows[::400]
    flipped = [{**row, "human_label": 1 - row["human_label"], "system": "x"} for row in some]
    assert (equivalence.feature_table(some) == equivalence.feature_table(flipped)).all()


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
    judged = equivalence.judge(line, guess, tossup=TOSSUP)
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
    assert equivalence.judge_pairs(pairs)["verdict"].tolist() == [verdict]


def test_only_the_last_sentence_counts():
    earlier = "A river is near. For 10 points, name this battle."
    line = "Battle of the Metaurus River"
    assert equivalence.judge(line, "Battle of the Metaurus", tossup=earlier).verdict == "reject"


@pytest.mark.parametrize(
    ("line", "guess", "ending", "verdict"),
    [
        (
            "substitution [or SN2]",
            "SN2 reaction",
            "name this type of reaction in which a group leaves.",
            "accept",
        ),
        (
            "Microwaves",
            "microwave radiation",
            "name this form of radiation which cooks food.",
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
