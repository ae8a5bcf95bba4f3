"""Bringing raw files in: from a folder or a public address, checked by SHA-256."""

from __future__ import annotations

import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..core.checksums import sha256
from ..core.errors import DataError

if TYPE_CHECKING:
    import httpx
    import pandas as pd

MAX_BYTES = 1_000_000_000
"""Bytes of a download at most, where the configuration does not say how many there are."""
MAX_SECONDS = 3600.0
"""Seconds of a download at most."""
MIN_RATE, RATE_WINDOW = 1000.0, 30.0
"""Bytes a second at least, over so many seconds."""
_PAGE = re.compile(rb"[\s\0\xef\xbb\xbf\xff\xfe]*<")
"""How pages begin, in UTF-8 or UTF-16; no file that is asked for does."""


def fetch_or_copy(entry: dict, folder: str | None, target: Path, otherwise: str = "") -> dict[str, Any]:
    """Bring one file to ``target``, from ``folder`` or, if that is None, from its address. Returns its row of the manifest: file,
    source (address, or name if copied), bytes, sha256, checked (whether a SHA-256 was matched). ``entry``: name, and optionally
    url, sha256, bytes (a download may have ten times as many). ``DataError`` for a missing file or address, another checksum or a
    failed :func:`download`; nothing new is then at ``target``. ``otherwise``: advice for the message of a failed download."""
    name, expected = entry["name"], entry.get("sha256")
    target.parent.mkdir(parents=True, exist_ok=True)
    if folder is not None:
        source = Path(folder) / name
        if not source.is_file():
            expected = f"the file {name} in the folder {folder}"
            raise DataError.at(str(source), "", "", None, expected)
        digest = sha256(source)
        if expected and digest != expected:
            raise DataError.at(str(source), "", "SHA-256", digest, expected)
        shutil.copyfile(source, target)
    else:
        if not entry.get("url"):
            expected = "a public address, or release_dir with a local folder"
            raise DataError.at(name, "", "url", None, expected)
        download(entry["url"], entry, target, otherwise)
        digest = sha256(target)
    return {
        "file": name,
        "source": entry["url"] if folder is None else name,
        "bytes": target.stat().st_size,
        "sha256": digest,
        "checked": bool(expected),
    }


def collect_files(files: Iterable[tuple]) -> dict[str, pd.DataFrame]:
    """Bring in each of ``files``: (role, then arguments of :func:`fetch_or_copy`). Returns {"manifest": table}, a row for each
    in order: role, file, source, bytes, sha256, checked. ``DataError`` for the first that fails."""
    import pandas as pd

    rows = [{"role": role, **fetch_or_copy(*arguments)} for role, *arguments in files]
    return {"manifest": pd.DataFrame(rows)}


class Refused(Exception):
    """A download is not the requested file, too large or too slow; the message says which."""


def start_in_thread(call: Callable, *args, **named) -> Future:
    """Run ``call(*args, **named)`` in a daemon thread; returns the future of its result or exception."""
    future: Future = Future()

    def answer() -> None:
        try:
            future.set_result(call(*args, **named))
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=answer, daemon=True).start()
    return future


def call_with_timeout(seconds: float, call: Callable, *args, **named) -> Any:
    """What ``call(*args, **named)`` returns or raises, run in a thread; ``TimeoutError`` after ``seconds``, while the call runs
    on. Timeouts of httpx do not end an answer that comes letter by letter."""
    return start_in_thread(call, *args, **named).result(seconds)


def _write_body(response: httpx.Response, file: BinaryIO, most: int, size: list[int]) -> None:
    """Write a response to ``file``, adding to ``size[0]`` the bytes, unpacked. ``Refused`` above ``most`` bytes."""
    for part in response.iter_bytes():
        size[0] += len(part)
        if size[0] > most:
            raise Refused(f"more than {most} bytes")
        file.write(part)


