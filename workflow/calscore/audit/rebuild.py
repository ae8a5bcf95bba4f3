"""Make files of a study once more and compare bytes (``make verify DEEP=1``).

Recorded rules' own scripts are run with their recorded inputs, from the study's folder, into a temporary
one (:func:`rebuild_differences`). So a file is shown to follow from those before it, whatever made it; a
file changed since is named with its rule.
"""

import json
import os
import runpy
import shutil
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ..core.checksums import files_of
from ..guessers.registry import KINDS
from .provenance import OF_THE_RUN

DATABASE = "study.duckdb"


def asks_endpoint(entry: dict) -> bool:
    """Whether a recorded rule (``entry``) asks an endpoint, whose replies are kept and not asked for again."""
    kind = (entry["params"].get("guesser") or {}).get("kind")
    return kind in KINDS and KINDS[kind].endpoint


class NamedList(list):
    """Values in order, lists among them flattened, each also an attribute and item under its name, as in Snakemake's scripts."""

    def __init__(self, values: dict) -> None:
        for value in values.values():
            self += value if isinstance(value, list) else [value]
        self.__dict__ |= values
        self.items, self.get = values.items, values.get

    def __getitem__(self, key: str | int) -> Any:
        return self.__dict__[key] if isinstance(key, str) else super().__getitem__(key)


def run_rule(
    name: str, entry: dict, scripts: Path, read: Callable[[str], str], write: Callable[[str], str]
) -> None:
    """Run the script, in ``scripts``, of a rule's record ``entry``. ``read``, ``write``: recorded path → where it is read, written."""
    inputs = {
        key: [read(path_item) for path_item in paths] if key in entry["lists"] else read(paths[0])
        for key, paths in entry["input"].items()
    }
    outputs = {
        key: [write(path_item) for path_item in path] if isinstance(path, list) else write(path)
        for key, path in entry["names"].items()
    }
    for path in map(write, (*entry["output"], *entry["log"])):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    parts = {"input": inputs, "output": outputs}
    parts |= {"params": entry["params"], "wildcards": entry["wildcards"]}
    fake = SimpleNamespace(
        **{part: NamedList(values) for part, values in parts.items()},
        rule=name.split()[0],
        log=[write(path_item) for path_item in entry["log"]],
    )
    runpy.run_path(str(scripts / entry["script"]), init_globals={"snakemake": fake})


def _same_content(path: Path, other_path: Path) -> bool:
    """Whether two files have the same bytes, or two databases the same contents."""
    if path.name == DATABASE:
        from .database import content_digests

        return content_digests(path) == content_digests(other_path)
    return path.read_bytes() == other_path.read_bytes()


def _rebuild_rule(name: str, entry: dict, root: Path, scripts: Path, out: Path) -> list[str]:
    """A line for each file that differs when a rule is run from ``root`` into ``out``, or for each output if it fails; [] if
    none. It changes the working folder."""
    from ..raw import fetch

    os.chdir(root)
    # What was downloaded is there: the run kept it.
    fetch.download = lambda url, entry, target, *_: shutil.copyfile(
        root / Path(target).relative_to(out), target
    )

    def read(path: str) -> str:
        return path if Path(path).exists() else str(scripts.parent.parent / path)

    try:
        run_rule(name, entry, scripts, read, lambda path: str(out / path))
    except (Exception, SystemExit) as error:
        reason = str(error) if not isinstance(error, SystemExit) else "see above"
        return [f"{path}: cannot be made again by {name}: {reason}" for path in entry["output"]]
    differences = []
    for path in entry["output"]:
        pairs = [{p.relative_to(base): p for p in files_of(base / path)} for base in (root, out)]
        for file in sorted(pairs[0].keys() | pairs[1].keys()):
            if not all(file in pair for pair in pairs) or not _same_content(*(pair[file] for pair in pairs)):
                differences.append(f"{file.as_posix()}: not what {name} makes")
    return differences


def rebuild_differences(folder: str | Path, scripts: str | Path) -> tuple[list[str], list[str], int]:
    """Rerun the recorded rules of the study in ``folder``, with their ``scripts``, in a temporary folder: (lines of
    differences, lines of rules not rerun and why, number of files made). A rule that fails is a difference for each output. Not
    rerun are rules that ask an endpoint or describe the run and, without a word, those none of whose outputs exist."""
    folder, scripts = Path(folder).resolve(), Path(scripts).resolve()
    record = json.loads((folder / "audit" / "provenance.json").read_text(encoding="utf-8"))
    root = Path(*folder.parts[: -len(Path(record["folder"]).parts)])
    rules = record["rules"] | record["desk"]
    omitted = [f"{name}: writes down the run itself" for name in sorted(OF_THE_RUN)]
    omitted += [f"{name}: asks an endpoint" for name, entry in rules.items() if asks_endpoint(entry)]
    rules = {
        name: entry
        for name, entry in rules.items()
        if not asks_endpoint(entry) and any((root / path).exists() for path in entry["output"])
    }
    with tempfile.TemporaryDirectory() as place:
        # Jobs that start, and take, long go first.
        with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            jobs = [
                pool.submit(_rebuild_rule, name, entry, root, scripts, Path(place))
                for name, entry in rules.items()
            ]
            differences = [line for job in jobs for line in job.result()]
        count = sum(len(files_of(Path(place) / p)) for e in rules.values() for p in e["output"])
    return sorted(differences), omitted, count


def main(arguments: list[str] | None = None) -> int:
    """Command line (results folder, folder of scripts): 0 where every file made again is the same, 1 where not."""
    study, scripts = arguments or sys.argv[1:]
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    differences, omitted, count = rebuild_differences(study, scripts)
    for line in (*differences, *(f"not made again: {reason}" for reason in omitted)):
        print(line)
    print(f"{study}: {len(differences)} differences, {count} files made again")
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
