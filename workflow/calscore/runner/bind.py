"""The step of a rule: its inputs bound to a function by name, what that returns written and checked.

A rule's script is its docstring and ``run(snakemake, function)``, or several functions, called in turn, a later one reading what
an earlier one made. A function is given, by the names of its parameters, the rule's inputs (a declared table as a frame, YAML as
what it says, anything else as a path, several as a list of paths; None where the study has none), its params, its wildcards and
``threads``; a parameter of type ``store.Stored`` is given the table on disk, one of type ``Study`` the study whose record the
rule reads; outputs that it writes itself (folders, files of many kinds) as paths. It returns what is written to the other
outputs, by their names: tables, figures, text, findings.
"""

import atexit
import gc
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from ..core import catalog, secrets
from ..core.errors import DataError
from . import disk_space, job_records

# Before anything else is imported: tables and figures leave few cycles of objects, and looking for them after every
# 700 new ones takes up to a tenth of a job's time.
gc.set_threshold(100_000)


@atexit.register
def _skip_last_collection() -> None:
    """Leave out the collection of garbage as a job ends, except with DuckDB, which complains of what it is left with."""
    if "duckdb" not in sys.modules:
        gc.freeze()


@contextmanager
def guard(snakemake) -> Iterator[None]:
    """Context manager: run the body, then write the job's record (:mod:`calscore.runner.job_records`) and its
    log. A ``DataError`` or a full disk, and any other error while there are keys to hide, ends the script
    with status 1 and is written to the rule's log, without keys. A rule without log has neither."""
    log = Path(snakemake.log[0]) if snakemake.log else None
    if log:
        job_records.remove_job_record(log)
        log.unlink(missing_ok=True)
        private = snakemake.params.get("private", ())
        inputs_before = job_records.record_inputs(snakemake.input, log, private)
    try:
        yield
        if log:
            replies = snakemake.params.get("reply_store")
            job_records.write_job_record(snakemake.rule, snakemake.output, log, inputs_before, replies)
            log.write_text("done\n", encoding="utf-8")
    except DataError as error:
        _exit_with(log, f"{snakemake.rule}: {error}")
    except Exception as error:
        if disk_space.is_full(error):
            _exit_with(log, f"{snakemake.rule}: {disk_space.full_disk_fault(snakemake.output, error)}")
        if not secrets.has_keys():
            raise
        _exit_with(log, f"{snakemake.rule}: {traceback.format_exc()}")


def _exit_with(log: Path | None, message: str) -> NoReturn:
    """Write ``message``, its keys hidden, to ``log``, and end with status 1. It also goes to standard error, unless
    ``--logger calscore`` shows the log that was written."""
    message = secrets.hide_keys(message)
    with suppress(OSError):  # a disk that is full takes no log either
        logged = log and log.write_text(message + "\n", encoding="utf-8")
        if logged and "CALSCORE_LOGGER" in os.environ:
            sys.exit(1)
    print(message, file=sys.stderr)
    sys.exit(1)


def _load_input(name: str, value: str | list[str]) -> object:
    """An input as a function is given it: frame, document of YAML, path, or list of paths; None for an empty list or document."""
    from ..core import store

    if not isinstance(value, str):
        return [Path(path) for path in value] or None
    if catalog.is_table(name):
        return store.load(value, name)
    if value.endswith((".yaml", ".yml")):
        return catalog.read_yaml(Path(value)) or None
    return Path(value)


def _type_name(parameter: inspect.Parameter) -> str:
    """Last part of the name of a parameter's annotation, written as text or not."""
    return getattr(parameter.annotation, "__name__", str(parameter.annotation)).split(".")[-1]


