"""Where real data lies, and how a test runs the workflow."""

import functools
import http.server
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import forked as forks
import numpy as np
import pandas as pd
import pytest
import yaml
from calscore.core.results_folder import Study
from filelock import FileLock

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(__file__).resolve().parent / "data"
# A question of ten words.
TEXT = "One two three four five six seven eight nine ten."
QUESTIONS = pd.DataFrame(
    {
        "question_id": ["p01-q01", "p01-q02"],
        "packet": [1, 1],
        "number": [1, 2],
        "source_id": ["17", "18"],
        "text": [TEXT, "Other words stand here, all “eight” of them."],
        "answerline": ["x", "y"],
        "n_words": [10, 8],
    }
)


def present(variable: str, default: str, needed: str) -> Path:
    folder = Path(os.environ.get(variable, ROOT.parent / "shared" / "data" / default))
    if not (folder / needed).exists():
        pytest.skip(f"real data absent: {needed} not in {folder} (set {variable})")
    return folder


def data_folder(needed: str) -> Path:
    """Folder with all real data, where ``needed`` (a path in it) is there."""
    return present("CALSCORE_DATA", "", needed)


def configuration(name: str, folder: str = "config") -> dict:
    """A file of the project's configuration."""
    return yaml.safe_load((ROOT / folder / f"{name}.yaml").read_text(encoding="utf-8"))


def renormalised(x):
    """Appendix K of the paper: (σ(x) − σ(−1)) / (σ(1) − σ(−1))."""
    least = 1 / (1 + np.e)
    return (1 / (1 + np.exp(-x)) - least) / (1 - 2 * least)


def masthead(title: str, features=(), **said) -> dict:
    """What the rules of pages say of a study (rules/common/pages.smk)."""
    known = {"study": "s", "title": title, "simulated": False, "hidden": False}
    return known | {"features": list(features), "names": {}} | said


@contextmanager
def serving(answers: type | Path) -> Iterator[str]:
    """The address of a local server, which answers as a class of handlers says or with the files of a folder."""
    handler = answers
    if isinstance(answers, Path):
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(answers))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        running.daemon_threads, running.block_on_close = True, False
        running.handle_error = lambda *_: None
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


class Replaced(Study):
    """A study with one table replaced."""

    def __init__(self, study, name, frame):
        self.__dict__ |= {"tables": study.tables, "provenance": study.provenance}
        self.folder, self.study, self.replaced = study.folder, study, {name: frame}

    def __getitem__(self, name):
        return self.replaced[name] if name in self.replaced else self.study[name]


def words(ax) -> list[str]:
    """Texts that stand in a panel."""
    return [text.get_text() for text in ax.texts]


def outside(page: str) -> list[str]:
    """Addresses that a page refers to outside the folder of its study."""
    found = re.findall(r"""(?:src|href)\s*=\s*["']([^"']*)""", page)
    return [to for to in found if re.match(r"(?!data:)[a-z]+:|/", to)]


def with_package(**more: str) -> dict[str, str]:
    """The environment of a process that finds this package, before whatever else PYTHONPATH names."""
    places = [str(ROOT / "workflow"), os.environ.get("PYTHONPATH")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, places))} | more


def mounted(folder: Path, size: str) -> None:
    """Mount a disk of that size at ``folder``, or skip the test where that is not allowed."""
    if os.geteuid() or not shutil.which("mount"):
        pytest.skip("a small disk is mounted by root alone, with mount")
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")


def run_snakemake(
    *arguments: str, cwd: Path, check: bool = True, forked: bool = True
) -> subprocess.CompletedProcess:
    """Run this workflow in a working folder of its own; ``forked``: as tests/forked.py does, else as users do."""
    given = ["--snakefile", str(ROOT / "Snakefile"), "--cores", "2", "--profile", "none"]
    command = [*given, "--show-failed-logs", *arguments]
    if forked:
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            with open(os.devnull) as nothing:
                files = (one.fileno() for one in (nothing, out, err))
                status = forks.ask(command, cwd, *files)
            said = (file.seek(0) or file.read() for file in (out, err))
            result = subprocess.CompletedProcess(command, status, *said)
    else:
        command = [sys.executable, "-m", "snakemake", *command]
        result = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if check and result.returncode:
        pytest.fail(f"snakemake failed\n{result.stdout[-3000:]}\n{result.stderr[-6000:]}")
    return result


