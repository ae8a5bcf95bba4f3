"""Two runs side by side: which numbers differ, by how much, and which rule made the first difference.

``python -m calscore.audit.compare A B`` (``make compare``). A and B are results folders, of one study or of
two, or configuration files, which are then run up to their tables in scratch folders. Files that are laid
over each other are named together: ``"config/grace.yaml mine.yaml"``.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ..core import store
from ..core.checksums import combined_sha256, files_of
from ..core.errors import DataError
from ..core.package import PROJECT
from ..core.results_folder import Study
from . import provenance

COLUMNS = ["table", "rule", "column", "rows", "differ", "largest", "first"]
Comparison = tuple[pd.DataFrame, tuple[str, list[str]] | None, dict[str, str]]
"""(a row of :data:`COLUMNS` for each column that differs, :func:`first_difference`, :func:`changed_files`)."""


def _rule_outputs(a: dict, b: dict) -> dict[str, list[str]]:
    """Rule of provenance ``a`` in order of the flow, then of ``b`` → paths of its outputs, relative to the study's folder."""
    paths: dict[str, list[str]] = {}
    for record in (a, b):
        for name in record["order"]:
            made = (path.removeprefix(record["folder"]) for path in record["rules"][name]["output"])
            paths[name] = list(dict.fromkeys([*paths.get(name, ()), *made]))
    return paths


def changed_files(study_a: Study, study_b: Study) -> dict[str, str]:
    """Output path (relative to the study's folder) → ``changed``, ``only in A`` or ``only in B``, in the order of the rules.
    Left out are equal files, and files of one side alone unless they are tables, texts or JSON."""
    changes = {}
    for paths in _rule_outputs(study_a.provenance, study_b.provenance).values():
        for path in paths:
            a, b = (_file_digest(study, path) for study in (study_a, study_b))
            if a and b:
                changes |= {path: "changed"} if a != b else {}
            elif (a or b) and path.endswith((".parquet", ".csv", ".json", ".md", ".tex")):
                # A configuration is run up to its tables: what else it lacks is no difference.
                changes[path] = "only in A" if a else "only in B"
    return changes


def _file_digest(study: Study, relative: str) -> str | None:
    """Checksum of a file or folder of the study, None where it is absent."""
    files = files_of(study.folder / relative)
    return combined_sha256(files) if files else None


def first_difference(study_a: Study, study_b: Study, changed: dict[str, str]) -> tuple[str, list[str]] | None:
    """(first rule, in the order of the flow, with outputs in ``changed``, reasons in words, at least one); None where no rule's
    are. ``changed``: of :func:`changed_files`. Reasons: its options, code and inputs from outside."""
    a, b = study_a.provenance, study_b.provenance
    for name, paths in _rule_outputs(a, b).items():
        if set(paths) & set(changed):
            return name, _reasons(a, b, name)
    return None


def _reasons(a: dict, b: dict, name: str) -> list[str]:
    """Why rule ``name`` may give other files: a line for each option, code or outside input that differs, or for none."""
    rule_a, rule_b = a["rules"].get(name), b["rules"].get(name)
    if rule_a is None or rule_b is None:
        return [f"only {'B' if rule_a is None else 'A'} has this rule"]
    reasons = [
        f"option {option}: {x!r} in A, {y!r} in B"
        for option, x, y in _leaf_differences(rule_a["params"], rule_b["params"])
    ]
    if rule_a["code_sha256"] != rule_b["code_sha256"]:
        reasons.append(f"code: {rule_a['code_sha256'][:12]} in A, {rule_b['code_sha256'][:12]} in B")
    inputs_a, inputs_b = (_outside_inputs(record, record["rules"][name]) for record in (a, b))
    reasons += [
        f"input {path}: {_short_digests(x)} in A, {_short_digests(y)} in B"
        for path in sorted(inputs_a | inputs_b)
        if (x := inputs_a.get(path)) != (y := inputs_b.get(path))
    ]
    return reasons or ["neither options nor code nor inputs differ: a file was changed by hand"]


def _outside_inputs(record: dict, rule: dict) -> dict[str, dict[str, str]]:
    """Name of each input of ``rule`` that no rule made → (file → SHA-256). By name, as two paths may reach one file."""
    return {
        Path(path).name: record["inputs"][path]
        for paths in rule["input"].values()
        for path in paths
        if path in record["inputs"]
    }


def _short_digests(files: dict[str, str] | None) -> str:
    """First twelve digits of each checksum in ``files`` (file → SHA-256), joined by commas; "absent" for None."""
    return "absent" if files is None else ", ".join(digest[:12] for digest in files.values())


