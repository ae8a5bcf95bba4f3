"""What a simulated study was made with beside what was estimated from its files: tables/recovery.

One function a kind of study; each takes only what the simulator and the study both count.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from ..core import store
from ..scores.metrics import question_errors
from .tournament import part_chance

SETTINGS = {"N": "without options", "D": "with options"}
"""Letter of the columns of option_scores → words; in the order normal, distractor of the truth."""


def _read_truth(truth: str | Path) -> dict:
    return json.loads(Path(truth).read_text(encoding="utf-8"))


def _recovery_table(rows: list[dict]) -> dict[str, pd.DataFrame]:
    """``{"recovery": table}`` of ``rows`` of :func:`_row`."""
    return {"recovery": store.frame(rows, "recovery")}


def buzz_recovery(
    truth: str | Path,
    responses: pd.DataFrame,
    human_curve: pd.DataFrame,
    model_scores: pd.DataFrame,
    team_summary: pd.DataFrame,
    replies: pd.DataFrame,
    primary_segmentation: str,
) -> dict[str, pd.DataFrame]:
    """``{"recovery": table}`` of a study in the formats of the release: accuracy and CalScore (the paper's definition) by the
    simulator's marks, replies not read, packets that teams played. ``truth``: path of truth.json. Accuracy and CalScore are left
    out for a model with more or fewer clues than guesses on a question. Of several reductions the first by name counts."""
    truth_values = _read_truth(truth)
    where_judged = {"segmentation": primary_segmentation, "marks": "engine"}
    h = human_curve[human_curve["h_definition"] == "buzzed_so_far"]
    keys = ["segmentation", "question_id", "clue"]
    joined = _select(responses, where_judged).merge(h[[*keys, "h"]], on=keys)
    joined = joined.sort_values(["question_id", "clue"])
    scores = _select(model_scores, where_judged | {"definition": "paper"})
    rows = []
    for (elicitation, model), series in joined.groupby(["elicitation", "model"]):
        series = series[series["reduction"] == series["reduction"].min()]
        marks = truth_values["correct"].get(elicitation, {}).get(model, {})
        clues = series.groupby("question_id")["clue"].size()
        if any(len(marks.get(question, "")) != n for question, n in clues.items()):
            continue
        right = np.array([*"".join(marks[question] for question in clues.index)]) == "1"
        scored = series["confidence"].notna().to_numpy()
        series, marked = series[scored], right[scored]
        starts = np.flatnonzero(~series["question_id"].duplicated())
        _, errors = question_errors(marked, series["confidence"], series["h"], starts, "paper")
        own = {name: series[name].iloc[0] for name in ("elicitation", "model", "reduction")}
        own_scores = _select(scores, own).drop_duplicates("metric").set_index("metric")
        for metric, true, n in (
            ("accuracy", right.mean(), "n_rows"),
            ("calscore", errors.mean(), "n_questions"),
        ):
            estimate = own_scores.loc[metric, ["value", n, "low", "high"]]
            rows.append(_row(metric, f"{model}, {elicitation}", true, *estimate))
    lost = Counter(model for model, *_ in truth_values["unparsable"])
    for row in _select(replies, {"elicitation": "verbalized"}).itertuples():
        if row.model in truth_values["models"]:
            rows.append(_row("replies not read", row.model, lost[row.model], row.unparsed, row.replies))
    for row in team_summary.itertuples():
        if played := truth_values["packets_played"].get(row.team):
            rows.append(_row("packets played", row.team, len(played), row.packets, row.packets))
    return _recovery_table(rows)


def option_recovery(
    truth: str | Path,
    option_scores: pd.DataFrame,
    judge_agreement: pd.DataFrame,
    judge_verdicts: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """``{"recovery": table}`` of answer options: shares right and their change, ECE, verdicts of annotators and of own judges."""
    truth_values = _read_truth(truth)
    parameters = truth_values["parameters"]
    rows = []
    scores = _select(option_scores, {"judging": "shared", "reading": "as_wrong"}).set_index("model")
    columns = {"right": ("right", "right_share"), "ECE": ("ece_as_wrong", "ece")}
    for model, settings in truth_values["models"].items():
        row = scores.loc[model]
        for (letter, words), true in zip(SETTINGS.items(), settings.values(), strict=True):
            for says, (key, column) in columns.items():
                column = f"{letter}_{column}"
                estimate = row[[column, f"{letter}_n", f"{column}_low", f"{column}_high"]]
                rows.append(_row(f"{says}, {words}", model, true[key], *estimate))
        change = settings["distractor"]["right"] - settings["normal"]["right"]
        estimate = row[["right_change", "n_paired", "right_change_low", "right_change_high"]]
        rows.append(_row("right, change by options", model, change, *estimate))
    against = _select(judge_agreement, {"scope": "annotated", "second": "shared judge"})
    people = parameters["annotators"]
    for row in against[against["first"].isin(people["names"])].itertuples():
        rows.append(_row("agrees with the shared judge", row.first, 1 - people["slip"], row.agreed, row.n))
    none = _select(judge_verdicts, {"shared_judge": "not attempted"})
    n = none["n"].sum()
    if n:
        called = none.loc[none["own_judge"] != "not attempted", "n"].sum()
        quantity = "not attempted, called an answer by the own judge"
        rows.append(_row(quantity, "all", parameters["own_judge"]["none_wrong"], called / n, n))
    return _recovery_table(rows)


def tournament_recovery(
    truth: str | Path, bonuses: pd.DataFrame, findings: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """``{"recovery": table}`` of a tournament: planted hazards that were found, and bonus accuracy of submissions."""
    planted = _read_truth(truth)["hazards"]
    n_found = len({*planted} & {*findings["finding"]})
    rows = [_row("hazards found", "all", len(planted), n_found, len(planted))]
    chances = [part_chance(part) for part in (1, 2, 3)]
    expected = {"part_accuracy": np.mean(chances), "question_accuracy": np.prod(chances)}
    for row in _select(bonuses, {"reading": "manual"}).itertuples():
        if row.metric in expected:
            estimate = row.value, row.parts_used, row.low, row.high
            rows.append(_row(row.metric.replace("_", " "), row.submission, expected[row.metric], *estimate))
    return _recovery_table(rows)


def _select(table: pd.DataFrame, values: dict) -> pd.DataFrame:
    """Rows of a table whose columns have these ``values`` (column → value)."""
    return table[(table[[*values]] == pd.Series(values)).all(axis=1)]


def _row(quantity: str, name: str, truth: float, estimate: float, n: float, low=np.nan, high=np.nan) -> dict:
    """A row of table recovery; without an interval ``low`` and ``high`` are nan."""
    row = {"quantity": quantity, "name": name, "truth": float(truth), "estimate": float(estimate)}
    return row | {"low": low, "high": high, "n": int(n)}
