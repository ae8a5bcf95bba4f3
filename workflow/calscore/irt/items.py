"""Items: a question's clues 1…t, each cumulative text one item; and the raw formats that name them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd

from ..core import store, strict_json
from ..core.errors import DataError, Fault

QC_ID = re.compile(r"^(?P<question>q?.+)_(?P<clue>[1-9]\d*)$")


def item_id(question_id, clue) -> str:
    """``<question>_<clue>``, as the paper writes it (q832_5)."""
    return f"{question_id}_{clue}"


def from_clues(questions, clues):
    """irt/items from tidy/questions and the clue ends of one segmentation."""
    about = questions.rename(columns={"answerline": "answer"}).assign(summary=None)
    about = about[["question_id", "text", "category", "answer", "summary"]]
    table = clues.sort_values(["question_id", "clue"]).merge(about, on="question_id", how="left")
    table["item_id"] = list(map(item_id, table["question_id"], table["clue"]))
    texts = zip(table["text"], table["end_char"], strict=True)
    table["text"] = [text[:end] for text, end in texts]
    return check_items(table[store.columns("item_list")], "tidy/questions")


def split_id(value, file: str, row, cumulative: bool = True) -> tuple[str, int]:
    """Question and clue of an item's id; where items stand alone one without a number is its question's first."""
    match = QC_ID.match(str(value))
    if not match:
        if not cumulative:
            return str(value), 1
        raise DataError.at(
            file,
            str(row),
            "qc_id",
            value,
            "q<id>_<clue>, the clue a number from 1 (or irt.cumulative: false)",
        )
    return match["question"], int(match["clue"])


def from_responses(responses):
    """Items without texts: those that ``responses`` name."""
    rows = responses[["item_id", "question_id", "clue"]].drop_duplicates("item_id")
    rows = rows.assign(end_word=rows["clue"], text="", category="unknown")
    return store.frame(rows, "item_list").sort_values(["question_id", "clue"], ignore_index=True)


def read_json_lines(path) -> list[dict]:
    """One JSON object a line, and the number of its line as ``_row``."""
    faults = []
    entries = [entry | {"_row": number} for number, entry in strict_json.read_objects(path, faults)]
    if faults:
        raise DataError(faults)
    return entries


def pick(entry: dict, names, file: str, required: bool = True, row=None):
    """The first of several names for the same thing."""
    for name in names:
        if entry.get(name) is not None:
            return entry[name]
    if required:
        row = entry.get("_row", "") if row is None else row
        raise DataError.at(file, str(row), names[0], None, f"one of {', '.join(names)}")
    return None


def read_items(path, summaries=None, cumulative: bool = True):
    """(irt/items, steps) from JSON-lines queries: ``id`` (``<question>_<clue>``), ``text``, and where there
    are any ``category``, ``answer``, ``summary``, ``max_score``.

    ``summaries``: CSV with question_id, summary (page summaries). ``cumulative``: every clue's text holds that
    of the clue before it; else items are as they are (parts of a bonus, questions of any benchmark) and an id needs no
    number. An item with a ``max_score`` K above 1 is a question of K items of the same text, the steps to its K points;
    ``steps``: its id → K.
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
            question, clue = split_id(name, file, entry["_row"], cumulative)
            places = [(name, question, clue)]
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
        for column in pages["question_id"][pages["question_id"].duplicated()]:
            raise DataError.at(Path(summaries).name, "", "question_id", column, "a question once")
        table["summary"] = table["question_id"].map(pages.set_index("question_id")["summary"])
    return check_items(table, file, cumulative), steps


def check_items(table, file: str, cumulative: bool = True):
    """The table sorted, or one fault for each item without text, repeated or out of order."""
    texts = zip(table["item_id"], table["text"], strict=True)
    faults = [
        Fault(
            file, item, "text", text if isinstance(text, str) else None, "text of at least one word"
        )
        for item, text in texts
        if not isinstance(text, str) or not text.strip()
    ]
    twice = table[table["item_id"].duplicated()]
    faults += [Fault(file, item, "id", item, "an id once") for item in twice["item_id"]]
    if not len(table):
        faults.append(Fault(file, "", "", 0, "at least one item"))
    if faults:
        raise DataError(faults)
    table = table.sort_values(["question_id", "clue"], ignore_index=True)
    growth = table.groupby("question_id")["end_word"].diff()
    bad = table[growth < 0]
    if cumulative and len(bad):
        row = bad.iloc[0]
        expected = "the text of the clue before it, and more (or irt.cumulative: false)"
        raise DataError.at(file, row.item_id, "text", row.text, expected)
    return table


def folds(items, k: int, seed: int) -> np.ndarray:
    """Fold 0…k−1 of every item, split by question: all clues of a question are in one fold."""
    names = np.unique(items["question_id"])
    order = np.random.default_rng(seed).permutation(len(names)) % k
    return pd.Series(order, index=names).loc[items["question_id"]].to_numpy()


def rows_of_items(table, items, file: str, expected: str):
    """Rows of ``table`` (with ``id``) in the order of the items, each of which must have a single one."""
    ids = table["id"].astype(str)
    for name in ids[ids.duplicated()]:
        raise DataError.at(file, name, "id", name, "an id once")
    missing = sorted(set(items["item_id"]) - set(ids))
    if missing:
        raise DataError([Fault(file, name, "id", None, expected) for name in missing])
    return table.set_index(ids).loc[items["item_id"]]
