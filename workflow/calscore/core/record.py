"""What each job made, written down by the job itself; and which files were changed since.

``logs/<rule>.made.json``: the rule, the time, and of every file made size (bytes), times (ns) and SHA-256. Of the two
times one is that of its last change, which no program can set back.
Snakemake sees that a file is newer, not who changed it: before anything is built, :func:`changed` names
the files that are no longer what their job wrote, or of which no record says what that was, and the workflow makes
them again.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from .digest import files_of, sha256

SUFFIX = ".made.json"


def _written(log) -> Path:
    return Path(log).with_suffix(SUFFIX)


def _folder(log) -> Path | None:
    """The study's folder: a rule's log lies below its logs/. None for what is no study's."""
    return next((parent.parent for parent in Path(log).parents if parent.name == "logs"), None)


def _save(path: Path, content: dict) -> None:
    # Never half a record: a run may be stopped at any time.
    new = path.with_name(path.name + ".new")
    try:
        new.write_text(json.dumps(content), encoding="utf-8")
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def _seen(path) -> list[int]:
    """What tells without reading a file that it was not touched: size, time of its content, time of any change."""
    known = os.stat(path)
    return [known.st_size, known.st_mtime_ns, known.st_ctime_ns]


def forget(log) -> None:
    """What was written down of an earlier job, which a new one is about to replace, holds no more."""
    _written(log).unlink(missing_ok=True)


def made(rule: str, outputs, log) -> None:
    """Write down what a job has made: ``outputs`` are its files and folders, ``log`` its log."""
    folder, files, folders = _folder(log), {}, []
    if folder is None:
        return
    for output in map(Path, outputs):
        if output.is_dir():
            folders.append(output.relative_to(folder).as_posix())
        for path in files_of(output):
            name = path.relative_to(folder).as_posix()
            files[name] = [*_seen(path), sha256(path)]
    content = {"rule": rule, "time": time.time(), "folders": folders, "files": files}
    _save(_written(log), content)


def changed(folder) -> list[tuple[str, str]]:
    """(path below ``folder``, rule that made it) of every file that is not as its job left it; no rule where no record
    speaks of the file, as it is lost or damaged.

    A file is read only where its size or time is another; where its content is the same after all, the
    new time is written down. A file that is missing is for Snakemake to see, but in a folder that a job made.
    """
    folder, makers = Path(folder), {}
    read = {path: _read(path) for path in folder.glob(f"logs/**/*{SUFFIX}")}
    records = [(path, content) for path, content in read.items() if content]
    for path, content in sorted(records, key=lambda one: one[1]["time"]):
        makers |= dict.fromkeys(content["files"], path)
    here = {path.relative_to(folder).as_posix() for path in files_of(folder)} - set(makers)
    found = {name: "" for name in here if not name.startswith(("logs/", "benchmarks/"))}
    for path, content in records:
        touched = False
        for name in content["folders"]:
            inside = (path.relative_to(folder).as_posix() for path in files_of(folder / name))
            found |= dict.fromkeys(set(inside) - set(content["files"]), content["rule"])
        for name, (*seen, digest) in content["files"].items():
            # What two rules have made in turn is as the later one left it.
            if makers[name] != path:
                continue
            try:
                now = _seen(folder / name)
            except FileNotFoundError:
                if any(name.startswith(f"{one}/") for one in content["folders"]):
                    found[name] = content["rule"]
                continue
            if now == seen:
                continue
            if now[0] != seen[0] or sha256(folder / name) != digest:
                found[name] = content["rule"]
            else:
                content["files"][name], touched = [*now, digest], True
        if touched and os.access(path.parent, os.W_OK):
            _save(path, content)
    return sorted(found.items())


def _read(path: Path) -> dict | None:
    """A record, None where it is damaged."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        whole = {"rule", "time", "folders", "files"} <= set(content)
        return content if whole and isinstance(content["files"], dict) else None
    except (ValueError, TypeError, AttributeError):
        return None


def make_again(workflow, folders) -> None:
    """Name the changed files of these studies and have Snakemake make them again, for targets that need them.

    ``workflow``: Snakemake's, its rules read and its DAG not yet built; ``folders`` without its prefix.
    """
    from snakemake.logging import logger

    prefixed, silent = workflow.modifier.path_modifier.modify, []
    for folder in map(prefixed, folders):
        for name, told in changed(folder):
            path = f"{folder}/{name}"
            # What has no rule was left by a run of other inputs.
            for rule in (one for one in workflow.rules if _makes(one, path)):
                if told:
                    logger.warning(
                        f"{path} was changed after {rule.name} made it: it is made again"
                    )
                elif rule not in silent:
                    logger.warning(f"{path} has no record: what {rule.name} made is made again")
                    silent.append(rule)
                _force(workflow, rule, [path, *Path(path).parents])


def _makes(rule, path: str) -> bool:
    """Whether a rule's output is this file, or a folder that it lies in."""
    return any(rule.is_producer(str(one)) for one in (path, *Path(path).parents))


def _force(workflow, rule, files) -> None:
    def force(wildcards):
        # Called for each job of the rule, before it is decided which of them run; adds no input.
        workflow.dag.forcefiles.update(map(str, files))
        return []

    rule.set_input(force)
