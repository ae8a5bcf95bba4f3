"""Which rows and groups the paper's statements are about, for the quantities and their intervals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..core.mark_sources import MARKS, first_judge

FIFTHS = 5
PAPER_JUDGES = ("authors", *(judge for judge in MARKS if judge != "authors"))
"""The paper's own marks first."""
QUARTILES = {"total-correct": "paper", "release": "release", "rate": "rate"}
"""Name of a reading of the quartiles → the rule in human/teams."""
_REDUCTIONS = ["stated", "mean_prob", "exp_mean_logprob", "exp_sum_logprob"]


def primary(frame, segmentation: str):
    """Rows of ``segmentation``, or of the first one by name where the study lacks it."""
    names = sorted(frame["segmentation"].unique())
    chosen = segmentation if segmentation in names else names[0]
    return frame[frame["segmentation"] == chosen], chosen


def group_of(frame):
    """``H`` for human rows, the team for models: how buzzes are pooled in §5."""
    return frame["team"].where(frame["kind"] == "model", "H")


def curve_members(teams, rule: str) -> dict[str, list[str]]:
    """The teams of each curve of Figure 4: each team, all humans (H), quartiles Q1 to Q4."""
    members = {team: [team] for team in sorted(teams["team"])}
    humans = teams[teams["kind"] == "human"]
    members["H"] = humans["team"].tolist()
    for quartile in range(1, 5):
        in_quartile = (humans[f"quartile_{rule}"] == quartile).fillna(False)
        members[f"Q{quartile}"] = humans.loc[in_quartile, "team"].tolist()
    return members


def paper_rows(frame, segmentation: str):
    """Rows of §3.2.1's confidence under one segmentation: one reduction for each model."""
    rows, chosen = primary(frame, segmentation)
    order = {name: place for place, name in enumerate(_REDUCTIONS)}
    place = rows["reduction"].map(order).fillna(len(order))
    best = place.groupby([rows["model"], rows["elicitation"]]).transform("min")
    rows = rows[place == best]
    if "marks" in rows:
        rows = first_judge(rows, PAPER_JUDGES)
    used = [*sorted(rows["reduction"].unique()), *sorted(set(rows.get("marks", [])) - {"engine"})]
    return rows, ", ".join([chosen, *used])


def guesses_before_first_buzz(frame, unit: str):
    """Guesses up to the first buzz of a unit on a question (footnote 10), in fifths of the clues.

    ``frame``: unit, question_id, clue, n_clues, right, buzz; with columns given (right or wrong),
    fifth (1 to 5) and buzz as 0 or 1.
    """
    frame = frame.dropna(subset=["right", "buzz"]).sort_values([unit, "question_id", "clue"])
    buzz = frame["buzz"].astype(int)
    before = buzz.groupby([frame[unit], frame["question_id"]]).cumsum() - buzz
    frame = frame[before == 0].assign(buzz=buzz)
    return frame.assign(
        fifth=-(-FIFTHS * frame["clue"] // frame["n_clues"]),
        given=np.where(frame["right"].astype(bool), "right", "wrong"),
    )


def logit_answers(responses, segmentation: str):
    """Answers with logit confidence, with n_clues of their question and right; what was chosen."""
    rows, used = paper_rows(responses, segmentation)
    rows = rows[rows["elicitation"] == "logit"]
    length = rows.groupby(["model", "question_id"])["clue"].transform("max")
    return rows.assign(n_clues=length, right=rows["correct"]), used


def at_percents(answers) -> Iterator[tuple]:
    """(percent, known answers at clue ⌈p·T⌉) for p = 10, 20, ..., 100 % of a question's T clues."""
    answers = answers.dropna(subset=["correct"])
    for percent in range(10, 101, 10):
        # whole numbers, as 0.3 · 10 is above 3 in floating point
        yield percent, answers[answers["clue"] == -(-percent * answers["n_clues"] // 100)]


def players_in_quartiles(survey, players) -> dict:
    """Answers of all players (H) and of each quartile."""
    quartile = survey["player"].map(players.set_index("player")["quartile"])
    return {"H": survey} | {f"Q{number}": survey[quartile == number] for number in range(1, 5)}
