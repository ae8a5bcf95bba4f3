"""The offline survey as it comes: a CSV of answers, player by player and clue by clue."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import DataError, Faults

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("player", "question_id", "clue", "position", "guess", "buzz")
_TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def parse_survey(file: Path, questions: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """{"survey": table}, a row for each line of a CSV with the columns of :data:`COLUMNS`. ``clue`` counts from 1,
    ``position`` is the number of words shown, ``buzz`` is 1/0, true/false or yes/no, an empty ``guess`` is no answer
    (null). ``DataError`` with every faulty line, also a player's second one for a question and clue, or without a line."""
    import pandas as pd

    from ..core import store

    raw = store.read_raw_csv(file, COLUMNS)
    if not len(raw):
        raise DataError.at(file.name, "", "", 0, "at least one answer")
    words = raw["question_id"].map(dict(zip(questions["question_id"], questions["n_words"], strict=True)))
    clue = pd.to_numeric(raw["clue"], errors="coerce")
    position = pd.to_numeric(raw["position"], errors="coerce")
    buzz = raw["buzz"].str.strip().str.lower().map(_TRUTH)
    faults = Faults(file.name)
    for name, bad, expected in (
        ("player", raw["player"].str.strip() == "", "a player"),
        ("question_id", words.isna(), "a question of this study"),
        ("clue", ~(clue.between(1, 1e6) & (clue % 1 == 0)), "a clue number from 1"),
        (
            "position",
            ~((position >= 1) & (position <= words) & (position % 1 == 0)) & words.notna(),
            "words shown, 1 to the question's length",
        ),
        ("buzz", buzz.isna(), "1/0, true/false or yes/no"),
    ):
        faults.add_cells(raw[name], bad, expected)
    cleaned = raw.assign(player=raw["player"].str.strip(), clue=clue)
    double = cleaned.duplicated(["player", "question_id", "clue"])
    places = raw["player"] + " " + raw["question_id"] + " clue " + raw["clue"]
    faults.add_cells(places.rename("clue"), double, "one row per player, question and clue")
    rising = cleaned.assign(position=position).sort_values("clue", kind="stable")
    falls = rising.groupby(["player", "question_id"])["position"].diff() < 0
    faults.add_cells(raw["position"], falls.sort_index(), "no fewer words than at earlier clues")
    faults.refuse()
    table = pd.DataFrame(
        {
            "player": cleaned["player"],
            "question_id": raw["question_id"],
            "clue": clue.astype("int64"),
            "position": position.astype("int64"),
            "guess": raw["guess"].where(raw["guess"].str.strip() != "", None),
            "buzz": buzz.astype("bool"),
            "source_row": [f"{file.name}#{i + 2}" for i in raw.index],
        }
    )
    return {"survey": table[store.columns("survey")]}
