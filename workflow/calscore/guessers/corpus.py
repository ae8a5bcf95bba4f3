"""Past questions with their answers: what retrieval and the baseline know, and where buzzing is learnt."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from ..core import strict_json
from ..core.data_issues import Finding, data_issue
from ..core.errors import DataError, Faults
from ..raw import guesses
from ..raw.guesses import is_logarithm

if TYPE_CHECKING:
    import pandas as pd

RUN_FIELDS = ("qanta_id", "word_end", "guess", "token_logprobs")


def answer_title(page: str | None, answerline: str) -> str:
    """Short name of an answer: its Wikipedia page with spaces, else the answer line up to the first bracket (all of it if
    that is empty)."""
    if page:
        return page.replace("_", " ")
    return re.split(r"\s*[\[(]", answerline, maxsplit=1)[0].strip() or answerline


def collect_corpus(entry: dict, local_file: Path | None, corpus: Path) -> dict[str, pd.DataFrame]:
    """Copy the file ``local_file``, or fetch that of ``entry`` (name, url, sha256), to ``corpus``. Returns ``{"manifest":
    table}`` of one row: role, file, source, bytes, sha256, checked."""
    from ..raw import fetch

    if local_file:
        entry = entry | {"name": local_file.name}
    return fetch.collect_files([("corpus", entry, local_file.parent if local_file else None, corpus)])


def parse_past_questions(path: Path) -> pd.DataFrame:
    """Table past_questions of a QANTA file (a JSON list, or an object with it under ``questions``): qanta_id,
    text, answer, perhaps page, category. ``DataError`` with all faults."""
    import pandas as pd

    file = Path(path).name
    document = strict_json.read(path)
    entries = document.get("questions") if isinstance(document, dict) else document
    if not isinstance(entries, list) or not entries:
        raise DataError.at(file, "", "questions", type(entries).__name__, "a list of questions")
    faults, rows, ids = Faults(file), [], set()
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            faults.add(number, "", entry, "an object")
            continue
        before = len(faults)
        for name, expected in (("qanta_id", "a whole number"), ("text", "text"), ("answer", "text")):
            value = entry.get(name)
            if type(value) is not (int if name == "qanta_id" else str) or value == "":
                faults.add(number, name, value, f"{expected}, not empty")
        for name in ("page", "category"):
            if not isinstance(entry.get(name), str | None):
                faults.add(number, name, entry[name], "text or null")
        if len(faults) > before:
            continue
        key, words = f"past-{entry['qanta_id']}", entry["text"].split()
        if key in ids:
            faults.add(number, "qanta_id", entry["qanta_id"], "an id that occurs once")
        if not words:
            faults.add(number, "text", entry["text"], "at least one word")
        ids.add(key)
        rows.append(
            {
                "question_id": key,
                "title": answer_title(entry.get("page"), entry["answer"]),
                "category": entry.get("category") or "",
                "text": entry["text"],
                "answerline": entry["answer"],
                "n_words": len(words),
            }
        )
    faults.refuse()
    return pd.DataFrame(rows)


def _run_faults(record, file: str, row: int, words: dict[str, int]) -> Faults:
    """Faults of one record of a file of runs, empty if it is valid; ``words``: question_id → words of the question."""
    faults = Faults(file)
    for name in RUN_FIELDS:
        if name not in record:
            faults.add(row, name, None, "the field to be present")
    if faults:
        return faults
    key, position, tokens = f"past-{record['qanta_id']}", record["word_end"], record["token_logprobs"]
    if key not in words:
        faults.add(row, "qanta_id", record["qanta_id"], "a question of the corpus")
        return faults
    if type(position) is not int or not 1 <= position <= words[key]:
        faults.add(row, "word_end", position, f"words heard, 1 to {words[key]}")
    if not isinstance(record["guess"], str | None):
        faults.add(row, "guess", record["guess"], "text or null")
    if not (isinstance(tokens, list) and tokens and all(map(is_logarithm, tokens))):
        faults.add(row, "token_logprobs", tokens, "natural logarithms, each at most 0")
    return faults


def parse_past_runs(path: Path, questions, model: str) -> tuple[list[dict], list[Finding]]:
    """(rows of tidy/guesses, findings) from runs of ``model`` on past questions (:func:`parse_past_questions`). JSON Lines,
    gzipped or not: qanta_id, word_end (words heard), guess, token_logprobs. Of two runs after the same word the later one
    stays, with a finding. ``DataError`` with every faulty line, or without a run."""
    file = Path(path).name
    words = dict(zip(questions["question_id"], questions["n_words"], strict=True))
    rows, faults = [], Faults(file)
    for number, record in strict_json.read_objects(path, faults):
        bad = _run_faults(record, file, number, words)
        faults += bad
        if not bad:
            read = {
                "model": model,
                "elicitation": "logit",
                "position": record["word_end"],
                "guess": record["guess"] or None,
                "token_logprobs": [float(t) for t in record["token_logprobs"]],
            }
            rows.append(guesses.guess_row(f"past-{record['qanta_id']}", read, f"{file}#{number}"))
    if not (rows or faults):
        faults.add("", "", 0, "at least one run")
    faults.refuse()
    unique, findings = {}, []
    for row in rows:
        key = row["question_id"], row["position"]
        if key in unique:
            before, place = unique[key], row["source_row"]
            detail = f"{key[0]} word {key[1]}: {before['guess']!r}, then {row['guess']!r}"
            findings.append(data_issue("past", "two runs after the same word", place, detail))
        unique[key] = row
    return list(unique.values()), findings
