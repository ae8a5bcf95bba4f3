"""What each job read from outside and made, written down by the job itself; and which files were changed since.

``logs/<rule>.made.json``: the rule, the time, and of every file read or made size (bytes), times (ns) and SHA-256. Of the two
times one is that of its last change, which no program can set back. Snakemake sees that a file is newer, not who changed it, nor
that an older one has taken its place: before anything is built, :func:`modified_outputs` names the files that are no longer what
their job wrote, or of which no record says what that was, or another thing than the manifest of the run that took them over,
:func:`stale_inputs` what was made from other inputs than lie there now, and the workflow makes them again.
"""

import atexit
import json
import os
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ..core.checksums import files_of, sha256, sha256_of_start
from .environment import note_environment, noted_versions, present_note, version_differences, write_whole

SUFFIX = ".made.json"
MANIFEST = "audit/manifest.json"


def _record_path(log: str | Path) -> Path:
    """Path of the record of the job whose log is ``log``."""
    return Path(log).with_suffix(SUFFIX)


def _study_folder(log: str | Path) -> Path | None:
    """The study's folder, below whose logs/ a rule's log lies; None for a log elsewhere."""
    return next((parent.parent for parent in Path(log).parents if parent.name == "logs"), None)


def _file_signature(path: str | Path) -> list[int]:
    """[size, mtime, ctime] (bytes, ns), by which a file is known to be untouched without reading it. Of a folder, the
    sum of sizes and the latest times of its files."""
    stats = [os.stat(file) for file in files_of(Path(path)) or [path]]
    times = [(file.st_mtime_ns, file.st_ctime_ns) for file in stats]
    return [sum(file.st_size for file in stats), *map(max, zip(*times, strict=True))]


def _refresh_record(path: str | Path, record: list) -> list | None:
    """The ``record`` of a file (:func:`_file_signature`, SHA-256) with its present times; None for another content."""
    *times, digest = record
    now = _file_signature(path)
    if now == times:
        return record
    return [*now, digest] if now[0] == times[0] and sha256(path) == digest else None


def record_inputs(inputs: Iterable[str], log: str | Path, private: Iterable[str] = ()) -> dict[str, list]:
    """Path → [size, mtime, ctime, SHA-256] of a job's existing input files outside the study's folder.

    ``private``: folders recorded as a whole, to hide the names of files in them. {} for a job of no study."""
    folder = _study_folder(log)
    if folder is None:
        return {}
    files = {file for path in map(Path, inputs) for file in files_of(path)}
    for private_folder in map(Path, private):
        files = {private_folder if file.is_relative_to(private_folder) else file for file in files}
    outside = [file for file in sorted(files) if not file.is_relative_to(folder)]
    return {str(file): [*_file_signature(file), sha256(file)] for file in outside}


def remove_job_record(log: str | Path) -> None:
    """Delete the record of an earlier job with this log, whose outputs a new job is about to replace."""
    _record_path(log).unlink(missing_ok=True)


def write_job_record(
    rule: str,
    outputs: Iterable[str],
    log: str | Path,
    inputs_read: dict[str, list] | None = None,
    replies: Path | None = None,
) -> None:
    """Write the record of a job with these ``outputs`` (files and folders); nothing for a job of no study.

    ``inputs_read``: of :func:`record_inputs`. ``replies``: the file of paid replies that it used. Such a file
    only grows, so its present size and SHA-256 up to there hold for good."""
    folder, files, folders = _study_folder(log), {}, []
    if folder is None:
        return
    for output in map(Path, outputs):
        if output.is_dir():
            folders.append(output.relative_to(folder).as_posix())
        for path in files_of(output):
            name = path.relative_to(folder).as_posix()
            files[name] = [*_file_signature(path), sha256(path)]
    content = {"rule": rule, "time": time.time(), "folders": folders, "files": files}
    content |= {"read": inputs_read or {}, "environment": note_environment(folder)}
    if replies:
        size = os.stat(replies).st_size
        content["replies"] = {str(replies): [size, sha256_of_start(replies, size)]}
    write_whole(_record_path(log), json.dumps(content))


def _records(folder: Path) -> list[tuple[Path, dict]]:
    """(path, content) of every undamaged record in the study's ``folder``, the latest last."""
    read = {path: _read_record(path) for path in folder.glob(f"logs/**/*{SUFFIX}")}
    complete = [(path, content) for path, content in read.items() if content]
    return sorted(complete, key=lambda record: (record[1]["time"], record[0]))


def _makers(records: list[tuple[Path, dict]]) -> dict[str, Path]:
    """File → path of the latest of ``records`` (:func:`_records`) that has it."""
    return {name: path for path, content in records for name in content["files"]}


