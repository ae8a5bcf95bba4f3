"""Past questions, retrieval that does not leak, prompts, the baseline, replies."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest
from calscore.clues import segment
from calscore.core import store
from calscore.core.errors import DataError
from calscore.guessers import corpus, openai, prompts, retrieval, tfidf, training_runs
from calscore.raw import guesses, parse_replies
from support import ROOT, data_folder

SHAPES = [
    json.loads(line)
    for line in (ROOT / "tests" / "data" / "replies.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["reply"][:60])
def test_reply_shapes(shape):
    found = parse_replies.read_reply(shape["reply"])
    assert (found.guess, found.kind) == (shape["guess"], shape["kind"])
    assert found.probability == pytest.approx(shape["probability"]), shape["reply"]


def test_an_answer_alone_keeps_its_numbers():
    for text in ("Apollo 11", "Symphony No. 9 0.5", "Catch 22 1"):
        assert parse_replies.read_answer(text).guess == text
    assert parse_replies.read_answer("The answer is: Silas Marner.").guess == "Silas Marner"
    assert parse_replies.read_answer("None").kind == "none"


def test_unparsed_replies_are_listed_and_counted():
    raws = [
        "A\nProbability: 0.5",
        "None\nProbability: 0",
        "I'm sorry.",
        "A\nProbability: high",
        None,
    ]
    table = pd.DataFrame(
        {
            "model": ["m"] * 4 + ["n"],
            "elicitation": "verbalized",
            "question_id": "p01-q01",
            "position": range(1, 6),
            "guess": ["A", None, None, "A", "B"],
            "sent": None,
            "raw": raws,
            "finish_reason": ["stop", "stop", "content_filter", "length", None],
            "source_row": [f"runs.jsonl#{n}" for n in range(1, 6)],
        }
    )
    counts, unparsed = parse_replies.reply_statistics(table)
    assert counts.to_dict("records") == [
        {"model": "m", "elicitation": "verbalized", "replies": 4, "parsed": 2, "answer": 2, "none": 1,
         "refusal": 1, "empty": 0, "without_probability": 2, "unparsed": 2,
         "cut": 1, "filtered": 1, "reasoning_only": 0, "tool_calls": 0, "guesses": 2, "read": 0, "escapes": 0, "json": 0, "wrapper": 0, "quotes": 0, "rest": 0, "nothing": 0}
    ]  # fmt: skip
    assert unparsed["reply"].tolist() == raws[2:4]


def entries(*changes):
    base = [
        {"qanta_id": 1, "text": "This bear ate honey in the wood. Name this bear.", "answer": "Winnie [or Pooh]", "page": "Winnie-the-Pooh", "category": "Literature"},
        {"qanta_id": 2, "text": "A fox said that grapes were sour. Name this fox.", "answer": "fox (animal) [or x]", "page": None},
        {"qanta_id": 3, "text": "Grapes were pressed by feet to make this drink.", "answer": "wine", "page": "Wine"},
    ]  # fmt: skip
    return [one | change for one, change in zip(base, [*changes, {}, {}, {}], strict=False)]


def written(tmp_path, content, name="corpus.json.gz"):
    path = tmp_path / name
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(gzip.compress(raw) if name.endswith("gz") else raw)
    return path


def test_past_questions(tmp_path):
    table = corpus.parse_questions(written(tmp_path, entries()))
    assert table["title"].tolist() == ["Winnie-the-Pooh", "fox", "Wine"]
    assert table["question_id"].tolist() == ["past-1", "past-2", "past-3"]
    assert table["n_words"].tolist() == [10, 10, 9]
    plain = corpus.parse_questions(written(tmp_path, {"questions": entries()}, "plain.json"))
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
        corpus.parse_questions(written(tmp_path, content))
    assert error.value.faults[0].column == column


RUN = {"qanta_id": 1, "word_end": 3, "guess": "Winnie", "token_logprobs": [-0.5, -0.1]}


def test_runs_on_past_questions(tmp_path):
    table = corpus.parse_questions(written(tmp_path, entries()))
    lines = [RUN, RUN | {"word_end": 10, "guess": ""}, RUN | {"guess": "Paddington"}]
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    rows, findings = corpus.parse_runs(path, table, "m")
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
    table = corpus.parse_questions(written(tmp_path, entries()))
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(RUN) + "\n" + json.dumps(RUN | change))
    with pytest.raises(DataError) as error:
        corpus.parse_runs(path, table, "m")
    assert (error.value.faults[0].row, error.value.faults[0].column) == ("2", column)


WORDS = [f"w{i}" for i in range(400)]


def made_corpus(n=60, seed=3):
    """Questions of random words, two of each answer, which share one word of their own."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        words = rng.choice(WORDS, 30).tolist()
        for place in (12, 16, 20, 24, 28):
            words.insert(place, f"clue{i // 2}n{place}")
        rows.append(
            {"question_id": f"past-{i}", "title": f"Answer {i // 2}", "category": "", "text": " ".join(words), "answerline": f"Answer {i // 2}", "n_words": 35}
        )  # fmt: skip
    return pd.DataFrame(rows)


