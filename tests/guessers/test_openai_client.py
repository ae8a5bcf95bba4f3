"""Asking an endpoint: every way in which it fails, keys that stay secret, and runs that are killed."""

import contextlib
import html
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from calscore.core import secrets
from calscore.core.errors import DataError
from calscore.guessers import openai, openai_client, replystore
from calscore.runner import bind
from endpoint import FREE, Server, request
from support import ROOT

KEY = "sk-very-secret-0123456789"
LIMITED = {"concurrency": 4, "attempts": 4, "max_failures": 3, "max_wait": 5.0, "backoff": 0.005, "prices": FREE}  # fmt: skip


@pytest.fixture(autouse=True)
def afresh(monkeypatch):
    """No proxy, and no key from another test."""
    monkeypatch.setattr(secrets, "_known", {})
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def reply(prompt: str) -> str:
    return f"Answer {prompt.split()[-1]}"


def run(server, requests, path, key=KEY, api="chat", timeout=30.0, **changes):
    """Send the requests with a store at ``path``; all its replies."""
    with replystore.open_store(path) as store:
        endpoint = openai_client.Endpoint("mine", server.url, api, key, timeout)
        openai_client.send_unanswered(endpoint, requests, store, LIMITED | changes)
        return dict(store.replies)


def test_every_request_is_sent_once_and_a_finished_run_costs_nothing(tmp_path, capsys):
    requests = [request(i) for i in range(1, 21)]
    two = threading.Barrier(2)

    def not_alone(prompt: str) -> str:
        two.wait(60)  # for another request that is on its way
        return reply(prompt)

    with Server(not_alone) as server:
        replies = run(server, requests, tmp_path / "s.jsonl")
        assert len(server.seen) == 20
        assert 1 < server.most <= 4
        assert run(server, requests, tmp_path / "s.jsonl") == replies
        assert len(server.seen) == 20
    screen = capsys.readouterr().err
    assert {replies[r.key]["text"] for r in requests} == {f"Answer {i}" for i in range(1, 21)}
    assert "20/20" in screen
    assert "request/s" in screen
    assert "0.0044 USD" in screen  # 20 × (100 × 2 + 5 × 4) / 10⁶
    for _, headers, body in server.seen:
        assert headers["Authorization"] == f"Bearer {KEY}"
        assert body["temperature"] == 0
        assert body["model"] == "m"
        assert body["logprobs"] is True


def test_equal_requests_share_one_reply(tmp_path):
    one = request(1)
    twin = one._replace(question_id="p09-q09", position=7)
    assert one.key == twin.key
    assert one.key != one._replace(prompt="prompt 2").key
    assert one.key != one._replace(model="n").key
    assert one.key != one._replace(parameters=one.parameters | {"seed": 1}).key
    with Server(reply) as server:
        run(server, [one, twin], tmp_path / "s.jsonl")
    assert len(server.seen) == 1


FAULTS = [429, 500, 503, 408, "drop", "half", "garbage", "html", "error200", "stream_error", "stream_cut", "positive", "slow"]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_what_may_pass_is_tried_again(tmp_path, fault):
    # The good reply too must come within the time: that is long, and waited for once.
    timeout, times = (5.0, 1) if fault == "slow" else (30.0, 2)
    with Server(reply, plan={"prompt 1": [fault] * times}) as server:
        replies = run(server, [request(1)], tmp_path / "s.jsonl", timeout=timeout)
        assert len(server.seen) == times + 1
    assert [one["text"] for one in replies.values()] == ["Answer 1"]


@pytest.mark.parametrize(
    ("fault", "message"),
    [("endless", "a reply of more than 200000 bytes")]
    + [(fault, "not whole after 1 s") for fault in ("trickle", "interim")],
)
def test_a_reply_without_an_end_is_given_up(tmp_path, monkeypatch, fault, message):
    monkeypatch.setattr(openai_client, "MOST", 200_000)
    timeout = 30.0 if fault == "endless" else 1.0
    with Server(reply, always=fault) as server, pytest.raises(DataError, match=message):
        run(server, [request(1)], tmp_path / "s.jsonl", timeout=timeout, attempts=2)


