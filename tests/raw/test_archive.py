"""Release archives: the real one, round trips, and every kind of archive that must be refused."""

import json
import os
import struct
import tracemalloc
import zipfile
import zlib

import grace_release
import numpy as np
import pytest
from calscore.core.errors import DataError
from calscore.raw import archive
from calscore.raw.archive import natural_key, read_members
from hypothesis import given, settings
from hypothesis import strategies as st

LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"
# Where a field is in the member's own header and in the directory, and how it is packed.
FIELDS = {
    "flags": (6, 8, "<H"),
    "method": (8, 10, "<H"),
    "crc": (14, 16, "<L"),
    "compressed": (18, 20, "<L"),
    "size": (22, 24, "<L"),
}


_TABLE = [zlib.crc32(bytes([byte]), 0xFFFF_FFFF) ^ 0xFFFF_FFFF for byte in range(256)]


def encrypted(secret: bytes, plain: bytes) -> bytes:
    """Traditional PKWARE encryption (APPNOTE.TXT section 6.1) of ``plain``, same length."""
    key0, key1, key2 = 0x12345678, 0x23456789, 0x34567890
    out = bytearray()
    # The password goes through the same state as the data; only its output is thrown away.
    for byte in secret + plain:
        k = key2 | 2
        out.append(byte ^ ((k * (k ^ 1)) >> 8) & 0xFF)
        key0 = (key0 >> 8) ^ _TABLE[(key0 ^ byte) & 0xFF]
        key1 = ((key1 + (key0 & 0xFF)) * 134775813 + 1) & 0xFFFF_FFFF
        key2 = (key2 >> 8) ^ _TABLE[(key2 ^ (key1 >> 24)) & 0xFF]
    return bytes(out[len(secret) :])


def write_encrypted(path, members: dict[str, bytes], password: str, seed: int) -> None:
    """A deflated and encrypted ZIP, which Python itself cannot write; ``seed`` fills its headers."""
    secret, rng = password.encode("utf-8", "surrogatepass"), np.random.default_rng(seed)
    body, directory = b"", b""
    for name, content in members.items():
        raw, crc = name.encode(), zlib.crc32(content)
        deflater = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        # The last header byte is what readers check a password against before they go on.
        plain = rng.bytes(11) + bytes([crc >> 24]) + deflater.compress(content) + deflater.flush()
        packed = encrypted(secret, plain)
        # version, flags, method 8, time, date 1980-01-01, CRC, sizes, lengths of name and extra
        flags = 0x1 if name.isascii() else 0x801
        common = (20, flags, 8, 0, 0x21, crc, len(packed), len(content), len(raw), 0)
        directory += struct.pack("<4s6H3L5H2L", CENTRAL, 20, *common, 0, 0, 0, 0, len(body)) + raw
        body += struct.pack("<4s5H3L2H", LOCAL, *common) + raw + packed
    end = (0, 0, len(members), len(members), len(directory), len(body), 0)
    path.write_bytes(body + directory + struct.pack("<4s4H2LH", b"PK\x05\x06", *end))


@pytest.fixture(scope="module")
def release():
    return grace_release.folder() / grace_release.ARCHIVE


@pytest.fixture
def small(tmp_path):
    """An encrypted archive of three members, and their content."""
    members = {f"p/packet{i}.json": json.dumps({"n": [i] * 50}).encode() for i in (1, 2, 10)}
    path = tmp_path / "small.zip"
    write_encrypted(path, members, "secret", seed=3)
    return path, members


def plain_zip(path, members, method=zipfile.ZIP_DEFLATED):
    """A plain archive by ``zipfile``, of (name or ZipInfo, content) pairs."""
    with zipfile.ZipFile(path, "w", method) as opened:
        for name, content in members:
            opened.writestr(name, content)
    return path


def patch(path, only_central=False, **fields):
    """Overwrite header fields of the first member."""
    data = bytearray(path.read_bytes())
    for name, value in fields.items():
        local, central, form = FIELDS[name]
        struct.pack_into(form, data, data.index(CENTRAL) + central, value)
        if not only_central:
            struct.pack_into(form, data, data.index(LOCAL) + local, value)
    path.write_bytes(data)
    return path


