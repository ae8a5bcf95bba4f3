"""A local HTTP server that speaks the protocol of OpenAI-compatible endpoints, and misbehaves on demand."""

import html
import json
import os
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

from calscore.guessers import prompts


def logprobs(text: str) -> dict:
    """Log-probabilities of a reply, one token a word, the same for the same word."""
    words = text.split(" ")
    tokens = [word if i == 0 else f" {word}" for i, word in enumerate(words)]
    return {"content": [{"token": t, "logprob": -(sum(t.encode()) % 50) / 100} for t in tokens]}


def document(body: dict, text: str) -> dict:
    choice = {"message": {"content": text}, "finish_reason": "stop", "logprobs": None}
    if body.get("logprobs"):
        choice["logprobs"] = logprobs(text)
    return {"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 5}}


class Server:
    """Runs in a thread. ``plan``: prompt → list of faults, one per attempt, before a good reply.

    Faults: an HTTP status, (status, headers), or one of drop, half, garbage, html, error200, stream,
    stream_error, stream_cut, nologprobs, positive, slow, echo, html echo, long echo, error echo (these repeat the
    key), deep (JSON in 100,000 levels), endless, trickle, interim (replies without an end). ``seen`` lists (prompt, headers,
    body) of every request, ``served`` the prompts of complete replies.
    """

    def __init__(self, reply, plan=None, always=None):
        self.reply, self.plan, self.always = reply, dict(plan or {}), always
        self.seen, self.served, self.lock = [], [], threading.Lock()
        self.most, self.active = 0, 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                outer.handle(self)

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass  # a client that was killed

        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"

    def __enter__(self):
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()

    def handle(self, request) -> None:
        body = json.loads(request.rfile.read(int(request.headers["content-length"])))
        prompt = body["messages"][0]["content"] if "messages" in body else body["prompt"]
        with self.lock:
            self.active += 1
            self.most = max(self.most, self.active)
            self.seen.append((prompt, dict(request.headers), body))
            waiting = self.plan.get(prompt) or []
            fault = waiting.pop(0) if waiting else self.always
        try:
            self.answer(request, body, prompt, fault)
        finally:
            with self.lock:
                self.active -= 1

    def answer(self, request, body, prompt, fault) -> None:
        text = self.reply(prompt)
        good = document(body, text)
        if isinstance(fault, int | tuple):
            status, headers = fault if isinstance(fault, tuple) else (fault, {})
            self.send(request, status, {"error": {"message": "no"}}, headers)
        elif fault == "drop":
            # A reset in place of a reply.
            linger = struct.pack("ii", 1, 0)
            request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            os.close(request.connection.detach())
        elif fault == "half":
            raw = json.dumps(good).encode()
            request.send_response(200)
            request.send_header("content-type", "application/json")
            request.send_header("content-length", str(len(raw)))
            request.end_headers()
            request.wfile.write(raw[: len(raw) // 2])
            request.wfile.flush()
            request.connection.shutdown(socket.SHUT_RDWR)
        elif fault == "garbage":
            self.send(request, 200, b'{"choices": [{"message": {"content": "x"')
        elif fault == "html":
            self.send(request, 200, b"<html>busy</html>")
        elif fault == "error200":
            self.send(request, 200, {"error": {"message": "overloaded", "code": 529}})
        elif fault in ("stream", "stream_error", "stream_cut"):
            self.stream(request, body, text, fault)
        elif fault == "nologprobs":
            good["choices"][0]["logprobs"] = None
            self.send(request, 200, good)
        elif fault == "positive":
            good["choices"][0]["logprobs"]["content"][0]["logprob"] = 0.5
            self.send(request, 200, good)
        elif fault == "slow":
            request.connection.recv(1)  # until the client has given up
        elif fault == "deep":
            self.send(request, 200, b"[" * 100_000)
        elif fault in ("endless", "trickle", "interim"):
            self.flood(request, fault)
        elif str(fault).endswith("echo"):
            self.echo(request, good, fault)
        else:
            if "messages" not in body:
                content = logprobs(text)["content"]
                told = {"tokens": [one["token"] for one in content]}
                told["token_logprobs"] = [one["logprob"] for one in content]
                good["choices"][0] = {"text": text, "finish_reason": "stop", "logprobs": told}
            self.send(request, 200, good)
            with self.lock:
                self.served.append(prompt)

    def echo(self, request, good, fault) -> None:
        key = request.headers.get("authorization", "")
        if fault == "html echo":
            page = f"<html>bad {html.escape(key)}, {quote(key, safe='')}</html>"
            self.send(request, 403, page.encode(), {"content-type": "text/html"})
        elif fault == "long echo":
            # The key lies across the place where messages are cut.
            self.send(request, 500, ("x" * 160 + " " + key).encode())
        elif fault == "error echo":
            self.send(request, 200, {"error": {"message": "x" * 150 + key, "code": 500}})
        else:
            self.send(request, 401, {"error": {"message": f"bad key {key}"}})

    def flood(self, request, fault) -> None:
        """Half a reply without an end: as fast as it goes, a byte in a while, or one interim answer after another."""
        if fault != "interim":
            request.send_response(200)
            request.send_header("content-type", "application/json")
            request.end_headers()
        parts = {"interim": b"HTTP/1.1 100 Continue\r\n\r\n", "trickle": b" "}
        part = parts.get(fault, b" " * 2**16)
        given_up_before = time.monotonic() + 30
        while time.monotonic() < given_up_before:
            request.wfile.write(part)
            request.wfile.flush()
            time.sleep(0 if fault == "endless" else 0.05)

    def stream(self, request, body, text, fault) -> None:
        request.send_response(200)
        request.send_header("content-type", "text/event-stream")
        request.send_header("connection", "close")
        request.end_headers()
        content = logprobs(text)["content"]
        tokens = ({"delta": {"content": one["token"]}, "logprobs": {"content": [one]}} for one in content)  # fmt: skip
        events = [{"choices": [token]} for token in tokens]
        if fault == "stream_error":
            events = [*events[:1], {"error": {"message": "backend went away"}}]
        if fault == "stream":
            events.append({"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 100, "completion_tokens": 5}})  # fmt: skip
        for event in events:
            request.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            request.wfile.flush()
        if fault == "stream":
            request.wfile.write(b"data: [DONE]\n\n")
        request.close_connection = True

    @staticmethod
    def send(request, status, content, headers=None) -> None:
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        request.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            request.send_header(name, value)
        request.send_header("content-length", str(len(raw)))
        request.end_headers()
        request.wfile.write(raw)


FREE = {"input": 2.0, "output": 4.0, "currency": "USD"}


def request(number: int, elicitation: str = "logit", **parameters) -> prompts.Request:
    sent = {"temperature": 0, "max_tokens": 8} | parameters
    if elicitation == "logit":
        sent["logprobs"] = True
    return prompts.Request(elicitation, f"p01-q{number:02d}", number, "m", f"prompt {number}", sent)