def _leaf_differences(left: object, right: object, place: str = "") -> Iterator[tuple[str, object, object]]:
    """Yields (dotted key, left, right) of each value that differs between two nested dicts; a missing one is None."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(set(left) | set(right)):
            yield from _leaf_differences(left.get(key), right.get(key), f"{place}.{key}".lstrip("."))
    elif left != right:
        yield place, left, right


def compare_tables(name: str, table_a: pd.DataFrame, table_b: pd.DataFrame) -> list[dict]:
    """Rows with :data:`COLUMNS` (rule "") for each column that differs, and for rows or columns that only one table has; [] for
    equal tables. Rows are matched by the key of table ``name``, or by position (at equal length) where it has none or repeats."""
    differences = [
        _difference_row(name, column, 0, 0, "", f"only in {'A' if column in table_a else 'B'}")
        for column in [*table_a, *table_b]
        if (column in table_a) != (column in table_b)
    ]
    # As plain objects: keys are equal whatever type a side without values was read as.
    key = [c for c in store.schema(name)["key"] if c in table_a and c in table_b]
    types = dict.fromkeys(key, object)
    # A copy joins the blocks of a wide table, into which columns are inserted slowly.
    table_a, table_b = (side.reset_index(drop=True).astype(types).copy() for side in (table_a, table_b))
    if not key or table_a.duplicated(key).any() or table_b.duplicated(key).any():
        if len(table_a) != len(table_b):
            gap = abs(len(table_a) - len(table_b))
            return [*differences, _difference_row(name, "(rows)", len(table_a), gap, "", "rows")]
        table_a, table_b = (side.assign(row=range(len(side))) for side in (table_a, table_b))
        key = ["row"]
    columns = [c for c in table_a if c in table_b and c not in key]
    both = table_a[[*key, *columns]].merge(
        table_b[[*key, *columns]], on=key, how="outer", suffixes=(" A", " B"), indicator=True
    )
    for side, words in (("left_only", "only in A"), ("right_only", "only in B")):
        lone = both[both["_merge"] == side]
        if len(lone):
            example = f"{words}: {_key_text(lone.iloc[0], key)}"
            differences.append(_difference_row(name, "(rows)", len(both), len(lone), "", example))
    both = both[both["_merge"] == "both"]
    for column in dict.fromkeys(columns):
        values_a, right = both[f"{column} A"], both[f"{column} B"]
        numeric = pd.api.types.is_numeric_dtype(values_a) and pd.api.types.is_numeric_dtype(right)
        none = values_a.isna() & right.isna()
        if numeric:
            gap = (right.astype(float) - values_a.astype(float)).abs()
            differ = ~none & ~(gap == 0)
            largest = gap[differ].max() if differ.any() else 0.0
        else:
            differ, largest = ~none & (values_a.astype(str) != right.astype(str)), ""
        if differ.any():
            row = both[differ].iloc[0]
            ends = [row[f"{column} {side}"] for side in "AB"]
            missing = [side[differ].isna().iloc[0] for side in (values_a, right)]
            if not numeric and any(missing):
                # A study without texts may stand beside the one that it was made from.
                ends = ["none" if end else "some" for end in missing]
            example = f"{_key_text(row, key)}: {ends[0]!s} in A, {ends[1]!s} in B"
            differences.append(_difference_row(name, column, len(both), int(differ.sum()), largest, example))
    return differences


def _difference_row(name: str, column: str, rows: int, differ: int, largest: float | str, first: str) -> dict:
    """A row of :data:`COLUMNS` without rule."""
    return dict(zip(COLUMNS, (name, "", column, rows, differ, largest, first), strict=True))


def _key_text(row: pd.Series, key: list[str]) -> str:
    """``key=value, …`` of a row's key."""
    return ", ".join(f"{c}={row[c]}" for c in key)


def compare_runs(a: Study, b: Study) -> Comparison:
    """(a row of :data:`COLUMNS` for each column that differs, :func:`first_difference`, :func:`changed_files`) of two studies."""
    changed = changed_files(a, b)
    rows = []
    for name, table in a.tables.items():
        if changed.get(table.file) != "changed" or name not in b:
            continue
        for line in compare_tables(name, a[name], b[name]):
            rows.append(line | {"rule": provenance.maker(a.provenance, table.file) or ""})
    return pd.DataFrame(rows, columns=COLUMNS), first_difference(a, b, changed), changed


def crowd_warning(studies: list[Study]) -> str:
    """A warning where the two ``studies`` have other numbers of human teams; "" otherwise or if one has no teams."""
    if any("teams" not in study for study in studies):
        return ""
    a, b = (int((study["teams"]["kind"] == "human").sum()) for study in studies)
    if a == b:
        return ""
    return f"A has {a} human teams, B {b}: their h and CalScores cannot be compared (tables/crowd_sizes.csv)"