def test_halves_of_characters_are_mended_also_where_a_stream_cuts_between_them():
    answered = openai_client.Endpoint("mine", "http://localhost", "chat", None, 1.0)
    parts = ["It is \\ud83d", "\\ude00 \\ud800"]
    line = '{"choices": [{"delta": {"content": "%s"}, "logprobs": {"content": [{"token": "%s", "logprob": -0.5}]}}]}'
    events = [f"data: {line % (part, part)}\n\n" for part in parts]
    events.append('data: {"choices": [{"delta": {"content": "\u2028"}, "finish_reason": "stop"}]}')
    said = answered._parse_document("".join(events), "text/event-stream")
    found = answered._parse_reply(said, request(1))
    assert found["text"] == "It is 😀 \ufffd\u2028"
    assert [token for token, _ in found["tokens"]] == ["It is \ufffd", "\ufffd \ufffd"]


USAGE = ["Infinity", "1e400", "9" * 400, "9" * 5000, "[1]", '"many"']
LOGPROBS = ["Infinity", "-1e400", "-" + "9" * 400, "-" + "9" * 5000, "-1e308", "-1e101", "null", '"low"', "NaN"]  # fmt: skip


@pytest.mark.parametrize("usage", USAGE)
def test_an_odd_count_of_tokens_is_a_malformed_reply(tmp_path, usage):
    text = '{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": ODD}}'.replace(
        "ODD", usage
    )
    with malformed(text) as server, pytest.raises(DataError, match="malformed reply") as error:
        run(server, [request(1, "verbalized")], tmp_path / "s.jsonl", attempts=1)
    assert str(error.value).count("\n") == 0


@pytest.mark.parametrize("value", LOGPROBS)
def test_an_odd_log_probability_is_a_malformed_reply(tmp_path, value):
    tokens = '{"content": [{"token": "x", "logprob": %s}]}'.replace("%s", value)
    text = f'{{"choices": [{{"message": {{"content": "x"}}, "logprobs": {tokens}}}]}}'
    with malformed(text) as server, pytest.raises(DataError, match="malformed reply"):
        run(server, [request(1)], tmp_path / "s.jsonl", attempts=1)


@pytest.mark.parametrize("tokens", [[], ["Silas"]])
def test_a_reply_that_a_stop_word_left_without_log_probabilities_is_asked_again(tmp_path, tokens):
    """As llama.cpp does: it drops those of the last tokens before a stop word."""
    with Server(lambda prompt: "Silas Marner\nIt is") as server:
        answer = server.answer

        def stopped(asked, body, prompt, fault):
            if body.get("stop"):
                choice = {"message": {"content": "Silas Marner"}, "finish_reason": "stop"}
                choice["logprobs"] = {"content": [{"token": t, "logprob": -0.5} for t in tokens]}
                return server.send(asked, 200, {"choices": [choice]})
            return answer(asked, body, prompt, fault)

        server.answer = stopped
        one = request(1, stop=["\n"])
        replies = run(server, [one], tmp_path / "s.jsonl")
        assert [("stop" in body) for *_, body in server.seen] == [True, False]
        server.always = "nologprobs"
        tokens.clear()
        with pytest.raises(DataError, match="sends no log-probabilities"):
            run(server, [request(2, stop=["\n"])], tmp_path / "s.jsonl")
    (reply,) = replies.values()
    assert (reply["text"], reply["finish_reason"]) == ("Silas Marner", "stop")
    assert [token for token, _ in reply["tokens"]] == ["Silas", " Marner\nIt"]


