"""audit/index.html: every file of a study with what made it, and printed numbers down to raw rows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from ..audit import explain, provenance
from ..audit.trace import SERIES, Trace
from ..core import catalog, store
from ..core.digest import sha256
from ..core.study import Study, stage
from .base import embed, render, source

SAMPLE = 8


def _plain(value):
    """A cell as JSON: numbers as they are, missing as null."""
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    return float(value) if isinstance(value, (float, np.floating)) else str(value)


def _text(value) -> str:
    plain = None if isinstance(value, np.ndarray) else _plain(value)
    if isinstance(value, np.ndarray):
        return (
            "["
            + ", ".join(f"{one:.4g}" for one in value[:6])
            + (", …" if len(value) > 6 else "")
            + "]"
        )
    if plain is None:
        return ""
    if isinstance(plain, float):
        return f"{plain:.6g}"
    text = str(plain)
    return text if len(text) <= 140 else text[:139] + "…"


# --- sections ----------------------------------------------------------------------------------


def entries(study: Study, checks) -> list[dict]:
    """One entry per file of the catalog, in the order of the flow."""
    record = study.provenance
    readers: dict[str, list[str]] = {}
    for entry in record["rules"].values():
        for paths in entry["input"].values():
            for path in paths:
                readers.setdefault(path, []).extend(entry["output"])
    known = {table.path: table for table in study.tables.values()}
    by_table = {name: rows for name, rows in checks.groupby("table", sort=False)}
    found = []
    for path in record["titles"]:
        file = study.folder / path
        if not file.exists():
            continue
        rule = provenance.maker(record, path)
        made = record["rules"].get(
            rule, {"input": {}, "docstring": "", "script": "", "code_sha256": "", "params": {}}
        )
        inputs = [one for many in made["input"].values() for one in many]
        found.append(
            {
                "path": path,
                "short": path.split("/", 1)[-1].removesuffix(".parquet").removesuffix(".csv"),
                "stage": stage(path),
                "title": record["titles"][path],
                "sha256": sha256(file),
                "rule": rule or "none",
                "docstring": made["docstring"],
                "script": made["script"],
                "code": made["code_sha256"],
                "params": json.dumps(made["params"], ensure_ascii=False) if made["params"] else "",
                "inputs": [_anchor(record, one) for one in inputs],
                "readers": sorted(
                    {
                        one.removeprefix(record["folder"])
                        for one in readers.get(record["folder"] + path, [])
                        if one.removeprefix(record["folder"]) in record["titles"]
                    }
                ),
                "rows": None,
                "description": "",
                "columns": [],
                "key": "",
                "checks": [],
                "failed": 0,
                "sample": None,
            }
        )
        if path in known:
            found[-1] |= _of_table(study, known[path], by_table.get(known[path].name))
    return found


def _anchor(record: dict, path: str) -> dict:
    inner = path.removeprefix(record["folder"])
    anchor = inner if inner in record["titles"] else "inputs"
    # A file that the catalog does not list: go on to one that its rule made and that is listed.
    if anchor == "inputs" and path.startswith(record["folder"]):
        rule = provenance.maker(record, inner)
        made = record["rules"][rule]["output"] if rule else []
        near = [p.removeprefix(record["folder"]) for p in made]
        anchor = next((p for p in near if p in record["titles"]), "flow")
    return {"anchor": anchor, "shown": inner}


def _of_table(study: Study, table, checks) -> dict:
    frame = study[table.name]
    declared = store.schema(table.name)
    columns = []
    for name in frame:
        spec = catalog.column_of(str(name), declared)
        kind = spec.get("type")
        bounds = [spec.get("minimum"), spec.get("maximum")]
        shown = (
            ""
            if bounds == [None, None]
            else f"{'' if bounds[0] is None else bounds[0]} … {'' if bounds[1] is None else bounds[1]}"
        )
        columns.append(
            {
                "name": name,
                "type": (kind or _kind(frame[name]))
                + (", may be missing" if spec.get("nullable") else ""),
                "unit": spec.get("unit", ""),
                "range": ", ".join(map(str, spec["values"]))
                if declared and "values" in spec
                else shown,
                "description": spec["description"],
            }
        )
    rows = [] if checks is None else checks.fillna("").to_dict("records")
    return {
        "rows": len(frame),
        "description": declared["description"] if declared else "",
        "columns": columns,
        "key": ", ".join(declared["key"]) if declared else "",
        "checks": rows,
        "failed": sum(row["result"] == "fail" for row in rows),
        "sample": _sample(frame, table.name),
    }


def _kind(column) -> str:
    types = pd.api.types
    if types.is_bool_dtype(column):
        return "boolean"
    if types.is_integer_dtype(column):
        return "integer"
    return "number" if types.is_float_dtype(column) else "string"


def _sample(frame, name: str) -> dict | None:
    """A few rows spread over the table; all rows, with links, where numbers are explained."""
    if frame.empty:
        return None
    linked = name in explain.KEYS
    at = (
        range(len(frame))
        if linked
        else np.unique(np.linspace(0, len(frame) - 1, SAMPLE).astype(int))
    )
    numbers = _numbers(frame, name) if linked else []
    rows = []
    for i in at:
        row = frame.iloc[int(i)]
        rows.append(
            [
                {
                    "text": _text(row[c]),
                    "number": isinstance(
                        _plain(row[c]) if not isinstance(row[c], np.ndarray) else "", (int, float)
                    ),
                    "link": f"explain/{name}/{i}/{c.replace('%', '%25')}"
                    if c in numbers and _plain(row[c]) is not None
                    else "",
                }
                for c in frame
            ]
        )
    note = (
        f"all {len(rows)} rows; a number leads to its explanation"
        if linked
        else f"sample of {len(rows)} rows, spread evenly"
    )
    return {"columns": list(map(str, frame)), "rows": rows, "note": note}


def _numbers(frame, name: str) -> list[str]:
    return [
        c for c in frame if c not in explain.KEYS[name] and pd.api.types.is_numeric_dtype(frame[c])
    ]


# --- explained numbers ---------------------------------------------------------------------------


class Pool:
    """Texts by number, each kept once."""

    def __init__(self):
        self.texts: list[str] = []
        self._at: dict[str, int] = {}

    def __call__(self, value) -> int:
        if _plain(value) is None:
            return -1
        text = str(value)
        if text not in self._at:
            self._at[text] = len(self.texts)
            self.texts.append(text)
        return self._at[text]


def explained(study: Study) -> dict | None:
    """What the page recomputes numbers from: clues, series with guesses, buzzes, the printed tables.

    None where the study has no printed tables. Confidences at full precision.
    """
    names = [name for name in explain.KEYS if name in study]
    if not names:
        return None
    trace, pool = Trace(study, study.options), Pool()
    questions = study["questions"]
    ids = questions["question_id"].to_list()
    place = {q: i for i, q in enumerate(ids)}
    clues = []
    human = dict(iter(trace.human.groupby("question_id")))
    for q in ids:
        rows = human[q]
        clues.append(
            {
                "words": rows["end_word"].tolist(),
                "right": rows["human_right"].tolist(),
                "buzzes": rows["human_buzzes"].tolist(),
                "on": int(rows["on_question"].iloc[0]),
            }
        )
    names_of = {key: model["name"] for key, model in study.options["models"].items()}
    series = []
    columns = ["position", "guess", "verdict", "rule", "source", "source_row"]
    for key, rows in trace.answers.groupby(SERIES, sort=True):
        one = dict(zip(SERIES, key, strict=True)) | {"name": names_of.get(key[0], key[0])}
        one |= {"rows": [None] * len(ids), "guesses": [[] for _ in ids]}
        for q, of in rows.groupby("question_id", sort=True):
            order = {row: i for i, row in enumerate(dict.fromkeys(of["guess_row"]))}
            one["rows"][place[q]] = [
                [int(clue), order[row], int(right), _plain(c)]
                for clue, row, right, c in zip(
                    of["clue"], of["guess_row"], of["right"], of["c"].astype(float), strict=True
                )
            ]
            kept = of.drop_duplicates("guess_row")[columns]
            one["guesses"][place[q]] = [
                [int(row[0]), *map(pool, row[1:])]
                for row in kept.itertuples(index=False, name=None)
            ]
        series.append(one)
    buzzes: list[list] = [[] for _ in ids]
    ordered = study["buzzes"].sort_values(["question_id", "word_index"], kind="stable")
    for b in ordered.itertuples():
        buzzes[place[b.question_id]].append(
            [pool(b.team), pool(b.kind), int(b.word_index), int(b.correct), pool(b.source_row)]
        )
    tables = {
        name: {
            "keys": explain.KEYS[name],
            "columns": list(map(str, study[name])),
            "numbers": _numbers(study[name], name),
            "rows": [
                [_plain(v) for v in row] for row in study[name].itertuples(index=False, name=None)
            ],
        }
        for name in names
    }
    return {
        "study": study.provenance["study"]["name"],
        "questions": [
            {
                "id": q.question_id,
                "category": q.category,
                "fine": q.category_fine,
                "answer": q.answerline,
            }
            for q in questions.itertuples()
        ],
        "clues": clues,
        "series": series,
        "buzzes": buzzes,
        "tables": tables,
        "own": trace.own,
        "pool": pool.texts,
    }


def page(provenance: Path, checks, masthead: dict) -> dict:
    """audit/index.html of the study that a record (audit/provenance.json) belongs to."""
    return {"audit_page": build(Study(provenance.parent.parent), checks, masthead)}


def build(study: Study, checks, masthead: dict) -> str:
    """The page as HTML. ``checks``: audit/checks."""
    found = entries(study, checks)
    present = [name for name in catalog.STAGES if any(e["stage"] == name for e in found)]
    present += sorted({e["stage"] for e in found} - set(present))
    record = study.provenance
    data = explained(study)
    return render(
        "audit.html.j2",
        masthead,
        "audit/index.html",
        texts=True,
        folder=record["folder"],
        stages=[{"name": n, "entries": [e for e in found if e["stage"] == n]} for n in present],
        checks=checks.to_dict("records"),
        passed=int((checks["result"] == "pass").sum()),
        failed=checks[checks["result"] == "fail"].to_dict("records"),
        inputs=[
            (path, file, digest)
            for path, files in record["inputs"].items()
            for file, digest in (files or {"": "absent"}).items()
        ],
        explained=data is not None,
        data=embed(data) if data else "",
        script=source("audit.js"),
    )
