"""Files of an extract: numbers of a release without its texts."""

import csv
import hashlib
from pathlib import Path
from typing import NamedTuple

from .errors import DataError, Faults

FILES = {
    "questions": ("packet", "number", "source_id", "category", "words", "characters", "sentences", "answer_words", "points_word", "conditions", "text_sha256", "answer_sha256"),
    "clues": ("segmentation", "packet", "number", "end_words", "end_characters"),
    "buzzes": ("packet", "number", "entry", "team", "word", "right"),
    "output_buzzes": ("packet", "number", "entry", "team", "word", "right"),
    "participation": ("table", "entry", "packet", "source_id", "teams"),
    "guesses": ("packet", "number", "guess", "condition", "words", "verdict", "score", "rule", "matchers"),
    "runs": ("packet", "number", "model", "run", "first_word", "last_word", "log_confidence", "buzzed", "guess", "sent", "cleaned", "words_heard", "authors", "strict", "engine", "adjudicated", "cause"),
}  # fmt: skip
"""Name of each table (``<name>.csv``) → its columns."""
SUMS = "SHA256SUMS"
TEAMS = "teams"
"""Table of participation whose one entry lists all teams."""
RELEASE_FILE = "[public]ALL_final_buzzpoints/packet{packet}_buzzpoints.json"
OUTPUTS_FILE = "packet{packet}_model_human_output.json"
TEXTS = "make grace FETCH=1, or make grace RELEASE=<folder> OUTPUTS=<folder>"
"""What makes the study with texts."""
_NUMBERS = {"packet", "number", "words", "characters", "sentences", "answer_words", "entry", "word", "right", "run"} | {
    "first_word", "last_word", "buzzed", "points_word", "words_heard", *("authors", "strict", "engine", "adjudicated"),
}  # fmt: skip


class Row(NamedTuple):
    """A row of a table of the extract. ``line``: its number among rows that are not blank (the heading is 1);
    ``cells``: column → value."""

    line: int
    cells: dict

    def __getitem__(self, name: str):
        return self.cells[name]


def guess_id(question_id: str, text: str) -> str:
    """Id of a guess on a question: g and eight hexadecimal digits of a SHA-256 over both, so without its text."""
    return "g" + hashlib.sha256(f"{question_id}\t{text}".encode()).hexdigest()[:8]


def question_id(row: Row | dict) -> str:
    """Id of the question of a ``row``, from its packet and number with two digits or more each:
    ``p03-q07``."""
    return f"p{row['packet']:02d}-q{row['number']:02d}"


def file_names() -> list[str]:
    """Names of the files of an extract."""
    return [*(f"{name}.csv" for name in FILES), SUMS]


def read_table(folder: str | Path, name: str) -> list[Row]:
    """Rows of ``<name>.csv`` in file order, cells of number columns as ``int`` and others as text.

    ``DataError`` unless the columns are those of :data:`FILES` in their order, or for a cell that should be a
    whole number and is not."""
    path, rows = Path(folder) / f"{name}.csv", []
    faults = Faults(path.name)
    with path.open(encoding="utf-8", newline="") as handle:
        reader = csv.DictReader(handle)
        if tuple(reader.fieldnames or ()) != FILES[name]:
            raise DataError.at(path.name, "1", "", reader.fieldnames, ", ".join(FILES[name]))
        for line, cells in enumerate(reader, start=2):
            for column in _NUMBERS & set(cells):
                value = cells[column]
                if not (value or "").removeprefix("-").isdecimal():
                    faults.add(line, column, value, "a whole number")
                else:
                    cells[column] = int(value)
            rows.append(Row(line, cells))
    faults.refuse()
    return rows


def clue_ends(folder: str | Path) -> list[tuple[str, str, int, int]]:
    """(segmentation, question_id, end_word, end_char) of every clue of an extract, in file order; ends are exclusive."""
    return [
        (row["segmentation"], question_id(row), int(word), int(char))
        for row in read_table(folder, "clues")
        for word, char in zip(row["end_words"].split(), row["end_characters"].split(), strict=True)
    ]
