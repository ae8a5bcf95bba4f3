"""Whose lock it is: that of a run at work, or one that a killed run has left."""

from __future__ import annotations

import subprocess
import sys

import pytest
from calscore.runner import lock
from support import with_package

HOLD = (
    "from calscore.runner import lock; lock.acquire_run_lock(); print('held', flush=True); input()"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the lock of a run."""
    monkeypatch.chdir(tmp_path)
    lock.LOCKS.mkdir(parents=True)
    (lock.LOCKS / "0.input.lock").write_text("a\n")
    return tmp_path


@pytest.fixture
def other(folder):
    """Another run that is at work there."""
    run = subprocess.Popen(
        [sys.executable, "-c", HOLD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=with_package(),
    )
    assert run.stdout.readline() == "held\n"
    yield run
    run.kill()
    run.wait()


def test_a_lock_belongs_to_the_run_that_lives(folder, other, capsys):
    assert lock.at_work() == str(other.pid)
    assert not lock.is_stale_lock()
    assert lock.lock_message().startswith(
        f"another run (process {other.pid}) is at work in this folder"
    )
    # No one is asked, and nothing is taken away.
    assert lock.main([]) == 0
    assert lock.main(["--unlock"]) == 1
    assert f"Nothing is unlocked: another run (process {other.pid})" in capsys.readouterr().out
    assert lock.LOCKS.exists()


def test_a_lock_that_a_killed_run_has_left_is_taken_away(folder, other, capsys):
    other.kill()
    other.wait()
    assert lock.at_work() is None
    assert lock.is_stale_lock()
    assert "make unlock" in lock.lock_message()
    assert lock.main(["--unlock"]) == 0
    assert capsys.readouterr().out == "Unlocked.\n"
    assert not lock.is_stale_lock()
    assert lock.main(["--unlock"]) == 0
    assert capsys.readouterr().out == "There is no lock.\n"


@pytest.mark.parametrize(
    ("terminal", "answer", "unlocked"),
    [
        (True, "", True),
        (True, "y", True),
        (True, "Yes ", True),
        (True, "n", False),
        (True, "what?", False),
        (False, "y", False),
    ],
)
def test_make_asks_where_somebody_can_answer(
    folder, monkeypatch, capsys, terminal, answer, unlocked
):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr("builtins.input", lambda question: answer)
    assert lock.main([]) == int(not unlocked)
    assert lock.LOCKS.exists() is not unlocked
    assert "Nothing is lost: make unlock" in capsys.readouterr().err


def test_nothing_is_asked_where_there_is_no_lock(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert lock.main([]) == 0


def test_snakemake_says_it_in_these_words(folder, monkeypatch):
    from snakemake.exceptions import LockException

    monkeypatch.setattr(LockException, "__init__", LockException.__init__)
    lock.explain()
    assert str(LockException()).startswith("Locked: an earlier run in this folder was stopped")
