"""Answer options asked at an endpoint: from the configuration to the tables, and nothing paid twice."""

import copy
import json
import re
import shutil
from contextlib import contextmanager

import pandas as pd
import pytest
import yaml
from calscore.core import store
from calscore.core.errors import DataError
from calscore.multiple_choice import errands, option_files, option_requests, send
from calscore.runner import config
from calscore.simulate import choices
from flows.endpoints import KEY, QUESTIONS, assert_keyless, replying, serving
from support import ROOT, failing, run_snakemake, workspace


@pytest.fixture
def endpoint(tmp_path):
    """A working folder whose study asks a local server, the server, and its questions."""
    world = choices.simulate_choices({"questions": QUESTIONS, "annotators": {"answers": 3}}, 5)
    choices.write_choices(world, tmp_path)
    raw = tmp_path / "options" / "questions.csv"
    questions, _ = option_files.read_questions(raw)
    with serving(replying(questions)) as server:
        folder = workspace(tmp_path / "asked")
        guesser = {
            "name": "mine", "kind": "openai", "base_url": server.url, "model": "m", "key_env": "MINE_KEY",
            "max_failures": 1, "attempts": 2, "backoff": 0.01, "prices": {"input": 1.0, "output": 2.0},
        }  # fmt: skip
        entry = {"model": "mine", "guesser": "mine"}
        inputs = {
            "option_questions": {"name": raw.name},
            "results_dir": str(raw.parent),
            "guessers": [guesser, guesser | {"name": "judge", "model": "j", "max_tokens": 8}],
            "option_replies": [entry, entry | {"judging": "own", "judge": "judge"}],
            "distractor_guesser": "mine",
        }
        study = {"analyses": ["options"], "inputs": inputs, "options": {"replicates": 200}}
        (folder / "ask.yaml").write_text(yaml.safe_dump({"studies": {"ask": study}}))
        yield folder, server, questions


