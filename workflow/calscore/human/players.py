"""The offline survey: raw CSV, backfilling (§3.2.1) and the ranking of players (Appendix F.3)."""

from __future__ import annotations

from pathlib import Path

from ..core.errors import DataError, Fault
from ..core.findings import Finding

COLUMNS = ("player", "question_id", "clue", "position", "guess", "buzz")
_TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def parse_survey(path, questions):
    """Rows of tidy/survey from a CSV with the columns of :data:`COLUMNS`.

    ``clue`` counts from 1, ``position`` is the number of words shown, ``buzz`` is 1/0, true/false
    or yes/no, an empty ``guess`` is no answer. Raises ``DataError`` with every faulty line.
    """
    import pandas as pd

    from ..core import store

    file = Path(path).name
    raw = store.read_raw_csv(path, COLUMNS)
    words = raw["question_id"].map(
        dict(zip(questions["question_id"], questions["n_words"], strict=True))
    )
    clue = pd.to_numeric(raw["clue"], errors="coerce")
    position = pd.to_numeric(raw["position"], errors="coerce")
    buzz = raw["buzz"].str.strip().str.lower().map(_TRUTH)
    faults = []
    for name, bad, expected in (
        ("player", raw["player"].str.strip() == "", "a player"),
        ("question_id", words.isna(), "a question of this study"),
        ("clue", ~((clue >= 1) & (clue % 1 == 0)), "a clue number from 1"),
        (
            "position",
            ~((position >= 1) & (position <= words) & (position % 1 == 0)) & words.notna(),
            "words shown, 1 to the question's length",
        ),
        ("buzz", buzz.isna(), "1/0, true/false or yes/no"),
    ):
        faults += [Fault(file, str(i + 2), name, raw[name][i], expected) for i in bad[bad].index]
    double = raw.duplicated(["player", "question_id", "clue"])
    faults += [
        Fault(
            file,
            str(i + 2),
            "clue",
            f"{raw['player'][i]} {raw['question_id'][i]} clue {raw['clue'][i]}",
            "one row per player, question and clue",
        )
        for i in double[double].index
    ]
    if faults:
        raise DataError(faults)
    table = pd.DataFrame(
        {
            "player": raw["player"].str.strip(),
            "question_id": raw["question_id"],
            "clue": clue.astype("int64"),
            "position": position.astype("int64"),
            "guess": raw["guess"].where(raw["guess"].str.strip() != "", None),
            "buzz": buzz.astype("bool"),
            "source_row": [f"{file}#{i + 2}" for i in raw.index],
        }
    )
    return table[store.columns("survey")]


def backfill(observed):
    """Fill a series of answers to one question, in clue order, where nothing was observed.

    ``observed`` holds True, False or None. Once right, right at every later clue; wrong, wrong at
    every earlier one. What was observed stays, so right followed by wrong is left as it is. A cell
    between that both rules claim (right before it, wrong after it) stays unknown.
    """
    observed = list(observed)
    right_before = [False] * len(observed)
    seen = False
    for i, value in enumerate(observed):
        right_before[i] = seen
        seen = seen or (value is not None and bool(value))
    wrong_after = [False] * len(observed)
    seen = False
    for i in range(len(observed) - 1, -1, -1):
        wrong_after[i] = seen
        seen = seen or (observed[i] is not None and not observed[i])
    filled = []
    for value, right, wrong in zip(observed, right_before, wrong_after, strict=True):
        if value is not None:
            filled.append(value)
        elif right and not wrong:
            filled.append(True)
        elif wrong and not right:
            filled.append(False)
        else:
            filled.append(None)
    return filled


def survey_responses(survey, verdicts):
    """judged/survey_responses and findings on contradictions.

    ``verdicts`` is a nullable boolean series aligned with ``survey``: right or wrong as judged, null
    where the player wrote nothing.
    """
    from ..core import store

    table = survey.assign(observed=verdicts.astype("boolean"))
    table = table.sort_values(["player", "question_id", "clue"], ignore_index=True)
    groups = table.groupby(["player", "question_id"], sort=False)
    filled, findings = [], []
    for (player, question), rows in groups:
        observed = rows["observed"].astype(object).where(rows["observed"].notna(), None).to_list()
        filled += backfill(observed)
        first = next((i for i, value in enumerate(observed) if value), None)
        if first is not None and False in observed[first:]:
            later = first + observed[first:].index(False)
            clues = rows["clue"].to_list()
            findings.append(
                Finding(
                    "survey",
                    "right, then wrong",
                    "info",
                    f"{player}, {question}",
                    f"right at clue {clues[first]}, wrong at clue {clues[later]}",
                    "both kept as observed",
                )
            )
    table["correct"] = filled
    table["correct"] = table["correct"].astype("boolean")
    table["backfilled"] = table["observed"].isna() & table["correct"].notna()
    table["n_clues"] = groups["clue"].transform("max")
    return table[store.columns("survey_responses")], findings


def first_buzzes(responses):
    """One row per player and question: the clue of the first buzz and whether it was right.

    A buzz without an answer counts as wrong, as it would at the table.
    """
    buzzed = responses[responses["buzz"]].sort_values("clue", kind="stable")
    first = buzzed.drop_duplicates(["player", "question_id"]).copy()
    first["correct"] = first["observed"].fillna(False).astype(bool)
    return first[["player", "question_id", "clue", "n_clues", "correct"]]


def rank_players(responses):
    """human/players: points under Appendix F.3 and the quartile and half by points.

    20 − 20c points for a correct first buzz after the share c of the clues, −5 for a wrong one, 0
    without a buzz. Quartiles by the 25/50/75 percentiles (linear, ≤), the half by the median (≤ is
    bottom).
    """
    import numpy as np
    import pandas as pd

    from .curves import quartile

    first = first_buzzes(responses)
    share = first["clue"] / first["n_clues"]
    first["points"] = np.where(first["correct"], 20 - 20 * share, -5.0)
    table = pd.DataFrame({"questions": responses.groupby("player")["question_id"].nunique()})
    grouped = first.groupby("player")
    table["buzzes"] = grouped.size()
    table["correct"] = grouped["correct"].sum()
    table["points"] = grouped["points"].sum()
    table = table.fillna(0).astype({"buzzes": "int64", "correct": "int64"}).reset_index()
    table["quartile"] = quartile(table["points"])
    table["half"] = np.where(table["points"] <= table["points"].median(), "bottom", "top")
    return table
