"""Replies that were paid for, kept for good: append-only JSON lines, one reply a line."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..core import secrets, strict_json
from ..core.errors import DataError

_FIELDS = {"key", "model", "prompt", "parameters", "reply"}


def _record(line: bytes) -> dict | None:
    """The record of a line of the store, None if the line is no complete record."""
    try:
        record = strict_json.parse(line.decode("utf-8"))
    except ValueError:
        return None
    is_complete = isinstance(record, dict) and set(record) == _FIELDS
    return record if is_complete and isinstance(record["key"], str) else None


class ReplyStore:
    """``replies``: request key → reply, in one append-only file (:func:`open_store`). A line is written whole, flushed and
    synced before it counts. A last line that a killed run left unfinished is cut off; its request counts as not answered."""

    def __init__(self, path: Path, handle):
        self._handle = handle
        self._lock = threading.Lock()
        self.replies: dict[str, dict] = {}
        handle.seek(0)
        good = 0
        for number, line in enumerate(handle, start=1):
            if not line.endswith(b"\n"):
                break
            record = _record(line)
            if record is None:
                excerpt = line[:80].decode("utf-8", "replace")
                expected = "a stored reply (remove the line)"
                raise DataError.at(str(path), str(number), "", excerpt, expected)
            self.replies[record["key"]] = record["reply"]
            good += len(line)
        handle.truncate(good)
        handle.seek(0, os.SEEK_END)

    def __contains__(self, key: str) -> bool:
        return key in self.replies

    def add(self, request, reply: dict) -> None:
        """Append the reply to a :class:`.prompts.Request`, API keys hidden; safe from several threads."""
        record = {name: getattr(request, name) for name in _FIELDS - {"reply"}} | {"reply": reply}
        text = secrets.hide_keys(json.dumps(record, sort_keys=True, ensure_ascii=False))
        line = text.encode("utf-8") + b"\n"
        with self._lock:
            self._handle.write(line)
            self._handle.flush()
            os.fsync(self._handle.fileno())
            self.replies[request.key] = reply


@contextmanager
def open_store(path: Path) -> Iterator[ReplyStore]:
    """Context manager: the :class:`ReplyStore` at ``path``, created if missing and locked; a second process waits without
    limit. ``DataError`` for a broken line that has its line break. Without ``fcntl`` there is no lock."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as handle:
        try:
            import fcntl
        except ImportError:  # not a POSIX system: one process at a time is up to the user
            fcntl = None
        if fcntl:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield ReplyStore(path, handle)


def store_path(folder: Path | str, name: str) -> Path:
    """File of the replies to the guesser ``name``: <name>.jsonl in ``folder``."""
    return Path(folder) / f"{name}.jsonl"


def stored_lines(path: Path) -> dict[str, tuple[int, dict]]:
    """Request key → (line number from 1, reply), of a repeated key the last, of the store at ``path``, which is not changed;
    broken lines are left out. {} if there is no file."""
    lines = Path(path).read_bytes().splitlines() if Path(path).exists() else []
    records = [(number, _record(line)) for number, line in enumerate(lines, start=1)]
    return {record["key"]: (number, record["reply"]) for number, record in records if record}


def stored_replies(path: Path) -> dict[str, dict]:
    """Request key → reply of the store at ``path``, as :func:`stored_lines` reads it; {} if there is no file."""
    return {key: reply for key, (_, reply) in stored_lines(path).items()}
