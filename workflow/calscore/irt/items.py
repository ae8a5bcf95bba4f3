"""Items: a question's clues 1…t, each cumulative text one item; the raw formats that name them, and what is known of them."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..core import store, strict_json
from ..core.errors import DataError, Fault, raise_faults

#: Values that a text column of features may have.
MOST_VALUES = 20
QC_ID = re.compile(r"^(?P<question>q?.+)_(?P<clue>[1-9]\d*)$")


def item_id(question_id: str, clue: int) -> str:
    """``<question_id>_<clue>``, clues from 1, as the paper writes it: q832_5 for question q832."""
    return f"{question_id}_{clue}"


def items_from_clues(questions: pd.DataFrame, clues: pd.DataFrame) -> pd.DataFrame:
    """Table item_list from tidy/questions and tidy/clues of one segmentation: each item is the text up to a clue's end.

    Sorted and checked by :func:`check_items`.
    """
    about = questions.rename(columns={"answerline": "answer"}).assign(summary=None)
    about = about[["question_id", "text", "category", "answer", "summary"]]
    table = clues.sort_values(["question_id", "clue"]).merge(about, on="question_id", how="left")
    table["item_id"] = list(map(item_id, table["question_id"], table["clue"]))
    table["text"] = [text[:end] for text, end in zip(table["text"], table["end_char"], strict=True)]
    return check_items(table[store.columns("item_list")], "tidy/questions")


def split_id(value: str, file: str, row: int, cumulative: bool = True) -> tuple[str, int]:
    """(question, clue) of an id ``<question>_<clue>``. Another id is its question's clue 1, unless ``cumulative``: a ``DataError``."""
    match = QC_ID.match(str(value))
    if not match:
        if not cumulative:
            return str(value), 1
        expected = "q<id>_<clue>, the clue a number from 1 (or irt.cumulative: false)"
        raise DataError.at(file, str(row), "qc_id", value, expected)
    return match["question"], int(match["clue"])


def items_from_responses(responses: pd.DataFrame) -> pd.DataFrame:
    """Table item_list of the items that ``responses`` (item_id, question_id, clue) name, sorted by question and clue.

    ``text`` is "", ``category`` "unknown", ``end_word`` the clue, other columns nan."""
    rows = responses[["item_id", "question_id", "clue"]].drop_duplicates("item_id")
    rows = rows.assign(end_word=rows["clue"], text="", category="unknown")
    return store.frame(rows, "item_list").sort_values(["question_id", "clue"], ignore_index=True)


def read_json_lines(path: Path) -> Iterator[dict]:
    """Yields the objects of a file of JSON Lines, each with its line number (from 1) as ``_row``; ``DataError`` at the end
    with all lines that hold none."""
    faults: list[Fault] = []
    for number, entry in strict_json.read_objects(path, faults):
        yield entry | {"_row": number}
    raise_faults(faults)


def pick(entry: dict, names: Sequence[str], file: str, required: bool = True) -> Any:
    """Value of the first of ``names`` that ``entry`` (of :func:`read_json_lines`) has and that is not null.

    Without any a ``DataError``, or None unless ``required``.
    """
    value = next((entry[name] for name in names if entry.get(name) is not None), None)
    if value is None and required:
        expected = f"one of {', '.join(names)}"
        raise DataError.at(file, str(entry["_row"]), names[0], None, expected)
    return value