def test_a_study_asked_at_an_endpoint(endpoint):
    folder, server, questions = endpoint
    results = folder / "results" / "ask"
    asked = results / "asked"
    wanted = [
        f"results/ask/{path}"
        for path in (
            "asked/questions_with_distractors.csv", "tidy/option_results.parquet", "tables/plan.csv",
            "tables/option_scores.csv",
        )
    ]  # fmt: skip

    def run(*targets):
        done = run_snakemake(*targets, "--configfile", "ask.yaml", cwd=folder)
        assert KEY not in done.stdout + done.stderr
        return done

    # Before anything is sent the judge's requests are foreseen, at their longest.
    said = run("plan_guesses").stdout
    assert server.seen == []
    assert f"mine: {2 * QUESTIONS} requests to m (plain, option_requests)" in said
    assert f"mine: {QUESTIONS} requests to m (plain, distractor_requests)" in said
    assert f"judge: {2 * QUESTIONS} requests to j (plain, mine_own_verdict_requests)" in said
    upper = int(re.search(r"mine_own_verdict_requests\), about (\d+) prompt", said)[1])

    # The server fails on one request for good: it is named, and what was answered is kept.
    broken, good = questions["question"][7], server.reply
    server.reply = lambda p: 1 / 0 if f"\nQuestion: {broken}\nOptions:" in p else good(p)
    output = failing(folder, *wanted, "--configfile", "ask.yaml")
    assert KEY not in output
    assert "mine, row distractor/7, column request" in output
    assert "run again to go on" in output
    assert not (asked / "mine" / "option_replies.jsonl").exists()
    stored = (folder / "replies" / "mine.jsonl").read_text(encoding="utf-8").splitlines()
    kept = {json.loads(line)["prompt"] for line in stored}
    assert kept

    server.reply = good
    server.seen.clear()
    run(*wanted)
    sent = [prompt for prompt, *_ in server.seen]
    assert not set(sent) & kept
    assert len(sent) == len(set(sent))
    # A verdict on the same answer without and with options is asked for once.
    plan = pd.read_csv(results / "tables" / "plan.csv").set_index("questions")
    assert len(sent) + len(kept) == plan["distinct"].sum() == 4 * QUESTIONS

    # What was sent: nothing that would cut a reply of several lines.
    bodies = {body["model"]: body for *_, body in server.seen}
    assert {"stop", "logprobs"} & {key for body in bodies.values() for key in body} == set()
    assert bodies["m"]["max_tokens"] == config.OPTIONS_MAX_TOKENS
    assert bodies["j"]["max_tokens"] == 8
    assert {body["temperature"] for body in bodies.values()} == {0}

    # Replies in the order of the requests.
    requests = option_requests.read_lines(asked / "option_requests.jsonl", "prompt")
    replies = option_requests.read_lines(asked / "mine" / "option_replies.jsonl", "reply")
    prompts = {one["id"]: one["prompt"] for one in requests}
    assert prompts["distractor/7"] in set(sent)
    assert [one["id"] for one in replies] == list(prompts)
    assert replies == [{"id": one["id"], "reply": good(one["prompt"])} for one in requests]

    # N and D, judged by the engine and by the judge.
    table = store.read(results / "tidy" / "option_results.parquet")
    even, third = questions["row"] % 2 == 0, questions["row"] % 3 == 0
    for (judging, setting), part in table.groupby(["judging", "setting"]):
        right = part.set_index("row")["output"].eq(1).sort_index()
        assert right.tolist() == (even if judging == "shared" else third).tolist()
        assert set(part["confidence"]) == ({0.6} if setting == "normal" else {0.9})
    scores = pd.read_csv(results / "tables" / "option_scores.csv")
    assert set(scores["model"]) == {"mine"}
    written, _ = option_files.read_questions(asked / "questions_with_distractors.csv")
    assert written["wrong_2"].tolist() == [f"{row}b wrong" for row in questions["row"]]

    # The plan in all, below what was foreseen.
    assert plan["requests"].to_dict() == {
        "option_requests": 24, "mine_own_verdict_requests": 24, "distractor_requests": 12,
    }  # fmt: skip
    assert plan["guesser"].tolist() == ["mine", "judge", "mine"]
    assert plan.at["mine_own_verdict_requests", "prompt_tokens"] < upper / 2

    # A finished run costs nothing, even where its results are gone.
    before = {path: path.read_bytes() for path in sorted(asked.rglob("*.json*"))}
    shutil.rmtree(asked)
    server.seen.clear()
    said = run("plan_guesses").stdout
    assert [line.split(":")[1].split()[0] for line in said.splitlines() if "requests to" in line] == ["0"] * 3  # fmt: skip
    run(*(str(path.relative_to(folder)) for path in before))
    assert server.seen == []
    assert {path: path.read_bytes() for path in sorted(asked.rglob("*.json*"))} == before
    assert {path.parent.name for path in before} == {"asked", "mine", "judge"}

    assert_keyless(folder)


@contextmanager
def changed_inputs(folder):
    """The study's inputs, which are written back."""
    raw = yaml.safe_load((folder / "ask.yaml").read_text())
    yield raw["studies"]["ask"]["inputs"]
    (folder / "ask.yaml").write_text(yaml.safe_dump(raw))


def test_a_price_limit_sends_nothing(endpoint):
    folder, server, _ = endpoint
    with changed_inputs(folder) as inputs:
        inputs["guessers"][0]["price_limit"] = 0.001
    target = "results/ask/asked/mine/option_replies.jsonl"
    assert "price_limit" in failing(folder, target, "--configfile", "ask.yaml")
    assert server.seen == []


def test_a_judge_of_replies_at_hand(endpoint):
    """What it will be asked is known before anything is sent."""
    folder, server, questions = endpoint
    with changed_inputs(folder) as inputs:
        inputs["option_replies"] = [{"model": "other", "path": "other.jsonl", "judge": "judge"}]
    reply = '{"answer": "Paris", "confidence_score": 9}'
    rows = [{"id": f"normal/{row}", "reply": reply} for row in questions["row"][:5]]
    (folder / "other.jsonl").write_text(option_requests.lines(rows))
    said = run_snakemake("plan_guesses", "--configfile", "ask.yaml", cwd=folder).stdout
    assert "judge: 5 requests to j (plain, other_shared_verdict_requests)" in said
    assert "option_requests" not in re.findall(r"plain, (\w+)", said)
    assert server.seen == []
    target = "results/ask/asked/judge/other_shared_verdict_replies.jsonl"
    run_snakemake(target, "--configfile", "ask.yaml", cwd=folder)
    replies = option_requests.read_lines(folder / target, "reply")
    assert [one["id"] for one in replies] == [one["id"] for one in rows]
    assert len(server.seen) == 5


