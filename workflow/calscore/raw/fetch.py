"""Bringing raw files in: from a folder or a public address, checked by SHA-256."""

from __future__ import annotations

import shutil
from pathlib import Path

from ..core.digest import sha256
from ..core.errors import DataError, Fault


def bring(entry: dict, folder: str | None, target: Path, otherwise: str = "") -> dict:
    """Copy or download one file to ``target``; return its row of the manifest.

    ``entry``: name, and optionally url and sha256. A local file that does not match is an error and
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
        download(entry["url"], expected, target, otherwise)
        found = sha256(target)
        shown = entry["url"]
    return {
        "file": name,
        "source": shown,
        "bytes": target.stat().st_size,
        "sha256": found,
        "checked": bool(expected),
    }


def download(url: str, expected: str | None, target: Path, otherwise: str = "") -> None:
    import logging

    import pooch

    pooch.get_logger().setLevel(logging.ERROR)
    try:
        pooch.retrieve(
            url, f"sha256:{expected}" if expected else None, fname=target.name, path=target.parent
        )
    except ValueError as error:
        if "hash" not in str(error).lower():
            raise DataError(Fault(url, "", "", str(error), "a public address")) from None
        target.unlink(missing_ok=True)
        raise DataError(Fault(url, "", "SHA-256", "another checksum", str(expected))) from None
    except Exception as error:
        target.unlink(missing_ok=True)
        raise DataError(
            Fault(
                url,
                "",
                "",
                f"{type(error).__name__}: {error}",
                f"a file that can be downloaded{otherwise}",
            )
        ) from None


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
