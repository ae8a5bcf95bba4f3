"""Which rule made each file of a study, from what, with which options and which code.

The content of audit/provenance.json, from Snakemake's own rules, as plain data: by it files are explained,
and made again (:mod:`calscore.audit.rebuild`).
"""

from __future__ import annotations

import inspect
import json
from graphlib import TopologicalSorter
from pathlib import Path

from ..core import catalog
from ..core.checksums import files_of, sha256
from ..core.package import PROJECT
from ..runner.job_records import digests

# Made from all the rest, so that they run again whatever changes; no table comes from them.
DESK = {
    "record_provenance",
    "check_tables",
    "write_manifest",
    "confirm_checks",
    "build_explorer",
    "write_pages",
    "write_ledger",
    "execute_notebooks",
}
WHOLE = "*"
"""In place of a file's name: the checksum is that of the whole folder, names and contents."""
OF_THE_RUN = {"record_provenance", "write_manifest", "confirm_checks"}
"""Rules that write down a run itself, its rules and times: another run has others."""


def _plain(value):
    """A parameter as JSON has it."""
    text = json.dumps(
        value, default=lambda item: sorted(item) if isinstance(item, set | frozenset) else str(item)
    )
    return json.loads(text)


class _Wildcards(dict):
    """As functions of rules take them: by name and as a mapping."""

    __getattr__ = dict.__getitem__


def _given(function, matched: dict, inputs, outputs):
    """Value of a parameter that is a function of the wildcards ``matched`` and perhaps ``input`` and ``output``."""
    parts = {"input": inputs, "output": outputs}
    taken = {name: parts[name] for name in inspect.signature(function).parameters if name in parts}
    return function(_Wildcards(matched), **taken)


def _behind(rule, matched: dict) -> dict:
    """Inputs, outputs, parameters and code of one rule, wildcards filled in."""
    inputs = rule.expand_input(matched)[0]
    named = {
        key: [str(path) for path in ([value] if isinstance(value, str) else value)]
        for key, value in inputs.items()
    }
    outputs, _ = rule.expand_output(matched)
    return {
        "docstring": rule.docstring.strip() if rule.docstring else "",
        "input": named,
        "lists": sorted(key for key, value in inputs.items() if not isinstance(value, str)),
        "output": sorted(map(str, outputs)),
        "names": {key: _plain(value) for key, value in outputs.items()},
        "params": {
            key: _plain(_given(value, matched, inputs, outputs) if callable(value) else value)
            for key, value in rule.params.items()
        },
        "wildcards": dict(matched),
        "log": [str(path) for path in rule.expand_log(matched)],
        "script": f"{_name(rule)}.py",
    }


def _name(rule) -> str:
    """A rule by its script, which bears its name whatever a workflow that includes this one calls it."""
    return Path(str(rule.script)).stem


def rules_behind(rules, paths: list[str], desk: list[str]) -> dict:
    """Rule → what it reads and writes, for every rule that some of ``paths`` comes from.

    ``rules``: those of the workflow; a rule with further wildcards than the study is listed once for each
    of their values. ``desk``: what is made from all the rest, its rules marked so.
    """
    rules = [rule for rule in rules if rule.script]
    entries, waiting = {}, list(paths)
    visited: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in visited:
            continue
        visited.add(path)
        for rule in rules:
            if _name(rule) in DESK or not rule.is_producer(path):
                continue
            matched = rule.get_wildcards(path)
            further = [f"{key}={value}" for key, value in matched.items() if key != "study"]
            name = " ".join([_name(rule), *further])
            if name not in entries:
                entries[name] = _behind(rule, matched)
                waiting += [one for many in entries[name]["input"].values() for one in many]
    for rule in rules:
        products = [path for path in desk if _name(rule) in DESK and rule.is_producer(path)]
        if products and _name(rule) not in OF_THE_RUN:
            entries[_name(rule)] = _behind(rule, rule.get_wildcards(products[0])) | {"desk": True}
    return dict(sorted(entries.items()))


def place(folder: Path, path: str) -> Path:
    """Path of an input as it was recorded: below the folder that holds results/ or, where it is not there, in the project."""
    candidate = folder.resolve().parent.parent / path
    return candidate if candidate.exists() else PROJECT / path