def test_the_question_itself_and_near_duplicates_are_never_shown():
    table = made_corpus()
    words = table["text"][0].split()
    near = table.iloc[[0, 0]].assign(
        question_id=["past-copy", "past-moved"],
        text=[" ".join(words[:15]) + " other ending", " ".join(words[10:] + words[:10])],
    )
    whole = pd.concat([table, near], ignore_index=True)
    retriever = retrieval.Retriever(whole)
    leaks = retriever.leaks(table["text"].tolist())
    assert leaks[:60, :60].diagonal().all()
    assert leaks[0].nonzero()[0].tolist() == [0, 60, 61]
    assert not leaks[1, [0, 60, 61]].any()
    shown = retriever.examples(table["text"][0], leaks[0], 5)
    assert len(shown) == 5
    assert not set(shown) & {0, 60, 61}
    # Without the guard the copy would come first, that is, last in the prompt.
    assert retriever.examples(table["text"][0], np.zeros(62, bool), 3)[-1] == 0
    assert retriever.examples(table["text"][0], np.ones(62, bool), 3) == []


def test_a_copied_passage_and_turned_round_words_both_leak():
    """The first by its shingles alone, the second by the similarity of the whole texts alone."""
    table = made_corpus()
    words, other = table["text"][0].split(), table["text"][7].split()
    passage = " ".join(words[:12] + other[:23] + table["text"][9].split()[:20])
    turned = " ".join(words[::-1])
    retriever = retrieval.Retriever(table)
    assert (
        retriever.similarity([passage])[0, 0]
        < retrieval.SIMILAR
        < retriever.similarity([turned])[0, 0]
    )
    assert retriever.leaks([passage])[0, 0]
    assert retriever.leaks([turned])[0, 0]
    assert not retriever.leaks([turned])[0, 1:].any()


def test_no_prompt_of_past_questions_shows_its_own_question():
    table = made_corpus()
    retriever = retrieval.Retriever(table)
    guesser = {"prompts": {}, "elicitations": ["logit", "verbalized"]}
    ends = segment.cut(table, ["words-20"])
    made = prompts.prompt_requests(
        table, ends, retriever, prompts.templates(guesser), "m", {"logit": {}, "verbalized": {}}, 3
    )
    assert len(made) == 2 * len(ends)
    texts = table.set_index("question_id")["text"]
    for one in made:
        assert texts[one.question_id] not in one.prompt.rsplit("Question: ", 1)[0]
        heard = " ".join(texts[one.question_id].split()[: one.position])
        end = one.prompt.rsplit("Question: ", 1)[1]
        assert end == (f"{heard}\nThe answer is:" if one.elicitation == "logit" else heard)
        assert one.prompt.count("Question: ") == 4
        assert one.prompt.count("The answer is: Answer ") == 3
    assert len({one.key for one in made}) == len(made)