def _download_to(url: str, target: Path, most: int) -> None:
    """Write the file at ``url`` to ``target``. ``Refused`` for no answer in time, a status but 200, a web page by its
    header (hotels and moved sites send one), over ``most`` bytes, below :data:`MIN_RATE` or beyond :data:`MAX_SECONDS`."""
    import httpx

    with (
        httpx.Client(follow_redirects=True, timeout=RATE_WINDOW) as client,
        open(target, "wb") as file,
    ):
        try:
            request = client.build_request("GET", url)
            response = call_with_timeout(3 * RATE_WINDOW, client.send, request, stream=True)
        except TimeoutError:
            raise Refused(f"no answer within {3 * RATE_WINDOW:g} s") from None
        if response.status_code != 200:
            raise Refused(f"HTTP {response.status_code}")
        length = response.headers.get("content-length", "")
        if length.isdigit() and int(length) > most:
            raise Refused(f"{length} bytes, more than {most}")
        if response.headers.get("content-type", "").startswith("text/html"):
            raise Refused("a web page")
        # Watched from outside: of a frame that comes byte by byte no part of the body is ever whole.
        began, step, size = time.monotonic(), min(RATE_WINDOW, MAX_SECONDS), [0]
        pouring = start_in_thread(_write_body, response, file, most, size)
        while True:
            before = size[0]
            try:
                return pouring.result(step)
            except TimeoutError:
                if time.monotonic() - began > MAX_SECONDS:
                    raise Refused(f"no end within {MAX_SECONDS:g} s") from None
                if size[0] - before < MIN_RATE * step:
                    raise Refused(f"less than {MIN_RATE:g} bytes a second") from None


def download(url: str, entry: dict, target: Path, otherwise: str = "") -> None:
    """Download ``url`` to ``target``, by a name with .part until it is whole. ``entry``: optional sha256 to match, and bytes,
    of which there may be ten times as many (default :data:`MAX_BYTES`). ``DataError`` for an empty, refused or failed download,
    a web page or another checksum, ``OSError`` if it cannot be written. ``target`` is then as before. ``otherwise``: advice."""
    new = target.with_name(target.name + ".part")
    most = 10 * entry["bytes"] if entry.get("bytes") else MAX_BYTES
    try:
        _download_to(url, new, most)
        with new.open("rb") as file:
            begin = file.read(1000)
        if not begin:
            raise Refused("no byte")
        if _PAGE.match(begin):
            raise Refused("a web page")
        digest, expected = sha256(new), entry.get("sha256")
        if expected and digest != expected:
            raise DataError.at(url, "", "SHA-256", digest, expected)
        os.replace(new, target)
    except (DataError, OSError):
        raise
    except Exception as error:
        message = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        expected = f"a file that can be downloaded{otherwise}"
        raise DataError.at(url, "", "", " ".join(message.split()), expected) from None
    finally:
        new.unlink(missing_ok=True)


def collect_raw_files(
    folder: Path, files: dict[str, dict], source: str | Path | None, simulated: Path | None = None
) -> dict[str, pd.DataFrame]:
    """Bring all ``files`` (role → name, url, sha256) to ``folder``: {"manifest": table} as of :func:`collect_files`. They come
    from ``simulated`` (a simulator's folder or a file in it), else the folder ``source``, else public addresses."""
    if simulated:
        source = simulated if simulated.is_dir() else simulated.parent
    return collect_files((role, entry, source, folder / entry["name"]) for role, entry in files.items())


AT_HAND = "; or give the folder that holds the files: path of the source (--config outputs=<folder>, make grace OUTPUTS=<folder>)"


def collect_outputs(folder: Path, sources: list[dict]) -> dict[str, pd.DataFrame]:
    """Bring the files of ``sources`` with public addresses to ``folder``/source<n> (:func:`.formats.source_folders`):
    {"manifest": table} as of :func:`collect_files`. They come from the source's folder ``path``, else from the addresses.
    ``DataError`` if their numbers do not have the source's digest ``numbers_sha256``."""
    from . import formats
    from .model_output_files import check_numbers

    roles = formats.source_folders(sources)
    collected = collect_files(
        (role, {"name": name, "url": url}, source.get("path"), folder / role / name, AT_HAND)
        for role, source in roles.items()
        for name, url in zip(formats.address_file_names(source), source["addresses"], strict=True)
    )
    for role, source in roles.items():
        if source.get("numbers_sha256"):
            origin = source.get("path") or source["addresses"][0].rsplit("/", 1)[0]
            check_numbers(folder / role, source["numbers_sha256"], origin)
    return collected
