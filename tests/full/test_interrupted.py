"""Runs that are killed, that meet another run or a full disk: the same results in the end."""

import json
import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from unittest import mock

import forked
import pytest
from support import ROOT, contents, run_snakemake, workspace

STUDY = "tiny_choices"
HOLD = """
import atexit, os, signal, sys

rule, when = os.environ["HELD"].split()

def hold():
    with open("held.new", "w") as file:
        file.write(str(os.getpgrp()))
    os.rename("held.new", "held")
    signal.pause()

def writing(event, given):
    if event == "open" and given[1] == "w" and "results/" in str(given[0]) and ".log" not in str(given[0]):
        hold()

# All processes of a run are one group.
if sys.argv[0] == "snakemake":
    os.setpgid(0, 0)
    os.environ["RUN"] = str(os.getpid())
else:
    os.setpgid(0, int(os.environ["RUN"]))
if sys.argv[0].endswith(f".{rule}.py"):
    if when == "begins":
        hold()
    if when == "writes":
        sys.addaudithook(writing)
    atexit.register(hold)
"""
"""Stops the job of a rule where it begins, where it opens a file to write, or at its end, and says so in a file."""


def filled(folder):
    """A working folder with the study's configuration."""
    workspace(folder)
    name = f"{STUDY}.yaml"
    (folder / name).write_bytes((ROOT / "tests" / "flows" / name).read_bytes())
    return folder


def ran(folder, *arguments):
    given = (*arguments, "--rerun-incomplete", "--configfile", f"{STUDY}.yaml")
    return run_snakemake(*given, cwd=folder, check=False)


@contextmanager
def held(folder, rule: str, when: str):
    """The process of a run one of whose jobs stands still; in the end all its processes are killed at once."""
    (folder / "hold.py").write_text(HOLD)
    there = folder / "held"
    known = {forked.FIRST: str(folder / "hold.py"), "HELD": f"{rule} {when}"}
    with ThreadPoolExecutor() as pool, mock.patch.dict(os.environ, known):
        run = pool.submit(ran, folder, "--forcerun", rule)
        while not there.exists():
            assert not run.done(), f"{rule} did not run: {run.result()}"
            time.sleep(0.01)
        process = int(there.read_text())
        try:
            yield process
        finally:
            os.killpg(process, signal.SIGKILL)
            run.result()
            there.unlink()


def unlock(folder) -> None:
    done = ran(folder, "--unlock")
    assert done.returncode == 0, done.stdout + done.stderr


def rules(folder) -> list[str]:
    """Rules that have written down what they made, in the order in which they did."""
    records = folder.glob("logs/**/*.made.json")
    by_time = sorted(records, key=lambda path: path.stat().st_mtime_ns)
    return [json.loads(path.read_text(encoding="utf-8"))["rule"] for path in by_time]


@pytest.fixture
def whole(tiny_choices):
    """What a run leaves that nobody stopped."""
    return contents(tiny_choices)


def test_ten_kills_change_no_byte(tiny_choices, whole, tmp_path):
    folder, chance = filled(tmp_path / "killed"), random.Random(3)
    order = rules(tiny_choices)
    for rule in sorted(chance.sample(order, 10), key=order.index):
        with held(folder, rule, chance.choice(("begins", "writes", "ends"))):
            pass
        unlock(folder)
    done = ran(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    after = contents(folder / "results" / STUDY)
    assert sorted(after) == sorted(whole)
    assert [name for name in whole if after[name] != whole[name]] == []


def test_a_second_run_in_the_folder_stops(tmp_path):
    folder = filled(tmp_path / "two")
    with held(folder, "parse_options", "begins"):
        second = ran(folder)
        message = second.stdout + second.stderr
        assert second.returncode == 1
        assert "Directory cannot be locked" in message and "--unlock" in message
        assert "Traceback" not in message


def halves(folder) -> set[str]:
    """Files that somebody has begun and not finished."""
    return {path.name for path in folder.rglob("*") if path.suffix in (".wal", ".new", ".part")}


LIMIT = """
import os, resource, sys

if sys.argv[0] != "snakemake":
    size = int(os.environ["LIMIT"])
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
"""
"""Jobs may write files of so many bytes, as on a disk that is full; the run itself may."""


@pytest.mark.parametrize("size", [3_000, 30_000, 300_000])
def test_a_run_goes_on_after_a_full_disk(whole, tmp_path, size):
    folder = filled(tmp_path / "full")
    (folder / "limit.py").write_text(LIMIT)
    known = {forked.FIRST: str(folder / "limit.py"), "LIMIT": str(size)}
    with mock.patch.dict(os.environ, known):
        stopped = ran(folder)
    said = stopped.stdout + stopped.stderr
    assert stopped.returncode
    assert "a file as large as it may be" in said and "Traceback" not in said, said[-3000:]
    assert halves(folder) <= {"study.duckdb.wal"}  # of a job that was stopped with the run
    done = ran(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert halves(folder) == set()
    after = contents(folder / "results" / STUDY)
    assert [name for name in whole if after.get(name) != whole[name]] == []
