"""Asking an OpenAI-compatible endpoint: concurrent, patient, resumable, and silent about its key."""

from __future__ import annotations

import email.utils
import json
import os
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ..core import secrets, strict_json
from ..core.errors import DataError, Fault, raise_faults
from ..raw.fetch import call_with_timeout
from ..raw.guesses import is_logarithm

if TYPE_CHECKING:
    from .prompts import Request
    from .replystore import ReplyStore

MOST = 64_000_000
"""Bytes of one reply."""
_ALONE = {"tool_calls": "tool_calls", "reasoning_content": "reasoning", "reasoning": "reasoning"}
"""Fields of a message that may stand in place of its content, and what such a reply is."""
_AGAIN = {408, 409, 425, 429}
_HOPELESS = {401, 403, 404, 405, 501}


class RetryableError(Exception):
    """A failure that a retry may mend. ``after``: seconds that the server asks to wait, or None."""

    def __init__(self, message: str, after: float | None = None):
        super().__init__(message)
        self.after = after


class PermanentError(Exception):
    """A failure that a retry cannot mend. ``hopeless``: every other request would fail likewise."""

    def __init__(self, message: str, hopeless: bool = False):
        super().__init__(message)
        self.hopeless = hopeless


def read_key(variable: str | None) -> str | None:
    """Value of the environment variable ``variable`` (None: no key) but a final line break; messages hide it
    from then on. ``DataError`` if it is missing, empty or has a space or anything but printable ASCII."""
    if not variable:
        return None
    # A file that the variable was filled from may end in a line break.
    value = os.environ.get(variable, "").removesuffix("\n").removesuffix("\r")
    expected = "the key of the endpoint in this variable"
    if not value:
        raise DataError.at("environment", "", variable, "nothing", expected)
    odd = next((n for n, char in enumerate(value, start=1) if not "!" <= char <= "~"), None)
    if odd:
        observed = f"another character at place {odd} of {len(value)}"
        expected += ", of printable ASCII characters without space"
        raise DataError.at("environment", "", variable, observed, expected)
    secrets.learn(value)
    return value


def check_url(url: str, name: str) -> str:
    """``url`` without closing slashes; ``DataError`` if it is no http(s) address or has a user, password or query. ``name``:
    of the guesser, for the message."""
    import httpx

    try:
        parts = urlsplit(url)
        _ = parts.port  # a ValueError where it is none
        # What httpx takes for no address either: ports, spaces, control characters.
        valid = bool(httpx.URL(url).host and parts.hostname) and not re.search(r"[\s\0]", url)
    except (ValueError, httpx.InvalidURL):
        parts, valid = None, False
    if {"@", "?"} & set(url):
        expected = "an address without user, password or query: keys go into key_env"
        raise DataError.at(name, "", "base_url", "(hidden)", expected)
    if not valid or parts.scheme not in ("http", "https"):
        raise DataError.at(name, "", "base_url", url, "an address that starts with https://")
    return url.rstrip("/")


