"""Which rows and groups the paper's statements are about, for the quantities and their intervals."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ..core.mark_sources import MARKS, first_judge

FIFTHS = 5
PAPER_JUDGES = ("authors", *(judge for judge in MARKS if judge != "authors"))
"""The paper's own marks first."""
QUARTILES = {"total-correct": "paper", "release": "release", "rate": "rate"}
"""Name of a reading of the quartiles → the rule in human/teams."""
_REDUCTIONS = ["stated", "mean_prob", "exp_mean_logprob", "exp_sum_logprob"]


def primary(frame: pd.DataFrame, segmentation: str) -> tuple[pd.DataFrame, str]:
    """(rows, segmentation): those of ``segmentation``, or of the first by name if ``frame`` (not empty) lacks it."""
    names = sorted(frame["segmentation"].unique())
    chosen = segmentation if segmentation in names else names[0]
    return frame[frame["segmentation"] == chosen], chosen


def group_of(frame: pd.DataFrame) -> pd.Series:
    """Group of each row, on the index of ``frame``, as §5 pools them: ``H`` for humans, the team itself for models."""
    return frame["team"].where(frame["kind"] == "model", "H")


def curve_members(teams: pd.DataFrame, rule: str) -> dict[str, list[str]]:
    """Group → its teams, for each curve of Figure 4: each team alone, all humans (H), and quartiles Q1 to Q4 by ``rule`` (paper,
    release or rate); a quartile may be empty."""
    members = {team: [team] for team in sorted(teams["team"])}
    humans = teams[teams["kind"] == "human"]
    members["H"] = humans["team"].tolist()
    for quartile in range(1, 5):
        in_quartile = (humans[f"quartile_{rule}"] == quartile).fillna(False)
        members[f"Q{quartile}"] = humans.loc[in_quartile, "team"].tolist()
    return members


def paper_rows(frame: pd.DataFrame, segmentation: str) -> tuple[pd.DataFrame, str]:
    """(rows, words for the choice): of one segmentation; of each model and elicitation the first of §3.2.1's
    reductions (without any of them, all it has), and of these the first judge, the paper's own marks before others."""
    rows, chosen = primary(frame, segmentation)
    order = {name: place for place, name in enumerate(_REDUCTIONS)}
    place = rows["reduction"].map(order).fillna(len(order))
    best = place.groupby([rows["model"], rows["elicitation"]]).transform("min")
    rows = rows[place == best]
    if "marks" in rows:
        rows = first_judge(rows, PAPER_JUDGES)
    used = [*sorted(rows["reduction"].unique()), *sorted(set(rows.get("marks", [])) - {"engine"})]
    return rows, ", ".join([chosen, *used])


def guesses_before_first_buzz(frame: pd.DataFrame, unit: str) -> pd.DataFrame:
    """Guesses up to and with the first buzz of each ``unit`` (a column) on a question (footnote 10), in the
    order of clues.

    ``frame``: unit, question_id, clue, n_clues, right, buzz; rows without right or buzz are left out. Added
    are ``given`` (right or wrong) and ``fifth`` of the clues (1 to 5); buzz becomes 0 or 1."""
    frame = frame.dropna(subset=["right", "buzz"]).sort_values([unit, "question_id", "clue"])
    buzz = frame["buzz"].astype(int)
    before = buzz.groupby([frame[unit], frame["question_id"]]).cumsum() - buzz
    frame = frame[before == 0].assign(buzz=buzz)
    return frame.assign(
        fifth=-(-FIFTHS * frame["clue"] // frame["n_clues"]),
        given=np.where(frame["right"].astype(bool), "right", "wrong"),
    )


def logit_answers(responses: pd.DataFrame, segmentation: str) -> tuple[pd.DataFrame, str]:
    """(:func:`paper_rows` of the logit elicitation with n_clues (T) and ``right`` (as correct), words for the choice)."""
    rows, used = paper_rows(responses, segmentation)
    rows = rows[rows["elicitation"] == "logit"]
    length = rows.groupby(["model", "question_id"])["clue"].transform("max")
    return rows.assign(n_clues=length, right=rows["correct"]), used


def answers_at_percents(answers: pd.DataFrame) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yields (percent, answers at clue ⌈p·T⌉) for p = 10, 20, ..., 100 % of a question's T clues. ``answers``: correct, clue and
    n_clues (T); where correct is missing they are left out."""
    answers = answers.dropna(subset=["correct"])
    for percent in range(10, 101, 10):
        # whole numbers, as 0.3 · 10 is above 3 in floating point
        yield percent, answers[answers["clue"] == -(-percent * answers["n_clues"] // 100)]


def players_in_quartiles(survey: pd.DataFrame, players: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """``H`` (all players) and Q1 to Q4 (by table ``players``) → rows of ``survey``; a quartile may have none."""
    quartile = survey["player"].map(players.set_index("player")["quartile"])
    return {"H": survey} | {f"Q{number}": survey[quartile == number] for number in range(1, 5)}
