"""A disk that is full, in one line: where, how much there is, what is lost, how to go on."""

from __future__ import annotations

import atexit
import errno
import logging
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ..core.checksums import files_of
from ..core.errors import Fault

_SAID = ("No space left on device", "Disk quota exceeded")


LITTLE = 10_000_000
"""Bytes below which a run that failed is told of its disk: Snakemake's own records need some too."""


def is_full(error: BaseException) -> bool:
    """Whether an error says that a disk is full, whoever says it: Python, Arrow or DuckDB."""
    full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
    return full or any(said in str(error) for said in _SAID)


def _line(folders: Iterable[Path], more: str) -> Fault:
    folder = min(folders, key=lambda at: shutil.disk_usage(at).free)
    disk = shutil.disk_usage(folder)
    found = f"no space left ({disk.free / 1e6:.1f} of {disk.total / 1e6:.1f} MB are free)"
    expected = f"{more}: make some and give the same command again; what is finished stays"
    return Fault(str(folder), "", "", found, expected)


def fault(outputs: Iterable[str]) -> Fault:
    """What is said of a job that found no space for ``outputs``, or none for what it keeps for a while."""
    paths = [Path(one) for one in outputs]
    written = sum(file.stat().st_size for path in paths for file in files_of(path))
    folders = {next(p for p in one.parents if p.is_dir()) for one in paths}
    more = f"room for more than the {written / 1e6:.1f} MB that this job had written"
    return _line([*sorted(folders), Path(tempfile.gettempdir())], more)


def short() -> Fault | None:
    """What is said of a run that failed with hardly any space left in its folder; nothing where there is enough."""
    here = Path.cwd()
    return _line([here], "room for more") if shutil.disk_usage(here).free < LITTLE else None


def _say() -> None:
    if told := short():
        print(told, file=sys.stderr)


def report_full_disk_at_exit() -> None:
    """From now on an end of this process is told of its disk: Snakemake's own records may find it full where no job did.

    A line of Snakemake's log that finds no space is lost without a traceback; it stands on the terminal as well.
    """
    atexit.register(_say)
    logging.raiseExceptions = False


def unwatch() -> None:
    """The run has come to its end."""
    atexit.unregister(_say)
