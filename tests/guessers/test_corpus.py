"""Past questions and runs on them: read, and refused with one clear error."""

import json

import pytest
from calscore.core.errors import DataError
from calscore.guessers import corpus
from calscore.raw import guesses, parse_replies
from past_questions import RUN, entries, written
from support import data_folder


def test_past_questions(tmp_path):
    table = corpus.parse_past_questions(written(tmp_path, entries()))
    assert table["title"].tolist() == ["Winnie-the-Pooh", "fox", "Wine"]
    assert table["question_id"].tolist() == ["past-1", "past-2", "past-3"]
    assert table["n_words"].tolist() == [10, 10, 9]
    plain = corpus.parse_past_questions(written(tmp_path, {"questions": entries()}, "plain.json"))
    assert plain.equals(table)


@pytest.mark.parametrize(
    ("content", "column"),
    [
        (entries({"qanta_id": "x"}), "qanta_id"),
        (entries({"text": " "}), "text"),
        (entries({"answer": ""}), "answer"),
        (entries({"qanta_id": 2}), "qanta_id"),
        (["nothing"], ""),
        ({"other": 1}, "questions"),
        (b"{", ""),
    ],
)
def test_bad_past_questions(tmp_path, content, column):
    with pytest.raises(DataError) as error:
        corpus.parse_past_questions(written(tmp_path, content))
    assert error.value.faults[0].column == column


def test_all_bad_past_questions_are_named(tmp_path):
    content = [
        entry | {"text": text, "qanta_id": 1} for entry, text in zip(entries(), ("", "a b", " "), strict=True)
    ]
    with pytest.raises(DataError) as error:
        corpus.parse_past_questions(written(tmp_path, content))
    assert [(fault.row, fault.column) for fault in error.value.faults] == [
        ("1", "text"),
        ("3", "qanta_id"),
        ("3", "text"),
    ]


def test_runs_on_past_questions(tmp_path):
    table = corpus.parse_past_questions(written(tmp_path, entries()))
    lines = [RUN, RUN | {"word_end": 10, "guess": ""}, RUN | {"guess": "Paddington"}]
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    rows, findings = corpus.parse_past_runs(path, table, "m")
    assert [(r["position"], r["guess"]) for r in rows] == [(3, "Paddington"), (10, None)]
    assert rows[0]["mean_logprob"] == pytest.approx(-0.3)
    assert [f.place for f in findings] == ["runs.jsonl#3"]
    assert len(guesses.guess_table(rows)) == 2


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ({"qanta_id": 9}, "qanta_id"),
        ({"word_end": 11}, "word_end"),
        ({"word_end": 0}, "word_end"),
        ({"guess": 3}, "guess"),
        ({"token_logprobs": []}, "token_logprobs"),
        ({"token_logprobs": [0.1]}, "token_logprobs"),
        ({"token_logprobs": None}, "token_logprobs"),
    ],
)
def test_bad_runs(tmp_path, change, column):
    table = corpus.parse_past_questions(written(tmp_path, entries()))
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(RUN) + "\n" + json.dumps(RUN | change))
    with pytest.raises(DataError) as error:
        corpus.parse_past_runs(path, table, "m")
    assert (error.value.faults[0].row, error.value.faults[0].column) == ("2", column)


# --- real data -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real():
    name = "quizbowl/qanta.buzzdev.json.gz"
    return corpus.parse_past_questions(data_folder(name) / name)


def test_real_guesses_come_through_unchanged(real):
    """What a GPT model really answered, bare and in the form that the prompt asks for."""
    name = "quizbowl/gpr_runs.jsonl.gz"
    rows, _ = corpus.parse_past_runs(data_folder(name) / name, real, "GPT-past")
    said = sorted({row["guess"] for row in rows if row["guess"]})
    assert len(said) > 3000
    changed = [one for one in said if parse_replies.read_answer(one).guess != one]
    # Full stops at the end, a None, a label and quotes around a title.
    assert len(changed) <= 10
    for one in said:
        found = parse_replies.read_reply(f"The answer is: {one}\nProbability: 0.5")
        assert found.probability == 0.5
        if one not in changed:
            assert found.guess == one
