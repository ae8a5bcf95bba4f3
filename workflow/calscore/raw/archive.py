"""Password-protected release archives, read in memory without trusting them.

The release is a ZIP in the traditional PKWARE encryption ("ZipCrypto"), which keeps crawlers from
indexing the questions and is no protection against anyone who tries. It comes from outside, so
nothing in it is believed before it is checked, and nothing is ever extracted to disk.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import sys
import zipfile
import zlib
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from ..core.errors import DataError

CHUNK = 65_536  # bytes decompressed at a time
RATIO_FROM = 1_000_000  # bytes; smaller members may compress as well as they like
OVERHEAD = 1_000_000  # bytes an archive may be larger than the members it is allowed to hold
LIMIT_16 = 0xFFFF

# What zipfile and zlib raise, in one Python version or another, for an archive that is damaged or
# decrypted with the wrong password.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    IndexError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)


def _fault(path: Path, member: str, value: object, expected: str) -> DataError:
    # An unprintable name could break the one-line message apart, or hide what it says.
    row = member if member.isprintable() else ascii(member)
    return DataError.at(str(path), row, "", value, expected)


def natural_key(name: str) -> tuple:
    """A sort key that orders numbers inside names by value: packet2 before packet10."""
    parts = re.split(r"([0-9]+)", name)
    # (digits without zeros, text) instead of int(): Python refuses to convert very long numbers.
    parts[1::2] = [(len(digits.lstrip("0")), digits.lstrip("0")) for digits in parts[1::2]]
    return tuple(parts), name


def _unsafe(name: str) -> str | None:
    """Why a member name must not be used, or None if it stays inside its folder."""
    if not name:
        return "an empty name"
    if any(ord(char) < 32 or ord(char) == 127 for char in name):
        return "a name with control characters"
    if "\\" in name:
        return "a name with a backslash"
    if name.startswith("/"):
        return "an absolute path"
    if re.match(r"[A-Za-z]:", name):
        return "a path with a drive letter"
    if ".." in name.split("/"):
        return "a path that leaves the archive's folder"
    return None


def _is_junk(name: str) -> bool:
    """Files that macOS adds to archives beside the real ones."""
    path = PurePosixPath(name)
    return "__MACOSX" in path.parts or path.name == ".DS_Store" or path.name.startswith("._")


def _load(path: Path, max_total: int, max_members: int) -> bytes:
    """The bytes of the archive, after the checks that need no parsing."""
    limit = max_total + OVERHEAD
    try:
        if not path.is_file():  # a pipe or device is none: reading it might not end
            raise _fault(path, "", "no such file", "a ZIP archive")
        size = path.stat().st_size
        if size > limit:
            raise _fault(path, "", f"{size} bytes", f"an archive of at most {limit} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise _fault(path, "", error.strerror or str(error), "a readable ZIP archive") from None
    # Every entry of the directory begins with this signature. Counting before parsing keeps
    # a directory of millions of empty entries from becoming millions of objects.
    entries = data.count(b"PK\x01\x02")
    if entries > max_members:
        raise _fault(path, "", f"{entries} members", f"at most {max_members} members")
    return data


def _check_count(path: Path, data: bytes, infos: list[zipfile.ZipInfo]) -> None:
    """Refuse a directory that lists other members than its end record counts.

    zipfile does not compare them, and a damaged length in one entry can swallow those after it.
    """
    end = data.rfind(b"PK\x05\x06")
    count = int.from_bytes(data[end + 10 : end + 12], "little")
    if count not in (len(infos), LIMIT_16):  # 0xFFFF: the count is in the Zip64 record
        raise _fault(path, "", f"{len(infos)} members", f"the {count} members that are counted")


def _check_names(path: Path, data: bytes, infos: list[zipfile.ZipInfo]) -> None:
    """Refuse the whole archive for one member with a hostile or damaged name."""
    names = set()
    for info in infos:
        name = info.orig_filename  # as stored: ``filename`` is already cleaned up
        if reason := _unsafe(name):
            raise _fault(path, name, reason, "a relative path inside the archive")
        start = info.header_offset
        raw = name.encode("utf-8" if info.flag_bits & 0x800 else "cp437")
        length = int.from_bytes(data[start + 26 : start + 28], "little")
        if data[start + 30 : start + 30 + length] != raw:
            # Else a damaged name could stop matching the pattern, and its packet would be missed.
            raise _fault(
                path, name, "another name in the member's own header", "an undamaged archive"
            )
        if name.endswith("/") or _is_junk(name):
            continue
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            description = (
                "a symbolic link" if kind == stat.S_IFLNK else f"a special file ({kind:o})"
            )
            raise _fault(path, name, description, "a regular file")
        key = str(PurePosixPath(name))
        if key in names:
            raise _fault(path, key, "a second member of this name", "names that are unique")
        names.add(key)


def _select(infos: list[zipfile.ZipInfo], pattern: str) -> dict[str, zipfile.ZipInfo]:
    """The members to read, by normalised name and in natural order."""
    chosen = {}
    for info in infos:
        name = str(PurePosixPath(info.orig_filename))
        if info.orig_filename.endswith("/") or _is_junk(name):
            continue
        if fnmatchcase(name, pattern) or fnmatchcase(PurePosixPath(name).name, pattern):
            chosen[name] = info
    return {name: chosen[name] for name in sorted(chosen, key=natural_key)}


def _check_declared(
    path: Path, archive_size: int, chosen: dict, password: str | None, limits: tuple[int, float]
) -> None:
    """Refuse what the directory itself says cannot or must not be read."""
    max_total, max_ratio = limits
    total = 0
    for name, info in chosen.items():
        if info.compress_type == 99 or info.flag_bits & 0x2040:
            raise _fault(path, name, "AES or strong encryption", "traditional ZipCrypto or none")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            # The other decompressors of zipfile cannot be told to stop at a number of bytes.
            observed = f"compression method {info.compress_type}"
            raise _fault(path, name, observed, "a stored or deflated member")
        if info.flag_bits & 1 and not password:
            raise _fault(path, name, "an encrypted member", "a password for this archive")
        total += info.file_size
        if total > max_total:
            observed = f"{total} bytes uncompressed up to here"
            raise _fault(path, name, observed, f"at most {max_total} bytes in all")
        # A header may also claim more compressed bytes than there are, to look harmless.
        ratio = info.file_size / max(1, min(info.compress_size, archive_size))
        if info.file_size > RATIO_FROM and ratio > max_ratio:
            observed = f"a compression ratio of {ratio:.0f}"
            raise _fault(path, name, observed, f"a ratio of at most {max_ratio}")


def _read_one(
    path: Path, archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo, password: str | None
) -> bytes:
    """One member, checked against its declared size and CRC-32 while it is decompressed."""
    declared = info.file_size
    # zipfile cuts a member silently at its declared size; without that cut the excess is seen.
    info.file_size = sys.maxsize
    secret = password.encode("utf-8", "surrogatepass") if password else None
    parts, size = [], 0
    try:
        with archive.open(info, pwd=secret) as handle:
            while size <= declared and (chunk := handle.read(CHUNK)):
                parts.append(chunk)
                size += len(chunk)
    except _BROKEN as error:
        cause = "wrong password or damaged" if info.flag_bits & 1 else "damaged"
        text = f"{cause} ({type(error).__name__}: {error})"
        raise _fault(path, name, text, "a member that decrypts and decompresses") from None
    if size != declared:
        observed = f"more than {declared} bytes" if size > declared else f"{size} bytes"
        raise _fault(path, name, observed, f"the {declared} bytes that its header declares")
    return b"".join(parts)


def read_members(
    path: str | Path,
    password: str | None,
    pattern: str = "*.json",
    max_total: int = 50_000_000,
    max_ratio: float = 200,
    max_members: int = 1000,
) -> dict[str, bytes]:
    """The members of a ZIP archive that match ``pattern``, decrypted, in natural order of names.

    Reads stored and deflated members, plain or in traditional ZipCrypto encryption, in memory.
    ``pattern`` is a case-sensitive shell pattern, tried on the whole name and on its last part.
    Directories and macOS extras (``__MACOSX/``, ``.DS_Store``, ``._*``) are ignored.
    Keys are names with ``/`` between parts.

    Limits: ``max_total`` bytes of all members read together (the archive file itself may have 1 MB
    more), ``max_ratio`` uncompressed to compressed bytes of a member above 1 MB, ``max_members``
    entries of any kind. Memory use stays within about the limits whatever the headers say.

    Raises ``DataError`` naming archive and member: no such file, no ZIP, truncated or damaged;
    wrong or missing password (the format's own check passes 1 in 256 wrong ones, whose output then
    fails to decompress or has a wrong CRC-32); another encryption or compression; names that leave
    the folder, differ between directory and member header, or occur twice; symbolic links; more
    than the limits, or other than the declared number of bytes; no member that matches.
    """
    path = Path(path)
    data = _load(path, max_total, max_members)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN as error:
        observed = f"no or a damaged archive ({type(error).__name__}: {error})"
        raise _fault(path, "", observed, "a whole ZIP archive") from None
    with archive:
        infos = archive.infolist()
        _check_count(path, data, infos)
        _check_names(path, data, infos)
        chosen = _select(infos, pattern)
        if not chosen:
            observed = f"none among {len(infos)} members"
            raise _fault(path, "", observed, f"members that match {pattern}")
        _check_declared(path, len(data), chosen, password, (max_total, max_ratio))
        return {
            name: _read_one(path, archive, name, info, password) for name, info in chosen.items()
        }
