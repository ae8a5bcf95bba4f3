"""Tables of guesses, and the other matchers."""

import pandas as pd
import pytest
from answer_lines import FLOWERS, NIXON
from calscore.answers import judge
from calscore.core import store
from calscore.core.errors import DataError
from calscore.judging import matchers
from calscore.judging.matchers import judge_pairs, match_guess, match_pairs


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
    assert len(out) == 6 and store.validation_errors(out, "judgements") == []
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
    with pytest.raises(DataError, match="condition"):
        judge_pairs(frame.drop(columns="condition"))
    with pytest.raises(DataError, match="text"):
        judge_pairs(frame.assign(answerline=[1, 1]))
    with pytest.raises(DataError, match="answerline: found None"):
        judge_pairs(frame[:1].assign(answerline=[None]))


def test_judge_pairs_makes_a_valid_table_of_judgements():
    frame = pd.DataFrame(
        [
            ("q2", "petals", "petal", FLOWERS),
            ("q1", "Nixon", "", NIXON),
            ("q2", "petals", "", FLOWERS),
            ("q1", "Nixon", "", NIXON),
            ("q1", None, None, NIXON),
        ],
        columns=["question_id", "guess", "condition", "answerline"],
    )
    out = judge_pairs(frame)
    assert out.drop(columns=["score", "source", "engine"]).to_numpy().tolist() == [
        ["q2", "petals", "petal", "reject", "too late"],
        ["q1", "Nixon", "", "accept", "surname"],
        ["q2", "petals", "", "accept", "alias"],
        ["q1", "", "", "reject", "empty"],
    ]
    assert set(out["source"]) == {"engine"}
    assert store.validation_errors(out, "judgements") == []
    assert store.validation_errors(judge_pairs(frame.iloc[:0]), "judgements") == []


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
    names = matchers.MATCHERS[1:]
    found = {name: match_guess(line, guess, matcher=name) for name in names}
    assert [found[n].verdict for n in names] == [exact, f1, fuzzy]
    assert {j.rule for j in found.values()} <= {*names, "empty"}
    frame = table(question_id=["q"], guess=[guess], answerline=[line])
    for name in names:
        out = match_pairs(frame, name)
        assert tuple(out.iloc[0][["verdict", "score", "rule", "source"]]) == (*found[name], name)
        assert store.validation_errors(out, "judgements") == []


def test_matchers_measure_what_they_say():
    assert matchers.token_f1(["a b c d", "x"], "b c") == pytest.approx(0.8)  # "a" is an article
    assert matchers.token_f1(["one two"], "three") == 0
    assert matchers.character_ratio(["abcd"], "abce") == pytest.approx(0.75)
    assert match_guess("abcd", "abce", matcher="fuzzy").score == 0.75
    line = "Persia [accept Iran until it is read]"
    assert match_guess(line, "Iran", "", "exact").verdict == "accept"
    assert match_guess(line, "Iran", "iran", "exact").verdict == "reject"
    frame = table(question_id=["q"], guess=["iron"], answerline=["iron"])
    assert match_pairs(frame).equals(judge_pairs(frame))
    with pytest.raises(DataError, match="one of engine, exact, f1, fuzzy"):
        match_guess("a", "b", matcher="best")


def test_a_table_rejects_what_is_longer_than_any_answer():
    pairs = pd.DataFrame({"question_id": ["q", "q"], "guess": ["Ovid " * 3000, "Ovid"]})
    table = matchers.judge_pairs(pairs.assign(condition="", answerline="Ovid"))
    assert table["verdict"].tolist() == ["reject", "accept"]
    assert table["rule"].tolist()[0] == matchers.TOO_LONG
