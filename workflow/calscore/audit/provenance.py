"""Which rule made each file of a study, from what, with which options and which code.

The content of audit/provenance.json, from Snakemake's own rules, as plain data: by it files are explained,
and made again (:mod:`calscore.audit.rebuild`).
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core import catalog
from ..core.checksums import files_of, sha256
from ..core.package import PROJECT
from ..runner.job_records import digests

if TYPE_CHECKING:
    from snakemake.io import Namedlist
    from snakemake.rules import Rule

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


def _plain(value: object) -> Any:
    """``value`` of a rule as JSON has it: sets as sorted lists, what JSON lacks as text."""
    text = json.dumps(
        value, default=lambda item: sorted(item) if isinstance(item, set | frozenset) else str(item)
    )
    return json.loads(text)


class _Wildcards(dict):
    """Wildcards as functions of rules take them: as attributes and as a mapping."""

    __getattr__ = dict.__getitem__


def _call_param(function: Callable, matched: dict[str, str], inputs: Namedlist, outputs: Namedlist) -> Any:
    """Value of a parameter that is a function of the wildcards ``matched`` and perhaps ``input`` and ``output``."""
    parts = {"input": inputs, "output": outputs}
    taken = {name: parts[name] for name in inspect.signature(function).parameters if name in parts}
    return function(_Wildcards(matched), **taken)


def _rule_entry(rule: Rule, matched: dict[str, str]) -> dict:
    """Record of one rule, wildcards filled in. Keys: docstring, input (name → paths), lists (inputs that are such), output
    (paths), names (of outputs → path or paths), params, wildcards, log and script."""
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
            key: _plain(_call_param(value, matched, inputs, outputs) if callable(value) else value)
            for key, value in rule.params.items()
        },
        "wildcards": dict(matched),
        "log": [str(path) for path in rule.expand_log(matched)],
        "script": f"{_rule_name(rule)}.py",
    }


def _rule_name(rule: Rule) -> str:
    """A rule's name from its script, as a workflow that includes this one may call the rule otherwise."""
    return Path(str(rule.script)).stem


def rules_behind(rules: Iterable[Rule], paths: list[str], desk: list[str]) -> dict[str, dict]:
    """Name of a rule → its record (:func:`_rule_entry`), sorted, for each with a script that some of ``paths`` comes from, also
    through others. ``rules``: those of the workflow; one with further wildcards than the study is listed for each of their
    values, as "rule key=value". ``desk``: paths that :data:`DESK` makes; its rules are marked, :data:`OF_THE_RUN` left out."""
    rules = [rule for rule in rules if rule.script]
    entries, waiting = {}, list(paths)
    visited: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in visited:
            continue
        visited.add(path)
        for rule in rules:
            if _rule_name(rule) in DESK or not rule.is_producer(path):
                continue
            matched = rule.get_wildcards(path)
            further = [f"{key}={value}" for key, value in matched.items() if key != "study"]
            name = " ".join([_rule_name(rule), *further])
            if name not in entries:
                entries[name] = _rule_entry(rule, matched)
                waiting += [one for many in entries[name]["input"].values() for one in many]
    for rule in rules:
        products = [path for path in desk if _rule_name(rule) in DESK and rule.is_producer(path)]
        if products and _rule_name(rule) not in OF_THE_RUN:
            entries[_rule_name(rule)] = _rule_entry(rule, rule.get_wildcards(products[0])) | {"desk": True}
    return dict(sorted(entries.items()))


def input_location(folder: Path, path: str) -> Path:
    """Path of an input recorded as ``path``: beside results/ or, where it is not there, in the project."""
    candidate = folder.resolve().parent.parent / path
    return candidate if candidate.exists() else PROJECT / path


def recorded_path(path: str, root: Path, project: Path) -> str:
    """``path`` as it is written down: relative to ``project`` if in it, else unchanged. It is given from ``root``."""
    full_path = (root / path).resolve()
    return full_path.relative_to(project).as_posix() if full_path.is_relative_to(project) else path


def private_folders(study: dict) -> set[str]:
    """Input folders whose files may have names of people that the ``study`` hides; empty if names are kept."""
    if study["options"].get("names", "keep") == "keep":
        return set()
    return {folder for folder in [study["inputs"].get("qbj_dir")] if folder}


def _hide_private(paths: list[str], folders: set[str]) -> list[str]:
    """``paths`` without repeats, each in one of the private ``folders`` replaced by that folder."""
    visible_paths = [
        next((folder for folder in folders if Path(path).is_relative_to(folder)), path) for path in paths
    ]
    return list(dict.fromkeys(visible_paths))


def record(
    study: dict,
    rules: dict[str, dict],
    products: Iterable[catalog.Product],
    root: Path,
    project: Path,
    folder: str,
) -> dict:
    """Content of audit/provenance.json: study, folder, rules (name → record), desk (likewise), order (names), titles (file → that
    of its product), inputs (path → file, or :data:`WHOLE`, → SHA-256). ``rules``: of :func:`rules_behind`, paths from ``root``;
    ``project``: folder of the workflow, ``folder``: the study's. Rules come after those that they read from."""
    titles = {file: product.title for product in products for file in product.files}
    private = private_folders(study)
    rules = {
        name: entry | {"input": {key: _hide_private(paths, private) for key, paths in entry["input"].items()}}
        for name, entry in rules.items()
    }
    desk = {name: _recorded_rule(entry, root, project) for name, entry in rules.items() if "desk" in entry}
    rules = {name: entry for name, entry in rules.items() if name not in desk}
    ordered = {name: _recorded_rule(rules[name], root, project) for name in order_rules(rules)}
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
            recorded_path(path, root, project): {WHOLE: read.get(path) or sha256(root / path)}
            if path in private
            else {
                file.name: read.get(str(Path(path) / file.relative_to(root / path))) or sha256(file)
                for file in files_of(root / path)
            }
            for path in sorted(outside)
        },
    }


def _recorded_rule(entry: dict, root: Path, project: Path) -> dict:
    """A rule of :func:`rules_behind` as it is recorded: inputs as :func:`recorded_path`, code_sha256 beside the params."""
    params = dict(entry["params"])
    inputs = {key: [recorded_path(p, root, project) for p in paths] for key, paths in entry["input"].items()}
    return entry | {
        "script": Path(entry["script"]).name,
        "code_sha256": params.pop("code"),
        "params": params,
        "input": inputs,
    }


def order_rules(rules: dict[str, dict]) -> list[str]:
    """Names of ``rules`` (name → record) so that each comes after those whose outputs it reads. ``CycleError`` where none can."""
    makers = {path: name for name, entry in rules.items() for path in entry["output"]}
    needs = {
        name: sorted({makers[path] for paths in entry["input"].values() for path in paths if path in makers})
        for name, entry in rules.items()
    }
    return [*TopologicalSorter(dict(sorted(needs.items()))).static_order()]


def maker(record: dict, path: str) -> str | None:
    """Rule of a :func:`record` that made ``path`` (from the study's folder) or a folder above; None for none or one of the desk."""
    full = record["folder"] + path
    for name, entry in record["rules"].items():
        if any(full == output or full.startswith(output + "/") for output in entry["output"]):
            return name
    return None


def study_provenance(
    about: dict, features: list[str], rules: dict[str, dict], folder: str
) -> dict[str, dict]:
    """{"provenance": the :func:`record`} of a study in ``folder`` below the working folder. ``about``: its name and
    configuration; ``features``: of the study; ``rules``: of :func:`rules_behind`."""
    products = catalog.study_products(set(features))
    content = record(about, rules, products, Path.cwd(), PROJECT, folder)
    return {"provenance": content}
