"""audit/index.html: every file of a study with what made it, and printed numbers down to raw rows."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from ..audit import explain, explain_counts, provenance
from ..audit.trace import SERIES, Trace
from ..core import catalog, store
from ..core.checksums import sha256
from ..core.results_folder import Study
from .base import embed, render, source, tables_script
from .redaction import RedactedStudy
from .statement_view import STATUS, checks_line
from .wording import count_noun, json_value

SAMPLE, ALL_ROWS_UP_TO = 8, 24
"""Rows shown of a table, and of one that is no longer than that all."""


def _cell_text(value) -> str:
    """A cell of a sample as text of at most 140 characters: floats to six digits, of an array six numbers to
    four; "" for None and nan."""
    if isinstance(value, np.ndarray):
        ellipsis = ", …" if len(value) > 6 else ""
        return f"[{', '.join(f'{number:.4g}' for number in value[:6])}{ellipsis}]"
    cell = json_value(value)
    text = "" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(cell)
    return text if len(text) <= 140 else text[:139] + "…"


NO_TABLE: dict = {
    "rows": None,
    "description": "",
    "columns": [],
    "key": "",
    "checks": [],
    "outcome": "passes",
    "sample": None,
    "explained": "",
}
"""What an entry says of its table where it has none."""


def product_entries(study: RedactedStudy, checks: pd.DataFrame) -> list[dict]:
    """One entry per product that lies in the folder, with all its forms (SVG, PNG, …), in the order of the
    flow.

    ``checks``: audit/checks with ``outcome``."""
    record = study.provenance
    readers: dict[str, list[str]] = {}
    for entry in record["rules"].values():
        for paths in entry["input"].values():
            for path in paths:
                readers.setdefault(path, []).extend(entry["output"])
    declared = {table.file: table for table in study.tables.values()}
    by_table = {name: rows for name, rows in checks.groupby("table", sort=False)}
    mains = {file: product.files[0] for product in catalog.products() for file in product.files}
    forms: dict[str, list[str]] = {}
    for path in record["titles"]:
        if (study.folder / path).exists():
            forms.setdefault(mains.get(path, path), []).append(path)
    products = []
    for path, files in forms.items():
        rule = provenance.maker(record, path)
        rule_record = record["rules"].get(
            rule, {"input": {}, "docstring": "", "script": "", "code_sha256": "", "params": {}}
        )
        inputs = [path for many in rule_record["input"].values() for path in many]
        read = {
            mains.get(inner, inner)
            for file in files
            for reader in readers.get(record["folder"] + file, [])
            if (inner := reader.removeprefix(record["folder"])) in record["titles"]
        }
        products.append(
            {
                "path": path,
                "short": path.split("/", 1)[-1].rsplit(".", 1)[0],
                "stage": path.split("/")[0] if "/" in path else "pages",
                "title": record["titles"][path],
                "files": [(file, sha256(study.folder / file)) for file in files],
                "figure": path if path.endswith(".svg") else "",
                "rule": rule or "none",
                "docstring": rule_record["docstring"],
                "script": rule_record["script"],
                "code": rule_record["code_sha256"],
                "params": _params(study, rule_record["params"]),
                "inputs": [_anchor(record, mains, path) for path in inputs],
                "readers": sorted(read),
            }
            | _table_facts(study, declared.get(path), by_table)
        )
    return products


def _params(study: RedactedStudy, params: dict) -> str:
    """Params of a rule as JSON text, "" where it has none; absolute paths of the configuration are cut to their last part."""
    if not params:
        return ""
    text = json.dumps(params, ensure_ascii=False)
    paths = {value for _, value in _config_texts(study.provenance["study"]) if value.startswith("/")}
    for path in sorted(paths, key=len, reverse=True):
        text = text.replace(json.dumps(path, ensure_ascii=False)[1:-1], Path(path).name)
    return text


def _config_texts(value, key: str = "") -> Iterator[tuple[str, str]]:
    """(key, text) of every text anywhere in ``value``; the key is the outermost one above it."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _config_texts(part, key or name)
    elif isinstance(value, list):
        for part in value:
            yield from _config_texts(part, key)
    elif isinstance(value, str):
        yield key, value