def wait_seconds(header: str | None, now: float | None = None) -> float | None:
    """Seconds from ``now`` (a timestamp, default: the present) that a Retry-After header asks to wait, at least 0; None
    unless it is a number or a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        timestamp = email.utils.parsedate_to_datetime(header).timestamp()
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    return max(0.0, timestamp - (time.time() if now is None else now))


class Endpoint:
    """An endpoint at which requests are answered. ``api``: "chat" (chat/completions) or "completions"; ``timeout``: seconds
    for a whole reply. ``DataError`` for a wrong ``base_url``."""

    def __init__(self, name: str, base_url: str, api: str, key: str | None, timeout: float):
        import httpx

        secrets.learn(key)
        self.name, self.api, self.timeout = name, api, timeout
        path = "chat/completions" if api == "chat" else "completions"
        self.url = f"{check_url(base_url, name)}/{path}"
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(timeout=timeout, headers=headers)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def body(self, request: Request) -> dict:
        """The JSON object of a request: model, messages or prompt, and its parameters."""
        messages = [{"role": "user", "content": request.prompt}]
        content = {"messages": messages} if self.api == "chat" else {"prompt": request.prompt}
        return {"model": request.model, **content, **request.parameters}

    def ask(self, request: Request) -> dict:
        """Send a request; return text, tokens ([text, log-probability] or None), finish_reason and usage (or None). A reply
        without text also has ``reasoning`` or ``tool_calls`` (True) if it has these. A logit reply whose tokens end too early
        is requested again without ``stop`` and cut here. Raises :class:`RetryableError` or :class:`PermanentError`, neither
        of which holds the key."""
        # llama.cpp leaves out the log-probabilities of the last tokens before a stop word: send again without these.
        reply = self._ask(request)
        stops = request.parameters.get("stop")
        if request.elicitation == "logit" and lacks_tokens(reply):
            if stops:
                parameters = {name: v for name, v in request.parameters.items() if name != "stop"}
                reply = cut_reply(self._ask(request._replace(parameters=parameters)), stops)
            if reply["tokens"] is None:
                message = (
                    "the endpoint sends no log-probabilities (logprobs): ask it for verbalized confidence"
                )
                raise PermanentError(message, hopeless=True)
        return reply

    def _ask(self, request: Request) -> dict:
        """The parsed reply to one request. Raises RetryableError or PermanentError, with every key hidden in the message."""
        import httpx

        try:
            response, text = call_with_timeout(self.timeout, self._send, request)
        except TimeoutError:
            raise RetryableError(f"a reply that is not whole after {self.timeout:g} s (timeout)") from None
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise RetryableError(secrets.hide_keys(f"{type(error).__name__}: {error}")) from None
        status = response.status_code
        # The key is hidden before anything is cut: its first half would not be known again.
        excerpt = secrets.hide_keys(" ".join(text.split()))
        if status != 200:
            message = f"HTTP {status}: {excerpt[:200]}"
            if status in _AGAIN or (status >= 500 and status not in _HOPELESS):
                raise RetryableError(message, wait_seconds(response.headers.get("retry-after")))
            raise PermanentError(message, hopeless=status in _HOPELESS)
        kind = response.headers.get("content-type", "")
        try:
            return self._parse_reply(self._parse_document(text, kind), request)
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
            wrong = secrets.hide_keys(f"{type(error).__name__}: {error}")
            raise RetryableError(f"malformed reply ({wrong}): {excerpt[:120]}") from None

    def _send(self, request) -> tuple:
        """(response, its text) to a request. RetryableError above :data:`MOST` bytes."""
        parts, size = [], 0
        with self._client.stream("POST", self.url, json=self.body(request)) as response:
            for part in response.iter_bytes():
                size += len(part)
                parts.append(part)
                if size > MOST:
                    raise RetryableError(f"a reply of more than {MOST} bytes")
        return response, b"".join(parts).decode("utf-8", "replace")

    def _parse_document(self, text: str, kind: str) -> dict:
        """JSON document of a response, events merged if its content type ``kind`` is a stream. Raises the error that it
        reports, if any."""
        if kind.startswith("text/event-stream"):
            return self._merge_events(text)
        document = strict_json.parse(text, halves=True, pairs=dict)
        self._raise_error(document)
        return document

    def _raise_error(self, document) -> None:
        """Raise the error that ``document`` reports, if any: one may come under status 200 or within a stream."""
        error = document.get("error")
        if error:
            code = error.get("code") if isinstance(error, dict) else None
            message = f"error in the reply: {secrets.hide_keys(json.dumps(error))[:200]}"
            if isinstance(code, int) and 400 <= code < 500 and code not in _AGAIN:
                raise PermanentError(message, hopeless=code in _HOPELESS)
            raise RetryableError(message)

    def _merge_events(self, text: str) -> dict:
        """The document that a stream of server-sent events amounts to; ``ValueError`` if it ends before the reply does."""
        content, tokens, finish, usage, alone = "", [], None, None, {}
        for line in re.split(r"\r\n|\n|\r", text):
            data = line.removeprefix("data:").strip()
            if not line.startswith("data:") or data == "[DONE]":
                continue
            event = strict_json.parse(data, halves=True, pairs=dict)
            self._raise_error(event)
            usage = event.get("usage") or usage
            for choice in event["choices"][:1]:
                delta = choice.get("delta", {})
                alone |= {name: True for name in _ALONE if delta.get(name)}
                part = delta.get("content", choice.get("text"))
                content += part or ""
                tokens += (choice.get("logprobs") or {}).get("content") or []
                finish = choice.get("finish_reason") or finish
        if finish is None:
            raise ValueError("the stream ends before its reply does")
        logprobs = {"content": tokens} if tokens else None
        reply = {"message": {"content": content, **alone}, "text": content}
        choice = reply | {"logprobs": logprobs, "finish_reason": finish}
        return {"choices": [choice], "usage": usage}

    def _parse_reply(self, document: dict, request) -> dict:
        """What :meth:`ask` returns, from a response document, keys hidden; LookupError or TypeError for a malformed one."""
        choice = document["choices"][0]
        if self.api == "chat":
            message = choice["message"]
            text = message.get("content") or message.get("refusal") or ""
        else:
            text = choice["text"]
        if not isinstance(text, str):
            raise TypeError("the reply is no text")
        tokens = _token_logprobs(choice.get("logprobs"))
        usage = document.get("usage")
        if usage:
            usage = {
                name: int(usage[name])
                for name in ("prompt_tokens", "completion_tokens")
                if usage.get(name) is not None
            }
        if tokens is not None:
            texts = secrets.hide_keys_across([strict_json.join_surrogates(t) for t, _ in tokens])
            tokens = [[t, p] for t, (_, p) in zip(texts, tokens, strict=True)]
        finish = choice.get("finish_reason")
        reply = {
            "text": strict_json.join_surrogates(text),
            "finish_reason": finish if finish is None else str(finish),
            "usage": usage or None,
        }
        if not text:
            message = choice.get("message") or {}
            reply |= {kind: True for name, kind in _ALONE.items() if message.get(name)}
        return secrets.hide_keys_in(reply) | {"tokens": tokens}


def lacks_tokens(reply: dict) -> bool:
    """Whether the ``tokens`` of a reply (:meth:`Endpoint.ask`) make up only a beginning of its text, final space aside.

    No tokens (None) are a beginning of any text."""
    joined = "".join(token for token, _ in reply["tokens"] or [])
    return len(joined) < len(reply["text"].rstrip()) and reply["text"].startswith(joined)


def cut_reply(reply: dict, stops: list[str]) -> dict:
    """A copy of a reply (:meth:`Endpoint.ask`) cut before the earliest of the words ``stops``, with the tokens that begin before
    it, whole, and ``finish_reason`` "stop"; the same if it has no tokens or no such word."""
    places = [place for stop in stops if (place := reply["text"].find(stop)) >= 0]
    if not places or reply["tokens"] is None:
        return reply
    text, tokens, length = reply["text"][: min(places)], [], 0
    for token, logprob in reply["tokens"]:
        if length >= len(text):
            break
        tokens.append([token, logprob])
        length += len(token)
    return reply | {"text": text, "tokens": tokens, "finish_reason": "stop"}


def _token_logprobs(logprobs) -> list[tuple[str, float]] | None:
    """(token, log-probability) pairs in either form of the protocol, None if there are none; values up to .001 above 0 count
    as 0. ``ValueError`` for one that is greater or not finite."""
    if not logprobs:
        return None
    if logprobs.get("content"):
        pairs = [(item["token"], item["logprob"]) for item in logprobs["content"]]
    elif logprobs.get("token_logprobs"):
        pairs = list(zip(logprobs["tokens"], logprobs["token_logprobs"], strict=True))
    else:
        return None
    # Servers that round may exceed 0 by the last digit.
    tokens = [(str(token), min(float(p), 0.0) if float(p) < 1e-3 else float(p)) for token, p in pairs]
    if not all(is_logarithm(p) for _, p in tokens):
        raise ValueError("a log-probability is not a finite number of at most 0")
    return tokens


def send_unanswered(endpoint: Endpoint, requests: list[Request], store: ReplyStore, guesser: dict) -> None:
    """Send every request that the store has no reply to, with a progress bar. ``guesser`` says how:
    ``concurrency`` requests at a time, each tried ``attempts`` times. It waits as the server asks (over
    ``max_wait``: all stops), else at random up to ``backoff`` seconds, doubled each time to ``max_wait``.
    After ``max_failures`` failures, or one that all would share, it sends no more. ``DataError`` names them;
    replies are stored, their cost shown by ``prices``. If anything was to be sent, ``endpoint`` is closed."""
    import tenacity
    from tqdm import tqdm

    waiting = {r.key: r for r in requests if r.key not in store}
    if not waiting:
        return
    stop = threading.Event()
    prices, attempts, max_wait = (guesser[name] for name in ("prices", "attempts", "max_wait"))
    exponential = tenacity.wait_random_exponential(multiplier=guesser["backoff"], max=max_wait)

    def pause(state) -> float:
        """Seconds until the next attempt. PermanentError if the server asks for more than ``max_wait``."""
        error = state.outcome.exception()
        if error.after is None:
            return exponential(state)
        if error.after > max_wait:
            raise PermanentError(f"{error}; it asks to wait {error.after:.0f} s, more than max_wait", True)
        return error.after

    def answer(request):
        """The reply to a request, stored; None once sending has stopped."""
        if stop.is_set():
            return None
        patient = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(RetryableError),
            stop=tenacity.stop_any(tenacity.stop_after_attempt(attempts), tenacity.stop_when_event_set(stop)),
            wait=pause,
            sleep=tenacity.sleep_using_event(stop),
            reraise=True,
        )
        reply = patient(endpoint.ask, request)
        store.add(request, reply)
        return reply

    failures, cost = [], 0.0
    pool = ThreadPoolExecutor(guesser["concurrency"])
    bar = tqdm(total=len(waiting), desc=endpoint.name, unit="request", mininterval=1.0)
    try:
        futures = {pool.submit(answer, request): request for request in waiting.values()}
        for future in as_completed(futures):
            try:
                reply = future.result()
            except (RetryableError, PermanentError) as error:
                failures.append((futures[future], error))
                if len(failures) >= guesser["max_failures"] or getattr(error, "hopeless", False):
                    stop.set()
                continue
            if reply is not None:
                cost += reply_price(reply["usage"], prices)
                bar.update()
                bar.set_postfix_str(f"{cost:.4f} {prices['currency']}", refresh=False)
    except BaseException:
        stop.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        bar.close()
        endpoint.close()
    stored_note = "what was answered is stored"
    expected = {
        RetryableError: f"a reply within {attempts} attempts; {stored_note}, run again to go on",
        PermanentError: f"a request that the endpoint takes; {stored_note}",
    }
    raise_faults(
        Fault(endpoint.name, request.place, "request", str(error), expected[type(error)])
        for request, error in sorted(failures, key=lambda failure: failure[0].place)
    )


def reply_price(usage: dict[str, int] | None, prices: dict) -> float:
    """Price of a reply by its token counts ``usage`` (prompt_tokens, completion_tokens), 0 without any; ``prices`` (input,
    output) are per million tokens."""
    kinds = {"prompt_tokens": "input", "completion_tokens": "output"}
    return sum((usage or {}).get(name, 0) * prices[kind] for name, kind in kinds.items()) / 1e6


def ask_endpoint(guesser: dict, by_set: dict[str, list[Request]], store: ReplyStore) -> None:
    """Send the requests without a stored reply to the guesser's endpoint (:func:`send_unanswered`), its key from the
    environment variable ``key_env`` (:func:`read_key`). If all are stored, neither endpoint nor key is needed."""
    requests = [request for group in by_set.values() for request in group]
    secrets.learn(os.environ.get(guesser["key_env"] or "", "").strip())
    if all(request.key in store for request in requests):
        # A finished run needs no endpoint and no key.
        return
    key = read_key(guesser["key_env"])
    endpoint = Endpoint(guesser["name"], guesser["base_url"], guesser["api"], key, guesser["timeout"])
    send_unanswered(endpoint, requests, store, guesser)