def manifest_checksums(folder: Path, records: list[tuple[Path, dict]]) -> tuple[float, dict[str, str]]:
    """(time at which the last whole run wrote its manifest, file → SHA-256 in it); (0, {}) without a readable
    one. The time is 0 too where none of ``records`` (:func:`_records`) has it."""
    sealed = max((record["time"] for _, record in records if MANIFEST in record["files"]), default=0.0)
    try:
        outputs = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["outputs"]
        # The bytes of a database are not the same on every run: it has none.
        return sealed, {name: record["sha256"] for name, record in outputs.items() if "sha256" in record}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return 0.0, {}


def modified_outputs(folder: str | Path) -> list[tuple[str, str]]:
    """(path below ``folder``, rule that made it) of every file that is not as its job, or a later manifest,
    left it. The rule is '' where no record has the file or its folder (in logs/ and benchmarks/ none need). A
    missing file counts only in a folder that a job made; elsewhere Snakemake sees it. Where only times
    differ, the new ones go into the record."""
    folder = Path(folder)
    records = _records(folder)
    makers = _makers(records)
    sealed_at, sealed = manifest_checksums(folder, records)
    unrecorded = {path.relative_to(folder).as_posix() for path in files_of(folder)} - set(makers)
    changed = {name: "" for name in unrecorded if not name.startswith(("logs/", "benchmarks/"))}
    for path, content in records:
        rule, folders = content["rule"], content["folders"]
        for name in folders:
            inside = (path.relative_to(folder).as_posix() for path in files_of(folder / name))
            changed |= dict.fromkeys(set(inside) - set(content["files"]), rule)
        own = [name for name in content["files"] if makers[name] == path]
        modified, gone = _compare_record(path, content, "files", folder, own)
        if content["time"] < sealed_at:
            checksums = {name: content["files"][name][-1] for name in own}
            modified += [name for name in own if sealed.get(name, checksums[name]) != checksums[name]]
        made_folders = tuple(f"{name}/" for name in folders)
        gone = [name for name in gone if name.startswith(made_folders)]
        changed |= dict.fromkeys([*modified, *gone], rule)
    return sorted(changed.items())


def stale_inputs(folder: str | Path) -> list[tuple[str, str, list[str]]]:
    """(path, rule that read it, files below ``folder`` that it was the last to make) of every input from
    outside that exists and has changed; jobs without such files do not count."""
    folder, stale = Path(folder), []
    records = _records(folder)
    makers = _makers(records)
    for path, content in records:
        own = [name for name in content["files"] if makers[name] == path]
        modified, _ = _compare_record(path, content, "read", Path(), [*content["read"]] if own else [])
        stale += [(name, content["rule"], own) for name in modified]
    return sorted(stale)


def digests(folder: str | Path, part: str) -> dict[str, str]:
    """File → latest recorded SHA-256: all that jobs of the study's ``folder`` made (``part`` "files": paths below it) or read
    from outside ("read": paths as opened); {} without records."""
    records = _records(Path(folder))
    return {name: record[-1] for _, content in records for name, record in content[part].items()}


def changed_replies(folder: str | Path) -> list[tuple[str, str, str]]:
    """(file, rule that used it, "missing" or "changed") of paid replies whose recorded beginning is not what it was."""
    used = {
        (path, content["rule"]): record
        for _, content in _records(Path(folder))
        for path, record in content.get("replies", {}).items()
    }
    changed = []
    for (path, rule), (size, digest) in sorted(used.items()):
        # Relative to the working folder, which is that above results/ but for a workflow that includes this one.
        places = [base / path for base in (Path(folder).resolve().parents[1], Path())]
        existing = next((place for place in places if place.exists()), None)
        if existing is None:
            changed.append((path, rule, "missing"))
        elif sha256_of_start(existing, size) != digest:
            changed.append((path, rule, "changed"))
    return changed


def environments(folder: str | Path) -> dict[str, str]:
    """File of a study → digest of the versions that its job ran with; files without such a record are left out."""
    records = [content for _, content in _records(Path(folder)) if "environment" in content]
    return {name: content["environment"] for content in records for name in content["files"]}


def foreign_environments(folder: str | Path) -> dict[str, int]:
    """Differences (:func:`version_differences`) → number of a study's files made in an environment with these."""
    present, _ = present_note()
    digests = [digest for digest in environments(folder).values() if digest != present]
    differences = {d: version_differences(noted_versions(Path(folder), d)) for d in dict.fromkeys(digests)}
    return dict(Counter(differences[d] for d in digests if differences[d]))


