"""What a run takes over from an earlier one is as that one left it, whatever the checks know of it."""

import json
import os
import platform
import re
import shutil
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
from calscore.core.checksums import text_sha256
from calscore.runner import environment, job_records


@pytest.fixture
def made(tmp_path):
    """A study's folder with one file that a job has made."""
    folder = tmp_path / "results" / "one"
    (folder / "logs").mkdir(parents=True)
    (folder / "a.csv").write_text("1")
    job_records.write_job_record("make_it", [folder / "a.csv"], folder / "logs" / "make_it.log")
    return folder


def test_a_time_that_was_set_back_hides_nothing(made):
    known = (made / "a.csv").stat()
    (made / "a.csv").write_text("2")
    os.utime(made / "a.csv", ns=(known.st_atime_ns, known.st_mtime_ns))
    assert job_records.modified_outputs(made) == [("a.csv", "make_it")]


def test_a_copy_with_other_times_is_the_same_and_read_once(made, monkeypatch):
    copy = shutil.copytree(made, made.with_name("two"))
    assert job_records.modified_outputs(copy) == []
    monkeypatch.setattr(job_records, "sha256", lambda path: pytest.fail("it is read again"))
    assert job_records.modified_outputs(copy) == []


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"rule": "x"}', "\x00", None])
def test_a_record_that_is_damaged_or_lost_vouches_for_nothing(made, text):
    path = made / "logs" / "make_it.made.json"
    path.unlink() if text is None else path.write_text(text, encoding="utf-8")
    assert job_records.modified_outputs(made) == [("a.csv", "")]


def test_a_record_that_was_changed_with_its_file_is_held_against_the_manifest(made):
    """As somebody would who wants another number to stand: the manifest of the run that made it knows."""
    sha = job_records.digests(made, "files")["a.csv"]
    (made / "audit").mkdir()
    manifest = made / job_records.MANIFEST
    outputs = {"a.csv": {"sha256": sha}, "b.duckdb": {"content": "c"}}
    manifest.write_text(json.dumps({"outputs": outputs}))
    job_records.write_job_record("write_manifest", [manifest], made / "logs" / "write_manifest.log")
    assert job_records.modified_outputs(made) == []
    (made / "a.csv").write_text("2")
    forged = made / "logs" / "make_it.made.json"
    content = json.loads(forged.read_text())
    job_records.write_job_record("make_it", [made / "a.csv"], made / "logs" / "make_it.log")
    anew = json.loads(forged.read_text())
    # Made anew since, it is what the next manifest will say.
    assert job_records.modified_outputs(made) == []
    forged.write_text(json.dumps(content | {"files": anew["files"]}))
    assert job_records.modified_outputs(made) == [("a.csv", "make_it")]
    for damaged in ("", "[]", '{"outputs": {"a.csv": 1}}'):
        manifest.write_text(damaged)
        assert ("a.csv", "make_it") not in job_records.modified_outputs(made)


def test_what_is_missing_in_a_folder_is_changed(made):
    raw = made / "raw"
    raw.mkdir()
    for name in ("a.pkl", "b.pkl"):
        (raw / name).write_text(name)
    job_records.write_job_record("bring", [raw], made / "logs" / "bring.log")
    assert job_records.modified_outputs(made) == []
    (raw / "b.pkl").unlink()
    assert job_records.modified_outputs(made) == [("raw/b.pkl", "bring")]
    # Snakemake sees a file that is missing and a folder that is, not what is missing in it.
    (made / "a.csv").unlink()
    assert job_records.modified_outputs(made) == [("raw/b.pkl", "bring")]


def test_a_copy_without_times_is_known(made, tmp_path):
    assert job_records.copied_files(made) == (0, 1)
    assert job_records.copied_files(shutil.copytree(made, tmp_path / "with times")) == (0, 1)
    # Snakemake touches what a job made once it has ended.
    recorded = (made / "a.csv").stat()
    os.utime(made / "a.csv", ns=(recorded.st_atime_ns, recorded.st_mtime_ns + 2 * 10**9))
    assert job_records.copied_files(made) == (0, 1)
    without = shutil.copytree(made, tmp_path / "without", copy_function=shutil.copyfile)
    os.utime(without / "a.csv", (1e9, 1e9))
    assert job_records.copied_files(without) == (1, 1)
    (without / "a.csv").write_text("another size")
    assert job_records.copied_files(without) == (0, 1)


REPLIES = {
    "as it was": (lambda path: None, []),
    "more replies": (lambda path: path.open("a").write("3\n"), []),
    "touched": (lambda path: os.utime(path), []),
    "another reply": (lambda path: path.write_text("1\n4\n"), ["changed"]),
    "a reply less": (lambda path: path.write_text("1\n"), ["changed"]),
    "no file": (lambda path: path.unlink(), ["missing"]),
}


@pytest.mark.parametrize("case", REPLIES)
def test_paid_replies_that_are_not_what_a_job_used_are_named(made, case):
    store = made / "mine.jsonl"
    store.write_text("1\n2\n")
    log = made / "logs" / "ask.log"
    job_records.write_job_record("ask", [made / "a.csv"], log, None, store)
    change, states = REPLIES[case]
    change(store)
    expected = [(str(store), "ask", state) for state in states]
    assert job_records.changed_replies(made) == expected