def test_own_templates(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(
        "{% for e in examples %}{{ e.question }}={{ e.answer }};{% endfor %}{{ question }}?"
    )
    form = prompts.template(path)
    assert form.render(examples=[{"question": "a", "answer": "b"}], question="c") == "a=b;c?"
    for text, words in (
        ("no slot", "slots"),
        ("{{ question }} {{ anwser }}", "anwser"),
        ("{{ question", "Jinja"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=words):
            prompts.template(path)
    with pytest.raises(DataError, match="a prompt template"):
        prompts.template(tmp_path / "absent.txt")


def test_a_sample_of_past_questions_is_the_same_each_time():
    table = made_corpus()
    first = openai.sample_questions(table, 10, 1)
    assert len(first) == 10
    assert first.equals(openai.sample_questions(table, 10, 1))
    assert not first.equals(openai.sample_questions(table, 10, 2))
    assert len(openai.sample_questions(table, 999, 1)) == 60


def test_the_baseline_finds_what_its_past_questions_know():
    table = made_corpus()
    retriever = retrieval.Retriever(table)
    questions = table.iloc[::2].assign(
        text=[
            " ".join(["new"] * 5 + [f"clue{i}n{place}" for place in (12, 16, 20)] + ["w1"])
            for i in range(30)
        ]
    )
    ends, past_ends = segment.cut(questions, ["words-5"]), segment.cut(table, ["words-10"])
    mine, theirs = tfidf.guess_titles(retriever, questions, ends, past_ends, seed=1)
    last = mine.drop_duplicates("question_id", keep="last")
    assert (last["guess"].to_numpy() == questions["title"].to_numpy()).all()
    # It never saw the question itself: what it knows of a past question is its twin.
    last = theirs.drop_duplicates("question_id", keep="last")
    assert (last["guess"].to_numpy() == table["title"].to_numpy()).mean() > 0.9
    first = theirs.drop_duplicates("question_id")
    assert (first["guess"].to_numpy() == table["title"].to_numpy()).mean() < 0.3
    assert last["confidence"].mean() > 2 * first["confidence"].mean()
    assert theirs["confidence"].between(0, 1).all()
    buzzes = tfidf.buzz_flags(mine, theirs, table)
    assert any(buzzes)
    assert not all(buzzes)
    only = retriever.leaks(table["text"].tolist())
    assert (only == np.eye(60, dtype=bool)).all()


def test_past_runs_are_judged_and_scored(tmp_path):
    table = corpus.parse_questions(written(tmp_path, entries()))
    lines = [
        RUN,
        RUN | {"word_end": 10, "guess": "Pooh", "token_logprobs": [0.0]},
        {"qanta_id": 3, "word_end": 9, "guess": "beer", "token_logprobs": [-1.0, -1.0]},
    ]
    table.loc[2, "answerline"] = "wine [prompt on beer]"
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    runs, findings = training_runs.collect_runs(table, [(path, "m")], [])
    assert findings[0].detail == "3 guesses of m on 2 of 3 past questions"
    runs = training_runs.judge_runs(runs, table, "engine", None)
    assert list(runs) == store.columns("past_runs")
    assert runs["correct"].tolist() == [True, True, False]
    scored = training_runs.score_runs(runs, table, {"m": "Mine"}, 100, 1, 0.95)
    scored = scored[(scored["definition"] == "paper") & (scored["reduction"] == "exp_sum_logprob")]
    value = scored.set_index("metric")["value"]
    c = np.exp([-0.6, 0.0, -2.0])
    assert value["accuracy"] == pytest.approx(2 / 3)
    assert value["brier"] == pytest.approx(np.mean((c - [1, 1, 0]) ** 2))
    assert set(value.index) == {"accuracy", "brier", "ece", "mce"}
    with pytest.raises(DataError, match="one source of guesses per model"):
        other = tmp_path / "other.jsonl"
        other.write_text(json.dumps(RUN | {"qanta_id": 2}))
        training_runs.collect_runs(table, [(path, "m"), (other, "m")], [])


# --- real data -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real():
    name = "quizbowl/qanta.buzzdev.json.gz"
    return corpus.parse_questions(data_folder(name) / name)


def test_real_guesses_come_through_unchanged(real):
    """What a GPT model really answered, bare and in the form that the prompt asks for."""
    name = "quizbowl/gpr_runs.jsonl.gz"
    rows, _ = corpus.parse_runs(data_folder(name) / name, real, "GPT-past")
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
