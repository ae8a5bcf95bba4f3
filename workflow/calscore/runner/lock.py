"""Two runs in one folder, and a run that was killed: who is at work, what its lock means, how to go on.

Snakemake locks the files of a run, and a run that is killed leaves the lock behind. A run holds ``.snakemake/at_work``
as long as it lives, so that the next one can tell what was left from what is in use.

``python -m calscore.runner.lock``: asks whether a lock that was left is taken away; ``--unlock``: takes it away.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

LOCKS = Path(".snakemake", "locks")
HELD = Path(".snakemake", "at_work")
_kept: list = []

LEFT = (
    "an earlier run in this folder was stopped before its end and has left its lock; no other run is at work. "
    "Nothing is lost: make unlock (or snakemake --unlock), then the same command again goes on"
)


def _flock():
    """The system's lock on a file, which ends with its process; nothing where the system has none."""
    try:
        import fcntl
    except ImportError:
        return None
    return fcntl


def acquire_run_lock() -> None:
    """From now on, and as long as this process lives, a run is at work here."""
    system = _flock()
    if system is None:
        return
    handle = HELD.open("a+")
    system.flock(handle, system.LOCK_SH)
    handle.truncate(0)
    handle.write(str(os.getpid()))
    handle.flush()
    _kept.append(handle)


def at_work() -> str | None:
    """The process of a run that is at work here (``?`` where it has not said), nothing where there is none."""
    system = _flock()
    if system is None or not HELD.exists():
        return None
    with HELD.open(encoding="ascii") as handle:
        try:
            system.flock(handle, system.LOCK_EX | system.LOCK_NB)
        except OSError:
            return handle.read() or "?"
    return None


def lock_message() -> str:
    """What a run is told that finds its files locked."""
    process = at_work()
    if process:
        return f"another run (process {process}) is at work in this folder: wait for its end, or stop it; this one stops"
    return LEFT


def explain() -> None:
    """Have Snakemake say it in these words, wherever it finds a lock."""
    from snakemake import exceptions

    def explained(error) -> None:
        exceptions.WorkflowError.__init__(error, f"Locked: {lock_message()}.")

    exceptions.LockException.__init__ = explained


def is_stale_lock() -> bool:
    """Whether there is a lock that no run holds."""
    return LOCKS.is_dir() and any(LOCKS.iterdir()) and at_work() is None


def main(arguments=None) -> int:
    """Command line; 0 where there is nothing in the way of a run, as far as can be seen."""
    unlock = "--unlock" in (sys.argv[1:] if arguments is None else arguments)
    if not is_stale_lock():
        if unlock:
            process = at_work()
            print(f"Nothing is unlocked: {lock_message()}." if process else "There is no lock.")
            return int(bool(process))
        return 0
    if not unlock:
        print(f"Locked: {LEFT}.", file=sys.stderr)
        if not sys.stdin.isatty() or input("Unlock and go on now? [Y/n] ").strip().lower() not in (
            "",
            "y",
            "yes",
        ):
            return 1
    shutil.rmtree(LOCKS)
    print("Unlocked.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