def refused(path, *words, password="secret"):
    """The one-line message with which it is refused; it names the archive and ``words``."""
    with pytest.raises(DataError) as caught:
        read_members(path, password)
    assert len(caught.value.faults) == 1
    message = str(caught.value)
    assert "\n" not in message
    for word in (str(path), *words):
        assert word in message
    # No second traceback is printed above this one.
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    return message


# --- the real archive


def test_release_has_12_packets_of_20_questions_in_order(release):
    members = read_members(release, "buzzbuzz")
    names = [name.rsplit("/", 1)[1] for name in members]
    assert names == [f"packet{i}_buzzpoints.json" for i in range(1, 13)]
    assert [len(json.loads(content)) for content in members.values()] == [20] * 12
    with zipfile.ZipFile(release) as opened:
        for name, content in members.items():
            assert content == opened.read(name, pwd=b"buzzbuzz")


# --- passwords


def test_wrong_passwords_even_those_the_format_lets_through(tmp_path):
    path = tmp_path / "one.zip"
    content = np.random.default_rng(1).bytes(300)
    write_encrypted(path, {"a.json": content}, "secret", seed=0)
    messages = [
        refused(path, "a.json", "wrong password or damaged", password=f"wrong{i}") for i in range(1500)
    ]
    let_through = [message for message in messages if "Bad password" not in message]
    assert 1 <= len(let_through) < 20  # about 1500 / 256


def test_password_that_no_encoding_has(tmp_path):
    odd = "\udcff\ud800"
    write_encrypted(tmp_path / "odd.zip", {"a.json": b"1"}, odd, seed=0)
    assert read_members(tmp_path / "odd.zip", odd) == {"a.json": b"1"}
    refused(tmp_path / "odd.zip", "wrong password", password="\udcfe")


@pytest.mark.parametrize("password", [None, ""])
def test_missing_password(small, password):
    refused(small[0], "packet1.json", "a password", password=password)


def test_plain_members_need_no_password(tmp_path):
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        path = plain_zip(tmp_path / "plain.zip", [("a.json", b"[1]"), ("e.json", b"")], method)
        for password in (None, "unused"):
            assert read_members(path, password) == {"a.json": b"[1]", "e.json": b""}


@pytest.mark.parametrize("fields", [{"method": 99}, {"flags": 0x41}, {"flags": 0x2001}])
def test_other_encryption(small, fields):
    refused(patch(small[0], **fields), "packet1.json", "AES or strong encryption")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compression(tmp_path, method):
    path = plain_zip(tmp_path / "other.zip", [("a.json", b"[1]")], method)
    refused(path, "a.json", f"compression method {method}")


# --- files that are no archives


def test_files_that_are_no_archives(tmp_path):
    refused(tmp_path / "absent.zip", "no such file")
    refused(tmp_path, "no such file")  # a folder
    refused(tmp_path / ("x" * 5000), "")  # the system refuses such a name with an OSError
    for content in (b"", b"PK", b"[1, 2]", b"PK\x05\x06" + b"\xff" * 18, CENTRAL * 9):
        path = tmp_path / "no.zip"
        path.write_bytes(content)
        refused(path, "a whole ZIP archive")


