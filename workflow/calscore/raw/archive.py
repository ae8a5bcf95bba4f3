"""Password-protected release archives, read in memory without trusting them.

The release is a ZIP in the traditional PKWARE encryption ("ZipCrypto"), which keeps crawlers from
indexing the questions and is no protection against anyone who tries. It comes from outside, so
nothing in it is believed before it is checked, and nothing is ever extracted to disk.
"""

import io
import re
import stat
import sys
import zipfile
from pathlib import Path, PurePosixPath

from ..core.errors import DataError

CHUNK = 65_536  # bytes decompressed at a time
MAX_TOTAL = 50_000_000  # bytes of all members read together
MAX_RATIO = 200  # uncompressed to compressed bytes of a member
RATIO_FROM = 1_000_000  # bytes; smaller members may compress as well as they like
OVERHEAD = 1_000_000  # bytes an archive may be larger than the members it is allowed to hold
MAX_MEMBERS = 1000  # entries of any kind


def _fault(path: Path, member: str, value: object, expected: str) -> DataError:
    """``DataError`` that names the archive and the member. Unprintable names are escaped, to keep the message whole."""
    row = member if member.isprintable() else ascii(member)
    return DataError.at(str(path), row, "", value, expected)


def natural_key(name: str) -> tuple[tuple, str]:
    """A sort key for names: numbers in them (digits 0-9) count by value, so packet2 is before packet10.
    Case matters; names that differ only in leading zeros (a1, a01) are ordered as text."""
    parts = re.split(r"([0-9]+)", name)
    # (digits without zeros, text) instead of int(): Python refuses to convert very long numbers.
    parts[1::2] = [(len(digits.lstrip("0")), digits.lstrip("0")) for digits in parts[1::2]]
    return tuple(parts), name


def _unsafe_reason(name: str) -> str | None:
    """Why a member's name must not be used, in words; None if it may be."""
    reasons = {
        "an empty name": not name,
        "a name with control characters": re.search(r"[\x00-\x1f\x7f]", name),
        "a name with a backslash": "\\" in name,
        "an absolute path": name.startswith("/"),
        "a path with a drive letter": re.match(r"[A-Za-z]:", name),
        "a path that leaves the archive's folder": ".." in name.split("/"),
    }
    return next((reason for reason, applies in reasons.items() if applies), None)


def _is_junk(name: str) -> bool:
    """Whether a member is a file that macOS adds beside the real ones."""
    path = PurePosixPath(name)
    return "__MACOSX" in path.parts or path.name == ".DS_Store" or path.name.startswith("._")


def _read_archive(path: Path) -> bytes:
    """The bytes of the archive. ``DataError`` if it is no file, unreadable, too large or has too many entries."""
    limit = MAX_TOTAL + OVERHEAD
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
    if entries > MAX_MEMBERS:
        raise _fault(path, "", f"{entries} members", f"at most {MAX_MEMBERS} members")
    return data


def _check_count(path: Path, data: bytes, infos: list[zipfile.ZipInfo]) -> None:
    """``DataError`` if the directory lists another number of members than its end record (unless that is
    Zip64's). zipfile does not compare them; a damaged length in one entry can swallow later ones."""
    end = data.rfind(b"PK\x05\x06")
    count = int.from_bytes(data[end + 10 : end + 12], "little")
    if count not in (len(infos), 0xFFFF):  # 0xFFFF: the count is in the Zip64 record
        raise _fault(path, "", f"{len(infos)} members", f"the {count} members that are counted")


def _named_files(path: Path, data: bytes, infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """Normalised name → entry of each regular file, without macOS extras. ``DataError`` for a special file or
    repeated name among these, and for a hostile or damaged name of any member."""
    files: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        name = info.orig_filename  # as stored: ``filename`` is already cleaned up
        if reason := _unsafe_reason(name):
            raise _fault(path, name, reason, "a relative path inside the archive")
        start = info.header_offset
        raw = name.encode("utf-8" if info.flag_bits & 0x800 else "cp437")
        length = int.from_bytes(data[start + 26 : start + 28], "little")
        if data[start + 30 : start + 30 + length] != raw:
            # Else a damaged name could stop matching the pattern, and its packet would be missed.
            raise _fault(path, name, "another name in the member's own header", "an undamaged archive")
        if name.endswith("/") or _is_junk(name):
            continue
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            description = "a symbolic link" if kind == stat.S_IFLNK else f"a special file ({kind:o})"
            raise _fault(path, name, description, "a regular file")
        key = str(PurePosixPath(name))
        if key in files:
            raise _fault(path, key, "a second member of this name", "names that are unique")
        files[key] = info
    return files


def _check_declared(
    path: Path, archive_size: int, chosen: dict[str, zipfile.ZipInfo], password: str | None
) -> None:
    """``DataError`` for the first member that its header forbids to read: encryption, compression, no password, size or ratio."""
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
        if total > MAX_TOTAL:
            observed = f"{total} bytes uncompressed up to here"
            raise _fault(path, name, observed, f"at most {MAX_TOTAL} bytes in all")
        # A header may also claim more compressed bytes than there are, to look harmless.
        ratio = info.file_size / max(1, min(info.compress_size, archive_size))
        if info.file_size > RATIO_FROM and ratio > MAX_RATIO:
            observed = f"a compression ratio of {ratio:.0f}"
            raise _fault(path, name, observed, f"a ratio of at most {MAX_RATIO}")


def _read_member(
    path: Path, archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo, password: str | None
) -> bytes:
    """Bytes of one member. ``DataError`` if it fails to decrypt or decompress, or differs from its CRC-32 or declared size."""
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
    except Exception as error:  # of many kinds, which differ between versions of Python
        cause = "wrong password or damaged" if info.flag_bits & 1 else "damaged"
        text = f"{cause} ({type(error).__name__}: {error})"
        raise _fault(path, name, text, "a member that decrypts and decompresses") from None
    if size != declared:
        observed = f"more than {declared} bytes" if size > declared else f"{size} bytes"
        raise _fault(path, name, observed, f"the {declared} bytes that its header declares")
    return b"".join(parts)


def read_members(path: str | Path, password: str | None) -> dict[str, bytes]:
    """Name → bytes of the ``.json`` members of a ZIP archive, decrypted in memory, in natural order of names.
    It reads stored and deflated members, plain or in traditional ZipCrypto encryption; macOS extras are
    ignored. Memory use stays within about three times :data:`MAX_TOTAL`, the archive included, whatever the
    headers say. ``DataError``, naming archive and member, for: no such file, no ZIP, truncated or damaged;
    wrong or missing ``password`` (the format's own check passes 1 in 256 wrong ones, whose output then fails
    to decompress or has a wrong CRC-32); another encryption or compression; names that leave the folder,
    differ between directory and member header, or occur twice; symbolic links; more than the limits, or other
    than the declared number of bytes; no JSON file."""
    path = Path(path)
    data = _read_archive(path)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:
        observed = f"no or a damaged archive ({type(error).__name__}: {error})"
        raise _fault(path, "", observed, "a whole ZIP archive") from None
    with archive:
        infos = archive.infolist()
        _check_count(path, data, infos)
        files = _named_files(path, data, infos)
        names = sorted((name for name in files if name.endswith(".json")), key=natural_key)
        chosen = {name: files[name] for name in names}
        if not chosen:
            observed = f"none among {len(infos)} members"
            raise _fault(path, "", observed, "members that match *.json")
        _check_declared(path, len(data), chosen, password)
        return {name: _read_member(path, archive, name, info, password) for name, info in chosen.items()}