def arguments(
    snakemake, function: Callable, earlier_outputs: list[str], loaded: dict[str, object]
) -> dict[str, object]:
    """Arguments by name that ``function`` is called with; ``**`` takes the inputs left. ``TypeError`` where
    the rule lacks one without default. ``earlier_outputs``: names of outputs of earlier functions, which are
    read as inputs are. ``loaded``: cache of tables by path, filled here; functions get shallow copies."""

    def read(name: str, value):
        if not (isinstance(value, str) and catalog.is_table(name)):
            return _load_input(name, value)
        if value not in loaded:
            loaded[value] = _load_input(name, value)
        return loaded[value].copy(deep=False)

    given_arguments = {}
    inputs, params, outputs, wildcards = (
        dict(part.items())
        for part in (snakemake.input, snakemake.params, snakemake.output, snakemake.wildcards)
    )
    tables = inputs | {name: outputs[name] for name in earlier_outputs if name in outputs}
    plain = {"threads": getattr(snakemake, "threads", 1)} | wildcards | params
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            absent = inputs.keys() - given_arguments.keys()
            given_arguments |= {key: read(key, inputs[key]) for key in inputs if key in absent}
        elif _type_name(parameter) == "Study":
            from ..core.results_folder import Study

            given_arguments[name] = Study(Path(inputs["provenance"]).parent.parent)
        elif name in tables and _type_name(parameter) == "Stored":
            from ..core import store

            has_table = isinstance(tables[name], str)
            given_arguments[name] = store.Stored(Path(tables[name]), name) if has_table else None
        elif name in tables:
            given_arguments[name] = read(name, tables[name])
        elif name in plain:
            given_arguments[name] = plain[name]
        elif name in outputs:
            value = outputs[name]
            is_path = isinstance(value, str)
            given_arguments[name] = Path(value) if is_path else [Path(path) for path in value]
        elif parameter.default is parameter.empty:
            raise TypeError(f"rule {snakemake.rule} gives {function.__name__} no {name!r}")
    return given_arguments


def _write(snakemake, name: str, value: object, tables: dict[str, object]) -> None:
    """Write ``value`` to the output ``name``: a figure as SVG and PNG, a text, a dict as JSON, a list of findings as a table, or
    a table. Tables are checked against their declaration, their foreign keys against ``tables`` (name → frame)."""
    import json

    from ..core import store

    if hasattr(value, "savefig"):
        from ..core import theme

        out = snakemake.output
        theme.save(value, out[f"{name}_svg"], out[f"{name}_png"], snakemake.params.simulated)
        return
    path = snakemake.output[name]
    if isinstance(value, str):
        Path(path).write_text(secrets.hide_keys(value), encoding="utf-8")
    elif isinstance(value, dict):
        text = json.dumps(value, indent=1, ensure_ascii=False)
        Path(path).write_text(text + "\n", encoding="utf-8")
    else:
        if isinstance(value, list):
            from ..core import data_issues

            value = data_issues.issue_table(value)
        store.save(value, name, path, tables)


def run(snakemake, *functions: Callable) -> None:
    """Call each function in turn with the arguments that the rule has for it, and write what it returns to the outputs. A
    ``DataError`` ends the script (:func:`guard`). ``snakemake``: the object that Snakemake gives to a script."""
    with guard(snakemake):
        if any(str(path).endswith(".svg") for path in snakemake.output):
            from ..core import theme

            theme.apply_style()
        written: list[str] = []
        loaded: dict = {}
        for function in functions:
            written += _call_and_write(snakemake, function, written, loaded)


def _call_and_write(snakemake, function: Callable, earlier_outputs: list[str], loaded: dict) -> list[str]:
    """Call a function and write what it returns; returns the names of the outputs written."""
    given_arguments = arguments(snakemake, function, earlier_outputs, loaded)
    results = function(**given_arguments) or {}
    # Foreign keys are held against every table at hand.
    tables = {name: value for name, value in (given_arguments | results).items() if hasattr(value, "columns")}
    for name, value in results.items():
        _write(snakemake, name, value, tables)
        loaded.pop(snakemake.output.get(name), None)
    return list(results)
