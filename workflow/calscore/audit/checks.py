"""Checks of all of a study's tables, each with pass or fail (audit/checks.csv).

Any table that carries a schema is held against it: columns and types, missing values, ranges, keys, row
order, foreign keys, bounds of intervals. What holds between tables is said by the functions of
``<room>/checks.py``: none of them calls the code that made what it checks. A function's parameters name what
it reads: tables by their names (one with the default None where the study has it), ``table`` (the one that
it is a check of), ``options`` and ``names`` (model key → name) of the study, and its ``folder``. Its docstring is the
statement. A failed check of severity ``error`` fails the run, a ``warning`` does not.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from inspect import signature
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..buzz_policy import checks as buzzing
from ..clues import checks as clues
from ..core import catalog, store
from ..core.check_result import Outcome, failing_rows
from ..core.errors import DataError
from ..core.results_folder import Study
from ..guessers import checks as guess
from ..human import checks as human
from ..inference import checks as inference
from ..irt import checks as irt
from ..judging import checks as judging
from ..leaderboard import checks as leaderboard
from ..ledger import checks as published
from ..multiple_choice import checks as choices
from ..raw import checks as raw
from ..runner import job_records
from ..scores import checks as scores
from ..tournament import checks as tournament
from .provenance import maker

COLUMNS = ["table", "check", "severity", "result", "rows", "failures", "detail", "statement"]
_CHECKS = (
    *(judging, buzzing, choices, clues, guess, human, inference, irt, leaderboard),
    *(published, raw, scores, tournament),
)
ROOMS = {module.__name__.split(".")[-2]: module for module in _CHECKS}
"""Room → its checks."""
GIVEN = ("options", "names", "folder")
"""Parameters of a check that are no tables."""
CheckLine = tuple[str, str, str, Outcome, str]
"""What was checked: table, check, severity ("error" or "warning"), outcome, statement (what must hold, in words)."""


class Check(NamedTuple):
    """A ``function`` (of tables) that checks ``table``. ``needs``: names of tables that it must have, ``table`` first; ``may``:
    those that may be missing; ``statement``: what must hold, in words; ``severity``: "error" or "warning"."""

    table: str
    name: str
    needs: tuple[str, ...]
    may: tuple[str, ...]
    statement: str
    severity: str
    function: Callable


@cache
def checks() -> list[Check]:
    """Every declared :class:`Check` of every table, whatever a study has, in the order of the declarations."""
    declared = []
    for product in catalog.products():
        names = catalog.table(product.name).get("checks", []) if product.kind == "table" else []
        for name in names:
            function = getattr(ROOMS[product.room], name)
            parameters = signature(function).parameters
            reads = {n: product.name if n == "table" else n for n in parameters if n not in GIVEN}
            needs = [
                product.name,
                *(reads[n] for n in reads if parameters[n].default is parameters[n].empty),
            ]
            may = tuple(reads[n] for n in reads if parameters[n].default is None)
            statement = " ".join((function.__doc__ or "").split())
            severity = getattr(function, "severity", "error")
            words, needs = name.replace("_", " "), tuple(dict.fromkeys(needs))
            declared.append(Check(product.name, words, needs, may, statement, severity, function))
    return declared


# --- of one table ------------------------------------------------------------------------------


def declaration_checks(name: str, frame: pd.DataFrame, parents: Study) -> Iterator[CheckLine]:
    """Yields (table, check, severity, outcome, statement) for each check of the table ``name`` (``frame``) against its
    declaration. ``parents``: tables by name, for the foreign keys. Where columns are wrong nothing else is checked."""
    declared = catalog.table(name)
    key = declared["key"]

    def row(check, outcome, statement):
        return name, check, "error", outcome, statement

    declared_columns = [name for name in frame if catalog.column_of(str(name), declared)]
    wrong = [*(set(declared["columns"]) - set(frame)), *(set(frame) - set(declared_columns))]
    outcome = Outcome(len(frame.columns), len(wrong), ", ".join(map(str, wrong)))
    yield row("columns", outcome, "columns are those of the declaration")
    if wrong:
        return
    faults = store.value_faults(frame, name)
    outcome = Outcome(len(frame), len(faults), "; ".join(map(str, faults[:3])))
    yield row("values", outcome, "missing values, ranges and words are those of the declaration")
    double = frame.duplicated(key or None)
    statement = f"{', '.join(key)} occurs once" if key else "no row occurs twice"
    yield row("key", failing_rows(frame, double, *(key or list(frame)[:3])), statement)
    # A CSV keeps neither the types nor the order of its declaration.
    if declared["file"].endswith(".parquet"):
        kinds = _wrong_types(frame, declared["columns"])
        yield row("types", Outcome(len(frame.columns), len(kinds), ", ".join(kinds)), "column types")
        order = frame[key].sort_values(key, kind="stable").index
        outcome = Outcome(len(frame), int((order != frame.index).any()))
        yield row("order", outcome, "rows are sorted by their key")
    for parent, columns in declared.get("foreign_keys", {}).items():
        if parent in parents:
            parent_keys = pd.MultiIndex.from_frame(parents[parent][columns].drop_duplicates())
            child_keys = pd.MultiIndex.from_frame(frame[columns])
            lost = ~child_keys.isin(parent_keys) & frame[columns].notna().all(axis=1).to_numpy()
            statement = f"{', '.join(columns)} occurs in {parent}"
            yield row(f"rows of {parent}", failing_rows(frame, lost, *columns), statement)
    yield from number_checks(name, frame)


def _wrong_types(frame: pd.DataFrame, columns: dict[str, dict]) -> list[str]:
    """Names of the declared ``columns`` (name → declaration) whose dtype in ``frame`` is not of their type."""
    kinds = {
        "string": lambda s: s.dtype == object or pd.api.types.is_string_dtype(s),
        "integer": pd.api.types.is_integer_dtype,
        "number": pd.api.types.is_float_dtype,
        "boolean": pd.api.types.is_bool_dtype,
        "numbers": lambda s: s.dtype == object,
    }
    return [c for c, spec in columns.items() if not kinds[spec["type"]](frame[c])]


def number_checks(name: str, frame: pd.DataFrame) -> Iterator[CheckLine]:
    """Yields lines as :func:`declaration_checks`: whether all numbers but log scores are finite or missing. Then for each pair
    of columns ``…low``, ``…high``: both or neither, in order; a high declared unbounded may be missing."""
    floats = [c for c in frame if pd.api.types.is_float_dtype(frame[c])]
    if floats:
        wild = np.isinf(frame[floats].to_numpy(dtype=float, na_value=np.nan))
        # A log score is where a certain answer was wrong, and its note says so.
        wild &= [not str(c).startswith("log_score") for c in floats]
        if "metric" in frame:
            wild &= (frame["metric"] != "log_score").to_numpy(dtype=bool)[:, None]
        names = ", ".join(map(str, np.array(floats)[wild.any(axis=0)]))
        outcome = Outcome(len(frame), int(wild.sum()), names)
        yield name, "finite", "error", outcome, "no number but a log score is infinite"
    for low in (c for c in frame if str(c) == "low" or str(c).endswith("_low")):
        high = str(low)[: -len("low")] + "high"
        if high in frame and low in floats:
            lone = frame[low].isna() != frame[high].isna()
            if (catalog.column_of(high, catalog.table(name)) or {}).get("unbounded"):
                lone = frame[low].isna() & frame[high].notna()
            outcome = failing_rows(frame, (frame[low] > frame[high]) | lone, low, high)
            yield name, f"{low} ≤ {high}", "error", outcome, "both ends or neither, in order"


def name_checks(name: str, frame: pd.DataFrame, names: Mapping[str, str]) -> Iterator[CheckLine]:
    """Yields a line on the table ``name``, if it has a column "name" beside model, else team, else group: it is as in ``names``.

    ``names``: model, team or group → its name; without one any name passes. Line: as of :func:`declaration_checks`."""
    column = next((key for key in ("model", "team", "group") if key in frame), None)
    if column and "name" in frame:
        wrong = frame[column].isin(list(names)) & (frame["name"] != frame[column].map(names))
        statement = f"the name beside {column} is that of the configuration"
        yield name, "names", "error", failing_rows(frame, wrong, column, "name"), statement


# --- run -----------------------------------------------------------------------------------------


def check_outcome(check: Check, study: Study) -> Outcome:
    """Outcome of ``check`` on the study's tables, None for those it lacks. A check that raises counts as one failure."""
    arguments = {}
    for name in signature(check.function).parameters:
        table = check.table if name == "table" else name
        arguments[name] = getattr(study, name) if name in GIVEN else study.get(table)
    try:
        return check.function(**arguments)
    except Exception as error:
        # What cannot be computed is a failure of the tables, and the other checks still run.
        return Outcome(0, 1, f"cannot be computed: {type(error).__name__}: {error}")


