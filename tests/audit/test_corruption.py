"""Corrupt every table of four studies, column by column: the manifest names the file, and a check fails or
is listed here.

``UNCAUGHT`` lists what passes the checks of a study, with the reason. An entry that is caught after all
fails too.
"""

from __future__ import annotations

import json
import shutil

import desk
import numpy as np
import pandas as pd
import pytest
import yaml
from calscore.audit import checks, manifest
from calscore.core import store
from calscore.core.store import read_csv
from calscore.core.study import Study
from calscore.simulate import tournament as matches
from calscore.tournament import log, qbj
from support import run_snakemake, workspace

# Why no check fails; the manifest names the file all the same. A bound, error or p value that a second
# table repeats is caught by that table (where it shows the row), any other is listed.
COST = "could be resampled again with the seed, but is not: too long for a check"
REFIT = "needs the model fitted again, to resampled questions, other starts or other folds: too long for a check"
NULLS = "drawn for hundreds of small groups; could be drawn again with the seed, but is not: too long for a check"
LEDGER = "the published file and the tables would be compared anew, in demo with intervals of 4 s: not made again"
PRINTED = "what each printed number was held against, which takes too long to make again; verdicts and counts of readings are checked"

# Study → table → reason and the columns where some single corruption passes every check.
UNCAUGHT = {
    "demo": {
        "scores/proper": (COST + "; the wide table shows other rows", "low high"),
        "cumulative_buzzes": (COST, "per_question_high per_match_high per_clue_high per_question_two_way_high"),
        "proper_comparisons": (COST, "se low high bca_low bca_high two_way_low two_way_high p_a_better two_way_p_a_better"),
        "tables/opponents": (COST, "pi_low pi_high"),
        "incidence": (COST, "high"),
        "claims": (LEDGER, "id section statement predicate published recomputed tolerance status evidence intervals note (row)"),
        "expected_wins": (COST, "low high"),
        "forensics": (PRINTED, "cell elicitation model share metric check definition h_definition segmentation state columns read_as data given n printed printed_low low high slack proof (row)"),
        "forensics_readings": ("a table with its total, a pairing that only the published file declares", "definition columns"),
        "matchers": (COST, "high"),
        "matches": (COST, "low high"),
        "risk_coverage": (COST, "high"),
        "thresholds": (COST, "low high mean_revealed_low mean_revealed_high mean_words_low mean_words_high"),
    },
    "options": {
        "claims": (LEDGER, "id section statement predicate published recomputed tolerance status evidence intervals note (row)"),
        "option_topics": (NULLS, "ece_low ece_high ece_calibrated ece_calibrated_high p_calibrated"),
        "option_types": (NULLS, "ece_low ece_high ece_calibrated ece_calibrated_high p_calibrated"),
    },
    "irt": {
        "irt_calibration": (REFIT, "predicted low high"),
        "irt_contrasts": (REFIT, "bootstrap_low bootstrap_high"),
        "irt_stability": (REFIT, "relevance_correlation skill_correlation"),
    },
    "matches": {
        "cumulative_buzzes": (COST, "per_question_high per_match_high per_clue_high per_question_two_way_high"),
        "incidence": (COST, "high"),
    },
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
    tables = Replaced(study, name, frame)
    for row in checks.run(tables, study.options, schemas, name, kept, study):
        if row["result"] == "fail":
            return row["check"]
    return None


def sealed(folder):
    """The study with its manifest, its record without what was not made."""
    path = folder / "audit" / "provenance.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["titles"] = {p: t for p, t in record["titles"].items() if (folder / p).exists()}
    path.write_text(json.dumps(record), encoding="utf-8")
    content = manifest.build(folder, record, desk.ROOT)
    (folder / manifest.NAME).write_text(json.dumps(content), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def small(demo, tmp_path_factory):
    """A cut of the study demo."""
    return sealed(desk.small_study(demo, tmp_path_factory.mktemp("small")))


MODELS = {"gpt-4o-mini": {"name": "GPT-4o-mini"}, "gpt-4o": {"name": "GPT-4o"}}
FITTED = {
    "dimensions": 2,
    "dimension_sweep": [1, 2],
    "components": 6,
    "folds": 2,
    "refits": 10,
    "restarts": 2,
    "clusters": 3,
    "groups": 2,
}


@pytest.fixture(scope="module")
def others(tmp_path_factory):
    """Small studies of answer options, item response models and a tournament, up to their checks."""
    folder = workspace(tmp_path_factory.mktemp("others"))
    members = matches.tournament(7, teams=4, rounds=3, tossups=4)
    for name, content in members.items():
        path = folder / "matches" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    questions = log.resolve(qbj.read_members(members, "matches"), {}, {})["questions"]
    inputs = {"qbj_dir": "matches"}
    for kind, found, names in (
        ("submissions", matches.submissions(questions, 7), ("bold", "cautious")),
        ("bonus_submissions", matches.bonuses(7, 8), ("alone", "helper")),
    ):
        inputs[kind] = [{"path": f"{name}.jsonl"} for name in names]
        for name in names:
            lines = "".join(json.dumps(record) + "\n" for record in found[name])
            (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    asked = {"questions": 40, "annotators": {"answers": 12}}
    studies = {
        "options": {
            "analyses": ["options"],
            "published": "config/published/confidence_gap.yaml",
            "simulate": {"seed": 1, "parameters": asked},
            "options": {"models": MODELS},
        },
        "irt": {
            "analyses": ["irt"],
            "simulate": {"seed": 1, "parameters": {"questions": 16, "clues": 3}},
            "options": {"irt": FITTED},
        },
        "matches": {"inputs": inputs},
    }
    shared = {"segmentations": ["sentence-100"], "replicates": 100}
    text = yaml.safe_dump({"options": shared, "studies": studies})
    (folder / "small.yaml").write_text(text, encoding="utf-8")
    wanted = [f"results/{name}/audit/checks.csv" for name in studies]
    run_snakemake("--configfile", "small.yaml", "--", *wanted, cwd=folder)
    return {name: sealed(folder / "results" / name) for name in studies}


@pytest.fixture(params=UNCAUGHT)
def cut(request):
    """(name, folder) of each of the four studies."""
    if request.param == "demo":
        return request.param, request.getfixturevalue("small")
    return request.param, request.getfixturevalue("others")[request.param]


def test_nothing_is_found_where_nothing_is_wrong(cut):
    _, folder = cut
    assert checks.failed(checks.of_study(Study(folder))) == []
    assert manifest.verify(folder) == []


def entries(name):
    """(table, column) that are listed for a study."""
    return {(t, column) for t, (_, columns) in UNCAUGHT[name].items() for column in columns.split()}


def test_every_single_corruption_is_caught(cut):
    which, folder = cut
    study = Study(folder)
    schemas = {name: table.schema for name, table in study.tables.items()}
    traces: dict = {}
    passed, count = {}, 0
    for name, table in study.tables.items():
        path = folder / table.path
        kept = path.with_suffix(".kept")
        shutil.copy(path, kept)
        for column, kind, frame in corruptions(study[name]):
            count += 1
            save(frame, path)
            assert any(
                line.startswith(f"{table.path}: changed") for line in manifest.verify(folder)[:1]
            )
            frame = store.read(path) if path.suffix == ".parquet" else read_csv(path)
            if caught(study, schemas, name, frame, traces) is None:
                passed.setdefault((name, column), []).append(kind)
        shutil.move(kept, path)
    assert count > 400
    listed = entries(which)
    assert {at: kinds for at, kinds in passed.items() if at not in listed} == {}
    assert listed - set(passed) == set(), "listed, but caught or not there"


def test_every_table_is_read_by_an_invariant(cut):
    _, folder = cut
    study = Study(folder)
    ran = set(checks.of_study(study)[["table", "check"]].itertuples(index=False, name=None))
    called = checks.Context(study, study.options, study=study).called
    read: set[str] = set()
    for one in checks.INVARIANTS:
        if (called(one.table), one.name) in ran:
            read |= {called(name) for name in (*one.needs, *one.may)}
    assert [name for name in study.tables if name not in read and len(study[name])] == []


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
