"""Bringing raw files in: from a folder or a public address, checked by SHA-256."""

from __future__ import annotations

import os
import re
import shutil
import threading
import time
from concurrent.futures import Future
from pathlib import Path

from ..core.digest import sha256
from ..core.errors import DataError, Fault

MOST = 1_000_000_000
"""Bytes of a download at most, where the configuration does not say how many there are."""
LONGEST = 3600.0
"""Seconds of a download at most."""
LEAST, WITHIN = 1000.0, 30.0
"""Bytes a second at least, over so many seconds."""
_PAGE = re.compile(rb"[\s\0\xef\xbb\xbf\xff\xfe]*<")
"""How pages begin, in UTF-8 or UTF-16; no file that is asked for does."""


def bring(entry: dict, folder: str | None, target: Path, otherwise: str = "") -> dict:
    """Copy or download one file to ``target``; return its row of the manifest.

    ``entry``: name, and optionally url, sha256 and size (bytes). A local file that does not match is an error and
    stays as it is; nothing of it is left at ``target``. ``otherwise``: what to do where an address gives nothing.
    """
    name, expected = entry["name"], entry.get("sha256")
    if folder is not None:
        source = Path(folder) / name
        if not source.is_file():
            raise DataError(
                Fault(str(source), "", "", None, f"the file {name} in the folder {folder}")
            )
        found = sha256(source)
        if expected and found != expected:
            raise DataError(Fault(str(source), "", "SHA-256", found, expected))
        shutil.copyfile(source, target)
        shown = name
    else:
        if not entry.get("url"):
            raise DataError(
                Fault(name, "", "url", None, "a public address, or release_dir with a local folder")
            )
        download(entry["url"], entry, target, otherwise)
        found = sha256(target)
        shown = entry["url"]
    return {
        "file": name,
        "source": shown,
        "bytes": target.stat().st_size,
        "sha256": found,
        "checked": bool(expected),
    }


class Refused(Exception):
    """A download that is not what was asked for."""


def begun(call, *given, **named) -> Future:
    """What ``call`` will return, while it is at work."""
    found: Future = Future()

    def answer() -> None:
        try:
            found.set_result(call(*given, **named))
        except BaseException as error:
            found.set_exception(error)

    threading.Thread(target=answer, daemon=True).start()
    return found


def in_time(seconds: float, call, *given, **named):
    """What ``call`` returns; ``TimeoutError`` where it takes longer.

    A server that sends a header letter by letter, or one interim answer after another, is read without end.
    """
    return begun(call, *given, **named).result(seconds)


def _poured(response, file, most: int, size: list[int]) -> None:
    """The body of a response written to ``file``, ``size`` counting its bytes."""
    for part in response.iter_bytes():
        size[0] += len(part)
        if size[0] > most:
            raise Refused(f"more than {most} bytes")
        file.write(part)


def _brought(url: str, target, most: int) -> None:
    """The file at ``url`` written to ``target``: not more than ``most`` bytes, not for ever, not a web page.

    Portals of hotels and sites that moved answer with a page and say that all is well.
    """
    import httpx

    with httpx.Client(follow_redirects=True, timeout=WITHIN) as client, open(target, "wb") as file:
        try:
            asked = client.build_request("GET", url)
            response = in_time(3 * WITHIN, client.send, asked, stream=True)
        except TimeoutError:
            raise Refused(f"no answer within {3 * WITHIN:g} s") from None
        if response.status_code != 200:
            raise Refused(f"HTTP {response.status_code}")
        told = response.headers.get("content-length", "")
        if told.isdigit() and int(told) > most:
            raise Refused(f"{told} bytes, more than {most}")
        if response.headers.get("content-type", "").startswith("text/html"):
            raise Refused("a web page")
        # Watched from outside: of a frame that comes byte by byte no part of the body is ever whole.
        began, step, size = time.monotonic(), min(WITHIN, LONGEST), [0]
        pouring = begun(_poured, response, file, most, size)
        while True:
            before = size[0]
            try:
                return pouring.result(step)
            except TimeoutError:
                if time.monotonic() - began > LONGEST:
                    raise Refused(f"no end within {LONGEST:g} s") from None
                if size[0] - before < LEAST * step:
                    raise Refused(f"less than {LEAST:g} bytes a second") from None


def download(url: str, entry: dict, target: Path, otherwise: str = "") -> None:
    """The file at ``url`` at ``target``, held against the sha256 and the size (bytes) of ``entry``; else nothing there."""
    new = target.with_name(target.name + ".part")
    most = 10 * entry["bytes"] if entry.get("bytes") else MOST
    try:
        _brought(url, new, most)
        with new.open("rb") as file:
            begin = file.read(1000)
        if not begin:
            raise Refused("no byte")
        if _PAGE.match(begin):
            raise Refused("a web page")
        found, expected = sha256(new), entry.get("sha256")
        if expected and found != expected:
            raise DataError.at(url, "", "SHA-256", found, expected)
        os.replace(new, target)
    except (DataError, OSError):
        raise
    except Exception as error:
        said = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        expected = f"a file that can be downloaded{otherwise}"
        raise DataError.at(url, "", "", " ".join(said.split()), expected) from None
    finally:
        new.unlink(missing_ok=True)


def collected(folder: Path, files: dict[str, dict], source, simulated: Path | None = None) -> dict:
    """Every file of ``files`` (role → name, url, sha256) brought to ``folder``, and raw/manifest.

    They come from beside or within ``simulated`` where a simulator made them, from the folder ``source``
    where one is named, else from their public addresses.
    """
    import pandas as pd

    folder.mkdir(parents=True)
    if simulated:
        source = simulated if simulated.is_dir() else simulated.parent
    rows = [
        {"role": role, **bring(entry, source, folder / entry["name"])}
        for role, entry in files.items()
    ]
    return {"manifest": pd.DataFrame(rows)}


AT_HAND = "; or give the folder that holds the files: path of the source (--config outputs=<folder>, make grace OUTPUTS=<folder>)"


def outputs(folder: Path, sources: list[dict]) -> dict:
    """The files of every source of guesses with public addresses, brought to ``folder``, and their manifest.

    They come from the folder ``path`` of the source where it is at hand. Where the source says which
    numbers its files hold (``numbers_sha256``), they are checked.
    """
    import pandas as pd

    from . import formats
    from .outputs import check_numbers

    rows = []
    for role, source in formats.roles(sources).items():
        (folder / role).mkdir(parents=True)
        for name, url in zip(formats.names(source), source["addresses"], strict=True):
            entry = {"name": name, "url": url}
            row = bring(entry, source.get("path"), folder / role / name, AT_HAND)
            rows.append({"role": role, **row})
        if source.get("numbers_sha256"):
            where = source.get("path") or source["addresses"][0].rsplit("/", 1)[0]
            check_numbers(folder / role, source["numbers_sha256"], where)
    return {"manifest": pd.DataFrame(rows)}
