"""Corrupt every table, column by column: the manifest names the file, and a check fails or is listed here.

``UNCAUGHT`` lists what no check could catch, with the reason. An entry that is caught after all fails too.
"""

from __future__ import annotations

import json
import shutil

import desk
import numpy as np
import pandas as pd
import pytest
from calscore import store
from calscore.audit import checks, manifest
from calscore.audit.study import Study, read_csv

# Why nothing in the study could tell; the manifest names the file all the same. What the checks leave
# out everywhere is resampling again: a bound, error or p value that a second table repeats is caught by
# that table (where it shows the row), any other is listed.
LEDGER = "statements of the paper and values as they were found; the published file is an input"
RESAMPLED = "bounds come from resampling, and the checks do not resample again"
PRINTED = "what each printed number was held against: the published file is an input; verdicts and counts of readings are checked"
FOUND = "a finding is a sentence about the input, written once"

# Table → reason and the columns where some single corruption passes every check.
UNCAUGHT = {
    "manifest": ("describes raw files, whose own checksums verify holds; no table repeats it", "role file source bytes sha256 checked (row)"),
    "scores/fuller_scores": (RESAMPLED + "; the wide table shows other rows", "low high"),
    "fuller_comparisons": (RESAMPLED, "se low high bca_low bca_high two_way_low two_way_high p_a_better two_way_p_a_better"),
    "incidence": (RESAMPLED, "high"),
    "buzz_given": (RESAMPLED, "low high"),
    "buzz_positions": (RESAMPLED + "; a row without buzzes says nothing that its absence does not", "correct high (row)"),
    "claims": (LEDGER, "id section statement predicate published recomputed tolerance status evidence intervals note (row)"),
    "cumulative_buzzes": (RESAMPLED, "per_question_high per_match_high per_clue_high per_question_two_way_high"),
    "expected_wins": (RESAMPLED, "low high"),
    "exposure_correlation": (RESAMPLED, "spearman_low spearman_high pearson_low pearson_high"),
    "fair_quartiles": (RESAMPLED, "high split_high"),
    "forensics": (PRINTED, "cell elicitation model share metric check definition h_definition segmentation state columns read_as data given n printed printed_low low high slack proof (row)"),
    "forensics_readings": ("a table with its total, a pairing that only the published file declares", "definition columns"),
    "leaderboard": (RESAMPLED, "low high"),
    "leaderboard_ranks": (RESAMPLED, "two_way_low two_way_high rank_high p_first"),
    "matchers": (RESAMPLED, "high"),
    "matches": (RESAMPLED, "low high"),
    "quartile_shrinkage": (RESAMPLED, "gap_all_low gap_all_high gap_same_half_low gap_same_half_high gap_other_half_low gap_other_half_high shrinkage_low shrinkage_high"),
    "risk_coverage": (RESAMPLED, "high"),
    "survey_buzz_given": (RESAMPLED, "low high"),
    "tables/opponents": (RESAMPLED, "pi_low pi_high"),
    "thresholds": (RESAMPLED, "low high mean_revealed_low mean_revealed_high mean_words_low mean_words_high"),
    "findings": (FOUND, "stage finding severity place detail handling (row)"),
}  # fmt: skip


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


class Replaced(dict):
    """A study's tables with one replaced."""

    def __init__(self, study, name, frame):
        super().__init__({name: frame})
        self.study = study

    def __missing__(self, name):
        return self.study[name]


def caught(study, schemas, name, frame, traces) -> str | None:
    """The first check that fails with ``frame`` in place of table ``name``."""
    kept = {} if name in checks.TRACED else traces
    for row in checks.run(Replaced(study, name, frame), study.options, schemas, name, kept):
        if row["result"] == "fail":
            return row["check"]
    return None


@pytest.fixture(scope="module")
def small(demo, tmp_path_factory):
    folder = desk.small_study(demo, tmp_path_factory.mktemp("small"))
    record = Study(folder).provenance
    content = manifest.build(folder, record, desk.ROOT)
    (folder / manifest.NAME).write_text(json.dumps(content), encoding="utf-8")
    return folder


def test_nothing_is_found_where_nothing_is_wrong(small):
    assert checks.failed(checks.of_study(Study(small))) == []
    assert manifest.verify(small) == []


def listed(table, column):
    """The entry of :data:`UNCAUGHT` that speaks of a column."""
    return (table, column) if column in UNCAUGHT.get(table, ("", ""))[1].split() else None


def test_every_single_corruption_is_caught(small):
    study = Study(small)
    schemas = {name: table.schema for name, table in study.tables.items()}
    traces: dict = {}
    silent, used, count = [], set(), 0
    for name, table in study.tables.items():
        path = small / table.path
        kept = path.with_suffix(".kept")
        shutil.copy(path, kept)
        for column, kind, frame in corruptions(study[name]):
            count += 1
            save(frame, path)
            assert any(
                line.startswith(f"{table.path}: changed") for line in manifest.verify(small)[:1]
            )
            frame = store.read(path) if path.suffix == ".parquet" else read_csv(path)
            by = caught(study, schemas, name, frame, traces)
            if by is None and not listed(name, column):
                silent.append(f"{name}.{column}: {kind}")
            elif by is None:
                used.add((name, column))
        shutil.move(kept, path)
    assert count > 500
    assert silent == []
    entries = {
        (name, column) for name, (_, columns) in UNCAUGHT.items() for column in columns.split()
    }
    assert entries == used, "listed, but caught or not there"


def test_one_flipped_byte_anywhere_is_named(small):
    for path in sorted(manifest.listed(small).values()):
        content = path.read_bytes()
        if not content:
            continue
        path.write_bytes(bytes([content[0] ^ 1]) + content[1:])
        problems = manifest.verify(small)
        path.write_bytes(content)
        assert [line.split(":")[0] for line in problems] == [path.relative_to(small).as_posix()]
    text = (small / manifest.NAME).read_text()
    (small / manifest.NAME).write_text(
        text.replace('"implementation": "', '"implementation": "Not')
    )
    assert manifest.verify(small) == [
        f"{manifest.NAME}: changed (its seal does not fit its content)"
    ]
    (small / manifest.NAME).write_text(text)
