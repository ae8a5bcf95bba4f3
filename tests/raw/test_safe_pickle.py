"""Pickles of plain data load; anything else is refused before a single object is made."""

import copyreg
import io
import os
import pickle
import pickletools
import struct
import tracemalloc

import pytest
from calscore.core.errors import DataError
from calscore.raw import safe_pickle
from calscore.raw.safe_pickle import _PlainUnpickler, dump_plain, load_plain
from hypothesis import given, settings
from hypothesis import strategies as st

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**2039) + 1, 2**2039 - 1)
    | st.floats()
    | st.text()
)
keys = scalars.filter(lambda key: key == key) | st.tuples(st.text(), st.integers())
plain = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.lists(inner, max_size=5).map(tuple)
        | st.dictionaries(keys, inner, max_size=5)
    ),
    max_leaves=30,
)


def same(one, two):
    """Equality that tells types, signs of zero and dict order apart and knows NaN."""
    if type(one) is not type(two):
        return False
    if isinstance(one, float):
        return struct.pack("<d", one) == struct.pack("<d", two) or (one != one and two != two)
    if isinstance(one, dict):
        return same(list(one.items()), list(two.items()))
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(same, one, two))
    return one == two


@pytest.fixture
def put(tmp_path):
    """Write bytes to a pickle file and give its path."""

    def write(data):
        path = tmp_path / "some.pkl"
        path.write_bytes(data)
        return path

    return write


def refused(path, *words):
    """The one-line message with which the file is refused; it names the file and ``words``."""
    with pytest.raises(DataError) as caught:
        load_plain(path)
    message = str(caught.value)
    assert len(caught.value.faults) == 1 and len(message.splitlines()) == 1
    for word in (str(path), *words):
        assert word in message, message
    return message


# --- real files


@pytest.mark.parametrize(
    ("name", "kind", "count"),
    [
        ("all_teams.pkl", list, 20),
        ("human_team_per_question.pkl", list, 240),
        ("human_model_team_per_question.pkl", dict, 239),  # tossup_index 128 occurs twice
    ],
)
def test_release_pickles(name, kind, count, put, release_dir):
    path = release_dir / name
    value = load_plain(path)
    assert type(value) is kind and len(value) == count
    assert value == pickle.loads(path.read_bytes())
    assert load_plain(put(dump_plain(value))) == value
    data = path.read_bytes()
    for length in [*range(0, len(data), 211), len(data) - 1]:
        refused(put(data[:length]), "byte")


# --- round trips


@settings(max_examples=300, deadline=None)
@given(plain)
def test_round_trip(tmp_path_factory, value):
    path = tmp_path_factory.getbasetemp() / "round.pkl"
    data = dump_plain(value)
    path.write_bytes(data)
    assert same(load_plain(path), value)
    assert same(pickle.loads(data), value)
    assert dump_plain(pickle.loads(data)) == data


@settings(max_examples=200, deadline=None)
@given(plain, st.integers(0, 5), st.booleans())
def test_ordinary_pickles_of_every_protocol(tmp_path_factory, value, protocol, optimized):
    path = tmp_path_factory.getbasetemp() / "ordinary.pkl"
    data = pickle.dumps([value, value, "again", "again"], protocol)
    path.write_bytes(pickletools.optimize(data) if optimized else data)
    assert same(load_plain(path), [value, value, "again", "again"])


def test_python_2_strings_are_text(put):
    assert load_plain(put(b"(lp1\nS'caf\\x65'\np2\na.")) == ["cafe"]
    assert load_plain(put(b"]q\x01U\x05caf\xc3\xa9q\x02a.")) == ["café"]
    assert load_plain(put(b"I01\n.")) is True
    refused(put(b"U\x01\xff."), "UnicodeDecodeError")


def test_dump_does_not_depend_on_identity():
    word = "".join(["te", "am"])
    other = "".join(["te", "am"])
    assert word is not other
    assert pickle.dumps([word, word]) != pickle.dumps([word, other])
    assert dump_plain([word, word]) == dump_plain([word, other])
    assert dump_plain({"a": 1})[:2] == b"\x80\x04"


# --- hostile pickles

CALL = "touch {target}"


def text(word):
    return b"\x8c" + bytes([len(word)]) + word.encode()


