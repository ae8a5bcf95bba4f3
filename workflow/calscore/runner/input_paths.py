"""Files and folders that the configuration names: there, of their type and readable, before anything runs.

Snakemake looks for a job's inputs only where the job has to run: after one good run a name that
is mistyped would go unnoticed, and the results of before would stand under it.
"""

import difflib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from ..core import strict_json
from ..core.errors import DataError, Fault, Faults, raise_faults
from ..core.package import FOLDER
from ..core.schema import schema, schema_faults
from ..raw import formats

WORDS = {
    "file": "a file",
    "folder": "a folder",
    "path": "a file or folder",
    "reply": "a file",
    "store": "a folder",
}
"""Kinds of names. A ``reply`` answers requests that the workflow plans, and need not be there before they are sent; a
``store`` is made where there is none."""

FOLDERS, FILES = ("folder", "path", "store"), ("file", "path", "reply")


def _declared_paths(value: object, spec: dict, row: str, key: str) -> Iterator[tuple[str, str, str, str]]:
    """Yields (row, key, path, kind) of every name below ``value`` that its schema calls a file or folder."""
    spec = schema()["$defs"][spec["$ref"].rsplit("/", 1)[1]] if "$ref" in spec else spec
    if value is None:
        return
    if spec.get("format") in WORDS:
        yield row, key, value, spec["format"]
    elif isinstance(value, dict):
        below = f"{row}/{key}" if key else row
        for name, inner in spec.get("properties", {}).items():
            yield from _declared_paths(value.get(name), inner, below, name)
    elif isinstance(value, list):
        for number, item in enumerate(value, start=1):
            yield from _declared_paths(item, spec.get("items", {}), f"{row}/{key}", str(number))


def _path_problem(name: str, kind: str) -> str | None:
    """In words, what should be at the path ``name`` and is not; None if a readable file or folder of ``kind`` is there."""
    wanted, path = WORDS[kind], Path(name)
    # What no path can be (too long, a loop) does not exist for os.path, and is an error to pathlib.
    if not name or not os.path.exists(name):
        siblings = os.listdir(path.parent) if name and os.path.isdir(path.parent) else []
        near = difflib.get_close_matches(path.name, set(siblings) - {path.name}, n=1)
        meant = f" (did you mean {str(path.parent / near[0])!r}?)" if near else ""
        return f"{wanted} that exists{' (the link leads nowhere)' * os.path.islink(name) or meant}"
    folder = path.is_dir()
    if not (folder or path.is_file()) or kind not in (FILES, FOLDERS)[folder]:
        return wanted
    if not strict_json.readable(path):
        return f"{wanted} that can be read"
    lost = next((file for file in sorted(path.rglob("*")) if not strict_json.readable(file)), None)
    return f"{wanted} that can be read ({lost} cannot)" if lost else None


def files_in_input_folders(inputs: dict) -> dict[str, list[str]]:
    """``release_dir`` and ``results_dir`` → paths below them that ``inputs`` name; [] for an unset folder."""
    release = [file for role, file in (inputs.get("release") or {}).items() if role != "password"]
    results = [inputs["option_questions"]] if inputs.get("option_questions") else []
    results += [entry[setting] for entry in inputs["option_results"] for setting in ("normal", "distractor")]
    entries = {"release_dir": release, "results_dir": results}
    return {
        key: [os.path.join(inputs[key], file["name"]) for file in entries[key]] if inputs[key] else []
        for key in entries
    }


def _format_problem(source: dict) -> str | None:
    """In words, what a source of guesses should be if it has no file of its format; None if it has. Its path exists."""
    path, kind = Path(source["path"]), source["format"]
    if path.is_dir():
        pattern = formats.FORMATS[kind].pattern
        if not pattern:
            return f"a file of the format {kind}"
        return None if any(path.glob(pattern)) else f"a folder with files {pattern}"
    return None if formats.matches_format(path.name, kind) else f"a file of the format {kind}"


PAPER = json.loads((FOLDER / "ledger" / "paper.json").read_text(encoding="utf-8"))

# Sections that tell of which analysis published numbers are: the first that is there.
SECTIONS = {"buzz": "table1", "options": "facts"}


def _table_faults(numbers: dict, path: str) -> list[Fault]:
    """Faults of published ``numbers``: models of a table that ``models`` lacks, or ranks by other columns than the scores."""
    names, faults = set(numbers.get("models", ())), Faults(path)
    for table, part in (("table1", "scores"), ("table2", "accuracy"), ("table5", "calscore")):
        for group, rows in numbers.get(table, {}).get(part, {}).items():
            for name in sorted(set(rows) - names):
                faults.add(f"{table}/{part}/{group}", name, name, "a key of models")
            ranks = numbers[table]["ranks"].get(group, {}) if part == "scores" else {}
            for name in rows if part == "scores" else ():
                if set(ranks.get(name, ())) != set(rows[name]):
                    expected = f"ranks by {', '.join(rows[name])}"
                    faults.add(f"{table}/ranks/{group}", name, ranks.get(name), expected)
    return faults


def _published_problem(path: str, analyses: list[str]) -> str | None:
    """In words, what is expected of a file of published numbers that is not of any of ``analyses`` in
    :data:`SECTIONS`; None if it is, or there is no such analysis. ``DataError`` if it breaks the schema of
    published numbers."""
    wanted = {name: SECTIONS[name] for name in analyses if name in SECTIONS}
    try:
        numbers = strict_json.read_yaml(path)
    except DataError as error:
        return f"numbers that can be read ({error})"
    numbers = numbers if isinstance(numbers, dict) else {}
    about = next((name for name, section in SECTIONS.items() if section in numbers), None)
    if numbers and (not wanted or about in wanted):
        raise_faults(schema_faults(numbers, PAPER, path) or _table_faults(numbers, path))
        return None
    sections = " or ".join(f"{key} (section {section})" for key, section in wanted.items())
    return f"the numbers of a study of the analysis {sections}"


def check_paths(studies: dict[str, dict], file: str = "config") -> None:
    """Raise ``DataError`` with a fault for each file or folder of ``studies`` that is unreadable, unfit or
    absent. A ``store`` may be absent, and a ``reply`` until the study has tidy/option_results.parquet."""
    faults = Faults(file)
    for study, entry in studies.items():
        place, inputs = f"studies/{study}", entry["inputs"]
        answered = Path("results", study, "tidy", "option_results.parquet").exists()
        for row, key, path, kind in _declared_paths(entry, schema()["$defs"]["study"], place, ""):
            awaited = kind == "store" or (kind == "reply" and not answered)
            if path and awaited and not os.path.exists(path):
                continue
            if expected := _path_problem(path, kind):
                faults.add(row, key, path, expected)
        path = entry["published"]
        if path and os.path.isfile(path) and (expected := _published_problem(path, entry["analyses"])):
            faults.add(place, "published", path, expected)
        for key, files in files_in_input_folders(inputs).items():
            for path in files if inputs[key] and os.path.isdir(inputs[key]) else []:
                if expected := _path_problem(path, "file"):
                    faults.add(f"{place}/inputs", key, path, expected)
        for number, source in enumerate(inputs["guesses"], start=1):
            path = None if source.get("addresses") else source["path"]
            if path and os.path.exists(path) and (expected := _format_problem(source)):
                faults.add(f"{place}/inputs/guesses/{number}", "path", path, expected)
    faults.refuse()