def _compare_record(
    path: Path, content: dict, part: str, folder: Path, names: list[str]
) -> tuple[list[str], list[str]]:
    """(modified, missing) of the files ``names`` in a record's ``part``, below ``folder``; saves new times of the others."""
    modified, gone, touched = [], [], False
    for name in names:
        try:
            now = _refresh_record(folder / name, content[part][name])
        except FileNotFoundError:
            gone.append(name)
            continue
        if now is None:
            modified.append(name)
        elif now != content[part][name]:
            content[part][name], touched = now, True
    if touched and os.access(path.parent, os.W_OK):
        write_whole(path, json.dumps(content))
    return modified, gone


def _read_record(path: Path) -> dict | None:
    """Content of a record, None where it is damaged or incomplete."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        complete = {"rule", "time", "folders", "files", "read"} <= set(content)
        return content if complete and isinstance(content["files"], dict) else None
    except (ValueError, TypeError, AttributeError):
        return None


_TOUCHED = 60 * 10**9
"""Nanoseconds. Snakemake touches outputs once a job has ended, so that their times are a little off the record."""


def changes_file(folder: str | Path, script: str) -> Path:
    """Path of a file that is an input of the rule of ``script`` (no .py) and, rewritten, has it run again."""
    return Path(folder, "logs", f"{script}.changed")


def copied_files(folder: str | Path) -> tuple[int, int]:
    """Numbers of recorded files: (time over a minute off but the same size, as in a copy; all that exist)."""
    folder, times = Path(folder), []
    for _, content in _records(folder):
        for name, (size, changed, *_) in content["files"].items():
            if (folder / name).exists():
                stat = os.stat(folder / name)
                off = abs(stat.st_mtime_ns - changed) > _TOUCHED
                times.append(stat.st_size == size and off)
    return sum(times), len(times)


def warn_of_surroundings(folder: str | Path) -> None:
    """Log warnings on a study copied (most files) without times, or whose versions or paid replies have
    changed."""
    from snakemake.logging import logger

    moved, count = copied_files(folder)
    if moved > count / 2:
        logger.warning(
            f"{folder}: {moved} of {count} files have other times than their jobs gave them, as in a copy made "
            "without times. Snakemake runs again what looks older than its inputs; to copy times too: cp -a"
        )
    for difference, count in foreign_environments(folder).items():
        logger.warning(
            f"{folder}: {count} files were made with other versions ({difference}) and are kept; "
            "to make them again, add --forceall"
        )
    for path, rule, state in changed_replies(folder):
        logger.warning(
            f"{path}: replies that {rule} used for {folder} are {state}; the guesses are kept. Restore the file: "
            "what is not in it would be asked, and paid for, again"
        )


def _put_back(path: Path, before: tuple[bytes, int] | None) -> None:
    """Restore a file as it was ``before`` (content, modification time in ns); None deletes it."""
    path.unlink(missing_ok=True)
    if before:
        path.write_bytes(before[0])
        os.utime(path, ns=(before[1], before[1]))


def note_changes(rules: Iterable, folders: Iterable[str], is_dry_run: bool = False) -> None:
    """Write :func:`changes_file` of every rule of which these studies have changed files, and warn of each.

    ``rules``: Snakemake's. Files that no rule makes were left by a run of other inputs. A dry run
    (``is_dry_run``) puts back what it writes when it ends."""
    from snakemake.logging import logger

    for folder in folders:
        warn_of_surroundings(folder)
        changes = [(name, name, maker, "made") for name, maker in modified_outputs(folder)]
        for source, reader, files in stale_inputs(folder):
            changes += [(file, source, reader, "read") for file in files]
        messages: dict[Path, dict] = {}
        for file, source, name, verb in changes:
            path = f"{folder}/{file}"
            for rule in rules:
                if rule.script and any(map(rule.is_producer, (path, *map(str, Path(path).parents)))):
                    message = f"{path if verb == 'made' else source} was changed after {name} {verb} it: it is {verb} again"
                    if not name:
                        message = f"{path} has no record: what {rule.name} made is made again"
                    noted = messages.setdefault(changes_file(folder, Path(rule.script).stem), {})
                    noted[source if name else ""] = message
        for path, noted in messages.items():
            if is_dry_run:
                before = (path.read_bytes(), path.stat().st_mtime_ns) if path.exists() else None
                atexit.register(_put_back, path, before)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join([*noted.values(), f"{time.time()}\n"]), encoding="utf-8")
        for message in {message: None for noted in messages.values() for message in noted.values()}:
            logger.warning(message)
