"""Where real data lies, and a study run once for all tests that look at its results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))


def _present(variable: str, default: str, needed: str) -> Path:
    folder = Path(os.environ.get(variable, ROOT.parent / "shared" / "data" / default))
    if not (folder / needed).exists():
        pytest.skip(f"real data absent: {needed} not in {folder} (set {variable})")
    return folder


def data_folder(needed: str) -> Path:
    """Folder with all real data, where ``needed`` (a path in it) is there."""
    return _present("CALSCORE_DATA", "", needed)


@pytest.fixture(scope="session")
def release_dir() -> Path:
    """Folder with the public GRACE release under its original file names."""
    return _present("GRACE_RELEASE", "grace", "[public]ALL_final_buzzpoints_enc.zip")


@pytest.fixture(scope="session")
def precursor() -> Path:
    """Runs of a GPT model on draft GRACE questions."""
    name = "gpr_runs_2024co.csv"
    return _present("GRACE_PRECURSOR", "grace-precursor", name) / name


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


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> Path:
    """Results of the study ``demo``, run once."""
    folder = workspace(tmp_path_factory.mktemp("demo"))
    run_snakemake(*ONLY_DEMO, cwd=folder)
    return folder / "results" / "demo"


@pytest.fixture(scope="session")
def grace(tmp_path_factory, release_dir) -> Path:
    """Results of the study on the public release alone, run once."""
    folder = workspace(tmp_path_factory.mktemp("grace"))
    run_snakemake(
        "--configfile",
        str(ROOT / "config" / "grace.yaml"),
        "--config",
        f"release={release_dir}",
        cwd=folder,
    )
    return folder / "results" / "grace"


@pytest.fixture(scope="session")
def grace_draft(tmp_path_factory, release_dir, precursor) -> Path:
    """Results on the release with real guesses on draft questions."""
    folder = workspace(tmp_path_factory.mktemp("grace-draft"))
    run_snakemake(
        "--configfile",
        str(ROOT / "config" / "grace.yaml"),
        "--config",
        f"release={release_dir}",
        f"guesses={precursor}",
        cwd=folder,
    )
    return folder / "results" / "grace"
