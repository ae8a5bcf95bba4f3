"""Judged guesses and survey answers: conditions, manual verdicts, what comes of them."""

import pandas as pd
import pytest
from calscore.answers.score import MODEL_FILE
from calscore.audit.trace import Trace
from calscore.clues import segment as clues_module
from calscore.core import store
from calscore.core.errors import DataError
from calscore.judging import guess_verdicts

TEXT = "A petal falls. For ten points, name these things which bloom."
QUESTIONS = pd.DataFrame(
    {
        "question_id": ["q1", "q2"],
        "answerline": ["flowers [accept petals until read]", "Richard Nixon"],
        "text": [TEXT, "He resigned. Name this president."],
    }
)


def guesses() -> pd.DataFrame:
    rows = [
        ("q1", 1, "petals", None, -0.1),
        ("q1", 11, "petals", None, -0.01),
        ("q2", 2, None, None, -0.1),
        ("q2", 5, "Pat Nixon", True, -0.01),
    ]
    frame = pd.DataFrame(rows, columns=["question_id", "position", "guess", "correct_given", "mean_logprob"])
    frame["correct_given"] = frame["correct_given"].astype("boolean")
    return frame.assign(
        model="M",
        elicitation="logit",
        confidence=float("nan"),
        sent=None,
        token_logprobs=[[v] for v in frame["mean_logprob"]],
        buzzed=pd.array([None] * 4, dtype="boolean"),
    )


CLUES = pd.DataFrame(
    {
        "segmentation": "s",
        "question_id": ["q1", "q1", "q2", "q2"],
        "clue": [1, 2, 1, 2],
        "end_word": [3, 11, 2, 5],
    }
)


def judged(overrides=None, rows=None, clues=CLUES, shards=None):
    rows = guesses() if rows is None else rows
    given = rows, overrides, MODEL_FILE, "engine", {"M": -0.03}, shards
    return guess_verdicts.judgement_tables(QUESTIONS, clues, *given)


def by_hand(tmp_path, *lines: str):
    """A file of verdicts by hand."""
    path = tmp_path / "overrides.csv"
    path.write_text("\n".join(["question_id,guess,verdict,who,reason", *lines, ""]))
    return path


def test_a_condition_is_met_where_it_was_heard():
    assert guess_verdicts.met_conditions(guesses(), QUESTIONS) == ["", "petal", "", ""]


def test_guesses_are_judged_and_carried_to_the_clues():
    made = judged()
    assert set(made) == {"judgements", "responses", "findings"}
    verdicts = made["judgements"].set_index(["guess", "condition"])["verdict"]
    assert verdicts.to_dict() == {
        ("petals", ""): "accept",
        ("petals", "petal"): "reject",
        ("Pat Nixon", ""): "reject",
    }
    rows = made["responses"].drop_duplicates(["question_id", "clue"])
    assert rows["correct"].tolist() == [True, False, False, False]
    assert rows["buzz"].tolist() == [False, True, False, True]
    assert set(made["responses"]["marks"]) == {"engine"}
    # Only one guess came with a mark: its source judged no series.
    (finding,) = made["findings"]
    assert (finding.finding, finding.detail) == (
        "marks for some guesses only",
        "1 of 4 guesses came with a mark",
    )


def test_each_judge_has_answers_of_its_own(tmp_path):
    """What was sent, how it reads, the engine's verdict, the person's, and the run's own mark, by hand."""
    path = by_hand(tmp_path, "q2,Pat Nixon,accept,editor,a test")
    marked = guesses().assign(correct_given=pd.array([False, True, None, True], dtype="boolean"))
    marked.loc[2, "correct_given"] = False
    marked["sent"] = ["It is: petals", None, None, None]
    made = judged(path, marked)
    found = made["responses"].drop_duplicates(["marks", "question_id", "clue"])
    right = found.groupby("marks")["correct"].agg(list).to_dict()
    assert right == {
        "engine": [True, False, False, False],
        "strict": [False, False, False, False],
        "adjudicated": [True, False, False, True],
        "authors": [False, True, False, True],
    }
    assert not store.validation_errors(made["responses"], "responses")
    assert not store.validation_errors(made["judgements"], "judgements")
    by_guess = made["judgements"].set_index(["guess", "condition"])
    assert by_guess.loc[("Pat Nixon", ""), ["verdict", "engine"]].tolist() == ["accept", "reject"]
    assert ("It is: petals", "") in by_guess.index


# reason of a verdict that accepts "Pat Nixon", the run's own mark → adjudicated; the engine rejects it
ARGUED = [("a test", True, True), ("a test", False, True), ("arguable: a test", True, True), ("arguable: a test", False, False), ("Arguable: a test", False, False)]  # fmt: skip