def failing(folder: Path, *arguments: str) -> str:
    """What a run says that must fail, with no traceback in it."""
    result = run_snakemake(*arguments, cwd=folder, check=False)
    output = result.stdout + result.stderr
    assert result.returncode and "Traceback" not in output, output[-3000:]
    return output


def planned(said: str) -> set[str]:
    """Rules that a dry run says it would run."""
    stats = said.split("Job stats:")[1].split("total")[0].splitlines()
    return {words[0] for line in stats if len(words := line.split()) == 2 and words[1].isdigit()}


def once(factory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that ``make`` filled once a session, whichever worker of pytest-xdist came first.

    What failed for one worker fails for the others too, and is not tried again.
    """
    shared = factory.getbasetemp()
    # A worker's own folder lies in that of the session.
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    folder, done = shared / f"{name}.once", shared / f"{name}.done"
    with FileLock(shared / f"{name}.lock"):
        if not done.exists():
            done.write_text("failed")
            make(folder)
            done.write_text("made")
        elif done.read_text() != "made":
            pytest.fail(f"{name} could not be made, see the first test that asked for it")
    return folder


def computed(factory, name: str, make: Callable):
    """What ``make`` gives, computed once a session."""

    def keep(folder: Path) -> None:
        folder.mkdir()
        (folder / "kept").write_bytes(pickle.dumps(make()))

    return pickle.loads((once(factory, name, keep) / "kept").read_bytes())


def flow(factory, name: str, *arguments: str, fill: Callable[[Path], None] | None = None) -> Path:
    """Results of the study of tests/flows/<name>.yaml, run once a session; ``fill`` adds raw files."""

    def make(folder: Path) -> None:
        workspace(folder)
        config = folder / f"{name}.yaml"
        config.write_bytes((ROOT / "tests" / "flows" / f"{name}.yaml").read_bytes())
        if fill:
            fill(folder)
        else:
            done = run_snakemake("--configfile", config.name, *arguments, cwd=folder)
            (folder / "said.txt").write_text(done.stdout, encoding="utf-8")

    return once(factory, "".join((name, *arguments)), make) / "results" / name


def copied(factory, name: str, results: Path) -> Path:
    """A study's results in a copy of its working folder, which several tests may share."""
    # As deep as the original, so that relative paths to the package stay what they were.
    folder = once(factory, name, lambda at: shutil.copytree(results.parent.parent, at, symlinks=True))
    return folder / "results" / results.name


def workspace(folder: Path) -> Path:
    """A working folder that sees the project's configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config").symlink_to(ROOT / "config")
    return folder


UNSTABLE = ("logs", "benchmarks")
# Times, and a database whose pages are laid out anew each time (its content is compared by make verify).
UNSTABLE_FILES = ("audit/manifest.json", "audit/seal.js", "audit/study.duckdb")


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


def has_key(tree, dotted: str) -> bool:
    """Whether nested mappings hold the key, written with points; keys may have points themselves."""
    rest = (
        (tree[key], dotted[len(str(key)) :])
        for key in (tree if isinstance(tree, dict) else ())
        if f"{dotted}.".startswith(f"{key}.")
    )
    return any(not more or has_key(below, more[1:]) for below, more in rest)


def unknown_keys(ledger, published: dict) -> list[str]:
    """Keys that the evidence of a ledger names and its published file lacks."""
    parts = (part for cell in ledger["evidence"] for part in cell.split("; "))
    named = {
        key
        for part in parts
        if part.startswith(f"{published['file']}: ")
        for row in part.split(": ", 1)[1].split(" | ")
        for key in row.split(", ")
    }
    assert named
    return sorted(key for key in named if not has_key(published, key))
