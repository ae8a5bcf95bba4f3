"""Where real data lies, and how a test runs the workflow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(__file__).resolve().parent / "data"


def present(variable: str, default: str, needed: str) -> Path:
    folder = Path(os.environ.get(variable, ROOT.parent / "shared" / "data" / default))
    if not (folder / needed).exists():
        pytest.skip(f"real data absent: {needed} not in {folder} (set {variable})")
    return folder


def data_folder(needed: str) -> Path:
    """Folder with all real data, where ``needed`` (a path in it) is there."""
    return present("CALSCORE_DATA", "", needed)


def run_snakemake(*arguments: str, cwd: Path, check: bool = True) -> subprocess.CompletedProcess:
    """Run this workflow in a working folder of its own."""
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--snakefile",
        str(ROOT / "Snakefile"),
        "--cores",
        "2",
        "--profile",
        "none",
        "--show-failed-logs",
        *arguments,
    ]
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if check and result.returncode:
        pytest.fail(f"snakemake failed\n{result.stdout[-3000:]}\n{result.stderr[-6000:]}")
    return result


def workspace(folder: Path) -> Path:
    """A working folder that sees the project's configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config").symlink_to(ROOT / "config")
    return folder


UNSTABLE = ("logs", "benchmarks")
# Times, and a database whose pages are laid out anew each time (its content is compared by make verify).
UNSTABLE_FILES = ("audit/manifest.json", "audit/study.duckdb")


def contents(folder):
    """Relative path → bytes of all files but logs and timings."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not {*path.relative_to(folder).parts[:2]} & {*UNSTABLE}
        and path.name != ".snakemake_timestamp"
        and str(path.relative_to(folder)) not in UNSTABLE_FILES
    }


ONLY_DEMO = ("--config", "only=demo")
"""The default configuration has further simulated studies."""