def _anchor(record: dict, mains: dict, path: str) -> dict:
    """``{anchor, shown}`` of a file: its own entry, else that of a listed file of its rule, ``inputs`` or ``flow``."""
    inner = path.removeprefix(record["folder"])
    if inner in record["titles"]:
        return {"anchor": mains.get(inner, inner), "shown": inner}
    if path == inner:
        return {"anchor": "inputs", "shown": Path(path).name if path.startswith("/") else path}
    # A file that the catalog does not list: go on to one that its rule made and that is listed.
    rule = provenance.maker(record, inner)
    outputs = record["rules"][rule]["output"] if rule else []
    near = [p.removeprefix(record["folder"]) for p in outputs]
    anchor = next((mains.get(p, p) for p in near if p in record["titles"]), "flow")
    return {"anchor": anchor, "shown": inner}


OWN = ("workflow/", "config/", "notebooks/")
"""Folders of the project: what lies there came with it."""


def input_files(study: RedactedStudy) -> tuple[list[dict], list[dict]]:
    """(files from outside, files of the project), each with role, file, source, sha256 and published. Of an
    absolute path the source is the name alone, "" where that says nothing new; a relative one is given as it
    is."""
    record = study.provenance
    raw = study.get("manifest")
    manifest = [] if raw is None else raw.fillna("").to_dict("records")
    release = record["study"]["inputs"].get("release") or {}
    entries = [entry for entry in release.values() if isinstance(entry, dict)]
    public = {entry["name"]: entry.get("url") or "" for entry in entries}

    def source(entry: dict) -> str:
        """Where a file came from: ``simulated``, the address it is published at, a path as configured, or ""."""
        if record["study"].get("simulate"):
            return "simulated"
        place = str(entry["source"])
        if place == entry["file"]:
            return public.get(place, "") if entry["checked"] else ""
        return Path(place).name if place.startswith("/") else place

    outside = [
        {name: file[name] for name in ("role", "file", "sha256")}
        | {"source": source(file), "published": "as declared" if file["checked"] else ""}
        for file in manifest
    ]
    own, copied = [], {(entry["file"], entry["sha256"]) for entry in outside}
    for path, files in record["inputs"].items():
        roles = [key for key, text in _config_texts(record["study"]["inputs"]) if text == path]
        role = ", ".join(roles) or "file"
        for file, digest in (files or {"": "absent"}).items():
            entry = {"role": role, "file": file or Path(path).name, "sha256": digest}
            entry |= {"source": "" if path.startswith("/") else path, "published": ""}
            if (entry["file"], digest) in copied:
                # A raw file is a copy of it.
                continue
            (own if path.startswith(OWN) else outside).append(entry)
    return outside, own


def _count_inputs(outside: list[dict], simulated: bool) -> str:
    """How many files came from outside, in words."""
    origin = ", simulated" if simulated else " from outside"
    return count_noun(len(outside), "file") + origin if outside else "the configuration alone"


def _table_facts(study: RedactedStudy, table, checks: dict) -> dict:
    """An entry's rows, description, columns, key, checks, worst outcome and sample; :data:`NO_TABLE` without
    a declaration ``table``.

    ``checks``: name of a table → its rows of audit/checks."""
    if table is None:
        return NO_TABLE
    frame, declared = study[table.name], store.schema(table.name)
    columns = []
    for name in frame:
        spec = catalog.column_of(str(name), declared)
        kind = spec.get("type")
        low, high = ("" if spec.get(end) is None else spec[end] for end in ("minimum", "maximum"))
        bounds = "" if low == high == "" else f"{low} … {high}"
        columns.append(
            {
                "name": name,
                "type": (kind or KINDS.get(frame[name].dtype.kind, "string"))
                + (", may be missing" if spec.get("nullable") else ""),
                "unit": spec.get("unit", ""),
                "range": ", ".join(map(str, spec["values"])) if "values" in spec else bounds,
                "description": spec["description"],
            }
        )
    rows = []
    if table.name in checks:
        rows = checks[table.name].astype(object).fillna("").to_dict("records")
    outcomes = {row["outcome"] for row in rows}
    return {
        "rows": len(frame),
        "description": declared["description"],
        "columns": columns,
        "key": ", ".join(declared["key"]),
        "checks": rows,
        "outcome": next((name for name in ("fails", "warns") if name in outcomes), "passes"),
        "sample": _sample(frame),
        "explained": table.name if table.name in (*explain.KEYS, *explain_counts.TABLES) else "",
    }


KINDS = {"b": "boolean", "i": "integer", "u": "integer", "f": "number"}
"""Kind of a column's type → its name; others are text."""