def read_items(
    path: Path, summaries: Path | None = None, cumulative: bool = True
) -> tuple[pd.DataFrame, dict[str, int]]:
    """(item_list, steps) from JSON lines with ``id``, ``text`` and perhaps category, answer, summary, ``max_score``.

    ``summaries``: a CSV question_id, summary. ``cumulative``: ids are ``<question>_<clue>`` and a clue's text
    holds that of the clue before. A ``max_score`` K > 1 makes the item a question of K steps; where
    ``cumulative``, it is a ``DataError``; ``steps``: id → K.
    """
    file = Path(path).name
    rows, steps = [], {}
    for entry in read_json_lines(path):
        name = str(pick(entry, ("id", "query_id", "qc_id"), file))
        text = pick(entry, ("text", "clue_text", "question", "query"), file, required=False)
        points = pick(entry, ("max_score",), file, required=False)
        labels = {column: entry.get(column) for column in ("category", "answer", "summary")}
        for column, value in labels.items():
            if not isinstance(value, str | None):
                raise DataError.at(file, str(entry["_row"]), column, value, "text")
        about = {
            "end_word": len(str(text or "").split()),
            "text": None if text is None else str(text),
            **labels,
            "category": labels["category"] or "unknown",
        }
        if points in (None, 1):
            places = [(name, *split_id(name, file, entry["_row"], cumulative))]
        elif cumulative or type(points) is not int or points < 1:
            expected = "1" if cumulative else "a whole number of points from 1"
            raise DataError.at(file, str(entry["_row"]), "max_score", points, expected)
        else:
            steps[name] = points
            places = [(item_id(name, k), name, k) for k in range(1, points + 1)]
        columns = ("item_id", "question_id", "clue")
        rows += [dict(zip(columns, place, strict=True)) | about for place in places]
    table = pd.DataFrame(rows, columns=store.columns("item_list"))
    if summaries:
        pages = store.read_raw_csv(summaries, ["question_id", "summary"])
        for question in pages["question_id"][pages["question_id"].duplicated()]:
            raise DataError.at(Path(summaries).name, "", "question_id", question, "a question once")
        table["summary"] = table["question_id"].map(pages.set_index("question_id")["summary"])
    return check_items(table, file, cumulative), steps


def check_items(table: pd.DataFrame, file: str, cumulative: bool = True) -> pd.DataFrame:
    """``table`` sorted by question and clue. Raises ``DataError`` with all items that lack text or recur.

    Where ``cumulative``, also for the first item that has fewer words than the clue before it.
    """
    expected = "text of at least one word"
    faults = [
        Fault(file, item, "text", text if isinstance(text, str) else None, expected)
        for item, text in zip(table["item_id"], table["text"], strict=True)
        if not isinstance(text, str) or not text.strip()
    ]
    twice = table[table["item_id"].duplicated()]
    faults += [Fault(file, item, "id", item, "an id once") for item in twice["item_id"]]
    if not len(table):
        faults.append(Fault(file, "", "", 0, "at least one item"))
    raise_faults(faults)
    table = table.sort_values(["question_id", "clue"], ignore_index=True)
    growth = table.groupby("question_id")["end_word"].diff()
    bad = table[growth < 0]
    if cumulative and len(bad):
        row = bad.iloc[0]
        expected = "at least as many words as the clue before it (or irt.cumulative: false)"
        raise DataError.at(file, row.item_id, "text", row.text, expected)
    return table


def rows_of_items(table, items, file: str, expected: str) -> pd.DataFrame:
    """Rows of ``table`` (with ``id``) in the order of ``items``, indexed by id; rows of other items are left out.

    Raises ``DataError`` for an id twice, or for items without a row, of which ``expected`` says what is missing.
    """
    ids = table["id"].astype(str)
    for name in ids[ids.duplicated()]:
        raise DataError.at(file, name, "id", name, "an id once")
    missing = sorted(set(items["item_id"]) - set(ids))
    raise_faults(Fault(file, name, "id", None, expected) for name in missing)
    return table.set_index(ids).loc[items["item_id"]]


def read_features(path: Path, items: pd.DataFrame, covariates: list[str]) -> pd.DataFrame:
    """Columns ``covariates`` of a CSV with ``id``, indexed by item_id in the order of ``items``.

    A covariate without a finite number becomes a 0/1 column ``<column>=<value>`` for each of its texts. ``DataError`` for
    more than :data:`MOST_VALUES` texts, an item without a row, and beside numbers a value that is none or not finite.
    """
    raw, columns = store.read_raw_csv(path, ["id", *covariates]), []
    table = rows_of_items(raw, items, path.name, "features of every item")
    for name in covariates:
        column = pd.to_numeric(table[name], errors="coerce").rename(name).to_frame()
        if not np.isfinite(column.to_numpy()).any():
            column = pd.get_dummies(table[name], prefix=name, prefix_sep="=", dtype=float)
            if len(column.columns) > MOST_VALUES:
                number = f"{len(column.columns)} texts"
                expected = f"at most {MOST_VALUES}, or numbers"
                raise DataError.at(path.name, "", name, number, expected)
        bad = np.flatnonzero(~np.isfinite(column.to_numpy()).all(axis=1))
        if len(bad):
            row, value = items["item_id"].iloc[bad[0]], table[name].iloc[bad[0]]
            raise DataError.at(path.name, row, name, value, "a finite number")
        columns.append(column)
    return pd.concat(columns, axis=1).rename_axis("item_id")
