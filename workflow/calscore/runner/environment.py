"""Versions of Python and the libraries that a job runs with, and the note of them in a study's logs."""

import json
import os
import platform
import re
import sys
from functools import cache
from pathlib import Path

from ..core.checksums import text_sha256
from ..core.package import PROJECT

_LOCK = PROJECT / "envs" / "requirements.txt"
FOLDER = "logs/environments"
"""Folder of a study with a file of versions for each environment that its jobs ran in."""


def _normal_name(name: str) -> str:
    """Name of a package in lower case, parted by hyphens."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def installed_versions() -> dict[str, str]:
    """Package (or "python") → version, of packages that the lock names and this environment has; of all
    without a lock.

    They are read from names of metadata folders, as to load the metadata takes a tenth of a second."""
    locked = _LOCK.read_text(encoding="utf-8") if _LOCK.exists() else ""
    names = {_normal_name(name) for name in re.findall(r"^([\w.-]+)==", locked, re.MULTILINE)}
    versions: dict[str, str] = {}
    for folder in filter(os.path.isdir, sys.path):
        for entry in os.listdir(folder):
            name, _, version = entry.removesuffix(".dist-info").rpartition("-")
            if entry.endswith(".dist-info") and (_normal_name(name) in names or not names):
                versions.setdefault(_normal_name(name), version)
    return {"python": platform.python_version()} | dict(sorted(versions.items()))


def present_note() -> tuple[str, str]:
    """(digest, text) of the note of :func:`installed_versions`."""
    text = json.dumps(installed_versions(), indent=1)
    return text_sha256(text)[:16], text


def write_whole(path: Path, text: str) -> None:
    """Write a text file whole or not at all, as a run may be stopped at any time."""
    # Jobs run at the same time: each writes a file of its own.
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        new.write_text(text, encoding="utf-8")
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def note_environment(folder: Path) -> str:
    """Write :func:`installed_versions` to <digest>.json in :data:`FOLDER` of the study's ``folder``; return the digest."""
    digest, text = present_note()
    path = folder / FOLDER / f"{digest}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    return digest


def noted_versions(folder: Path, digest: str) -> dict[str, str]:
    """Package → version in the environment of that ``digest``; {} where the note is lost."""
    try:
        return json.loads((folder / FOLDER / f"{digest}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def version_differences(noted: dict[str, str]) -> str:
    """Packages whose version in ``noted`` is not the present one, or that only one side has, in words; '' for
    none. At most five are named, the others counted: "numpy 1.26.0, now 2.0.1; 3 more". Of a lost note ({})
    nothing is named."""
    if not noted:
        return f"their note in {FOLDER} is lost"
    now = installed_versions()
    names = [name for name in {**now, **noted} if now.get(name) != noted.get(name)]
    listed = [f"{n} {noted.get(n, 'none')}, now {now.get(n, 'none')}" for n in names[:5]]
    remainder = [f"{len(names) - 5} more"] if len(names) > 5 else []
    return "; ".join(listed + remainder)