def _sample(frame) -> dict | None:
    """``columns``, ``rows`` of cells (``text``, ``number``: whether it is one), all or :data:`SAMPLE` spread
    evenly, ``note`` and ``complete``: whether all; None without rows."""
    if frame.empty:
        return None
    complete = len(frame) <= ALL_ROWS_UP_TO
    n_shown = len(frame) if complete else SAMPLE
    positions, rows = np.linspace(0, len(frame) - 1, n_shown).astype(int), []
    for row in frame.iloc[positions].astype(object).itertuples(index=False, name=None):
        cells = []
        for c, value in zip(frame, row, strict=True):
            cell = "" if isinstance(value, np.ndarray) else json_value(value)
            text = str(cell) if c == "source_row" and cell else _cell_text(value)
            cells.append({"text": text, "number": isinstance(cell, (int, float))})
        rows.append(cells)
    part = f"{SAMPLE} of {len(frame):,} rows, spread evenly"
    note = f"{'all ' * (len(rows) > 1)}{count_noun(len(rows), 'row')}" if complete else part
    return {"columns": list(map(str, frame)), "rows": rows, "note": note, "complete": complete}


def _numbers(frame, name: str) -> list[str]:
    """The numeric columns of the table ``name`` that are not in its key."""
    keys = explain.row_key(name)
    return [c for c in frame if c not in keys and pd.api.types.is_numeric_dtype(frame[c])]


QUESTION = {"question_id": "id", "packet": "packet", "n_words": "words", "category": "category"}
QUESTION |= {"category_fine": "fine", "answerline": "answer"}
"""Columns of tidy/questions → their names in the page's data."""


class Pool:
    """Texts by number, each kept once."""

    def __init__(self):
        self.texts: list[str] = []
        self._at: dict[str, int] = {}

    def __call__(self, value) -> int:
        """The number of the value's text, given to it on the first call; −1 for None and nan."""
        if json_value(value) is None:
            return -1
        text = str(value)
        if text not in self._at:
            self._at[text] = len(self.texts)
            self.texts.append(text)
        return self._at[text]


def explainer_data(study: RedactedStudy) -> dict | None:
    """What the page's script recomputes numbers from, at full precision: questions, clues, buzzes, teams that heard each
    question, series of answers, and the tables. None where the study has no table or no clues to explain."""
    names = [name for name in (*explain.KEYS, *explain_counts.TABLES) if name in study]
    # A leaderboard without buzz logs has no clues.
    if not names or "clues" not in study:
        return None
    trace, pool = Trace(study.whole, study.options), Pool()
    questions, teams = study["questions"], study["teams"]
    ids = questions["question_id"].to_list()
    place = {q: i for i, q in enumerate(ids)}
    human = dict(iter(trace.human.groupby("question_id")))
    clues = [
        {
            "words": human[q]["end_word"].tolist(),
            "right": human[q]["human_right"].tolist(),
            "buzzes": human[q]["human_buzzes"].tolist(),
            "on": int(human[q]["on_question"].iloc[0]),
        }
        for q in ids
    ]
    buzzes: list[list] = [[] for _ in ids]
    ordered = study["buzzes"].sort_values(["question_id", "word_index"], kind="stable")
    for b in ordered.itertuples():
        buzzes[place[b.question_id]].append(
            [pool(b.team), pool(b.kind), int(b.word_index), int(b.correct), pool(b.source_row)]
        )
    heard: list[list] = [[] for _ in ids]
    for e in study["exposures"].sort_values(["question_id", "team"]).itertuples():
        heard[place[e.question_id]].append(pool(e.team))
    groups = explain_counts.team_groups(study["buzzes"], teams)
    tables = {}
    for name in names:
        frame = study[name]
        if name == explain_counts.PAIRS:
            frame = frame[frame["metric"] == "head_to_head"]
        tables[name] = {
            "keys": explain.row_key(name),
            "columns": list(map(str, frame)),
            "numbers": _numbers(frame, name),
            "rows": [[json_value(v) for v in row] for row in frame.itertuples(index=False, name=None)],
            "meanings": {
                c: catalog.column_of(str(c), store.schema(name))["description"] for c in _numbers(frame, name)
            },
        }
    explained_tables = {name: study[name] for name in names if name in explain.KEYS}
    real = not study.provenance["study"].get("simulate")
    return {
        "study": study.provenance["study"]["name"],
        "printed": printed_numbers(study, explained_tables) if real else [],
        "questions": questions[[*QUESTION]].rename(columns=QUESTION).to_dict("records"),
        "clues": clues,
        "series": _series(study, trace, pool, ids, place) if "table1" in study else [],
        "buzzes": buzzes,
        "heard": heard,
        "groups": {name: list(map(pool, names)) for name, names in groups.items()},
        "tables": tables,
        "own": trace.keeps_own_cuts,
        "pool": pool.texts,
    }


