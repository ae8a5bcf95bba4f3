"""Studies run once for all tests that look at their results."""

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import forked
import pytest
from flows import answered
from flows.endpoints import asked_buzzes, asked_choices
from support import ONLY_DEMO, ROOT, data_folder, flow, once, present, run_snakemake, workspace

GRACE = ("--configfile", str(ROOT / "config" / "grace.yaml"), "--config")
FULL = {"demo", "demo_options", "demo_irt", "played", "grace", "grace_draft", "baseline"}
"""Fixtures that run a study of its full size: what looks at them is of ``make test-full``."""


def pytest_configure(config) -> None:
    """Snakemake runs in forks of one process for all workers, which loads its libraries when first asked."""
    if forked.ADDRESS not in os.environ:
        folder = tempfile.TemporaryDirectory()
        server = forked.start(Path(folder.name))
        config.add_cleanup(lambda: (server.terminate(), server.wait(), folder.cleanup()))


def pytest_collection_modifyitems(config, items) -> None:
    """Tests of full-size studies, and all in tests/full, bear the mark ``full``."""
    for item in items:
        params = item.callspec.params.values() if hasattr(item, "callspec") else ()
        asked = {*item.fixturenames, *(one for one in params if isinstance(one, str))}
        if FULL & asked or "full" in item.path.relative_to(config.rootpath).parts:
            item.add_marker("full")


def pytest_collection_finish() -> None:
    """What was loaded to find the tests stays, and is not looked through again for what could go."""
    gc.freeze()


def ran(factory, study: str, *arguments: str, folder: str = "", after=None, **how) -> Path:
    """Results of a study of the default size, run once a session; ``after``: results that a run goes on from."""

    def make(at: Path) -> None:
        if after:
            shutil.copytree(after.parent.parent, at, symlinks=True)
        else:
            workspace(at)
        run_snakemake(*arguments, cwd=at, **how)

    return once(factory, folder or study, make) / "results" / study


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
def model_outputs(tmp_path_factory, release_dir) -> Path:
    """The authors' model outputs in their own format, rebuilt from their numbers."""
    script = data_folder("grace-model-runs/rebuild.py") / "grace-model-runs" / "rebuild.py"

    def make(folder: Path) -> None:
        command = [sys.executable, str(script), str(release_dir), str(folder)]
        subprocess.run(command, check=True)

    return once(tmp_path_factory, "model_outputs", make)


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> Path:
    """Results of the study ``demo``, run once as users run it."""
    return ran(tmp_path_factory, "demo", *ONLY_DEMO, forked=False)


@pytest.fixture(scope="session")
def demo_options(tmp_path_factory) -> Path:
    """Results of the study ``demo-options``, run once."""
    return ran(tmp_path_factory, "demo-options", "--config", "only=demo-options")


@pytest.fixture(scope="session")
def demo_irt(tmp_path_factory) -> Path:
    """Results of the study ``demo-irt``, run once."""
    return ran(tmp_path_factory, "demo-irt", "--config", "only=demo-irt")


@pytest.fixture(scope="session")
def played(tmp_path_factory) -> Path:
    """Results of the simulated tournament, run once."""
    given = ("--configfile", str(ROOT / "config" / "tournament.yaml"))
    return ran(tmp_path_factory, "tournament", *given)


@pytest.fixture(scope="session")
def grace(tmp_path_factory, release_dir) -> Path:
    """Results of the study on the public release alone, run once."""
    release = (*GRACE, f"release={release_dir}")
    return ran(tmp_path_factory, "grace", *release)


@pytest.fixture(scope="session")
def grace_draft(tmp_path_factory, grace, release_dir, precursor) -> Path:
    """Results on the release with real guesses on draft questions."""
    inputs = (*GRACE, f"release={release_dir}", f"guesses={precursor}")
    return ran(tmp_path_factory, "grace", *inputs, folder="grace-draft", after=grace)


@pytest.fixture(scope="session")
def baseline(tmp_path_factory, grace, release_dir) -> Path:
    """The real release with the baseline and the real runs on past questions."""
    past = data_folder("quizbowl/gpr_runs.jsonl.gz") / "quizbowl"
    models = str(ROOT / "config" / "grace-models.yaml")
    files = (*GRACE[:2], models, "--config", f"release={release_dir}")
    given = (f"corpus={past / 'qanta.buzzdev.json.gz'}", f"past_runs={past / 'gpr_runs.jsonl.gz'}")
    return ran(tmp_path_factory, "grace", *files, *given, folder="baseline", after=grace)


@pytest.fixture
def style():
    """The project's look of figures, which are closed in the end."""
    import matplotlib.pyplot as plt
    from calscore.core import theme

    theme.apply_style()
    yield
    plt.close("all")


def results_of(name: str, fill=None):
    """A fixture of the results of a tiny study of tests/flows, run once a session."""

    @pytest.fixture(scope="session", name=name)
    def results(tmp_path_factory) -> Path:
        return flow(tmp_path_factory, name, fill=fill)

    return results


tiny_buzz = results_of("tiny_buzz")
tiny_choices = results_of("tiny_choices")
tiny_irt = results_of("tiny_irt")
tiny_humans = results_of("tiny_humans", answered.humans)
tiny_systems = results_of("tiny_systems", answered.systems)
tiny_tournament = results_of("tiny_tournament")
tiny_endpoint = results_of("tiny_endpoint", asked_buzzes)
tiny_asked_choices = results_of("tiny_asked_choices", asked_choices)
