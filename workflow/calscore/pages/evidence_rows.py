"""Rows of tables that a row of the ledger was computed from, selected as its evidence says."""

import re

import numpy as np

from .redaction import TEXTS
from .wording import json_value

MOST = 5000
"""Rows of a table that a page holds."""
_COUNT = re.compile(r" \((\d+) rows?\)")
_EQUAL = re.compile(r"(\w+) = (.+)")
_THROUGH_TEAMS = re.compile(r"team with human/teams.parquet (\w+) = (.+)")
_SHOWN_ALONE = ("segmentation", "reduction", "marks")
"""Columns whose values evidence gives without their names, in this order."""
_NO_SELECTION = re.compile(r"all \d+ rows|by .*|rank|n_\w+|mean of .*|least .*")


class EvidenceRows:
    """Tables of a study for a page, and the conditions under which rows are those of an evidence. ``tables``:
    file → ``columns`` and ``rows`` of cells as text, of those that :meth:`select` has found rows in."""

    def __init__(self, study):
        self.study = study
        self.names = {table.file: name for name, table in study.tables.items()}
        self.tables: dict[str, dict] = {}

    def select(self, file: str, words: str) -> dict | None:
        """``{count, where}``: how many rows of ``file`` the evidence's ``words`` select, and the (column,
        values as text) that do. Keeps the table in ``tables``. None where a word is not understood, no row or
        another number of rows than the words say is selected, or ``file`` is no table, an empty one or one
        longer than :data:`MOST`."""
        frame = self.study[self.names[file]] if file in self.names else ()
        if not 0 < len(frame) <= MOST:
            return None
        selection, alone = [], list(_SHOWN_ALONE)
        count = _COUNT.search(words)
        for term in _COUNT.sub("", words).split(", "):
            outcome = re.fullmatch(r"(in)?correct( by clue .*)?", term)
            if outcome and "correct" in frame:
                selection.append(("correct", ["false" if outcome[1] else "true"]))
            elif match := _THROUGH_TEAMS.fullmatch(term):
                teams = self.study["teams"]
                chosen = teams[teams[match[1]].astype(str) == match[2]]
                selection.append(("team", sorted(chosen["team"])))
            elif (match := _EQUAL.fullmatch(re.sub(r" by .*", "", term))) and match[1] in frame:
                selection.append((match[1], [match[2]]))
            elif match and match[1] == "metric" and match[2] in frame:
                continue
            elif names := [name for name in alone if name in frame and (frame[name] == term).any()]:
                selection.append((names[0], [term]))
                alone.remove(names[0])
            elif not _NO_SELECTION.fullmatch(term):
                return None
        mask = frame.index == frame.index
        for column, values in selection:
            mask &= frame[column].map(_cell).isin(values)
        if not mask.any() or (count and int(count[1]) != mask.sum()):
            return None
        if file not in self.tables:
            self.tables[file] = _table(frame)
        return {"count": int(mask.sum()), "where": selection}


def _cell(value) -> str:
    """A cell as the page's script compares it: missing as "", true and false in lower case."""
    cell = json_value(value)
    return str(cell).lower() if isinstance(cell, bool) else "" if cell is None else str(cell)


def _table(frame) -> dict:
    """Columns and rows of cells, without texts of questions and without arrays."""
    columns = [name for name in frame if name not in TEXTS and not frame[name].map(np.ndim).any()]
    return {
        "columns": columns,
        "rows": [list(map(_cell, row)) for row in frame[columns].itertuples(index=False)],
    }