def printed_numbers(study, tables: dict) -> list[list]:
    """One row per printed number: section, statement, printed, recomputed, verdict, id of its claim, and
    [table, key, column] or None. ``tables``: name → frame of those explained. ``recomputed`` is text with the
    decimals printed, "" where there is none. The place is where the very same number stands, under the
    authors' marks if there; whole numbers have none. [] without printed_cells."""
    if "printed_cells" not in study:
        return []
    places: dict = {}
    for name, frame in tables.items():
        keys = explain.row_key(name)
        # Of several judges with one number the authors' is the one that is printed.
        by_judge = frame.sort_values("marks", key=lambda marks: marks != "authors", kind="stable")
        for row in by_judge.to_dict("records"):
            key = ",".join(f"{k}={row[k]}" for k in keys)
            for column in _numbers(frame, name):
                places.setdefault((name, json_value(row[column])), [name, key, column])
    rows = []
    for cell in study["printed_cells"].astype(object).fillna("").itertuples():
        number = float(cell.recomputed) if cell.recomputed else None
        digits = len(cell.published.partition(".")[2])
        # A rank is the number of many rows.
        name = "" if number is None or number.is_integer() else cell.id.split(".")[0]
        value = "" if number is None else f"{number:.{digits}f}"
        target = places.get((name, number))
        status = STATUS.get(cell.status, cell.status)
        rows.append([cell.section, cell.statement, cell.published, value, status, cell.id, target])
    return rows


def _series(study: RedactedStudy, trace: Trace, pool: Pool, ids: list[str], place: dict) -> list[dict]:
    """One entry per model, elicitation, reduction and judge: ``rows`` and ``guesses``, a list for each of
    ``ids``. A row has clue, place among the question's guesses, right and confidence; ``rows`` is None for a
    question that the series skipped. ``place``: question → index in ``ids``."""
    series = []
    columns = ["question_id", "clue", "guess_row", "right", "c", "position"]
    columns += ["guess", "verdict", "rule", "source", "source_row"]
    # Clues by their number among all of the question's, as the page's counts of buzzes have them.
    answers = trace.shown_rows(trace.states)
    for key, rows in study.redact(answers).groupby(SERIES, sort=True):
        entry = dict(zip(SERIES, key, strict=True)) | {"name": study.names.get(key[0], key[0])}
        entry |= {"rows": [None] * len(ids), "guesses": [[] for _ in ids]}
        rows = rows.sort_values(["question_id", "clue"], kind="stable").astype({"c": float})
        order: dict = {}
        for q, clue, row, right, c, position, *guess_columns in zip(*map(rows.get, columns), strict=True):
            index = place[q]
            if entry["rows"][index] is None:
                entry["rows"][index], order = [], {}
            if row not in order:
                order[row] = len(order)
                entry["guesses"][index].append([int(position), *map(pool, guess_columns)])
            entry["rows"][index].append([int(clue), order[row], int(right), json_value(c)])
        series.append(entry)
    return series


def page(study: Study, checks: pd.DataFrame, masthead: dict) -> dict[str, str]:
    """``audit_page``: the text of audit/index.html. ``checks``: audit/checks."""
    redacted = RedactedStudy(study, masthead["hidden"])
    severe = checks.get("severity", "error") == "error"
    outcome = np.where(checks["result"] == "pass", "passes", np.where(severe, "fails", "warns"))
    checks = redacted.redact(checks).assign(outcome=outcome).astype(object).fillna("")
    products = product_entries(redacted, checks)
    present = [name for name in catalog.STAGES if any(e["stage"] == name for e in products)]
    present += sorted({e["stage"] for e in products} - set(present))
    data = explainer_data(redacted)
    outside, own = input_files(redacted)
    text = render(
        "audit.html.j2",
        masthead,
        "audit/index.html",
        texts=True,
        folder=study.provenance["folder"],
        stages=[{"name": n, "entries": [e for e in products if e["stage"] == n]} for n in present],
        places={e["path"].rsplit("/", 1)[-1].split(".")[0]: e["path"] for e in products},
        checks=checks.to_dict("records"),
        checked=checks_line(checks),
        failed=checks[checks["outcome"] != "passes"].to_dict("records"),
        outside=outside,
        traced=_count_inputs(outside, masthead["simulated"]),
        own=own,
        explained=list(data["tables"]) if data else [],
        sections_printed=list(dict.fromkeys(row[0] for row in data["printed"])) if data else [],
        data=embed(data) if data else "null",
        script=tables_script() + source("audit.js"),
    )
    return {"audit_page": text}
