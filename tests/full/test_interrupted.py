"""Runs that are killed, that meet another run or a full disk: the same results in the end, and one line meanwhile."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest
from calscore.core import lock
from support import ROOT, contents, workspace

STUDY = "tiny_choices"


def command(*arguments: str) -> list[str]:
    script = ROOT / "tests" / "forked.py"
    given = ["--snakefile", str(ROOT / "Snakefile"), "--cores", "2", "--profile", "none", "--rerun-incomplete"]  # fmt: skip
    return [sys.executable, str(script), *given, "--configfile", f"{STUDY}.yaml", *arguments]


def filled(folder):
    """A working folder with the study's configuration."""
    workspace(folder)
    name = f"{STUDY}.yaml"
    (folder / name).write_bytes((ROOT / "tests" / "flows" / name).read_bytes())
    return folder


def started(folder):
    """A run in a process group of its own."""
    return subprocess.Popen(
        command(), cwd=folder, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )  # fmt: skip


def ran(folder, *arguments):
    return subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True)


def unlocked(folder, *arguments):
    command = [sys.executable, "-m", "calscore.core.lock", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)  # fmt: skip


def finished(folder) -> int:
    """Jobs that have written down what they made."""
    return len(list(folder.glob("results/*/logs/**/*.made.json")))


def killed(folder, jobs: int, wait: float) -> bool:
    """A run that is killed, all its processes at once, ``wait`` seconds after so many jobs more; False where it ended."""
    run, before = started(folder), finished(folder)
    while run.poll() is None and finished(folder) < before + jobs:
        time.sleep(0.01)
    time.sleep(wait)
    alive = run.poll() is None
    if alive:
        os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
    return alive


@pytest.fixture
def whole(tiny_choices):
    """What a run leaves that nobody stopped."""
    return contents(tiny_choices)


def test_ten_kills_change_no_byte(whole, tmp_path):
    folder, chance = filled(tmp_path / "killed"), random.Random(3)
    kills = 0
    for _ in range(10):
        kills += killed(folder, chance.randint(0, 2), chance.random())
        if not any((folder / lock.LOCKS).glob("*")):
            continue
        # The next run stops at the lock, and says in our words what to do.
        stopped = ran(folder)
        said = stopped.stdout + stopped.stderr
        assert stopped.returncode == 1
        assert "make unlock" in said and "Nothing is lost" in said
        assert "Traceback" not in said and "--unlock argument" not in said
        asked = unlocked(folder)
        assert asked.returncode == 1 and "make unlock" in asked.stderr
        assert unlocked(folder, "--unlock").stdout == "Unlocked.\n"
        assert unlocked(folder).returncode == 0
    assert kills >= 8
    done = ran(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    after = contents(folder / "results" / STUDY)
    assert sorted(after) == sorted(whole)
    assert [name for name in whole if after[name] != whole[name]] == []


def test_a_second_run_says_so_and_stops(tmp_path):
    folder = filled(tmp_path / "two")
    first = started(folder)
    try:
        while first.poll() is None and finished(folder) < 2:
            time.sleep(0.02)
        assert first.poll() is None
        second = ran(folder)
        said = second.stdout + second.stderr
        assert second.returncode == 1
        assert f"Locked: another run (process {first.pid}) is at work in this folder" in said
        assert "Traceback" not in said
        for given in ((), ("--unlock",)):
            asked = unlocked(folder, *given)
            assert asked.returncode == len(given)
            assert lock.LOCKS.name in os.listdir(folder / ".snakemake")
        assert first.poll() is None
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()


def halves(folder) -> set[str]:
    """Files that somebody has begun and not finished."""
    return {path.name for path in folder.rglob("*") if path.suffix in (".wal", ".new", ".part")}


@pytest.mark.parametrize("size", [600, 1500, 3000])
def test_a_full_disk_is_said_and_gone_on_from(whole, tmp_path, size):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        folder = filled(disk / "full")
        stopped = ran(folder)
        said = stopped.stdout + stopped.stderr
        assert stopped.returncode
        assert "make some and give the same command again; what is finished stays" in said
        assert "Traceback" not in said
        assert halves(folder) <= {"study.duckdb.wal"}  # of a job that was stopped with the run
        subprocess.run(["mount", "-o", "remount,size=200m", str(disk)], check=True)
        unlocked(folder, "--unlock")
        done = ran(folder)
        assert done.returncode == 0, done.stdout + done.stderr
        assert halves(folder) == set()
        after = contents(folder / "results" / STUDY)
        assert [name for name in whole if after.get(name) != whole[name]] == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)
