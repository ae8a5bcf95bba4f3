"""The question file and results in the published schema: read, validated, oddities listed."""

import ast
import math
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pandas as pd

from ..core import data_issues, store, strict_json
from ..core.data_issues import Finding
from ..core.errors import DataError, Faults, raise_faults
from . import SETTINGS, option_numbers, plain

WRONG_COLUMNS = ("wrong_answer_1", "wrong_answer_2", "wrong_answer_3")
QUESTION_COLUMNS = ("metadata", "problem", "answer", *WRONG_COLUMNS)
RESULT_KEYS = ("question", "gold_answer", "predicted_answer", "confidence", "output")
OPTIONAL_KEYS = ("options",)
data_issue = partial(data_issues.data_issue, "options")
# Texts that pandas reads as a missing value unless told otherwise (documentation of read_csv).
_TAKEN_FOR_MISSING = frozenset(
    {"#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"}
    | {"N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
)


def _metadata(text: str) -> dict | None:
    """The dict that the text spells in Python; None where it spells anything else."""
    try:
        metadata = ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return metadata if isinstance(metadata, dict) else None


def read_questions(path: str | Path, with_texts: bool = True) -> tuple[pd.DataFrame, list[Finding]]:
    """(option_questions in the order of the file, findings) of a question file, or of an extract without texts, which
    ``with_texts`` refuses. Rows are numbered from 0 as the results files number them. A blank wrong answer is null.
    ``DataError`` for no such CSV, no question, metadata that is no dict, and a blank question or answer."""
    file = Path(path).name
    if option_numbers.hold_numbers(path):
        if with_texts:
            expected = "the texts, which an extract leaves out: make confidence-gap FETCH=1"
            raise DataError.at(file, "", "problem", None, expected)
        table = option_numbers.read_question_numbers(path)
        return table, _question_findings(table, file)
    raw = store.read_raw_csv(path, QUESTION_COLUMNS)
    faults = Faults(file)
    if not len(raw):
        faults.add("", "problem", None, "at least one question")
    metadata = raw["metadata"].map(_metadata)
    faults.add_cells(raw["metadata"], metadata.isna(), "a dict with topic and answer_type", 0)
    for column in ("problem", "answer"):
        faults.add_cells(raw[column], raw[column].str.strip() == "", "text", 0)
    faults.refuse()
    table = pd.DataFrame(
        {
            "row": range(len(raw)),
            "question": raw["problem"],
            "answer": raw["answer"],
            "topic": [entry.get("topic") or None for entry in metadata],
            "answer_type": [entry.get("answer_type") or None for entry in metadata],
        }
    )
    for number, column in enumerate(WRONG_COLUMNS, 1):
        table[f"wrong_{number}"] = raw[column].where(raw[column].str.strip() != "", None)
    table[["topic", "answer_type"]] = table[["topic", "answer_type"]].astype(object)
    return table, _question_findings(table, file)


def _question_findings(table: pd.DataFrame, file: str) -> list[Finding]:
    """Findings: missing fields, wrong answers that are empty, right or repeated, answers read as missing, blanks, repetitions."""
    findings = []

    def note(kind, row, detail):
        findings.append(data_issue(kind, f"{file}, row {row}", detail))

    for question in table.to_dict("records"):
        row, answer = question["row"], question["answer"]
        for name in ("topic", "answer_type"):
            if not isinstance(question[name], str):
                note("missing field", row, f"no {name}")
        wrong = {n: question[f"wrong_{n}"] for n in (1, 2, 3)}
        options = {n: text for n, text in wrong.items() if isinstance(text, str)}
        for n in wrong:
            if n not in options:
                detail = f'wrong_answer_{n} is empty; the published code offers the text "nan" for it'
                note("empty distractor", row, detail)
        normal = {n: plain(text) for n, text in options.items()}
        for n, text in normal.items():
            if text == plain(answer):
                note("distractor equal to the answer", row, f"wrong_answer_{n} is the right answer")
        if len(set(normal.values())) < len(normal):
            note("distractors repeat", row, f"{list(options.values())}")
        if answer.strip() in _TAKEN_FOR_MISSING:
            detail = f"the answer {answer!r} may be read as a missing value"
            note("answer that reads as missing", row, detail)
    blanks = int((table["answer"] != table["answer"].str.strip()).sum())
    if blanks:
        findings.append(data_issue("blanks around answers", file, f"{blanks} answers"))
    for row in table.loc[table["question"].duplicated(keep=False), "row"]:
        note("question repeats", row, "the same text in another row")
    return findings


def is_number(value: object) -> bool:
    """Whether a parsed value of JSON is a finite number; True and False are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _same_text(text: object, expected: str) -> bool:
    """Whether both texts agree but for blanks around them; a text that pandas reads as missing may come as null, NaN or "nan"."""
    if isinstance(text, str) and text.strip() == expected.strip():
        return True
    missing = text is None or (isinstance(text, float) and math.isnan(text)) or text == "nan"
    return missing and expected.strip() in _TAKEN_FOR_MISSING


def _row_faults(file: str, key: str, entry: object, questions: dict[str, tuple[str, str]]) -> Faults:
    """Faults of one row. ``key``: its number as text; ``questions``: such a key → (question, answer). Of an unknown row, an
    entry that is no object or lacks keys only those are told, of texts the first."""
    faults = Faults(file)
    add = partial(faults.add, key)
    if key not in questions:
        add("", key, f"a row of the question file, 0 to {len(questions) - 1}")
    elif not isinstance(entry, dict):
        add("", entry, f"an object with {', '.join(RESULT_KEYS)}")
    else:
        for name in RESULT_KEYS:
            if name not in entry:
                add(name, None, "the key to be present")
    if faults:
        return faults
    for name, text in zip(("question", "gold_answer"), questions[key], strict=True):
        if not faults and not _same_text(entry[name], text):
            add(name, entry[name], f"the question file's {text!r}")
    answer, confidence, output = (entry[name] for name in RESULT_KEYS[2:])
    if not isinstance(answer, str) and not is_number(answer):
        add("predicted_answer", answer, "text")
    if not is_number(confidence) or not 0 <= confidence <= 100:
        add("confidence", confidence, "a number from 0 to 100")
    if not isinstance(output, int) or isinstance(output, bool) or output not in (1, 0, -1):
        add("output", output, option_numbers.VERDICT)
    return faults


def read_results(
    path: str | Path, questions: pd.DataFrame, model: str, judging: str, setting: str
) -> tuple[pd.DataFrame, list[Finding]]:
    """(option_results of one results file, by row, ``confidence`` 0 to 1; findings). ``model``, ``judging``, ``setting``: columns.
    ``DataError`` with every malformed row: a missing key, an answer that is no text or number, a confidence not from 0 to 100, a
    verdict other than 1, 0, −1, row or texts unlike ``questions`` (:func:`read_questions`); or with a row that is there twice."""
    file = Path(path).name
    # pandas writes what is missing as NaN.
    document = strict_json.read(path, constants=True)
    if not isinstance(document, dict) or not document:
        raise DataError.at(file, "", "", type(document).__name__, "an object of rows by number")
    texts = zip(questions["question"], questions["answer"], strict=True)
    by_row = dict(zip(questions["row"].astype(str), texts, strict=True))
    raise_faults(fault for key, entry in document.items() for fault in _row_faults(file, key, entry, by_row))
    entries = list(document.values())
    table, full = option_numbers.answer_table(
        (model, judging, setting),
        [int(key) for key in document],
        [str(entry["predicted_answer"]) for entry in entries],
        # as the published code scales it, so that 57 is the same float there and here
        [entry["confidence"] / 100.0 for entry in entries],
        [entry["output"] for entry in entries],
        file,
    )
    extra_keys = sorted({k for entry in document.values() for k in entry} - {*RESULT_KEYS, *OPTIONAL_KEYS})
    findings = []
    if extra_keys:
        findings.append(data_issue("unknown keys", file, ", ".join(extra_keys)))
    return table, findings + full


def read_result_files(
    files: Iterable[tuple[Path, str, str, str]], questions: pd.DataFrame
) -> tuple[pd.DataFrame, list[Finding]]:
    """(all results in one table option_results, findings); ``files``: (path, model, judging, setting) of one or more, a .csv
    being an extract. ``DataError`` with the faults of every file, or for none. ``questions``: from :func:`read_questions`."""
    parts, findings, faults = [], [], []
    for path, model, judging, setting in files:
        read = option_numbers.read_answer_numbers if Path(path).suffix == ".csv" else read_results
        try:
            table, odd = read(path, questions, model, judging, setting)
        except DataError as error:
            faults += error.faults
            continue
        parts.append(table)
        findings += odd
    raise_faults(faults)
    if not parts:
        raise DataError.at("config", "inputs", "option_results", None, "at least one results file")
    results = pd.concat(parts, ignore_index=True)
    return results, findings + pairing_findings(results)


def tidy_options(
    raw: Path,
    files: dict[str, str],
    entries: list[dict],
    replied: list[Path] | None = None,
    asked: list[Path] | None = None,
) -> dict[str, pd.DataFrame]:
    """{option_questions, option_results, findings}: tables. ``files``: role (``questions``, ``<model>/<judging>/<setting>``) →
    name in the folder ``raw``; ``entries``: models (model, judging) whose replies made the results files ``replied``, two each;
    ``asked``: CSV files of findings on those replies. ``DataError`` for faulty files."""
    questions, findings = read_questions(raw / files["questions"], with_texts=False)
    cells = [(raw / name, *role.rsplit("/", 2)) for role, name in files.items() if role != "questions"]
    settings = [(e["model"], e["judging"], setting) for e in entries for setting in SETTINGS]
    cells += [(path, *cell) for path, cell in zip(replied or [], settings, strict=True)]
    results, extra = read_result_files(cells, questions)
    noted = [store.read_raw_csv(path, store.columns("findings")) for path in asked or []]
    table = pd.concat([data_issues.issue_table(findings + extra), *noted], ignore_index=True)
    return {"option_questions": questions, "option_results": results, "findings": table}


def pairing_findings(results: pd.DataFrame) -> list[Finding]:
    """A finding for each judging, model and setting with rows that the other setting lacks; a model with one setting has none."""
    findings = []
    for (judging, model), group in results.groupby(["judging", "model"], sort=True):
        rows = {setting: set(group) for setting, group in group.groupby("setting")["row"]}
        both = set.intersection(*rows.values())
        for setting, setting_rows in rows.items():
            alone, place = sorted(setting_rows - both), f"{model}, {judging} judge, {setting}"
            if alone:
                detail = f"{len(alone)} rows, first {alone[0]}"
                findings.append(data_issue("row in one setting only", place, detail))
    return findings


ANNOTATION_COLUMNS = ("model", "setting", "row", "annotator", "verdict")
VERDICTS = {"CORRECT": 1, "INCORRECT": 0, "NOT_ATTEMPTED": -1}


def read_annotations(option_results: pd.DataFrame, annotations: Path) -> dict[str, pd.DataFrame]:
    """{"option_annotations": a row per answer and annotator: model, setting, row, annotator, output}.

    ``annotations``: a CSV with verdict in place of output: CORRECT (1), INCORRECT (0), NOT_ATTEMPTED (−1). ``DataError``
    for another verdict, an answer not in ``option_results``, a blank annotator, two verdicts of one on an answer, or no rows.
    """
    raw = store.read_raw_csv(annotations, ANNOTATION_COLUMNS)[list(ANNOTATION_COLUMNS)]
    faults, key = Faults(annotations.name), ["model", "setting", "row"]
    if not len(raw):
        faults.add("", "", 0, "at least one verdict")
    answers = option_results[key].astype(str).drop_duplicates()
    is_answer = raw.merge(answers, on=key, how="left", indicator=True)["_merge"] == "both"
    named = raw[key].agg(", ".join, axis=1).rename(", ".join(key)) if len(raw) else raw["row"]
    bad = pd.Series(False, index=raw.index)
    for column, mask, expected in (
        (named, ~is_answer, "an answer given"),
        (raw["verdict"], ~raw["verdict"].isin(VERDICTS), f"one of {', '.join(VERDICTS)}"),
        (raw["annotator"], raw["annotator"].str.strip() == "", "a name"),
        (raw["annotator"], raw.duplicated([*key, "annotator"]), "one verdict each"),
    ):
        faults.add_cells(column, mask & ~bad, expected)
        bad |= mask
    faults.sort(key=lambda fault: int(fault.row or 0))
    faults.refuse()
    output = raw.pop("verdict").map(VERDICTS)
    return {"option_annotations": raw.assign(row=raw["row"].astype(int), output=output)}