def check_rows(study: Study, about: str | None = None) -> Iterator[dict]:
    """Yields a row (:data:`COLUMNS`) for each check that the study's tables allow. ``about``: only those that read this table."""
    for name in study.tables:
        if about in (None, name, *catalog.table(name).get("foreign_keys", {})):
            yield from map(_check_row, declaration_checks(name, study[name], study))
            yield from map(_check_row, name_checks(name, study[name], study.names))
    for check in checks():
        read = about in (None, *check.needs, *check.may)
        if read and all(name in study for name in check.needs):
            outcome = check_outcome(check, study)
            yield _check_row((check.table, check.name, check.severity, outcome, check.statement))


def _check_row(parts: CheckLine) -> dict:
    """A row of audit/checks.csv from ``parts``: table, check, severity, outcome, statement."""
    table, check, severity, outcome, statement = parts
    result = "fail" if outcome.failures else "pass"
    return dict(zip(COLUMNS, (table, check, severity, result, *outcome, statement), strict=True))


def check_study(study: Study) -> dict[str, pd.DataFrame]:
    """{"checks": table} with the columns :data:`COLUMNS`, a row for each check of :func:`check_rows`."""
    return {"checks": pd.DataFrame(check_rows(study), columns=COLUMNS)}


def failures(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of ``table`` (audit/checks) with result "fail" and severity "error": those that fail the run."""
    return table[(table["result"] == "fail") & (table["severity"] == "error")]


def confirm_checks(study: Study, checks: pd.DataFrame) -> dict[str, str]:
    """{"passed": a line}, which counts the checks that passed and the warnings. ``checks``: table audit/checks. ``DataError``
    if a check of severity error failed. It names table, check, the first row that breaks it, and files changed since."""
    failed = failures(checks)
    warned = int((checks["result"] == "fail").sum()) - len(failed)
    if failed.empty:
        return {"passed": f"{len(checks) - warned} checks passed, {warned} warnings\n"}
    changed = {name for name, rule in job_records.modified_outputs(study.folder) if rule}
    lines = [f"{len(failed)} checks failed"]
    for row in failed.itertuples():
        file = catalog.product(row.table, "table").file
        rule = maker(study.provenance, file)
        lines += [
            f"{row.table}: {row.check}: {row.failures} of {row.rows} rows; {row.detail}",
            f"  It must hold that {row.statement[:1].lower()}{row.statement[1:].rstrip('.')}.",
        ]
        if file in changed:
            lines.append(f"  {file} was changed after {rule} made it: run again, and {rule} makes it anew.")
    if not changed:
        lines.append(
            "No file was changed since its rule made it, so your data are hardly at fault, but a check or a rule of "
            f"this workflow. Please report these lines. All is made all the same: {study.folder}/audit/checks.csv has every "
            "check, and make verify works."
        )
    raise DataError("\n".join(lines))
