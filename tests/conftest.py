"""Studies run once for all tests that look at their results."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import ONLY_DEMO, ROOT, present, run_snakemake, workspace


@pytest.fixture(scope="session")
def release_dir() -> Path:
    """Folder with the public GRACE release under its original file names."""
    return present("GRACE_RELEASE", "grace", "[public]ALL_final_buzzpoints_enc.zip")


@pytest.fixture(scope="session")
def precursor() -> Path:
    """Runs of a GPT model on draft GRACE questions."""
    name = "gpr_runs_2024co.csv"
    return present("GRACE_PRECURSOR", "grace-precursor", name) / name


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