@pytest.mark.parametrize("stage", ["__init__", "open"])
@pytest.mark.parametrize(
    "error",
    [
        zipfile.BadZipFile("x"),
        zlib.error("x"),
        struct.error("x"),
        EOFError("x"),
        IndexError("x"),
        NotImplementedError("x"),
        OSError("x"),
        OverflowError("x"),
        UnicodeDecodeError("utf-8", b"x", 0, 1, "x"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_zipfile_raises(small, monkeypatch, stage, error):
    def fail(*args, **kwargs):
        raise error

    monkeypatch.setattr(zipfile.ZipFile, stage, fail)
    what = "damaged" if stage == "open" else "a damaged archive"
    refused(small[0], f"{what} ({type(error).__name__}: ")


def test_pipe_is_refused_without_waiting_for_it(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "pipe.zip")
    refused(tmp_path / "pipe.zip", "no such file")


# --- names


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../a.json", "leaves the archive's folder"),
        ("x/../../a.json", "leaves the archive's folder"),
        ("x/..", "leaves the archive's folder"),
        ("__MACOSX/../../a.json", "leaves the archive's folder"),
        ("../notes.txt", "leaves the archive's folder"),  # even where it would not be read
        ("/etc/a.json", "an absolute path"),
        ("//host/a.json", "an absolute path"),
        ("C:/a.json", "a drive letter"),
        ("c:a.json", "a drive letter"),
        ("x\\a.json", "a backslash"),
        ("..\\a.json", "a backslash"),
        ("a\n.json", "control characters"),
    ],
)
def test_hostile_names(tmp_path, name, why):
    path = plain_zip(tmp_path / "names.zip", [("ok.json", b"1"), (name, b"2")])
    refused(path, why, name if name.isprintable() else ascii(name))


def test_empty_name(tmp_path):
    path = plain_zip(tmp_path / "empty.zip", [("a", b"1")])
    data = bytearray(path.read_bytes())
    for start in (data.index(LOCAL) + 26, data.index(CENTRAL) + 28):
        struct.pack_into("<2H", data, start, 0, 1)  # the name becomes an extra field
    path.write_bytes(data)
    refused(path, "an empty name")


def test_name_with_nul_is_not_cut_there(tmp_path):
    path = plain_zip(tmp_path / "nul.zip", [("a.jsonX/../b", b"1")])
    path.write_bytes(path.read_bytes().replace(b"a.jsonX", b"a.json\0"))
    refused(path, "control characters")


def test_symbolic_links_and_special_files(tmp_path):
    for mode, why in ((0o120777, "a symbolic link"), (0o010644, "a special file")):
        info = zipfile.ZipInfo("link.json")
        info.external_attr = mode << 16
        path = plain_zip(tmp_path / "link.zip", [("a.json", b"1"), (info, b"/etc/passwd")])
        refused(path, "link.json", why)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("second", ["x/a.json", "./x/a.json", "x//a.json"])
def test_duplicate_names(tmp_path, second):
    path = plain_zip(tmp_path / "twice.zip", [("x/a.json", b"1"), (second, b"2")])
    refused(path, "x/a.json", "a second member of this name")


def test_directory_and_member_header_must_agree_even_for_members_not_read(tmp_path):
    path = plain_zip(tmp_path / "two.zip", [("a.json", b"1"), ("b.json", b"2")])
    data = path.read_bytes()
    last = data.rindex(b"b.json")
    path.write_bytes(data[:last] + b"b.jsoo" + data[last + 6 :])  # no longer matches *.json
    refused(path, "b.jsoo", "another name")


def test_directory_that_lost_a_member(tmp_path):
    """A damaged comment length hides the entries behind it from zipfile."""
    path = plain_zip(tmp_path / "lost.zip", [("a.json", b"1"), ("b.json", b"2")])
    data = bytearray(path.read_bytes())
    data[data.index(CENTRAL) + 32] = 60
    path.write_bytes(data)
    assert zipfile.ZipFile(path).namelist() == ["a.json"]
    refused(path, "1 members", "the 2 members")


def test_directories_and_macos_extras_are_ignored(tmp_path):
    extras = ["d/", "__MACOSX/d/._a.json", "d/._b.json", "d/.DS_Store", "__MACOSX/x.json"]
    path = plain_zip(tmp_path / "mac.zip", [*((name, b"") for name in extras), ("d/a.json", b"1")])
    assert read_members(path, None) == {"d/a.json": b"1"}


def test_without_a_json_file(tmp_path):
    path = plain_zip(tmp_path / "none.zip", [("a.csv", b"1"), ("b.JSON", b"1")])
    refused(path, "none among 2 members", "match *.json")


def test_natural_order(small):
    path, _members = small
    assert list(read_members(path, "secret")) == [f"p/packet{i}.json" for i in (1, 2, 10)]
    assert sorted(["b", "a10", "a9", "a09", "a", "1"], key=natural_key) == [
        *("1", "a", "a09", "a9", "a10", "b")
    ]
    assert natural_key("9" * 5000) > natural_key("8" * 5000)  # int() refuses this many digits


# --- bombs


def test_too_large_in_total(small, monkeypatch):
    path, members = small
    total = sum(map(len, members.values()))
    monkeypatch.setattr(archive, "MAX_TOTAL", total)
    assert len(read_members(path, "secret")) == 3
    monkeypatch.setattr(archive, "MAX_TOTAL", total - 1)
    refused(path, "packet10.json", f"at most {total - 1} bytes")


def test_archive_file_too_large(tmp_path, monkeypatch):
    path = tmp_path / "large.zip"
    path.write_bytes(bytes(1_000_101))
    monkeypatch.setattr(archive, "MAX_TOTAL", 100)
    refused(path, "1000101 bytes", "at most 1000100 bytes")


def test_too_many_members(tmp_path):
    path = plain_zip(tmp_path / "many.zip", [(f"{i}.json", b"") for i in range(1000)])
    assert len(read_members(path, None)) == 1000
    plain_zip(path, [(f"{i}.json", b"") for i in range(1001)])
    refused(path, "1001 members", "at most 1000")


def test_ratio(tmp_path):
    path = plain_zip(tmp_path / "zeros.zip", [("a.json", bytes(1_000_001))])
    refused(path, "a.json", "a compression ratio of 10", "at most 200")
    plain_zip(path, [("a.json", bytes(1_000_000))])
    assert len(read_members(path, None)["a.json"]) == 1_000_000
    # Claiming more compressed bytes than the archive has does not help.
    plain_zip(path, [("a.json", bytes(5_000_000))])
    refused(patch(path, compressed=4_000_000), "a.json", "a compression ratio of")


@pytest.mark.parametrize("encrypted", [True, False])
def test_header_that_lies_about_the_size_stops_early(tmp_path, encrypted):
    path = tmp_path / "lie.zip"
    bomb = bytes(60_000_000)
    if encrypted:
        write_encrypted(path, {"a.json": bomb}, "secret", seed=0)
    else:
        plain_zip(path, [("a.json", bomb)])
    patch(path, size=1000)
    del bomb
    tracemalloc.start()
    try:
        refused(path, "a.json", "more than 1000 bytes", "declares")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_member_cut_by_its_header_with_a_matching_checksum(tmp_path, method):
    """zipfile alone returns the first part of such a member as if it were all."""
    content = b"[1, 2, 3]" * 500
    path = plain_zip(tmp_path / "cut.zip", [("a.json", content)], method)
    patch(path, size=900, crc=zlib.crc32(content[:900]))
    assert zipfile.ZipFile(path).read("a.json") == content[:900]
    refused(path, "a.json")


def test_member_shorter_than_declared(tmp_path):
    path = plain_zip(tmp_path / "short.zip", [("a.json", b"[1]")])
    refused(patch(path, size=4), "a.json", "3 bytes", "the 4 bytes")


# --- round trips


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.from_regex(r"([a-zà-ÿ0-9]{1,5}/){0,2}[A-Za-z0-9 \[\]]{1,9}\.json", fullmatch=True),
        st.binary(max_size=2000) | st.binary(max_size=9).map(lambda part: part * 3000),
        min_size=1,
        max_size=5,
    ),
    st.text(min_size=1, max_size=20),
    st.integers(0, 2**32),
)
def test_round_trip(tmp_path_factory, members, password, seed):
    path = tmp_path_factory.getbasetemp() / "round.zip"
    write_encrypted(path, members, password, seed)
    assert read_members(path, password) == members
    assert list(read_members(path, password)) == sorted(members, key=natural_key)
    with zipfile.ZipFile(path) as opened:  # an independent reader
        opened.setpassword(password.encode())
        assert {name: opened.read(name) for name in opened.namelist()} == members


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_damage_is_refused_or_harmless(tmp_path_factory, data):
    """Several damaged, removed or inserted bytes: a DataError, or exactly the members."""
    folder = tmp_path_factory.getbasetemp()
    members = {"a.json": b"[1, 2]" * 40, "dir/b.json": b"{}", "c.txt": b"no"}
    write_encrypted(folder / "good.zip", members, "secret", 2)
    damaged = bytearray((folder / "good.zip").read_bytes())
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    path = folder / "damaged.zip"
    path.write_bytes(damaged)
    try:
        result = read_members(path, "secret")
    except DataError as error:
        assert str(path) in str(error)
    else:
        assert list(result.values()) == [members["a.json"], members["dir/b.json"]]
