"""What comes from outside is read, or refused in one line: every reader, every hostile file."""

import gzip
import random
import re
import warnings

import pytest
from calscore.core import store, strict_json
from calscore.core.errors import DataError
from calscore.raw import safe_pickle
from readers import JSON, READERS, RUNS, hostile, lines, replaced


def outcome(name: str, content: bytes, folder) -> str:
    """What a reader says of a file: nothing where all that it made of it can be stored."""
    reader = READERS[name]
    path = folder / reader.file
    path.write_bytes(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tables = reader.read(path)
            for table, frame in tables.items() if isinstance(tables, dict) else ():
                store.save(frame, table, folder / f"{table}.parquet")
    except DataError as error:
        faults = error.faults or [str(error)]
        assert all(len(str(fault).splitlines()) == 1 for fault in faults), str(error)
        assert all(len(str(fault)) < 1000 for fault in faults)
        return str(error)
    return ""


@pytest.mark.parametrize("name", READERS)
def test_the_file_of_each_reader_is_taken(tmp_path, name):
    assert outcome(name, READERS[name].good, tmp_path) == ""


# What none can read, whatever the value stands for: place in the file, and what is expected.
REFUSED = {
    "1" + "0" * 400: "numbers of at most 64 bits",
    "-" + "9" * 5000: "numbers of at most 64 bits",
    "9223372036854775808": "numbers of at most 64 bits",
    "1e400": "numbers of at most 64 bits",
    "-1e400": "numbers of at most 64 bits",
    "-Infinity": "JSON without NaN and Infinity",
    '"\\ud800"': "text of whole characters",
    '"x\\udc00y"': "text of whole characters",
    "[" * 100_000 + "]" * 100_000: "JSON of fewer levels",
    '{"a":' * 3000 + "1" + "}" * 3000: "JSON of fewer levels",
}


@pytest.mark.parametrize("literal", REFUSED, ids=lambda text: f"{text[:12]} ({len(text)})")
@pytest.mark.parametrize("name", JSON)
def test_what_no_table_can_hold_is_refused_by_all_in_the_same_words(tmp_path, name, literal):
    reader = READERS[name]
    whole = not reader.file.endswith("jsonl")
    content = replaced(reader.good, whole, random.Random(name), literal)
    said = outcome(name, content, tmp_path)
    if name == "stored replies":
        assert "expected a stored reply" in said
    elif name == "results" and literal.endswith(("1e400", "Infinity")):
        # pandas writes what is missing as NaN: numbers are held against their range.
        assert "expected" in said
    else:
        assert REFUSED[literal] in said
        assert reader.file in said


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "latin-1"])
def test_other_encodings_are_refused_in_one_line(tmp_path, name, encoding):
    text = READERS[name].good.decode("utf-8", "replace")
    text = text.replace("x", "é") if encoding == "latin-1" else text
    content = text.encode(encoding, "replace")
    said = outcome(name, content, tmp_path)
    if content != READERS[name].good:
        assert READERS[name].file in said
    if encoding == "utf-16" and name in JSON and name != "stored replies":
        assert said.endswith("expected UTF-8 text")
        assert len(said.splitlines()) == 1


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 100), marks=pytest.mark.full)])
@pytest.mark.parametrize("name", READERS)
def test_a_hundred_hostile_files(tmp_path, name, seeds):
    """A hundred for each reader: a table that can be stored, or faults of one line each."""
    for seed in seeds:
        content = hostile(seed, name)
        try:
            outcome(name, content, tmp_path)
        except Exception as error:
            kept = tmp_path / f"hostile_{seed}"
            kept.write_bytes(content)
            raise AssertionError(f"seed {seed} of {name}: {content[:300]!r}") from error


@pytest.mark.parametrize("header", ["", "Unnamed: 0"])
def test_row_numbers_are_no_number_of_an_item(tmp_path, header):
    name = "embeddings"
    names, *rows = READERS[name].good.decode().splitlines()
    numbered = [f"{header},{names}", *(f"{n},{row}" for n, row in enumerate(rows))]
    said = outcome(name, "\n".join(numbered).encode(), tmp_path)
    assert said.endswith("'Unnamed: 0', expected columns with names (to_csv with index=False)")


def test_lines_end_at_line_breaks_alone(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes('\ufeff{"a": "x\u2028y"}\r\n\n \n{"a": "\x85"}'.encode())
    faults = []
    found = list(strict_json.read_objects(path, faults))
    assert (found, faults) == ([(1, {"a": "x\u2028y"}), (4, {"a": "\x85"})], [])


def test_packed_files_are_read_and_damaged_ones_refused(tmp_path):
    path = tmp_path / "a.json.gz"
    packed = gzip.compress(b'{"a": 1}')
    path.write_bytes(packed)
    assert strict_json.read(path) == {"a": 1}
    for damaged in (packed[:-6], packed[:12] + b"\xff\xff" + packed[14:], packed[:5]):
        path.write_bytes(damaged)
        with pytest.raises(DataError, match=r"a\.json\.gz: found .*, expected a file that can be"):
            strict_json.read(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.json: found 'an empty file', expected JSON"),
        ('{"a": 1,\n "b": "unfin', r"a.json, line 2 column 7: .*expected JSON; the text ends in the middle of a value; is it complete\?"),
        ('{"a": [1, 2', "a.json, line 1 column 12: .*is it complete"),
        ('{"a": nothing}', "a.json, line 1 column 7: found 'Expecting value', expected JSON$"),
    ],
)  # fmt: skip
def test_a_document_cut_off_is_told_from_one_that_is_no_json(tmp_path, text, message):
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        strict_json.read(tmp_path / "a.json")