@pytest.mark.parametrize(
    ("elicitation", "text", "reason"),
    [
        ("logit", "Silas Marner", "length"),
        ("logit", "\nSilas Marner", "length"),
        ("logit", "Silas Marner\nIt is", "stop"),
        ("verbalized", "Silas Marner\nProb", "length"),
    ],
)
def test_an_answer_whose_line_ended_was_not_cut(elicitation, text, reason):
    reply = {"text": text, "tokens": None, "finish_reason": "length"}
    assert openai.finish_reason(reply, elicitation) == reason


EMPTY = [
    ({"reasoning_content": "Let me see"}, "length", "reasoning"),
    ({"reasoning": "Let me see", "content": None}, "stop", "reasoning"),
    ({"tool_calls": [{"id": 1}], "content": None}, "tool_calls", "tool_calls"),
    ({"content": ""}, "content_filter", "content_filter"),
    ({"content": ""}, "end", "end"),
]


@pytest.mark.parametrize(("message", "finish", "reason"), EMPTY)
@pytest.mark.parametrize("streamed", [False, True])
def test_an_empty_reply_says_what_it_has_in_place_of_text(tmp_path, message, finish, reason, streamed):
    part = "delta" if streamed else "message"
    text = json.dumps({"choices": [{part: message, "finish_reason": finish}]})
    endpoint = openai_client.Endpoint("mine", "http://localhost", "chat", None, 1.0)
    kind = "text/event-stream" if streamed else "application/json"
    document = endpoint._parse_document(f"data: {text}\n" if streamed else text, kind)
    line = openai.guess_line("mine", request(1), endpoint._parse_reply(document, request(1)))
    assert line["reply_key"] == request(1).key
    assert line["finish_reason"] == reason


def malformed(text: str) -> Server:
    """A server that always says the same."""
    server = Server(reply)
    server.answer = lambda asked, *_: server.send(asked, 200, text.encode())
    return server


def test_a_stream_is_read_as_the_document_that_it_amounts_to(tmp_path):
    with Server(reply, plan={"prompt 1": ["stream"]}) as server:
        streamed = run(server, [request(1)], tmp_path / "a.jsonl")
        plain = run(server, [request(1)], tmp_path / "b.jsonl")
    assert streamed == plain


def test_completions_give_the_same_reply(tmp_path):
    with Server(reply) as server:
        chat = run(server, [request(1)], tmp_path / "a.jsonl")
        plain = run(server, [request(1)], tmp_path / "b.jsonl", api="completions")
    assert chat == plain
    assert server.seen[1][2]["prompt"] == "prompt 1"


def test_retry_after_is_kept(tmp_path, monkeypatch):
    waits = []
    monkeypatch.setattr("tenacity.sleep_using_event", lambda event: waits.append)
    with Server(reply, plan={"prompt 1": [(429, {"retry-after": "4.5"}), 503, 503]}) as server:
        run(server, [request(1)], tmp_path / "s.jsonl", backoff=0.5)
    assert waits[0] == 4.5
    assert 0 <= waits[1] <= 1.0 < 1 + waits[2] <= 3.0  # random, within a bound that doubles


def test_retry_after_as_number_and_date():
    assert openai_client.wait_seconds("7") == 7
    assert openai_client.wait_seconds("Thu, 01 Jan 1970 00:01:40 GMT", now=40.0) == 60
    for odd in ("soon", "Thu, 99 Foo 99999 25:61:61 GMT", "-"):
        assert openai_client.wait_seconds(odd) is None
    assert {openai_client.wait_seconds(x) for x in ("-5", "nan", "Mon, 01 Jan 0001 00:00:00 -0000")} == {0}
    assert openai_client.wait_seconds(None) is None


def test_a_wait_beyond_the_limit_ends_the_run(tmp_path):
    requests = [request(i) for i in range(1, 30)]
    with Server(reply, always=(429, {"retry-after": "3600"})) as server:
        with pytest.raises(DataError, match="asks to wait 3600 s"):
            run(server, requests, tmp_path / "s.jsonl")
        assert len(server.seen) < 29