@pytest.mark.parametrize(("reason", "mark", "right"), ARGUED)
def test_an_arguable_verdict_leaves_runs_alone_on_which_mark_and_engine_agree(reason, mark, right, tmp_path):
    path = by_hand(tmp_path, f"q2,Pat Nixon,accept,editor,{reason}")
    marked = guesses().assign(sent=None, correct_given=pd.array([mark] * 4, dtype="boolean"))
    made = judged(path, marked)
    rows = made["responses"].query("marks == 'adjudicated'")
    assert rows.loc[rows["guess"] == "Pat Nixon", "correct"].tolist()[0] is right
    tables = {"guesses": marked, "clues": CLUES, "questions": QUESTIONS, "judgements": made["judgements"]}
    traced = Trace(tables, {"primary_segmentation": "s"}).verdicts.query("marks == 'adjudicated'")
    assert traced.loc[traced["guess"] == "Pat Nixon", "right"].tolist() == [right]


def test_a_model_without_marks_has_no_answers_under_them_and_a_mark_stands_without_a_guess():
    """Model N came without marks, and once without a guess; M's mark of its missing guess is what it is."""
    marked = guesses().assign(correct_given=pd.array([False, True, True, True], dtype="boolean"))
    bare = guesses().assign(model="N", correct_given=pd.array([None] * 4, dtype="boolean"))
    both = pd.concat([marked, bare], ignore_index=True).assign(sent=None)
    made = judged(rows=both)
    found = made["responses"].drop_duplicates(["model", "marks", "question_id", "clue"])
    right = found.groupby(["model", "marks"])["correct"].agg(list).to_dict()
    assert right == {
        ("M", "authors"): [False, True, True, True],
        ("M", "engine"): [True, False, False, False],
        ("N", "engine"): [True, False, False, False],
    }


def test_a_model_answers_under_authors_where_it_guessed_and_is_carried_if_it_guessed_elsewhere():
    marked = guesses().assign(sent=None, correct_given=pd.array([None] * 4, dtype="boolean"))

    def carried(clues):
        made = judged(rows=marked, clues=clues)["responses"]
        return made.drop_duplicates(["model", "question_id", "clue"])["carried"].agg(list)

    elsewhere = CLUES.assign(segmentation="authors")
    assert carried(elsewhere) == carried(CLUES) and any(carried(CLUES))
    own = clues_module.clues_at_guess_positions(QUESTIONS, marked, "authors")
    assert not any(carried(own))


def test_a_manual_verdict_wins_and_one_without_a_guess_is_told(tmp_path):
    lines = "q2,Pat Nixon,accept,editor,a test", "q2,Nobody,reject,editor,a test", "q1,petals,,,"
    made = judged(by_hand(tmp_path, *lines))
    row = made["judgements"].set_index("guess").loc["Pat Nixon"]
    assert row["engine"] == "reject"
    assert row[["verdict", "score", "rule", "source"]].tolist() == [
        "accept",
        1.0,
        "a test (editor)",
        "override",
    ]
    findings = [f.finding for f in made["findings"]]
    assert findings == ["override without a guess", "marks for some guesses only"]
    assert guess_verdicts.ANY == "*"


def test_manual_verdicts_that_cannot_be_used(tmp_path):
    path = by_hand(tmp_path, "q9,x,maybe,,why", "q1,y,accept,a,b", "q1,y,reject,a,b")
    with pytest.raises(DataError) as error:
        guess_verdicts.read_overrides(path, QUESTIONS)
    assert [f.column for f in error.value.faults] == [
        "question_id",
        "verdict",
        "who",
        "guess",
    ]


@pytest.mark.parametrize("shards", [1, 2, 5])
def test_a_study_judged_in_shards_has_the_same_tables(tmp_path, shards):
    whole = judged()
    paths = []
    for shard in range(1, shards + 1):
        made = guess_verdicts.judge_shard(QUESTIONS, guesses(), MODEL_FILE, "engine", str(shard), str(shards))
        paths.append(tmp_path / f"{shard}.parquet")
        store.write(made["judgements"], "judgements", paths[-1])
    merged = judged(shards=paths)
    for name in ("judgements", "responses"):
        store.write(whole[name], name, tmp_path / "whole.parquet")
        store.write(merged[name], name, tmp_path / "merged.parquet")
        same = (tmp_path / "whole.parquet").read_bytes() == (tmp_path / "merged.parquet").read_bytes()
        assert same, name
    assert merged["findings"] == whole["findings"]
