"""The error of a full disk, or of a limit of file sizes: where it is, how much is left, how to go on."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ..core.checksums import files_of
from ..core.errors import Fault

_MESSAGES = ("No space left on device", "Disk quota exceeded", "File too large")


def is_full(error: BaseException) -> bool:
    """Whether an error of Python, Arrow or DuckDB says that a disk or quota is full, or a file exceeds its limit."""
    full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return full or any(message in str(error) for message in _MESSAGES)


def _size_limit(error: BaseException) -> str | None:
    """The limit of a file's size, in words, where the error is that it was exceeded; else None."""
    if getattr(error, "errno", None) == errno.EFBIG or "File too large" in str(error):
        import resource

        size, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
        return f"a file as large as it may be ({size / 1e6:.1f} MB: ulimit -f)"
    return None


def _device(folder: Path) -> int:
    return folder.stat().st_dev


def full_disk_fault(outputs: Iterable[str], error: BaseException | None = None) -> Fault:
    """The fault that a job has no space for ``outputs`` or temporary files; its ``file`` is the folder with the least free space.

    ``error``: what the job ended with. If a limit of file sizes was exceeded, or no inode is free, the fault says so instead.
    """
    paths = [Path(output) for output in outputs]
    written = sum(file.stat().st_size for path in paths for file in files_of(path))
    folders = {next(parent for parent in path.parents if parent.is_dir()) for path in paths}
    # The free space of a disk differs from look to look: one folder a disk, outputs' before the temporary one.
    candidates = [Path(tempfile.gettempdir()), *sorted(folders, reverse=True)]
    disks = {_device(folder): folder for folder in candidates}
    folder = min(disks.values(), key=lambda folder: shutil.disk_usage(folder).free)
    disk = shutil.disk_usage(folder)
    message = f"no space left ({disk.free / 1e6:.1f} of {disk.total / 1e6:.1f} MB are free)"
    inodes = os.statvfs(folder) if folder.is_dir() else None
    if inodes and inodes.f_files and not inodes.f_favail:
        message = f"no inodes left (none of {inodes.f_files} files is free, {disk.free / 1e6:.1f} MB are)"
    message = (error and _size_limit(error)) or message
    expected = (
        f"room for more than the {written / 1e6:.1f} MB that this job had written: "
        "make some and give the same command again; what is finished stays"
    )
    return Fault(str(folder), "", "", message, expected)