def test_failures_name_their_requests_and_keep_the_rest(tmp_path):
    requests = [request(i) for i in range(1, 11)]
    plan = {"prompt 3": [500] * 9, "prompt 8": [400]}
    with Server(reply, plan=plan) as server:
        with pytest.raises(DataError) as error:
            run(server, requests, tmp_path / "s.jsonl")
        seen = [prompt for prompt, *_ in server.seen]
        assert seen.count("prompt 3") == 4
        assert seen.count("prompt 8") == 1
        assert [f.row for f in error.value.faults] == [
            "p01-q03 word 3 (logit)",
            "p01-q08 word 8 (logit)",
        ]
        assert "HTTP 500" in error.value.faults[0].value
        plan["prompt 3"].clear()
        server.plan.clear()
        server.seen.clear()
        run(server, requests, tmp_path / "s.jsonl")
    assert sorted(prompt for prompt, *_ in server.seen) == ["prompt 3", "prompt 8"]


def test_nothing_more_is_sent_after_the_set_count_of_failures(tmp_path):
    requests = [request(i) for i in range(1, 101)]
    with Server(reply, always=500) as server:
        with pytest.raises(DataError):
            run(server, requests, tmp_path / "s.jsonl", concurrency=2, attempts=2, max_failures=3)
        assert len(server.seen) <= 2 * (3 + 2)


def test_missing_logprobs_end_the_run_at_once(tmp_path):
    requests = [request(i) for i in range(1, 101)]
    with Server(reply, always="nologprobs") as server:
        with pytest.raises(DataError, match="no log-probabilities"):
            run(server, requests, tmp_path / "s.jsonl", concurrency=1)
        assert len(server.seen) <= 2
        verbalized = [request(1, "verbalized")]
        replies = run(server, verbalized, tmp_path / "v.jsonl")
    assert [one["tokens"] for one in replies.values()] == [None]


def test_addresses_and_variables(monkeypatch):
    for bad in ("https://user:pw@host/v1", "https://host/v1?key=abc", "ftp://host", "host/v1"):
        with pytest.raises(DataError) as error:
            openai_client.check_url(bad, "mine")
        assert "pw@" not in str(error.value)
        assert "abc" not in str(error.value)
    for bad in ("http://[x", "http://host:99999/v1", "http://host:x/v1", "http://a b/v1", "http://h/\x07", "https://", "http://h/v1\n", ""):  # fmt: skip
        with pytest.raises(DataError, match="an address that starts with https://"):
            openai_client.check_url(bad, "mine")
    assert openai_client.check_url("https://host/v1/", "mine") == "https://host/v1"
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(DataError, match="NO_SUCH_KEY"):
        openai_client.read_key("NO_SUCH_KEY")
    assert openai_client.read_key(None) is None


WORKER = """
import sys
sys.path[:0] = [{package!r}, {tests!r}]
from calscore.guessers import openai_client as client, replystore
from guessers.test_openai_client import LIMITED, request
with replystore.open_store({store!r}) as store:
    endpoint = client.Endpoint("mine", {url!r}, "chat", None, 5.0)
    client.send_unanswered(endpoint, [request(i) for i in range(1, 61)], store, LIMITED)
"""