SYSTEM = os.system.__module__  # posix or nt
HOSTILE = {
    "GLOBAL and REDUCE": (b"cos\nsystem\n(V%s\ntR.", ["byte 0", "GLOBAL os.system"]),
    "after plain data": (b"](K\x01K\x02ecos\nsystem\n(V%s\ntR.", ["byte 7", "GLOBAL os.system"]),
    "INST": (b"(V%s\nios\nsystem\n.", ["INST os.system"]),
    "OBJ": (b"(cos\nsystem\nV%s\no.", ["byte 1", "GLOBAL os.system"]),
    "STACK_GLOBAL": (
        b"\x80\x04" + text("os") + b"\x94" + text("system") + b"\x94\x93(V%s\ntR.",
        ["byte 16", "STACK_GLOBAL os.system"],
    ),
    "STACK_GLOBAL of memoised names": (
        text("os") + b"\x94" + text("system") + b"\x94" + b"h\x00h\x01\x93(V%s\ntR.",
        ["byte 18", "STACK_GLOBAL os.system"],
    ),
    "POP": (text("os") + text("system") + b"N0\x93(V%s\ntR.", ["byte 13", "opcode POP"]),
    "DUP": (b"N20" + text("os") + text("system") + b"\x93(V%s\ntR.", ["byte 1", "opcode DUP"]),
    "EXT1": (b"\x82\xf0(V%s\ntR.", ["byte 0", "EXT1 240"]),
    "EXT2": (b"\x83\xf0\x00(V%s\ntR.", ["byte 0", "EXT2 240"]),
    "EXT4": (b"\x84\xf0\x00\x00\x00(V%s\ntR.", ["byte 0", "EXT4 240"]),
}


@pytest.fixture
def extension():
    """A registered extension code: pickle resolves it without asking ``find_class`` twice."""
    copyreg.add_extension(SYSTEM, "system", 240)
    copyreg._extension_cache[240] = os.system
    yield
    copyreg._extension_cache.pop(240, None)
    copyreg.remove_extension(SYSTEM, "system", 240)


@pytest.mark.skipif(os.name == "nt", reason="the hostile pickles call a POSIX shell")
@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_is_executed(name, put, tmp_path, extension):
    data, words = HOSTILE[name]
    target = tmp_path / "executed"
    data = data.replace(b"%s", CALL.format(target=target).encode())
    pickle.loads(data)
    assert target.exists()  # the attack is real: the ordinary loader runs it
    target.unlink()
    refused(put(data), *words)
    assert not target.exists()


def test_unknown_global_is_not_given_a_name(put):
    for data in (b"\x93.", text("os") + b"\x93.", text("os") + b"N\x93.", b"Nh\x00\x93."):
        refused(put(data), "found 'opcode STACK_GLOBAL',")


def test_only_these_opcodes_pass(put):
    """Each opcode that can import, call, set state or refer outside is refused by the scan."""
    harmful = [
        "GLOBAL",
        "STACK_GLOBAL",
        "INST",
        "OBJ",
        "REDUCE",
        "BUILD",
        "NEWOBJ",
        "NEWOBJ_EX",
        "EXT1",
        "EXT2",
        "EXT4",
        "PERSID",
        "BINPERSID",
        "BYTEARRAY8",
        "NEXT_BUFFER",
        "READONLY_BUFFER",
        "BINBYTES",
        "SHORT_BINBYTES",
        "BINBYTES8",
        "EMPTY_SET",
        "ADDITEMS",
        "FROZENSET",
        "POP",
        "POP_MARK",
        "DUP",
        "LONG4",
    ]
    by_name = {op.name: op for op in pickletools.opcodes}
    assert safe_pickle.ALLOWED | set(harmful) == set(by_name)
    argument = b"\x01\n" + bytes(8) + b"\n"
    for name in harmful:
        data = b"N" + by_name[name].code.encode("latin-1") + argument
        refused(put(data), "byte 1", f"opcode {name}")


def test_unpickler_refuses_names_by_itself():
    """The second line of defence, without the scan."""
    for data in (b"cos\nsystem\n.", b"\x8c\x02os\x8c\x06system\x93.", b"Pid\n.", b"NQ."):
        with pytest.raises(pickle.UnpicklingError, match="global os.system|persistent id"):
            _PlainUnpickler(io.BytesIO(data)).load()


# --- damage


def test_files_that_are_no_pickles(put, tmp_path):
    refused(tmp_path / "absent.pkl", "no such file")
    refused(tmp_path, "no such file")
    refused(tmp_path / ("x" * 5000), "")
    for data in (b"", b"PK\x03\x04", b'{"a": 1}', b"\xff\xfe", b"\x80", b"team,packet\nH1,1\n"):
        refused(put(data), "byte ")


