"""A disk that is full, in one line: where, how much there is, what is lost, how to go on."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from .digest import files_of
from .errors import Fault

_SAID = ("No space left on device", "Disk quota exceeded")


def is_full(error: BaseException) -> bool:
    """Whether an error says that a disk is full, whoever says it: Python, Arrow or DuckDB."""
    full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
    return full or any(said in str(error) for said in _SAID)


def fault(outputs: Iterable[str]) -> Fault:
    """What is said of a job that found no space for ``outputs``, or none for what it keeps for a while."""
    paths = [Path(one) for one in outputs]
    written = sum(file.stat().st_size for path in paths for file in files_of(path))
    folders = {next(p for p in one.parents if p.is_dir()) for one in paths}
    folder = min(
        [*sorted(folders), Path(tempfile.gettempdir())], key=lambda at: shutil.disk_usage(at).free
    )
    disk = shutil.disk_usage(folder)
    return Fault(
        str(folder),
        "",
        "",
        f"no space left ({disk.free / 1e6:.1f} of {disk.total / 1e6:.1f} MB are free)",
        f"room for more than the {written / 1e6:.1f} MB that this job had written: make some and give the same "
        "command again; what is finished stays",
    )
