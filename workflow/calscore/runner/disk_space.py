"""The error of a full disk: where it is, how much space is left, how to go on."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ..core.checksums import files_of
from ..core.errors import Fault

_MESSAGES = ("No space left on device", "Disk quota exceeded")


def is_full(error: BaseException) -> bool:
    """Whether Python, Arrow or DuckDB says that a disk is full."""
    full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
    return full or any(message in str(error) for message in _MESSAGES)


def fault(outputs: Iterable[str]) -> Fault:
    """The error of a job that found no space for ``outputs`` or for its temporary files."""
    paths = [Path(output) for output in outputs]
    written = sum(file.stat().st_size for path in paths for file in files_of(path))
    folders = {next(parent for parent in path.parents if parent.is_dir()) for path in paths}
    candidates = [*sorted(folders), Path(tempfile.gettempdir())]
    folder = min(candidates, key=lambda candidate: shutil.disk_usage(candidate).free)
    disk = shutil.disk_usage(folder)
    message = f"no space left ({disk.free / 1e6:.1f} of {disk.total / 1e6:.1f} MB are free)"
    expected = (
        f"room for more than the {written / 1e6:.1f} MB that this job had written: "
        "make some and give the same command again; what is finished stays"
    )
    return Fault(str(folder), "", "", message, expected)
