"""What other programs import from ``calscore.answers``: few requirements, soon there, typed."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import tomllib
import types
import typing

import calscore.answers
import pytest
from support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Requirement → the module that it brings, where that has another name.
MODULES = {"pystemmer": "Stemmer"}
SLOW_TO_LOAD = [
    "duckdb",
    "httpx",
    "jinja2",
    "jsonschema",
    "matplotlib",
    "nbclient",
    "nbconvert",
    "numpy",
    "pandas",
    "pyarrow",
    "pygments",
    "scipy",
    "seaborn",
    "simpleeval",
    "sklearn",
    "snakemake",
    "statsmodels",
    "tenacity",
    "tqdm",
    "yaml",
    "argparse",
    "asyncio",
    "concurrent.futures",
    "email",
    "http",
    "logging",
    "multiprocessing",
    "pickle",
    "sqlite3",
    "ssl",
    "subprocess",
    "unittest",
    "xml",
]
# Beside the engine, what the workflow alone asks for.
LATER = [
    f"calscore.answers.{name}"
    for name in ("checks", "evaluation", "training", "judging", "mark_audit", "plot")
]

ONLY = """
import sys

allowed = sys.stdlib_module_names | {%s}

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed:
            raise ModuleNotFoundError(f"blocked: {name}", name=name)

sys.meta_path.insert(0, Blocked())
"""
USE = """
from calscore.answers import condition_met, explain, from_dict, judge, parse, to_dict
from calscore.answers.__main__ import main

line = 'Battle of the Metaurus River [or Metauro until "Italy" is read; prompt on a battle]'
assert judge(line, "battle of metaurus river").verdict == "accept"
assert judge(from_dict(to_dict(parse(line))), "Metauro", condition_met(line, "in Italy")).rule == "too late"
assert judge("Spektor", "Qarth Spektor", question="who sang it").rule == "score"
assert judge("SN2", "SN2 reaction", tossup="Name this type of reaction.").rule == "said"
assert explain(line, "battle").clause == "prompt on a battle"
main(["--explain", line, "Metauro", "--read", "Italy"])
main(["--json", line])
"""


def requirements() -> set[str]:
    names = {re.match(r"[\w.-]+", one)[0] for one in PROJECT["dependencies"]}
    return {MODULES.get(name, name) for name in names}


def run(code: str, *options: str) -> subprocess.CompletedProcess:
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "workflow")


def test_the_engine_runs_with_the_base_requirements_alone():
    allowed = {"calscore", "cython_runtime", *requirements()}
    hook = ONLY % ", ".join(repr(name) for name in sorted(allowed))
    done = run(hook + USE)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "rule: too late" in done.stdout
    for name in ("pandas", "numpy", "snakemake"):  # the hook blocks
        assert f"blocked: {name}" in run(f"{hook}\nimport {name}").stderr


def test_every_base_requirement_is_needed():
    for name in requirements():
        hook = ONLY % ", ".join(repr(one) for one in {"calscore", *requirements()} - {name})
        assert f"blocked: {name}" in run(f"{hook}\nimport calscore.answers").stderr


def test_importing_it_loads_nothing_that_takes_long():
    """What makes an import slow, in place of the seconds, which depend on the machine."""
    code = (
        "import json, sys; before = set(sys.modules); import calscore.answers;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr[-2000:]
    loaded = set(json.loads(done.stdout))
    assert "calscore.answers" in loaded
    assert loaded & {*LATER, *SLOW_TO_LOAD} == set()
    places = {ROOT / "workflow" / "/".join(name.split(".")) for name in LATER}
    assert all(place.with_suffix(".py").exists() for place in places)


def test_names_are_functions_whichever_module_came_first():
    import importlib

    for name in ("parse", "explain"):
        importlib.import_module(f"calscore.answers.{name}")
        assert isinstance(getattr(calscore.answers, name), types.FunctionType)


def signatures():
    for name in calscore.answers.__all__:
        one = getattr(calscore.answers, name)
        if inspect.isfunction(one):
            yield name, one
            continue
        for method, function in vars(one).items():
            if isinstance(function, property):
                function = function.fget
            if inspect.isfunction(function) and not method.startswith("_"):
                yield f"{name}.{method}", function


@pytest.mark.parametrize(("name", "function"), list(signatures()))
def test_what_others_call_is_annotated_and_explained(name, function):
    module = sys.modules[function.__module__]
    hints = typing.get_type_hints(function, vars(module))
    assert set(hints) - {"return"} == set(inspect.signature(function).parameters) - {"self"}
    assert "return" in hints
    assert inspect.getdoc(function)


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "workflow" / "calscore" / "py.typed").exists()