VERSIONS = {
    "as they were": ({}, ""),
    "another pandas": ({"pandas": "1.0"}, "pandas 3.0, now 1.0"),
    "another Python": ({"python": "3.13.0"}, "python 3.11.0, now 3.13.0"),
    "none of it": ({"pandas": None}, "pandas 3.0, now none"),
}


@pytest.mark.parametrize("case", VERSIONS)
def test_files_of_other_versions_are_named_and_known(made, monkeypatch, case):
    noted = {"python": "3.11.0", "numpy": "2.0", "pandas": "3.0"}
    change, said = VERSIONS[case]
    now = {name: version for name, version in (noted | change).items() if version}
    for versions, name in ((noted, "a.csv"), (now, "b.csv")):
        monkeypatch.setattr(environment, "installed_versions", lambda now=versions: now)
        (made / name).write_text(name)
        job_records.write_job_record(name, [made / name], made / "logs" / f"{name}.log")
    known = job_records.environments(made)
    assert environment.noted_versions(made, known["a.csv"]) == noted
    assert environment.noted_versions(made, known["b.csv"]) == now
    assert job_records.foreign_environments(made) == ({said: 1} if said else {})


def test_files_of_two_lost_environments_are_counted_together(made, monkeypatch):
    for version, name in (("1.0", "a.csv"), ("2.0", "b.csv"), ("3.0", "c.csv")):
        noted = {"python": "3.11.0", "pandas": version}
        monkeypatch.setattr(environment, "installed_versions", lambda noted=noted: noted)
        (made / name).write_text(name)
        job_records.write_job_record(name, [made / name], made / "logs" / f"{name}.log")
    for file in made.rglob("environments/*"):
        file.unlink()
    # The versions of c.csv are the present ones, as its digest says.
    assert job_records.foreign_environments(made) == {"their note in logs/environments is lost": 2}


def test_installed_versions_are_those_that_the_packages_say():
    versions = dict(environment.installed_versions())
    assert versions.pop("python") == platform.python_version()
    assert {"numpy", "pandas", "snakemake"} <= set(versions)
    assert versions == {name: metadata.version(name) for name in versions}


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """The folder of a study one of whose jobs has read a file and a folder whose names are not to be told."""
    monkeypatch.chdir(tmp_path)
    log = Path("results/one/logs/read_it.log")
    log.parent.mkdir(parents=True)
    for path in ("runs.jsonl", "cup/Ada.qbj", "cup/a/Bob.qbj", "results/one/b.csv"):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("1")
    inputs = ["runs.jsonl", "cup/Ada.qbj", "cup/a/Bob.qbj", "results/one/b.csv"]
    known = job_records.record_inputs(inputs, log, ["cup"])
    job_records.write_job_record("read_it", ["results/one/b.csv"], log, known)
    assert not {"Ada", "Bob"} & {*re.findall(r"\w+", log.with_suffix(".made.json").read_text())}
    return log.parent.parent


@pytest.mark.parametrize("path", ["runs.jsonl", "cup/Ada.qbj", "cup/a/Bob.qbj"])
@pytest.mark.parametrize("change", ["older", "set back", "away", "touched"])
def test_an_input_that_is_not_what_was_read_is_named(asked, path, change):
    file = Path(path)
    known = file.stat()
    if change == "away":
        file.unlink()
    else:
        file.with_name("new").write_text("1" if change == "touched" else "2")
        file.with_name("new").replace(file)
        back = (1e18, 1e18) if change == "older" else (known.st_atime_ns, known.st_mtime_ns)
        os.utime(file, ns=tuple(map(int, back)))
    name = path.split("/")[0]
    # A file of a name of its own that is missing is for Snakemake to see.
    same = change == "touched" or (change == "away" and name == path)
    assert job_records.stale_inputs(asked) == ([] if same else [(name, "read_it", ["b.csv"])])
    # Made again since by another job, from whatever it has read.
    job_records.write_job_record("other", ["results/one/b.csv"], Path("results/one/logs/other.log"))
    assert job_records.stale_inputs(asked) == []


def test_what_was_read_and_made_is_known_by_its_checksum(asked):
    Path("runs.jsonl").write_text("2")
    Path("results/one/b.csv").write_text("2")
    one = text_sha256("1")
    assert job_records.digests(asked, "files") == {"b.csv": one}
    assert job_records.digests(asked, "read")["runs.jsonl"] == one


@pytest.mark.parametrize("is_dry_run", [True, False])
def test_a_dry_run_puts_back_what_it_writes(made, monkeypatch, is_dry_run):
    ends = []
    monkeypatch.setattr(job_records.atexit, "register", lambda *call: ends.append(call))
    makes = {"is_producer": lambda path: "a.csv" in path}
    rule = SimpleNamespace(name="bring", script="bring.py", **makes)
    note = job_records.changes_file(made, "bring")
    for text in ("other", "and another"):
        before = note.read_bytes() if note.exists() else None
        (made / "a.csv").write_text(text)
        job_records.note_changes([rule], [made], is_dry_run)
        assert "a.csv was changed after" in note.read_text()
        while ends:
            call, *rest = ends.pop()
            call(*rest)
        assert ((note.read_bytes() if note.exists() else None) == before) is is_dry_run