def test_damage_is_named(put):
    good = dump_plain(["a", "b"])
    refused(put(good + b"x"), "1 bytes after the end")
    refused(put(good + good), f"{len(good)} bytes after the end", f"byte {len(good)}")
    refused(put(b"(lp0\n"), "byte 5")
    refused(put(b"]K"), "byte 1", "opcode BININT1")
    for data in (b".", b"K\x01a.", b"]K\x01s.", b"}]Ns.", b"h\x05.", b"e.", b"\x80\x09N."):
        refused(put(data), "a damaged pickle")


@settings(max_examples=400, deadline=None)
@given(
    st.binary(max_size=60)
    | st.lists(st.sampled_from(pickletools.opcodes)).map(
        lambda ops: b"".join(op.code.encode("latin-1") for op in ops)
    ),
    st.booleans(),
)
def test_arbitrary_bytes_never_give_another_error(tmp_path_factory, data, stop):
    path = tmp_path_factory.getbasetemp() / "arbitrary.pkl"
    path.write_bytes(data + b"." * stop)
    try:
        value = load_plain(path)
    except DataError as error:
        assert str(path) in str(error)
    else:
        path.write_bytes(dump_plain(value))
        assert same(load_plain(path), value)


# --- bombs


def peak(path, *words):
    tracemalloc.start()
    try:
        refused(path, *words)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"X" + struct.pack("<L", 2**32 - 1) + b"a.", "BINUNICODE"),
        (b"\x8d" + struct.pack("<Q", 2**40) + b"a.", "BINUNICODE8"),
        (b"\x8d" + struct.pack("<Q", 2**64 - 1) + b"a.", "BINUNICODE8"),
        (b"T" + struct.pack("<l", 2**31 - 1) + b"a.", "BINSTRING"),
        (b"T" + struct.pack("<l", -1) + b"a.", "BINSTRING"),
        (b"\x80\x04\x95" + struct.pack("<Q", 2**40) + b"N.", "damaged"),
        (b"\x80\x04\x95" + struct.pack("<Q", 2**64 - 1) + b"N.", "damaged"),
        (b"Nr" + struct.pack("<L", 2**28) + b".", "LONG_BINPUT"),
        (b"Np268435456\n.", "PUT"),
        (b"Np-1\n.", "opcode PUT -1"),
        (b"\x8b" + struct.pack("<l", 2**31 - 1) + b"\x01.", "LONG4"),
        (b"L" + b"9" * 100_000 + b"L\n.", "LONG"),
        (b"I" + b"9" * 100_000 + b"\n.", "INT"),
    ],
)
def test_declared_lengths_are_not_believed(data, word, put):
    assert peak(put(data), word) < 5_000_000


def test_file_too_large(put, monkeypatch):
    path = put(dump_plain("x" * 100))
    size = path.stat().st_size
    monkeypatch.setattr(safe_pickle, "MAX_BYTES", size)
    assert load_plain(path) == "x" * 100
    monkeypatch.setattr(safe_pickle, "MAX_BYTES", 110)
    refused(path, f"{size} bytes", "at most 110 bytes")


def test_too_many_opcodes(put):
    path = put(b"(" + b"]" * 2_000_100 + b"l.")
    assert "byte 2000000" in refused(path, "more than 2000000 opcodes")


def test_repeated_references_may_not_grow_without_limit(put):
    def laughs(levels):
        """Lists of ten references to the list before: 10^levels strings when printed."""
        return (
            b"\x8c\x03lol\x94"
            + b"".join(b"](" + b"h" + bytes([i]) + (b"h" + bytes([i])) * 9 + b"e\x94" for i in range(levels))
            + b"."
        )

    assert len(str(load_plain(put(laughs(3))))) > 5000
    refused(put(laughs(12)), "repeated references")
    long = b"X" + struct.pack("<L", 10**6) + b"x" * 10**6 + b"\x94]\x94(" + b"h\x00" * 50 + b"e."
    refused(put(long), "repeated references")


def nested(levels):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_depth(put):
    assert load_plain(put(dump_plain(nested(200)))) == nested(200)
    for levels in (201, 100_000):
        refused(put(b"]" * levels + b"a" * (levels - 1) + b"."), "more than 200 levels")


def test_cycles(put):
    ring = []
    ring.append((1, ring))
    for data in (pickle.dumps(ring), pickle.dumps({"a": ring})):
        refused(put(data), "contains itself")
    shared = ["x"]
    assert load_plain(put(pickle.dumps([shared, shared]))) == [["x"], ["x"]]
