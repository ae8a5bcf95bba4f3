"""Corrupt every table of four studies, column by column: the record of the job that made it names the file.

Checks catch most of it by themselves; how much is held to a floor. A changed file is named with its rule and
made again by the next run, and *made again* finds what no record would.
"""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from calscore.audit import checks, manifest, rebuild
from calscore.core import catalog, store
from calscore.core.results_folder import Study
from calscore.runner import job_records
from support import ROOT, Replaced, contents, copied, run_snakemake

pytestmark = pytest.mark.full


def kinds(frame, column):
    """(kind, value) of single corruptions of one cell of a column: another value, nothing."""
    values = frame[column]
    present = values[values.notna()]
    if present.empty:
        return
    row = present.index[len(present) // 2]
    old = values[row]
    if isinstance(old, (list, np.ndarray)):
        yield "changed", row, np.asarray(old) * 0.5
    elif pd.api.types.is_bool_dtype(values) or isinstance(old, (bool, np.bool_)):
        yield "changed", row, not old
    elif pd.api.types.is_integer_dtype(values):
        yield "changed", row, int(old) + 1
    elif pd.api.types.is_float_dtype(values):
        yield "changed", row, old + 0.01 if old < 0.5 else old - 0.01
    else:
        other = present[present != old]
        yield "changed", row, other.iloc[0] if len(other) else f"{old}x"
    yield "missing", row, None


def corruptions(frame):
    """(column, kind, corrupted frame) of every column, then of rows."""
    for column in frame:
        for kind, row, value in kinds(frame, column):
            yield column, kind, _with(frame, row, column, value)
    middle = len(frame) // 2
    if len(frame):
        yield "(row)", "deleted", frame.drop(frame.index[middle]).reset_index(drop=True)
        yield "(row)", "repeated", pd.concat([frame, frame.iloc[[middle]]], ignore_index=True)


def _with(frame, row, column, value):
    values = frame[column].astype(object)
    values[row] = value
    typed = frame.assign(**{column: values})
    if value is not None:
        typed[column] = typed[column].astype(frame[column].dtype)
    elif frame[column].dtype == bool:
        typed[column] = typed[column].astype("boolean")
    elif pd.api.types.is_integer_dtype(frame[column]):
        typed[column] = typed[column].astype("Int64")
    elif pd.api.types.is_float_dtype(frame[column]):
        typed[column] = typed[column].astype(float)
    return typed


def save(frame, path):
    if path.suffix == ".csv":
        store.write_csv(frame, path)
    else:
        frame.to_parquet(path)


def caught(study, name, frame) -> str | None:
    """The first check that fails with ``frame`` in place of table ``name``."""
    for row in checks.check_rows(Replaced(study, name, frame), name):
        if row["result"] == "fail":
            return row["check"]
    return None


CAUGHT = {"tiny_buzz": 0.6, "tiny_choices": 0.5, "tiny_irt": 0.6, "tiny_tournament": 0.4}
"""Study → least share of corruptions that the checks find by themselves; the records name every one."""


@pytest.fixture(params=CAUGHT)
def study(request):
    """Results of each of the four studies."""
    return request.getfixturevalue(request.param)


def test_nothing_is_found_where_nothing_is_wrong(study):
    assert checks.failures(checks.check_study(Study(study))["checks"]).empty
    assert manifest.verify(study) == []
    assert job_records.modified_outputs(study) == []


def test_every_single_corruption_is_named(study, tmp_path_factory, record_property):
    folder = copied(tmp_path_factory, f"{study.name}-corrupted", study)
    study = Study(folder)
    makers = {path: entry["rule"] for path, entry in manifest.load(folder)["outputs"].items()}
    passed, count = [], 0
    for name, table in study.tables.items():
        path = folder / table.file
        kept = folder.parent / "kept"  # a file within the study that no record knows is named too
        shutil.copy2(path, kept)
        written = set()
        for column, kind, frame in corruptions(study[name]):
            count += 1
            # The record knows bytes and no columns: a file is written once for each kind.
            if kind not in written:
                written.add(kind)
                save(frame, path)
                maker = makers[table.file].split()[0]
                assert job_records.modified_outputs(folder) == [(table.file, maker)]
                frame = store.load(path, name)
            if caught(study, name, frame) is None:
                passed.append(f"{name}.{column} {kind}")
        shutil.move(kept, path)
    record_property("corruptions", count)
    record_property("caught by checks", count - len(passed))
    assert count > 250
    assert 1 - len(passed) / count > CAUGHT[folder.name], passed


def test_every_table_is_read_by_an_invariant_or_says_why_not(study):
    study = Study(study)
    read: set[str] = set()
    for one in checks.checks():
        if set(one.needs) <= set(study.tables):
            read |= {*one.needs, *one.may}
    unread = [name for name in study.tables if name not in read]
    assert [name for name in unread if not catalog.table(name).get("unchecked")] == []


def test_every_table_declares_its_checks_or_says_why_not():
    for name in (one.name for one in catalog.products() if one.kind == "table"):
        said = catalog.table(name)
        assert bool(said.get("checks")) != bool(said.get("unchecked")), name


@pytest.mark.parametrize(
    ("which", "path", "column", "rule"),
    [
        ("tiny_tournament", "human/human_curve.parquet", "h", "estimate_human_curve"),
        ("tiny_buzz", "scores/sh_scores.parquet", "sh", "score_models"),
    ],
)
def test_a_changed_file_is_named_and_made_again(request, tmp_path_factory, which, path, column, rule):
    folder = copied(tmp_path_factory, f"{which}-changed", request.getfixturevalue(which))
    before = contents(folder)
    table = store.read(folder / path)
    table.loc[3, column] += 0.01
    store.write(table, Path(path).stem, folder / path)
    given = ("--configfile", f"{which}.yaml")
    # A run that is at work writes down what its jobs made, not what has become of it.
    checked = pd.read_csv(folder / "audit" / "checks.csv")
    anew = manifest.manifest_outputs(Study(folder), checked, False)["run_manifest"]
    known = manifest.load(folder)["outputs"][path]["sha256"]
    assert anew["outputs"][path]["sha256"] == known
    said = f"results/{which}/{path} was changed after {rule} made it: it is made again"
    dry = run_snakemake("--dry-run", "--quiet", "progress", *given, cwd=folder.parent.parent)
    assert said in dry.stdout + dry.stderr
    assert f"rule {rule}:" in dry.stdout + dry.stderr
    assert store.read(folder / path).equals(table)
    wanted = f"results/{which}/audit/checks.csv"
    done = run_snakemake(*given, "--", wanted, cwd=folder.parent.parent)
    assert said in done.stdout + done.stderr
    after = contents(folder)
    assert [name for name in before if before[name] != after[name]] == []
    again = run_snakemake("--dry-run", *given, "--", wanted, cwd=folder.parent.parent)
    assert "was changed" not in again.stdout + again.stderr
    assert "Nothing to be done" in again.stdout + again.stderr


def test_every_file_is_made_again(tiny_choices, tmp_path_factory):
    scripts = ROOT / "workflow" / "scripts"
    folder = copied(tmp_path_factory, "made-again", tiny_choices)
    found, apart, count = rebuild.rebuild_differences(folder, scripts)
    assert found == []
    assert {line.split(":")[0] for line in apart} == rebuild.OF_THE_RUN
    assert count > 40
    path = folder / "tables" / "judge_verdicts.csv"
    path.write_bytes(path.read_bytes().replace(b"right", b"wrong", 1))
    found, _, _ = rebuild.rebuild_differences(folder, scripts)
    assert "results/tiny_choices/tables/judge_verdicts.csv: not what compare_judges makes" in found


def test_a_file_in_a_folder_that_a_rule_made_is_no_stranger(tmp_path):
    folder = tmp_path / "results" / "one"
    (folder / "logs").mkdir(parents=True)
    made = folder / "raw" / "all"
    made.mkdir(parents=True)
    (made / "a.csv").write_text("1")
    job_records.write_job_record("collect", [made], folder / "logs" / "collect.log")
    assert job_records.modified_outputs(folder) == []
    (made / "b.csv").write_text("2")
    (made / "a.csv").write_text("3")
    changed = [(f"raw/all/{name}.csv", "collect") for name in "ab"]
    assert job_records.modified_outputs(folder) == changed
    # Another rule has made the file since: the first one's word holds no more.
    job_records.write_job_record("other", [made / "a.csv"], folder / "logs" / "other.log")
    assert job_records.modified_outputs(folder) == changed[1:]
    job_records.remove_job_record(folder / "logs" / "collect.log")
    assert job_records.modified_outputs(folder) == [("raw/all/b.csv", "")], "no record speaks of it"


def test_one_flipped_byte_anywhere_is_named(tiny_choices, tmp_path_factory):
    folder = copied(tmp_path_factory, "flipped", tiny_choices)
    for path in sorted(manifest.manifest_files(folder).values()):
        content = path.read_bytes()
        if not content:
            continue
        path.write_bytes(bytes([content[0] ^ 1]) + content[1:])
        problems = manifest.verify(folder)
        path.write_bytes(content)
        assert [line.split(":")[0] for line in problems] == [path.relative_to(folder).as_posix()]
    sealed = folder / manifest.NAME
    text = sealed.read_text(encoding="utf-8")
    sealed.write_text(text.replace('"implementation": "', '"implementation": "Not'))
    problems = manifest.verify(folder)
    assert problems == [f"{manifest.NAME}: changed (its seal does not fit its content)"]