def test_what_a_judge_will_see_is_foreseen():
    rows = [{"id": f"normal/{i}", "setting": "normal", "row": i, "prompt": "p"} for i in range(3)]
    replies = [
        {"id": "normal/0", "reply": '{"answer": "Paris", "confidence_score": 9}'},
        {"id": "normal/1", "reply": "unreadable"},
    ]
    found = send.worst_case_answers(rows, replies, 10)
    assert [(one["id"], one["predicted_answer"]) for one in found] == [
        ("normal/0", "Paris"),
        ("normal/2", "normal/2xx"),
    ]


MINE = {"name": "mine", "kind": "openai", "base_url": "http://x/v1", "model": "m"}
INPUTS = {
    "option_questions": {"name": "questions.csv"},
    "guessers": [MINE, {"name": "past", "kind": "file", "path": "g.jsonl"}],
    "option_replies": [{"model": "one", "guesser": "mine"}],
}


def load(**changes):
    inputs = copy.deepcopy(INPUTS | changes)
    raw = {"studies": {"mine": {"analyses": ["options"], "inputs": inputs}}}
    return config.load(raw)["mine"]


def one_reply(**entry):
    return {"option_replies": [{"model": "one"} | entry]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (one_reply(), "option_replies/one, column path: found None, expected path"),
        (one_reply(path="r", guesser="mine"), "found 'mine', expected path or guesser, not both"),
        (one_reply(guesser="mien"), "column guesser: found 'mien', .* did you mean 'mine'"),
        (one_reply(guesser="x"), r"found 'x', expected a name of inputs/guessers \(mine, past\)"),
        (one_reply(guesser="past"), "expected a guesser of kind openai, not file"),
        (one_reply(path="r", judge="mien"), "column judge: found 'mien', .* did you mean 'mine'"),
        (one_reply(path="r", judge="mine", verdicts="v"), "verdicts or judge, not both"),
        (one_reply(path="r", judge="past"), "kind openai, not file"),
        (one_reply(guessr="mine"), "did you mean 'guesser'"),
        ({"distractor_guesser": "mien"}, "column distractor_guesser: found 'mien', .* did you mean 'mine'"),
        ({"distractor_guesser": "past"}, "kind openai, not file"),
        ({"distractor_guesser": "mine", "distractor_replies": "r"}, "distractor_replies or distractor_guesser, not both"),
        ({"guessers": []}, "none is declared"),
        ({"guessers": [MINE | {"base_url": None}]}, "base_url"),
    ],
)  # fmt: skip
def test_bad_replies_and_guessers_are_one_clear_error(changes, message):
    with pytest.raises(DataError, match=message) as error:
        load(**changes)
    assert len(error.value.faults) == 1


def test_what_is_sent_to_whom():
    replies = [
        {"model": "one", "guesser": "mine"},
        {"model": "one", "guesser": "mine", "judging": "own", "judge": "mine"},
        {"model": "two", "path": "r.jsonl", "judge": "mine"},
        {"model": "three", "path": "r.jsonl", "verdicts": "v.jsonl"},
    ]
    study = load(option_replies=replies, distractor_guesser="mine")
    assert errands(study["inputs"]) == [
        ("mine", "option", None),
        ("mine", "one_own_verdict", "mine"),
        ("mine", "two_shared_verdict", None),
        ("mine", "distractor", None),
    ]
    assert "endpoint" in config.study_features(study)
    assert "endpoint" not in config.study_features(load(option_replies=replies[3:]))


def test_replies_as_json_are_long_enough():
    assert load()["inputs"]["guessers"][0]["max_tokens"] == config.OPTIONS_MAX_TOKENS
    given = load(guessers=[MINE | {"max_tokens": 9}])
    assert given["inputs"]["guessers"][0]["max_tokens"] == 9


def test_the_documented_configuration_loads():
    text = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    block = yaml.safe_load(re.search(r"```yaml\n(.*?)```", text, re.DOTALL)[1])
    inputs = config.load(block)["yours"]["inputs"]
    assert {one.requests for one in errands(inputs)} == {
        "option", "mine_own_verdict", "mine_shared_verdict", "distractor",
    }  # fmt: skip
    assert int(re.search(r"(\d+) tokens", text)[1]) == config.OPTIONS_MAX_TOKENS
