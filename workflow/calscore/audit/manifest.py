"""The run manifest: checksums, versions (of the run, and of each file's own job), options and times; and what was
changed since.

``python -m calscore.audit.manifest results/demo`` (``make verify``) recomputes every checksum, of inputs too.
"""

from __future__ import annotations

import csv
import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core import catalog
from ..core.checksums import files_of, sha256, text_sha256
from ..core.errors import DataError
from ..core.package import PROJECT
from ..core.results_folder import Study
from ..runner import environment
from ..runner.job_records import MANIFEST as NAME
from ..runner.job_records import changed_replies, digests, environments
from . import database, provenance

if TYPE_CHECKING:
    import pandas as pd

DATABASE = "audit/study.duckdb"
# Written after the manifest, or different in every run by their nature.
APART = ("logs", "benchmarks")
SEAL = "audit/seal.js"
PASSED = "audit/passed.txt"
REPORT = "report.html"
AFTER = (NAME, SEAL, PASSED, REPORT)


def manifest_files(folder: Path) -> dict[str, Path]:
    """Path relative to ``folder`` → path, sorted, of the files of a results folder that belong into its manifest. Those in
    :data:`APART`, Snakemake's time stamps and :data:`AFTER` do not. {} for an absent folder."""
    files = {}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder).as_posix()
        is_apart = relative.split("/")[0] in APART or path.name == ".snakemake_timestamp"
        if path.is_file() and not is_apart and relative not in AFTER:
            files[relative] = path
    return files


def _git(root: Path, *arguments: str) -> str | None:
    """Standard output of git in ``root``, stripped; None where it fails or git is absent."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def job_times(folder: Path, rules: tuple[str, ...]) -> dict[str, dict[str, str | None]]:
    """Stem of a benchmark file → wall_s, cpu_s (seconds) and max_rss_mb as texts, None where the column is absent. ``rules``:
    beginnings of the paths, below ``folder``/benchmarks/, of the files read."""
    seconds = {}
    for path in sorted(folder.glob("benchmarks/**/*.tsv")):
        if not path.relative_to(folder / "benchmarks").as_posix().startswith(rules):
            continue
        row = next(csv.DictReader(path.read_text().splitlines(), delimiter="\t"))
        columns = {"wall_s": "s", "cpu_s": "cpu_time", "max_rss_mb": "max_rss"}
        seconds[path.stem] = {name: row.get(column) for name, column in columns.items()}
    return seconds


def content_seal(content: dict) -> str:
    """SHA-256 (hexadecimal) of a manifest's content, without its key ``seal``, keys sorted."""
    unsealed = {key: value for key, value in content.items() if key != "seal"}
    return text_sha256(json.dumps(unsealed, sort_keys=True, ensure_ascii=False))


def build_manifest(folder: Path, record: dict, project: Path, checks: pd.DataFrame) -> dict:
    """Content of audit/manifest.json: study, config, seeds, code, environment(s), checks, inputs, outputs, seconds, seal.
    Outputs have the checksums that their jobs recorded, present ones where none did; the database has digests of its tables.
    ``record``: audit/provenance.json; ``project``: the checkout whose commit is noted; ``checks``: audit/checks. Files that no
    rule of this run made, as from an earlier run with more inputs, are left out; :func:`verify` names them."""
    commit = _git(project, "rev-parse", "HEAD")
    changes = _git(project, "status", "--porcelain")
    outputs = {}
    checksums, made_in = digests(folder, "files"), environments(folder)
    desk = {file for product in catalog.products() if product.room in catalog.DESK for file in product.files}
    for relative, path in manifest_files(folder).items():
        entry = {"bytes": path.stat().st_size, "rule": provenance.maker(record, relative)}
        if entry["rule"] is None and relative not in desk:
            continue
        if relative == DATABASE:
            entry |= {"content": database.content_digests(path)}
            del entry["bytes"]
        else:
            # As its job left it: what was changed since is named.
            entry["sha256"] = checksums.get(relative) or sha256(path)
        if relative in made_in:
            entry["environment"] = made_in[relative]
        outputs[relative] = entry
    options = record["study"]["options"]
    packages = dict(environment.installed_versions())
    del packages["python"]
    content = {
        "study": record["study"]["name"],
        "config": record["study"],
        "seeds": {
            "options.seed": options.get("seed"),
            "simulate.seed": (record["study"].get("simulate") or {}).get("seed"),
        },
        "code": {
            "commit": commit,
            "dirty": None if changes is None else bool(changes),
            "rules": {name: entry["code_sha256"] for name, entry in record["rules"].items()},
        },
        "environment": {
            "python": platform.python_version(),
            "implementation": platform.python_implementation(),
            "platform": platform.platform(),
            "packages": packages,
        },
        "environments": {
            digest: environment.noted_versions(folder, digest) for digest in sorted(set(made_in.values()))
        },
        "checks": checks.groupby(["result", "severity"]).size().unstack(fill_value=0).to_dict("index"),
        "inputs": record["inputs"],
        "outputs": outputs,
        "seconds": job_times(folder, (*record["rules"], *provenance.DESK)),
    }
    return content | {"seal": content_seal(content)}


def seal_script(content: dict, several: bool) -> str:
    """Text of audit/seal.js: commit, ``dirty`` and seal of a manifest. ``several``: index.html links a page of all studies."""
    summary = content["code"] | {"seal": content["seal"]}
    del summary["rules"]
    if several:
        summary["several"] = True
    return f"window.seal = {json.dumps(summary)};\n"


def manifest_outputs(study: Study, checks: pd.DataFrame, several: bool) -> dict[str, Any]:
    """{run_manifest: dict of :func:`build_manifest`, run_seal: text of :func:`seal_script`} of a ``study``."""
    content = build_manifest(study.folder, study.provenance, PROJECT, checks)
    return {"run_manifest": content, "run_seal": seal_script(content, several)}