def render(a: str, b: str, result: Comparison) -> str:
    """The ``result`` of :func:`compare_runs` as text of some lines; ``a`` and ``b``: what the two sides are called."""
    table, origin, changed = result
    if not changed:
        return f"A {a}\nB {b}\nno difference"
    lines = [f"A {a}", f"B {b}", f"{len(changed)} files differ"]
    lines += [f"  {path}: {state}" for path, state in changed.items() if state != "changed"]
    if origin:
        lines += ["", f"first difference made by {origin[0]}", *(f"  {reason}" for reason in origin[1])]
    if len(table):
        printed = table.assign(largest=[v if v == "" else f"{v:.6g}" for v in table["largest"]])
        lines += ["", printed.to_string(index=False, max_colwidth=90)]
    return "\n".join(lines)


# --- configuration files -----------------------------------------------------------------------


def run_config(configs: list[Path], scratch: Path, cores: int) -> Path:
    """Run ``configs`` (each laid over those before it) up to their tables on ``cores`` in ``scratch``, a new folder; returns
    ``scratch``/results. ``scratch`` has links to the working folder's files but results. ``DataError`` where the run fails."""
    scratch.mkdir(parents=True)
    for entry in Path.cwd().iterdir():
        if entry.name not in ("results", ".snakemake"):
            (scratch / entry.name).symlink_to(entry)
    command = [sys.executable, "-m", "snakemake", "numbers"]
    command += ["--snakefile", str(PROJECT / "Snakefile")]
    command += ["--directory", str(scratch), "--configfile"]
    command += [str(config.resolve()) for config in configs]
    command += ["--cores", str(cores), "--quiet", "rules", "--profile", "none"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        listed = " ".join(map(str, configs))
        raise DataError(f"{listed} cannot be run:\n{_error_lines(done.stdout + done.stderr)}")
    return scratch / "results"


def _error_lines(output: str) -> str:
    """Up to 20 lines of Snakemake's ``output`` from the first error on, or its last 20 without one."""
    lines = [line for line in output.splitlines() if line.strip() and '  File "' not in line]
    places = [i for i, line in enumerate(lines) if re.search(r"(Error|Exception)\b", line)]
    return "\n".join(lines[places[0] if places else -20 :][:20])


def results_folders(path: str, scratch: Path, cores: int) -> dict[str, Path]:
    """Name of each study → its results folder, that with audit/provenance.json. ``path``: a results folder, or configuration
    files (separated by spaces), which are run in ``scratch``. ``DataError`` where it is neither."""
    argument = Path(path)
    if argument.is_dir():
        return {Study(argument).provenance["study"]["name"]: argument}
    configs = [argument] if argument.exists() else [Path(part) for part in path.split()]
    suffixes = (".yaml", ".yml", ".json")
    if configs and all(config.suffix in suffixes and config.exists() for config in configs):
        results = run_config(configs, scratch, cores)
        studies = [path.parent.parent for path in results.glob("*/audit/provenance.json")]
        return {path.name: path for path in studies}
    raise DataError.at(path, "", "", path, "a results folder or a configuration file")


def main(arguments: list[str] | None = None) -> int:
    """Command line (``arguments``, by default sys.argv): 0 without a difference, 1 with, 2 where the two cannot be compared."""
    import argparse

    parser = argparse.ArgumentParser(prog="compare", description="Compare two runs or two configurations.")
    parser.add_argument("a", help="results folder or configuration file")
    parser.add_argument("b", help="likewise")
    parser.add_argument("--study", help="study to compare, where a configuration has several")
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            sides = [
                results_folders(path, Path(scratch) / side, options.cores)
                for path, side in ((options.a, "A"), (options.b, "B"))
            ]
            pairs = _folder_pairs(*sides, options.study)
            differ = False
            for folder_a, folder_b in pairs:
                a, b = Study(folder_a), Study(folder_b)
                result = compare_runs(a, b)
                print(render(options.a, options.b, result))
                if warning := crowd_warning([a, b]):
                    print(warning)
                differ |= bool(result[2])
    except DataError as error:
        print(error, file=sys.stderr)
        return 2
    return int(differ)


def _folder_pairs(a: dict[str, Path], b: dict[str, Path], study: str | None) -> list[tuple[Path, Path]]:
    """(A, B) folders to compare: of ``study``, else of the only one of each side, else of shared ones. ``DataError`` for none."""
    if study:
        for side in (a, b):
            if study not in side:
                raise DataError.at("compare", "", "study", study, f"one of {', '.join(side)}")
        return [(a[study], b[study])]
    if len(a) == len(b) == 1:
        # Two results folders may hold the same study under two names.
        return [(next(iter(a.values())), next(iter(b.values())))]
    shared = [name for name in a if name in b]
    if not shared:
        raise DataError.at("compare", "", "study", ", ".join(a), f"one of {', '.join(b)}")
    return [(a[name], b[name]) for name in shared]


if __name__ == "__main__":
    sys.exit(main())