def test_a_killed_run_goes_on_and_ends_with_the_same_store(tmp_path):
    """Killed when so many requests have come, started again each time, until it is done."""
    tests = str(ROOT / "tests")
    chance, target, killed = random.Random(3), 1000, threading.Event()

    def until_killed(prompt):
        if len(server.seen) >= target:
            killed.wait()
        return reply(prompt)

    with Server(until_killed) as server:
        run(server, [request(i) for i in range(1, 61)], tmp_path / "whole.jsonl")
        server.seen.clear()
        store = tmp_path / "killed.jsonl"
        code = textwrap.dedent(WORKER).format(
            package=str(ROOT / "workflow"), tests=tests, store=str(store), url=server.url
        )
        kills = 0
        while True:
            known = set(replystore.stored_replies(store))
            server.seen.clear()
            killed.clear()
            target = chance.randint(3, 15) if kills < 3 else 1000
            worker = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
            while worker.poll() is None and len(server.seen) < target:
                time.sleep(0.002)
            if worker.poll() is None:
                worker.send_signal(signal.SIGKILL)
            worker.wait()
            killed.set()
            asked = {request(int(prompt.split()[-1])).key for prompt, *_ in list(server.seen)}
            assert not asked & known, "a finished request was sent twice"
            if worker.returncode == 0:
                break
            assert worker.returncode == -signal.SIGKILL, "it ended by itself"
            kills += 1
        assert kills == 3
    lines = sorted(store.read_text(encoding="utf-8").splitlines())
    assert lines == sorted((tmp_path / "whole.jsonl").read_text().splitlines())
    assert len(lines) == 60


def test_an_unfinished_last_line_is_cut_and_a_broken_one_is_an_error(tmp_path):
    path = tmp_path / "s.jsonl"
    with Server(reply) as server:
        run(server, [request(1), request(2)], path)
        whole = path.read_bytes()
        path.write_bytes(whole + whole[:40])
        run(server, [request(1), request(2)], path)
        assert len(server.seen) == 2
        assert path.read_bytes() == whole
        # Cut within the last reply: that one alone is asked again.
        path.write_bytes(whole[:-10])
        run(server, [request(1), request(2)], path)
        assert len(server.seen) == 3
        assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())
        path.write_bytes(b"nonsense\n" + whole)
        with pytest.raises(DataError, match="row 1"):
            run(server, [request(1)], path)


def test_a_reply_is_on_disk_as_soon_as_it_counts(tmp_path):
    path = tmp_path / "s.jsonl"
    with replystore.open_store(path) as store:
        store.add(request(1), {"text": "x"})
        assert set(replystore.stored_replies(path)) == {request(1).key}


@pytest.fixture
def job(tmp_path):
    log = [str(tmp_path / "log.txt")]
    return SimpleNamespace(rule="make_guesses", log=log, input=[], output=[], params={})


ODD_KEY = """sk-'quoted"&<back\\slash>%41/+=;0123456789"""
SPELT = {
    key: {
        key.encode(),
        json.dumps(key).encode()[1:-1],
        repr(key).encode()[1:-1],
        html.escape(key).encode(),
        quote(key, safe="").encode(),
    }
    for key in (KEY, ODD_KEY)
}


@pytest.mark.parametrize("key", SPELT)
@pytest.mark.parametrize("fault", [*FAULTS, 401, 404, 418, "echo", "html echo", "long echo", "error echo", "deep", None])  # fmt: skip
def test_the_key_is_in_no_message_log_or_store_after_any_fault(tmp_path, monkeypatch, capfd, job, fault, key):
    """The server repeats the key in whatever it says; the rule's process is watched from outside."""
    monkeypatch.setenv("MINE_KEY", f"{key}\n")
    guesser = LIMITED | {"concurrency": 1, "attempts": 2, "max_failures": 2}
    guesser |= {"name": "mine", "key_env": "MINE_KEY", "api": "chat"}
    guesser |= {"timeout": 0.5 if fault == "slow" else 30.0}
    with Server(lambda prompt: f"It is {key} of course", always=fault) as server:
        with (
            contextlib.suppress(SystemExit),
            bind.guard(job),
            replystore.open_store(tmp_path / "s.jsonl") as kept,
        ):
            openai_client.ask_endpoint(
                guesser | {"base_url": server.url}, {"study": [request(1), request(2)]}, kept
            )
        assert server.seen[0][1]["Authorization"] == f"Bearer {key}"
    assert list(kept.replies) == ([] if fault else [request(1).key, request(2).key])
    for reply in kept.replies.values():
        assert reply["text"] == "It is [key] of course"
        assert "".join(token for token, _ in reply["tokens"]) == reply["text"]
        (tmp_path / "guess.json").write_text(json.dumps(openai.guess_line("mine", request(1), reply)))
    said = capfd.readouterr()
    texts = [said.out.encode(), said.err.encode(), *(p.read_bytes() for p in tmp_path.iterdir())]
    assert len(texts) >= 4
    for text in texts:
        assert not any(one in text for one in SPELT[key]), text
        assert b"0123456789" not in text, text