def named(path: str, root: Path, project: Path) -> str:
    """A path as it is written down: files of the project from its top, wherever the run takes place."""
    full_path = (root / path).resolve()
    return full_path.relative_to(project).as_posix() if full_path.is_relative_to(project) else path


def private(study: dict) -> set[str]:
    """Folders whose files may bear the names of people that the study hides."""
    if study["options"].get("names", "keep") == "keep":
        return set()
    return {folder for folder in [study["inputs"].get("qbj_dir")] if folder}


def _hidden(paths: list[str], folders: set[str]) -> list[str]:
    """``paths`` without doubles, where files in one of the private ``folders`` are replaced by that folder."""
    visible_paths = [
        next((folder for folder in folders if Path(path).is_relative_to(folder)), path)
        for path in paths
    ]
    return list(dict.fromkeys(visible_paths))


def record(study: dict, rules: dict, products, root: Path, project: Path, folder: str) -> dict:
    """Content of audit/provenance.json: study, folder, rules, desk, order, titles, inputs (file → SHA-256).

    ``rules``: of :func:`rules_behind`, paths relative to ``root``; ``project``: folder of the workflow, ``folder``: the
    study's. Rules are in an order in which each comes after those that it reads from; a private folder is one input.
    """
    titles = {file: product.title for product in products for file in product.files}
    private_folders = private(study)
    rules = {
        name: entry
        | {"input": {key: _hidden(paths, private_folders) for key, paths in entry["input"].items()}}
        for name, entry in rules.items()
    }
    desk = {
        name: _written(entry, root, project) for name, entry in rules.items() if "desk" in entry
    }
    rules = {name: entry for name, entry in rules.items() if name not in desk}
    ordered = {name: _written(rules[name], root, project) for name in order(rules)}
    outputs = {path for entry in rules.values() for path in entry["output"]}
    outside = {
        path
        for entry in rules.values()
        for paths in entry["input"].values()
        for path in paths
        if path not in outputs and not any(path.startswith(output + "/") for output in outputs)
    }
    # As the jobs have read them, whatever lies there by now.
    read = digests(root / folder, "read")
    return {
        "study": study,
        "folder": folder,
        "rules": ordered,
        "desk": desk,
        "order": list(ordered),
        "titles": titles,
        "inputs": {
            named(path, root, project): {WHOLE: read.get(path) or sha256(root / path)}
            if path in private_folders
            else {
                file.name: read.get(str(Path(path) / file.relative_to(root / path))) or sha256(file)
                for file in files_of(root / path)
            }
            for path in sorted(outside)
        },
    }


def _written(entry: dict, root: Path, project: Path) -> dict:
    """A rule as it is recorded: script by its name, inputs as :func:`named`, code_sha256 apart from the params."""
    params = dict(entry["params"])
    inputs = {
        key: [named(p, root, project) for p in paths] for key, paths in entry["input"].items()
    }
    return entry | {
        "script": Path(entry["script"]).name,
        "code_sha256": params.pop("code"),
        "params": params,
        "input": inputs,
    }


def order(rules: dict) -> list[str]:
    """Rules so that each comes after those whose outputs it reads."""
    makers = {path: name for name, entry in rules.items() for path in entry["output"]}
    needs = {
        name: sorted(
            {makers[path] for paths in entry["input"].values() for path in paths if path in makers}
        )
        for name, entry in rules.items()
    }
    return [*TopologicalSorter(dict(sorted(needs.items()))).static_order()]


def maker(record: dict, path: str) -> str | None:
    """The rule that made ``path`` (relative to the study's folder), None where no rule did."""
    full = record["folder"] + path
    for name, entry in record["rules"].items():
        if any(full == output or full.startswith(output + "/") for output in entry["output"]):
            return name
    return None


def recorded(about: dict, features: list[str], rules: dict, folder: str) -> dict:
    """audit/provenance.json of a study (``about``: its name and configuration) in ``folder``."""
    products = catalog.study_products(set(features))
    content = record(about, rules, products, Path.cwd(), PROJECT, folder)
    return {"provenance": content}
