"""What Snakemake's own rules say of inputs, outputs, parameters and code, as plain data."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from types import SimpleNamespace

# Made from all the rest, so that they run again whatever changes; no table comes from them.
DESK = {
    "record_provenance",
    "check_tables",
    "pass_checks",
    "build_database",
    "write_audit_page",
    "write_manifest",
    "build_explorer",
    "execute_notebooks",
}


def _plain(value):
    """A parameter as JSON has it."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [
            _plain(one) for one in (sorted(value) if isinstance(value, (set, frozenset)) else value)
        ]
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def _given(function, matched: dict, outputs):
    """A parameter that a function gives, of the wildcards or of them and the outputs."""
    wildcards = SimpleNamespace(**matched)
    takes_outputs = "output" in inspect.signature(function).parameters
    return function(wildcards, outputs) if takes_outputs else function(wildcards)


def _behind(rule, matched: dict, package: Path) -> dict:
    """Inputs, outputs, parameters and code of one rule, wildcards filled in."""
    inputs = rule.expand_input(matched)[0]
    named = {
        key: [str(one) for one in ([value] if isinstance(value, str) else value)]
        for key, value in inputs.items()
    }
    outputs, _ = rule.expand_output(matched)
    return {
        "docstring": rule.docstring.strip() if rule.docstring else "",
        "input": named,
        "output": sorted(map(str, outputs)),
        "names": {key: _plain(value) for key, value in outputs.items()},
        "params": {
            key: _plain(_given(value, matched, outputs) if callable(value) else value)
            for key, value in rule.params.items()
        },
        "script": os.path.relpath(package / "scripts" / Path(rule.script).name),
    }


def rules_behind(rules, paths: list[str], package: Path) -> dict:
    """Rule → what it reads and writes, for every rule that some of ``paths`` comes from.

    ``rules``: those of the workflow; a rule with further wildcards than the study is listed once for each
    of their values. ``package``: the folder that holds scripts.
    """
    found, waiting = {}, list(paths)
    known: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in known:
            continue
        known.add(path)
        for rule in rules:
            if rule.name in DESK or not rule.is_producer(path):
                continue
            matched = rule.get_wildcards(path)
            further = [f"{key}={value}" for key, value in matched.items() if key != "study"]
            name = " ".join([rule.name, *further])
            if name not in found:
                found[name] = _behind(rule, matched, package)
                waiting += [one for many in found[name]["input"].values() for one in many]
    return dict(sorted(found.items()))