def load(folder: Path) -> dict:
    """The manifest of a results folder; ``DataError`` where there is none or it is not JSON."""
    path = folder / NAME
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError.at(str(path), "", "", str(error), "a run manifest") from None


class Problem(NamedTuple):
    """A difference from the manifest as a ``line``, with the ``rule`` to run again or the file to ``restore``, if any."""

    line: str
    rule: str | None = None
    restore: str | None = None


def verify(folder: str | Path) -> list[str]:
    """What differs from the manifest of a results folder, a line each (:func:`problems`); [] if nothing."""
    return [problem.line for problem in problems(Path(folder))]


def problems(folder: Path) -> list[Problem]:
    """What differs from the manifest of ``folder``: its seal, report.html, outputs, files that it does not list, inputs and paid
    replies. [] if nothing; ``DataError`` where there is no manifest."""
    content = load(folder)
    seal_of = "write_manifest"
    differences = []
    if content.get("seal") != content_seal(content):
        differences.append(Problem(f"{NAME}: changed (its seal does not fit its content)", seal_of))
    seals = [seal_script(content, several) for several in (False, True)]
    if not (folder / SEAL).exists() or (folder / SEAL).read_text(encoding="utf-8") not in seals:
        differences.append(Problem(f"{SEAL}: not that of {NAME}", seal_of))
    report = digests(folder, "files").get(REPORT)
    if report and (not (folder / REPORT).exists() or sha256(folder / REPORT) != report):
        differences.append(Problem(f"{REPORT}: missing or changed since it was written", restore=REPORT))
    present, outputs = manifest_files(folder), content.get("outputs", {})
    for relative, entry in outputs.items():
        # Of the rules of the desk none is named: all of them run again.
        rule = entry["rule"].split()[0] if entry["rule"] else "check_tables"
        if relative not in present:
            differences.append(Problem(f"{relative}: missing", rule))
        elif relative == DATABASE:
            lines = _database_changes(present[relative], entry["content"])
            differences += [Problem(line, "write_pages") for line in lines]
        elif sha256(present[relative]) != entry["sha256"]:
            maker = f" (made by {entry['rule']})" if entry["rule"] else ""
            differences.append(Problem(f"{relative}: changed{maker}", rule))
    for path, files in content.get("inputs", {}).items():
        differences += _input_problems(provenance.input_location(folder, path), path, files)
    for path, rule, state in changed_replies(folder):
        differences.append(Problem(f"{path}: {state}, with replies that {rule} used", restore=path))
    return differences + [Problem(f"{path}: not of this run") for path in present if path not in outputs]


def _input_problems(location: Path, path: str, recorded: dict[str, str]) -> list[Problem]:
    """Problems of the input ``path`` at ``location``: files missing, added or changed; ``recorded``: file → SHA-256."""
    checksums = {file.name: sha256(file) for file in files_of(location)}
    if checksums and set(recorded) == {provenance.WHOLE}:
        checksums = {provenance.WHOLE: sha256(location)}
    return [
        Problem(f"input {path}{'' if location.name == name else f'/{name}'}: {change}", restore=path)
        for name, change in _changes(recorded, checksums)
    ]


def _changes(recorded: dict[str, str], now: dict[str, str]) -> list[tuple[str, str]]:
    """(name, "missing", "added" or "changed") of each name whose checksum ``now`` is not the recorded one, sorted."""
    names = [name for name in sorted(recorded | now) if recorded.get(name) != now.get(name)]
    states = {(True, False): "missing", (False, True): "added", (True, True): "changed"}
    return [(name, states[name in recorded, name in now]) for name in names]


def repair_advice(differences: list[Problem]) -> list[str]:
    """Up to three lines, [] for none, on how to mend ``differences``: files to restore, rules to run, files to delete."""
    rules = sorted({problem.rule for problem in differences if problem.rule})
    files = sorted({problem.restore for problem in differences if problem.restore})
    lines = []
    if files:
        lines.append(
            f"restore the {'file' if len(files) == 1 else 'files'} {', '.join(files)}; "
            "or run the study again with what lies there now"
        )
    if rules:
        lines.append(
            f"make again what differs: snakemake --cores 8 … -R {' '.join(rules)} (… as in the run itself)"
        )
    if any(problem.rule is None and problem.restore is None for problem in differences):
        lines.append("what is not of this run was left by another, or put there: delete it")
    return lines


def _database_changes(path: Path, recorded: dict[str, str]) -> list[str]:
    """A line for each table or view whose digest (:func:`.database.content_digests`) is not as ``recorded``, or on a failure."""
    import duckdb

    try:
        contents = database.content_digests(path)
    except duckdb.Error as error:
        return [f"{DATABASE}: cannot be read ({str(error).splitlines()[0]})"]
    return [f"{DATABASE}: {name} {change}" for name, change in _changes(recorded, contents)]


def main(arguments: list[str] | None = None) -> int:
    """Command line (``arguments``, by default sys.argv): 0 for a folder as the run left it, 1 if not, 2 without a manifest."""
    import argparse

    parser = argparse.ArgumentParser(prog="verify", description="Recompute all checksums of a study.")
    parser.add_argument("study", help="results folder")
    options = parser.parse_args(arguments)
    try:
        differences = problems(Path(options.study))
    except DataError as error:
        print(error, file=sys.stderr)
        return 2
    for problem in differences:
        print(problem.line)
    for line in repair_advice(differences):
        print(f"to mend it: {line}")
    content = load(Path(options.study))
    counts = f"{len(content['outputs'])} files of the run, {len(content['inputs'])} inputs"
    print(f"{options.study}: {len(differences)} differences, {counts}")
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