@pytest.mark.parametrize(
    ("value", "taken"),
    [
        ("sk-abc", "sk-abc"),
        ("sk-abc\n", "sk-abc"),
        ("sk-abc\r\n", "sk-abc"),
        ("", "found 'nothing'"),
        ("\n", "found 'nothing'"),
        ("sk-abc\n\n", "another character at place 7 of 7"),
        ("sk-a bc", "another character at place 5 of 7"),
        (" sk-abc", "another character at place 1 of 7"),
        ("sk-abc ", "another character at place 7 of 7"),
        ("sk\nabc", "another character at place 3 of 6"),
        ("sk-a\x00bc", "another character at place 5 of 7"),
        ("sk-abcé", "another character at place 7 of 7"),
        ("sk-“abc”", "another character at place 4 of 8"),
    ],
)
def test_a_key_is_printable_ascii_without_space(monkeypatch, value, taken):
    monkeypatch.setattr(os, "environ", {"MINE_KEY": value})
    if "found" not in taken and "another" not in taken:
        assert openai_client.read_key("MINE_KEY") == taken
        return
    with pytest.raises(DataError, match=taken) as error:
        openai_client.read_key("MINE_KEY")
    assert "abc" not in str(error.value)


def test_a_short_word_in_place_of_a_key_is_left_in_the_replies(tmp_path):
    with Server(lambda prompt: "The EMPTY Quarter") as server:
        replies = run(server, [request(1)], tmp_path / "s.jsonl", key="EMPTY")
    assert [one["text"] for one in replies.values()] == ["The EMPTY Quarter"]


@pytest.mark.parametrize(
    ("parts", "hidden"),
    [
        (["sk-12345678"], ["[key]"]),
        (["a sk-1", "2345", "678 b"], ["a [key]", "", " b"]),
        (["sk-12345678sk-1", "2345678"], ["[key][key]", ""]),
        (["", "sk-12345678", ""], ["", "[key]", ""]),
        (["sk-1234567"], ["[key]"]),
        (["sk-1234"], ["sk-1234"]),
        ([], []),
    ],
)
def test_a_key_that_runs_over_several_tokens_is_hidden(parts, hidden):
    secrets.learn("sk-12345678")
    assert secrets.hide_keys_across(parts) == hidden


@pytest.mark.parametrize(
    "spelt",
    [
        KEY[:8], KEY[:12], KEY.upper(), " ".join(KEY), KEY.replace("-", "&#45;"), KEY.replace("-", "&#x2D;"),
        KEY.replace("-", "%2d"), KEY.replace("-", "\\u002d"), "\n".join(KEY), "".join(f"&#{ord(c)};" for c in KEY),
    ],
)  # fmt: skip
def test_a_key_is_hidden_however_it_is_spelt(spelt):
    secrets.learn(KEY)
    assert secrets.hide_keys(f"It is {spelt}, said he") == "It is [key], said he"
    assert secrets.hide_keys("sk-verb, a very secret word") == "sk-verb, a very secret word"


def test_what_no_one_foresaw_is_told_without_the_key(tmp_path, capfd, job):
    secrets.learn(KEY)
    with pytest.raises(SystemExit), bind.guard(job):
        raise RuntimeError(f"Illegal header value b'Bearer {KEY}'")
    assert "Bearer [key]" in (tmp_path / "log.txt").read_text()
    assert KEY not in (tmp_path / "log.txt").read_text() + "".join(capfd.readouterr())