def test_what_is_as_long_as_a_number_of_64_bits_is_taken():
    text = '{"low": -9223372036854775808, "id": "12345678901234567890123", "p": 0.12345678901234567890}'
    assert strict_json.parse(text)["low"] == -(2**63)
    nested = "[" * 100 + "]" * 100
    assert strict_json.parse(nested)
    with pytest.raises(strict_json.Unfit):
        strict_json.parse(f"[{nested}]")


CSV = [name for name, one in READERS.items() if one.file.endswith(".csv")]


@pytest.mark.parametrize("name", JSON)
def test_a_key_that_stands_twice_is_refused(tmp_path, name):
    # Python keeps the last of them: what the first one said would be lost.
    reader = READERS[name]
    at = reader.good.index(b"{") + 1
    key = reader.good[at:].partition(b":")[0]
    said = outcome(name, reader.good[:at] + key + b": 0, " + reader.good[at:], tmp_path)
    assert "stored reply" in said or "expected every key once in its object" in said


# Two readers take any separator.
PARTED = r"^$|^\S+, row 1: found .*, expected columns parted by ',', not '[^']+'$"
# A table's last line cut short, its last column twice, a NUL in its last cell, another separator: what was expected.
CUT = {
    "short": (lambda good: good.rstrip(b"\n").rpartition(b",")[0] + b"\n", "cells?, as many as|CSV table"),
    "long": (lambda good: good.rstrip(b"\n") + b",9\n", "cells?, as many as|CSV table"),
    "twice": (
        lambda good: b"\n".join(one + b"," + one.rpartition(b",")[2] for one in good.splitlines()),
        "a column that occurs once",
    ),
    "NUL": (lambda good: good.rstrip(b"\n") + b"\0x\n", "text without NUL"),
    "CR": (lambda good: good.replace(b"\n", b"\r"), "^$|CSV table"),
    "blank": (lambda good: b" \n", "CSV table|column that occurs once|expected columns"),
    "commas": (lambda good: b"," * good.splitlines()[0].count(b",") + b"\n" + good, "CSV table|column that occurs once|expected columns"),
    "semicolons": (lambda good: good.replace(b",", b";"), PARTED),
    "tabs": (lambda good: good.replace(b",", b"\t"), PARTED),
    "title": (lambda good: b"My tournament\n" + good, r"^$|^\S+, row 1: found 'My tournament', expected columns [^\n]*$|matrix.csv, row 2: "),
    "quoted": (lambda good: b'"' + good.replace(b",", b'";"').replace(b"\n", b'"\n"')[:-1], PARTED),
    "header": (lambda good: good.splitlines()[0] + b"\n", "at least one|labelled|features of every"),
}  # fmt: skip


@pytest.mark.parametrize("name", CSV)
@pytest.mark.parametrize("kind", CUT)
def test_no_cell_of_a_table_is_lost(tmp_path, name, kind):
    change, expected = CUT[kind]
    said = outcome(name, change(READERS[name].good), tmp_path)
    if (name, kind) != ("overrides", "header"):
        assert re.search(expected, said), said


# What only one reader meets: file, what is replaced by what, what it says of it.
FOUND = {
    "NUL in a model": ("guesses", b'"m"', b'"m\\u0000"', "column model: found 'm\\x00', expected the model's key"),
    "model": ("guesses", b'"m"', b'" "', "column model: found ' ', expected the model's key"),
    "clue": ("survey", b"ann,p01-q01,2", b"ann ,p01-q01,+1", "one row per player, question and clue"),
    "position": ("past runs", b'"word_end": 3', b'"word_end": true', "column word_end: found True, expected words heard"),
    "runs": ("past runs", lines(RUNS), b"\n", "expected at least one run"),
    "answer": ("items", b'"answer": "x"', b'"answer": 5', "row 1, column answer: found 5, expected text"),
    "word": ("heard", b"ann,q1,1", "ann,q1,²".encode(), "expected 0-based index of a word"),
    "digits": ("heard", b"ann,q1,1", b"ann,q1," + b"9" * 5000, "expected 0-based index of a word"),
    "score": ("match", b'"_round": 1', b'"_round": 1, "tossups_read": 1.0', ""),
}  # fmt: skip


@pytest.mark.parametrize("case", FOUND)
def test_odd_values(tmp_path, case):
    name, good, odd, expected = FOUND[case]
    assert good in READERS[name].good
    said = outcome(name, READERS[name].good.replace(good, odd, 1), tmp_path)
    assert expected in said if expected else not said, said


@pytest.mark.parametrize("held", [None, {}, "H1", [["H1"]]], ids=str)
def test_participation_of_another_kind(tmp_path, held):
    said = outcome("participation", safe_pickle.dump_plain(held), tmp_path)
    assert "teams.pkl" in said
    assert "expected entries of questions" in said or "expected a mapping" in said


@pytest.mark.parametrize("text", ["a: 1\nb: 2\na: 3\n", "x:\n  - {a: 1, b: 2, a: 3}\n"])
def test_a_key_that_stands_twice_in_yaml_is_refused(tmp_path, text):
    path = tmp_path / "c.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"c.yaml, line [12]: found 'a twice', expected every"):
        strict_json.read_yaml(path)
    path.write_text("a: &x {b: 1}\nc: {<<: *x, b: 2}\nd: *x\n")
    assert strict_json.read_yaml(path) == {"a": {"b": 1}, "c": {"b": 2}, "d": {"b": 1}}


@pytest.mark.parametrize("sign", [b"", b"\xef\xbb\xbf"])
def test_the_wrong_byte_is_counted_from_the_start_of_the_file(sign):
    with pytest.raises(DataError) as refused:
        strict_json.decode_utf8(sign + b"ab\xffc", "a.csv")
    assert f"byte {len(sign) + 3}" in str(refused.value)
    assert r"b'\xffc'" in str(refused.value)
